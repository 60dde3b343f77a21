//! Which steps of a team need not be taken in every order. Each condition of an ample part has a team that breaks the contract
//! without it: whoever takes part in a step, now or later, belongs to the part.

mod support;

use motet_model::{AtomId, AtomText};
use motet_naive::ample::{Kept, kept};
use support::{believes, load_with};

/// Ann and Ben in some environment.
struct Pair {
    mode: &'static str,
    environment: &'static str,
    ann: &'static str,
    ben: &'static str,
}

impl Pair {
    /// Holds the parts of the team against their contract, for a claim that sees these atoms.
    #[track_caller]
    fn parts(&self, atoms: &[AtomText]) -> Kept {
        let team =
            format!("team t\nmode {}\nagent ann\nagent ben\nenv w {{\n{}\n}}\n", self.mode, self.environment);
        let files = [("t.team", &team[..]), ("ann.asl", self.ann), ("ben.asl", self.ben)];
        let system = load_with(&files, atoms, &[]);
        let visible: Vec<AtomId> = (0..).map(AtomId).take(atoms.len()).collect();
        let kept = kept(&*system.model, &visible, (3_000, 300)).expect("teams know who minds whom");
        kept.unwrap_or_else(|message| panic!("{message}"))
    }
}

/// Each thinks for itself.
const APART: Pair = Pair {
    mode: "strict",
    environment: "percept start",
    ann: "+start <- +glad; +ready.",
    ben: "+start <- +glad; +ready.",
};

#[test]
fn those_who_have_nothing_to_do_with_each_other_take_turns_in_any_order() {
    let Kept { parts, pairs } = APART.parts(&[]);
    assert!(parts > 20 && pairs > 200, "{parts} parts, {pairs} pairs");
}

#[test]
fn a_part_changes_nothing_that_a_claim_sees() {
    let kept = APART.parts(&[believes("ann", "glad", &[])]);
    assert!(kept.parts > 20, "Ben's steps are parts");
    let both = APART.parts(&[believes("ann", "glad", &[]), believes("ben", "ready", &[])]);
    assert!(both.parts < kept.parts, "where both are about to believe it, no step is a part");
}

#[test]
fn whoever_writes_to_an_agent_comes_before_and_after_it_looks_at_its_mail() {
    let team = Pair { ann: "+hello <- +glad.", ben: "+start <- .send(ann, tell, hello); +ready.", ..APART };
    assert!(team.parts(&[]).parts > 0, "Ben thinks alone before and after");
}

#[test]
fn messages_come_in_the_order_in_which_they_were_sent() {
    let team = Pair {
        ann: "+start <- .send(ben, tell, one).",
        ben: "+start <- .send(ben, tell, two). +one <- +first. +two <- +second.",
        ..APART
    };
    team.parts(&[]);
}

#[test]
fn actions_are_executed_in_the_order_in_which_they_were_asked_for() {
    let team = Pair {
        environment: "var n : 0..3 = 0\npercept start\naction put(k) { n := k }",
        ann: "+start <- put(1); +glad.",
        ben: "+start <- put(2).",
        ..APART
    };
    assert!(team.parts(&[]).parts > 0, "beliefs come and go alone");
}

#[test]
fn what_is_perceived_may_change_before_and_after_it_is_looked_at() {
    let team = Pair {
        environment: "var open : bool = false\npercept start\npercept to ann: open when open\nstep breeze { open := not open }",
        ann: "+open <- +glad.",
        ..APART
    };
    assert!(team.parts(&[]).parts > 0, "Ben sees nothing of the door");
}

#[test]
fn what_a_reaction_changes_is_perceived_too() {
    let team = Pair {
        environment: "var asked : bool = false\nvar open : bool = false\npercept start\npercept to ann: open when open\n\
                      action ask { asked := true }\nreact when asked and not open { open := true }",
        ann: "+open <- +glad.",
        ben: "+start <- ask.",
        ..APART
    };
    team.parts(&[]);
}

#[test]
fn the_answer_to_an_action_may_come_before_and_after_the_next_thought() {
    let team = Pair {
        mode: "jason",
        environment: "var n : 0..3 = 0\npercept start\naction put(k) { n := k }",
        ann: "!a. !b. +!a <- put(1); +glad. +!b <- +one; +two; +three.",
        ben: "!c. +!c <- +ready.",
    };
    assert!(team.parts(&[]).parts > 0, "Ben thinks alone");
}

#[test]
fn a_wait_is_over_before_and_after_the_next_thought_of_who_waits() {
    let team = Pair {
        mode: "jason",
        environment: "percept start",
        ann: "!a. !b. +!a <- .wait(10); +glad. +!b <- +one; +two; +three.",
        ben: "!c. +!c <- .wait(10); +ready.",
    };
    let Kept { parts, pairs } = team.parts(&[]);
    assert!(parts > 20 && pairs > 100, "{parts} parts, {pairs} pairs: the other one's waits do not matter");
    team.parts(&[believes("ann", "glad", &[])]);
}
