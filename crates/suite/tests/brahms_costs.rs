//! What work and what it uses costs in a run of a Brahms model, to the second.

use motet_source::Sources;
use motet_workbench::{Length, Proceed, Project, Series, load, simulate};

/// Ann bores 30 s, is called away for 10 s in the middle, rests 20 s and sands 30 s. Ben only rests.
const WORKSHOP: &str = "
class Thing { }
class Tool {
    resource: true;
}
object Drill instanceof Tool {
    cost: 60;
    time_unit: 60;
}
object Bench instanceof Thing {
    cost: 60;
    time_unit: 60;
}
agent Ann {
    cost: 2;
    attributes:
        public boolean called;
    initial_beliefs:
        (current.called = false);
    activities:
        primitive_activity bore() { max_duration: 30; resources: Drill, Bench; }
        primitive_activity rest() { max_duration: 20; }
        primitive_activity sand() { max_duration: 30; resources: Drill; }
        primitive_activity answer() { max_duration: 10; }
    workframes:
        workframe wf_work {
            priority: 1;
            do { bore(); rest(); sand(); }
        }
        workframe wf_answer {
            priority: 9;
            when(knownval(current.called = true))
            do { answer(); }
        }
}
agent Ben {
    attributes:
        public boolean rang;
    activities:
        communicate call() {
            max_duration: 15;
            with: Ann;
            about: send(Ann.called);
        }
    initial_beliefs:
        (Ann.called = true);
    workframes:
        workframe wf_call {
            do { call(); }
        }
}
";

#[test]
fn a_resource_costs_while_it_is_used_and_not_while_the_work_is_put_aside() {
    let mut sources = Sources::new();
    sources.add("workshop.b", WORKSHOP);
    let loaded = load(Project { path: "workshop".to_owned(), sources, ..Project::default() });
    let ready = loaded.ready.as_ref().expect("the model has no errors");
    let series = Series { runs: 1, length: Length { steps: 100, time: None }, seed: 1 };
    let counted = simulate(ready, &loaded.sources, series, None, &mut |_| Proceed::Go);
    let told: Vec<String> = counted
        .costs
        .iter()
        .map(|cost| format!("{} {} {:.2}", cost.lane, cost.resource, cost.mean))
        .collect();
    // 90 s of work at 2 a second; 60 s with the drill at 1 a second; the bench is no resource. Things do no work.
    assert_eq!(told, ["Drill cost 0.00", "Bench cost 0.00", "Ann cost 180.00", "Ann Drill 60.00"]);
}
