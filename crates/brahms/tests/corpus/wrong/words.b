agnet Ann { }
agent Bea {
    atributes:
        public int a;
    location: hall;
    activites:
        primitive_activty rest() { max_duration: 5; }
    activities:
        primitve_activity rest() { max_duration: 5; }
    workframes:
        workframe wf {
            prioritty: 3;
            variables:
                forall(Person) p;
            when(knowval(current.a = 1))
            do { }
        }
}
path p { area1: a; area3: b; }
agent Cem extends Person { }
class Cup memberof Thing { }
area hall extends Building { }
