//! Runs, situations and frames in the user's words.

use motet_brahms::Brahms;
use motet_model::{Account, ActionId, Change, Event, Language, Options, State, Steps, System, What};
use motet_source::{Problems, Sources};

const CARE: &str = include_str!("corpus/care.b");
const WARD: &str = include_str!("corpus/ward.b");
const SHIFT: &str = include_str!("corpus/shift.b");

fn system(text: &str) -> System {
    let mut sources = Sources::new();
    sources.add("care.b", text);
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, &Options::default(), &mut problems);
    let system = draft.and_then(|draft| draft.system(&[], &mut problems));
    system.unwrap_or_else(|| panic!("{}", problems.lines(&sources)))
}

/// A run along the first branches: states, and the milliseconds at which each begins.
fn run(system: &System, limit: usize) -> (Vec<Box<State>>, Vec<u64>) {
    let mut states = Vec::new();
    system.model.initial(&mut states);
    let mut times = vec![0];
    let mut steps = Steps::new(system.model.signature().slots.len());
    while states.len() < limit {
        steps.clear();
        system.model.steps(states.last().expect("a start"), &mut steps).expect("no bound is exceeded");
        let Some(step) = steps.get(0) else { break };
        times.push(times.last().expect("a start") + u64::from(step.delay));
        let target = step.branches().next().expect("a branch").target.into();
        states.push(target);
    }
    (states, times)
}

/// The situation at a second.
fn at(system: &System, second: u64) -> Box<State> {
    let (states, times) = run(system, 200);
    let last = times.iter().rposition(|time| *time <= second * 1000).expect("the run starts at 0");
    states[last].clone()
}

fn told(system: &System, event: &Event) -> String {
    let name = |process: motet_model::ProcessId| system.model.signature().processes[process.index()].clone();
    let change = |change: &Change| format!("{} {} → {}", change.subject, change.before, change.after);
    let what = match &event.what {
        What::Begins { name, detail, length, priority, .. } => {
            let mut text = format!("begins {name}");
            for part in [detail.clone(), length.map_or(String::new(), |length| format!("{length} ms"))] {
                text += &if part.is_empty() { part } else { format!(" {part}") };
            }
            text + &priority.as_ref().map_or(String::new(), |priority| format!(" priority {priority}"))
        }
        What::Ends { name, how, .. } => format!("ends {name} {how:?}"),
        What::Resumes { name, .. } => format!("resumes {name}"),
        What::Thinks { name } => format!("thinks {name}"),
        What::Believes(of) => format!("believes {}", change(of)),
        What::Makes(of) => format!("makes {}", change(of)),
        What::Tells { to, content } => format!("tells {}: {content}", name(*to)),
        What::Detects { name, action } => format!("detects {name}: {action}"),
        What::Arrives { from, to } => format!("arrives {from} → {to}"),
        What::Remarks { text } => text.clone(),
    };
    format!("{} {what}", name(event.process))
}

#[test]
fn a_run_is_told_event_by_event() {
    let system = system(CARE);
    let (states, times) = run(&system, 200);
    let mut lines = Vec::new();
    for event in system.words.opening(&states[0]) {
        lines.push(told(&system, &event));
    }
    for (state, time) in states.iter().zip(&times[1..]) {
        for event in system.words.events(state, 0, 0) {
            lines.push(format!("{} {}", time / 1000, told(&system, &event)));
        }
    }
    assert_eq!(
        lines,
        [
            "Care_Worker arrives  → office",
            "Bob arrives  → bobsChair",
            "0 Care_Worker begins wf_otherDuties priority 50",
            "0 Care_Worker begins otherDuties 9000000 ms",
            "0 House begins wf_watch priority 0",
            "0 House begins watch 900000 ms",
            "900 House ends watch Done",
            "900 House believes Bob.missed 0 → 1",
            "900 House ends wf_watch Done",
            "900 House begins wf_watch priority 0",
            "900 House begins watch 900000 ms",
            "1800 House ends watch Done",
            "1800 House believes Bob.missed 1 → 2",
            "1800 House ends wf_watch Done",
            "1800 House begins wf_call priority 1",
            "1800 House begins callCareWorker 1000 ms",
            "1801 House tells Care_Worker: Bob.missed = 2",
            "1801 Care_Worker believes Bob.missed none → 2",
            "1801 House ends callCareWorker Done",
            "1801 House ends wf_call Done",
            "9000 Care_Worker ends otherDuties Done",
            "9000 Care_Worker ends wf_otherDuties Done",
            "9000 Care_Worker begins wf_attendBob priority 20",
            "9000 Care_Worker begins goToBob to bobsChair 1620000 ms",
            "10620 Care_Worker believes Care_Worker.location office → bobsChair",
            "10620 Care_Worker arrives office → bobsChair",
            "10620 Care_Worker ends goToBob Done",
            "10620 Care_Worker skips conclude((current.visits = current.visits + 1)): a value is unknown",
            "10620 Care_Worker ends wf_attendBob Done",
        ]
    );
}

