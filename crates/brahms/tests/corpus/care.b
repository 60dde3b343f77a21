// A care worker with duties of her own is told that Bob missed his medicine.
areadef Place extends BaseAreaDef { }
area office instanceof Place { }
area bobsChair instanceof Place { }
path road { area1: office; area2: bobsChair; distance: 1620; }

agent Care_Worker {
    location: office;
    attributes:
        public boolean onDuty;
        public int visits;
    initial_beliefs:
        (current.onDuty = true);
    activities:
        primitive_activity otherDuties() { max_duration: 9000; }
        move goToBob() { location: bobsChair; }
    workframes:
        workframe wf_otherDuties {
            priority: 50;
            when(knownval(current.onDuty = true))
            do { otherDuties(); }
        }
        workframe wf_attendBob {
            repeat: true;
            priority: 20;
            when(knownval(Bob.missed > 1) and knownval(current.location = office))
            do {
                goToBob();
                conclude((current.visits = current.visits + 1));
            }
        }
        workframe wf_rest {
            when(knownval(current.onDuty = false))
            do { }
        }
}
agent Bob {
    location: bobsChair;
    attributes:
        public int missed;
}
agent House {
    initial_beliefs:
        (Bob.missed = 0);
    activities:
        primitive_activity watch() { max_duration: 900; }
        communicate callCareWorker() {
            max_duration: 1;
            with: Care_Worker;
            about: send(Bob.missed = Bob.missed);
        }
    workframes:
        workframe wf_watch {
            repeat: true;
            detectables:
                detectable eaten {
                    detect((Bob.missed = 9))
                    then abort;
                }
            when(knownval(Bob.missed < 2))
            do {
                watch();
                conclude((Bob.missed = Bob.missed + 1), fc:0);
            }
        }
        workframe wf_call {
            priority: 1;
            when(knownval(Bob.missed = 2))
            do { callCareWorker(); }
        }
}
