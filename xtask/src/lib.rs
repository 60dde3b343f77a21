//! Automation in Rust: `tidy` checks what the compiler cannot, `codes` writes the reference of problem codes,
//! `transcripts` keeps the terminal sessions in our pages true, `bench` measures Motet beside Spin. `cargo xtask` lists them.
//!
//! Everything the test suite wants of it is a function of a [`Tree`], the repository's texts in memory, so each check
//! has tests that show it failing.
#![expect(clippy::disallowed_methods, reason = "automation is a host: it reads files and starts programs")]

pub mod bench;
pub mod bench_advise;
pub mod bench_counting;
pub mod bench_nets;
pub mod bench_studies;
pub mod codes;
pub mod counting;
pub mod generated_nets;
mod measure;
mod pan;
mod scan;
pub mod tidy;
pub mod transcripts;
mod tree;

pub use tree::{Text, Tree, root};