fn account(system: &System, second: u64, frame: &str) -> Account {
    let accounts = system.words.account(&at(system, second), frame);
    assert_eq!(accounts.len(), 1, "one actor has {frame}");
    accounts.into_iter().next().expect("just counted")
}

fn lines(account: &Account) -> Vec<String> {
    let sign = |met: Option<bool>| match met {
        Some(true) => '+',
        Some(false) => '-',
        None => ' ',
    };
    account.lines.iter().map(|line| format!("{} {}", sign(line.met), line.text)).collect()
}

#[test]
fn a_frame_that_cannot_begin_says_which_condition_fails_and_what_it_reads() {
    let system = system(CARE);
    let before = account(&system, 900, "wf_attendBob");
    assert_eq!(before.status, "cannot begin: 1 of 2 conditions hold");
    assert_eq!(
        lines(&before),
        [
            "- knownval(Bob.missed > 1): Bob.missed is unknown",
            "+ knownval(current.location = office): Care_Worker.location is office"
        ]
    );
    assert!(!before.active);
    let call = account(&system, 900, "wf_call");
    assert_eq!(lines(&call), ["- knownval(Bob.missed = 2): Bob.missed is 1"]);
}

#[test]
fn a_frame_that_waits_names_what_it_waits_for_with_both_priorities() {
    let system = system(CARE);
    let waiting = account(&system, 1801, "wf_attendBob");
    assert_eq!(waiting.status, "waits: wf_otherDuties has priority 50.3, wf_attendBob 20");
    assert_eq!(
        lines(&waiting),
        [
            "+ knownval(Bob.missed > 1): Bob.missed is 2",
            "+ knownval(current.location = office): Care_Worker.location is office",
            "- priority 20 against 50.3 of wf_otherDuties, which is being done (in otherDuties, 1 h 59 min 59 s left, \
             care.b:18)",
        ]
    );
}

#[test]
fn a_frame_that_is_done_or_being_done_says_so() {
    let system = system(CARE);
    let busy = account(&system, 1801, "wf_otherDuties");
    assert!(busy.active);
    assert_eq!(busy.status, "is being done: wf_otherDuties: in otherDuties, 1 h 59 min 59 s left");
    let done = account(&system, 20_000, "wf_otherDuties");
    assert_eq!(done.status, "done: its guard holds, but `repeat` does not allow it again");
    assert_eq!(
        lines(&done),
        ["+ knownval(current.onDuty = true): Care_Worker.onDuty is true", "- repeat: begun already"]
    );
    assert!(system.words.account(&at(&system, 0), "wf_nobody").is_empty());
}

#[test]
fn a_frame_with_variables_counts_candidates_and_shows_the_best() {
    let system = system(WARD);
    let accounts = system.words.account(&at(&system, 0), "wf_water");
    assert_eq!(accounts.len(), 1, "Nora is the only nurse");
    assert_eq!(accounts[0].status, "cannot begin: no candidate meets conditions 1 to 1 of 2");
    assert_eq!(
        lines(&accounts[0]),
        [
            "  read with p = Ada, which gets farthest",
            "- knownval(p.thirsty = true): holds for 0 of 2 candidates; Ada.thirsty is unknown",
            "  knownval(p.location = b): not reached by any candidate",
        ]
    );
    let ring = system.words.account(&at(&system, 0), "wf_ring");
    assert_eq!(ring.len(), 2, "Ada and Ben");
}

