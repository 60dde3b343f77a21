//! The PRISM language (Kwiatkowska, Norman and Parker 2011): guarded commands with chance, as a front-end.

/// Codes of this front-end.
pub const CODES: &[motet_source::Entry] = &[];
