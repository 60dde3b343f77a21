//! What tokens are made of. Values are deep and in canonical form: equal contents are equal values, and agents carry
//! their whole marking, so nothing needs a number of an instance.

use std::cmp::Ordering as Ordered;
use std::hash::{BuildHasher as _, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxBuildHasher;

/// A number of a net of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetId(pub u32);

/// A number of an enumeration of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumerationId(pub u32);

/// A value: finite, comparable, hashable. The order is structural, so that it never depends on the order of arrival.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The black token.
    Token,
    /// Truth.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A member of an enumeration.
    Member(EnumerationId, u32),
    /// A template of agents.
    Class(NetId),
    /// Field by field.
    Record(Arc<[Value]>),
    /// Sorted, without repetition.
    Set(Arc<[Value]>),
    /// An agent.
    Agent(Arc<Agent>),
}

/// An instance of a template: nothing but its contents.
#[derive(Clone, Debug)]
pub struct Agent {
    /// Its template.
    pub net: NetId,
    /// The constants of the instance.
    pub arguments: Arc<[Value]>,
    /// Per place of the template, in its order; a cell is a bag of one token.
    pub places: Box<[Bag]>,
    digest: Digest,
}

impl Agent {
    /// The agent with these contents.
    #[must_use]
    pub fn new(net: NetId, arguments: Arc<[Value]>, places: Box<[Bag]>) -> Self {
        Self { net, arguments, places, digest: Digest(AtomicU64::new(0)) }
    }

    fn contents(&self) -> (NetId, &[Value], &[Bag]) {
        (self.net, &self.arguments, &self.places)
    }
}

impl PartialEq for Agent {
    fn eq(&self, other: &Self) -> bool {
        let differ = |one: u64, other: u64| one != 0 && other != 0 && one != other;
        std::ptr::eq(self, other)
            || !differ(self.digest.0.load(Ordering::Relaxed), other.digest.0.load(Ordering::Relaxed))
                && self.contents() == other.contents()
    }
}

impl Eq for Agent {}

impl PartialOrd for Agent {
    fn partial_cmp(&self, other: &Self) -> Option<Ordered> {
        Some(self.cmp(other))
    }
}

impl Ord for Agent {
    fn cmp(&self, other: &Self) -> Ordered {
        if std::ptr::eq(self, other) { Ordered::Equal } else { self.contents().cmp(&other.contents()) }
    }
}

impl Hash for Agent {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut digest = self.digest.0.load(Ordering::Relaxed);
        if digest == 0 {
            // Zero is taken for not known; the few agents that have it are hashed anew each time.
            digest = FxBuildHasher.hash_one(self.contents());
            self.digest.0.store(digest, Ordering::Relaxed);
        }
        state.write_u64(digest);
    }
}

/// The hash of an agent once somebody asked: the same agent stands in many markings. It is no part of the contents.
#[derive(Debug)]
struct Digest(AtomicU64);

impl Clone for Digest {
    /// Whoever copies an agent may change the copy.
    fn clone(&self) -> Self {
        Self(AtomicU64::new(0))
    }
}

/// A multiset of tokens: sorted, each with a positive count.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bag(Arc<[(Value, u32)]>);

impl Bag {
    /// The bag with these tokens, in any order, with repetitions.
    #[must_use]
    pub fn new(tokens: impl IntoIterator<Item = (Value, u32)>) -> Self {
        let mut all: Vec<(Value, u32)> = tokens.into_iter().filter(|(_, count)| *count > 0).collect();
        all.sort();
        let mut merged: Vec<(Value, u32)> = Vec::with_capacity(all.len());
        for (value, count) in all {
            match merged.last_mut() {
                Some(last) if last.0 == value => last.1 = last.1.saturating_add(count),
                _ => merged.push((value, count)),
            }
        }
        Self(merged.into())
    }

    /// The bag of one token.
    #[must_use]
    pub fn one(value: Value) -> Self {
        Self([(value, 1)].into())
    }

    /// The different tokens with their counts, in order.
    #[must_use]
    pub fn tokens(&self) -> &[(Value, u32)] {
        &self.0
    }

    /// How many tokens there are.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.iter().map(|(_, count)| u64::from(*count)).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How often a token occurs.
    #[must_use]
    pub fn count(&self, value: &Value) -> u32 {
        self.0.binary_search_by(|(token, _)| token.cmp(value)).map_or(0, |at| self.0[at].1)
    }

    /// The bag with `count` more of a token.
    #[must_use]
    pub fn with(&self, value: Value, count: u32) -> Self {
        let at = self.0.binary_search_by(|(token, _)| token.cmp(&value));
        let (Ok(first) | Err(first)) = at;
        let (before, after) = self.0.split_at(first);
        let (old, rest) = if at.is_ok() { (after[0].1, &after[1..]) } else { (0, after) };
        let token = (value, old.saturating_add(count));
        if token.1 == 0 {
            return self.clone();
        }
        Self(before.iter().cloned().chain([token]).chain(rest.iter().cloned()).collect())
    }

    /// The bag with `count` fewer of a token; `None` if it has not so many.
    #[must_use]
    pub fn without(&self, value: &Value, count: u32) -> Option<Self> {
        let at = self.0.binary_search_by(|(token, _)| token.cmp(value)).ok()?;
        let left = self.0[at].1.checked_sub(count)?;
        let left = (left > 0).then(|| (value.clone(), left));
        Some(Self(self.0[..at].iter().cloned().chain(left).chain(self.0[at + 1..].iter().cloned()).collect()))
    }
}

impl Value {
    /// The set of these members, in any order, with repetitions.
    #[must_use]
    pub fn set(members: impl IntoIterator<Item = Self>) -> Self {
        let mut members: Vec<Self> = members.into_iter().collect();
        members.sort();
        members.dedup();
        Self::Set(members.into())
    }

    /// The record of these fields.
    #[must_use]
    pub fn record(fields: impl IntoIterator<Item = Self>) -> Self {
        Self::Record(fields.into_iter().collect())
    }
}
