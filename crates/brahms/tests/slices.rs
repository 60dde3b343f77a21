//! Every kind of influence, one model each: who has it stays, who does not is left out, and nobody notices.

use std::collections::BTreeMap;

use motet_brahms::Brahms;
use motet_model::{Language as _, Model, Options};
use motet_naive::slices::same_course;
use motet_naive::timed_traces::{Traces, compare};
use motet_property::{lower_all, parse};
use motet_source::{Problems, Sources};

/// Traces are followed for so many milliseconds: all work here is over by then.
const UNTIL: u64 = 9_000;
/// No model here has so many moments.
const MOST: usize = 1_500;

/// What the slice for an atom leaves out, and whether it looks to a clock as the whole model does. `None` if nothing is left out.
fn sliced(model: &str, atom: &str, rules: &[(&str, &str)]) -> Option<(Vec<String>, Traces)> {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), model.to_owned());
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let options = Options { rules: rules.iter().map(own).collect(), ..Options::default() };
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, &options, &mut problems);
    let text = format!("possible P: {atom}\n");
    let file = sources.add("claims.props".to_owned(), text.clone());
    let (tree, found) = parse(file, &text, None);
    problems.extend(found);
    let draft = draft.unwrap_or_else(|| panic!("{}\n{model}", problems.lines(&sources)));
    let lowered = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems);
    let whole = draft.system(&lowered.atoms, &mut problems);
    assert!(!problems.has_errors(), "{}\n{model}", problems.lines(&sources));
    let whole = whole.expect("a system without errors is built");
    let slice = draft.slice(&lowered.atoms)?;
    let models: [&dyn Model; 2] = [whole.model.as_ref(), slice.system.model.as_ref()];
    let traces = compare(models[0], models[1], UNTIL, MOST);
    if matches!(traces, Traces::Same(_)) {
        let same = same_course(models[0], models[1], slice.haste, 0);
        same.unwrap_or_else(|lost| panic!("{lost}\n{model}\nwithout {:?}", slice.left_out));
    }
    Some((slice.left_out, traces))
}

/// What is left out for a claim; its atoms change at the same times without it.
#[track_caller]
fn left_out(model: &str, atom: &str) -> Vec<String> {
    left_out_by(model, atom, &[])
}

#[track_caller]
fn left_out_by(model: &str, atom: &str, rules: &[(&str, &str)]) -> Vec<String> {
    match sliced(model, atom, rules) {
        None => Vec::new(),
        Some((left_out, Traces::Same(_))) => left_out,
        Some((left_out, traces)) => panic!("without {left_out:?}: {traces:?}"),
    }
}

/// Somebody who works for a while and then concludes that it is done.
fn worker(name: &str, seconds: u32) -> String {
    format!(
        "agent {name} {{ attributes: public boolean done; initial_facts: (current.done = false);
         initial_beliefs: (current.done = false);
         activities: primitive_activity work() {{ max_duration: {seconds}; }}
         workframes: workframe wf_work {{ repeat: false; do {{ work(); conclude((current.done = true)); }} }} }}\n"
    )
}

#[test]
fn a_message_carries_the_belief_of_another() {
    let tell = "agent Ann { attributes: public int n; initial_beliefs: (current.n = 1);
        activities: primitive_activity work() { max_duration: 2; }
            communicate tell() { with: Ben; about: send(Ann.n); }
        workframes: workframe wf_tell { repeat: false; do { work(); conclude((current.n = 2)); tell(); } } }
        agent Ben { }\n";
    let model = format!("{tell}{}", worker("Cem", 3));
    assert_eq!(left_out(&model, "Bel(Ben, Ann.n = 2)"), ["agent Cem"]);
    assert_eq!(left_out(&model, "Says(Ann, Ben, Ann.n)"), ["agent Cem"]);
    assert_eq!(left_out(&model, "Cem.done = true"), ["agent Ann"]);
}

#[test]
fn one_who_asks_hears_what_the_other_believes_by_then() {
    let model = format!(
        "{}{}agent Dee {{ activities: primitive_activity wait() {{ max_duration: 3; }}
            communicate ask() {{ with: Ann; about: receive(Ann.done); }}
         workframes: workframe wf_ask {{ repeat: false; do {{ wait(); ask(); }} }} }}\n",
        worker("Ann", 2),
        worker("Cem", 1)
    );
    assert_eq!(left_out(&model, "Bel(Dee, Ann.done = true)"), ["agent Cem"]);
}

