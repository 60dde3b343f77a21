//! What influences what, and what is left out where nothing does (`spec/agentspeak/slices.md`).

mod support;

use std::collections::BTreeMap;

use motet_agentspeak::AgentSpeak;
use motet_model::{AtomId, AtomText, Draft, Haste, Language as _, Options, Slice};
use motet_naive::slices::same_course;
use motet_property::{lower_all, parse};
use motet_source::{Problems, Sources, Spanned};
use support::explore;

/// Ann, Ben and Eve in some environment; each has a program.
struct Team<'t> {
    mode: &'t str,
    environment: &'t str,
    ann: &'t str,
    ben: &'t str,
    eve: &'t str,
    rules: &'t [(&'t str, &'t str)],
}

/// Nobody does anything to anybody: Ann waits for news, Ben and Eve think.
const APART: Team<'_> = Team {
    mode: "strict",
    environment: "percept start",
    ann: "+news <- +glad. +start <- +ready.",
    ben: "+start <- +busy.",
    eve: "+start <- +busy.",
    rules: &[],
};

impl Team<'_> {
    fn draft(&self) -> Box<dyn Draft> {
        let Team { mode, environment, ann, ben, eve, rules } = self;
        let team = format!(
            "team t\nmode {mode}\nagent ann\nagent ben\nagent eve\nenv w {{\n{}\n}}\n",
            environment.replace(" | ", "\n")
        );
        let mut sources = Sources::new();
        sources.add("t.team", team);
        for (name, text) in [("ann.asl", ann), ("ben.asl", ben), ("eve.asl", eve)] {
            sources.add(name, *text);
        }
        let rules = rules.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut problems = Problems::new();
        let draft = AgentSpeak.read(&sources, &Options { rules, ..Options::default() }, &mut problems);
        draft.unwrap_or_else(|| panic!("{}", problems.lines(&sources)))
    }

    /// The slice for a claim that something is possible.
    fn slice(&self, formula: &str) -> Option<Slice> {
        let draft = self.draft();
        draft.slice(&atoms(&*draft, formula))
    }

    /// What is left out; nothing if there is no slice.
    fn left_out(&self, formula: &str) -> Vec<String> {
        let (draft, Some(slice)) = (self.draft(), self.slice(formula)) else { return Vec::new() };
        let whole = draft.system(&atoms(&*draft, formula), &mut Problems::new()).expect("no atom is wrong");
        let same = same_course(&*whole.model, &*slice.system.model, slice.haste, 0);
        same.unwrap_or_else(|lost| panic!("{lost}\nwithout {:?}", slice.left_out));
        slice.left_out
    }
}

fn atoms(draft: &dyn Draft, formula: &str) -> Vec<Spanned<AtomText>> {
    let text = format!("possible P: {formula}\n");
    let mut sources = Sources::new();
    let file = sources.add("claims.props", text.clone());
    let (tree, mut problems) = parse(file, &text, None);
    let lowered = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems);
    assert!(!problems.has_errors(), "{}", problems.lines(&sources));
    lowered.atoms
}

#[test]
fn who_does_nothing_to_others_is_left_out() {
    assert_eq!(APART.left_out("ann believes ready"), ["agent ben", "agent eve"]);
    assert_eq!(APART.left_out("ann believes ready and eve believes busy"), ["agent ben"]);
}

#[test]
fn who_is_left_out_never_moves_and_keeps_its_slot() {
    let draft = APART.draft();
    let explored = |formula: &str| {
        let slice = draft.slice(&atoms(&*draft, formula)).expect("two of three are left out");
        let graph = explore(&slice.system);
        assert!(graph.states.iter().any(|state| slice.system.model.holds(AtomId(0), state)));
        graph.states
    };
    let (ann, ben, eve) =
        (explored("ann believes ready"), explored("ben believes busy"), explored("eve believes busy"));
    // Slots 0 and 1 are the environment and its queue, slot 2 is Ann.
    assert!(ann.iter().all(|state| state[3..] == ann[0][3..]));
    // Nothing ties them to each other, so that the whole team is in every combination of their situations.
    let whole = draft.system(&[], &mut Problems::new()).expect("no atom is wrong");
    let all = explore(&whole).states;
    assert_eq!(all[0].len(), ann[0].len());
    assert_eq!(all.len(), ann.len() * ben.len() * eve.len());
}

