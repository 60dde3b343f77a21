//! A lowered formula as an English sentence: the echo that lets an author hear what was written.

use motet_model::{AtomId, AtomText, Expr, Operator};
use motet_source::Spanned;

use super::english_scope::{Shape, shape};
use super::expr::spaced;
use crate::claim::{Claim, Kind, of_first_state};
use crate::formula::{
    Bound, Extremum, Filter, Formula, Interval, Knowledge, Past, Path, Quantifier, Query, Relation,
    RewardGoal, Timer, Unit, Until,
};
use crate::lower::Happens;

/// The formula as an English sentence, without a full stop.
#[must_use]
pub fn english(path: &Path<AtomId>, atoms: &[Spanned<AtomText>]) -> String {
    Teller { atoms }.path(path, Place::Free)
}

/// A claim as an English sentence, without a full stop. What a property says outside of all operators of time it says of
/// the start.
#[must_use]
pub fn english_claim(claim: &Claim<AtomId>, atoms: &[Spanned<AtomText>]) -> String {
    match claim.kind {
        Kind::Property | Kind::Assume => Teller { atoms }.at_start(&claim.formula, Place::Free),
        Kind::Possible | Kind::Query => english(&claim.formula, atoms),
    }
}

/// Whether a phrase stands alone or beside others, where a compound one needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Free,
    Beside,
}

struct Teller<'a> {
    atoms: &'a [Spanned<AtomText>],
}

/// A phrase, with its subject apart if it has one.
struct Phrase {
    subject: Option<String>,
    rest: String,
}

impl Phrase {
    fn plain(rest: String) -> Self {
        Self { subject: None, rest }
    }

    fn whole(&self) -> String {
        match &self.subject {
            Some(subject) => format!("{subject} {}", self.rest),
            None => self.rest.clone(),
        }
    }
}

