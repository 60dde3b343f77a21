// Five patients. They drink a little every hour, say what they want for breakfast, and one of them has a weak heart.

group Patient memberof TimeKeeper {
    attributes:
        public int lastHour;
        public int glass;
        public int waterLevel;
        public int breakfastChoice;
        public int medication;
        public boolean bedridden;
        public boolean nilByMouth;
        public boolean asked;
        public boolean served;
        public boolean visited;
        public boolean needsTurning;
        public boolean robotReady;
        public boolean heartAttack;
        public boolean teamCalled;
        public boolean alive;
        public boolean waterAlarm;
    initial_beliefs:
        (current.lastHour = 0);
        (current.waterLevel = 1000);
        (current.waterAlarm = false);
    initial_facts:
        (current.waterLevel = 1000);
        (current.waterAlarm = false);
        (current.needsTurning = false);
        (current.robotReady = false);
        (current.heartAttack = false);
        (current.alive = true);
    activities:
        primitive_activity waitForWater() {
            max_duration: 3600;
        }
        communicate sayChoice(Nurse nurse) {
            max_duration: 1;
            with: nurse;
            about: send(current.breakfastChoice);
        }
    workframes:
        workframe wf_drink {
            repeat: true;
            priority: 1;
            when(knownval(Clock.hour > current.lastHour) and
                 knownval(current.waterLevel > 100))
            do {
                conclude((current.lastHour = Clock.hour));
                conclude((current.waterLevel = current.waterLevel - current.glass));
            }
        }
        // The jug is as good as empty. Whoever has waited for an hour rings the alarm.
        workframe wf_waitForWater {
            repeat: true;
            priority: 2;
            detectables:
                detectable refilled {
                    when(whenever)
                    detect((current.waterLevel > 100), dc:100)
                    then abort;
                }
            when(knownval(current.waterLevel < 101) and
                 knownval(current.waterAlarm = false))
            do {
                waitForWater();
                conclude((current.waterAlarm = true));
            }
        }
        workframe wf_sayChoice {
            repeat: false;
            priority: 3;
            variables:
                forone(Nurse) nurse;
            when(knownval(nurse asksBreakfast current) and
                 known(current.breakfastChoice))
            do {
                sayChoice(nurse);
            }
        }
}

// At ten the attack may come; at twelve and at two in the afternoon it does.
group HeartPatient memberof Patient {
    workframes:
        workframe wf_attackAtTen {
            repeat: false;
            priority: 100;
            when(knownval(Clock.hour = 10))
            do {
                conclude((current.heartAttack = true), bc:0, fc:50);
            }
        }
        workframe wf_attackAtTwelve {
            repeat: false;
            priority: 100;
            when(knownval(Clock.hour = 12))
            do {
                conclude((current.heartAttack = true), bc:0);
            }
        }
        workframe wf_attackAtFourteen {
            repeat: false;
            priority: 100;
            when(knownval(Clock.hour = 14))
            do {
                conclude((current.heartAttack = true), bc:0);
            }
        }
}

agent Patient_one memberof HeartPatient {
    location: bedOne;
    initial_beliefs:
        (current.glass = 100);
    initial_facts:
        (current.bedridden = true);
}

agent Patient_two memberof Patient {
    location: bedTwo;
    initial_beliefs:
        (current.glass = 200);
        (current.breakfastChoice = 3);
    initial_facts:
        (current.bedridden = false);
}

agent Patient_three memberof Patient {
    location: bedThree;
    initial_beliefs:
        (current.glass = 200);
        (current.breakfastChoice = 1);
    initial_facts:
        (current.bedridden = true);
}

agent Patient_four memberof Patient {
    location: bedFour;
    initial_beliefs:
        (current.glass = 50);
        (current.breakfastChoice = 3);
    initial_facts:
        (current.bedridden = false);
}

agent Patient_five memberof Patient {
    location: bedFive;
    initial_beliefs:
        (current.glass = 150);
        (current.breakfastChoice = 1);
    initial_facts:
        (current.bedridden = true);
}
