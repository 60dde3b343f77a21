//! States that look the same to all observers together, and the range of their values.

use motet_evidence::Stop;
use motet_model::{ActionId, Model, ObserverId, State};

use motet_evidence::Fit;

use crate::exploration::graph::Graph;
use crate::exploration::limits::Meter;
use crate::runtime::advice::{ActionValues, Bounds, Table, Worth};
use crate::storage::store::{Arena, Store};

/// Between two looks at the clock, in states.
const TICK: usize = 1024;

/// What observers see of the states of a model. Situations that look the same are one view, with a number.
#[derive(Debug)]
pub(crate) struct Views {
    seen: Arena,
    /// The numbers that the longest view has.
    width: usize,
    /// Per view: how many states look like this, and the last of them.
    members: Vec<(u32, u32)>,
    /// Per query, per view: the range.
    now: Vec<Vec<Bounds>>,
    /// Per view: where its choices start; one more at the end.
    starts: Vec<u32>,
    actions: Vec<ActionId>,
    /// Per query, per choice of a view: the range over the states that have this choice.
    choices: Vec<Vec<Bounds>>,
}

impl Views {
    /// What the observers of a model see; `None` without observers.
    pub(crate) fn of(
        model: &dyn Model,
        graph: &Graph,
        table: &Table,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, Stop> {
        if model.signature().observers.is_empty() {
            return Ok(None);
        }
        let (mut state, mut view, mut width) = (Vec::new(), Vec::new(), 0);
        for number in 0..table.n_states {
            graph.store.load(narrow(number), &mut state);
            observe(model, &state, &mut view);
            width = width.max(view.len());
            if number.is_multiple_of(TICK) {
                meter.tick(0)?;
            }
        }
        let mut seen = Arena::new(width);
        let mut members: Vec<(u32, u32)> = Vec::new();
        let mut of = Vec::with_capacity(table.n_states);
        for number in 0..table.n_states {
            graph.store.load(narrow(number), &mut state);
            observe(model, &state, &mut view);
            view.resize(width, 0);
            let (found, _) = seen.insert(&view).ok_or(Stop::Memory)?;
            if members.len() == found as usize {
                members.push((0, 0));
            }
            members[found as usize] = (members[found as usize].0 + 1, narrow(number));
            of.push(found);
            if number.is_multiple_of(TICK) {
                meter.tick(seen.bytes() + 4 * of.capacity() as u64 + 8 * members.capacity() as u64)?;
            }
        }
        let mut views = Self {
            seen,
            width,
            now: ranges(&of, &table.states, members.len()),
            members,
            starts: vec![0],
            actions: Vec::new(),
            choices: vec![Vec::new(); table.choices.len()],
        };
        views.gather(&of, table);
        Ok(Some(views))
    }

    /// The choices of views: an action that several states offer has the range over them.
    fn gather(&mut self, of: &[u32], table: &Table) {
        let mut offered: Vec<(u32, ActionId, u32)> = Vec::with_capacity(table.actions.len());
        for (state, &view) in of.iter().enumerate() {
            for choice in table.starts[state]..table.starts[state + 1] {
                offered.push((view, table.actions[choice as usize], choice));
            }
        }
        // Within a view choices come in the order of the first state that has them, which is the model's.
        offered.sort_by_key(|&(view, action, choice)| (view, action, choice));
        let mut groups: Vec<&[(u32, ActionId, u32)]> =
            offered.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)).collect();
        groups.sort_by_key(|group| (group[0].0, group[0].2));
        for group in groups {
            while self.starts.len() <= group[0].0 as usize {
                self.starts.push(narrow(self.actions.len()));
            }
            self.actions.push(group[0].1);
            for (ranges, values) in self.choices.iter_mut().zip(&table.choices) {
                let bounds = group.iter().map(|&(_, _, choice)| bounds(values[choice as usize]));
                ranges.push(bounds.reduce(Bounds::joined).expect("a group has members"));
            }
        }
        let end = narrow(self.actions.len());
        self.starts.resize(self.members.len() + 1, end);
    }

    /// The range over the states that look like this one.
    pub(crate) fn find(&self, model: &dyn Model, state: &State, values: &ActionValues) -> Worth {
        if state.len() != model.signature().slots.len() {
            return Worth::OUTSIDE;
        }
        let mut view = Vec::with_capacity(self.width);
        observe(model, state, &mut view);
        if view.len() > self.width {
            return Worth::OUTSIDE;
        }
        view.resize(self.width, 0);
        let Some(number) = self.seen.find(&view) else { return Worth::OUTSIDE };
        let number = number as usize;
        let (situations, only) = self.members[number];
        if situations == 1 {
            // Nothing that the observers do not see is open.
            let fit = Fit::Similar { situations };
            let worth = values.exactly(only);
            let same = values.is(only, state);
            return if same { worth } else { Worth { fit, ..worth } };
        }
        let here = self.starts[number] as usize..self.starts[number + 1] as usize;
        let worth = |choice: usize| {
            let values = self.choices.iter().map(|query| query[choice]).collect();
            (self.actions[choice], values)
        };
        Worth {
            fit: Fit::Similar { situations },
            now: self.now.iter().map(|query| query[number]).collect(),
            choices: here.map(worth).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        let values: usize = self.now.iter().chain(&self.choices).map(Vec::capacity).sum();
        let words = self.starts.capacity() + self.actions.capacity() + 2 * self.members.capacity();
        self.seen.bytes() + (16 * values + 4 * words) as u64
    }
}

/// What all observers see, one after the other. What each of them sees has its length in front, so that no two different
/// views look alike together.
fn observe(model: &dyn Model, state: &State, view: &mut Vec<u32>) {
    view.clear();
    for observer in 0..model.signature().observers.len() {
        let before = view.len();
        view.push(0);
        model.facets().observe(ObserverId(narrow(observer)), state, view);
        view[before] = narrow(view.len() - before);
    }
}

fn bounds((low, high): (f64, f64)) -> Bounds {
    Bounds { low, high }
}

/// Per query, per view: the range over its states.
fn ranges(of: &[u32], values: &[Vec<(f64, f64)>], n_views: usize) -> Vec<Vec<Bounds>> {
    let one = |query: &Vec<(f64, f64)>| {
        let mut ranges = vec![Bounds { low: f64::INFINITY, high: 0.0 }; n_views];
        for (&view, &value) in of.iter().zip(query) {
            let range = &mut ranges[view as usize];
            *range = range.joined(bounds(value));
        }
        ranges
    };
    values.iter().map(one).collect()
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("states are numbered with 32 bits")
}
