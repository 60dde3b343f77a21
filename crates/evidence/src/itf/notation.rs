//! Formulas as text that reads back as the same formula: lists in parentheses, operators first, names in quotes.
//!
//! `(E (F (now (K ['Bob'] 'House.fire = true'))))`. Atoms stand as the texts of the signature, because their numbers depend
//! on the other claims. What is said of a run is told apart from what is said of a state by `now`, so that equal texts are
//! equal formulas.

mod read;

use motet_model::AtomId;
use motet_property::{
    Bound, Extremum, Formula, Interval, Knowledge, Past, Path, Quantifier, Query, Relation, RewardGoal,
    Timer, Unit, Until,
};

pub(super) use read::read;

/// The formula as text, over the texts of its atoms.
pub(super) fn write(formula: &Formula<AtomId>, atoms: &[String]) -> String {
    let mut pen = Pen { atoms, out: String::new() };
    pen.formula(formula);
    pen.out
}

struct Pen<'a> {
    atoms: &'a [String],
    out: String,
}

impl Pen<'_> {
    fn word(&mut self, word: &str) {
        if !self.out.is_empty() && !self.out.ends_with(['(', '[']) {
            self.out.push(' ');
        }
        self.out.push_str(word);
    }

    /// A name of the user's.
    fn quoted(&mut self, name: &str) {
        self.word(&format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'")));
    }

    fn group(&mut self, names: &[String]) {
        self.word("[");
        names.iter().for_each(|name| self.quoted(name));
        self.out.push(']');
    }

    fn formulas(&mut self, operator: &str, parts: &[&Formula<AtomId>]) {
        self.word(&format!("({operator}"));
        parts.iter().for_each(|part| self.formula(part));
        self.out.push(')');
    }

    fn formula(&mut self, formula: &Formula<AtomId>) {
        match formula {
            Formula::True => self.word("true"),
            Formula::False => self.word("false"),
            Formula::Deadlock => self.word("deadlock"),
            Formula::Atom(atom) => {
                let text = self.atoms.get(atom.index()).cloned().unwrap_or_default();
                self.quoted(&text);
            }
            Formula::Not(a) => self.formulas("not", &[a]),
            Formula::And(a, b) => self.formulas("and", &[a, b]),
            Formula::Or(a, b) => self.formulas("or", &[a, b]),
            Formula::Implies(a, b) => self.formulas("implies", &[a, b]),
            Formula::Iff(a, b) => self.formulas("iff", &[a, b]),
            Formula::Runs(Quantifier::All, path) => self.paths("A", None, &[path]),
            Formula::Runs(Quantifier::Some, path) => self.paths("E", None, &[path]),
            Formula::Knows(knowledge, group, inner) => {
                self.word(&format!("({}", knowledge_word(*knowledge)));
                self.group(group);
                self.formula(inner);
                self.out.push(')');
            }
            Formula::Filter(filter, value, states) => {
                self.formulas(&format!("filter {}", filter.word()), &[value, states]);
            }
            Formula::Past(past) => match &**past {
                Past::Once(a) => self.formulas("once", &[a]),
                Past::Historically(a) => self.formulas("historically", &[a]),
                Past::Previously(a) => self.formulas("previously", &[a]),
                Past::Since(a, b) => self.formulas("since", &[a, b]),
            },
            Formula::Timer(timer, relation, bound) => self.timer(timer, *relation, bound),
            Formula::Wait(extremum, from, to) => {
                let parts: Vec<&Formula<AtomId>> = from.iter().map(|from| &**from).chain([&**to]).collect();
                let word = if from.is_some() { "wait-from" } else { "wait" };
                self.formulas(&format!("{word} {}", extremum_word(Some(*extremum))), &parts);
            }
            Formula::Chance(extremum, query, path) => {
                self.paths(&format!("P {} {}", extremum_word(*extremum), query_word(query)), None, &[path]);
            }
            Formula::Steady(extremum, query, inner) => {
                self.formulas(&format!("S {} {}", extremum_word(*extremum), query_word(query)), &[inner]);
            }
            Formula::Reward(name, extremum, query, goal) => self.reward(name, *extremum, query, goal),
        }
    }

    fn timer(&mut self, timer: &Timer<AtomId>, relation: Relation, bound: &Bound) {
        let rest = format!("{} {}", relation_word(relation), bound_word(Some(bound)));
        match timer {
            Timer::Now => self.word(&format!("(clock {rest})")),
            Timer::Since(inner) => self.formulas(&format!("last {rest}"), &[inner]),
            Timer::Held(inner) => self.formulas(&format!("held {rest}"), &[inner]),
        }
    }

    fn reward(
        &mut self,
        name: &Option<String>,
        extremum: Option<Extremum>,
        query: &Query,
        goal: &RewardGoal<AtomId>,
    ) {
        self.word("(R");
        self.group(name.as_slice());
        self.word(&format!("{} {}", extremum_word(extremum), query_word(query)));
        match goal {
            RewardGoal::Until(path) => {
                self.word("until");
                self.path(path);
            }
            RewardGoal::Cumulative(end) => self.word(&format!("total {}", bound_word(end.as_ref()))),
            RewardGoal::Instant(at) => self.word(&format!("instant {}", bound_word(Some(at)))),
            RewardGoal::Average => self.word("average"),
        }
        self.out.push(')');
    }

    fn paths(&mut self, operator: &str, when: Option<&Interval>, parts: &[&Path<AtomId>]) {
        self.word(&format!("({operator}"));
        if let Some(when) = when.filter(|when| !when.is_unbounded()) {
            self.word(&format!("{} {}", bound_word(when.low.as_ref()), bound_word(when.high.as_ref())));
        }
        parts.iter().for_each(|part| self.path(part));
        self.out.push(')');
    }

    fn path(&mut self, path: &Path<AtomId>) {
        match path {
            Path::Now(formula) => self.formulas("now", &[formula]),
            Path::Not(a) => self.paths("not", None, &[a]),
            Path::And(a, b) => self.paths("and", None, &[a, b]),
            Path::Or(a, b) => self.paths("or", None, &[a, b]),
            Path::Implies(a, b) => self.paths("implies", None, &[a, b]),
            Path::Iff(a, b) => self.paths("iff", None, &[a, b]),
            Path::Next(a) => self.paths("X", None, &[a]),
            Path::Eventually(when, a) => self.paths("F", Some(when), &[a]),
            Path::Always(when, a) => self.paths("G", Some(when), &[a]),
            Path::Until(until, when, a, b) => self.paths(letter(*until), Some(when), &[a, b]),
            // An automaton stands alone in a claim, never inside a formula about other runs.
            Path::Accepted(_) => self.word("automaton"),
        }
    }
}

