//! The claims language: one tree for linear and branching time, knowledge, chance and rewards.
//!
//! [`parse`] reads a file into a [`ClaimsFile`]: a tree that keeps spellings and places. [`lower`] turns it into claims
//! over numbered atoms, the form that engines take: definitions, quantifiers, scopes and words are gone. [`lint`] says
//! what smells, [`fragment`] which logic a claim needs, [`print_formula`] and [`english`] how it reads, and
//! [`format_file`] lays a file out. Nothing here fails on any text: problems are data.

mod caret;
mod claim;
mod codes;
mod formula;
mod fragment;
mod hoa;
mod lint;
mod lower;
mod omega;
mod parse;
mod print;
pub mod syntax;
mod token;

pub use caret::at_names;
pub use claim::{Claim, Expect, Kind};
pub use codes::CODES;
pub use formula::{
    Basic, Bound, Change, Connective, Extremum, Filter, Formula, Interval, Knowledge, Past, Path, Quantifier,
    Query, Rebuild, Relation, RewardGoal, Subformula, Timer, Unit, Until,
};
pub use fragment::{Feature, Fragment, features, fragment, unsupported_operator_words};
pub use hoa::{HoaAutomaton, parse_hoa};
pub use lint::lint;
pub use lower::{
    Given, Lowered, LoweredEach, PlainQuestion, each_time, lower, lower_all, lower_each, lower_given,
};
pub use omega::{Edge, Guard, Omega, Sense};
pub use parse::{looks_like_prism, parse, parse_formula, parse_psl};
pub use print::{
    Moments, PrismNames, SmvSpec, Unsupported, english, english_claim, format_file, format_formulas,
    print_formula, prism_formula, smv_spec, spin_ltl, spin_ltl_with,
};
pub use syntax::{ClaimsFile, Dialect};
