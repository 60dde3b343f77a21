// The flat, the ways through it, and the house itself, which watches over Bob.

areadef Spot extends BaseAreaDef { }

area Flat instanceof Building { }
area chair instanceof Spot partof Flat { }
area cabinet instanceof Spot partof Flat { }
area sink instanceof Spot partof Flat { }
area dishwasher instanceof Spot partof Flat { }
area microwave instanceof Spot partof Flat { }
area toilet instanceof Spot partof Flat { }
area basin instanceof Spot partof Flat { }
area frontDoor instanceof Spot partof Flat { }
area careCentre instanceof Spot { }

// Distances are seconds of walking, from end to end and back.
path chairToCabinet { area1: chair; area2: cabinet; distance: 10; }
path chairToSink { area1: chair; area2: sink; distance: 10; }
path sinkToDishwasher { area1: sink; area2: dishwasher; distance: 2; }
path dishwasherToMicrowave { area1: dishwasher; area2: microwave; distance: 2; }
path chairToToilet { area1: chair; area2: toilet; distance: 5; }
path toiletToBasin { area1: toilet; area2: basin; distance: 2; }
path chairToFrontDoor { area1: chair; area2: frontDoor; distance: 5; }
path careCentreToFrontDoor { area1: careCentre; area2: frontDoor; distance: 2000; }

agent House {
    attributes:
        public boolean alarm;
        public boolean calledCareWorker;
        public boolean bellRang;
        public boolean doorOpen;
    initial_beliefs:
        (Clock.hour = 0);
        (Fire.burning = false);
        (Bob.location = chair);
        (Bob.flushed = true);
        (Bob.missedMedicine = 0);
        (current.alarm = false);
        (current.calledCareWorker = false);
        (current.bellRang = false);
    initial_facts:
        (current.doorOpen = false);
    activities:
        primitive_activity watch() {
            max_duration: 3000;
        }
        primitive_activity look() {
            max_duration: 1;
        }
        primitive_activity pause() {
            max_duration: 60;
        }
        primitive_activity soundAlarm() {
            max_duration: 100;
        }
        communicate remindToFlush() {
            max_duration: 1;
            with: Bob;
            about: send(Bob.flushed = false);
        }
        communicate warnBob() {
            max_duration: 1;
            with: Bob;
            about: send(Fire.burning = true);
        }
        communicate warnRobot() {
            max_duration: 1;
            with: Robot;
            about: send(Fire.burning = true), send(Bob.location);
        }
        communicate callCareWorker() {
            max_duration: 1;
            with: CareWorker;
            about: send(Bob.missedMedicine);
        }
        communicate sendRobotToDoor() {
            max_duration: 1;
            with: Robot;
            about: send(current.bellRang = true);
        }
    workframes:
        // What the house does all day. The detectable `whereabouts` keeps its picture of Bob up to date, wherever he goes.
        workframe wf_watch {
            repeat: true;
            priority: 1;
            detectables:
                detectable whereabouts {
                    when(whenever)
                    detect((Bob.location = toilet), dc:100)
                    then continue;
                }
                detectable smoke {
                    when(whenever)
                    detect((Fire.burning = true), dc:100)
                    then abort;
                }
            when(knownval(Clock.hour < 10) and
                 knownval(Fire.burning = false))
            do {
                watch();
            }
        }
        // Bob is on the toilet. When he leaves, the house assumes the worst until it has looked.
        workframe wf_bobOnToilet {
            repeat: true;
            priority: 3;
            detectables:
                detectable left {
                    when(whenever)
                    detect((Bob.location != toilet), dc:100)
                    then complete;
                }
            when(knownval(Bob.location = toilet))
            do {
                watch();
                conclude((Bob.flushed = false), fc:0);
            }
        }
        // Bob is back in his chair. The detectable looks at the toilet: if it was flushed there is nothing to say.
        workframe wf_remindToFlush {
            repeat: true;
            priority: 4;
            detectables:
                detectable flushed {
                    when(whenever)
                    detect((Bob.flushed = true), dc:100)
                    then abort;
                }
            when(knownval(Bob.location = chair) and
                 knownval(Bob.flushed = false))
            do {
                look();
                remindToFlush();
                pause();
            }
        }
        workframe wf_callCareWorker {
            repeat: true;
            priority: 10;
            when(knownval(Bob.missedMedicine > 1) and
                 knownval(current.calledCareWorker = false))
            do {
                callCareWorker();
                conclude((current.calledCareWorker = true));
            }
        }
        workframe wf_bell {
            repeat: true;
            priority: 10;
            when(knownval(current.bellRang = true))
            do {
                sendRobotToDoor();
                conclude((current.bellRang = false));
            }
        }
        workframe wf_soundAlarm {
            repeat: true;
            priority: 1000;
            detectables:
                detectable bobSafe {
                    when(whenever)
                    detect((Bob.location = frontDoor), dc:100)
                    then abort;
                }
            when(knownval(Fire.burning = true) and
                 knownval(Bob.location != frontDoor))
            do {
                conclude((current.alarm = true));
                warnBob();
                warnRobot();
                soundAlarm();
            }
        }
    thoughtframes:
        thoughtframe tf_alarmOff {
            repeat: true;
            when(knownval(current.alarm = true) and
                 knownval(Bob.location = frontDoor))
            do {
                conclude((current.alarm = false));
            }
        }
}