/// The letter of an operator in a file, where `V` is what claims call `R`.
fn letter(until: Until) -> &'static str {
    if until == Until::Release { "V" } else { until.symbol() }
}

fn knowledge_word(knowledge: Knowledge) -> &'static str {
    match knowledge {
        Knowledge::One => "K",
        Knowledge::Everyone => "EK",
        Knowledge::Common => "CK",
        Knowledge::Distributed => "DK",
    }
}

fn extremum_word(extremum: Option<Extremum>) -> &'static str {
    match extremum {
        None => "-",
        Some(Extremum::Min) => "min",
        Some(Extremum::Max) => "max",
    }
}

fn relation_word(relation: Relation) -> &'static str {
    match relation {
        Relation::Eq => "=",
        Relation::Ne => "!=",
        Relation::Lt => "<",
        Relation::Le => "<=",
        Relation::Gt => ">",
        Relation::Ge => ">=",
    }
}

fn query_word(query: &Query) -> String {
    match query {
        Query::Value => "?".to_owned(),
        Query::Compare(relation, number) => format!("{} '{number}'", relation_word(*relation)),
    }
}

/// `-`, `5:steps`, `5:steps:strict`.
fn bound_word(bound: Option<&Bound>) -> String {
    let Some(bound) = bound else { return "-".to_owned() };
    let unit = match bound.unit {
        None => "",
        Some(Unit::Clock) => "clock",
        Some(Unit::Steps) => "steps",
        Some(Unit::Cycles) => "cycles",
        Some(Unit::Firings) => "firings",
    };
    format!("{}:{unit}{}", bound.amount, if bound.strict { ":strict" } else { "" })
}

#[cfg(test)]
mod tests {
    use motet_property::Filter;

    use super::*;

    fn names() -> Vec<String> {
        ["p", "Bel(Bob, x = 'it\\'s')", "(", "p q"].map(str::to_owned).to_vec()
    }

    fn atom(number: u32) -> Box<Formula<AtomId>> {
        Box::new(Formula::Atom(AtomId(number)))
    }

    fn bound(amount: u64, unit: Option<Unit>, strict: bool) -> Bound {
        Bound { amount, unit, strict }
    }

    fn now(number: u32) -> Box<Path<AtomId>> {
        Box::new(Path::Now(*atom(number)))
    }