#[test]
fn who_writes_to_somebody_that_matters_matters() {
    let ben = "+start <- .send(ann, tell, news).";
    assert_eq!(Team { ben, ..APART }.left_out("ann believes glad"), ["agent eve"]);
    let ben = "+start <- .send([eve, ann], untell, news).";
    assert_eq!(Team { ben, ..APART }.left_out("ann believes glad"), ["agent eve"]);
    let ben = "+start <- .send(eve, tell, news).";
    assert_eq!(Team { ben, ..APART }.left_out("ann believes glad"), ["agent ben", "agent eve"]);
}

#[test]
fn who_writes_to_somebody_who_writes_on_matters() {
    let (ben, eve) = ("+start <- .send(eve, achieve, tell).", "+!tell <- .send(ann, tell, news).");
    assert!(Team { ben, eve, ..APART }.left_out("ann believes glad").is_empty());
    assert_eq!(Team { ben, eve, ..APART }.left_out("eve believes start"), ["agent ann"]);
}

#[test]
fn a_receiver_that_is_a_variable_may_be_anybody() {
    let ben = "friend(eve). +start : friend(X) <- .send(X, tell, news).";
    assert_eq!(Team { ben, ..APART }.left_out("ann believes glad"), ["agent eve"]);
}

#[test]
fn a_broadcast_reaches_everybody() {
    let ben = "+start <- .broadcast(tell, news).";
    assert_eq!(Team { ben, mode: "jason", ..APART }.left_out("ann believes glad"), ["agent eve"]);
    assert_eq!(
        Team { ben, mode: "jason", ..APART }.left_out("ben believes start"),
        ["agent ann", "agent eve"]
    );
}

/// Ben counts, Eve opens a door.
const DOOR: Team<'_> = Team {
    environment: "var n : 0..2 = 0 | var open : bool | var wide : bool | percept to ann: start \
                  | percept to ben: start | percept to eve: start | action add when n < 2 { n := n + 1 } \
                  | action push { open := true }",
    ben: "+start <- add.",
    eve: "+start <- push.",
    ..APART
};

#[test]
fn who_changes_a_variable_that_matters_matters() {
    assert_eq!(DOOR.left_out("n = 1"), ["agent ann", "agent eve"]);
    assert_eq!(DOOR.left_out("open"), ["agent ann", "agent ben"]);
    assert_eq!(DOOR.left_out("wide"), ["agent ann", "agent ben", "agent eve"]);
}

#[test]
fn a_variable_that_a_rule_looks_at_matters() {
    let environment = DOOR.environment.replace("add when n < 2", "add when open");
    assert_eq!(Team { environment: &environment, ..DOOR }.left_out("n = 1"), ["agent ann"]);
    let environment = DOOR.environment.replace("n := n + 1", "if open { n := 1 }");
    assert_eq!(Team { environment: &environment, ..DOOR }.left_out("n = 1"), ["agent ann"]);
}

#[test]
fn a_percept_of_somebody_that_matters_matters() {
    let environment = format!("{} | percept to ann: news when open", DOOR.environment);
    let team = Team { environment: &environment, ..DOOR };
    assert_eq!(team.left_out("ann believes glad"), ["agent ben"]);
    assert_eq!(team.left_out("ben believes start"), ["agent ann", "agent eve"]);
    assert_eq!(team.left_out("news"), ["agent ann", "agent ben"]);
}

#[test]
fn a_rule_that_derives_a_belief_from_a_percept_makes_it_matter() {
    let environment = format!("{} | percept news when open | percept n(n)", DOOR.environment);
    let ann = "glad :- news. +start <- +ready.";
    let team = Team { environment: &environment, ann, mode: "jason", ..DOOR };
    assert_eq!(team.left_out("ann believes glad"), ["agent ben", "percept n"]);
    let ann = "glad :- n(2). +start <- +ready.";
    let team = Team { ann, ..team };
    assert_eq!(team.left_out("ann believes glad"), ["agent eve", "percept news"]);
}

