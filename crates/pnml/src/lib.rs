//! The standard exchange format of Petri nets (ISO/IEC 15909-2) and the formulas of the Model Checking Contest.
