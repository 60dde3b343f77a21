// The helper robot cooks, clears away, brings the medicine and asks after it, answers the door and sees Bob out in a fire.

agent Robot {
    location: chair;
    attributes:
        public int lastHour;
        public int hoursSinceReport;
        public boolean checkDue;
        public boolean reminded;
        public boolean reported;
        public boolean alertedBob;
    initial_beliefs:
        (Clock.hour = 0);
        (Fire.burning = false);
        (House.bellRang = false);
        (Bob.location = chair);
        (Bob.askedFood = false);
        (Bob.emptyPlate = false);
        (Bob.hasMedicine = false);
        (Bob.tookMedicine = false);
        (Bob.missedMedicine = 0);
        (current.lastHour = 0);
        (current.hoursSinceReport = 0);
        (current.checkDue = false);
        (current.reminded = false);
        (current.reported = false);
        (current.alertedBob = false);
    activities:
        primitive_activity standBy() {
            max_duration: 1000;
        }
        primitive_activity takeMeal() {
            max_duration: 2;
        }
        primitive_activity cook() {
            max_duration: 1200;
        }
        primitive_activity fillTray() {
            max_duration: 20;
        }
        primitive_activity pickUpPlate() {
            max_duration: 5;
        }
        primitive_activity loadDishwasher() {
            max_duration: 50;
        }
        primitive_activity takeMedicineOut() {
            max_duration: 100;
        }
        primitive_activity placeMedicine() {
            max_duration: 15;
        }
        primitive_activity checkTray() {
            max_duration: 10;
        }
        primitive_activity openDoor() {
            max_duration: 1;
        }
        primitive_activity closeDoor() {
            max_duration: 1;
        }
        communicate serveFood() {
            max_duration: 1;
            with: Bob;
            about: send(Bob.hasFood = true);
        }
        communicate giveMedicine() {
            max_duration: 1;
            with: Bob;
            about: send(Bob.hasMedicine = true);
        }
        communicate remind() {
            max_duration: 1;
            with: Bob;
            about: send(Bob.medicineDue = true);
        }
        communicate reportToHouse() {
            max_duration: 1;
            with: House;
            about: send(Bob.missedMedicine);
        }
        communicate alert() {
            max_duration: 1;
            with: Bob;
            about: send(Bob.evacuate = true);
        }
        move goTo(Spot place) {
            location: place;
        }
    workframes:
        workframe wf_standBy {
            repeat: true;
            priority: 1;
            detectables:
                detectable plate {
                    when(whenever)
                    detect((Bob.emptyPlate = true), dc:100)
                    then abort;
                }
            when(knownval(Clock.hour < 10) and
                 knownval(Fire.burning = false))
            do {
                standBy();
            }
        }
        workframe wf_clearAway {
            repeat: true;
            priority: 2;
            when(knownval(Bob.emptyPlate = true))
            do {
                goTo(chair);
                pickUpPlate();
                goTo(dishwasher);
                conclude((Bob.emptyPlate = false));
                loadDishwasher();
                goTo(chair);
            }
        }
        workframe wf_cook {
            repeat: true;
            priority: 4;
            when(knownval(Bob.askedFood = true))
            do {
                goTo(microwave);
                takeMeal();
                cook();
                goTo(chair);
                fillTray();
                conclude((Bob.askedFood = false), fc:0);
                conclude((Bob.hasFood = true));
                serveFood();
            }
        }
        workframe wf_bringMedicine {
            repeat: false;
            priority: 5;
            when(knownval(Clock.hour = 1))
            do {
                goTo(cabinet);
                takeMedicineOut();
                goTo(chair);
                placeMedicine();
                conclude((Bob.hasMedicine = true));
                giveMedicine();
            }
        }
        // Every full hour after that. The detectable looks at the tray: if the medicine is gone nobody needs a reminder.
        workframe wf_checkMedicine {
            repeat: true;
            priority: 3;
            detectables:
                detectable taken {
                    when(whenever)
                    detect((Bob.hasMedicine = false), dc:100)
                    then abort;
                }
            when(knownval(Clock.hour > 1) and
                 knownval(current.checkDue = true) and
                 knownval(Bob.hasMedicine = true) and
                 knownval(Bob.missedMedicine < 2))
            do {
                checkTray();
                conclude((current.checkDue = false));
                conclude((Bob.medicineDue = true), fc:0);
                remind();
                conclude((current.reminded = true));
                conclude((Bob.missedMedicine = Bob.missedMedicine + 1));
            }
        }
        workframe wf_reportMissed {
            repeat: true;
            priority: 15;
            when(knownval(Bob.missedMedicine > 1) and
                 knownval(current.reported = false))
            do {
                conclude((current.reported = true));
                reportToHouse();
            }
        }
        workframe wf_answerDoor {
            repeat: true;
            priority: 10;
            when(knownval(House.bellRang = true))
            do {
                goTo(frontDoor);
                openDoor();
                conclude((House.doorOpen = true));
                closeDoor();
                conclude((House.doorOpen = false));
                conclude((House.bellRang = false), fc:0);
                goTo(chair);
            }
        }
        workframe wf_alertBob {
            repeat: true;
            priority: 100;
            variables:
                forone(Spot) place;
            detectables:
                detectable bobSafe {
                    when(whenever)
                    detect((Bob.location = frontDoor), dc:100)
                    then abort;
                }
            when(knownval(Fire.burning = true) and
                 knownval(Bob.location = place) and
                 knownval(Bob.location != frontDoor))
            do {
                goTo(place);
                conclude((Bob.evacuate = true), fc:0);
                alert();
                conclude((current.alertedBob = true));
            }
        }
    thoughtframes:
        thoughtframe tf_hour {
            repeat: true;
            priority: 1;
            when(knownval(Clock.hour > current.lastHour))
            do {
                conclude((current.lastHour = Clock.hour));
                conclude((current.checkDue = true));
            }
        }
        // The count that the published form of M4 speaks of: full hours between the report and the news from the care worker.
        thoughtframe tf_hourSinceReport {
            repeat: true;
            priority: 2;
            when(knownval(Clock.hour > current.lastHour) and
                 knownval(current.reported = true) and
                 knownval(Bob.tookMedicine = false))
            do {
                conclude((current.lastHour = Clock.hour));
                conclude((current.hoursSinceReport = current.hoursSinceReport + 1));
            }
        }
        thoughtframe tf_medicineIsGone {
            repeat: true;
            priority: 3;
            when(knownval(Bob.hasMedicine = false) and
                 knownval(Bob.missedMedicine > 0))
            do {
                conclude((Bob.missedMedicine = 0));
            }
        }
}
