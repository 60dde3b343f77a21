//! The only place that phrases results: reports, runs and minds as text for people, and the same reports as JSON and
//! JUnit for programs.
//!
//! Everything here is a function from plain data to text. A [`Report`] is what a check found, a [`Tale`] is a run in the
//! user's words. No output names a state number or a state of an automaton: a reader meets only the model's vocabulary.

mod acting;
mod claims;
mod drawings;
mod numbers;
mod problems;
mod runs;
mod typesetting;
pub use acting::advice::{
    Advice, Counters, Described, QueryValue, Ranked, advice_error, advice_head, advice_json,
    advice_listening, advice_text, read_situation,
};
pub use acting::live::{
    RUN_SCHEMA, RunAlternative, RunChange, RunCycle, RunDifference, RunEnd, RunEvent, RunHead, RunMind,
    RunNews, RunObject, RunOrder, RunRemark, RunSection, RunSkill, RunStanding, RunValue, run_changes,
};
pub use acting::live_series::{Modelled, RunSeries, run_series, run_series_json};
pub use acting::live_text::{RunShow, RunTeller, run_difference, run_same};
pub use claims::bdi::{Belief, Beliefs, GoalReport, Intention, Intentions, NetBeliefs};
pub use claims::check::{check, left_out};
pub use claims::claim::stop_reason;
pub use claims::contest::{Contest, ContestAnswer, StateSpace, Truth, contest_lines, contest_table};
pub use claims::coverage::{ModelCoverage, TextNeed, TextReport, coverage_text};
pub use claims::coverage_page::coverage_page;
pub use claims::idle::IdleReport;
pub use claims::json::{JsonReport, json, json_text, progress_event, report_event};
pub use claims::junit::junit;
pub use claims::net_report::{Behaviour, NetReport, Seen, Structure};
pub use claims::progress::{Progress, Trend, progress};
pub use claims::reading::{ExampleRun, ExampleRuns, ExampleSystem, ExampleSystems, Reading, Sketch};
pub use claims::reading_json::readings_json;
pub use claims::reduction::{ReductionReport, ReductionResult, share};
pub use claims::report::{
    Asked, ClaimReport, Ending, Head, Help, NoticeReport, Opinion, Place, Report, Spilled,
};
pub use claims::symmetry::{Interchangeable, Obstruction, SymmetryReport};
pub use claims::vocabulary::vocabulary;
pub use drawings::explicit::{
    Earned, Explicit, ExplicitFile, Label, Named, SmvRuns, aut, drn, jani, promela_name, promela_states, smv,
    smv_name, tra,
};
pub use drawings::graph::{Graph, GraphEdge, GraphNode, dot, graph_json};
pub use drawings::net::{Album, Frame, album_page, net_dot, net_svg};
pub use drawings::viewer::{Cover, claim_page, html_page};
pub use numbers::chance::{
    ChanceReport, ChoiceTally, UnfairReport, ValueReport, WayReport, chance, offers, situation,
};
pub use numbers::estimates::{EstimateAnswer, EstimateReport, Estimates, estimates, estimates_json};
pub use numbers::simulation::{ClaimTally, Simulation, simulation};
pub use numbers::simulation_json::{WalkReport, simulation_json, walk_json};
pub use numbers::statistics::{ActivityTally, CostTally, Delays, LaneTally};
pub use numbers::strategy::{StrategyTable, read_strategy, strategy_csv};
pub use numbers::sweep::{Sweep, SweepAnswer, SweepPoint, sweep, sweep_csv, sweep_json, sweep_svg};
pub use numbers::value::{interval_text, value_text};
pub use problems::diagnostic::{Diagnostic, diagnostics};
pub use problems::entry::{code_entry, doctor};
pub use problems::failure::failure_json;
pub use problems::problem::{problems, remarks};
pub use runs::account::{FrameReport, frame_report};
pub use runs::cause::{Fact, why_story};
pub use runs::chronicle::{
    Bar, BarEnd, Break, BreakSort, Chronicle, Entry, Happening, Lane, Shift, Stay, Strip, WorkSort, chronicle,
};
pub use runs::critical::Link;
pub use runs::deadline::{Deadline, Wait, deadline, waits};
pub use runs::events::events;
pub use runs::game::{Offer, Turn, marking_changes, offered, turns};
pub use runs::mind::{changes, minds};
pub use runs::tale::{Beat, Change, End, Tale, Why, tale};
pub use runs::timeline::timeline;
pub use runs::tree::{
    BranchTale, Difference, Elsewhere, ShownTale, Telling, branches as tree_story, one as tree_branch,
    outline as tree_outline, run_of,
};
pub use typesetting::duration::{duration, instant};
pub use typesetting::number::{bytes, count, grouped, seconds, short};
pub use typesetting::page::{Colour, Detail, Extent, Letters, Spacing, View};
pub use typesetting::table::{Table, Tables};

/// The tale as text: the chart of its steps, the reasons, the way on.
pub use runs::chart::story;