#[test]
fn who_hears_a_broadcast_depends_on_who_is_there() {
    let areas = "area here instanceof World { } area there instanceof World { } area far instanceof World { }
        path one { area1: here; area2: there; distance: 2; } path two { area1: here; area2: far; distance: 2; }\n";
    let goes = |name: &str, to: &str| {
        format!(
            "agent {name} {{ location: here; activities: move go() {{ location: {to}; }}
             workframes: workframe wf_go {{ repeat: false; do {{ go(); }} }} }}\n"
        )
    };
    let call = "agent Ann { location: there; attributes: public int n; initial_beliefs: (current.n = 1);
        activities: primitive_activity wait() { max_duration: 3; } broadcast call() { about: send(Ann.n); }
        workframes: workframe wf_call { repeat: false; do { wait(); call(); } } }\n";
    let model = format!("{areas}{}{}{call}", goes("Ben", "there"), goes("Cem", "far"));
    assert_eq!(left_out(&model, "Bel(Ben, Ann.n = 1)"), ["agent Cem"]);
    assert_eq!(left_out(&model, "Bel(Cem, Ann.n = 1)"), ["agent Ben"]);
}

/// Ben works until he sees that Ann is done, or only takes note of it.
fn watcher(action: &str) -> String {
    let watches = format!(
        "agent Ben {{ attributes: public boolean ready; initial_beliefs: (current.ready = false);
         activities: primitive_activity work() {{ max_duration: 5; }}
         workframes: workframe wf_watch {{ repeat: false;
            detectables: detectable seen {{ when(whenever) detect((Ann.done = true), dc:100) then {action}; }}
            do {{ work(); conclude((current.ready = true)); }} }} }}\n"
    );
    format!("{}{watches}", worker("Ann", 2))
}

#[test]
fn what_a_detectable_sees_counts_if_it_does_something_about_it() {
    for action in ["abort", "complete", "impasse"] {
        assert!(left_out(&watcher(action), "Bel(Ben, Ben.ready = true)").is_empty(), "{action}");
    }
    assert_eq!(left_out(&watcher("continue"), "Bel(Ben, Ben.ready = true)"), ["agent Ann"]);
    assert!(
        left_out(&watcher("continue"), "Bel(Ben, Ann.done = true)").iter().all(|word| word.contains("ready"))
    );
}

#[test]
fn objects_look_at_facts() {
    let lamp = "object Lamp instanceof Light { }
        class Light { attributes: public boolean lit; initial_facts: (current.lit = false);
            workframes: workframe wf_light { when(knownval(Ann.done = true)) do { conclude((current.lit = true)); } } }\n";
    let model = format!("{lamp}{}{}", worker("Ann", 2), worker("Cem", 1));
    assert_eq!(left_out(&model, "Lamp.lit = true"), ["agent Cem"]);
}

#[test]
fn things_go_where_those_go_who_hold_them() {
    let model = "area here instanceof World { } area there instanceof World { }
        path one { area1: here; area2: there; distance: 2; }
        object Box instanceof Crate { } class Crate { }
        agent Ann { location: here; relations: public Crate contains; initial_facts: (Ann contains Box);
            activities: move go() { location: there; } primitive_activity wait() { max_duration: 1; }
            workframes: workframe wf_go { repeat: false; do { wait(); go(); } } }\n";
    let model = format!("{model}{}", worker("Cem", 1));
    assert_eq!(left_out(&model, "Box.location = there"), ["agent Cem"]);
}

#[test]
fn a_relation_is_read_pair_by_pair() {
    let model = format!(
        "{}{}agent Ben {{ relations: public World likes; attributes: public boolean glad;
            initial_beliefs: (current.glad = false);
            activities: primitive_activity meet() {{ max_duration: 1; }}
            workframes:
                workframe wf_like {{ repeat: false; priority: 1; do {{ meet(); conclude((current likes Ann)); }} }}
            thoughtframes:
                thoughtframe tf_glad {{ when(knownval(current likes Ann)) do {{ conclude((current.glad = true)); }} }}
                thoughtframe tf_sad {{ when(knownval(current likes Cem)) do {{ conclude((Cem.done = false)); }} }} }}\n",
        worker("Ann", 2),
        worker("Cem", 1)
    );
    assert_eq!(
        left_out(&model, "Bel(Ben, Ben.glad = true)"),
        ["agent Ann", "agent Cem", "thoughtframe tf_sad of Ben"]
    );
}

