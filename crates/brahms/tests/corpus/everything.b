/* Every construct of the language once or more.
   A small museum: guards, visitors, sensors, a lift. */
package museum.night;

import museum.base.Clockwork;
import museum.tools.*;
import *;
jimport museum.java.Radio;

areadef Storey extends BaseAreaDef { }
areadef Hall extends Storey, Shown {
    display: "a hall";
    attributes:
        public int visitors;
    initial_facts:
        (current.visitors = 0);
}
area Museum instanceof Building { }
area entrance instanceof Hall partof Museum {
    initial_facts:
        (current.visitors = 12);
}
area gallery instanceof Hall partof Museum { }
area vault instanceof museum.night.Hall partof Museum { }

path stairs {
    display: "the stairs";
    area1: entrance;
    area2: gallery;
    distance: 30;
}
path lift {
    distance: 5;
    area2: vault;
    area1: gallery;
}

group Person {
    display: "somebody";
    icon: "person.gif";
    cost: 12.5;
    time_unit: 3600;
    attributes:
        public boolean awake;
        protected int tiredness { display: "how tired"; };
        private double height;
        symbol mood;
        string called;
        long born;
        public map floors;
        public java(java.util.Map<String, Integer>) memory;
        public relation(Person) colleague;
        Area home;
    relations:
        public Person knows;
        private Sensor reads;
    initial_beliefs:
        (current.awake = true);
        (current.mood = calm);
        (current.called = "nobody \"yet\"");
        (current.height = 1.75);
        (current.floors(1) = entrance);
        (current.floors("top") = gallery);
        (current.tiredness != 5);
        (current.home = unknown);
        (current.born);
        (current knows current);
        (current knows Wanda is false);
        (<Sensor>.broken = false);
    initial_facts:
        (current.tiredness = -1);
        (current knows Wanda is unknown);
}

group Guards memberof Person, museum.base.Staff {
    activities:
        primitive_activity watch() {
            display: "keeps watch";
            priority: 3;
            max_duration: 600;
            min_duration: 60;
            random: true;
            resources: torch, radio;
        }
        move walk(Hall to, int seconds) {
            max_duration: seconds;
            location: to;
            detectArrivalIn: entrance, gallery;
            detectDepartureInSubAreas: Museum;
        }
        communicate report(Person whom, Sensor s) {
            max_duration: 5;
            type: phone;
            with: whom, control;
            about:
                send(s.broken = s.broken),
                send(s.broken),
                send(s.level = unknown),
                send(s.level = ?),
                receive(whom.mood = ?),
                send(current knows whom),
                send(current knows ? is true),
                send(act);
            when: start;
        }
        broadcast callOut() {
            to: Museum;
            toSubAreas: true;
            about: send(alarm.ringing = true);
            when: end;
        }
        get take(Sensor s) {
            items: s;
            source: vault;
        }
        put leave(Sensor s) {
            items: s;
            destination: vault;
            max_duration: 2;
        }
        gesture point(symbol where) { max_duration: 1; }
        create_object newTicket(Ticket t) {
            action: new;
            source: Ticket;
            destination: t;
            destination_name: "ticket";
            location: entrance;
            when: end;
        }
        create_agent hire(Person p) {
            memberof: Guards;
            quantity: 1;
            destination: p;
        }
        create_area build(Area a) {
            instanceof: Hall;
            partof: Museum;
            destination: a;
        }
        java dial(string number) {
            class: "museum.java.Dial";
            max_duration: 1;
        }
        composite_activity round(Hall from) {
            priority: 7;
            end_condition: detectable;
            detectables:
                detectable called {
                    when(whenever)
                    detect((alarm.ringing = true), dc:100)
                    then end_activity;
                }
            activities:
                composite_activity rest() {
                    end_condition: nowork;
                    workframes:
                        workframe wf_sit {
                            do { watch(); }
                        }
                }
            workframes:
                workframe wf_next {
                    repeat: once;
                    when((current.location = from))
                    do {
                        walk(gallery, 20);
                        rest();
                    }
                }
            thoughtframes:
                thoughtframe tf_tired {
                    repeat: true;
                    when(knownval(current.tiredness < 10))
                    do { conclude((current.tiredness = current.tiredness + 1)); }
                }
        }
    workframes:
        workframe wf_patrol {
            display: "on patrol";
            type: dataframe;
            repeat: true;
            priority: 10.5;
            variables:
                forone(Sensor) s;
                foreach(int) i;
                collectall(Person) all { display: "everybody"; };
                forone(string) text;
                forone(map) m;
            detectables:
                detectable seen {
                    when(50)
                    detect((<Sensor>.level > 3), dc:75)
                    then impasse;
                }
                detectable heard {
                    detect((alarm.ringing));
                }
                detectable anything {
                    when(whenever)
                    detect((current knows ?))
                    then continue;
                }
                detectable over {
                    when()
                    detect((s.level = ?), dc: 100)
                    then complete;
                }
            when(known(s.level) and
                 unknown(s.broken) and
                 knownval(current.floors(i) = s.place) and
                 knownval(s reads current is true) and
                 not(s.level >= 3) and
                 (s.broken) and
                 known(current knows) and
                 (all = current) and
                 knownval(gap = (s.level - 2) * 3 / 4 ^ 2 ^ 1 mod 5 div 2) and
                 knownval(-s.level =< - -3) and
                 knownval(s.level => 0) and
                 knownval(current.time != 3.5e2))
            do {
                walk(entrance, -5);
                conclude((s.level = unknown));
                conclude((s.broken = TRUE), fc:0);
                conclude((current.floors(i) = gallery), fc: 25, bc:0);
                conclude((current knows all is false), bc: 12);
                delete s;
                println("it is \"late\"; {round} (again)", 3, true, unknown, current);
                museum.tools.sound(s.level, "x", gallery);
            }
        }
    thoughtframes:
        thoughtframe tf_note {
            repeat: false;
            when()
            do { }
        }
}

agent Wanda memberof Guards {
    location: entrance;
}
external agent control;
external agent police memberof museum.base.Staff;

class Sensor {
    resource: true;
    attributes:
        public int level;
        public boolean broken;
        public Hall place;
    workframes:
        workframe wf_hum {
            type: factframe;
            when(knownval(current.broken = FALSE))
            do { }
        }
}
class Camera extends Sensor { }
object alarm instanceof Sensor partof Museum, entrance {
    initial_facts:
        (current.ringing = false);
}
conceptual_class Ticket extends BaseConceptualClass { }
conceptual_class Pass { }
conceptual_object dayPass instanceof Ticket partof Pass { }
