//! Formulas of the contest and what they mean.

mod lab;

use lab::{net, philosophers};
use motet_model::AtomId;
use motet_pnml::contest::{Atoms, Logic, Property, Question, read_properties};
use motet_property::{Formula, Interval, Path, Quantifier, Until};
use motet_source::{Problems, Sources};

fn read(formula: &str, logic: Logic) -> (Option<Vec<Property>>, Atoms, String) {
    let text = format!(
        "<property-set>\n<property><id> a-1 </id><description/><formula>{formula}</formula></property>\n</property-set>"
    );
    let net = net(&philosophers(2));
    let mut sources = Sources::new();
    let file = sources.add("a.xml", text.as_str());
    let (mut atoms, mut problems) = (Atoms::new(), Problems::new());
    let found = read_properties(file, &text, &net, logic, &mut atoms, &mut problems);
    (found, atoms, problems.lines(&sources))
}

/// The one formula, and its atoms as texts.
fn formula(text: &str, logic: Logic) -> (Formula<AtomId>, Vec<String>) {
    let (found, atoms, problems) = read(text, logic);
    let found = found.unwrap_or_else(|| panic!("{problems}"));
    assert_eq!(found[0].id, "a-1");
    let Question::Holds(formula) = found[0].question.clone() else { panic!("a formula") };
    (formula, atoms.list().iter().map(|atom| atom.node.to_string()).collect())
}

const EATS: &str = "<integer-le><integer-constant>1</integer-constant><tokens-count><place>eat</place><place>half</place>\
                    </tokens-count></integer-le>";
const ENDS: &str = "<is-fireable><transition>end</transition><transition>one</transition></is-fireable>";

fn atom(number: u32) -> Path<AtomId> {
    Path::Now(Formula::Atom(AtomId(number)))
}

fn runs(quantifier: Quantifier, path: Path<AtomId>) -> Formula<AtomId> {
    Formula::Runs(quantifier, Box::new(path))
}

#[test]
fn what_is_said_of_one_marking_is_one_atom() {
    let both = format!("<conjunction>{EATS}<negation>{ENDS}</negation></conjunction>");
    let (found, atoms) =
        formula(&format!("<exists-path><finally>{both}</finally></exists-path>"), Logic::Branching);
    // Formulas of the contest name by id, whatever others are called.
    let tokens = r##"(1 <= (##id("eat") + ##id("half")))"##;
    assert_eq!(atoms, [format!(r##"{tokens} and not (enabled(#id("end"), #id("one")))"##)]);
    assert_eq!(found, runs(Quantifier::Some, Path::Eventually(Interval::default(), Box::new(atom(0)))));
}

#[test]
fn linear_formulas_nest_without_quantifiers() {
    let text = format!(
        "<all-paths><disjunction><globally>{EATS}</globally><until><before>{ENDS}</before><reach><next>{EATS}</next>\
         </reach></until></disjunction></all-paths>"
    );
    let (found, atoms) = formula(&text, Logic::Linear);
    assert_eq!(atoms.len(), 2, "equal atoms are one");
    let always = Path::Always(Interval::default(), Box::new(atom(0)));
    let next = Path::Next(Box::new(atom(0)));
    let until = Path::Until(Until::Until, Interval::default(), Box::new(atom(1)), Box::new(next));
    assert_eq!(found, runs(Quantifier::All, Path::Or(Box::new(always), Box::new(until))));
}

#[test]
fn nothing_comes_next_at_the_end_in_branching_time_only() {
    let next = |quantifier: &str| format!("<{quantifier}><next>{EATS}</next></{quantifier}>");
    let step = |quantifier| runs(quantifier, Path::Next(Box::new(atom(0))));
    let (linear, _) = formula(&next("all-paths"), Logic::Linear);
    assert_eq!(linear, step(Quantifier::All));
    let (all, _) = formula(&next("all-paths"), Logic::Branching);
    assert_eq!(all, Formula::Or(Box::new(Formula::Deadlock), Box::new(step(Quantifier::All))));
    let (some, _) = formula(&next("exists-path"), Logic::Branching);
    let alive = Formula::Not(Box::new(Formula::Deadlock));
    assert_eq!(some, Formula::And(Box::new(alive), Box::new(step(Quantifier::Some))));
}

#[test]
fn a_bound_asks_for_the_places_of_all_colours() {
    let (found, ..) = read("<place-bound><place>eat</place></place-bound>", Logic::Branching);
    assert_eq!(found.unwrap()[0].question, Question::Most(vec![6, 7]));
}

#[test]
fn what_cannot_be_meant_is_told() {
    for (text, code, message) in [
        ("<all-paths/>", "M1093", "`all-paths` holds exactly one formula"),
        ("<globally><deadlock/></globally>", "M1093", "this formula speaks of runs, but not of which ones"),
        (
            "<is-fireable><transition>ends</transition></is-fireable>",
            "M1094",
            "the net has no transition `ends`",
        ),
        ("<is-fireable><place>eat</place></is-fireable>", "M1094", "the net has no transition `eat`"),
        ("<is-fireable/>", "M1093", "`is-fireable` names nothing"),
        ("<sometimes/>", "M1093", "`sometimes` is no part of a formula"),
        (
            "<integer-le><integer-constant>x</integer-constant><integer-constant>1</integer-constant></integer-le>",
            "M1093",
            "`x` is no whole number",
        ),
        (
            "<all-paths><until><before><true/></before></until></all-paths>",
            "M1093",
            "this `until` has no `reach`",
        ),
    ] {
        let (found, _, problems) = read(text, Logic::Branching);
        assert!(found.is_none(), "{text}");
        assert!(problems.contains(code) && problems.contains(message), "{text}: {problems}");
    }
}
