//! The steps of a net instance: its own transitions, alone or with an agent in it; steps inside its agents; pairs of its
//! agents. What an agent wants to do with its host is offered to the host (Lomazova's vertical and horizontal steps).

use std::sync::Arc;

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use crate::program::{Alternative, Exchange, Partner, PlaceId, PortId, Program, Sync, TransitionId};
use crate::semantics::agents::{Known, Said};
use crate::semantics::effect::{Changes, Draft, Moved, agent_at, replaced};
use crate::semantics::firing::{AgentName, Firing, Half};
use crate::semantics::modes::Mode;
use crate::semantics::plan::{Plan, Plans, Speaker};
use crate::semantics::scope::{Budget, Instance, LIMIT_DEPTH, Scope, Trouble};
use crate::value::{Agent, Bag, NetId, Value};

/// How many steps one transition may have in one marking.
const LIMIT_STEPS: usize = 1 << 18;

/// A step of an instance: what fires and what changes in its marking.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub(crate) firing: Firing,
    pub(crate) changes: Changes,
}

/// What fires in an agent, each time with the agent afterwards.
pub(crate) type AgentSteps = Arc<[(Firing, Arc<Agent>)]>;

/// How an agent takes what is sent to it, each time with the agent afterwards.
pub(crate) type Receptions = Arc<[(Half, Arc<Agent>)]>;

/// Steps as they are found.
#[derive(Default)]
struct Found {
    steps: Vec<Step>,
    /// Those of the present alternative, if different tokens may give the same mode.
    seen: Option<HashSet<Step, FxBuildHasher>>,
}

impl Found {
    fn begin(&mut self, ignores: bool) {
        self.seen = ignores.then(HashSet::default);
    }

    fn push(&mut self, firing: Firing, changes: Option<Changes>) -> Result<(), Trouble> {
        let Some(changes) = changes else { return Ok(()) };
        let step = Step { firing, changes };
        if self.seen.as_mut().is_some_and(|seen| !seen.insert(step.clone())) {
            return Ok(());
        }
        self.steps.push(step);
        if self.steps.len() > LIMIT_STEPS { too_many() } else { Ok(()) }
    }
}

/// One side of a step that waits for the other.
#[derive(Clone, Debug)]
pub(crate) struct Offer {
    pub(crate) port: PortId,
    /// The value of a channel between agents; `None` towards the host.
    pub(crate) channel: Option<Value>,
    pub(crate) sent: Box<[Value]>,
    pub(crate) half: Half,
    /// The agent afterwards.
    pub(crate) agent: Arc<Agent>,
}

/// The rules of a program.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) program: &'a Program,
    pub(crate) plans: &'a Plans,
    /// What is known about agents already.
    pub(crate) known: &'a Known,
}

