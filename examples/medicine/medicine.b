// A robot reminds Bob of his medicine at every full hour. He hears it or does not, and the robot sees that the glass is empty
// or does not. At a full hour the robot may also tidy up first: which of the two comes first is not written anywhere.

class Timepiece {
    attributes:
        public int hour;
    initial_facts:
        (current.hour = 0);
    activities:
        primitive_activity letAnHourPass() {
            max_duration: 3600;
        }
        broadcast strike() {
            about: send(current.hour);
            when: end;
        }
    workframes:
        workframe wf_strike {
            repeat: true;
            when(knownval(current.hour < 6))
            do {
                letAnHourPass();
                conclude((current.hour = current.hour + 1));
                strike();
            }
        }
}

object Clock instanceof Timepiece { }

agent Bob {
    attributes:
        public boolean willTake;
        public boolean tookMedicine;
        public int heard;
    initial_beliefs:
        (Robot.reminders = 0);
        (current.heard = 0);
        (current.willTake = false);
        (current.tookMedicine = false);
    initial_facts:
        (current.tookMedicine = false);
    activities:
        primitive_activity swallow() {
            random: true;
            min_duration: 1;
            max_duration: 4;
        }
    workframes:
        workframe wf_take {
            repeat: false;
            when(knownval(current.willTake = true))
            do {
                swallow();
                conclude((current.tookMedicine = true));
            }
        }
    thoughtframes:
        // A reminder reaches him in six of ten cases.
        thoughtframe tf_heed {
            repeat: true;
            when(knownval(Robot.reminders > current.heard))
            do {
                conclude((current.heard = Robot.reminders));
                conclude((current.willTake = true), bc:60);
            }
        }
}

agent Robot {
    cost: 12;
    time_unit: 3600;
    attributes:
        public int reminders;
        public int remindedAt;
        public int tidiedAt;
    initial_beliefs:
        (Clock.hour = 0);
        (Bob.tookMedicine = false);
        (current.reminders = 0);
        (current.remindedAt = 0);
        (current.tidiedAt = 0);
    activities:
        communicate remind() {
            max_duration: 5;
            with: Bob;
            about: send(current.reminders);
        }
        primitive_activity lookAtGlass() {
            max_duration: 60;
        }
        primitive_activity tidy() {
            max_duration: 4000;
        }
    workframes:
        workframe wf_remind {
            repeat: true;
            priority: 5;
            detectables:
                detectable empty {
                    when(whenever)
                    detect((Bob.tookMedicine = true), dc:90)
                    then continue;
                }
            when(knownval(Clock.hour > current.remindedAt) and
                 knownval(Bob.tookMedicine = false) and
                 knownval(current.reminders < 4))
            do {
                conclude((current.remindedAt = Clock.hour));
                conclude((current.reminders = current.reminders + 1));
                remind();
                lookAtGlass();
            }
        }
        workframe wf_tidy {
            repeat: true;
            priority: 5;
            when(knownval(Clock.hour > current.tidiedAt) and
                 knownval(Clock.hour < 6))
            do {
                conclude((current.tidiedAt = Clock.hour));
                tidy();
            }
        }
}
