//! What one agent has in mind between two steps: the configuration of Bordini et al. 2003, 4.1, channels `b`, `e`,
//! `i`, `m` and the array `i_data`. Equal situations are equal values: free seats hold nothing, none stands at the end.

use crate::program::Force;
use crate::syntax::{Sign, TriggerKind};
use crate::term::TermId;

/// The situation of one agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mind {
    /// Which of the four parts of the cycle comes next.
    pub(crate) phase: Phase,
    /// The belief base, in the order queries see it.
    pub(crate) beliefs: Vec<Belief>,
    /// Pending events, the next one first.
    pub(crate) events: Vec<Event>,
    /// Plan instances by seat number.
    pub(crate) seats: Vec<Seat>,
    /// Seats of the instances that may run, the next one first.
    pub(crate) runnable: Vec<SeatId>,
    /// The runnable intention that goes first although it is not atomic any more: an atomic plan on it has just ended
    /// (Jason).
    pub(crate) favoured: Option<SeatId>,
    /// Seats of the instances that wait for time to pass (Jason). Of those that stand at the same formula the one that has
    /// waited longest comes first, if the formula says how long; what else could be an order means nothing.
    pub(crate) asleep: Vec<SeatId>,
    /// The mailbox, the next message first.
    pub(crate) mail: Vec<Message>,
}

/// The four atomic parts of a reasoning cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    /// Inter-agent communication.
    Mail,
    /// Belief revision.
    Revise,
    /// Event selection.
    Select,
    /// Intention execution.
    Execute,
}

/// A number of a plan instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SeatId(pub(crate) u32);

/// A belief and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Belief {
    /// Ground.
    pub(crate) term: TermId,
    /// Never empty.
    pub(crate) sources: SourceSet,
}

/// Where a belief comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Source {
    /// The agent itself.
    Own,
    /// The environment.
    Percept,
    /// A message of this agent.
    Agent(u32),
}

/// A set of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SourceSet(u64);

/// So many agents fit a [`SourceSet`].
pub(crate) const MAX_AGENTS: usize = 62;

impl SourceSet {
    /// Just this one.
    pub(crate) fn only(source: Source) -> Self {
        Self(bit(source))
    }

    /// With one more.
    #[must_use]
    pub(crate) fn with(self, source: Source) -> Self {
        Self(self.0 | bit(source))
    }

    /// With one less.
    #[must_use]
    pub(crate) fn without(self, source: Source) -> Self {
        Self(self.0 & !bit(source))
    }

    /// Whether it is one of them.
    pub(crate) fn contains(self, source: Source) -> bool {
        self.0 & bit(source) != 0
    }

    /// Whether there are none.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All of them in a fixed order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Source> {
        (0..64).filter(move |bit| self.0 >> bit & 1 == 1).map(|bit| match bit {
            0 => Source::Own,
            1 => Source::Percept,
            _ => Source::Agent(bit - 2),
        })
    }
}

fn bit(source: Source) -> u64 {
    match source {
        Source::Own => 1,
        Source::Percept => 2,
        Source::Agent(agent) => 4 << agent,
    }
}

/// What an event is about: `+auction(4)`, `-!bid`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Trigger {
    /// Added or deleted.
    pub(crate) sign: Sign,
    /// Belief, achievement goal or test goal.
    pub(crate) kind: TriggerKind,
    /// Ground, or with variables numbered from 0 in order of first occurrence.
    pub(crate) term: TermId,
}

/// A pending event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Event {
    /// What happened.
    pub(crate) trigger: Trigger,
    /// The instance that waits for it; `None` is the true intention T of an external event.
    pub(crate) parent: Option<SeatId>,
    /// Who caused it; always `None` in strict mode, where no plan can ask.
    pub(crate) source: Option<Source>,
}

/// A place for a plan instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Seat {
    /// Nobody.
    Free,
    /// A plan that is being carried out.
    Taken(Instance),
    /// The plan was dropped while the environment still had to answer its action; free after the answer.
    Abandoned,
}

