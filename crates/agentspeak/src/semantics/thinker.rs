//! One agent in one step: its mind as it changes, and what it sends out. The rules of the cycle live in `mail`,
//! `revise`, `select` and `execute`; here is what they share.

use crate::program::{Mode, Pattern, Plan, Program};
use crate::semantics::arithmetic::Trouble;
use crate::semantics::bindings::{Bindings, behind, canonical, renumber};
use crate::semantics::choices::Choices;
use crate::semantics::condition::{Reasoner, source_term};
use crate::semantics::deed::Deed;
use crate::semantics::mind::{
    Belief, Event, Instance, Message, Mind, Phase, SeatId, Source, SourceSet, Trigger,
};
use crate::syntax::{Sign, TriggerKind};
use crate::term::{Term, TermId};

/// An agent in the middle of a step.
pub(crate) struct Thinker<'a> {
    pub(crate) program: &'a Program,
    pub(crate) agent: usize,
    pub(crate) mind: Mind,
    pub(crate) choices: &'a mut Choices,
    /// Messages sent in this step.
    pub(crate) sent: Vec<(u32, Message)>,
    /// The action handed to the environment in this step.
    pub(crate) act: Option<Act>,
    /// The wait that began in this step.
    pub(crate) rest: Option<Rest>,
}

/// A wait for time to pass (Jason).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rest {
    /// The instance that waits.
    pub(crate) seat: SeatId,
    /// For how many milliseconds.
    pub(crate) time: TermId,
}

/// An action that waits for the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Act {
    /// Who asked for it.
    pub(crate) agent: u32,
    /// What.
    pub(crate) action: TermId,
    /// The instance that waits for it (Jason mode).
    pub(crate) seat: Option<SeatId>,
}

impl<'a> Thinker<'a> {
    /// An agent with this in mind.
    pub(crate) fn new(program: &'a Program, agent: usize, mind: Mind, choices: &'a mut Choices) -> Self {
        Self { program, agent, mind, choices, sent: Vec::new(), act: None, rest: None }
    }

    /// The next part of the reasoning cycle (Bordini et al. 2003, 4.1, "The Interpretation Cycle"), with what the agent
    /// can perceive.
    pub(crate) fn step(&mut self, percepts: &[TermId]) -> Result<Deed, Trouble> {
        let deed = match self.mind.phase {
            Phase::Mail => self.check_mail(),
            Phase::Revise => self.revise_beliefs(percepts),
            Phase::Select => self.select_event()?,
            Phase::Execute => self.execute_intention()?,
        };
        self.check_bounds()?;
        Ok(deed)
    }

    /// A number of this agent.
    pub(crate) fn number(&self) -> u32 {
        u32::try_from(self.agent).expect("a team has few agents")
    }

