// A digital nurse is the assistant in somebody's pocket: one for each nurse and one for the doctor.

group Digital_Nurse memberof TimeKeeper {
    relations:
        public Staff assists;
    initial_beliefs:
        (Patient_one.heartAttack = false);
        (Patient_two.heartAttack = false);
        (Patient_three.heartAttack = false);
        (Patient_four.heartAttack = false);
        (Patient_five.heartAttack = false);
        (Patient_one.teamCalled = false);
        (Patient_two.teamCalled = false);
        (Patient_three.teamCalled = false);
        (Patient_four.teamCalled = false);
        (Patient_five.teamCalled = false);
    activities:
        communicate callStaff(Patient pat, Staff person) {
            max_duration: 1;
            with: person;
            about: send(pat.heartAttack);
        }
        communicate callRobot(Patient pat) {
            max_duration: 1;
            with: Robot;
            about: send(pat.heartAttack);
        }
    workframes:
        workframe wf_callTeam {
            repeat: true;
            priority: 100;
            variables:
                forone(Patient) pat;
                forone(Staff) person;
            when(knownval(pat.heartAttack = true) and
                 knownval(pat.teamCalled = false) and
                 knownval(current assists person))
            do {
                conclude((pat.teamCalled = true), fc:0);
                callStaff(pat, person);
                callRobot(pat);
            }
        }
    thoughtframes:
        thoughtframe tf_allClear {
            repeat: true;
            variables:
                forone(Patient) pat;
            when(knownval(pat.heartAttack = false) and
                 knownval(pat.teamCalled = true))
            do {
                conclude((pat.teamCalled = false));
            }
        }
}

// Nurse_one's assistant also minds her timetable: breakfast at eight, a break at ten.
agent Digital_Nurse_one memberof Digital_Nurse {
    initial_beliefs:
        (current assists Nurse_one);
    activities:
        communicate announceBreakfast() {
            max_duration: 1;
            with: Nurse_one;
            about: send(Monitor.breakfastTime = true);
        }
        communicate sendRobotForBreakfast(Patient pat) {
            max_duration: 1;
            with: Robot;
            about: send(pat.breakfastChoice);
        }
        communicate askForCover() {
            max_duration: 1;
            with: Nurse_two;
            about: send(Nurse_two.onDuty = true);
        }
        communicate announceBreak() {
            max_duration: 1;
            with: Nurse_one;
            about: send(Nurse_one.onBreak = true);
        }
    workframes:
        workframe wf_breakfast {
            repeat: false;
            priority: 1;
            when(knownval(Clock.hour = 8))
            do {
                conclude((Monitor.breakfastTime = true));
                announceBreakfast();
            }
        }
        workframe wf_sendRobotForBreakfast {
            repeat: false;
            priority: 1;
            variables:
                forone(Patient) pat;
            when(known(pat.breakfastChoice))
            do {
                sendRobotForBreakfast(pat);
            }
        }
        // Cover first, then the break: there is always a nurse on duty.
        workframe wf_break {
            repeat: false;
            priority: 1;
            when(knownval(Clock.hour = 10))
            do {
                conclude((Nurse_two.onDuty = true), fc:0);
                askForCover();
                conclude((Nurse_one.onBreak = true), fc:0);
                announceBreak();
            }
        }
}

agent Digital_Nurse_two memberof Digital_Nurse {
    initial_beliefs:
        (current assists Nurse_two);
}

// The doctor's assistant passes prescriptions on to the robot, and then forgets them.
agent Digital_Nurse_three memberof Digital_Nurse {
    initial_beliefs:
        (current assists Doctor_one);
    activities:
        communicate passPrescription(Patient pat) {
            max_duration: 1;
            with: Robot;
            about: send(pat.medication);
        }
    workframes:
        workframe wf_passPrescription {
            repeat: true;
            priority: 1;
            variables:
                forone(Patient) pat;
            when(known(pat.medication))
            do {
                passPrescription(pat);
                conclude((pat.medication = unknown), fc:0);
            }
        }
}
