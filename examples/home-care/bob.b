// Bob has dementia. He watches television, gets hungry, needs the toilet, and forgets.

agent Bob {
    location: chair;
    attributes:
        public int lastHour;
        public int hunger;
        public int bladder;
        public int hoursSinceAsked;
        public int missedMedicine;
        public boolean askedFood;
        public boolean hasFood;
        public boolean emptyPlate;
        public boolean flushed;
        public boolean handsClean;
        public boolean hasMedicine;
        public boolean medicineDue;
        public boolean tookMedicine;
        public boolean heardAlarm;
        public boolean evacuate;
        public boolean outside;
    initial_beliefs:
        (Clock.hour = 0);
        (current.lastHour = 0);
        (current.hunger = 15);
        (current.bladder = 0);
        (current.hoursSinceAsked = 0);
        (current.askedFood = false);
        (current.hasFood = false);
        (current.emptyPlate = false);
        (current.flushed = true);
        (current.handsClean = true);
        (current.hasMedicine = false);
        (current.medicineDue = false);
        (current.tookMedicine = false);
        (current.heardAlarm = false);
        (current.evacuate = false);
    initial_facts:
        (current.emptyPlate = false);
        (current.flushed = true);
        (current.hasMedicine = false);
        (current.tookMedicine = false);
        (current.outside = false);
    activities:
        primitive_activity watchTV() {
            max_duration: 2000;
        }
        primitive_activity eat() {
            max_duration: 1000;
        }
        primitive_activity useToilet() {
            max_duration: 400;
        }
        primitive_activity flush() {
            max_duration: 3;
        }
        primitive_activity washHands() {
            max_duration: 100;
        }
        primitive_activity swallow() {
            max_duration: 100;
        }
        primitive_activity hesitate() {
            max_duration: 100;
        }
        communicate askForFood() {
            max_duration: 1;
            with: Robot;
            about: send(current.askedFood = true);
        }
        move goTo(Spot place) {
            location: place;
        }
    workframes:
        workframe wf_watchTV {
            repeat: true;
            priority: 1;
            detectables:
                detectable fled {
                    when(whenever)
                    detect((current.outside = true), dc:100)
                    then abort;
                }
            when(knownval(Clock.hour < 10) and
                 knownval(current.location = chair))
            do {
                watchTV();
            }
        }
        workframe wf_askForFood {
            repeat: true;
            priority: 9;
            when(knownval(current.hunger > 10) and
                 knownval(current.askedFood = false))
            do {
                conclude((current.askedFood = true));
                askForFood();
            }
        }
        workframe wf_eat {
            repeat: true;
            priority: 11;
            when(knownval(current.hasFood = true) and
                 knownval(current.location = chair))
            do {
                eat();
                conclude((current.hunger = 0));
                conclude((current.askedFood = false));
                conclude((current.hasFood = false));
                conclude((current.emptyPlate = true));
            }
        }
        workframe wf_useToilet {
            repeat: true;
            priority: 4;
            when(knownval(current.bladder > 5))
            do {
                goTo(toilet);
                useToilet();
                conclude((current.bladder = 0));
                conclude((current.handsClean = false));
                conclude((current.flushed = false));
            }
        }
        // Two frames of one priority: which one runs is not in Bob's hands.
        workframe wf_flush {
            repeat: true;
            priority: 7;
            when(knownval(current.location = toilet) and
                 knownval(current.flushed = false))
            do {
                flush();
                conclude((current.flushed = true));
            }
        }
        workframe wf_forgetToFlush {
            repeat: true;
            priority: 7;
            when(knownval(current.location = toilet) and
                 knownval(current.flushed = false))
            do {
                conclude((current.flushed = true), fc:0);
            }
        }
        workframe wf_washHands {
            repeat: true;
            priority: 6;
            when(knownval(current.handsClean = false))
            do {
                goTo(basin);
                washHands();
                conclude((current.handsClean = true));
                goTo(chair);
            }
        }
        // After a reminder. More urgent than wf_flush, so that he cannot forget a second time.
        workframe wf_goBackAndFlush {
            repeat: true;
            priority: 8;
            when(knownval(current.location = chair) and
                 knownval(current.flushed = false))
            do {
                goTo(toilet);
                flush();
                conclude((current.flushed = true));
                goTo(chair);
            }
        }
        workframe wf_takeMedicine {
            repeat: true;
            priority: 10;
            when(knownval(current.medicineDue = true) and
                 knownval(current.location = chair))
            do {
                swallow();
                conclude((current.medicineDue = false));
                conclude((current.hasMedicine = false));
                conclude((current.tookMedicine = true));
            }
        }
        workframe wf_putOffMedicine {
            repeat: true;
            priority: 10;
            when(knownval(current.medicineDue = true) and
                 knownval(current.location = chair))
            do {
                hesitate();
                conclude((current.medicineDue = false));
            }
        }
        workframe wf_evacuate {
            repeat: true;
            priority: 1000;
            when(knownval(current.evacuate = true))
            do {
                goTo(frontDoor);
                conclude((current.evacuate = false));
                conclude((current.outside = true));
            }
        }
    thoughtframes:
        thoughtframe tf_hour {
            repeat: true;
            priority: 1;
            when(knownval(Clock.hour > current.lastHour))
            do {
                conclude((current.lastHour = Clock.hour));
                conclude((current.hunger = current.hunger + 3));
                conclude((current.bladder = current.bladder + 1));
            }
        }
        // Kept as it was published, to count how long Bob waits for his food. It has the lower priority, and tf_hour
        // makes its guard false: the counter never counts. The claim H1_published holds for that reason alone.
        thoughtframe tf_countHoursSinceAsked {
            repeat: true;
            priority: 0;
            when(knownval(Clock.hour > current.lastHour) and
                 knownval(current.askedFood = true))
            do {
                conclude((current.hoursSinceAsked = current.hoursSinceAsked + 1));
            }
        }
        thoughtframe tf_medicineHasCome {
            repeat: false;
            priority: 3;
            when(knownval(current.hasMedicine = true))
            do {
                conclude((current.medicineDue = true));
            }
        }
        // He hears the alarm, and decides to go, or does not.
        thoughtframe tf_hearAlarm {
            repeat: true;
            priority: 99;
            when(knownval(Fire.burning = true) and
                 knownval(current.heardAlarm = false))
            do {
                conclude((current.heardAlarm = true));
                conclude((current.evacuate = true), bc:50);
            }
        }
}
