//! What an enabled command may lead to: each outcome with its chance and with what it changes.

use motet_model::{Ratio, gcd};

use super::chances;
use crate::expr::{Real, Test, Trouble, Whole};
use crate::number::Number;
use crate::program::{Assigned, Command, CommandId, Domain, Program};

/// The effects of all commands.
#[derive(Debug)]
pub(crate) struct Effects {
    commands: Vec<Effect>,
}

#[derive(Debug)]
struct Effect {
    chances: Chances,
    /// What each outcome changes, ordered by slot.
    writes: Vec<Box<[Write]>>,
}

#[derive(Debug)]
enum Chances {
    /// Looked at when the model was read.
    Fixed { chances: Box<[Chance]>, shared: u64 },
    /// They depend on few variables: computed for all their values. A row is found by adding up slots times strides.
    Tabled { slots: Box<[(u32, usize)]>, rows: Box<[Result<Fixed, Failure>]> },
    /// Computed in each state.
    Computed(Box<[Real]>),
}

/// Chances, with the denominator they share.
type Fixed = (Box<[Chance]>, u64);

/// How many rows one table may have.
const LIMIT_ROWS: usize = 1 << 14;
/// How many chances all tables together may have.
const LIMIT_TABLES: usize = 1 << 20;

/// A chance as a fraction, and its numerator over the denominator that the outcomes share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chance {
    pub(crate) ratio: Ratio,
    pub(crate) numerator: u64,
}

#[derive(Debug)]
enum Write {
    Constant {
        slot: u32,
        value: u32,
    },
    /// The value of a slot plus a number.
    Shifted {
        slot: u32,
        from: u32,
        by: i64,
        most: u32,
    },
    Test {
        slot: u32,
        test: Test,
    },
    Whole {
        slot: u32,
        whole: Whole,
        low: i64,
        most: u32,
    },
}

/// Why a command leads nowhere.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failure {
    /// An expression has no value.
    Trouble(Trouble),
    /// A variable leaves its range.
    Range { slot: u32, value: i64 },
    /// A chance is negative or more than 1.
    Chance(Number),
    /// The chances sum to this.
    Sum(Number),
    /// Fractions that are too fine to be kept.
    Precision,
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

/// The outcomes of some commands in one state. Outcomes of one command differ in what they change.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    pub(crate) list: Vec<Outcome>,
    writes: Vec<(u32, u32)>,
    numbers: Vec<Number>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) chance: Chance,
    start: u32,
    end: u32,
}

/// The outcomes of one command: where they stand in the list, and the denominator they share; 0 where they share none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) shared: u64,
}

impl Outcomes {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.writes.clear();
    }

    /// What an outcome changes.
    #[inline]
    pub(crate) fn writes(&self, outcome: Outcome) -> &[(u32, u32)] {
        &self.writes[outcome.start as usize..outcome.end as usize]
    }

    #[inline]
    pub(crate) fn row(&self, row: Row) -> &[Outcome] {
        &self.list[row.start as usize..row.end as usize]
    }
}

impl Effects {
    pub(crate) fn of(program: &Program) -> Self {
        let mut left = LIMIT_TABLES;
        Self {
            commands: program.commands.iter().map(|command| effect(command, program, &mut left)).collect(),
        }
    }

    /// Appends the outcomes of a command in a state.
    ///
    /// # Errors
    /// A [`Failure`] when the command leads nowhere.
    #[inline]
    pub(crate) fn outcomes(
        &self,
        command: CommandId,
        state: &[u32],
        out: &mut Outcomes,
    ) -> Result<Row, Failure> {
        let effect = &self.commands[command.index()];
        let start = word(out.list.len());
        let mut shared = match &effect.chances {
            Chances::Fixed { chances, shared } => {
                for (chance, writes) in chances.iter().zip(&effect.writes) {
                    outcome(*chance, writes, state, out)?;
                }
                *shared
            }
            Chances::Tabled { slots, rows } => {
                let row: usize =
                    slots.iter().map(|(slot, stride)| state[*slot as usize] as usize * stride).sum();
                let (chances, shared) = rows[row].as_ref().map_err(|failure| *failure)?;
                for (chance, writes) in chances.iter().zip(&effect.writes) {
                    if chance.ratio != Ratio::ZERO {
                        outcome(*chance, writes, state, out)?;
                    }
                }
                *shared
            }
            Chances::Computed(chances) => computed(chances, &effect.writes, state, out)?,
        };
        if effect.writes.len() > 1 {
            merge(out, start as usize, &mut shared)?;
        }
        Ok(Row { start, end: word(out.list.len()), shared })
    }
}

