//! The files of the mine-hunting vessel.

/// With a choice between two plans.
pub(crate) const ASV: &[(&str, &str)] = &[
    ("asv/asv.sej", include_str!("../../../../examples/asv/asv.sej")),
    ("asv/asv.ont", include_str!("../../../../examples/asv/asv.ont")),
    ("asv/lay_out_the_tracks.sep", include_str!("../../../../examples/asv/lay_out_the_tracks.sep")),
    ("asv/get_under_way.sep", include_str!("../../../../examples/asv/get_under_way.sep")),
    ("asv/hold_position.sep", include_str!("../../../../examples/asv/hold_position.sep")),
    ("asv/ask_for_orders.sep", include_str!("../../../../examples/asv/ask_for_orders.sep")),
];

/// Without.
pub(crate) const DTMC: &[(&str, &str)] = &[
    ("asv/asv_dtmc.sej", include_str!("../../../../examples/asv-dtmc/asv_dtmc.sej")),
    ("asv/asv_dtmc.ont", include_str!("../../../../examples/asv-dtmc/asv_dtmc.ont")),
    ("asv/lay_out_the_tracks.sep", include_str!("../../../../examples/asv-dtmc/lay_out_the_tracks.sep")),
    ("asv/get_under_way.sep", include_str!("../../../../examples/asv-dtmc/get_under_way.sep")),
    ("asv/hold_position.sep", include_str!("../../../../examples/asv-dtmc/hold_position.sep")),
    ("asv/ask_for_orders.sep", include_str!("../../../../examples/asv-dtmc/ask_for_orders.sep")),
];
