//! A small vessel without a crew, simulated: the skills of the mine hunter.
