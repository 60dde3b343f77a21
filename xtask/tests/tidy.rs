//! The repository is tidy. This runs with all other tests, so an untidy change does not pass.

use std::path::Path;

use xtask::{Tree, tidy::tidy};

#[test]
fn the_repository_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository");
    let tree = Tree::read(root).expect("the repository can be read");
    assert!(tree.rust().count() > 50, "the walk found almost no Rust: it is broken");
    let findings = tidy(&tree).findings;
    let list: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(list.is_empty(), "{} findings:\n{}", list.len(), list.join("\n"));
}