#[test]
fn in_strict_mode_every_percept_is_an_event() {
    let environment = format!("{} | percept n(n)", DOOR.environment);
    let team = Team { environment: &environment, ..DOOR };
    assert_eq!(team.left_out("ann believes ready"), ["agent eve"]);
    let team = Team { mode: "jason", ..team };
    assert_eq!(team.left_out("ann believes ready"), ["agent ben", "agent eve", "percept n"]);
    assert_eq!(team.left_out("ann believes ready and ann believes n(1)"), ["agent eve"]);
}

#[test]
fn in_the_jason_dialect_a_refusal_matters_to_who_asked() {
    let environment = DOOR.environment.replace("add when n < 2", "add when open");
    let team = Team { environment: &environment, mode: "jason", ..DOOR };
    assert_eq!(team.left_out("ben believes start"), ["agent ann", "variable n"]);
}

#[test]
fn everybody_acts_in_one_queue() {
    assert_eq!(DOOR.left_out("eve does push"), ["agent ann", "variable open"]);
    assert_eq!(DOOR.left_out("Did(eve, push)"), ["agent ann", "variable open"]);
}

#[test]
fn cells_of_a_variable_matter_one_by_one() {
    let environment = "var at[agent] : 0..2 | percept to me: at(at[me]) | percept start | action go(x) by me { at[me] := x }";
    let (ben, eve) = ("+start <- go(1).", "+start <- go(2).");
    let team = Team { environment, ben, eve, ..APART };
    assert_eq!(team.left_out("at[ben] = 1"), ["agent ann", "agent eve"]);
    assert_eq!(team.left_out("ben believes at(1)"), ["agent ann", "agent eve"]);
    assert_eq!(team.left_out("at(1)"), ["agent ann"]);
    let environment = "var at[agent] : 0..2 | percept start | action go(x) by me { at := x }";
    assert_eq!(Team { environment, ..team }.left_out("at[ben] = 1"), ["agent ann"]);
}

#[test]
fn a_step_that_changes_nothing_of_interest_is_left_out() {
    let environment = "var n : 0..2 | var m : 0..2 | percept start | step tick when m == 0 { n := (n + 1) % 3 } \
                       | step tock { m := 1 }";
    let team = Team { environment, ..APART };
    assert_eq!(team.left_out("m = 1"), ["agent ann", "agent ben", "agent eve", "step tick"]);
    assert_eq!(team.left_out("n = 1"), ["agent ann", "agent ben", "agent eve"]);
    assert_eq!(team.left_out("eve believes busy"), ["agent ann", "agent ben", "step tick", "step tock"]);
}

#[test]
fn a_reaction_carries_influence_on() {
    let environment = format!("{} | react when open and n == 0 {{ wide := true }}", DOOR.environment);
    assert_eq!(Team { environment: &environment, ..DOOR }.left_out("wide"), ["agent ann"]);
}

/// The reaction holds from the start, but only comes after an action or a step, whoever takes it.
#[test]
fn a_reaction_that_is_due_at_the_start_waits_for_anybody() {
    let environment = format!("{} | react when not wide {{ wide := true }}", DOOR.environment);
    let team = Team { environment: &environment, ..DOOR };
    assert_eq!(team.left_out("wide"), ["agent ann", "variable open"]);
}

#[test]
fn a_team_that_only_carries_less_moves_step_by_step() {
    let environment =
        "var n : 0..2 | var open : bool | percept start | action add { n := (n + 1) % 3; open := true }";
    let (ann, ben, eve) = ("+start <- add.", "+start <- add.", "+start <- add.");
    let team = Team { environment, ann, ben, eve, ..APART };
    let slice = team.slice("open").expect("n is left out");
    assert_eq!((slice.left_out, slice.haste), (vec!["variable n".to_owned()], Haste::Stepwise));
    assert_eq!(DOOR.slice("open").map(|slice| slice.haste), Some(Haste::Delayed));
}

#[test]
fn where_chance_decides_who_moves_nothing_is_left_out() {
    let team = Team { rules: &[("ties", "random")], ..APART };
    assert!(team.slice("ann believes ready").is_none());
}
