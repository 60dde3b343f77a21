//! Numbers by look-up: a model is solved once, and then every state and every choice has its values.
//!
//! The values of choices are those of [`crate::chance`]: the choice is taken now, and afterwards everything goes as the query
//! asks. A state that the exploration did not meet may look like states that it met; `advice_views` gathers those.

use motet_evidence::{Fit, Over, Stop};
use motet_model::{ActionId, AtomId, Model, State, Steps};
use motet_property::{Claim, Extremum};

use crate::chance::{Advised, advised, rewards_of};
use crate::checking::check::atoms_of;
use crate::checking::settings::Settings;
use crate::exploration::explore::{Edges, Plan, explore};
use crate::exploration::graph::Graph;
use crate::exploration::limits::{Meter, Progress};
use crate::runtime::advice_views::Views;
use crate::storage::store::{Arena, Store};

/// A number that is certain to lie between two others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Not less.
    pub low: f64,
    /// Not more.
    pub high: f64,
}

impl Bounds {
    /// What encloses both.
    pub(crate) fn joined(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// What queries ask for in one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// How the state fits.
    pub fit: Fit,
    /// Per query. Empty outside.
    pub now: Vec<Bounds>,
    /// Per choice: its action, and per query what it is worth to take it. Empty where there is nothing to choose.
    pub choices: Vec<(ActionId, Vec<Bounds>)>,
}

/// Why a model could not be solved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which query stands in the way, if one does.
    pub query: Option<usize>,
    /// What stopped it.
    pub stop: Stop,
}

/// A solved model.
#[derive(Debug)]
pub struct ActionValues {
    store: Arena,
    over: Over,
    extrema: Vec<Extremum>,
    pub(crate) table: Table,
    views: Option<Views>,
}

/// Values of states and choices by number.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) n_states: usize,
    /// Per query, per state.
    pub(crate) states: Vec<Vec<(f64, f64)>>,
    /// Per state: where its choices start, for those that have several; one more at the end.
    pub(crate) starts: Vec<u32>,
    /// Per choice.
    pub(crate) actions: Vec<ActionId>,
    /// Per query, per choice.
    pub(crate) choices: Vec<Vec<(f64, f64)>>,
}

/// Solves a model for queries. `watch` is told about ten times a second how far it is.
///
/// # Errors
/// A [`Refusal`] where a query has no number for every state, or a limit is reached: a part of a model answers nothing.
pub fn action_values(
    model: &dyn Model,
    queries: &[Claim<AtomId>],
    settings: &Settings,
    watch: &mut dyn FnMut(Progress),
) -> Result<ActionValues, Refusal> {
    let mut meter = Meter::new(&settings.limits, watch).with_threads(settings.threads);
    let plan = Plan {
        atoms: atoms_of(queries),
        edges: Edges::KeepChances,
        order: settings.order,
        rewards: rewards_of(model, queries),
        goals: Vec::new(),
        threads: settings.threads,
        partial_order: None,
        chains: None,
    };
    let mut graph = explore(model, plan, &mut meter);
    let solved = advised(model, &graph, queries, settings, &mut meter);
    let (matrix, solved) = solved.map_err(|(query, stop)| Refusal { query, stop })?;
    let several = |state: u32| matrix.choices_of(state).len() > 1;
    let refused = |stop| Refusal { query: None, stop };
    let (starts, actions) = actions(model, &graph, &several, &mut meter).map_err(refused)?;
    let over = settings.over(matrix.is_chain());
    drop(matrix);
    graph.rows = None;
    let extrema = solved.iter().map(|advised| advised.extremum).collect();
    let mut table = Table { n_states: graph.n_states(), starts, actions, ..Table::default() };
    for Advised { states, choices, .. } in solved {
        table.states.push(states);
        table.choices.push(choices);
    }
    let views = Views::of(model, &graph, &table, &mut meter).map_err(refused)?;
    let mut store = graph.store;
    store.thaw();
    Ok(ActionValues { store, over, extrema, table, views })
}

