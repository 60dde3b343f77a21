//! The reachable states of a model and the steps between them, for those who ask what no claim says: reports about nets, drawings, a
//! model written out state by state. They come from the one exploration, with its limits and its threads; what is asked of them
//! afterwards looks at the same limits.

use std::cell::{Cell, RefCell};

use motet_evidence::{Coverage, Run, Stop};
use motet_model::{ActionId, Fault, Model, State, Steps};

use crate::checking::settings::Settings;
use crate::components;
use crate::exploration::explore::{Edges, Plan, explore};
use crate::exploration::graph::{Graph, Rows};
use crate::exploration::limits::{Meter, Progress};
use crate::storage::store::Store;

/// Between two looks at the limits, in states or edges.
const TICK: u32 = 4096;

/// What was explored of a model.
pub struct Space<'a> {
    model: &'a dyn Model,
    graph: Graph,
    meter: RefCell<Meter<'a>>,
}

/// A state whose steps are known.
pub struct Place<'s> {
    /// States are numbered from 0 in the order of their distance from the start.
    pub number: u32,
    /// The state.
    pub state: &'s State,
    /// Its steps.
    pub steps: &'s Steps,
    /// The states that its steps lead to, step by step and branch by branch; a branch without any chance leads nowhere.
    pub targets: &'s [u32],
}

/// Which states lie in components that no run leaves.
pub struct LastComponents {
    /// Per state: the number of its component if no run leaves it.
    component: Vec<u32>,
    /// How many there are.
    pub n: usize,
}

/// The state lies in a component that runs leave.
const LEFT: u32 = u32::MAX;

impl LastComponents {
    /// The number of the state's component, if no run leaves that.
    #[must_use]
    pub fn of(&self, state: u32) -> Option<usize> {
        self.component.get(state as usize).filter(|number| **number != LEFT).map(|number| *number as usize)
    }

    /// How many states there are in them.
    #[must_use]
    pub fn n_states(&self) -> u64 {
        self.component.iter().filter(|number| **number != LEFT).count() as u64
    }
}

impl<'a> Space<'a> {
    /// Explores a model up to the limits of the settings, with as many threads as they say.
    pub fn explore(model: &'a dyn Model, settings: &'a Settings, watch: &'a mut dyn FnMut(Progress)) -> Self {
        let mut meter = Meter::new(&settings.limits, watch).with_threads(settings.threads);
        let plan = Plan { edges: Edges::Keep, threads: settings.threads, ..Plan::default() };
        let graph = explore(model, plan, &mut meter);
        meter.hold(graph.bytes());
        Self { model, graph, meter: RefCell::new(meter) }
    }

    /// How many states were found.
    #[must_use]
    pub fn n_states(&self) -> u32 {
        u32::try_from(self.graph.n_states()).expect("states are numbered with 32 bits")
    }

    /// How many of them are initial; they are the first.
    #[must_use]
    pub fn n_initial(&self) -> u32 {
        self.graph.initial.iter().max().map_or(0, |last| last + 1)
    }

