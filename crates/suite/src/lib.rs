//! Runs the specification in `spec/`, the corpus in `corpus/` and the folders of `examples/`. Tests only.

pub mod agreement;
pub mod brahms_twin;
pub mod configuration;
pub mod expectation;
pub mod folded;
pub mod folder;
pub mod generate;
pub mod generate_brahms;
pub mod generate_jason;
pub mod generate_likes;
pub mod generate_nets;
pub mod generate_prism;
pub mod generate_senglish;
mod insight;
pub mod markdown;
pub mod reduced;
pub mod run;
pub mod same_space;
pub mod sliced;
