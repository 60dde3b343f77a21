//! The vessel as a skill process: lines of JSON in, lines of JSON out.

fn main() {}