#[test]
fn a_variable_may_stand_for_anybody_in_its_range() {
    let member = |name: &str| {
        worker(name, 2).replace(&format!("agent {name}"), &format!("agent {name} memberof Team"))
    };
    let model = format!(
        "group Team {{ }} {}{}{}agent Boss {{ attributes: public boolean pleased;
            initial_beliefs: (current.pleased = false);
            activities: primitive_activity look() {{ max_duration: 9; }}
            workframes: workframe wf_look {{ repeat: true; variables: forone(Team) one;
                detectables: detectable seen {{ when(whenever) detect((one.done = true), dc:100) then complete; }}
                when(unknown(one.done))
                do {{ look(); conclude((current.pleased = true)); }} }} }}\n",
        member("Ann"),
        member("Ben"),
        worker("Cem", 1)
    );
    let left_out = left_out(&model, "Bel(Boss, Boss.pleased = true)");
    // Completed work waits for any change, so that even Cem has an influence.
    assert!(left_out.is_empty(), "{left_out:?}");
}

/// Two pieces of work of Ann, and somebody on whose doings the first of them depends.
fn rivals(own: u32, other: u32) -> String {
    format!(
        "{}agent Ann {{ attributes: public boolean ready; public boolean tidy;
            initial_beliefs: (current.ready = false); (Ben.done = false);
            activities: primitive_activity work() {{ max_duration: 2; }} primitive_activity tidy() {{ max_duration: 3; }}
                communicate ask() {{ with: Ben; about: receive(Ben.done); }}
            workframes:
                workframe wf_tidy {{ repeat: true; priority: {other}; when(knownval(Ben.done = false))
                    do {{ tidy(); ask(); conclude((current.tidy = true)); }} }}
                workframe wf_work {{ repeat: false; priority: {own}; do {{ work(); conclude((current.ready = true)); }} }} }}\n",
        worker("Ben", 4)
    )
}

#[test]
fn work_that_is_less_urgent_delays_nothing() {
    let ready = "Bel(Ann, Ann.ready = true)";
    assert_eq!(left_out(&rivals(2, 1), ready), ["agent Ben", "workframe wf_tidy of Ann"]);
    assert_eq!(left_out(&rivals(2, 2), ready), ["attribute tidy"]);
    assert_eq!(left_out(&rivals(1, 2), ready), ["attribute tidy"]);
    assert_eq!(left_out(&rivals(1, 2), "Bel(Ann, Ann.tidy = true)"), ["workframe wf_work of Ann"]);
}

#[test]
fn who_is_idle_is_a_matter_of_all_work() {
    assert_eq!(left_out(&rivals(2, 1), "Ann.idle"), ["attribute ready", "attribute tidy"]);
    assert_eq!(
        left_out(&rivals(2, 1), "Ann does wf_work"),
        ["agent Ben", "workframe wf_tidy of Ann", "attribute ready"]
    );
    assert_eq!(left_out(&rivals(2, 1), "Ann does tidy"), ["attribute ready", "attribute tidy"]);
}

#[test]
fn thoughts_that_conclude_nothing_of_interest_are_left_out() {
    let model = "agent Ann { attributes: public int n; public int m;
        initial_beliefs: (current.n = 0); (current.m = 0);
        activities: primitive_activity work() { max_duration: 2; }
        workframes: workframe wf_count { repeat: true; when(knownval(current.n < 3))
            do { work(); conclude((current.n = current.n + 1)); } }
        thoughtframes: thoughtframe tf_double { repeat: true; when(knownval(current.n > 0))
            do { conclude((current.m = current.n * 2)); } } }\n";
    assert_eq!(left_out(model, "Bel(Ann, Ann.n = 3)"), ["thoughtframe tf_double of Ann"]);
    assert!(left_out(model, "Bel(Ann, Ann.m = 6)").is_empty());
}

/// Ann works until she sees that the fire is out, and does not start again before something changes.
fn aborted(guard: &str) -> String {
    format!(
        "{}{}agent Ann {{ attributes: public int n; initial_beliefs: (current.n = 0);
            activities: primitive_activity work() {{ max_duration: 5; }}
            workframes: workframe wf_work {{ repeat: true;
                detectables: detectable out {{ when(whenever) detect((Ben.done = true), dc:100) then abort; }}
                when({guard})
                do {{ conclude((current.n = current.n + 1), fc:0); work(); }} }} }}\n",
        worker("Ben", 2),
        worker("Cem", 4)
    )
}

