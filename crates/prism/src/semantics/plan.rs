//! Patterns made ready: where the commands of each part are found, and how steps are numbered as actions.

use std::collections::BTreeMap;

use motet_model::{ActionId, ProcessId};

use super::guards::Guards;
use crate::program::{CommandId, LabelId, ModuleId, Part, Program};

/// How many actions are told apart. Patterns with more combinations than are left share one action.
const LIMIT_ACTIONS: u32 = 1 << 22;

/// Up to this many patterns are simply tried one after the other.
const FEW_WAYS: usize = 48;

/// All patterns.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) ways: Vec<Way>,
    /// The action of a step in which chance picks among several patterns or combinations.
    pub(crate) mixed: ActionId,
    /// Names of the processes.
    pub(crate) processes: Vec<String>,
    /// Where there are many patterns: those that each command comes first in.
    led: Vec<Vec<u32>>,
}

/// A pattern.
#[derive(Debug)]
pub(crate) struct Way {
    pub(crate) label: Option<LabelId>,
    pub(crate) process: ProcessId,
    pub(crate) parts: Vec<Seat>,
    /// The first of its actions.
    pub(crate) first: u32,
    /// Whether each combination of commands has an action of its own.
    pub(crate) numbering: Numbering,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbering {
    Each,
    Together,
}

/// A part: the commands of one module with one label.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) part: Part,
    pub(crate) commands: Vec<CommandId>,
    /// Blocks of guards, with the bits of these commands.
    pub(crate) blocks: Vec<(u32, u64)>,
}

/// The patterns whose first part each command belongs to.
fn led(ways: &[Way], commands: usize) -> Vec<Vec<u32>> {
    let mut led = vec![Vec::new(); commands];
    for (number, way) in (0..).zip(ways) {
        for command in way.parts.iter().take(1).flat_map(|seat| &seat.commands) {
            led[command.index()].push(number);
        }
    }
    led
}

/// `left & right`, `a, b & 13 others`
fn joined(team: &[ModuleId], program: &Program) -> String {
    let name = |module: &ModuleId| program.modules[module.index()].name.as_str();
    match team {
        [one, two, rest @ ..] if rest.len() > 1 => {
            format!("{}, {} & {} others", name(one), name(two), rest.len())
        }
        _ => team.iter().map(name).collect::<Vec<_>>().join(" & "),
    }
}

/// The commands of each part.
fn commands_of(program: &Program) -> BTreeMap<Part, Vec<CommandId>> {
    let mut parts: BTreeMap<Part, Vec<CommandId>> = BTreeMap::new();
    for (number, command) in program.commands.iter().enumerate() {
        let part = Part { module: command.module, label: command.label };
        parts.entry(part).or_default().push(CommandId::of(number));
    }
    parts
}

impl Seat {
    fn of(part: Part, commands: &[CommandId], guards: &Guards) -> Self {
        let commands = commands.to_vec();
        let mut blocks: Vec<(u32, u64)> = Vec::new();
        for command in &commands {
            let (block, bit) = guards.place(*command);
            match blocks.last_mut() {
                Some((last, mask)) if *last == block => *mask |= 1 << bit,
                _ => blocks.push((block, 1 << bit)),
            }
        }
        Self { part, commands, blocks }
    }

    /// How many of its commands are enabled.
    #[inline]
    pub(crate) fn count(&self, masks: &[u64]) -> u32 {
        self.blocks.iter().map(|&(block, mask)| (masks[block as usize] & mask).count_ones()).sum()
    }

    /// Appends the enabled commands.
    #[inline]
    pub(crate) fn enabled(&self, masks: &[u64], guards: &Guards, out: &mut Vec<CommandId>) {
        for &(block, mask) in &self.blocks {
            let mut mask = masks[block as usize] & mask;
            while mask != 0 {
                out.push(guards.command(block, mask.trailing_zeros()));
                mask &= mask - 1;
            }
        }
    }

    /// The position of a command among those of the part.
    fn position(&self, command: CommandId) -> u32 {
        let found = self.commands.binary_search(&command);
        u32::try_from(found.expect("the command is one of this part"))
            .expect("commands are numbered with 32 bits")
    }
}