#[test]
fn a_delay_is_explained_where_it_arises_and_where_it_ends() {
    let system = system(CARE);
    let (states, times) = run(&system, 200);
    let step = |second: u64| times.iter().position(|time| *time == second * 1000).expect("an instant") - 1;
    let actions = vec![ActionId(0); states.len() - 1];
    assert_eq!(
        system.words.why(&states, &actions, step(1801)),
        [
            "at 00:30:01 Care_Worker is inside wf_otherDuties (priority 50, care.b:18) for 1 h 59 min 59 s more; \
          wf_attendBob (priority 20, care.b:23) has to wait for it to end"
        ]
    );
    assert_eq!(
        system.words.why(&states, &actions, step(9000)),
        [
            "wf_attendBob (priority 20, care.b:23) was possible from 00:30:01 on but began at 02:30:00: until then \
          Care_Worker was inside wf_otherDuties (priority 50, care.b:18)"
        ]
    );
    let (short, _) = run(&system, step(1801) + 2);
    let told = system.words.why(&short, &actions[..short.len() - 1], step(1801));
    assert_eq!(told.len(), 1, "a run that ends while something waits: {told:?}");
    let late = system.words.why(&states, &actions, step(10_620));
    assert!(late.iter().any(|line| line.contains("was possible from 00:30:01 on")), "{late:?}");
    assert!(late.iter().any(|line| line.contains("a value is unknown")), "{late:?}");
    assert!(system.words.why(&states, &actions, 10_000).is_empty(), "a step that is not there");
}

#[test]
fn a_situation_shows_work_beliefs_and_facts() {
    let system = system(CARE);
    let snapshot = system.words.snapshot(&at(&system, 1801));
    let names: Vec<&str> = snapshot.minds.iter().map(|mind| mind.name.as_str()).collect();
    assert_eq!(names, ["Care_Worker", "Bob", "House", "world"]);
    let worker = &snapshot.minds[0].sections;
    assert_eq!(worker[0].items, ["wf_otherDuties: in otherDuties, 1 h 59 min 59 s left"]);
    assert!(worker[1].items.contains(&"Bob.missed = 2".to_owned()), "{:?}", worker[1].items);
    assert_eq!(snapshot.minds[1].sections[0].items, ["idle"]);
    assert!(snapshot.minds[3].sections[0].items.contains(&"Bob.location = bobsChair".to_owned()));
}

#[test]
fn a_complete_exploration_names_what_never_happened_and_what_was_skipped() {
    let system = system(CARE);
    run(&system, 200);
    let notices = system.review.missing(&[]);
    let told: Vec<(&str, &str)> =
        notices.iter().map(|notice| (notice.code, notice.message.as_str())).collect();
    assert_eq!(
        told,
        [
            ("M0790", "wf_rest of Care_Worker never begins"),
            ("M0793", "detectable eaten of wf_watch never sees what it looks for"),
            (
                "M0791",
                "conclude((current.visits = current.visits + 1)) is skipped where a value in it is unknown"
            ),
        ]
    );
}

#[test]
fn two_who_write_the_same_at_once_are_named() {
    let text = "agent A { activities: primitive_activity w() { max_duration: 5; } workframes: workframe wf { do { w(); \
        conclude((B.n = 1)); } } }
        agent B { attributes: public int n; activities: primitive_activity w() { max_duration: 5; } workframes: \
        workframe wf { do { w(); conclude((B.n = 2)); } } }";
    let system = system(text);
    run(&system, 20);
    let clashes = system.review.clashes(None);
    let told: Vec<_> =
        clashes.iter().map(|clash| (clash.notice.code, clash.notice.message.as_str())).collect();
    assert_eq!(told, [("M0792", "A and B write B.n at one instant: B last leaves 2, A last may leave 1")]);
    assert_eq!(clashes[0].order.as_deref(), Some("A before B at B.n"));
}

