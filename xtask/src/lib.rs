//! Automation in Rust: `tidy` checks what the compiler cannot, `codes` writes the reference of problem codes,
//! `transcripts` keeps the terminal sessions in our pages true, `bench` measures Motet beside other checkers,
//! `instructions` holds its work against budgets, `lab` goes on looking for faults. `cargo xtask` lists them.
//!
//! Everything the test suite wants of it is a function of a [`Tree`], the repository's texts in memory, so each check
//! has tests that show it failing.
#![expect(clippy::disallowed_methods, reason = "automation is a host: it reads files and starts programs")]

pub mod bench;
pub mod bench_advise;
mod bench_auction;
mod bench_chance;
mod bench_counting;
mod bench_limits;
mod bench_motet;
mod bench_nets;
mod bench_plot;
mod bench_reduce;
mod bench_report;
mod bench_resume;
pub mod bench_sets;
mod bench_spread;
mod bench_studies;
mod bench_threads;
mod bench_vessel;
mod bench_ward;
pub mod codes;
pub mod counting;
pub mod generated_nets;
pub mod instructions;
pub mod lab;
mod machine;
mod measure;
mod pan;
mod peers;
mod scan;
mod spin;
mod startup;
pub mod tidy;
pub mod transcripts;
mod tree;
mod vessel_model;
mod ward_model;

pub use tree::{Text, Tree, root};
