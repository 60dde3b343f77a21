//! One cycle of a team: its agents in the order of the team file, each through one whole reasoning cycle.

use motet_model::{Fault, Order, Repeat};

use crate::actor::{Call, Moment};
use crate::program::Program;
use crate::semantics::mind::Phase;
use crate::semantics::passed::Passed;
use crate::semantics::team::Team;
use crate::semantics::thinker::Act;
use crate::term::Term;

/// Every agent reasons once; what they ask of the world. A message is in its receiver's mailbox at once, so that an agent
/// further down in the team file may read it in the same cycle.
pub(super) fn cycle(team: &Team, now: &mut Moment) -> Result<Vec<Order>, Fault> {
    let mut orders = Vec::new();
    now.passed.clear();
    for agent in 0..now.minds.len() {
        loop {
            let taken = team.take_step(agent, now.minds[agent].clone(), &now.percepts[agent])?;
            now.minds[agent] = taken.mind;
            now.passed.extend(Passed::of(&taken.deed, taken.sent.iter().copied()));
            for (to, message) in taken.sent {
                team.receive(to as usize, &mut now.minds[to as usize], message)?;
            }
            if let Some(act) = taken.act {
                orders.push(order(&team.program, now.next, act));
                now.open.push(Call { number: now.next, act });
                now.next += 1;
                team.check_actions(now.open.len())?;
            }
            if now.minds[agent].phase == Phase::Mail {
                break;
            }
        }
    }
    Ok(orders)
}

fn order(program: &Program, call: u64, act: Act) -> Order {
    let terms = &program.terms;
    let arguments = match terms.get(act.action) {
        Term::Structure(_, args) => {
            (1..).zip(args).map(|(at, &arg)| (format!("{at}"), terms.show(arg))).collect()
        }
        _ => Vec::new(),
    };
    Order::Call {
        agent: terms.name(program.agents[act.agent as usize].name).to_string(),
        call,
        action: terms.show(act.action),
        arguments,
        repeat: Repeat::Once,
    }
}
