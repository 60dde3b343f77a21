//! What `motet explain` knows of the problems of PRISM models.

use motet_source::Entry;

/// M080x syntax, M081x names, types and constants, M082x commands, modules and rewards, M083x claims, notices and exports.
pub const CODES: &[Entry] = &[];