    /// One formula for each operator of states, over simple parts.
    fn formulas() -> Vec<Formula<AtomId>> {
        let group = vec!["Bob".to_owned(), "it's [he]".to_owned()];
        let hour = bound(3_600_000, Some(Unit::Clock), false);
        let asked = || Query::Compare(Relation::Ge, "0.95".to_owned());
        let reward = |name: Option<&str>, goal| {
            Formula::Reward(name.map(str::to_owned), None, Query::Value, Box::new(goal))
        };
        vec![
            Formula::True,
            Formula::False,
            Formula::Deadlock,
            Formula::Not(atom(0)),
            Formula::And(atom(0), atom(1)),
            Formula::Or(atom(2), atom(3)),
            Formula::Implies(atom(1), atom(1)),
            Formula::Iff(atom(0), atom(2)),
            Formula::Knows(Knowledge::One, vec!["Bob".to_owned()], atom(0)),
            Formula::Knows(Knowledge::Everyone, group.clone(), atom(0)),
            Formula::Knows(Knowledge::Common, group.clone(), atom(0)),
            Formula::Knows(Knowledge::Distributed, group, atom(0)),
            Formula::Past(Box::new(Past::Once(*atom(0)))),
            Formula::Past(Box::new(Past::Historically(*atom(0)))),
            Formula::Past(Box::new(Past::Previously(*atom(0)))),
            Formula::Past(Box::new(Past::Since(*atom(0), *atom(1)))),
            Formula::Timer(Timer::Now, Relation::Lt, hour.clone()),
            Formula::Timer(Timer::Since(atom(0)), Relation::Ne, bound(0, None, true)),
            Formula::Timer(Timer::Held(atom(0)), Relation::Eq, bound(u64::MAX, Some(Unit::Cycles), false)),
            Formula::Wait(Extremum::Max, None, atom(0)),
            Formula::Wait(Extremum::Min, Some(atom(1)), atom(0)),
            Formula::Filter(Filter::Average, atom(0), atom(1)),
            Formula::Chance(Some(Extremum::Min), asked(), now(0)),
            Formula::Steady(None, asked(), atom(0)),
            reward(Some("fuel"), RewardGoal::Until(*now(0))),
            reward(None, RewardGoal::Cumulative(None)),
            reward(None, RewardGoal::Cumulative(Some(hour.clone()))),
            reward(None, RewardGoal::Instant(hour)),
            reward(None, RewardGoal::Average),
        ]
    }

    /// One formula for each operator of runs, over each formula of states.
    fn paths(inner: &Formula<AtomId>) -> Vec<Path<AtomId>> {
        let part = || Box::new(Path::Now(inner.clone()));
        let few = Interval { low: None, high: Some(bound(5, Some(Unit::Steps), true)) };
        let later = Interval { low: Some(bound(2, Some(Unit::Firings), false)), high: None };
        vec![
            Path::Not(part()),
            Path::And(part(), now(0)),
            Path::Or(part(), now(0)),
            Path::Implies(part(), now(0)),
            Path::Iff(part(), now(0)),
            Path::Next(part()),
            Path::Eventually(Interval::default(), part()),
            Path::Always(few.clone(), part()),
            Path::Until(Until::Until, later, part(), now(1)),
            Path::Until(Until::Weak, few, part(), now(1)),
            Path::Until(Until::Release, Interval::default(), part(), now(1)),
        ]
    }

    #[test]
    fn every_operator_comes_back_as_it_went() {
        for formula in formulas() {
            for (number, path) in paths(&formula).into_iter().enumerate() {
                let quantifier = if number % 2 == 0 { Quantifier::All } else { Quantifier::Some };
                let whole = Formula::Runs(quantifier, Box::new(path));
                let text = write(&whole, &names());
                assert_eq!(read(&text, &names()).as_ref(), Some(&whole), "{text}");
            }
        }
    }

    #[test]
    fn knowledge_of_a_possibility_reads_like_the_claim() {
        let can = Formula::Runs(Quantifier::Some, Box::new(Path::Eventually(Interval::default(), now(0))));
        let knows = Formula::Knows(Knowledge::One, vec!["Bob".to_owned()], Box::new(can));
        assert_eq!(write(&knows, &names()), "(K ['Bob'] (E (F (now 'p'))))");
    }

    #[test]
    fn what_is_no_formula_of_these_atoms_is_refused() {
        for text in ["", "'q'", "(K ['Bob'] 'p'", "(K 'p')", "(and 'p')", "(F (now 'p'))", "'p' 'p'", "(P 3)"]
        {
            assert_eq!(read(text, &names()), None, "{text}");
        }
        for depth in [100_000, 601] {
            let deep = format!("{}'p'{}", "(not ".repeat(depth), ")".repeat(depth));
            assert_eq!(read(&deep, &names()), None, "{depth}");
        }
        let deep = format!("{}'p'{}", "(not ".repeat(600), ")".repeat(600));
        assert!(read(&deep, &names()).is_some());
    }
}
