//! Load, check, simulate, explain, export: plain functions on plain data. Hosts read files and hand over texts; nothing
//! here touches the system, except for external engines that the caller asks for.

mod advise;
mod advise_codes;
mod advise_desk;
mod advise_threshold;
mod atoms;
mod automata;
mod axis;
mod bdi;
mod check;
mod checkpoint_codes;
mod codes;
mod contest;
mod counting;
mod coverage;
mod digest;
mod estimate;
mod explain;
mod explain_claim;
mod explain_knowledge;
mod explicit;
mod export;
mod export_chance;
mod export_states;
mod fair_chance;
mod game;
mod glob;
mod helps;
mod inquire;
mod load;
mod moments;
mod net_report;
mod nets;
mod promela;
mod reductions;
mod rewards;
mod run_codes;
mod second;
mod second_chance;
mod second_smv;
mod simulate;
mod slicing;
mod strategy;
mod sweep;
mod symmetry;
mod tally;
mod telling;
mod trace;
mod unanswered;

pub use advise::{AdviseOptions, Adviser, Sight};
pub use advise_codes::{ADVICE_CODES, foreign_address, situation_help, taken_address};
pub use advise_desk::{AdviceDesk, Misunderstood};
pub use advise_threshold::{Comparison, Threshold};
pub use axis::{Axis, Quantity};
pub use bdi::{Desire, beliefs, intentions};
pub use check::{CheckOptions, Engine, check};
pub use checkpoint_codes::{CHECKPOINT_CODES, damaged_checkpoint, no_checkpoint, old_checkpoint};
pub use codes::{CODES, InputFault, input_problem};
pub use contest::{Known, contest};
pub use coverage::coverage;
pub use digest::sha256 as digest;
pub use estimate::{EstimateOptions, estimates, is_estimated};
pub use explain::{entries, explain};
pub use explain_claim::{format_formulas, read_claim, read_formulas};
pub use explicit::MOST_STATES;
pub use export::{Promela, promela, state_graph, team_graph};
pub use export_chance::{ChanceForm, Written, export_chance};
pub use export_states::{StatesForm, claim_automata, export_states};
pub use game::{Chosen, enabled, turns};
pub use glob::fits;
pub use helps::{Sliced, helps};
pub use inquire::{Answer, Beginning, Question, inquire};
pub use load::{CLAIMS_EXTENSIONS, Loaded, Project, Ready, Selection, load, model_extensions};
pub use net_report::net_report;
pub use nets::{constructed_nets, mediated_nets, net_tables, plain_net, pnml_export, skeletons, tina_text};
pub use run_codes::{RUN_CODES, no_actor, no_goal, no_world};
pub use simulate::{Decided, Length, Proceed, Series, Walk, simulate, walk, walk_with};
pub use slicing::{check_sliced, check_symmetric};
pub use strategy::{Player, strategy_table};
pub use sweep::{Swept, sweep};
pub use symmetry::{Likes, look_for_kinds};
pub use telling::{english, format_claims, formula_text, snapshot, tell};
pub use trace::{Retraced, Saved, TraceOrigin, no_branch, open_trace, retrace, stale_trace, write_trace};
pub use unanswered::unanswered;

// What hosts need of the crates below, so that they depend on nothing else.
pub use motet_engine::{
    Choose, Damage, Examine, Keeper, Keeping, Limits, Phase, Precision, Progress, Reduce, SampleEnd, Seed,
    StoreKind, clopper_pearson, verify,
};
pub use motet_evidence::{Coverage, Evidence, Fairness, Stop, Verdict};
pub use motet_external::storm::find as find_storm;
pub use motet_external::{Tool, find};
pub use motet_model::{Acting, Actor, Options, Purpose, System, TimeUnit};
pub use motet_property::{Dialect, Kind};
pub use motet_source::{FileId, Problem, Problems, Severity, Sources, Span, suggest};