impl Teller<'_> {
    fn path(&self, path: &Path<AtomId>, place: Place) -> String {
        let beside = |inner| self.path(inner, Place::Beside);
        if let Some(text) = self.shaped(path) {
            return if place == Place::Beside { format!("({text})") } else { text };
        }
        let text = match path {
            Path::Now(formula) => return self.formula(formula, place),
            Path::Accepted(omega) => format!("the automaton {} accepts the run", omega.name),
            Path::Not(inner) => format!("it is not true that {}", beside(inner)),
            Path::And(..) => {
                let mut parts = Vec::new();
                conjuncts(path, &mut parts);
                parts.iter().map(|part| beside(part)).collect::<Vec<_>>().join(" and ")
            }
            Path::Or(left, right) => format!("{} or {}", beside(left), beside(right)),
            Path::Implies(left, right) => {
                let left = match &**left {
                    Path::Implies(..) => beside(left),
                    left => self.path(left, Place::Free),
                };
                format!("if {left}, then {}", self.path(right, Place::Free))
            }
            Path::Iff(left, right) => format!("{} exactly if {}", beside(left), beside(right)),
            Path::Next(inner) => format!("in the next state {}", beside(inner)),
            Path::Eventually(when, inner) => {
                let word = match (&when.low, &when.high) {
                    (None, None) => return self.prefixed("eventually", inner, place),
                    (None, Some(high)) => {
                        format!("{} {},", before(high, "within", "in less than"), length(high))
                    }
                    (Some(low), None) => format!(
                        "eventually, {} {},",
                        before(low, "after at least", "after more than"),
                        length(low)
                    ),
                    (Some(low), Some(high)) if low == high => format!("after exactly {},", length(low)),
                    (Some(low), Some(high)) => {
                        format!("at some time between {} and {} from now,", length(low), length(high))
                    }
                };
                return self.prefixed(&word, inner, place);
            }
            Path::Always(when, inner) => return self.always(when, inner, place),
            Path::Until(until, when, left, right) => {
                let (left, right) = (beside(left), beside(right));
                let said = match until {
                    Until::Until => format!("{left} until {right}"),
                    Until::Weak => format!("{left} unless {right}"),
                    Until::Release => {
                        format!("{right} up to and including the moment when {left}, or for ever")
                    }
                    Until::StrongRelease => {
                        format!("{right} up to and including the moment when {left}, which must come")
                    }
                };
                format!("{said}{}", span_of(when))
            }
        };
        if place == Place::Beside { format!("({text})") } else { text }
    }

    /// A formula about a whole run: what stands outside of all operators of time is about its first state.
    fn at_start(&self, path: &Path<AtomId>, place: Place) -> String {
        if of_first_state(path) {
            return match (path, place) {
                (Path::Now(Formula::True | Formula::False), _) => self.path(path, place),
                (_, Place::Free) => format!("at the start, {}", self.path(path, Place::Free)),
                (_, Place::Beside) => format!("(at the start, {})", self.path(path, Place::Free)),
            };
        }
        let beside = |inner| self.at_start(inner, Place::Beside);
        let text = match path {
            _ if self.shaped(path).is_some() => return self.path(path, place),
            Path::Not(inner) => format!("it is not true that {}", beside(inner)),
            Path::And(..) => {
                let mut parts = Vec::new();
                conjuncts(path, &mut parts);
                parts.iter().map(|part| beside(part)).collect::<Vec<_>>().join(" and ")
            }
            Path::Or(left, right) => format!("{} or {}", beside(left), beside(right)),
            Path::Implies(left, right) => {
                let left = match of_first_state(left) {
                    true => format!("{} at the start", self.path(left, Place::Beside)),
                    false => beside(left),
                };
                format!("if {left}, then {}", self.at_start(right, Place::Free))
            }
            Path::Iff(left, right) => format!("{} exactly if {}", beside(left), beside(right)),
            path => return self.path(path, place),
        };
        if place == Place::Beside { format!("({text})") } else { text }
    }

    /// What a person would say for two operators together, or for a formula that stands for a sentence.
    fn shaped(&self, path: &Path<AtomId>) -> Option<String> {
        match path {
            Path::Always(when, inner) if when.is_unbounded() => {
                let Path::Eventually(when, inner) = &**inner else { return None };
                return when
                    .is_unbounded()
                    .then(|| format!("again and again {}", self.path(inner, Place::Free)));
            }
            Path::Eventually(when, inner) if when.is_unbounded() => {
                let Path::Always(when, _) = &**inner else { return None };
                let stays = || format!("from some moment on {}", self.path(inner, Place::Free));
                return when.is_unbounded().then(stays);
            }
            Path::Not(inner) => {
                let Some(Shape::AtMost(what, happens, number)) = shape(inner) else { return None };
                let what = self.path(&what, Place::Beside);
                return Some(so_often(&what, happens, ("at least", number + 1)));
            }
            _ => {}
        }
        let free = |inner: &Path<AtomId>| self.path(inner, Place::Free);
        let beside = |inner: &Path<AtomId>| self.path(inner, Place::Beside);
        Some(match shape(path)? {
            Shape::EachTime(condition, due) => {
                format!(
                    "each time that {} begins to hold (also at the start), {}",
                    beside(&condition),
                    free(&due)
                )
            }
            Shape::AtMost(what, happens, number) => so_often(&beside(&what), happens, ("at most", number)),
            Shape::Once(begins, rest) => {
                format!("from the first moment when {}, {}", free(&begins), free(&rest))
            }
            Shape::For(high, end, rest) => {
                let duration = format!("{}{}", before(high, "", "less than "), length(high));
                format!("for {duration}, or until {}, always {}", beside(end), free(&rest))
            }
            Shape::NotBefore(late, early) => format!("never {} before {}", beside(&late), beside(early)),
        })
    }

    fn always(&self, when: &Interval, inner: &Path<AtomId>, place: Place) -> String {
        let during = match (&when.low, &when.high) {
            (None, None) => String::new(),
            (None, Some(high)) => format!("for {}{}", before(high, "", "less than "), length(high)),
            (Some(low), None) => format!("from {}{} on", before(low, "", "more than "), length(low)),
            (Some(low), Some(high)) => format!("from {} to {} from now", length(low), length(high)),
        };
        let negated = match inner {
            // `always something can happen` reads better than `never nothing can happen any more`.
            Path::Now(Formula::Not(negated)) if **negated != Formula::Deadlock => {
                Some(self.formula(negated, Place::Beside))
            }
            Path::Not(negated) => Some(self.path(negated, Place::Beside)),
            _ => None,
        };
        let text = match (negated, during.is_empty()) {
            (Some(negated), true) => format!("never {negated}"),
            (Some(negated), false) => format!("{during}, never {negated}"),
            (None, _) => {
                let word = if during.is_empty() { "always".to_owned() } else { format!("{during}, always") };
                let compound =
                    matches!(inner, Path::Implies(..) | Path::Now(Formula::Implies(..) | Formula::Runs(..)));
                let inner = self.path(inner, Place::Free);
                if compound { format!("{word}, {inner}") } else { format!("{word} {inner}") }
            }
        };
        if place == Place::Beside { format!("({text})") } else { text }
    }

    fn prefixed(&self, word: &str, inner: &Path<AtomId>, place: Place) -> String {
        let condition = matches!(inner, Path::Implies(..) | Path::Now(Formula::Implies(..)));
        let comma = if condition && !word.ends_with(',') { "," } else { "" };
        let text = format!("{word}{comma} {}", self.path(inner, Place::Free));
        if place == Place::Beside { format!("({text})") } else { text }
    }

    fn formula(&self, formula: &Formula<AtomId>, place: Place) -> String {
        match formula {
            Formula::And(..) => self.list(formula, place, " and "),
            Formula::Or(..) => self.list(formula, place, " or "),
            Formula::Implies(left, right) => {
                let left = match &**left {
                    Formula::Implies(..) => self.formula(left, Place::Beside),
                    left => self.formula(left, Place::Free),
                };
                let text = format!("if {left}, then {}", self.formula(right, Place::Free));
                if place == Place::Beside { format!("({text})") } else { text }
            }
            Formula::Iff(left, right) => {
                let text = format!(
                    "{} exactly if {}",
                    self.formula(left, Place::Beside),
                    self.formula(right, Place::Beside)
                );
                if place == Place::Beside { format!("({text})") } else { text }
            }
            _ => self.phrase(formula, place).whole(),
        }
    }

    /// Neighbours about the same agent name it once: `ag3 believes p and desires q`.
    fn list(&self, formula: &Formula<AtomId>, place: Place, word: &str) -> String {
        let mut parts = Vec::new();
        parts_of(formula, &mut parts);
        let mut text = String::new();
        let mut subject = None;
        for (i, part) in parts.into_iter().enumerate() {
            let phrase = match part {
                Formula::And(..) | Formula::Or(..) | Formula::Implies(..) | Formula::Iff(..) => {
                    Phrase::plain(self.formula(part, Place::Beside))
                }
                _ => self.phrase(part, Place::Beside),
            };
            if i > 0 {
                text.push_str(word);
            }
            if phrase.subject.is_some() && phrase.subject == subject {
                text.push_str(&phrase.rest);
            } else {
                text.push_str(&phrase.whole());
            }
            subject = phrase.subject;
        }
        if place == Place::Beside { format!("({text})") } else { text }
    }

    fn phrase(&self, formula: &Formula<AtomId>, place: Place) -> Phrase {
        match formula {
            Formula::True => Phrase::plain("true".to_owned()),
            Formula::False => Phrase::plain("false".to_owned()),
            Formula::Deadlock => Phrase::plain("nothing can happen any more".to_owned()),
            Formula::Atom(id) => match self.atoms.get(id.index()) {
                Some(atom) => told(&atom.node, Mood::Positive),
                None => Phrase::plain("something".to_owned()),
            },
            Formula::Not(inner) => match &**inner {
                Formula::Atom(id) if id.index() < self.atoms.len() => {
                    told(&self.atoms[id.index()].node, Mood::Negative)
                }
                Formula::Deadlock => Phrase::plain("something can happen".to_owned()),
                inner => Phrase::plain(format!("not {}", self.formula(inner, Place::Beside))),
            },
            Formula::Runs(quantifier, path) => {
                let word = match quantifier {
                    Quantifier::All => "on all runs from here",
                    Quantifier::Some => "on some run from here",
                };
                let text = format!("{word} {}", self.path(path, Place::Free));
                Phrase::plain(if place == Place::Beside { format!("({text})") } else { text })
            }
            Formula::Knows(knowledge, group, inner) => self.knows(*knowledge, group, inner),
            Formula::Timer(timer, relation, bound) => self.timer(timer, *relation, bound),
            Formula::Chance(extremum, query, path) => {
                let what = format!("{}probability that {}", extreme(*extremum), self.path(path, Place::Free));
                Phrase::plain(asked(&what, query))
            }
            Formula::Steady(extremum, query, inner) => {
                let inner = self.formula(inner, Place::Free);
                let what = format!("{}long-run share of time in which {inner}", extreme(*extremum));
                Phrase::plain(asked(&what, query))
            }
            Formula::Reward(name, extremum, query, goal) => {
                let name = name.as_deref().unwrap_or("reward");
                let goal = match &**goal {
                    RewardGoal::Until(path) => {
                        let goal = match path {
                            Path::Eventually(when, inner) if when.is_unbounded() => inner,
                            path => path,
                        };
                        format!("until {}", self.path(goal, Place::Free))
                    }
                    RewardGoal::Cumulative(None) => "in total".to_owned(),
                    RewardGoal::Cumulative(Some(end)) => format!("within {}", length(end)),
                    RewardGoal::Instant(at) => format!("after {}", length(at)),
                    RewardGoal::Average => "in the long run".to_owned(),
                };
                Phrase::plain(asked(&format!("{}expected {name} {goal}", extreme(*extremum)), query))
            }
            Formula::Wait(extremum, from, to) => {
                let which = if *extremum == Extremum::Max { "longest" } else { "shortest" };
                let to = self.formula(to, Place::Free);
                let from =
                    from.as_ref().map(|from| format!(" from when {}", self.formula(from, Place::Beside)));
                Phrase::plain(format!("the {which} time{} until {to}", from.unwrap_or_default()))
            }
            Formula::Past(past) => Phrase::plain(self.past(past)),
            Formula::Filter(filter, value, states) => {
                let (value, states) =
                    (self.formula(value, Place::Beside), self.formula(states, Place::Beside));
                Phrase::plain(gathered(*filter, &value, &states))
            }
            Formula::And(..) | Formula::Or(..) | Formula::Implies(..) | Formula::Iff(..) => {
                Phrase::plain(self.formula(formula, place))
            }
        }
    }

    fn knows(&self, knowledge: Knowledge, group: &[String], inner: &Formula<AtomId>) -> Phrase {
        let inner = self.formula(inner, Place::Beside);
        let all = listed(group);
        match knowledge {
            Knowledge::One => Phrase { subject: Some(all), rest: format!("knows that {inner}") },
            Knowledge::Everyone => Phrase::plain(format!("each of {all} knows that {inner}")),
            Knowledge::Common => Phrase::plain(format!("it is common knowledge among {all} that {inner}")),
            Knowledge::Distributed => Phrase::plain(format!("{all} together know that {inner}")),
        }
    }

    fn past(&self, past: &Past<AtomId>) -> String {
        let beside = |inner| self.formula(inner, Place::Beside);
        match past {
            Past::Once(inner) => format!("({} now or before)", beside(inner)),
            Past::Historically(inner) => format!("({} all along until now)", beside(inner)),
            Past::Previously(inner) => format!("({} in the state before)", beside(inner)),
            Past::Since(left, right) => format!("({} ever since {})", beside(left), beside(right)),
        }
    }

    fn timer(&self, timer: &Timer<AtomId>, relation: Relation, bound: &Bound) -> Phrase {
        let amount = format!("{} {}", compared(relation), length(bound));
        Phrase::plain(match timer {
            Timer::Now => format!("the time is {amount}"),
            Timer::Since(inner) => format!("{} last held {amount} ago", self.formula(inner, Place::Beside)),
            Timer::Held(inner) => format!("{} has held for {amount}", self.formula(inner, Place::Beside)),
        })
    }
}

