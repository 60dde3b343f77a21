//! Automation in Rust: tidy, bench.
fn main() {}