fn word(number: usize) -> u32 {
    u32::try_from(number).expect("a state has fewer than 2^32 outcomes")
}

#[inline]
fn outcome(chance: Chance, writes: &[Write], state: &[u32], out: &mut Outcomes) -> Result<(), Failure> {
    let start = word(out.writes.len());
    for write in writes {
        let (slot, value) = match write {
            Write::Constant { slot, value } => (*slot, *value),
            Write::Shifted { slot, from, by, most } => {
                let value = i64::from(state[*from as usize]) + by;
                if value < 0 || value > i64::from(*most) {
                    return Err(Failure::Range { slot: *slot, value });
                }
                (*slot, value as u32)
            }
            Write::Test { slot, test } => (*slot, u32::from(test.holds(state)?)),
            Write::Whole { slot, whole, low, most } => {
                let value = whole.value(state)?.checked_sub(*low).ok_or(Trouble::TooLarge)?;
                if value < 0 || value > i64::from(*most) {
                    return Err(Failure::Range { slot: *slot, value });
                }
                (*slot, value as u32)
            }
        };
        // What does not change is left out, so that equal outcomes have equal lists.
        if state[slot as usize] != value {
            out.writes.push((slot, value));
        }
    }
    out.list.push(Outcome { chance, start, end: word(out.writes.len()) });
    Ok(())
}

fn computed(
    chances: &[Real],
    writes: &[Box<[Write]>],
    state: &[u32],
    out: &mut Outcomes,
) -> Result<u64, Failure> {
    let mut numbers = std::mem::take(&mut out.numbers);
    evaluate(chances, state, &mut numbers)?;
    let shared = shared(&numbers);
    for (number, writes) in numbers.iter().zip(writes).filter(|(number, _)| !number.is_zero()) {
        outcome(chance(*number, shared)?, writes, state, out)?;
    }
    out.numbers = numbers;
    Ok(shared)
}

/// The chances in a state, each a chance and together 1.
fn evaluate(chances: &[Real], state: &[u32], numbers: &mut Vec<Number>) -> Result<(), Failure> {
    numbers.clear();
    for chance in chances {
        let value = chance.value(state)?;
        if value.is_negative() || value > Number::ONE {
            return Err(Failure::Chance(value));
        }
        numbers.push(value);
    }
    chances::completed(numbers).map_err(|sum| sum.map_or(Failure::Precision, Failure::Sum))
}

/// A table of the chances, where they depend on few variables with few values.
fn tabled(chances: &[Real], program: &Program, left: &mut usize) -> Option<Chances> {
    let mut read = Vec::new();
    chances.iter().for_each(|chance| chance.reads(&mut read));
    read.sort_unstable();
    read.dedup();
    let most = |slot: u32| program.variables[slot as usize].domain.most() as usize;
    let mut slots = Vec::with_capacity(read.len());
    let mut count = 1_usize;
    for slot in read {
        slots.push((slot, count));
        count = count.checked_mul(most(slot) + 1).filter(|count| *count <= LIMIT_ROWS)?;
    }
    *left = left.checked_sub(count * chances.len())?;
    let mut state = vec![0; program.variables.len()];
    let mut numbers = Vec::new();
    let mut row = |number: usize| {
        for (slot, stride) in &slots {
            let value = number / stride % (most(*slot) + 1);
            state[*slot as usize] = u32::try_from(value).expect("slots are numbers of 32 bits");
        }
        evaluate(chances, &state, &mut numbers)?;
        let shared = shared(&numbers);
        let chances: Result<Box<[Chance]>, Failure> =
            numbers.iter().map(|number| chance(*number, shared)).collect();
        Ok((chances?, shared))
    };
    let rows = (0..count).map(&mut row).collect();
    Some(Chances::Tabled { slots: slots.into(), rows })
}

