// The people on the ward: two nurses, one of whom is on duty, and a doctor.

group Staff memberof TimeKeeper {
    attributes:
        public boolean performedCPR;
    initial_beliefs:
        (Patient_one.location = bedOne);
        (Patient_two.location = bedTwo);
        (Patient_three.location = bedThree);
        (Patient_four.location = bedFour);
        (Patient_five.location = bedFive);
    initial_facts:
        (current.performedCPR = false);
    activities:
        primitive_activity resuscitate() {
            max_duration: 100;
        }
        move goTo(Bed bed) {
            location: bed;
        }
    workframes:
        // Before everything else. Whoever has done a round goes on until the patient is back.
        workframe wf_resuscitate {
            repeat: true;
            priority: 100;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            detectables:
                detectable revived {
                    when(whenever)
                    detect((pat.heartAttack = false), dc:100)
                    then abort;
                }
            when(knownval(pat.heartAttack = true) and
                 knownval(pat.location = bed))
            do {
                goTo(bed);
                resuscitate();
                conclude((current.performedCPR = true));
            }
        }
}

group Nurse memberof Staff {
    attributes:
        public boolean onDuty;
        public boolean onBreak;
    relations:
        public Patient asksBreakfast;
    initial_beliefs:
        (current.onBreak = false);
        (Monitor.breakfastTime = false);
        (Patient_one.asked = true);
        (Patient_two.asked = false);
        (Patient_three.asked = false);
        (Patient_four.asked = false);
        (Patient_five.asked = false);
    activities:
        primitive_activity waitForRobot() {
            max_duration: 500;
        }
        primitive_activity turnPatient() {
            max_duration: 240;
        }
        primitive_activity waitForAnswer() {
            max_duration: 5;
        }
        primitive_activity haveBreak() {
            max_duration: 1800;
        }
        communicate askRobot(Patient pat) {
            max_duration: 1;
            with: Robot;
            about: send(pat.needsTurning);
        }
        communicate askForChoice(Patient pat) {
            max_duration: 1;
            with: pat;
            about: send(current asksBreakfast pat);
        }
        communicate orderBreakfast(Patient pat) {
            max_duration: 1;
            with: Digital_Nurse_one;
            about: send(pat.breakfastChoice);
        }
        communicate handBack() {
            max_duration: 1;
            with: Nurse_two;
            about: send(Nurse_two.onDuty = false);
        }
        move goToStaffRoom() {
            location: staffRoom;
        }
    workframes:
        // Turning a patient takes two: the nurse goes to the bed, sends for the robot and waits for it.
        workframe wf_prepareTurning {
            repeat: true;
            priority: 1;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            detectables:
                detectable robotIsThere {
                    when(whenever)
                    detect((pat.robotReady = true), dc:100)
                    then abort;
                }
            when(knownval(current.onDuty = true) and
                 knownval(pat.needsTurning = true) and
                 knownval(pat.location = bed))
            do {
                goTo(bed);
                askRobot(pat);
                waitForRobot();
            }
        }
        workframe wf_turn {
            repeat: true;
            priority: 4;
            variables:
                forone(Patient) pat;
            when(knownval(pat.robotReady = true))
            do {
                turnPatient();
                conclude((pat.needsTurning = false));
                conclude((pat.robotReady = false));
            }
        }
        workframe wf_askForChoice {
            repeat: true;
            priority: 2;
            variables:
                forone(Patient) pat;
            when(knownval(current.onDuty = true) and
                 knownval(Monitor.breakfastTime = true) and
                 knownval(pat.asked = false))
            do {
                conclude((pat.asked = true), fc:0);
                conclude((current asksBreakfast pat), fc:0);
                askForChoice(pat);
                waitForAnswer();
            }
        }
        workframe wf_orderBreakfast {
            repeat: false;
            priority: 3;
            variables:
                forone(Patient) pat;
            when(known(pat.breakfastChoice))
            do {
                orderBreakfast(pat);
            }
        }
        workframe wf_break {
            repeat: true;
            priority: 20;
            when(knownval(current.onBreak = true))
            do {
                conclude((current.onDuty = false));
                goToStaffRoom();
                haveBreak();
                conclude((current.onBreak = false));
                conclude((current.onDuty = true));
                conclude((Nurse_two.onDuty = false), fc:0);
                handBack();
            }
        }
}

agent Nurse_one memberof Nurse {
    location: staffRoom;
    initial_beliefs:
        (current.onDuty = true);
}

agent Nurse_two memberof Nurse {
    location: staffRoom;
    initial_beliefs:
        (current.onDuty = false);
}

// The doctor sees every patient once and prescribes what some of them need. Patient_two needs nothing.
agent Doctor_one memberof Staff {
    location: staffRoom;
    initial_beliefs:
        (Patient_one.medication = 3);
        (Patient_three.medication = 1);
        (Patient_four.medication = 4);
        (Patient_five.medication = 6);
        (Patient_one.visited = false);
        (Patient_two.visited = false);
        (Patient_three.visited = false);
        (Patient_four.visited = false);
        (Patient_five.visited = false);
    activities:
        primitive_activity examine() {
            max_duration: 1000;
        }
        communicate prescribe(Patient pat) {
            max_duration: 1;
            with: Digital_Nurse_three;
            about: send(pat.medication);
        }
    workframes:
        workframe wf_visit {
            repeat: true;
            priority: 1;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            when(knownval(pat.visited = false) and
                 knownval(pat.location = bed))
            do {
                goTo(bed);
                conclude((pat.visited = true), fc:0);
                examine();
                prescribe(pat);
            }
        }
}
