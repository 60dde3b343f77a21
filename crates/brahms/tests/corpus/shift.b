// A night shift: rounds as a composite activity, alarms that interrupt, a lift that blocks, beds visited one by one.
areadef Floor extends BaseAreaDef { }
area ground instanceof Floor { }
area upper instanceof Floor { }
path stairs { area1: ground; area2: upper; distance: 30; }

class Bed {
    attributes:
        public boolean made;
    initial_facts:
        (current.made = false);
}
object bedA instanceof Bed { }
object bedB instanceof Bed { }
object bedC instanceof Bed { }
object lift {
    attributes:
        public boolean stuck;
    initial_facts:
        (current.stuck = false);
}

group Staff {
    relations:
        public Staff relieves;
    initial_beliefs:
        (lift.stuck = false);
}

agent Nurse memberof Staff {
    location: ground;
    attributes:
        public boolean alarm;
        public int rounds;
        public int thoughts;
    initial_beliefs:
        (current.alarm = false);
        (current.rounds = 0);
        (current.thoughts = 0);
        (bedA.made = false);
        (bedB.made = false);
        (bedC.made = false);
    activities:
        primitive_activity makeBed(Bed b) { max_duration: 60; }
        primitive_activity runToAlarm() { max_duration: 20; }
        move climb() { location: upper; }
        composite_activity round() {
            end_condition: nowork;
            activities:
                primitive_activity look() { max_duration: 40; }
                primitive_activity write() { max_duration: 10; }
            workframes:
                workframe wf_look {
                    priority: 2;
                    when(knownval(current.rounds < 2))
                    do {
                        look();
                        conclude((current.rounds = current.rounds + 1));
                    }
                }
                workframe wf_write {
                    priority: 1;
                    do { write(); }
                }
            thoughtframes:
                thoughtframe tf_count {
                    repeat: true;
                    when(knownval(current.thoughts < current.rounds))
                    do { conclude((current.thoughts = current.rounds)); }
                }
        }
    workframes:
        workframe wf_beds {
            repeat: true;
            priority: 5;
            variables:
                foreach(Bed) b;
            when(knownval(b.made = false))
            do {
                makeBed(b);
                conclude((b.made = true));
            }
        }
        workframe wf_alarm {
            repeat: true;
            priority: 90;
            when(knownval(current.alarm = true))
            do {
                runToAlarm();
                conclude((current.alarm = false));
            }
        }
        workframe wf_round {
            priority: 3;
            do { round(); }
        }
        workframe wf_up {
            priority: 1;
            detectables:
                detectable liftStuck {
                    when(whenever)
                    detect((lift.stuck = true))
                    then impasse;
                }
            when(knownval(current.location = ground))
            do { climb(); conclude((current relieves Porter)); }
        }
}

agent Porter memberof Staff {
    location: ground;
    activities:
        primitive_activity wait(int seconds) { max_duration: seconds; }
        communicate ring() {
            with: Nurse;
            about: send(Nurse.alarm = true);
        }
    workframes:
        workframe wf_mischief {
            do {
                wait(90);
                conclude((Nurse.alarm = true), fc:0);
                ring();
                wait(175);
                conclude((lift.stuck = true), fc:100, bc:50);
                wait(60);
                conclude((lift.stuck = false));
                conclude((current relieves Nurse is false));
            }
        }
}
