//! A whole situation, agent by agent.

use motet_model::{Mind as Lane, Section, Snapshot, State};

use crate::semantics::mind::{Event, Mind, Phase, SeatId, Status};
use crate::semantics::team::{MINDS, QUEUE, WORLD};
use crate::semantics::world;
use crate::words::{Teller, phrase};

/// One entry per agent, then the environment.
pub(crate) fn snapshot(teller: &Teller, state: &State) -> Snapshot {
    let agents = teller.team.program.agents.len();
    let mut minds: Vec<Lane> = (0..agents)
        .map(|agent| Lane {
            name: teller.agent(u32::try_from(agent).expect("a team has few agents")),
            sections: sections(teller, agent, teller.team.mind(agent, state[MINDS + agent])),
        })
        .collect();
    let mut environment = vec![
        Section { title: "variables".to_owned(), items: cells(teller, state[WORLD]) },
        Section { title: "actions".to_owned(), items: actions(teller, state[QUEUE]) },
    ];
    let is_last = |slot| !teller.team.is_turn(slot) && !teller.team.board.has(slot);
    if let Some(&last) = state.get(MINDS + agents).filter(|_| is_last(MINDS + agents)) {
        let items = teller.team.last_action(last).into_iter();
        let items = items.map(|act| format!("{} of {}", teller.show(act.action), teller.agent(act.agent)));
        environment.push(Section { title: "last action".to_owned(), items: items.collect() });
    }
    minds.push(Lane { name: "environment".to_owned(), sections: environment });
    Snapshot { minds }
}

/// A mind on one line.
pub(crate) fn mind_line(teller: &Teller, agent: usize, number: u32) -> String {
    let mind = teller.team.mind(agent, number);
    let parts = sections(teller, agent, mind).into_iter().filter(|section| !section.items.is_empty());
    parts
        .map(|section| {
            let items: Vec<&str> = section.items.iter().map(|item| item.trim()).collect();
            format!("{}: {}", section.title, items.join(", "))
        })
        .collect::<Vec<_>>()
        .join("; ")
}

fn sections(teller: &Teller, agent: usize, mind: &Mind) -> Vec<Section> {
    let next = match mind.phase {
        Phase::Mail => "read mail",
        Phase::Revise => "revise beliefs",
        Phase::Select => "select an event",
        Phase::Execute => "execute an intention",
    };
    let beliefs = mind.beliefs.iter().map(|belief| {
        let sources: Vec<String> =
            belief.sources.iter().map(|source| phrase::source(teller, source)).collect();
        format!("{} [{}]", teller.show(belief.term), sources.join(", "))
    });
    let events = mind.events.iter().map(|event| {
        let posted = teller.trigger(event.trigger);
        match event.parent {
            Some(parent) => format!("{posted} for {}", seat_name(parent)),
            None => posted,
        }
    });
    let mail = mind.mail.iter().map(|&message| phrase::message(teller, message));
    let section = |title: &str, items: Vec<String>| Section { title: title.to_owned(), items };
    vec![
        section("beliefs", beliefs.collect()),
        section("events", events.collect()),
        section("intentions", intentions(teller, agent, mind)),
        section("mail", mail.collect()),
        section("next", vec![next.to_owned()]),
    ]
}

/// Each stack from its top: one line per plan, those below indented.
fn intentions(teller: &Teller, agent: usize, mind: &Mind) -> Vec<String> {
    let plans = &teller.team.program.agents[agent].plans;
    let is_top = |seat: SeatId| !mind.instances().any(|(_, other)| other.parent == Some(seat));
    let mut lines = Vec::new();
    for (top, _) in mind.instances().filter(|(seat, _)| is_top(*seat)) {
        for (depth, seat) in mind.stack(top).into_iter().enumerate() {
            let Some(instance) = mind.instance(seat) else { continue };
            let plan = &plans[instance.plan as usize];
            let formula = plan.body.get(instance.counter as usize).map_or("done", |formula| &formula.text);
            let waits = |event: &Event| event.parent == Some(seat);
            let status = if instance.status == Status::Acting {
                "waits for the environment at"
            } else if instance.status == Status::Failed {
                "failed at"
            } else if mind.asleep.contains(&seat) {
                "waits for time to pass at"
            } else if depth > 0 || mind.events.iter().any(waits) {
                "suspended at"
            } else {
                "next"
            };
            let trigger =
                crate::semantics::mind::Trigger { sign: plan.sign, kind: plan.kind, term: instance.trigger };
            let (indent, name) = ("  ".repeat(depth), seat_name(seat));
            lines.push(format!("{indent}{name} {}: {status} {formula}", teller.trigger(trigger)));
        }
    }
    lines
}

/// `i2`
pub(crate) fn seat_name(seat: SeatId) -> String {
    format!("i{}", seat.0 + 1)
}

/// The variables of the environment: `n = 4`, `bid[ag1] = none`.
pub(crate) fn cells(teller: &Teller, number: u32) -> Vec<String> {
    named_cells(teller, number).into_iter().map(|(name, value)| format!("{name} = {value}")).collect()
}

/// What differs between two states of the environment: `n 4 → 5`.
pub(crate) fn changed_cells(teller: &Teller, from: u32, to: u32) -> Vec<String> {
    let pairs = named_cells(teller, from).into_iter().zip(named_cells(teller, to));
    let changed = pairs.filter(|((_, before), (_, after))| before != after);
    changed.map(|((name, before), (_, after))| format!("{name} {before} → {after}")).collect()
}

fn named_cells(teller: &Teller, number: u32) -> Vec<(String, String)> {
    let environment = &teller.team.program.environment;
    let cells = teller.team.world(number);
    let show = |cell: usize| world::show(teller.terms(), cells[cell]);
    let mut named = Vec::new();
    for variable in &environment.variables {
        match variable.index {
            None => named.push((variable.name.clone(), show(variable.cell))),
            Some(sort) => {
                for (at, &member) in environment.sorts[sort].1.iter().enumerate() {
                    let name = format!("{}[{}]", variable.name, world::show(teller.terms(), member));
                    named.push((name, show(variable.cell + at)));
                }
            }
        }
    }
    named
}

/// Actions that wait for the environment, the next one first.
pub(crate) fn actions(teller: &Teller, number: u32) -> Vec<String> {
    let queue = teller.team.queue(number);
    queue.iter().map(|act| format!("{} of {}", teller.show(act.action), teller.agent(act.agent))).collect()
}
