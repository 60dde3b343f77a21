//! A model whole and with interchangeable members in order.

use motet_render::Report;
use motet_workbench::{
    CheckOptions, Fairness, Likes, Limits, Loaded, Settings, check, check_sliced, check_symmetric,
};

/// Checks the claims on the whole model, with interchangeable members, and on slices with interchangeable members.
#[must_use]
pub fn all_ways(loaded: &Loaded, fairness: Option<Fairness>, states: u64) -> [Report; 3] {
    let limits = Limits { states: Some(states), ..Limits::default() };
    let plain = CheckOptions { fairness, ..Settings { limits, ..Settings::default() }.into() };
    let options = CheckOptions { symmetry: Some(Likes::All), ..plain.clone() };
    [
        check(loaded, &plain, &mut |_| {}),
        check_symmetric(loaded, &options, &mut |_| {}),
        check_sliced(loaded, &options, &mut |_| {}),
    ]
}

/// How many members were interchangeable in all.
#[must_use]
pub fn interchangeable(report: &Report) -> usize {
    let groups = report.symmetry.iter().flat_map(|symmetry| &symmetry.interchangeable);
    groups.map(|group| group.members.len()).sum()
}
