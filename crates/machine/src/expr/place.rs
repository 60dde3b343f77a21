//! Where a value is kept: a variable, an entry of an array, a field of a record.

use std::sync::Arc;

use crate::expr::Expr;

/// A step into a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// An entry of an array.
    Index(Expr),
    /// A field of a record.
    Field(Arc<str>),
}

/// `trucks[0].load`: a variable and the way into it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    name: Arc<str>,
    way: Vec<Access>,
}

impl Place {
    /// A variable.
    pub fn named(name: &str) -> Self {
        Self { name: name.into(), way: Vec::new() }
    }

    /// An entry of the array that stands here.
    #[must_use]
    pub fn at(&self, index: impl Into<Expr>) -> Self {
        self.deeper(Access::Index(index.into()))
    }

    /// A field of the record that stands here.
    #[must_use]
    pub fn field(&self, name: &str) -> Self {
        self.deeper(Access::Field(name.into()))
    }

    fn deeper(&self, access: Access) -> Self {
        let mut way = self.way.clone();
        way.push(access);
        Self { name: self.name.clone(), way }
    }

    /// The variable.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The way into the variable.
    pub fn way(&self) -> &[Access] {
        &self.way
    }

    /// What is computed to find it.
    pub fn indices(&self) -> impl Iterator<Item = &Expr> {
        self.way.iter().filter_map(|access| match access {
            Access::Index(index) => Some(index),
            Access::Field(_) => None,
        })
    }

    /// The same with other indices.
    pub(crate) fn map_indices(&self, other: &dyn Fn(&Expr) -> Expr) -> Self {
        let step = |access: &Access| match access {
            Access::Index(index) => Access::Index(other(index)),
            Access::Field(name) => Access::Field(name.clone()),
        };
        Self { name: self.name.clone(), way: self.way.iter().map(step).collect() }
    }
}

impl From<&str> for Place {
    fn from(name: &str) -> Self {
        Self::named(name)
    }
}

impl From<&String> for Place {
    fn from(name: &String) -> Self {
        Self::named(name)
    }
}
