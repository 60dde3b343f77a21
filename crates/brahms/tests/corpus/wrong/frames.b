agent Ann {
    workframe wf_outside { do { } }
    workframes:
        workframe wf_empty { }
        workframe { do { } }
        thoughtframe tf_among_workframes { do { } }
        workframe wf_twice {
            repeat: sometimes;
            priority: 1;
            priority: 2;
            when(knownval(current.a = 1))
            when(knownval(current.b = 1))
            do { }
            do { }
        }
        workframe wf_detects {
            detectable loose { detect((current.a = 1)) then abort; }
            detectables:
                detectable empty { when(whenever) then abort; }
                detectable odd { when(often) detect((current.a = 1)) then abort; }
                detectable certain { detect((current.a = 1), bc:100) then abort; }
            do { }
        }
        move
}
