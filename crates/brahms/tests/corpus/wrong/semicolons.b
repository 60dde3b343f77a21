package p
agent Ann {
    location: hall
    attributes:
        public int a
        public int b;
    initial_beliefs:
        (current.a = 1)
        (current.b = 2);
    activities:
        primitive_activity rest() { max_duration: 5 }
    workframes:
        workframe wf {
            repeat: true
            variables:
                forone(Person) p
            do {
                rest()
                conclude((current.a = 2))
                rest() rest();
                conclude((current.b = 2));
            }
        }
}
