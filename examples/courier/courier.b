// The courier patrols while its battery lasts, charges when it is low, and delivers when it is called.

agent Courier {
    location: dock;
    attributes:
        public int battery;
    initial_beliefs:
        (current.battery = 50);
        (Nurse.rounds = 0);
        (Nurse.needsBlood = false);
    activities:
        primitive_activity patrol() {
            max_duration: 900;
        }
        primitive_activity charge() {
            max_duration: 2400;
        }
        primitive_activity load() {
            max_duration: 60;
        }
        primitive_activity handOver() {
            max_duration: 30;
        }
        move goTo(Place place) {
            location: place;
        }
    workframes:
        workframe wf_patrol {
            repeat: true;
            priority: 1;
            when(knownval(current.battery > 20))
            do {
                patrol();
                conclude((current.battery = current.battery - 15));
            }
        }
        workframe wf_charge {
            repeat: false;
            priority: 3;
            when(knownval(current.battery < 21))
            do {
                goTo(dock);
                charge();
                conclude((current.battery = 50));
            }
        }
        workframe wf_deliver {
            repeat: true;
            priority: 2;
            when(knownval(Nurse.needsBlood = true))
            do {
                goTo(lab);
                load();
                goTo(ward);
                handOver();
                conclude((Nurse.needsBlood = false));
            }
        }
}
