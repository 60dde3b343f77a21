//! The only place that phrases results: reports, runs and minds as text for people, and the same reports as JSON and
//! JUnit for programs.
//!
//! Everything here is a function from plain data to text. A [`Report`] is what a check found, a [`Tale`] is a run in the
//! user's words. No output names a state number or a state of an automaton: a reader meets only the model's vocabulary.

mod account;
mod advice;
mod bdi;
mod canvas;
mod cause;
mod chance;
mod chart;
mod check;
mod choose;
mod chronicle;
mod claim;
mod clocked;
mod contest;
mod coverage;
mod coverage_page;
mod critical;
mod deadline;
mod diagnostic;
mod duration;
mod entry;
mod estimates;
mod events;
mod explicit;
mod failure;
mod game;
mod graph;
mod idle;
mod json;
mod junit;
mod layers;
mod live;
mod live_series;
mod live_text;
mod mind;
mod net;
mod net_report;
mod number;
mod page;
mod plot;
mod problem;
mod progress;
mod quantity;
mod reading;
mod reading_json;
mod recorder;
mod reduction;
mod report;
mod simulation;
mod simulation_json;
mod statistics;
mod strategy;
mod svg;
mod sweep;
mod symmetry;
mod table;
mod tale;
mod timeline;
mod tree;
mod value;
mod viewer;
mod vocabulary;

pub use account::{FrameReport, frame_report};
pub use advice::{
    Advice, Counters, Described, QueryValue, Ranked, advice_error, advice_head, advice_json,
    advice_listening, advice_text, read_situation,
};
pub use bdi::{Belief, Beliefs, GoalReport, Intention, Intentions, NetBeliefs};
pub use cause::{Fact, why_story};
pub use chance::{ChanceReport, ChoiceTally, ValueReport, WayReport, chance, offers, situation};
pub use check::{check, left_out};
pub use chronicle::{
    Bar, BarEnd, Break, BreakSort, Chronicle, Entry, Happening, Lane, Shift, Stay, Strip, WorkSort, chronicle,
};
pub use claim::stop_reason;
pub use contest::{Contest, ContestAnswer, StateSpace, Truth, contest_lines, contest_table};
pub use coverage::{ModelCoverage, TextNeed, TextReport, coverage_text};
pub use coverage_page::coverage_page;
pub use critical::Link;
pub use deadline::{Deadline, Wait, deadline, waits};
pub use diagnostic::{Diagnostic, diagnostics};
pub use duration::{duration, instant};
pub use entry::{code_entry, doctor};
pub use estimates::{EstimateAnswer, EstimateReport, Estimates, estimates, estimates_json};
pub use events::events;
pub use explicit::{
    Earned, Explicit, ExplicitFile, Label, Named, SmvRuns, aut, drn, jani, promela_name, promela_states, smv,
    smv_name, tra,
};
pub use failure::failure_json;
pub use game::{Offer, Turn, marking_changes, offered, turns};
pub use graph::{Graph, GraphEdge, GraphNode, dot, graph_json};
pub use idle::IdleReport;
pub use json::{JsonReport, json, json_text, progress_event, report_event};
pub use junit::junit;
pub use live::{
    RUN_SCHEMA, RunAlternative, RunChange, RunCycle, RunDifference, RunEnd, RunEvent, RunHead, RunMind,
    RunNews, RunObject, RunOrder, RunRemark, RunSection, RunSkill, RunStanding, RunValue, run_changes,
};
pub use live_series::{Modelled, RunSeries, run_series, run_series_json};
pub use live_text::{RunShow, RunTeller, run_difference, run_same};
pub use mind::{changes, minds};
pub use net::{Album, Frame, album_page, net_dot, net_svg};
pub use net_report::{Behaviour, NetReport, Seen, Structure};
pub use number::{bytes, count, grouped, seconds, short};
pub use page::{Colour, Detail, Extent, Letters, Spacing, View};
pub use problem::{problems, remarks};
pub use progress::{Progress, Trend, progress};
pub use reading::{ExampleRun, ExampleRuns, ExampleSystem, ExampleSystems, Reading, Sketch};
pub use reading_json::readings_json;
pub use reduction::{ReductionReport, ReductionResult, share};
pub use report::{Asked, ClaimReport, Ending, Head, Help, NoticeReport, Opinion, Place, Report, Spilled};
pub use simulation::{ClaimTally, Simulation, simulation};
pub use simulation_json::{WalkReport, simulation_json, walk_json};
pub use statistics::{ActivityTally, CostTally, Delays, LaneTally};
pub use strategy::{StrategyTable, read_strategy, strategy_csv};
pub use sweep::{Sweep, SweepAnswer, SweepPoint, sweep, sweep_csv, sweep_json, sweep_svg};
pub use symmetry::{Interchangeable, Obstruction, SymmetryReport};
pub use table::{Table, Tables};
pub use tale::{Beat, Change, End, Tale, Why, tale};
pub use timeline::timeline;
pub use tree::{
    BranchTale, Difference, Elsewhere, ShownTale, Telling, branches as tree_story, one as tree_branch,
    outline as tree_outline, run_of,
};
pub use value::{interval_text, value_text};
pub use viewer::{Cover, claim_page, html_page};
pub use vocabulary::vocabulary;

/// The tale as text: the chart of its steps, the reasons, the way on.
pub use chart::story;
