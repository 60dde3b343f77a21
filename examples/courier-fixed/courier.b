// The courier patrols while its battery lasts, charges when it is low, and drops everything when it is called.

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
        // More urgent than charging, which goes on afterwards with the time it still needs. Therefore back to the dock:
        // work that resumes goes on where its actor happens to be.
        workframe wf_deliver {
            repeat: true;
            priority: 4;
            when(knownval(Nurse.needsBlood = true))
            do {
                goTo(lab);
                load();
                goTo(ward);
                handOver();
                conclude((Nurse.needsBlood = false));
                goTo(dock);
            }
        }
}