/// What one concludes for itself while it is told otherwise is no clash of two others; what two tell a third is one.
#[test]
fn two_who_tell_a_third_at_once_are_named_and_one_who_tells_what_another_concludes_is_not() {
    let tells = |name: &str, value: u32| {
        format!(
            "agent {name} {{ initial_beliefs: (C.n = {value}); activities: communicate say() {{ max_duration: 5; with: C; about: \
             send(C.n); }} workframes: workframe wf {{ repeat: false; do {{ say(); }} }} }}\n"
        )
    };
    let third = "agent C { attributes: public int n; }\n";
    let both = system(&format!("{}{}{third}", tells("A", 1), tells("B", 2)));
    run(&both, 20);
    let told: Vec<String> = both.review.clashes(None).into_iter().map(|clash| clash.notice.message).collect();
    let line = "A and B write C.n in the beliefs of C at one instant: B last leaves 2, A last may leave 1";
    assert_eq!(told, [line]);
    let own = "agent C { attributes: public int n; activities: primitive_activity w() { max_duration: 5; } workframes: \
               workframe wf { repeat: false; do { w(); conclude((C.n = 3), fc:0); } } }\n";
    let alone = system(&format!("{}{own}", tells("A", 1)));
    run(&alone, 20);
    assert_eq!(alone.review.clashes(None), []);
    assert!(!alone.review.may_clash(), "no slot is spent on it");
}

/// Whoever searches finds it: it comes after 400 states, where nobody looked before.
#[test]
fn two_who_write_at_once_are_found_wherever_a_search_comes() {
    let text = "agent A { activities: primitive_activity w() { max_duration: 4000; } workframes: workframe wf { do { w(); \
        conclude((B.n = 1)); } } }
        agent B { attributes: public int n; activities: primitive_activity w() { max_duration: 4000; } workframes: \
        workframe wf { do { w(); conclude((B.n = 2)); } } }
        agent C { attributes: public int n; initial_beliefs: (current.n = 0); activities: primitive_activity w() { \
        max_duration: 5; } workframes: workframe wf { repeat: true; when(knownval(current.n < 900)) do { w(); \
        conclude((current.n = current.n + 1)); } } }";
    let system = system(text);
    run(&system, 400);
    assert_eq!(system.review.clashes(None).len(), 0, "nothing is told that was not seen");
    run(&system, 1000);
    assert_eq!(system.review.clashes(None).len(), 1);
}

/// `printBelief` shows what is believed and of what; a text is shown as it is.
#[test]
fn a_belief_is_printed_with_its_value() {
    let text = "agent A { attributes: public int n; public boolean known; initial_beliefs: (current.n = 7); \
        initial_facts: (current.n = 8); workframes: workframe wf { repeat: false; do { printBelief(current.n); \
        printBelief(A, \"known\"); printBelief(A); printBelief(\"n is\", current.n); } } }";
    let system = system(text);
    let (states, _) = run(&system, 20);
    let events = states.iter().flat_map(|state| system.words.events(state, 0, 0));
    let printed: Vec<String> =
        events.map(|event| told(&system, &event)).filter(|line| line.contains("prints")).collect();
    assert_eq!(
        printed,
        [
            "A prints A.n = 7",
            "A prints A.known is unknown",
            "A prints A.known is unknown, A.location is unknown, A.n = 7",
            "A prints n is 7",
        ]
    );
}

/// The team as its texts describe it, whether or not it ever happens.
#[test]
fn a_team_is_drawn_with_its_groups_areas_messages_and_what_it_writes() {
    let text = "areadef Room extends BaseAreaDef { } area Hall instanceof Room { }
        group Staff { attributes: public boolean busy; }
        class Tray { attributes: public int cups; } object Tray1 instanceof Tray { }
        agent Ann memberof Staff { location: Hall; activities: communicate call() { max_duration: 5; with: Ben; about: \
        send(Ann.busy); } workframes: workframe wf { when(unknown(Ann.busy)) do { call(); conclude((Tray1.cups = 2)); } } }
        agent Ben memberof Staff { }";
    let system = system(text);
    let team = system.words.team().expect("Brahms teams are drawn");
    let name = |node: usize| team.nodes[node].name.as_str();
    let mut edges: Vec<String> = team
        .edges
        .iter()
        .map(|edge| format!("{} {:?} {} {}", name(edge.from), edge.link, name(edge.to), edge.label))
        .collect();
    edges.sort();
    assert_eq!(
        edges,
        [
            "Ann Belongs Staff ",
            "Ann LiesIn Hall ",
            "Ann Tells Ben Ann.busy",
            "Ann Writes Tray1 cups",
            "Ben Belongs Staff ",
            "Hall Belongs Room ",
            "Tray1 Belongs Tray ",
        ]
    );
    let kinds: Vec<String> = team.nodes.iter().map(|node| format!("{} {:?}", node.name, node.kind)).collect();
    assert!(kinds.contains(&"Hall Area".to_owned()) && kinds.contains(&"Staff Type".to_owned()), "{kinds:?}");
}

