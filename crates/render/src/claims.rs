//! Claims: the report of a check as text and for programs, claims explained, words that claims may use.

pub(crate) mod bdi;
pub(crate) mod check;
pub(crate) mod claim;
pub(crate) mod contest;
pub(crate) mod coverage;
pub(crate) mod coverage_page;
pub(crate) mod idle;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod net_report;
pub(crate) mod progress;
pub(crate) mod reading;
pub(crate) mod reading_json;
pub(crate) mod reduction;
pub(crate) mod report;
pub(crate) mod symmetry;
pub(crate) mod vocabulary;
