agent Ann {
    workframes:
        workframe wf_open {
            repeat: true;
            do {
                conclude((current.a = 1));
        }
        workframe wf_fine {
            do { conclude((current.b = 1)); }
        }
}
agent Bea {
    activities:
        primitive_activity rest() { max_duration: 5;
        primitive_activity work() { max_duration: 5; }
agent Cem {
}
}
agent Dan {