impl Plan {
    pub(crate) fn of(program: &Program, guards: &Guards) -> Self {
        let mut processes: Vec<String> = program.modules.iter().map(|module| module.name.clone()).collect();
        let mut teams: BTreeMap<Vec<ModuleId>, ProcessId> = BTreeMap::new();
        let number = |index: usize| u32::try_from(index).expect("processes are numbered with 32 bits");
        let mut next = 0_u32;
        let mut ways = Vec::with_capacity(program.patterns.len());
        let commands = commands_of(program);
        for pattern in &program.patterns {
            let seat = |part: &Part| Seat::of(*part, commands.get(part).map_or(&[], Vec::as_slice), guards);
            let parts: Vec<Seat> = pattern.parts.iter().map(seat).collect();
            let process = if let [seat] = &parts[..] {
                ProcessId(seat.part.module.0)
            } else {
                let team: Vec<ModuleId> = parts.iter().map(|seat| seat.part.module).collect();
                *teams.entry(team).or_insert_with_key(|team| {
                    processes.push(joined(team, program));
                    ProcessId(number(processes.len() - 1))
                })
            };
            let combinations = parts.iter().try_fold(1_u32, |product, seat| {
                product.checked_mul(number(seat.commands.len())).filter(|product| *product <= LIMIT_ACTIONS)
            });
            let fits =
                combinations.and_then(|count| next.checked_add(count)).filter(|end| *end <= LIMIT_ACTIONS);
            let (numbering, end) = match fits {
                Some(end) => (Numbering::Each, end),
                None => (Numbering::Together, next + 1),
            };
            ways.push(Way { label: pattern.label, process, parts, first: next, numbering });
            next = end;
        }
        if program.kind == crate::syntax::ModelKind::Dtmc {
            processes.push("chance".to_owned());
        }
        let led = if ways.len() > FEW_WAYS { led(&ways, program.commands.len()) } else { Vec::new() };
        Self { ways, mixed: ActionId(next), processes, led }
    }

    /// Calls `follow` for each pattern that may be possible, in order.
    #[inline]
    pub(crate) fn each<E>(
        &self,
        masks: &[u64],
        guards: &Guards,
        mut follow: impl FnMut(&Way) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.led.is_empty() {
            return self.ways.iter().try_for_each(follow);
        }
        let mut candidates = Vec::new();
        for (block, mask) in (0..).zip(masks) {
            let mut mask = *mask;
            while mask != 0 {
                let command = guards.command(block, mask.trailing_zeros());
                candidates.extend_from_slice(&self.led[command.index()]);
                mask &= mask - 1;
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        candidates.into_iter().try_for_each(|way| follow(&self.ways[way as usize]))
    }

    /// The process of steps in which chance picks the pattern.
    pub(crate) fn chance(&self) -> ProcessId {
        ProcessId(u32::try_from(self.processes.len() - 1).expect("processes are numbered with 32 bits"))
    }

    /// The pattern of an action, and its commands where they are known.
    pub(crate) fn decode(&self, action: ActionId) -> Option<(&Way, Vec<CommandId>)> {
        if action >= self.mixed {
            return None;
        }
        let at = self.ways.partition_point(|way| way.first <= action.0).checked_sub(1)?;
        let way = &self.ways[at];
        let mut rest = action.0 - way.first;
        let mut commands = Vec::with_capacity(way.parts.len());
        if way.numbering == Numbering::Each {
            for seat in way.parts.iter().rev() {
                let count = u32::try_from(seat.commands.len()).ok()?;
                commands.push(*seat.commands.get((rest % count) as usize)?);
                rest /= count;
            }
            commands.reverse();
        }
        Some((way, commands))
    }
}

impl Way {
    /// The action of one combination of commands.
    pub(crate) fn action(&self, commands: &[CommandId]) -> ActionId {
        if self.numbering == Numbering::Together {
            return ActionId(self.first);
        }
        let mut number = 0_u32;
        for (seat, command) in self.parts.iter().zip(commands) {
            let count = u32::try_from(seat.commands.len()).expect("commands are numbered with 32 bits");
            number = number * count + seat.position(*command);
        }
        ActionId(self.first + number)
    }
}
