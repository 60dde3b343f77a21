// A ward at night: one nurse, two beds, one call button.
areadef Bed extends BaseAreaDef { }
area bedA instanceof Bed { }
area bedB instanceof Bed { }
area desk instanceof BaseAreaDef { }
path deskToA { area1: desk; area2: bedA; distance: 20; }
path aToB { area1: bedA; area2: bedB; distance: 10; }

group Patient {
    attributes:
        public boolean thirsty;
        public int glasses;
    initial_beliefs:
        (current.thirsty = false);
        (current.glasses = 0);
    initial_facts:
        (current.thirsty = false);
    activities:
        primitive_activity sleep(int seconds) { max_duration: seconds; }
        communicate ring(Nurse n) {
            max_duration: 1;
            with: n;
            about: send(current.thirsty = current.thirsty);
        }
    workframes:
        workframe wf_sleep {
            repeat: true;
            when(knownval(current.thirsty = false))
            do {
                sleep(3600);
                conclude((current.thirsty = true), bc: 50, fc: 100);
            }
        }
        workframe wf_ring {
            priority: 5;
            variables:
                forone(Nurse) n;
            when(knownval(current.thirsty = true) and known(n.location))
            do { ring(n); }
        }
}
agent Ada memberof Patient { location: bedA; }
agent Ben memberof Patient { location: bedB; }

group Nurse {
    initial_beliefs:
        (Ada.location = bedA);
        (Ben.location = bedB);
    activities:
        move go(Bed b) { location: b; }
        primitive_activity pour() { max_duration: 30; }
    workframes:
        workframe wf_water {
            repeat: true;
            variables:
                forone(Patient) p;
                forone(Bed) b;
            detectables:
                detectable emptied {
                    when(whenever)
                    detect((p.thirsty = false), dc:100)
                    then abort;
                }
            when(knownval(p.thirsty = true) and knownval(p.location = b))
            do {
                go(b);
                pour();
                conclude((p.thirsty = false));
                conclude((p.glasses = p.glasses + 1));
            }
        }
}
agent Nora memberof Nurse { location: desk; }
