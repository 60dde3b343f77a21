//! The `motet` binary: arguments, files, exit codes, progress.
fn main() {}
