//! A house in which a fire may break out, and Bob, who cooks and hears the alarm but does not see the fire. Enough of a
//! system for claims about other runs and about knowledge.

use motet_evidence::{Branch, Evidence, Run, Shown, rebuild};
use motet_model::{
    ActionId, AtomId, AtomText, Expr, Fault, Mind, Model, ObserverId, Operator, ProcessId, Section,
    Signature, SlotId, Snapshot, State, Steps, Story, Weight, Words,
};
use motet_property::{Formula, Interval, Knowledge, Path, Quantifier};
use motet_render::{Tale, Telling, tale};
use motet_source::{FileId, Sources, Span, Spanned};

pub(crate) const FIRE: AtomId = AtomId(0);
pub(crate) const GONE: AtomId = AtomId(1);

/// The ordinal of the step that breaks out a fire or rings the alarm, where Bob has one too.
pub(crate) const HOUSE: u32 = 0;

/// Slots: whether it burns, whether the alarm rings, and what Bob does: 0 rests, 1 cooks, 2 is gone.
pub(crate) struct Fire(Signature);

impl Fire {
    pub(crate) fn new() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect::<Vec<String>>();
        Self(Signature {
            slots: names(&["fire", "alarm", "bob"]),
            processes: names(&["House", "Bob"]),
            atoms: names(&["House.fire = true", "gone(Bob)"]),
            observers: names(&["House", "Bob"]),
            ..Signature::default()
        })
    }
}

impl Model for Fire {
    fn signature(&self) -> &Signature {
        &self.0
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(Box::new([0, 0, 0]));
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let [fire, alarm, bob] = state[..] else { unreachable!("there are three slots") };
        if fire == 0 {
            out.push(ProcessId(0), ActionId(0), 0, &[1, alarm, bob]);
        } else if alarm == 0 {
            out.push(ProcessId(0), ActionId(1), 0, &[fire, 1, bob]);
        }
        if bob == 0 {
            out.push(ProcessId(1), ActionId(2), 0, &[fire, alarm, 1]);
        } else if bob == 1 && alarm == 1 {
            out.push(ProcessId(1), ActionId(3), 0, &[fire, alarm, 2]);
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        if atom == FIRE { state[0] == 1 } else { state[2] == 2 }
    }
}

impl Words for Fire {
    fn value(&self, _: SlotId, value: u32) -> String {
        value.to_string()
    }

    fn action(&self, action: ActionId) -> String {
        self.story(action).text
    }

    fn story(&self, action: ActionId) -> Story {
        let story = |process: u32, text: &str, to: Option<(ProcessId, String)>, weight| Story {
            process: ProcessId(process),
            text: text.to_string(),
            to,
            weight,
        };
        match action.0 {
            0 => story(0, "a fire breaks out", None, Weight::Notable),
            1 => story(0, "alarm", Some((ProcessId(1), "rings".to_string())), Weight::Notable),
            2 => story(1, "cooks", None, Weight::Notable),
            _ => story(1, "leaves", None, Weight::Notable),
        }
    }

    fn origin(&self, _: ActionId) -> Option<Span> {
        None
    }

    fn snapshot(&self, state: &State) -> Snapshot {
        let mind = |name: &str, title: &str, items: Vec<String>| Mind {
            name: name.to_string(),
            sections: vec![Section { title: title.to_string(), items }],
        };
        let fire = if state[0] == 1 { "fire = true" } else { "fire = false" };
        let bob = ["resting", "cooking", "gone"][state[2] as usize];
        let heard = if state[1] == 1 { "alarm = on" } else { "alarm = off" };
        Snapshot {
            minds: vec![
                mind("House", "facts", vec![fire.to_string()]),
                mind("Bob", "beliefs", vec![bob.to_string(), heard.to_string()]),
            ],
        }
    }