/// The actions of the states that have several choices. Rows have none, so the model is asked again.
fn actions(
    model: &dyn Model,
    graph: &Graph,
    several: &dyn Fn(u32) -> bool,
    meter: &mut Meter<'_>,
) -> Result<(Vec<u32>, Vec<ActionId>), Stop> {
    let number = |n: usize| u32::try_from(n).map_err(|_| Stop::Memory);
    let (mut starts, mut actions) = (vec![0], Vec::new());
    let (mut state, mut steps) = (Vec::new(), Steps::new(model.signature().slots.len()));
    for at in 0..number(graph.n_states())? {
        if several(at) {
            graph.store.load(at, &mut state);
            steps.clear();
            model.steps(&state, &mut steps).expect("the exploration met no fault");
            actions.extend(steps.iter().map(|step| step.action));
        }
        starts.push(number(actions.len())?);
        if at.is_multiple_of(1024) {
            meter.tick(4 * (starts.capacity() + actions.capacity()) as u64)?;
        }
    }
    Ok((starts, actions))
}

impl ActionValues {
    /// Which strategies the numbers are over.
    #[must_use]
    pub fn over(&self) -> Over {
        self.over
    }

    /// What the queries ask for in this state: its own values if the model has it, else the range over those that look the same.
    #[must_use]
    pub fn of(&self, model: &dyn Model, state: &State) -> Worth {
        match self.store.find(state) {
            Some(number) => self.exactly(number),
            None => self.as_seen(model, state),
        }
    }

    /// The range over all states that look the same, for a state of which no more is known.
    #[must_use]
    pub fn as_seen(&self, model: &dyn Model, state: &State) -> Worth {
        match &self.views {
            Some(views) => views.find(model, state, self),
            None => self.store.find(state).map_or(Worth::OUTSIDE, |number| self.exactly(number)),
        }
    }

    /// The values of a state that the model has.
    pub(crate) fn exactly(&self, number: u32) -> Worth {
        let Table { states, starts, actions, choices, .. } = &self.table;
        let at = |&(low, high): &(f64, f64)| Bounds { low, high };
        let here = starts[number as usize] as usize..starts[number as usize + 1] as usize;
        let worth = |choice: usize| {
            let values = choices.iter().map(|query| at(&query[choice])).collect();
            (actions[choice], values)
        };
        let now = states.iter().map(|query| at(&query[number as usize])).collect();
        Worth { fit: Fit::Exact, now, choices: here.map(worth).collect() }
    }

    /// Whether the state with this number is this one.
    pub(crate) fn is(&self, number: u32, state: &State) -> bool {
        self.store.is(number, state)
    }

    /// Per query: whether it asks for the greatest or the least.
    #[must_use]
    pub fn extrema(&self) -> &[Extremum] {
        &self.extrema
    }

    /// How many states have their own values.
    #[must_use]
    pub fn n_states(&self) -> usize {
        self.table.n_states
    }

    /// How many situations observers can tell apart; `None` where the model has no observers.
    #[must_use]
    pub fn n_situations(&self) -> Option<usize> {
        self.views.as_ref().map(Views::len)
    }

    /// Copies the state with this number into `out`; numbers are smaller than [`ActionValues::n_states`].
    pub fn state(&self, number: u32, out: &mut Vec<u32>) {
        self.store.load(number, out);
    }

    /// Memory in use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let Table { states, starts, actions, choices, .. } = &self.table;
        let values: usize = states.iter().chain(choices).map(Vec::capacity).sum();
        let words = starts.capacity() + actions.capacity();
        self.store.bytes() + (16 * values + 4 * words) as u64 + self.views.as_ref().map_or(0, Views::bytes)
    }
}

impl Worth {
    pub(crate) const OUTSIDE: Self = Self { fit: Fit::Outside, now: Vec::new(), choices: Vec::new() };
}
