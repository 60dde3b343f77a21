//! LISA agents written in sEnglish (Izzo 2016), as a front-end.

/// Codes of this front-end.
pub const CODES: &[motet_source::Entry] = &[];