/// A plan that is being carried out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Instance {
    /// Number of the plan in the agent's library.
    pub(crate) plan: u32,
    /// The formula to execute next, or the one that waits for its sub-goal or its action.
    pub(crate) counter: u32,
    /// What the event was about, for desires and intentions and to hand back values.
    pub(crate) trigger: TermId,
    /// The instance below it on the stack.
    pub(crate) parent: Option<SeatId>,
    /// What the instance below waits for, with variables of `binding`, where that is not `trigger`: the plans between the
    /// two called themselves last and made room (Jason).
    pub(crate) called: Option<TermId>,
    /// Values of the plan's variables, then one for each variable of `trigger`, then those that `called` and values mention.
    /// A `Term::Variable(k)` inside a value is the variable number `k` of this list.
    pub(crate) binding: Box<[Option<TermId>]>,
    /// What it is doing.
    pub(crate) status: Status,
}

/// What an instance is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Status {
    /// It may run, or waits for a sub-goal or for time to pass.
    Thinking,
    /// It waits until the environment has executed its action (Jason).
    Acting,
    /// It failed, and stays on its stack until the recovery above it has ended (Jason).
    Failed,
}

/// A message in a mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Message {
    /// Number of the sender.
    pub(crate) sender: u32,
    /// What it wants.
    pub(crate) force: Force,
    /// About what.
    pub(crate) content: TermId,
}

impl Mind {
    /// The instance in a seat.
    pub(crate) fn instance(&self, seat: SeatId) -> Option<&Instance> {
        match self.seats.get(seat.0 as usize) {
            Some(Seat::Taken(instance)) => Some(instance),
            _ => None,
        }
    }

    /// The instance in a seat, to change it.
    pub(crate) fn instance_mut(&mut self, seat: SeatId) -> &mut Instance {
        match self.seats.get_mut(seat.0 as usize) {
            Some(Seat::Taken(instance)) => instance,
            _ => panic!("a queue names an empty seat; this is a bug in the tool"),
        }
    }

    /// All instances with their seats, by number.
    pub(crate) fn instances(&self) -> impl DoubleEndedIterator<Item = (SeatId, &Instance)> {
        self.seats.iter().enumerate().filter_map(|(number, seat)| match seat {
            Seat::Taken(instance) => Some((SeatId(u32::try_from(number).unwrap_or(u32::MAX)), instance)),
            Seat::Free | Seat::Abandoned => None,
        })
    }

    /// Puts an instance into the lowest free seat.
    pub(crate) fn seat(&mut self, instance: Instance) -> SeatId {
        let free = self.seats.iter().position(|seat| *seat == Seat::Free);
        let number = free.unwrap_or(self.seats.len());
        if number == self.seats.len() {
            self.seats.push(Seat::Free);
        }
        self.seats[number] = Seat::Taken(instance);
        SeatId(u32::try_from(number).expect("bounds keep the number of instances small"))
    }

    /// Empties a seat. While the environment still has to answer an action the seat stays abandoned, so that the answer
    /// cannot reach somebody else.
    pub(crate) fn leave(&mut self, seat: SeatId) -> Option<Instance> {
        let place = self.seats.get_mut(seat.0 as usize)?;
        self.favoured = self.favoured.filter(|&favoured| favoured != seat);
        self.asleep.retain(|&other| other != seat);
        let acting = matches!(place, Seat::Taken(instance) if instance.status == Status::Acting);
        let before = std::mem::replace(place, if acting { Seat::Abandoned } else { Seat::Free });
        while self.seats.last() == Some(&Seat::Free) {
            self.seats.pop();
        }
        match before {
            Seat::Taken(instance) => Some(instance),
            Seat::Free | Seat::Abandoned => None,
        }
    }

    /// Seats from this one down to the bottom of its stack.
    pub(crate) fn stack(&self, top: SeatId) -> Vec<SeatId> {
        let mut stack = vec![top];
        let mut at = top;
        while let Some(parent) = self.instance(at).and_then(|instance| instance.parent) {
            stack.push(parent);
            at = parent;
        }
        stack
    }

    /// The position of a belief.
    pub(crate) fn believed(&self, term: TermId) -> Option<usize> {
        self.beliefs.iter().position(|belief| belief.term == term)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_set_lists_its_members_in_order() {
        let set = SourceSet::only(Source::Agent(61)).with(Source::Own).with(Source::Agent(0));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Source::Own, Source::Agent(0), Source::Agent(61)]);
        assert!(SourceSet::only(Source::Percept).without(Source::Percept).is_empty());
    }
}
