//! The product of a process with a deterministic automaton, as far as it can be reached.

use motet_evidence::Stop;
use motet_model::{AtomId, Ratio};
use motet_property::Formula;
use rustc_hash::FxHashMap;

use super::super::matrix::{Matrix, narrow};
use super::super::values::Focus;
use super::Product;
use crate::exploration::graph::NONE;
use crate::exploration::limits::Meter;
use crate::linear_time::automata::{Deterministic, Settled};
use crate::storage::bits::Bits;

/// Nodes between two looks at the clock.
const TICK: usize = 4096;

impl Product {
    pub(super) fn of(
        process: &Matrix,
        columns: &[Bits],
        mut automaton: Deterministic,
        focus: Focus,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stop> {
        let letters = letters(process.n_states(), automaton.propositions(), columns);
        let mut building = Building::new(process);
        let mut known = 0;
        let begin: Vec<u32> = match focus {
            Focus::Initial => process.initial.clone(),
            Focus::Everywhere => (0..narrow(process.n_states())).collect(),
        };
        for &state in &begin {
            building.product.starts[state as usize] = building.node((Deterministic::START, state));
        }
        building.product.matrix.initial =
            process.initial.iter().map(|&state| building.product.starts[state as usize]).collect();
        while building.product.colours.len() < building.product.places.len() {
            let number = building.product.colours.len();
            let (mode, state) = building.product.places[number];
            // A letter that was not read before may be a lot of work.
            if number.is_multiple_of(TICK) || automaton.n_states() > known {
                known = automaton.n_states();
                meter.tick(building.product.bytes() + 8 * letters.len() as u64)?;
            }
            if state == NONE {
                building.absorb(narrow(number), mode);
                continue;
            }
            let read = automaton.read(mode, letters[state as usize]).map_err(|_| too_large())?;
            building.product.colours.push(read.colour);
            let settled = automaton.settled(read.target);
            building.expand(process, state, read.target, settled);
        }
        Ok(building.done())
    }

    fn bytes(&self) -> u64 {
        let per_branch = 4 + 8 + 4;
        self.matrix.targets.len() as u64 * per_branch + self.places.len() as u64 * 40
    }
}

/// A product while it is built.
struct Building {
    product: Product,
    numbers: FxHashMap<(u32, u32), u32>,
    /// The number of certainty among the chances.
    certain: u32,
}

/// The modes of the two nodes in which nothing matters any more.
const ACCEPTED: u32 = 0;
const REJECTED: u32 = 1;

impl Building {
    fn new(process: &Matrix) -> Self {
        let mut ratios = process.ratios.clone();
        ratios.push(Ratio::ONE);
        let certain = narrow(ratios.len() - 1);
        let product = Product {
            matrix: Matrix { ratios, ..Matrix::default() },
            places: Vec::new(),
            colours: Vec::new(),
            origins: Vec::new(),
            starts: vec![NONE; process.n_states()],
        };
        Self { product, numbers: FxHashMap::default(), certain }
    }

    fn node(&mut self, place: (u32, u32)) -> u32 {
        let fresh = narrow(self.product.places.len());
        *self.numbers.entry(place).or_insert_with(|| {
            self.product.places.push(place);
            fresh
        })
    }

    fn expand(&mut self, process: &Matrix, state: u32, mode: u32, settled: Settled) {
        self.product.matrix.choices.push(narrow(self.product.origins.len()));
        for choice in process.choices_of(state) {
            self.begin(narrow(choice), process.delays[choice]);
            for branch in process.branches_of(choice) {
                let place = match settled {
                    Settled::Accepts => (ACCEPTED, NONE),
                    Settled::Rejects => (REJECTED, NONE),
                    Settled::Open => (mode, process.targets[branch]),
                };
                let target = self.node(place);
                self.product.matrix.targets.push(target);
                self.product.matrix.chances.push(process.chances[branch]);
                self.product.matrix.exact.push(process.exact[branch]);
            }
        }
    }

    /// A node that only leads to itself.
    fn absorb(&mut self, number: u32, verdict: u32) {
        self.product.colours.push(verdict);
        self.product.matrix.choices.push(narrow(self.product.origins.len()));
        self.begin(NONE, 1);
        self.product.matrix.targets.push(number);
        self.product.matrix.chances.push(1.0);
        self.product.matrix.exact.push(self.certain);
    }

    fn begin(&mut self, origin: u32, delay: u32) {
        self.product.matrix.branches.push(narrow(self.product.matrix.targets.len()));
        self.product.matrix.delays.push(delay);
        self.product.origins.push(origin);
    }

    fn done(mut self) -> Product {
        let matrix = &mut self.product.matrix;
        matrix.choices.push(narrow(matrix.branches.len()));
        matrix.branches.push(narrow(matrix.targets.len()));
        self.product
    }
}

fn too_large() -> Stop {
    Stop::Unsupported("a formula inside `P` whose deterministic automaton is this large".to_owned())
}

/// Per state: the propositions that hold there.
fn letters(n: usize, propositions: &[Formula<AtomId>], columns: &[Bits]) -> Vec<u64> {
    let letter = |state: usize| {
        let bits = propositions.iter().enumerate();
        bits.fold(0, |letter, (bit, formula)| letter | u64::from(holds(formula, columns, state)) << bit)
    };
    (0..n).map(letter).collect()
}

fn holds(formula: &Formula<AtomId>, columns: &[Bits], state: usize) -> bool {
    formula.truth(&mut |leaf| match leaf {
        Formula::Atom(atom) => columns[atom.index()].get(state),
        // The caller has evaluated everything else.
        _ => false,
    })
}
