// The monitor is an object: it sees the facts of the ward and believes nothing of its own accord.

class WardMonitor {
    attributes:
        public boolean breakfastTime;
    initial_facts:
        (current.breakfastTime = false);
    activities:
        communicate callRobot(Patient pat) {
            max_duration: 1;
            with: Robot;
            about: send(pat.waterLevel);
        }
        primitive_activity waitForRefill() {
            max_duration: 400;
        }
        communicate callNurses(Patient pat) {
            max_duration: 1;
            with: Nurse_one, Nurse_two;
            about: send(pat.needsTurning);
        }
        communicate alert(Patient pat) {
            max_duration: 1;
            with: Digital_Nurse_one, Digital_Nurse_two, Digital_Nurse_three;
            about: send(pat.heartAttack);
        }
        primitive_activity heartStandsStill() {
            max_duration: 299;
        }
    workframes:
        workframe wf_lowWater {
            repeat: true;
            priority: 1;
            variables:
                forone(Patient) pat;
            detectables:
                detectable refilled {
                    when(whenever)
                    detect((pat.waterLevel > 100), dc:100)
                    then abort;
                }
            when(knownval(pat.waterLevel < 101))
            do {
                callRobot(pat);
                waitForRefill();
            }
        }
        workframe wf_turningTime {
            repeat: false;
            priority: 2;
            variables:
                collectall(Patient) pat;
            when(knownval(Clock.hour = 8) and
                 knownval(pat.bedridden = true))
            do {
                conclude((pat.needsTurning = true));
                callNurses(pat);
            }
        }
        // Five minutes without help, and the patient is dead.
        workframe wf_heartAttack {
            repeat: true;
            priority: 100;
            variables:
                forone(Patient) pat;
            detectables:
                detectable revived {
                    when(whenever)
                    detect((pat.heartAttack = false), dc:100)
                    then abort;
                }
            when(knownval(pat.heartAttack = true) and
                 knownval(pat.alive = true))
            do {
                conclude((pat.heartAttack = true), fc:0);
                alert(pat);
                heartStandsStill();
                conclude((pat.alive = false));
            }
        }
        // A nurse, the doctor and the robot have all done their part.
        workframe wf_revived {
            repeat: true;
            priority: 101;
            variables:
                forone(Patient) pat;
                collectall(Nurse) nurse;
            when(knownval(pat.heartAttack = true) and
                 knownval(nurse.performedCPR = true) and
                 knownval(Doctor_one.performedCPR = true) and
                 knownval(Robot.performedCPR = true))
            do {
                conclude((pat.heartAttack = false));
                conclude((nurse.performedCPR = false));
                conclude((Doctor_one.performedCPR = false));
                conclude((Robot.performedCPR = false));
                alert(pat);
            }
        }
}

object Monitor instanceof WardMonitor { }
