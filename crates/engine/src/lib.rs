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

mod branching_time;
mod chance;
mod checking;
mod exploration;
mod formulas;
mod linear_time;
mod metric_time;
mod reductions;
mod runtime;
mod statistical;
mod storage;

pub use checking::check::{Report, check, check_all, possible_reductions};
pub use checking::coverage::{Need, Shares, Survey, survey};
pub use checking::settings::{
    Examine, Extent, Order, Precision, Proof, Reduce, Settings, StoreKind, Strategies,
};
pub use exploration::limits::{Limits, Phase, Progress};
pub use exploration::save::{Damage, Keeper, Keeping, verify};
pub use exploration::space::{LastComponents, Place, Space};
pub use exploration::tarjan::components;
pub use linear_time::automata;
pub use reductions::reduction::{Applied, Hindrance, Reducing, Reduction};
pub use reductions::symmetry::{Group, Quotient};
pub use runtime::advice::{ActionValues, Bounds, Refusal, Worth, action_values};
pub use runtime::drift::{Drift, Finding};
pub use runtime::monitor::{Known, Monitor};
pub use runtime::watch::{Ending, Standing, Unwatchable, Watch};
pub use statistical::confidence::{clopper_pearson, student};
pub use statistical::estimate::{Estimate, Question, Sampling, chernoff_runs, estimate};
pub use statistical::sample::{Choose, Random, Sample, SampleEnd, Seed, sample, sample_until, sample_with};
pub use storage::spill::{Spill, Spilling};
pub use storage::store::{Arena, Arrival, Store};