    /// Why not everything was seen; `None` if it was.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        self.graph.obstacle()
    }

    /// Where the model could not say what comes next, and the run to it.
    #[must_use]
    pub fn fault(&self) -> Option<(&Fault, Run)> {
        let (state, fault) = self.graph.fault.as_ref()?;
        Some((fault, self.graph.run_to(self.model, *state)))
    }

    /// How much was seen, and what it took.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let meter = self.meter.borrow();
        Coverage {
            states: self.graph.n_states() as u64,
            transitions: self.graph.transitions,
            complete: self.graph.is_complete(),
            depth: self.graph.depth,
            seconds: meter.elapsed().as_secs_f64(),
            explored_seconds: meter.elapsed().as_secs_f64(),
            peak_bytes: meter.peak(),
            choices: self.graph.choices,
            open: self.graph.open,
        }
    }

    /// Whether the steps of a state are known.
    #[must_use]
    pub fn is_settled(&self, state: u32) -> bool {
        self.graph.settled.get(state as usize)
    }

    /// The state with this number.
    pub fn load(&self, state: u32, out: &mut Vec<u32>) {
        self.graph.store.load(state, out);
    }

    /// States in which nothing can happen, the nearest first.
    pub fn deadlocks(&self) -> impl Iterator<Item = u32> {
        let number = |state| u32::try_from(state).expect("states are numbered with 32 bits");
        self.graph.deadlocks.ones().map(number)
    }

    /// Actions that some step has.
    #[must_use]
    pub fn actions_taken(&self) -> Vec<ActionId> {
        self.graph.actions_taken()
    }

    /// A shortest run to a state.
    #[must_use]
    pub fn run_to(&self, state: u32) -> Run {
        self.graph.run_to(self.model, state)
    }

    /// Shows every state, known steps or not, in the order of their numbers.
    ///
    /// # Errors
    /// A limit.
    pub fn look(&self, visit: &mut dyn FnMut(u32, &State)) -> Result<(), Stop> {
        let mut state = Vec::new();
        for number in 0..self.n_states() {
            self.tick(number, 0)?;
            self.graph.store.load(number, &mut state);
            visit(number, &state);
        }
        Ok(())
    }

    /// Shows the states whose steps are known and that are `wanted`, in the order of their numbers. The model is asked for the steps again.
    ///
    /// # Errors
    /// A limit.
    pub fn walk(
        &self,
        wanted: &dyn Fn(u32) -> bool,
        visit: &mut dyn FnMut(Place<'_>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let rows = self.rows();
        let (mut state, mut targets) = (Vec::new(), Vec::new());
        let mut steps = Steps::new(self.model.signature().slots.len());
        for number in 0..self.n_states() {
            self.tick(number, 0)?;
            if !self.graph.settled.get(number as usize) || !wanted(number) {
                continue;
            }
            self.graph.store.load(number, &mut state);
            steps.clear();
            self.model.steps(&state, &mut steps).expect("the steps of a settled state are known");
            targets.clear();
            targets.extend(rows.row(number).map(|edge| rows.target(edge)));
            visit(Place { number, state: &state, steps: &steps, targets: &targets })?;
        }
        Ok(())
    }

    /// The components that no run leaves. They say something of the model only if everything was seen.
    ///
    /// # Errors
    /// A limit.
    pub fn last_components(&self) -> Result<LastComponents, Stop> {
        let (rows, n) = (self.rows(), self.n_states());
        // Four numbers of 32 bits for each state, and its place on two stacks.
        self.meter.borrow().reserve(40 * u64::from(n))?;
        let (stop, edges) = (Cell::new(None), Cell::new(0_u32));
        let successor = |state: usize, number: usize| {
            edges.set(edges.get().wrapping_add(1));
            if edges.get().is_multiple_of(TICK)
                && let Err(reason) = self.tick(0, 40 * u64::from(n))
            {
                stop.set(Some(reason));
            }
            let ended = stop.take();
            let is_over = ended.is_some();
            stop.set(ended);
            let row = rows.row(u32::try_from(state).ok()?);
            // With the limit behind it the search comes to its end without looking at anything more.
            (!is_over && number < row.len()).then(|| rows.target(row.start + number as u32) as usize)
        };
        let (component, n_components) = components(n as usize, successor);
        if let Some(stop) = stop.into_inner() {
            return Err(stop);
        }
        let mut is_left = vec![false; n_components as usize];
        for state in 0..n {
            self.tick(state, 40 * u64::from(n))?;
            let own = component[state as usize];
            let leaves = rows.row(state).any(|edge| component[rows.target(edge) as usize] != own);
            is_left[own as usize] |= leaves;
        }
        let mut n_last = 0;
        let mut number = |is_left: &bool| {
            n_last += u32::from(!is_left);
            if *is_left { LEFT } else { n_last - 1 }
        };
        let numbers: Vec<u32> = is_left.iter().map(&mut number).collect();
        let component = component.into_iter().map(|own| numbers[own as usize]).collect();
        Ok(LastComponents { component, n: n_last as usize })
    }

    fn rows(&self) -> &Rows {
        self.graph.rows.as_ref().expect("the exploration keeps the edges")
    }

    /// Looks at the limits now and then.
    fn tick(&self, number: u32, bytes: u64) -> Result<(), Stop> {
        if number.is_multiple_of(TICK) { self.meter.borrow_mut().tick(bytes) } else { Ok(()) }
    }
}
