// The hours, and a fire that may break out.

class Timepiece {
    attributes:
        public int hour;
    activities:
        primitive_activity letAnHourPass() {
            max_duration: 3600;
        }
        // The clock is nowhere in particular, so everybody hears it.
        broadcast strike() {
            about: send(current.hour);
            when: end;
        }
    workframes:
        workframe wf_strike {
            repeat: true;
            when(knownval(current.hour < 10))
            do {
                letAnHourPass();
                conclude((current.hour = current.hour + 1));
                strike();
            }
        }
}

object Clock instanceof Timepiece {
    initial_beliefs:
        (current.hour = 0);
    initial_facts:
        (current.hour = 0);
}

class Hazard {
    attributes:
        public boolean burning;
    workframes:
        // Once, at nine, heads or tails.
        workframe wf_breakOut {
            repeat: false;
            when(knownval(Clock.hour = 9))
            do {
                conclude((current.burning = true), bc:0, fc:50);
            }
        }
}

object Fire instanceof Hazard {
    initial_facts:
        (current.burning = false);
}
