//! The real binary on small models: exit codes, streams, verbs, wrong input.

mod advise;
mod chance;
mod codes;
mod contest;
mod explain;
mod folder;
mod input;
mod interrupt;
mod limits;
mod long_names;
mod nets;
mod outputs;
mod programs;
mod resume;
mod run;
mod second_chance;
mod series;
mod spill;
mod stores;
mod trees;
mod verbs;
mod view;