    /// The agent's plan library.
    pub(crate) fn plans(&self) -> &'a [Plan] {
        &self.program.agents[self.agent].plans
    }

    /// Whether the Jason dialect is spoken.
    pub(crate) fn is_jason(&self) -> bool {
        self.program.mode == Mode::Jason
    }

    /// Capacities are checked once a step is complete: within a step nothing is counted twice.
    pub(crate) fn check_bounds(&self) -> Result<(), Trouble> {
        let bounds = &self.program.bounds;
        let sizes = [
            ("beliefs", self.mind.beliefs.len(), bounds.beliefs),
            ("events", self.mind.events.len(), bounds.events),
            ("intentions", self.mind.instances().count(), bounds.intentions),
            ("messages", self.mind.mail.len(), bounds.messages),
        ];
        for (what, size, bound) in sizes {
            if size > bound as usize {
                let name = self.program.terms.name(self.program.agents[self.agent].name);
                return Err(Trouble::Fault(format!("bound exceeded: {name} {what} > {bound}")));
            }
        }
        Ok(())
    }

    /// Adds a source to a belief; says whether that is an event. In strict mode only a new belief is one, in Jason a
    /// new source too. Queries see beliefs oldest first in strict mode and newest first in Jason.
    pub(crate) fn believe(&mut self, term: TermId, source: Source) -> bool {
        if let Some(at) = self.mind.believed(term) {
            let belief = &mut self.mind.beliefs[at];
            let new = !belief.sources.contains(source);
            belief.sources = belief.sources.with(source);
            return new && self.program.mode == Mode::Jason;
        }
        let belief = Belief { term, sources: SourceSet::only(source) };
        match self.program.mode {
            Mode::Strict => self.mind.beliefs.push(belief),
            Mode::Jason => self.mind.beliefs.insert(0, belief),
        }
        true
    }

    /// Takes a source from a belief, and the belief if it was the last one; says whether that is an event.
    pub(crate) fn disbelieve(&mut self, at: usize, source: Source) -> bool {
        let belief = &mut self.mind.beliefs[at];
        let had = belief.sources.contains(source);
        belief.sources = belief.sources.without(source);
        if belief.sources.is_empty() {
            self.mind.beliefs.remove(at);
            return true;
        }
        had && self.program.mode == Mode::Jason
    }

    /// Posts a belief event of the outside world. Jason posts none that no plan could ever be relevant for.
    pub(crate) fn post_belief(&mut self, sign: Sign, term: TermId, source: Source) {
        let trigger = Trigger { sign, kind: TriggerKind::Belief, term };
        if !self.is_jason() || self.has_candidate(trigger) {
            self.post(trigger, None, source);
        }
    }

    /// Appends an event to the queue.
    pub(crate) fn post(&mut self, trigger: Trigger, parent: Option<SeatId>, source: Source) {
        let source = self.is_jason().then_some(source);
        self.mind.events.push(Event { trigger, parent, source });
    }

    /// Whether a plan has the trigger's sign, kind, name and arity.
    pub(crate) fn has_candidate(&self, trigger: Trigger) -> bool {
        let terms = &self.program.terms;
        let wanted = terms.get(trigger.term);
        let Term::Structure(name, args) = wanted else { return false };
        self.plans().iter().any(|plan| {
            plan.sign == trigger.sign
                && plan.kind == trigger.kind
                && match &plan.trigger.pattern {
                    Pattern::Structure(functor, params) => functor == name && params.len() == args.len(),
                    Pattern::Ground(ground) => {
                        matches!(terms.get(*ground), Term::Structure(functor, params)
                            if functor == name && params.len() == args.len())
                    }
                    Pattern::Variable(_) | Pattern::Any => true,
                    Pattern::Arithmetic(..) => false,
                }
        })
    }

    /// Bindings with an instance's values.
    pub(crate) fn bindings(&self, seat: SeatId) -> Bindings<'a> {
        let values = self.mind.instance(seat).map_or(Vec::new(), |instance| instance.binding.to_vec());
        Bindings::new(&self.program.terms, self.program.bounds.terms, values)
    }

    /// Bindings with the values of an instance that may have left its seat.
    pub(crate) fn bindings_of(&self, instance: &Instance) -> Bindings<'a> {
        Bindings::new(&self.program.terms, self.program.bounds.terms, instance.binding.to_vec())
    }

    /// A reasoner with an instance's values.
    pub(crate) fn reasoner(&mut self, seat: SeatId) -> Reasoner<'_> {
        let values = self.mind.instance(seat).map_or(Vec::new(), |instance| instance.binding.to_vec());
        Reasoner::new(self.program, self.agent, &self.mind, self.choices, values)
    }

    /// How many values of an instance are kept for good: the plan's variables, those of its trigger and of what was called.
    pub(crate) fn kept(&self, seat: SeatId) -> usize {
        self.mind.instance(seat).map_or(0, |instance| {
            let plan = &self.plans()[instance.plan as usize];
            let own = plan.variables.len() + canonical(&self.program.terms, instance.trigger).1;
            own.max(instance.called.map_or(0, |called| behind(&self.program.terms, called)))
        })
    }

    /// A ground term, or failure.
    pub(crate) fn build(&self, seat: SeatId, pattern: &Pattern) -> Result<TermId, Trouble> {
        let term = self.bindings(seat).build(pattern, 0)?;
        if crate::semantics::bindings::is_ground(&self.program.terms, term) {
            Ok(term)
        } else {
            Err(Trouble::Fails)
        }
    }

    /// A term that may have variables, numbered from 0.
    pub(crate) fn build_goal(&self, seat: SeatId, pattern: &Pattern) -> Result<TermId, Trouble> {
        let term = self.bindings(seat).build_open(pattern, 0)?;
        Ok(canonical(&self.program.terms, term).0)
    }

    /// Whether two terms, each with its own variables numbered from 0, can be made equal.
    pub(crate) fn unifiable(&self, one: TermId, two: TermId) -> bool {
        let terms = &self.program.terms;
        let (first, second) = (canonical(terms, one).1, canonical(terms, two).1);
        let shift = u32::try_from(first).expect("terms are small");
        let two = renumber(terms, two, &mut |variable| variable + shift);
        let mut bindings = Bindings::new(terms, self.program.bounds.terms, vec![None; first + second]);
        bindings.unify(one, two).unwrap_or(false)
    }

    /// The source that a term of `[source(S)]` stands for.
    pub(crate) fn source_of(&self, term: TermId) -> Result<Source, Trouble> {
        let speakers = (0..self.program.speakers()).map(Source::Agent);
        let mut all = [Source::Own, Source::Percept].into_iter().chain(speakers);
        all.find(|&source| source_term(self.program, source) == term).ok_or_else(|| {
            let name = self.program.terms.show(term);
            Trouble::Fault(format!("source({name}) is neither self, percept nor an agent"))
        })
    }
}
