//! Engines: they answer claims about a model and know nothing of its language.
//!
//! [`check_all`] explores a [`motet_model::Model`] once and answers all claims from the explored graph. The way of a
//! claim: `branching` takes what is said of other runs and of knowledge for atoms of its own, so that `linear` turns the rest
//! into a linear-time formula and `quest` into something to look for, a state or a run; states
//! are looked up in columns of bits, runs are searched for in the product with an automaton (`automata`, `product`,
//! `emptiness`) and told as short as possible (`lasso`, `tour`, `shrink`). Claims about time (`window` defines them, `clocks`,
//! `owing`) are looked for in the graph written out with time (`timed`, `unrolled`), and `margin` measures their worst
//! case (`longest`); `wait` answers questions for a time. What limits stop is unknown, never a
//! proof. On request, orders of steps (`ample`) and states with nothing to choose (`chain`) are left out where claims cannot
//! tell (`stutter`). [`sample`] draws a random run instead, and a [`Monitor`] follows a claim along it: that proves nothing
//! but may refute. A [`Watch`] follows a claim along a run that goes on, exactly,
//! and [`Drift`] compares what happens there with the modelled chances. A [`Space`] is the exploration without any claim.

mod advice;
mod advice_views;
mod ample;
pub mod automata;
mod bits;
mod branching;
mod chain;
mod chance;
mod check;
mod chunks;
mod clocks;
mod compassion;
mod confidence;
mod coverage;
mod drift;
mod emptiness;
mod estimate;
mod explore;
mod graph;
mod hashed;
mod knowledge;
mod lasso;
mod late;
mod limits;
mod linear;
mod longest;
mod margin;
mod monitor;
mod mutate;
mod owing;
mod product;
mod quest;
mod reading;
mod rebuild;
mod reduction;
mod sample;
mod save;
mod settings;
mod shrink;
mod side_by_side;
mod simplify;
mod space;
mod spill;
mod starts;
mod store;
mod stutter;
mod symmetry;
mod tarjan;
mod threads;
mod timed;
mod tour;
mod unrolled;
mod vacuity;
mod valuation;
mod wait;
mod watch;
mod window;

pub use advice::{ActionValues, Bounds, Refusal, Worth, action_values};
pub use check::{Report, check, check_all, possible_reductions};
pub use confidence::{clopper_pearson, student};
pub use coverage::{Need, Shares, Survey, survey};
pub use drift::{Drift, Finding};
pub use estimate::{Estimate, Question, Sampling, chernoff_runs, estimate};
pub use limits::{Limits, Phase, Progress};
pub use monitor::{Known, Monitor};
pub use reduction::{Applied, Hindrance, Reducing, Reduction};
pub use sample::{Choose, Random, Sample, SampleEnd, Seed, sample, sample_until, sample_with};
pub use save::{Damage, Keeper, Keeping, verify};
pub use settings::{Examine, Extent, Order, Precision, Proof, Reduce, Settings, StoreKind, Strategies};
pub use space::{LastComponents, Place, Space};
pub use spill::{Spill, Spilling};
pub use store::{Arena, Arrival, Store};
pub use symmetry::{Group, Quotient};
pub use tarjan::components;
pub use watch::{Ending, Standing, Unwatchable, Watch};
