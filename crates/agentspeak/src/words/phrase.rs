//! Parts of sentences.

use crate::program::{Argument, Condition, Force, Internal, Pattern};
use crate::semantics::bindings::Bindings;
use crate::semantics::mind::{Message, Source, Trigger};
use crate::syntax::{Sign, TriggerKind};
use crate::term::Terms;
use crate::words::Teller;

/// `+!alliance(ag3,ag2)`
pub(crate) fn trigger(terms: &Terms, trigger: Trigger) -> String {
    let sign = match trigger.sign {
        Sign::Added => "+",
        Sign::Deleted => "-",
    };
    let kind = match trigger.kind {
        TriggerKind::Belief => "",
        TriggerKind::Achieve => "!",
        TriggerKind::Test => "?",
    };
    format!("{sign}{kind}{}", terms.show(trigger.term))
}

/// `tell`
pub(crate) fn force(force: Force) -> &'static str {
    match force {
        Force::Tell => "tell",
        Force::Untell => "untell",
        Force::Achieve => "achieve",
        Force::Unachieve => "unachieve",
    }
}

/// `tells ag2 alliance(ag3,ag2)`
pub(crate) fn sent(force: Force, to: &str, content: &str) -> String {
    match force {
        Force::Tell => format!("tells {to} {content}"),
        Force::Untell => format!("takes back {content} from {to}"),
        Force::Achieve => format!("asks {to} to achieve {content}"),
        Force::Unachieve => format!("asks {to} to drop {content}"),
    }
}

/// `ag2 tells alliance(ag3,ag2)`
pub(crate) fn message(teller: &Teller, message: Message) -> String {
    let (from, content) = (teller.agent(message.sender), teller.show(message.content));
    match message.force {
        Force::Tell => format!("{from} tells {content}"),
        Force::Untell => format!("{from} takes back {content}"),
        Force::Achieve => format!("{from} asks for {content}"),
        Force::Unachieve => format!("{from} no longer asks for {content}"),
    }
}

/// `self`, `percept`, `ag2`
pub(crate) fn source(teller: &Teller, source: Source) -> String {
    match source {
        Source::Own => "self".to_owned(),
        Source::Percept => "percept".to_owned(),
        Source::Agent(agent) => teller.agent(agent),
    }
}

/// Writes conditions with the values their variables have.
pub(crate) struct Writer<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) names: &'a [String],
    pub(crate) bindings: &'a Bindings<'a>,
}

impl Writer<'_> {
    /// A pattern with values put in; unbound variables keep their names.
    pub(crate) fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Ground(term) => self.terms.show(*term),
            Pattern::Any => "_".to_owned(),
            Pattern::Variable(variable) => match self.bindings.build(pattern, 0) {
                Ok(term) if crate::semantics::bindings::is_ground(self.terms, term) => self.terms.show(term),
                _ => self.names.get(usize::from(variable.0)).cloned().unwrap_or_else(|| "_".to_owned()),
            },
            Pattern::Structure(functor, args) => match self.bindings.build(pattern, 0) {
                Ok(term) if crate::semantics::bindings::is_ground(self.terms, term) => self.terms.show(term),
                _ => {
                    let args: Vec<String> = args.iter().map(|arg| self.pattern(arg)).collect();
                    format!("{}({})", self.terms.name(*functor), args.join(","))
                }
            },
            Pattern::Arithmetic(operator, left, right) => {
                format!("({} {} {})", self.pattern(left), operator.sign(), self.pattern(right))
            }
        }
    }

    /// A condition.
    pub(crate) fn condition(&self, condition: &Condition) -> String {
        let join = |all: &[Condition], by: &str| {
            all.iter().map(|part| self.condition(part)).collect::<Vec<_>>().join(by)
        };
        match condition {
            Condition::True => "true".to_owned(),
            Condition::False => "false".to_owned(),
            Condition::Belief(atom) => self.pattern(&atom.pattern),
            Condition::Not(of) => format!("not ({})", self.condition(of)),
            Condition::And(all) => join(all, " & "),
            Condition::Or(all) => format!("({})", join(all, " | ")),
            Condition::Relation(operator, left, right) => {
                format!("{} {} {}", self.pattern(left), operator.sign(), self.pattern(right))
            }
            Condition::Internal(Internal::Compare(operator), args) => match &args[..] {
                [Argument::Term(left), Argument::Term(right)] => {
                    format!("{} {} {}", self.pattern(left), operator.sign(), self.pattern(right))
                }
                _ => "a comparison".to_owned(),
            },
            Condition::Internal(..) => "an internal action".to_owned(),
            Condition::Stub(..) => "a stub".to_owned(),
        }
    }
}