fn so_often(what: &str, happens: Happens, (tally, number): (&str, u32)) -> String {
    let times = match number {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        number => format!("{number} times"),
    };
    match happens {
        Happens::State => format!("{what} {tally} {times}"),
        Happens::Stretch => format!("{what} begins to hold {tally} {times} (a time at the start counts)"),
    }
}

fn conjuncts<'p>(path: &'p Path<AtomId>, parts: &mut Vec<&'p Path<AtomId>>) {
    match path {
        Path::And(left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        _ => parts.push(path),
    }
}

fn parts_of<'f>(formula: &'f Formula<AtomId>, parts: &mut Vec<&'f Formula<AtomId>>) {
    fn walk<'f>(of: &'f Formula<AtomId>, whole: &Formula<AtomId>, parts: &mut Vec<&'f Formula<AtomId>>) {
        match (of, whole) {
            (Formula::And(left, right), Formula::And(..)) | (Formula::Or(left, right), Formula::Or(..)) => {
                walk(left, whole, parts);
                walk(right, whole, parts);
            }
            _ => parts.push(of),
        }
    }
    walk(formula, formula, parts);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    Positive,
    Negative,
}

/// An atom told as a phrase.
fn told(atom: &AtomText, mood: Mood) -> Phrase {
    let compact = |content: &Expr| match content {
        Expr::Binary(Operator::And | Operator::Or, ..) => format!("({})", spaced(content, ",")),
        _ => spaced(content, ","),
    };
    let verb = |agent: &String, positive: &str, negative: &str, content: &Expr| Phrase {
        subject: Some(agent.clone()),
        rest: format!("{} {}", if mood == Mood::Positive { positive } else { negative }, compact(content)),
    };
    match atom {
        AtomText::Fact(fact) => Phrase::plain(fact_text(fact, mood)),
        AtomText::Believes(agent, content) => verb(agent, "believes", "does not believe", content),
        AtomText::Desires(agent, content) => verb(agent, "desires", "does not desire", content),
        AtomText::Intends(agent, content) => verb(agent, "intends", "does not intend", content),
        AtomText::Does(agent, act) => verb(agent, "does", "does not do", act),
        AtomText::Did(agent, act) => verb(agent, "last did", "did not last do", act),
        AtomText::WillDo(agent, act) => verb(agent, "is going to do", "is not going to do", act),
        AtomText::Says(from, to, content) => {
            let (positive, negative) = (format!("tells {to}"), format!("does not tell {to}"));
            verb(from, &positive, &negative, content)
        }
        AtomText::Sends(from, to, content) => {
            let (positive, negative) = (format!("sends {to}"), format!("does not send {to}"));
            verb(from, &positive, &negative, content)
        }
        AtomText::Reads(from, to, content) => {
            let mut phrase = verb(to, "reads", "does not read", content);
            phrase.rest += &format!(" from {from}");
            phrase
        }
    }
}

