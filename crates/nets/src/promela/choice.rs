//! The options of the process: transitions alone, with an agent of their net, and pairs of agents (rules t.1 and t.3, repaired:
//! both sides of a channel fire in one step, so nobody is left waiting in the middle of one).

use crate::program::{Alternative, Exchange, Partner, PortId, Sync, TransitionId};
use crate::promela::form::Form;
use crate::promela::half::Half;
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scope::Owner;
use crate::promela::world::World;
use crate::value::NetId;
use motet_machine::Expr as Term;

/// More options are refused: Spin has room for two thousand such blocks.
const LIMIT_CHOICES: usize = 1_900;

/// Conditions with more parts, taken together, are refused.
const LIMIT_PARTS: usize = 1_500_000;

/// One option.
pub(crate) struct Choice<'a> {
    /// The transition that fires; of the one who sends, if there are two.
    pub(crate) halves: Vec<Half<'a>>,
    pub(crate) title: String,
    /// How many parts its condition has, with those of the options before it.
    length: usize,
}

impl Choice<'_> {
    pub(crate) fn condition(&self) -> Term {
        Term::all(self.halves.iter().flat_map(|half| half.conditions.iter().cloned()))
    }
}

/// All options, in the order of the text.
pub(crate) fn choices(world: &World) -> Result<Vec<Choice<'_>>, Refusal> {
    let mut all = Vec::new();
    for (net, transition, alternative) in alternatives(world) {
        let add = Adding { world, net, transition, alternative };
        add.to(&mut all).map_err(|lack| lack.at(alternative.span))?;
    }
    Ok(all)
}

/// One more option, unless it is never open.
fn push<'a>(all: &mut Vec<Choice<'a>>, choice: Choice<'a>) -> Result<(), Lack> {
    let condition = choice.condition();
    if condition.is(false) {
        return Ok(());
    }
    let length = all.last().map_or(0, |last| last.length) + condition.size(LIMIT_PARTS);
    all.push(Choice { length, ..choice });
    if all.len() > LIMIT_CHOICES || length > LIMIT_PARTS {
        return Err(Lack::Size(format!("more than {LIMIT_CHOICES} options")));
    }
    Ok(())
}

fn alternatives(world: &World) -> impl Iterator<Item = (NetId, TransitionId, &Alternative)> {
    let nets = (0..).map(NetId).zip(&world.program.nets);
    nets.flat_map(|(net, declared)| {
        let transitions = (0..).map(TransitionId).zip(&declared.transitions);
        transitions.flat_map(move |(transition, declared)| {
            declared.alternatives.iter().map(move |alternative| (net, transition, alternative))
        })
    })
}

/// The options of one alternative.
struct Adding<'a> {
    world: &'a World,
    net: NetId,
    transition: TransitionId,
    alternative: &'a Alternative,
}

impl<'a> Adding<'a> {
    fn to(&self, all: &mut Vec<Choice<'a>>) -> Result<(), Lack> {
        if self.net == self.world.program.system {
            let owner = Owner::system(self.world);
            return match &self.alternative.sync {
                None => self.alone(&owner, &[], all),
                Some(Sync { partner: Partner::Agent { arc, fields }, port, exchange }) => {
                    self.vertical((*arc, fields), *port, exchange, all)
                }
                Some(_) => Ok(()),
            };
        }
        match &self.alternative.sync {
            None => {
                for position in 0..self.world.table(self.net).room {
                    let (owner, alive) = entry(self.world, self.net, position);
                    self.alone(&owner, &[alive], all)?;
                }
                Ok(())
            }
            Some(Sync { partner: Partner::Channel(_), port, exchange: Exchange::Send(_) }) => {
                self.horizontal(*port, all)
            }
            Some(_) => Ok(()),
        }
    }

    fn name(&self) -> String {
        name(self.world, self.net, self.transition)
    }

    fn alone(&self, owner: &Owner, first: &[Term], all: &mut Vec<Choice<'a>>) -> Result<(), Lack> {
        for half in Half::all(self.world, owner, self.transition, self.alternative, first)? {
            for half in half.finish()? {
                push(all, Choice { halves: vec![half], title: format!("t.2: {}", self.name()), length: 0 })?;
            }
        }
        Ok(())
    }

