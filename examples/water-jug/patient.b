// The patient drinks a glass every hour and keeps count of the jug in his head.

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
            when(knownval(Clock.hour > current.lastHour) and
                 knownval(Jug.level > 0))
            do {
                conclude((current.lastHour = Clock.hour));
                conclude((Jug.level = Jug.level - 200));
            }
        }
}
