//! What `motet explain` knows of the problems of sEnglish projects.

use motet_source::Entry;

/// M086x syntax, M087x names, M088x numbers and options, M089x claims, exports and finished explorations.
pub const CODES: &[Entry] = &[];
