//! Why a step went as it did: who fired what, with which values, under which guards; and what an agent waits for.

use motet_model::{ActionId, ProcessId, State};

use crate::program::{Partner, Sync, TransitionId};
use crate::semantics::effect::agent_at;
use crate::semantics::firing::{AgentName, Firing, Half};
use crate::semantics::instance::instance_of;
use crate::semantics::modes::Mode;
use crate::semantics::scope::{Budget, Scope};
use crate::value::{Agent, Bag, NetId};
use crate::words::Teller;
use crate::words::picture::{bindings, command, guards};
use crate::words::typing::Variables;

impl Teller {
    pub(crate) fn reasons(&self, action: ActionId) -> Vec<String> {
        let firing = self.semantics.firings.get(action.0);
        let mut lines: Vec<String> = firing.halves().flat_map(|half| self.half_reasons(half)).collect();
        if let Firing::Together { port, sent, .. } = firing {
            lines.insert(0, format!("both fire at once: {} passes", self.message(*port, sent)));
        }
        lines
    }

    fn half_reasons(&self, half: &Half) -> Vec<String> {
        let (net, transition, alternative) = half.declared(self.program());
        let variables = Variables::of(self.program(), net, alternative);
        let binding = self.binding(half);
        let name = format!("{}.{}", self.owner(half), transition.name);
        let mut lines = vec![if binding.is_empty() {
            format!("{name} fires")
        } else {
            format!("{name} fires with {}", binding.join(", "))
        }];
        if transition.alternatives.len() > 1 {
            lines.push(format!(
                "  alternative {} of {}",
                half.alternative + 1,
                transition.alternatives.len()
            ));
        }
        if let Some(sync) = &alternative.sync {
            lines.push(format!("  sync {}", command(self.program(), net, sync, alternative)));
        }
        lines.extend(bindings(alternative, &variables).into_iter().map(|line| format!("  {line}")));
        lines.extend(guards(alternative, &variables).into_iter().map(|guard| format!("  when {guard}")));
        lines
    }

    /// The first thing an agent of this lane could do if somebody answered.
    pub(crate) fn waiting(&self, process: ProcessId, state: &State) -> Option<String> {
        let marking = self.semantics.layout.marking(state);
        let mut agents = Vec::new();
        self.agents_within(self.program().system, &marking, &mut agents);
        let of_lane = |agent: &&Agent| self.semantics.lanes.of_agent(&AgentName::of(agent)) == process;
        agents.into_iter().filter(of_lane).find_map(|agent| self.open_command(agent))
    }

    /// Every agent of a marking, at any depth.
    pub(crate) fn agents_within<'m>(&self, net: NetId, places: &'m [Bag], found: &mut Vec<&'m Agent>) {
        for (place, ways) in &self.semantics.plans.net(net).homes {
            for (token, _) in places[place.0 as usize].tokens() {
                for way in ways {
                    let agent: &Agent = agent_at(token, way);
                    found.push(agent);
                    self.agents_within(agent.net, &agent.places, found);
                }
            }
        }
    }

    /// A command of an agent for which it has its tokens: `SlideCard: up ! pay(c.kind, cr, c.st)`.
    fn open_command(&self, agent: &Agent) -> Option<String> {
        let net = self.net(agent.net);
        for (number, transition) in (0..).map(TransitionId).zip(&net.transitions) {
            for (at, alternative) in transition.alternatives.iter().enumerate() {
                let Some(sync @ Sync { partner: Partner::Up | Partner::Channel(_), .. }) = &alternative.sync
                else {
                    continue;
                };
                let plan = &self.semantics.plans.net(agent.net).transitions[number.0 as usize][at];
                let budget = Budget::new();
                let instance = instance_of(agent);
                let program = self.program();
                let scope = Scope { program, instance, budget: &budget, depth: 0, enabled: None };
                let mut open = false;
                let tried = Mode::new(scope, alternative, plan).match_arcs(&mut |_| {
                    open = true;
                    Ok(())
                });
                if tried.is_ok() && open {
                    return Some(format!(
                        "{}: {}",
                        transition.name,
                        command(program, net, sync, alternative)
                    ));
                }
            }
        }
        None
    }
}
