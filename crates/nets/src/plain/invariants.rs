//! What the arcs alone keep constant: semiflows of places (weighted sums of tokens that no firing changes) and of
//! transitions (firings that together change nothing).
//!
//! The minimal ones are found by Farkas' elimination, one column after the other, keeping rows of minimal support only
//! (Martinez and Silva 1982, Colom and Silva 1991). Their number may grow exponentially, so there is a limit.

use std::collections::BTreeMap;
use std::fmt;

use motet_model::gcd;

use crate::plain::PlainNet;

/// How much may be spent on a structural analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The most results, also in between.
    pub results: usize,
    /// The most elementary operations.
    pub work: u64,
}

impl Default for Limit {
    fn default() -> Self {
        Self { results: 10_000, work: 400_000_000 }
    }
}

/// A structural analysis that was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// What was allowed.
    pub limit: Limit,
}

impl fmt::Display for TooMany {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "too many: given up after {} results or {} operations", self.limit.results, self.limit.work)
    }
}

impl std::error::Error for TooMany {}

/// A semiflow of minimal support: indices with positive weights without a common divisor, in order of the indices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Semiflow {
    /// Index of a place or transition, and its weight.
    pub weights: Vec<(usize, u64)>,
}

/// The minimal semiflows of places: in every reachable marking the weighted sum of tokens is that of the initial one.
///
/// # Errors
/// [`TooMany`] when there are more than the limit, or on the way to them.
pub fn place_semiflows(net: &PlainNet, limit: Limit) -> Result<Vec<Semiflow>, TooMany> {
    let mut rows = vec![BTreeMap::new(); net.places.len()];
    for (place, transition, change) in incidence(net) {
        rows[place].insert(transition, change);
    }
    semiflows(rows, limit)
}

/// The minimal semiflows of transitions: firing each so often, in some order, leads back to the same marking.
///
/// # Errors
/// [`TooMany`] when there are more than the limit, or on the way to them.
pub fn transition_semiflows(net: &PlainNet, limit: Limit) -> Result<Vec<Semiflow>, TooMany> {
    let mut rows = vec![BTreeMap::new(); net.transitions.len()];
    for (place, transition, change) in incidence(net) {
        rows[transition].insert(place, change);
    }
    semiflows(rows, limit)
}

/// What a semiflow of places keeps constant: its weighted sum in the initial marking.
#[must_use]
pub fn constant(net: &PlainNet, semiflow: &Semiflow) -> u128 {
    let weighted =
        |&(place, weight): &(usize, u64)| u128::from(weight) * u128::from(net.places[place].initial);
    semiflow.weights.iter().map(weighted).sum()
}

/// The most tokens that each place can ever hold, as far as these semiflows and its capacity prove it.
#[must_use]
pub fn bounds(net: &PlainNet, semiflows: &[Semiflow]) -> Vec<Option<u32>> {
    let capacity = |place: &crate::plain::PlainPlace| place.capacity.map(|most| most.max(place.initial));
    let mut bounds: Vec<Option<u32>> = net.places.iter().map(capacity).collect();
    for semiflow in semiflows {
        let total = constant(net, semiflow);
        for &(place, weight) in &semiflow.weights {
            let Ok(bound) = u32::try_from(total / u128::from(weight)) else { continue };
            bounds[place] = Some(bounds[place].map_or(bound, |known| known.min(bound)));
        }
    }
    bounds
}

/// A semiflow of places in the words of the net: `#Think + 2 * #Eat = 5`.
#[must_use]
pub fn place_text(net: &PlainNet, semiflow: &Semiflow) -> String {
    let term = |&(place, weight): &(usize, u64)| {
        let name = &net.places[place].name;
        if weight == 1 { format!("#{name}") } else { format!("{weight} * #{name}") }
    };
    let terms: Vec<String> = semiflow.weights.iter().map(term).collect();
    format!("{} = {}", terms.join(" + "), constant(net, semiflow))
}

/// A semiflow of transitions in the words of the net: `take, 2 put`.
#[must_use]
pub fn transition_text(net: &PlainNet, semiflow: &Semiflow) -> String {
    let term = |&(transition, count): &(usize, u64)| {
        let name = &net.transitions[transition].name;
        if count == 1 { name.clone() } else { format!("{count} {name}") }
    };
    semiflow.weights.iter().map(term).collect::<Vec<_>>().join(", ")
}

/// The entries of the incidence matrix that are not 0: place, transition and how many tokens firing adds.
#[must_use]
pub fn incidence(net: &PlainNet) -> Vec<(usize, usize, i64)> {
    let mut entries: BTreeMap<(usize, usize), i64> = BTreeMap::new();
    for (number, transition) in net.transitions.iter().enumerate() {
        for arc in &transition.inputs {
            *entries.entry((arc.place, number)).or_default() -= i64::from(arc.weight);
        }
        for arc in &transition.outputs {
            *entries.entry((arc.place, number)).or_default() += i64::from(arc.weight);
        }
    }
    let changing = entries.into_iter().filter(|(_, change)| *change != 0);
    changing.map(|((place, transition), change)| (place, transition, change)).collect()
}

