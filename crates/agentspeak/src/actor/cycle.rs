//! One cycle of a team: its agents in the order of the team file, each through one whole reasoning cycle.

use motet_model::{Fault, Order, Repeat};

use crate::actor::{Call, Moment};
use crate::program::Program;
use crate::semantics::mind::Phase;
use crate::semantics::passed::Passed;
use crate::semantics::team::Team;
use crate::semantics::thinker::{Act, Rest};
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
            if let Some(rest) = taken.rest {
                let wait = wait(&team.program, agent, rest);
                orders.push(order(&team.program, now.next, wait));
                now.waits.push(Call { number: now.next, act: wait });
                now.next += 1;
            }
            forget_waits(now);
            if now.minds[agent].phase == Phase::Mail {
                break;
            }
        }
    }
    Ok(orders)
}

/// A wait as a call of the clock, which hosts know by its name.
fn wait(program: &Program, agent: usize, rest: Rest) -> Act {
    let action = program.terms.structure(program.terms.symbol(".wait"), &[rest.time]);
    Act { agent: u32::try_from(agent).expect("a team has few agents"), action, seat: Some(rest.seat) }
}

/// The clock still rings for intentions that were dropped; nobody listens any more.
fn forget_waits(now: &mut Moment) {
    for call in &mut now.waits {
        let asleep = &now.minds[call.act.agent as usize].asleep;
        call.act.seat = call.act.seat.filter(|seat| asleep.contains(seat));
    }
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