#[test]
fn work_that_was_aborted_waits_for_any_change() {
    let again = aborted("knownval(current.n < 3)");
    assert!(left_out(&again, "Bel(Ann, Ann.n = 2)").is_empty(), "what Cem does lets Ann start again");
    let never = aborted("knownval(current.n < 3) and not(Ben.done = true)");
    assert!(left_out(&never, "Bel(Ann, Ann.n = 2)").is_empty(), "it is not seen that she cannot");
    let known = aborted("knownval(current.n < 3) and knownval(Ben.done != true)").replace(
        "initial_beliefs: (current.n = 0);",
        "initial_beliefs: (current.n = 0); (Ben.done = false);",
    );
    assert_eq!(left_out(&known, "Bel(Ann, Ann.n = 2)"), ["agent Cem"]);
}

#[test]
fn with_detect_at_start_no_every_change_makes_detectables_look() {
    let model = format!("{}{}", watcher("abort"), worker("Cem", 1));
    assert_eq!(left_out(&model, "Bel(Ben, Ben.ready = true)"), ["agent Cem"]);
    let late = left_out_by(&model, "Bel(Ben, Ben.ready = true)", &[("detect-at-start", "no")]);
    assert!(late.is_empty(), "{late:?}");
}

#[test]
fn a_composite_activity_lasts_as_long_as_the_work_inside() {
    let model = format!(
        "{}agent Ann {{ attributes: public boolean ready; public boolean clean; public int mood;
            initial_beliefs: (current.ready = false); (current.clean = false);
            activities:
                primitive_activity rest() {{ max_duration: 1; }}
                composite_activity clean() {{
                    activities: primitive_activity wipe() {{ max_duration: 3; }}
                    workframes: workframe wf_wipe {{ repeat: false; do {{ wipe(); conclude((current.clean = true)); }} }}
                    thoughtframes: thoughtframe tf_mood {{ when(knownval(current.clean = true)) do {{ conclude((current.mood = 1)); }} }}
                }}
            workframes:
                workframe wf_clean {{ repeat: false; priority: 2; do {{ clean(); conclude((current.ready = true)); }} }}
                workframe wf_rest {{ repeat: false; priority: 1; do {{ rest(); }} }} }}\n",
        worker("Cem", 2)
    );
    let ready = left_out(&model, "Bel(Ann, Ann.ready = true)");
    let rest = ["agent Cem", "thoughtframe tf_mood of Ann", "workframe wf_rest of Ann", "attribute clean"];
    assert_eq!(ready, rest);
    let mood = left_out(&model, "Bel(Ann, Ann.mood = 1)");
    // A thought inside an activity may come again after any change of a belief, so `ready` counts.
    assert_eq!(mood, ["agent Cem", "workframe wf_rest of Ann"]);
}

#[test]
fn how_long_work_takes_may_depend_on_what_is_believed() {
    let model = format!(
        "{}agent Ann {{ attributes: public int pace; public boolean ready;
            initial_beliefs: (current.pace = 2); (current.ready = false);
            activities: primitive_activity work(int long) {{ max_duration: long; }}
            workframes: workframe wf_work {{ repeat: false; do {{ work(current.pace); conclude((current.ready = true)); }} }} }}
         agent Ben {{ initial_beliefs: (Ann.pace = 4);
            activities: communicate urge() {{ with: Ann; about: send(Ann.pace); }}
            workframes: workframe wf_urge {{ repeat: false; do {{ urge(); }} }} }}\n",
        worker("Cem", 1)
    );
    assert_eq!(left_out(&model, "Bel(Ann, Ann.ready = true)"), ["agent Cem"]);
}

#[test]
fn who_creates_and_deletes_has_an_influence_on_everybody() {
    let model = format!(
        "{}class Note {{ attributes: public int page; initial_facts: (current.page = 1); }}
         agent Ann {{
            activities: primitive_activity think() {{ max_duration: 2; }}
                create_object write(Note note) {{ action: new; source: Note; destination: note; }}
            workframes: workframe wf_write {{ repeat: false; variables: forone(Note) note;
                do {{ think(); write(note); }} }} }}\n",
        worker("Cem", 1)
    );
    assert!(left_out(&model, "Cem.done = true").is_empty());
}
