//! What there is for nets alone: tables, reports, minds of net agents, the contest.

pub(crate) mod bdi;
pub(crate) mod contest;
pub(crate) mod report;
pub(crate) mod tables;
