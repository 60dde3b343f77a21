//! Which commands are enabled. The commands of a module are looked at 64 at a time: for each variable that alone decides a part
//! of some guards, a table says for each of its values which of the commands may still be enabled. Only what reads several
//! variables is computed.

use crate::expr::{Outcome, Test, Trouble};
use crate::program::{CommandId, Program, Variable};

/// Variables with more values than this get no table.
const LIMIT_VALUES: u32 = 1_024;
/// How many entries all tables together may have.
const LIMIT_ENTRIES: usize = 8 << 20;

/// All commands, in blocks.
#[derive(Debug)]
pub(crate) struct Guards {
    blocks: Vec<Block>,
    /// Block and bit of each command.
    places: Vec<(u32, u32)>,
}

#[derive(Debug)]
struct Block {
    /// The commands that may be enabled at all.
    possible: u64,
    tables: Vec<Table>,
    /// What the tables do not say, for each command.
    rest: Vec<Box<[Test]>>,
    /// The commands for which there is some of it.
    unsettled: u64,
    /// The command of the first bit.
    first: u32,
}

#[derive(Debug)]
struct Table {
    slot: u32,
    masks: Box<[u64]>,
}

impl Guards {
    pub(crate) fn of(program: &Program) -> Self {
        let mut guards = Self { blocks: Vec::new(), places: Vec::new() };
        let mut entries = 0;
        let mut first = 0;
        while first < program.commands.len() {
            let module = program.commands[first].module;
            let same =
                program.commands[first..].iter().take(64).take_while(|command| command.module == module);
            let count = same.count();
            let tests = program.commands[first..first + count].iter().map(|command| command.guard.clone());
            let number = u32::try_from(guards.blocks.len()).expect("there are fewer blocks than commands");
            guards.places.extend((0..).take(count).map(|bit| (number, bit)));
            let start = CommandId::of(first).0;
            guards.blocks.push(Block::of(tests.collect(), &program.variables, start, &mut entries));
            first += count;
        }
        guards
    }

    /// Block and bit of a command.
    pub(crate) fn place(&self, command: CommandId) -> (u32, u32) {
        self.places[command.index()]
    }

    /// The command at a bit of a block.
    pub(crate) fn command(&self, block: u32, bit: u32) -> CommandId {
        CommandId(self.blocks[block as usize].first + bit)
    }

    /// The enabled commands of each block.
    ///
    /// # Errors
    /// The command whose guard has no value.
    #[inline]
    pub(crate) fn enabled(&self, state: &[u32], masks: &mut Vec<u64>) -> Result<(), (CommandId, Trouble)> {
        masks.clear();
        for block in &self.blocks {
            let mut mask = block.possible;
            for table in &block.tables {
                mask &= table.masks[state[table.slot as usize] as usize];
                if mask == 0 {
                    break;
                }
            }
            let mut unsettled = mask & block.unsettled;
            while unsettled != 0 {
                let bit = unsettled.trailing_zeros();
                unsettled &= unsettled - 1;
                match holds(&block.rest[bit as usize], state) {
                    Ok(true) => {}
                    Ok(false) => mask &= !(1 << bit),
                    Err(trouble) => return Err((CommandId(block.first + bit), trouble)),
                }
            }
            masks.push(mask);
        }
        Ok(())
    }
}

#[inline]
fn holds(tests: &[Test], state: &[u32]) -> Outcome<bool> {
    for test in tests {
        if !test.holds(state)? {
            return Ok(false);
        }
    }
    Ok(true)
}

impl Block {
    fn of(guards: Vec<Test>, variables: &[Variable], first: u32, entries: &mut usize) -> Self {
        let mut block = Self { possible: 0, tables: Vec::new(), rest: Vec::new(), unsettled: 0, first };
        let mut probe: Vec<u32> = vec![0; variables.len()];
        for (bit, guard) in guards.into_iter().enumerate() {
            let conjuncts = match guard {
                Test::And(parts) => parts,
                other => vec![other],
            };
            let mut rest = Vec::new();
            let mut possible = true;
            for test in conjuncts {
                match test {
                    Test::Constant(value) => possible &= value,
                    test => {
                        if !block.tabled(&test, bit, variables, &mut probe, entries) {
                            rest.push(test);
                        }
                    }
                }
            }
            if possible {
                block.possible |= 1 << bit;
            }
            if !rest.is_empty() {
                block.unsettled |= 1 << bit;
            }
            block.rest.push(rest.into_boxed_slice());
        }
        // The table that leaves least comes first.
        let open = |table: &Table| {
            let ones: u64 =
                table.masks.iter().map(|mask| u64::from((mask & block.possible).count_ones())).sum();
            ones * 1_000 / table.masks.len() as u64
        };
        block.tables.sort_by_cached_key(open);
        block
    }

    /// Writes a condition on one variable into that variable's table.
    fn tabled(
        &mut self,
        test: &Test,
        bit: usize,
        variables: &[Variable],
        probe: &mut [u32],
        entries: &mut usize,
    ) -> bool {
        let mut slots = Vec::new();
        test.reads(&mut slots);
        slots.sort_unstable();
        slots.dedup();
        let [slot] = slots[..] else { return false };
        let most = variables[slot as usize].domain.most();
        if most >= LIMIT_VALUES {
            return false;
        }
        let mut held = Vec::with_capacity(most as usize + 1);
        for value in 0..=most {
            probe[slot as usize] = value;
            match test.holds(probe) {
                Ok(value) => held.push(value),
                Err(_) => return false,
            }
        }
        let number = match self.tables.iter().position(|table| table.slot == slot) {
            Some(number) => number,
            None => {
                *entries += most as usize + 1;
                if *entries > LIMIT_ENTRIES {
                    return false;
                }
                self.tables.push(Table { slot, masks: vec![u64::MAX; most as usize + 1].into() });
                self.tables.len() - 1
            }
        };
        for (mask, held) in self.tables[number].masks.iter_mut().zip(held) {
            if !held {
                *mask &= !(1 << bit);
            }
        }
        true
    }
}
