//! Slow and obvious twins of the engines. Only tests use them: on random models a clever algorithm and its twin must
//! agree.
//!
//! They are the textbook's: states in a sorted map, formulas by guessing the truth of every subformula, fair runs by the
//! fixpoint of Emerson and Lei, words by unrolling, time by looking at every half unit, worst cases by trying all ways,
//! chance in rational numbers by trying all policies, branching time by labelling every state with every subformula,
//! knowledge by comparing all pairs of states, what a run has decided by looking at all that may follow. No idea is shared with `motet-engine` beyond the definitions.

pub mod ample;
mod branching;
pub mod chance;
mod course;
mod graph;
mod knowledge;
mod longest;
mod ltl;
mod omega;
pub mod random;
pub mod slices;
pub mod team;
pub mod timed_traces;
mod watch;
mod word;

pub use branching::Labels;
pub use course::{Course, courses};
pub use graph::Graph;
pub use longest::{longest_stay, longest_wait, waits};
pub use ltl::some_run;
pub use watch::{Beginning, Continuations};
pub use word::Word;
