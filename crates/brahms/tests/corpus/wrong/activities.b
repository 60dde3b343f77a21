agent Ann {
    activities:
        primitive_activity noParentheses { max_duration: 5; }
        primitive_activity after(int) { max_duration: 5; }
        communicate tell() {
            with: Bea
            about: sned(current.a = 1);
            when: end;
        }
        move go() { location: ; max_duration: +; random true; }
    attributes:
        public int;
        public int a b;
        private relation(Person;
    initial_beliefs:
        current.a = 1;
        (current.a = );
        (current knows Bea is maybe);
    initial_facts:
        (x.m(1, 2) = 3);
}
