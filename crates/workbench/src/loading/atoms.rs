//! The atoms of a formula.

use motet_model::AtomId;
use motet_property::Path;

/// Each atom once, in the order of the formula.
pub(crate) fn atoms(path: &Path<AtomId>) -> Vec<AtomId> {
    let mut found = Vec::new();
    path.for_each_atom(&mut |atom| {
        if !found.contains(atom) {
            found.push(*atom);
        }
    });
    found
}
