// The care worker has other people to look after. Called, she first finishes what she is at.

agent CareWorker {
    location: careCentre;
    initial_beliefs:
        (Clock.hour = 0);
        (Bob.missedMedicine = 0);
        (House.doorOpen = false);
    activities:
        primitive_activity otherDuties() {
            max_duration: 7800;
        }
        primitive_activity waitAtDoor() {
            max_duration: 5000;
        }
        primitive_activity seeToMedicine() {
            max_duration: 500;
        }
        communicate ring() {
            max_duration: 1;
            with: House;
            about: send(House.bellRang = true);
        }
        communicate tellHousehold() {
            max_duration: 1;
            with: Bob, Robot;
            about: send(Bob.tookMedicine), send(Bob.hasMedicine), send(Bob.missedMedicine);
        }
        move goTo(Spot place) {
            location: place;
        }
    workframes:
        workframe wf_otherDuties {
            repeat: true;
            priority: 10;
            when(knownval(Clock.hour < 10) and
                 knownval(current.location = careCentre) and
                 knownval(Bob.missedMedicine < 2))
            do {
                otherDuties();
            }
        }
        workframe wf_setOut {
            repeat: true;
            priority: 9;
            when(knownval(current.location = careCentre) and
                 knownval(Bob.missedMedicine > 1))
            do {
                goTo(frontDoor);
            }
        }
        workframe wf_ring {
            repeat: true;
            priority: 5;
            detectables:
                detectable open {
                    when(whenever)
                    detect((House.doorOpen = true), dc:100)
                    then abort;
                }
            when(knownval(current.location = frontDoor) and
                 knownval(House.doorOpen = false) and
                 knownval(Bob.missedMedicine > 1))
            do {
                conclude((House.bellRang = true), fc:0);
                ring();
                waitAtDoor();
            }
        }
        workframe wf_enter {
            repeat: true;
            priority: 8;
            when(knownval(current.location = frontDoor) and
                 knownval(House.doorOpen = true))
            do {
                goTo(chair);
            }
        }
        workframe wf_seeToMedicine {
            repeat: true;
            priority: 6;
            when(knownval(current.location = chair) and
                 knownval(Bob.missedMedicine > 1))
            do {
                seeToMedicine();
                conclude((Bob.tookMedicine = true));
                conclude((Bob.hasMedicine = false));
                conclude((Bob.missedMedicine = 0));
                conclude((House.doorOpen = false), fc:0);
                tellHousehold();
                goTo(careCentre);
            }
        }
}