    /// Together with the agent of a token.
    fn vertical(
        &self,
        (arc, fields): (usize, &[usize]),
        port: PortId,
        exchange: &'a Exchange,
        all: &mut Vec<Choice<'a>>,
    ) -> Result<(), Lack> {
        let owner = Owner::system(self.world);
        for host in Half::all(self.world, &owner, self.transition, self.alternative, &[])? {
            let agent = agent_at(&host.tokens[arc], fields)?;
            for (net, transition, alternative) in alternatives(self.world) {
                let Some(sync @ Sync { partner: Partner::Up, .. }) = &alternative.sync else { continue };
                let table = self.world.table(net);
                if net == self.world.program.system || sync.port != port || table.room == 0 {
                    continue;
                }
                let inside = Owner::numbered(self.world, net, &agent);
                let title = || format!("t.3: {} with {}", self.name(), name(self.world, net, transition));
                match (exchange, &sync.exchange) {
                    (Exchange::Send(values), Exchange::Receive(patterns)) => {
                        for mut host in host.clone().finish()? {
                            let sent = host.scope.forms(values)?;
                            host.conditions.push(table.has(&agent));
                            for partner in Half::all(self.world, &inside, transition, alternative, &[])? {
                                for partner in partner.receive(patterns, &sent)?.finish()? {
                                    push(
                                        all,
                                        Choice {
                                            halves: vec![host.clone(), partner],
                                            title: title(),
                                            length: 0,
                                        },
                                    )?;
                                }
                            }
                        }
                    }
                    (Exchange::Receive(patterns), Exchange::Send(values)) => {
                        let mut host = host.clone();
                        host.conditions.push(table.has(&agent));
                        for partner in Half::all(self.world, &inside, transition, alternative, &[])? {
                            for mut partner in partner.finish()? {
                                let sent = partner.scope.forms(values)?;
                                // The agent is asked first: what it sends is looked at by the host.
                                let mut ready = host.clone();
                                ready.conditions.append(&mut partner.conditions);
                                for host in ready.receive(patterns, &sent)?.finish()? {
                                    push(
                                        all,
                                        Choice {
                                            halves: vec![host, partner.clone()],
                                            title: title(),
                                            length: 0,
                                        },
                                    )?;
                                }
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Two agents that speak through a channel; this one sends.
    fn horizontal(&self, port: PortId, all: &mut Vec<Choice<'a>>) -> Result<(), Lack> {
        let Some(Sync { partner: Partner::Channel(channel), exchange: Exchange::Send(values), .. }) =
            &self.alternative.sync
        else {
            return Ok(());
        };
        for position in 0..self.world.table(self.net).room {
            let (owner, alive) = entry(self.world, self.net, position);
            let mut senders = Vec::new();
            for half in Half::all(self.world, &owner, self.transition, self.alternative, &[alive])? {
                senders.extend(half.finish()?);
            }
            for mut sender in senders {
                let sent = sender.scope.forms(values)?;
                let line = sender.scope.form(channel)?;
                self.receivers(&sender, (position, port), &sent, &line, all)?;
            }
        }
        Ok(())
    }

    fn receivers(
        &self,
        sender: &Half<'a>,
        (position, port): (usize, PortId),
        sent: &[Form],
        line: &Form,
        all: &mut Vec<Choice<'a>>,
    ) -> Result<(), Lack> {
        for (net, transition, alternative) in alternatives(self.world) {
            let Some(Sync {
                partner: Partner::Channel(channel),
                exchange: Exchange::Receive(patterns),
                port: other,
            }) = &alternative.sync
            else {
                continue;
            };
            if *other != port {
                continue;
            }
            for receiver in 0..self.world.table(net).room {
                if (net, receiver) == (self.net, position) {
                    continue;
                }
                let (owner, alive) = entry(self.world, net, receiver);
                for half in Half::all(self.world, &owner, transition, alternative, &[alive])? {
                    for mut half in half.receive(patterns, sent)?.finish()? {
                        let same = half.scope.form(channel)?.equals(line)?;
                        half.conditions.push(same);
                        let title = format!("t.3: {} to {}", self.name(), name(self.world, net, transition));
                        let choice = Choice { halves: vec![sender.clone(), half], title, length: 0 };
                        push(all, choice)?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn name(world: &World, net: NetId, transition: TransitionId) -> String {
    let net = &world.program.nets[net.0 as usize];
    format!("{}.{}", net.name, net.transitions[transition.0 as usize].name)
}

/// The agent at a position of a table, and that there is one.
fn entry(world: &World, net: NetId, position: usize) -> (Owner, Term) {
    let owner = Owner::agent(world, net, Term::count(position));
    let alive = owner.place("alive").into();
    (owner, alive)
}

fn agent_at(token: &Form, fields: &[usize]) -> Result<Term, Lack> {
    match (token, fields.split_first()) {
        (Form::Record(inner), Some((first, rest))) if *first < inner.len() => agent_at(&inner[*first], rest),
        (form, _) => form.number(),
    }
}