/// The least common denominator; 0 where it does not fit.
fn shared(numbers: &[Number]) -> u64 {
    let least = numbers.iter().try_fold(1_u64, |least, number| {
        let (_, denominator) = number.parts()?;
        (least / gcd(least, denominator)).checked_mul(denominator)
    });
    least.unwrap_or(0)
}

fn chance(number: Number, shared: u64) -> Result<Chance, Failure> {
    let ratio = number.ratio().ok_or(Failure::Precision)?;
    let over = |(above, below): (u64, u64)| above * (shared / below);
    let numerator = if shared == 0 { 0 } else { ratio.words().map_or(0, over) };
    Ok(Chance { ratio, numerator })
}

/// Outcomes that change the same become one.
fn merge(out: &mut Outcomes, start: usize, shared: &mut u64) -> Result<(), Failure> {
    let mut kept = start + 1;
    for next in start + 1..out.list.len() {
        let one = out.list[next];
        let equal = (start..kept).find(|&other| out.writes(out.list[other]) == out.writes(one));
        match equal {
            Some(other) => {
                let chance = &mut out.list[other].chance;
                chance.ratio = chance.ratio.checked_add(one.chance.ratio).ok_or(Failure::Precision)?;
                chance.numerator += one.chance.numerator;
            }
            None => {
                out.list[kept] = one;
                kept += 1;
            }
        }
    }
    out.list.truncate(kept);
    if kept == start + 1 {
        // Only one is left, and it is certain.
        out.list[start].chance = Chance { ratio: Ratio::ONE, numerator: 1 };
        *shared = 1;
    }
    Ok(())
}

fn effect(command: &Command, program: &Program, left: &mut usize) -> Effect {
    let fixed: Option<Vec<Number>> = command.updates.iter().map(|update| update.chance.constant()).collect();
    let writes = |number: usize| writes(command, number, program);
    if let Some(mut numbers) = fixed
        && chances::completed(&mut numbers).is_ok()
    {
        let shared = shared(&numbers);
        let real = |number: &usize| !numbers[*number].is_zero();
        let taken: Vec<usize> = (0..numbers.len()).filter(real).collect();
        let chances: Result<Box<[Chance]>, Failure> =
            taken.iter().map(|number| chance(numbers[*number], shared)).collect();
        if let Ok(chances) = chances {
            let writes = taken.into_iter().map(writes).collect();
            return Effect { chances: Chances::Fixed { chances, shared }, writes };
        }
    }
    let chances: Box<[Real]> = command.updates.iter().map(|update| update.chance.clone()).collect();
    let chances = tabled(&chances, program, left).unwrap_or(Chances::Computed(chances));
    Effect { chances, writes: (0..command.updates.len()).map(writes).collect() }
}

fn writes(command: &Command, update: usize, program: &Program) -> Box<[Write]> {
    let write = |assignment: &crate::program::Assignment| {
        let slot = assignment.slot;
        let domain = program.variables[slot as usize].domain;
        let low = if let Domain::Range { low, .. } = domain { low } else { 0 };
        let most = domain.most();
        match &assignment.value {
            Assigned::Test(Test::Constant(value)) => Write::Constant { slot, value: u32::from(*value) },
            Assigned::Test(test) => Write::Test { slot, test: test.clone() },
            Assigned::Whole(Whole::Constant(value)) if (low..=low + i64::from(most)).contains(value) => {
                Write::Constant { slot, value: u32::try_from(value - low).expect("it is within the range") }
            }
            Assigned::Whole(Whole::Variable { slot: from, base }) if base.unsigned_abs() < 1 << 60 => {
                Write::Shifted { slot, from: *from, by: base - low, most }
            }
            Assigned::Whole(whole) => Write::Whole { slot, whole: whole.clone(), low, most },
        }
    };
    let mut writes: Vec<Write> = command.updates[update].assignments.iter().map(write).collect();
    writes.sort_by_key(|write| match write {
        Write::Constant { slot, .. }
        | Write::Shifted { slot, .. }
        | Write::Test { slot, .. }
        | Write::Whole { slot, .. } => *slot,
    });
    writes.into()
}
