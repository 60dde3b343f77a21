//! Load, check, simulate, explain, export: plain functions on plain data. Hosts read files and hand over texts; nothing
//! here touches the system, except for external engines that the caller asks for.

mod advising;
mod checking;
mod codes;
mod explaining;
mod exporting;
mod loading;
mod nets;
mod opinions;
mod simulating;
pub use advising::advise::{AdviseOptions, Adviser, Sight};
pub use advising::desk::{AdviceDesk, Misunderstood};
pub use advising::threshold::{Comparison, Threshold};
pub use checking::check::{CheckOptions, Engine, check};
pub use checking::coverage::coverage;
pub use checking::helps::{Sliced, helps};
pub use checking::slicing::{check_sliced, check_symmetric};
pub use checking::symmetry::{Likes, look_for_kinds};
pub use checking::telling::{english, format_claims, formula_text, snapshot, tell};
pub use checking::trace::{
    Retraced, Saved, TraceOrigin, no_branch, open_trace, retrace, stale_trace, write_trace,
};
pub use checking::unanswered::unanswered;
pub use codes::advice::{ADVICE_CODES, foreign_address, situation_help, taken_address};
pub use codes::checkpoints::{CHECKPOINT_CODES, damaged_checkpoint, no_checkpoint, old_checkpoint};
pub use codes::deliveries::{DELIVERY_CODES, lost_output, misfit_command, no_thread, nothing_to_write};
pub use codes::files::{CODES, InputFault, input_problem};
pub use codes::runs::{RUN_CODES, no_actor, no_goal, no_world};
pub use codes::spilling::{SPILL_CODES, no_spill};
pub use explaining::claim::{format_formulas, read_claim, read_formulas};
pub use explaining::codes::{entries, explain};
pub use explaining::inquire::{Answer, Beginning, Question, inquire};
pub use exporting::chance::{ChanceForm, Written, export_chance};
pub use exporting::explicit::MOST_STATES;
pub use exporting::export::{Promela, promela, state_graph, team_graph};
pub use exporting::states::{StatesForm, claim_automata, export_states};
pub use loading::digest::sha256 as digest;
pub use loading::glob::fits;
pub use loading::load::{CLAIMS_EXTENSIONS, Loaded, Project, Ready, Selection, load, model_extensions};
pub use nets::bdi::{Desire, beliefs, intentions};
pub use nets::contest::{Known, contest};
pub use nets::report::{NetReportOptions, net_report};
pub use nets::tables::{
    constructed_nets, mediated_nets, net_tables, plain_net, pnml_export, skeletons, tina_text,
};
pub use simulating::axis::Axis;
pub use simulating::estimate::{EstimateOptions, estimates, is_estimated};
pub use simulating::game::{Chosen, enabled, turns};
pub use simulating::simulate::{Decided, Length, Proceed, Series, Walk, simulate, walk, walk_with};
pub use simulating::strategy::{Player, strategy_table};
pub use simulating::sweep::{Swept, sweep};

// What hosts need of the crates below, so that they depend on nothing else.
pub use motet_engine::{
    Choose, Damage, Examine, Keeper, Keeping, Limits, Phase, Precision, Progress, Reduce, SampleEnd, Seed,
    Settings, Spill, Spilling, StoreKind, Strategies, clopper_pearson, verify,
};
pub use motet_evidence::{Coverage, Evidence, Fairness, Stop, Verdict};
pub use motet_external::storm::find as find_storm;
pub use motet_external::{Tool, find};
pub use motet_model::{Acting, Actor, Options, Purpose, System, TimeUnit};
pub use motet_property::{Dialect, Kind};
pub use motet_source::{FileId, Problem, Problems, Severity, Sources, Span, suggest};
