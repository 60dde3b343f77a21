//! What stores can hold values for, numbered.

use std::collections::BTreeMap;

use super::{AttributeId, EntityId, KeyId, Value};

/// What a key speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// `x.a`
    Attribute(EntityId, AttributeId),
    /// `x.m(i)`
    Entry(EntityId, AttributeId, Value),
    /// `x R y`; its value is `Bool(true)` or `Bool(false)`.
    Pair(EntityId, AttributeId, EntityId),
}

/// All keys, numbered, with the ways to look them up.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    list: Vec<Key>,
    numbers: BTreeMap<Key, KeyId>,
}

impl Keys {
    /// The number of a key; a new one if it was not known.
    ///
    /// # Panics
    /// After 2^32 keys.
    pub fn add(&mut self, key: Key) -> KeyId {
        let next = KeyId(u32::try_from(self.list.len()).expect("keys are numbered with 32 bits"));
        *self.numbers.entry(key).or_insert_with(|| {
            self.list.push(key);
            next
        })
    }

    /// The number of a key that is known.
    #[must_use]
    pub fn find(&self, key: Key) -> Option<KeyId> {
        self.numbers.get(&key).copied()
    }

    /// What a key speaks of.
    #[must_use]
    pub fn get(&self, key: KeyId) -> Key {
        self.list[key.index()]
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All keys in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (KeyId, Key)> {
        self.list.iter().enumerate().map(|(number, key)| {
            (KeyId(u32::try_from(number).expect("keys are numbered with 32 bits")), *key)
        })
    }

    /// The keys `x.m(i)` of a map, in the order of the indices.
    pub fn entries(&self, of: EntityId, map: AttributeId) -> impl Iterator<Item = (Value, KeyId)> {
        let from = Key::Entry(of, map, Value::Bool(false));
        self.numbers.range(from..).map_while(move |(key, number)| match key {
            Key::Entry(x, m, index) if (*x, *m) == (of, map) => Some((*index, *number)),
            _ => None,
        })
    }

    /// The keys `x R y` of a relation, in the order of `y`.
    pub fn pairs(&self, of: EntityId, relation: AttributeId) -> impl Iterator<Item = (EntityId, KeyId)> {
        let from = Key::Pair(of, relation, EntityId(0));
        self.numbers.range(from..).map_while(move |(key, number)| match key {
            Key::Pair(x, r, y) if (*x, *r) == (of, relation) => Some((*y, *number)),
            _ => None,
        })
    }
}