/// All reachable states, at most 400 of them, each with what `look` says; the first is the one before anything happened.
fn reachable(system: &System, mut look: impl FnMut(usize, &State)) -> Vec<Box<State>> {
    let mut states = Vec::new();
    system.model.initial(&mut states);
    let mut steps = Steps::new(system.model.signature().slots.len());
    let mut next = 0;
    while next < states.len().min(400) {
        let state = states[next].clone();
        look(next, &state);
        steps.clear();
        system.model.steps(&state, &mut steps).expect("no bound is exceeded");
        for step in steps.iter() {
            for branch in step.branches() {
                if !states.iter().any(|known| **known == *branch.target) {
                    states.push(branch.target.into());
                }
            }
        }
        next += 1;
    }
    states
}

fn frames(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_frame = |word: &&&str| word.starts_with("wf_") || word.starts_with("tf_");
    words.iter().filter(is_frame).copied().collect()
}

/// Accounts are computed apart from the scheduler, so they are compared with it: where nobody has anything to do, no frame
/// is about to begin, and whatever is being done is said to be.
#[test]
fn accounts_agree_with_the_scheduler_in_every_reachable_situation() {
    let mut kinds = std::collections::BTreeSet::new();
    for text in [CARE, WARD, SHIFT] {
        let system = system(text);
        let names = frames(text);
        assert!(names.len() >= 3, "the frames are found");
        let states = reachable(&system, |number, state| {
            let snapshot = system.words.snapshot(state);
            for name in &names {
                for account in system.words.account(state, name) {
                    kinds.insert(account.status.split([':', ' ']).next().unwrap_or_default().to_owned());
                    let doing = &snapshot.minds[account.process.index()].sections[0].items;
                    let first_word = |line: &String| line.trim().split([' ', ':', ',']).next() == Some(name);
                    assert_eq!(account.active, doing.iter().any(first_word), "{account:?} {doing:?}");
                    assert!(number == 0 || !account.status.contains("about to"), "{account:?} {doing:?}");
                    let waits = account.status.starts_with("waits: ");
                    assert!(!waits || doing[0] != "idle", "{account:?}");
                }
            }
        });
        assert!(states.len() > 5, "the model moves");
    }
    for kind in ["is", "cannot", "waits", "interrupted", "at", "done", "not"] {
        assert!(kinds.contains(kind), "{kind} is met among {kinds:?}");
    }
}

/// A store as a situation shows it.
type Shown = std::collections::BTreeMap<String, String>;

fn shown(lines: &[String]) -> Shown {
    let split = |line: &String| {
        let parts = line.split_once(" = ").or_else(|| line.split_once(" is "));
        parts.map_or_else(
            || (line.clone(), "true".to_owned()),
            |(key, value)| (key.to_owned(), value.to_owned()),
        )
    };
    lines.iter().map(split).collect()
}

/// What is told of a step is exactly what changes in it.
#[test]
fn events_of_a_step_lead_from_one_situation_to_the_next() {
    for text in [CARE, WARD, SHIFT] {
        let system = system(text);
        let stores = |state: &State| -> Vec<Shown> {
            let minds = system.words.snapshot(state).minds;
            minds.iter().map(|mind| shown(&mind.sections.last().expect("beliefs or facts").items)).collect()
        };
        let mut changes = 0;
        reachable(&system, |_, state| {
            let mut steps = Steps::new(system.model.signature().slots.len());
            system.model.steps(state, &mut steps).expect("no bound is exceeded");
            let Some(step) = steps.get(0) else { return };
            for (number, branch) in (0..).zip(step.branches()) {
                let mut now = stores(state);
                let world = now.len() - 1;
                for event in system.words.events(state, 0, number) {
                    let lane = event.process.index();
                    let (store, change) = match event.what {
                        What::Believes(change) => (lane, change),
                        What::Makes(change) => (world, change),
                        What::Arrives { from, to } => {
                            let subject = format!("{}.location", system.model.signature().processes[lane]);
                            (world, Change { subject, before: from, after: to })
                        }
                        _ => continue,
                    };
                    changes += 1;
                    let before = now[store].get(&change.subject).map_or("none", String::as_str);
                    assert_eq!(before, change.before, "{}", change.subject);
                    if change.after == "none" {
                        now[store].remove(&change.subject);
                    } else {
                        now[store].insert(change.subject, change.after);
                    }
                }
                assert_eq!(now, stores(branch.target));
            }
        });
        assert!(changes >= 4, "something changes");
    }
}

