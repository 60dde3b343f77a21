//! Inter-agent communication: the first part of a reasoning cycle (Bordini et al. 2003, 3 and 4.1, `CheckMail`).

use crate::program::{Force, Pattern, Program};
use crate::semantics::bindings::Bindings;
use crate::semantics::deed::{Deed, Receipt};
use crate::semantics::mind::{Message, Phase, Source, Trigger};
use crate::semantics::thinker::Thinker;
use crate::syntax::{Sign, TriggerKind};

impl Thinker<'_> {
    /// Takes the first message out of the mailbox.
    pub(crate) fn check_mail(&mut self) -> Deed {
        self.mind.phase = Phase::Revise;
        let agent = self.number();
        if self.mind.mail.is_empty() {
            return Deed::Mail { agent, letter: None };
        }
        let message = self.mind.mail.remove(0);
        let receipt = if trusts(self.program, self.agent, message) {
            match message.force {
                Force::Tell => self.tell(message),
                Force::Untell => self.untell(message),
                Force::Achieve => self.achieve(message),
                Force::Unachieve => self.unachieve(message),
            }
        } else {
            Receipt::Distrusted
        };
        Deed::Mail { agent, letter: Some((message, receipt)) }
    }

    /// Whom a message has for its source; what an agent tells itself is its own (Jason).
    fn sender(&self, message: Message) -> Source {
        let is_own = self.is_jason() && message.sender == self.number();
        if is_own { Source::Own } else { Source::Agent(message.sender) }
    }

    /// The content becomes a belief; telling what is believed already raises no event (Bordini et al. 2003, 5).
    fn tell(&mut self, message: Message) -> Receipt {
        let source = self.sender(message);
        if !self.believe(message.content, source) {
            return Receipt::Known;
        }
        self.post_belief(Sign::Added, message.content, source);
        Receipt::Believed
    }

    /// The sender no longer stands for the content; the last source takes the belief with it.
    fn untell(&mut self, message: Message) -> Receipt {
        let source = self.sender(message);
        let Some(at) = self.mind.believed(message.content) else { return Receipt::Known };
        if !self.mind.beliefs[at].sources.contains(source) || !self.disbelieve(at, source) {
            return Receipt::Known;
        }
        self.post_belief(Sign::Deleted, message.content, source);
        Receipt::Believed
    }

    /// The content becomes a goal with an intention of its own.
    fn achieve(&mut self, message: Message) -> Receipt {
        let trigger = Trigger { sign: Sign::Added, kind: TriggerKind::Achieve, term: message.content };
        self.post(trigger, None, self.sender(message));
        if self.has_candidate(trigger) { Receipt::Taken } else { Receipt::Unanswerable }
    }

    /// The goal is dropped wherever it stands (Jason).
    fn unachieve(&mut self, message: Message) -> Receipt {
        self.drop_desire(message.content);
        Receipt::Taken
    }
}

/// The trust functions `TrustTell` and `TrustAchieve` (Bordini et al. 2003, 3); the last rule that fits decides.
fn trusts(program: &Program, receiver: usize, message: Message) -> bool {
    let governed = |force: Force| matches!(force, Force::Tell | Force::Untell);
    let fits = |named: Option<usize>, number: usize| named.is_none_or(|named| named == number);
    let rule = program.trust.iter().rev().find(|rule| {
        governed(rule.force) == governed(message.force)
            && fits(rule.sender, message.sender as usize)
            && fits(rule.receiver, receiver)
    });
    let Some(only) = rule.and_then(|rule| rule.only.as_ref()) else { return true };
    let matches = |pattern: &Pattern| {
        let mut bindings = Bindings::new(&program.terms, program.bounds.terms, Vec::new());
        bindings.unify_pattern(pattern, 0, message.content).unwrap_or(false)
    };
    only.iter().any(matches)
}
