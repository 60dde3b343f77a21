agent Ann {
    display: "never closed;
    activities:
        java call() { class: "here"; }
    workframes:
        workframe wf {
            do { println("open); }
        }
        § ± workframe wf_two { do { say('x'); } }
}
/* the rest is lost
agent Bea { }