impl<'a> Rules<'a> {
    fn scope(&self, instance: Instance<'a>, budget: &'a Budget, depth: usize) -> Scope<'a> {
        Scope { program: self.program, instance, budget, depth, enabled: None }
    }

    fn alternatives(
        &self,
        net: NetId,
        transition: TransitionId,
    ) -> impl Iterator<Item = (u32, &'a Alternative, &'a Plan)> {
        let declared = &self.program.nets[net.0 as usize].transitions[transition.0 as usize].alternatives;
        let plans = &self.plans.net(net).transitions[transition.0 as usize];
        (0..).zip(declared).zip(plans).map(|((number, alternative), plan)| (number, alternative, plan))
    }

    /// The steps in which a transition of this instance fires, except those that it offers to a host.
    pub(crate) fn own(
        &self,
        instance: Instance<'_>,
        transition: TransitionId,
        depth: usize,
    ) -> Result<Vec<Step>, Trouble> {
        let budget = Budget::new();
        let rules: Rules<'_> = *self;
        let scope = rules.scope(instance, &budget, depth);
        let mut found = Found::default();
        for (alternative, declared, plan) in rules.alternatives(instance.net, transition) {
            if plan.lacks(instance.places) {
                continue;
            }
            found.begin(plan.ignores);
            let half = Half { path: Vec::new(), transition, alternative, values: Box::default() };
            let mut mode = Mode::new(scope, declared, plan);
            match &declared.sync {
                None => mode.match_arcs(&mut |mode| {
                    mode.finish(&mut |mode| {
                        let firing = Firing::Alone(half.with(mode.binding_values()));
                        found.push(firing, mode.effect(None)?)
                    })
                })?,
                Some(sync @ Sync { partner: Partner::Agent { arc, fields }, .. }) => {
                    mode.match_arcs(&mut |mode| {
                        rules.vertical(mode, &half, sync, (*arc, fields), &mut found)
                    })?;
                }
                Some(Sync { partner: Partner::Up | Partner::Channel(_), .. }) => {}
            }
        }
        Ok(found.steps)
    }

    /// The steps that a mode, as far as its arcs go, makes together with the agent of one of them.
    fn vertical(
        &self,
        mode: &mut Mode<'_>,
        half: &Half,
        sync: &Sync,
        (arc, fields): (usize, &[usize]),
        found: &mut Found,
    ) -> Result<(), Trouble> {
        let (port, inside) = (sync.port, mode.scope.depth + 1);
        let partner = Arc::clone(agent_at(&mode.tokens[arc], fields));
        match &sync.exchange {
            Exchange::Send(_) => mode.finish(&mut |mode| {
                let said = Said { port, channel: None, sent: mode.sent()? };
                for (receiver, agent) in self.received(&partner, inside, &said)?.iter() {
                    let (sent, agent) = (said.sent.clone(), Arc::clone(agent));
                    let (sender, receiver) = (half.with(mode.binding_values()), receiver.clone());
                    let firing = Firing::Together { sender, receiver, port, sent };
                    found.push(firing, mode.effect(Some(&Moved { arc, fields, agent }))?)?;
                }
                Ok(())
            }),
            Exchange::Receive(_) => {
                let offers = self.offers(&partner, inside)?;
                for offer in offers.iter().filter(|offer| offer.port == port && offer.channel.is_none()) {
                    if !mode.receive(&offer.sent)? {
                        continue;
                    }
                    mode.finish(&mut |mode| {
                        let (sender, sent) = (offer.half.clone(), offer.sent.clone());
                        let receiver = half.with(mode.binding_values());
                        let agent = Arc::clone(&offer.agent);
                        let firing = Firing::Together { sender, receiver, port, sent };
                        found.push(firing, mode.effect(Some(&Moved { arc, fields, agent }))?)
                    })?;
                }
                Ok(())
            }
        }
    }

    /// Every step of an agent that needs nobody outside, and the agent afterwards.
    pub(crate) fn agent_steps(&self, agent: &Arc<Agent>, depth: usize) -> Result<AgentSteps, Trouble> {
        if depth > LIMIT_DEPTH {
            return Trouble::new(format!("nets nest more than {LIMIT_DEPTH} levels deep"));
        }
        self.known.steps(agent, depth, || {
            let name = AgentName::of(agent);
            let steps = self.all(instance_of(agent), depth)?;
            Ok(steps
                .into_iter()
                .map(|step| (step.firing.inside(&name), self.changed(agent, step.changes)))
                .collect())
        })
    }

    /// Every step of an instance, in order.
    fn all(&self, instance: Instance<'_>, depth: usize) -> Result<Vec<Step>, Trouble> {
        let mut steps = Vec::new();
        let transitions = self.program.nets[instance.net.0 as usize].transitions.len();
        for transition in (0..).take(transitions).map(TransitionId) {
            steps.extend(self.own(instance, transition, depth)?);
        }
        let homes = &self.plans.net(instance.net).homes;
        for (place, _) in homes {
            steps.extend(self.inner(instance, *place, depth)?);
        }
        for (at, (one, _)) in homes.iter().enumerate() {
            for (other, _) in &homes[at..] {
                steps.extend(self.between(instance, *one, *other, depth)?);
            }
        }
        Ok(steps)
    }

    /// The steps inside the agents of a place.
    pub(crate) fn inner(
        &self,
        instance: Instance<'_>,
        place: PlaceId,
        depth: usize,
    ) -> Result<Vec<Step>, Trouble> {
        let bag = &instance.places[place.0 as usize];
        let mut steps = Vec::new();
        for (token, _) in bag.tokens() {
            for way in self.ways(instance.net, place) {
                for (firing, agent) in self.agent_steps(agent_at(token, way), depth + 1)?.iter() {
                    let renewed = bag.without(token, 1).expect("the token is there");
                    let renewed = renewed.with(replaced(token, way, agent), 1);
                    let changes = if renewed == *bag { Vec::new() } else { vec![(place, renewed)] };
                    steps.push(Step { firing: firing.clone(), changes });
                }
            }
        }
        Ok(steps)
    }

    fn ways(&self, net: NetId, place: PlaceId) -> &'a [Vec<usize>] {
        let homes = &self.plans.net(net).homes;
        homes.iter().find(|(home, _)| *home == place).map_or(&[], |(_, ways)| ways)
    }

    /// The pairs of two different agents, in either of two places, that speak through a channel.
    pub(crate) fn between(
        &self,
        instance: Instance<'_>,
        one: PlaceId,
        other: PlaceId,
        depth: usize,
    ) -> Result<Vec<Step>, Trouble> {
        let mut steps = Vec::new();
        self.one_way(instance, one, other, depth, &mut steps)?;
        if one != other {
            self.one_way(instance, other, one, depth, &mut steps)?;
        }
        Ok(steps)
    }

    /// Agents of one place send, agents of another receive.
    fn one_way(
        &self,
        instance: Instance<'_>,
        from: PlaceId,
        to: PlaceId,
        depth: usize,
        steps: &mut Vec<Step>,
    ) -> Result<(), Trouble> {
        for (sender, way) in self.agents_in(instance, from) {
            let offers = self.offers(agent_at(sender, way), depth + 1)?;
            for offer in offers.iter().filter(|offer| offer.channel.is_some()) {
                for (receiver, other_way) in self.agents_in(instance, to) {
                    let same_token = from == to && sender == receiver;
                    let alone = instance.places[from.0 as usize].count(sender) < 2;
                    if same_token && alone && way == other_way {
                        continue;
                    }
                    let agent = agent_at(receiver, other_way);
                    let (channel, sent) = (offer.channel.clone(), offer.sent.clone());
                    let said = Said { port: offer.port, channel, sent };
                    for (half, changed) in self.received(agent, depth + 1, &said)?.iter() {
                        let firing = Firing::Together {
                            sender: offer.half.clone(),
                            receiver: half.clone(),
                            port: offer.port,
                            sent: offer.sent.clone(),
                        };
                        let mut draft = Draft { before: instance.places, changes: Vec::new() };
                        draft.remove(from, sender, 1);
                        let mut renewed = replaced(sender, way, &offer.agent);
                        if same_token && alone {
                            // Two agents of one token.
                            renewed = replaced(&renewed, other_way, changed);
                        } else {
                            draft.remove(to, receiver, 1);
                            draft.add(to, replaced(receiver, other_way, changed), 1)?;
                        }
                        draft.add(from, renewed, 1)?;
                        steps.push(Step { firing, changes: draft.finish() });
                    }
                }
            }
        }
        if steps.len() > LIMIT_STEPS { too_many() } else { Ok(()) }
    }

    fn agents_in<'i>(
        &self,
        instance: Instance<'i>,
        place: PlaceId,
    ) -> impl Iterator<Item = (&'i Value, &'a [usize])> + use<'i, 'a> {
        let ways = self.ways(instance.net, place);
        let tokens = instance.places[place.0 as usize].tokens();
        tokens.iter().flat_map(move |(token, _)| ways.iter().map(move |way| (token, way.as_slice())))
    }

    /// What an agent offers to send, to its host or through channels.
    pub(crate) fn offers(&self, agent: &Arc<Agent>, depth: usize) -> Result<Arc<[Offer]>, Trouble> {
        self.known.offers(agent, depth, || {
            let mut offers = Vec::new();
            self.halves(agent, depth, &|speaker| speaker.sends, &mut |half, speaker, mode| {
                mode.finish(&mut |mode| {
                    let (sent, channel) = (mode.sent()?, mode.channel()?);
                    if let Some(changes) = mode.effect(None)? {
                        let half = half.with(mode.binding_values());
                        let agent = self.changed(agent, changes);
                        offers.push(Offer { port: speaker.port, channel, sent, half, agent });
                    }
                    if offers.len() > LIMIT_STEPS { too_many() } else { Ok(()) }
                })
            })?;
            Ok(offers)
        })
    }

    /// How an agent takes what is sent through a port, and the agent afterwards.
    fn received(&self, agent: &Arc<Agent>, depth: usize, said: &Said) -> Result<Receptions, Trouble> {
        let Said { port, channel, sent } = said;
        self.known.receptions(agent, depth, said, || {
            let meant = |speaker: &Speaker| {
                !speaker.sends && speaker.port == *port && speaker.channel == channel.is_some()
            };
            let mut found = Vec::new();
            self.halves(agent, depth, &meant, &mut |half, _, mode| {
                if !mode.receive(sent)? {
                    return Ok(());
                }
                mode.finish(&mut |mode| {
                    if mode.channel()? != *channel {
                        return Ok(());
                    }
                    if let Some(changes) = mode.effect(None)? {
                        let taken = (half.with(mode.binding_values()), self.changed(agent, changes));
                        if !(mode.plan.ignores && found.contains(&taken)) {
                            found.push(taken);
                        }
                    }
                    if found.len() > LIMIT_STEPS { too_many() } else { Ok(()) }
                })
            })?;
            Ok(found)
        })
    }

    /// The agent after changes.
    fn changed(&self, agent: &Arc<Agent>, changes: Changes) -> Arc<Agent> {
        if changes.is_empty() {
            return Arc::clone(agent);
        }
        let mut places: Vec<Bag> = agent.places.to_vec();
        for (place, bag) in changes {
            places[place.0 as usize] = bag;
        }
        self.known.shared(Arc::new(Agent::new(agent.net, Arc::clone(&agent.arguments), places.into())))
    }

    /// The modes, as far as arcs go, of the alternatives of an agent that speak to somebody outside and are meant.
    fn halves(
        &self,
        agent: &Arc<Agent>,
        depth: usize,
        meant: &dyn Fn(&Speaker) -> bool,
        visit: &mut dyn FnMut(&Half, &Speaker, &mut Mode<'_>) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        if depth > LIMIT_DEPTH {
            return Trouble::new(format!("nets nest more than {LIMIT_DEPTH} levels deep"));
        }
        let rules: Rules<'_> = *self;
        let budget = Budget::new();
        let scope = rules.scope(instance_of(agent), &budget, depth);
        let (net, plans) = (&rules.program.nets[agent.net.0 as usize], rules.plans.net(agent.net));
        for speaker in &plans.speakers {
            let is_meant = meant(speaker);
            let Speaker { transition, alternative, .. } = *speaker;
            let plan = &plans.transitions[transition.0 as usize][alternative as usize];
            if !(is_meant || speaker.risky) || plan.lacks(&agent.places) {
                continue;
            }
            let declared = &net.transitions[transition.0 as usize].alternatives[alternative as usize];
            let half =
                Half { path: vec![AgentName::of(agent)], transition, alternative, values: Box::default() };
            Mode::new(scope, declared, plan).match_arcs(&mut |mode| {
                if is_meant { visit(&half, speaker, mode) } else { Ok(()) }
            })?;
        }
        Ok(())
    }
}

fn too_many<T>() -> Result<T, Trouble> {
    Trouble::new(format!("a transition has more than {LIMIT_STEPS} modes in one marking"))
}

/// An agent as an instance.
pub(crate) fn instance_of(agent: &Agent) -> Instance<'_> {
    Instance { net: agent.net, arguments: &agent.arguments, places: &agent.places }
}