fn fact_text(fact: &Expr, mood: Mood) -> String {
    let text = spaced(fact, ",");
    match (mood, fact) {
        (Mood::Positive, _) => text,
        (Mood::Negative, Expr::Binary(..)) => format!("not ({text})"),
        (Mood::Negative, _) => format!("not {text}"),
    }
}

fn asked(what: &str, query: &Query) -> String {
    match query {
        Query::Value => format!("the {what}"),
        Query::Compare(relation, number) => format!("the {what} is {} {number}", compared(*relation)),
    }
}

fn gathered(filter: Filter, value: &str, states: &str) -> String {
    let what = match filter {
        Filter::ForAll => return format!("in all reachable states where {states}, {value}"),
        Filter::Exists => return format!("in some reachable state where {states}, {value}"),
        Filter::Count => return format!("the number of reachable states where {states} and where {value}"),
        Filter::Print => return format!("{value}, in each reachable state where {states}"),
        Filter::State => return format!("{value}, in the one reachable state where {states}"),
        Filter::First => return format!("{value}, in the first reachable state where {states}"),
        Filter::Min => "least value",
        Filter::Max => "greatest value",
        Filter::Average => "mean value",
        Filter::Sum => "sum",
    };
    format!("the {what}, over all reachable states where {states}, of {value}")
}