    fn why(&self, _: &[Box<State>], _: &[ActionId], _: usize) -> Vec<String> {
        Vec::new()
    }
}

/// The atoms as claims write them.
pub(crate) fn names() -> Vec<Spanned<AtomText>> {
    let name = |name: &str| Expr::Call(name.to_string(), Vec::new());
    let field = Expr::Field(Box::new(name("House")), "fire".to_string());
    let fire = Expr::Binary(Operator::Eq, Box::new(field), Box::new(name("true")));
    let gone = Expr::Call("gone".to_string(), vec![name("Bob")]);
    let at = Span::new(FileId(0), 0, 0);
    [fire, gone].map(|fact| Spanned { node: AtomText::Fact(fact), span: at }).to_vec()
}

pub(crate) fn run(ordinals: &[u32]) -> Run {
    let ordinals: Vec<(u32, u32)> = ordinals.iter().map(|&ordinal| (ordinal, 0)).collect();
    rebuild(&Fire::new(), 0, &ordinals).expect("the house has these steps")
}

/// The part of a run from a state on.
pub(crate) fn rest(mut run: Run, from: usize) -> Run {
    run.states.drain(..from);
    run.steps.drain(..from);
    run
}

pub(crate) fn eventually(atom: AtomId) -> Path<AtomId> {
    Path::Eventually(Interval::default(), Box::new(Path::Now(Formula::Atom(atom))))
}

pub(crate) fn runs(quantifier: Quantifier, path: Path<AtomId>) -> Formula<AtomId> {
    Formula::Runs(quantifier, Box::new(path))
}

pub(crate) fn knows(knowledge: Knowledge, group: &[&str], inner: Formula<AtomId>) -> Formula<AtomId> {
    Formula::Knows(knowledge, group.iter().map(|name| (*name).to_string()).collect(), Box::new(inner))
}

pub(crate) fn search(at: usize, formula: Formula<AtomId>, truth: bool) -> Branch {
    Branch { at, formula, truth, shown: Shown::Search }
}

pub(crate) fn onward(at: usize, formula: Formula<AtomId>, truth: bool, evidence: Evidence) -> Branch {
    Branch { at, formula, truth, shown: Shown::Onward(Box::new(evidence)) }
}

pub(crate) fn elsewhere(at: usize, formula: Formula<AtomId>, agents: &[u32], evidence: Evidence) -> Branch {
    let agents = agents.iter().map(|&agent| ObserverId(agent)).collect();
    Branch { at, formula, truth: false, shown: Shown::Elsewhere(agents, Box::new(evidence)) }
}

/// A fire breaks out, then Bob cooks and does not know of it: for all he knows, he just cooks.
pub(crate) fn ignorance() -> Evidence {
    let mut evidence = Evidence::finite(run(&[HOUSE, 1]));
    let knows_fire = knows(Knowledge::One, &["Bob"], Formula::Atom(FIRE));
    evidence.branches.push(elsewhere(2, knows_fire, &[1], Evidence::finite(run(&[1]))));
    evidence
}

/// The tree of everything: a run that goes on and has a branch itself, a chain of common knowledge, and searches.
pub(crate) fn grove() -> Evidence {
    let common = || knows(Knowledge::Common, &["Bob", "House"], Formula::Atom(FIRE));
    let mut evidence = Evidence::finite(run(&[HOUSE, 1]));
    let mut leaves = Evidence::finite(rest(run(&[HOUSE, 1, HOUSE, 0]), 2));
    leaves.branches.push(search(2, runs(Quantifier::All, eventually(GONE)), true));
    let mut link = Evidence::finite(run(&[1, HOUSE]));
    link.branches.push(elsewhere(2, common(), &[1], Evidence::finite(run(&[1]))));
    evidence.branches = vec![
        onward(2, runs(Quantifier::Some, eventually(GONE)), true, leaves),
        elsewhere(2, common(), &[0], link),
        search(0, runs(Quantifier::Some, eventually(FIRE)), true),
        search(1, runs(Quantifier::Some, eventually(FIRE)), true),
        search(2, runs(Quantifier::Some, eventually(FIRE)), true),
        search(2, runs(Quantifier::Some, Path::Next(Box::new(Path::Now(Formula::Deadlock)))), false),
    ];
    evidence
}

/// A tree in words.
pub(crate) fn told(evidence: &Evidence) -> Tale {
    let fire = Fire::new();
    let sources = Sources::new();
    let atoms = [FIRE, GONE];
    let telling = Telling { model: &fire, words: &fire, sources: &sources, atoms: &atoms, names: &names() };
    let mut tale = tale(evidence, &fire, &fire, &sources, &atoms);
    tale.branches = telling.branches(evidence);
    tale
}
