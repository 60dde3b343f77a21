// The nurse makes six rounds of ten minutes. On each of them somebody may need blood: two frames of equal priority.

agent Nurse {
    location: ward;
    attributes:
        public int rounds;
        public boolean needsBlood;
    initial_beliefs:
        (current.rounds = 0);
        (current.needsBlood = false);
    initial_facts:
        (current.needsBlood = false);
    activities:
        primitive_activity makeRound() {
            max_duration: 600;
        }
        communicate callCourier() {
            max_duration: 5;
            with: Courier;
            about: send(current.needsBlood = true);
        }
        primitive_activity waitForBlood() {
            max_duration: 3600;
        }
    workframes:
        workframe wf_quietRound {
            repeat: true;
            priority: 1;
            when(knownval(current.rounds < 6) and
                 knownval(current.needsBlood = false))
            do {
                makeRound();
                conclude((current.rounds = current.rounds + 1));
            }
        }
        workframe wf_emergency {
            repeat: true;
            priority: 1;
            when(knownval(current.rounds < 6) and
                 knownval(current.needsBlood = false))
            do {
                makeRound();
                conclude((current.rounds = current.rounds + 1));
                conclude((current.needsBlood = true));
                callCourier();
            }
        }
        // The detectable sees the courier put the blood down, and the nurse goes on with her rounds.
        workframe wf_waitForBlood {
            repeat: true;
            priority: 1;
            detectables:
                detectable delivered {
                    when(whenever)
                    detect((current.needsBlood = false), dc:100)
                    then abort;
                }
            when(knownval(current.needsBlood = true))
            do {
                waitForBlood();
            }
        }
}