/// A row of the elimination: a positive combination of the rows at the start, and what is left of its columns.
#[derive(Clone, Debug)]
struct Row {
    columns: Vec<(usize, i64)>,
    weights: Vec<(usize, u64)>,
    support: Box<[u64]>,
}

fn semiflows(start: Vec<BTreeMap<usize, i64>>, limit: Limit) -> Result<Vec<Semiflow>, TooMany> {
    let words = start.len().div_ceil(64);
    let row = |(number, columns): (usize, BTreeMap<usize, i64>)| {
        let mut support = vec![0; words].into_boxed_slice();
        support[number / 64] |= 1 << (number % 64);
        Row { columns: columns.into_iter().collect(), weights: vec![(number, 1)], support }
    };
    let mut rows: Vec<Row> = start.into_iter().enumerate().map(row).collect();
    let mut left = limit.work;
    while let Some(column) = cheapest_column(&rows) {
        rows = eliminate(rows, column, limit, &mut left)?;
    }
    let mut found: Vec<Semiflow> = rows.into_iter().map(|row| Semiflow { weights: row.weights }).collect();
    found.sort();
    Ok(found)
}

/// The column that makes the fewest new rows; `None` if all are 0.
fn cheapest_column(rows: &[Row]) -> Option<usize> {
    let mut signs: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
    for &(column, value) in rows.iter().flat_map(|row| &row.columns) {
        let (plus, minus) = signs.entry(column).or_default();
        *(if value > 0 { plus } else { minus }) += 1;
    }
    let growth = |plus: u64, minus: u64| i128::from(plus) * i128::from(minus) - i128::from(plus + minus);
    signs.into_iter().min_by_key(|(_, (plus, minus))| growth(*plus, *minus)).map(|(column, _)| column)
}

fn eliminate(rows: Vec<Row>, column: usize, limit: Limit, left: &mut u64) -> Result<Vec<Row>, TooMany> {
    let (mut kept, mut plus, mut minus) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        match row.columns.iter().find(|(own, _)| *own == column) {
            None => kept.push(row),
            Some(&(_, value)) if value > 0 => plus.push((value, row)),
            Some(&(_, value)) => minus.push((value, row)),
        }
    }
    let refused = TooMany { limit };
    if plus.len().saturating_mul(minus.len()) > limit.results.saturating_mul(16) {
        return Err(refused);
    }
    let mut made = Vec::with_capacity(plus.len() * minus.len());
    for (gain, one) in &plus {
        for (loss, other) in &minus {
            made.push(combined(one, other, *gain, *loss).ok_or(refused)?);
        }
    }
    keep_minimal(&mut kept, made, refused, left)?;
    if kept.len() > limit.results {
        return Err(refused);
    }
    Ok(kept)
}

/// Adds the new rows whose support contains no other one's. The old ones stay minimal: they were so among everything that
/// the columns before allow, the new ones included.
fn keep_minimal(
    kept: &mut Vec<Row>,
    mut made: Vec<Row>,
    refused: TooMany,
    left: &mut u64,
) -> Result<(), TooMany> {
    made.sort_by_cached_key(|row| (row.weights.len(), row.weights.clone()));
    for row in made {
        *left = left.checked_sub((kept.len() + 1) as u64 * row.support.len() as u64).ok_or(refused)?;
        let contains =
            |other: &Row| other.support.iter().zip(&row.support).all(|(other, own)| other & !own == 0);
        if !kept.iter().any(contains) {
            kept.push(row);
        }
    }
    Ok(())
}

/// The sum of two rows in which a column with these values vanishes, without common divisor; `None` if a number gets too
/// large.
fn combined(one: &Row, other: &Row, gain: i64, loss: i64) -> Option<Row> {
    let divisor = gcd(gain.unsigned_abs(), loss.unsigned_abs());
    let (first, second) = (loss.unsigned_abs() / divisor, gain.unsigned_abs() / divisor);
    let signed = |factor: u64| i64::try_from(factor).ok();
    let mut columns: BTreeMap<usize, i64> = BTreeMap::new();
    let mut weights: BTreeMap<usize, u64> = BTreeMap::new();
    for (row, factor) in [(one, first), (other, second)] {
        for &(column, value) in &row.columns {
            let entry = columns.entry(column).or_default();
            *entry = entry.checked_add(value.checked_mul(signed(factor)?)?)?;
        }
        for &(number, weight) in &row.weights {
            let entry = weights.entry(number).or_default();
            *entry = entry.checked_add(weight.checked_mul(factor)?)?;
        }
    }
    columns.retain(|_, value| *value != 0);
    let common = columns.values().fold(0, |common, value| gcd(common, value.unsigned_abs()));
    let common = weights.values().fold(common, |common, weight| gcd(common, *weight));
    let divided = |value: i64| signed(common).map(|common| value / common);
    let columns = columns.into_iter().map(|(column, value)| Some((column, divided(value)?)));
    let support = one.support.iter().zip(&other.support).map(|(one, other)| one | other);
    Some(Row {
        columns: columns.collect::<Option<Vec<_>>>()?,
        weights: weights.into_iter().map(|(number, weight)| (number, weight / common)).collect(),
        support: support.collect(),
    })
}