#[test]
fn frames_of_a_composite_activity_are_considered_while_it_is_open() {
    let system = system(SHIFT);
    let status = |second: u64, frame: &str| account(&system, second, frame).status;
    assert_eq!(status(0, "wf_look"), "not considered: round is not open");
    let (states, times) = run(&system, 200);
    let open = states.iter().zip(&times).find(|(state, _)| {
        system
            .words
            .snapshot(state)
            .minds
            .iter()
            .any(|mind| mind.sections[0].items.iter().any(|line| line.starts_with("  wf_look")))
    });
    let (state, _) = open.expect("the round is made");
    let looking = &system.words.account(state, "wf_look")[0];
    assert!(looking.active, "{looking:?}");
    let writing = &system.words.account(state, "wf_write")[0];
    assert_eq!(writing.status, "waits: wf_look has priority 2.3, wf_write 1");
    let around = &system.words.account(state, "wf_round")[0];
    assert!(around.active && around.status.ends_with("inside round"), "{around:?}");
}

#[test]
fn interruptions_impasses_and_waiting_instances_are_named() {
    let system = system(SHIFT);
    let (states, _) = run(&system, 200);
    let mut statuses: Vec<String> = Vec::new();
    for state in &states {
        for frame in ["wf_beds", "wf_up"] {
            statuses.extend(system.words.account(state, frame).into_iter().map(|account| account.status));
        }
    }
    let met = |text: &str| statuses.iter().any(|status| status.contains(text));
    assert!(met("interrupted by wf_alarm (priority 90.3 against 5.2): wf_beds"), "{statuses:?}");
    assert!(met("at an impasse: goes on when detectable liftStuck no longer holds"), "{statuses:?}");
    let waits: Vec<Option<String>> =
        states.iter().map(|state| system.words.waits(motet_model::ProcessId(4), state)).collect();
    assert!(
        waits.contains(&Some("the end of liftStuck, to go on with wf_up".to_owned())),
        "{waits:?} {:?}",
        system.model.signature().processes
    );
}

#[test]
fn a_wait_of_a_moment_in_a_long_run_is_not_worth_a_line() {
    let text = CARE.replace("max_duration: 9000", "max_duration: 1805");
    let system = system(&text);
    let (states, times) = run(&system, 200);
    let step = times.iter().position(|time| *time == 1_801_000).expect("she is told") - 1;
    let actions = vec![ActionId(0); states.len() - 1];
    assert_eq!(system.words.why(&states, &actions, step), Vec::<String>::new(), "4 of 1624 seconds");
}

#[test]
fn the_cost_of_an_agent_is_told_for_each_millisecond_of_work() {
    let rates = system("agent Ann { cost: 30; time_unit: 60; }\nagent Bob { }\n").words.rates();
    // 30 for each 60 seconds of 1000 milliseconds.
    let told: Vec<(u32, &str, f64)> =
        rates.iter().map(|rate| (rate.process.0, rate.resource.as_str(), rate.per_unit)).collect();
    assert_eq!(told, [(0, "cost", 0.0005)]);
}

#[test]
fn what_is_used_costs_while_an_activity_names_it() {
    let text = "class Thing { } class Tool { resource: true; cost: 6; time_unit: 60; }
        object Drill instanceof Tool { }
        object Poster instanceof Thing { cost: 9; }
        agent Ann { activities: primitive_activity bore() { max_duration: 5; resources: Drill, Poster; }
            primitive_activity sand() { max_duration: 5; resources: Drill; } primitive_activity rest() { max_duration: 5; }
            workframes: workframe wf { do { bore(); rest(); sand(); } } }";
    let rates = system(text).words.rates();
    let used: Vec<_> = rates.iter().filter(|rate| !rate.during.is_empty()).collect();
    // 6 for each minute; the poster is not marked as a resource.
    let [rate] = used[..] else { panic!("{rates:?}") };
    assert_eq!((rate.resource.as_str(), rate.per_unit), ("Drill", 0.0001));
    assert_eq!(rate.during, ["bore", "sand"]);
}
