//! Choices with a memory, written out: what to do in which state with what is remembered, and how that changes.

use motet_evidence::Memory;

use super::values::Values;

/// More decisions than this are of no use to anybody.
pub(crate) const DECISIONS: usize = 100_000;

/// Values of the process, and the choices that bring them about.
#[derive(Clone, Debug)]
pub(crate) struct Tracked {
    pub(crate) values: Values,
    /// Where somebody chooses and the choices are not too many.
    pub(crate) plan: Option<Plan>,
}

/// Choices that depend on what is remembered of a run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) memory: Memory,
    /// What is remembered at the start.
    pub(crate) start: u64,
    /// In the order of distance from the start, where a state has several choices and can be met under these choices.
    pub(crate) moves: Vec<Move>,
    /// What is remembered after a state that was entered with a memory, where it is something else.
    pub(crate) turns: Vec<(u32, u64, u64)>,
    /// Who is owed a move and gets none on runs that follow these moves, where strategies are fair.
    pub(crate) passed_over: Vec<u32>,
}

/// What to do in one state with one memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    pub(crate) state: u32,
    pub(crate) memory: u64,
    /// By its number in the matrix of the process.
    pub(crate) choice: u32,
}

impl Plan {
    pub(crate) fn new(memory: Memory, start: u64) -> Self {
        Self { memory, start, moves: Vec::new(), turns: Vec::new(), passed_over: Vec::new() }
    }

    /// Adds a decision; `None` where there are too many.
    pub(crate) fn push(&mut self, step: Move) -> Option<()> {
        self.moves.push(step);
        (self.moves.len() <= DECISIONS).then_some(())
    }

    /// Adds a change of what is remembered; `None` where there are too many.
    pub(crate) fn turn(&mut self, state: u32, memory: u64, next: u64) -> Option<()> {
        self.turns.push((state, memory, next));
        (self.turns.len() <= DECISIONS).then_some(())
    }
}
