// The patient drinks a glass every hour, and looks at the jug before he does.

agent Patient {
    location: bedside;
    attributes:
        public int lastHour;
    initial_beliefs:
        (Clock.hour = 0);
        (current.lastHour = 0);
        (Jug.level = 1000);
    workframes:
        workframe wf_drink {
            repeat: true;
            detectables:
                // Whatever the level is, he believes it from now on; the condition only has to be met for the action, and
                // the action is to go on.
                detectable level {
                    when(whenever)
                    detect((Jug.level > 0), dc:100)
                    then continue;
                }
            when(knownval(Clock.hour > current.lastHour) and
                 knownval(Jug.level > 0))
            do {
                conclude((current.lastHour = Clock.hour));
                conclude((Jug.level = Jug.level - 200));
            }
        }
}