fn extreme(extremum: Option<Extremum>) -> &'static str {
    match extremum {
        None => "",
        Some(Extremum::Min) => "least ",
        Some(Extremum::Max) => "greatest ",
    }
}

fn compared(relation: Relation) -> &'static str {
    match relation {
        Relation::Eq => "exactly",
        Relation::Ne => "not",
        Relation::Lt => "less than",
        Relation::Le => "at most",
        Relation::Gt => "more than",
        Relation::Ge => "at least",
    }
}

fn before(bound: &Bound, wide: &'static str, strict: &'static str) -> &'static str {
    if bound.strict { strict } else { wide }
}

fn span_of(when: &Interval) -> String {
    match (&when.low, &when.high) {
        (None, None) => String::new(),
        (None, Some(high)) => format!(" {} {}", before(high, "within", "in less than"), length(high)),
        (Some(low), None) => {
            format!(" {} {}", before(low, "after at least", "after more than"), length(low))
        }
        (Some(low), Some(high)) => format!(" between {} and {}", length(low), length(high)),
    }
}

/// `2 h`, `1 h 30 min`, `50 cycles`.
fn length(bound: &Bound) -> String {
    let unit = match bound.unit {
        None => return bound.amount.to_string(),
        Some(Unit::Clock) => return clock(bound.amount),
        Some(Unit::Steps) => "step",
        Some(Unit::Cycles) => "cycle",
        Some(Unit::Firings) => "firing",
    };
    format!("{} {unit}{}", bound.amount, if bound.amount == 1 { "" } else { "s" })
}

fn clock(milliseconds: u64) -> String {
    let mut rest = milliseconds;
    let mut parts = Vec::new();
    for (unit, size) in [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000), ("ms", 1)] {
        if rest >= size {
            parts.push(format!("{} {unit}", rest / size));
            rest %= size;
        }
    }
    if parts.is_empty() { "0 s".to_owned() } else { parts.join(" ") }
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
