//! Second opinions: Spin, Storm, PRISM and NuSMV as engines or beside ours.

pub(crate) mod chance;
pub(crate) mod known_faults;
pub(crate) mod smv;
pub(crate) mod spin;
