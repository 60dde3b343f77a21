//! Filters: a number or a truth gathered over states.

use motet_evidence::{Stop, Valued};
use motet_model::AtomId;
use motet_property::{Filter, Formula};

use super::numbers::{is_measure, query};
use super::states::{Process, unsupported};
use super::values::{Aim, Focus, Values};
use crate::checking::settings::Precision;
use crate::exploration::limits::Meter;
use crate::storage::bits::Bits;
use crate::storage::store::Store;

/// What a filter gathered.
pub(crate) struct Gathered {
    /// The least and the greatest it can be.
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) exact: Option<String>,
    pub(crate) method: motet_evidence::Method,
    pub(crate) values: Vec<Valued>,
}

/// Whether a formula stands for a number.
pub(crate) fn is_number(formula: &Formula<AtomId>) -> bool {
    match formula {
        Formula::Filter(Filter::Count, ..) => true,
        Formula::Filter(_, inner, _) => is_number(inner),
        formula => is_measure(formula) && query(formula) == Some(&motet_property::Query::Value),
    }
}

impl Process<'_> {
    /// A truth gathered over states. Over no states, all are true and none is.
    pub(crate) fn filtered_truth(
        &self,
        filter: Filter,
        inner: &Formula<AtomId>,
        among: &Formula<AtomId>,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Stop> {
        let among = self.states(among, meter)?;
        let states = self.states(inner, meter)?;
        let holds = |state: usize| states.get(state);
        match filter {
            Filter::ForAll | Filter::Print => Ok(among.ones().all(holds)),
            Filter::Exists => Ok(among.ones().any(holds)),
            Filter::First => Ok(among.first().is_some_and(holds)),
            Filter::State => only(&among).map(holds),
            _ => Err(Stop::Unsupported(format!("filter({}, ...) of something true or false", filter.word()))),
        }
    }

    /// A number gathered over states.
    pub(crate) fn gathered(
        &self,
        filter: Filter,
        inner: &Formula<AtomId>,
        among: &Formula<AtomId>,
        meter: &mut Meter<'_>,
    ) -> Result<Gathered, Stop> {
        let among = self.states(among, meter)?;
        let graph = motet_evidence::Method::Graph;
        if filter == Filter::Count {
            let count = self.states(inner, meter)?.and(&among).count();
            let exact = Some(count.to_string());
            return Ok(Gathered {
                low: count as f64,
                high: count as f64,
                exact,
                method: graph,
                values: Vec::new(),
            });
        }
        if is_filter(inner) {
            return Err(unsupported("filters of filters"));
        }
        let aim = Aim { precision: self.precision, focus: Focus::Everywhere };
        let mut values = self.number(inner, aim, meter)?.staged.values;
        if among.first().is_none() && filter != Filter::Sum {
            return Err(unsupported("a filter over no states"));
        }
        let states: Vec<usize> = match filter {
            Filter::First => among.first().into_iter().collect(),
            Filter::State => vec![only(&among)?],
            _ => among.ones().collect(),
        };
        let mut bounds = combined(filter, &values, &states)?;
        if !self.is_close(bounds) {
            let aim = Aim { precision: Precision::Exact, ..aim };
            values = self.number(inner, aim, meter)?.staged.values;
            bounds = combined(filter, &values, &states)?;
        }
        let (low, high) = bounds;
        let exact = exactly(filter, &values, &states).filter(|_| low.is_finite());
        let listed = if filter == Filter::Print { self.valued(&values, &states) } else { Vec::new() };
        Ok(Gathered { low, high, exact, method: values.method, values: listed })
    }

    fn valued(&self, values: &Values, states: &[usize]) -> Vec<Valued> {
        let mut vector = Vec::new();
        let mut valued = |&state: &usize| {
            self.graph.store.load(super::matrix::narrow(state), &mut vector);
            Valued { state: vector.as_slice().into(), low: values.low[state], high: values.high[state] }
        };
        states.iter().map(&mut valued).collect()
    }
}

fn is_filter(formula: &Formula<AtomId>) -> bool {
    matches!(formula, Formula::Filter(..))
}

fn only(states: &Bits) -> Result<usize, Stop> {
    match (states.count(), states.first()) {
        (1, Some(state)) => Ok(state),
        (count, _) => Err(Stop::Unsupported(format!("filter(state, ...) over {count} states: it takes one"))),
    }
}

fn combined(filter: Filter, values: &Values, states: &[usize]) -> Result<(f64, f64), Stop> {
    use crate::chance::eliminate::UNIT;
    let over = |side: &[f64], start: f64, join: fn(f64, f64) -> f64| {
        states.iter().map(|&state| side[state]).fold(start, join)
    };
    let both = |start: f64, join: fn(f64, f64) -> f64| {
        (over(&values.low, start, join), over(&values.high, start, join))
    };
    // Sums of numbers that are not negative are off by at most a rounding per term.
    let loss = (states.len() as f64 + 2.0) * UNIT;
    let sum = |divisor: f64| {
        let (low, high) = both(0.0, |a, b| a + b);
        (low / divisor * (1.0 - loss), high / divisor * (1.0 + loss))
    };
    Ok(match filter {
        Filter::Min => both(f64::INFINITY, f64::min),
        Filter::Max => both(0.0, f64::max),
        Filter::Sum => sum(1.0),
        Filter::Average => sum(states.len() as f64),
        Filter::First | Filter::State => both(0.0, f64::max),
        // The values of all of them lie between these.
        Filter::Print => (over(&values.low, f64::INFINITY, f64::min), over(&values.high, 0.0, f64::max)),
        Filter::Count | Filter::ForAll | Filter::Exists => {
            return Err(Stop::Unsupported(format!("filter({}, ...) of a number", filter.word())));
        }
    })
}

fn exactly(filter: Filter, values: &Values, states: &[usize]) -> Option<String> {
    use dashu::rational::RBig;
    if states.is_empty() {
        return (!values.exact.is_empty()).then(|| RBig::ZERO.to_string());
    }
    // An infinite value is no fraction. Where it matters the whole is infinite; the least of several it is not.
    let finite = states.iter().filter(|&&state| values.low[state].is_finite());
    let mut exact = finite.map(|&state| values.exact.get(state));
    let first = exact.next()??.clone();
    let all = exact.collect::<Option<Vec<&RBig>>>()?;
    let sum = || all.iter().fold(first.clone(), |sum, &value| sum + value);
    let value = match filter {
        Filter::Min => all.iter().fold(&first, |least, value| least.min(value)).clone(),
        Filter::Max => all.iter().fold(&first, |most, value| most.max(value)).clone(),
        Filter::Sum => sum(),
        Filter::Average => sum() / RBig::from(states.len()),
        Filter::First | Filter::State => first,
        _ => return None,
    };
    Some(value.to_string())
}
