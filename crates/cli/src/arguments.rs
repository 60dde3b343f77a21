//! The command line: one table of verbs and flags. Help, manual page and completions are generated from it.

pub(crate) mod advise;
pub(crate) mod nets;
pub(crate) mod resume;
pub(crate) mod run;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use motet_workbench::{Engine, Examine, Fairness, StoreKind, Strategies};

use crate::values::{
    Word, binding, bound, duration, moment, one_of, precision, report_file, share, size, store,
};

/// Model checker for teams of agents.
#[derive(Clone, Debug, Parser)]
#[command(name = "motet", version, about, max_term_width = 100, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
    #[command(flatten)]
    pub(crate) look: Look,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Verb {
    /// Check all claims, or some of them
    Check(Box<Check>),
    /// Run the model at random: one run step by step, or many for statistics
    Sim(Box<Sim>),
    /// Check claims for each value of a parameter and show where a verdict flips
    Sweep(Box<Sweep>),
    /// List the words that claims may use: agents, beliefs, percepts, places, parameters
    Vocab(ModelArguments),
    /// Explain a code (M0601), a claim, or a saved trace
    Explain(Explain),
    /// Bring claims files into their canonical form
    Fmt(Fmt),
    /// Translate the model, its situations or its claims for other tools: Spin, NuSMV, PRISM, Storm, TINA and more
    Export(Box<Export>),
    /// Look at a saved trace
    #[command(subcommand)]
    Trace(TraceVerb),
    /// Nets: reports without claims, tables, the formulas of the Model Checking Contest
    #[command(subcommand)]
    Nets(nets::NetsVerb),
    /// Run agents against real skills, or follow such a run again from its log
    Run(Box<run::Run>),
    /// Be the skills of agents: a world that behaves as their model says
    World(run::World),
    /// Say what each choice is worth in a situation, by look-up in a model that is solved once
    Advise(Box<advise::Advise>),
    /// List the engines found here, their versions and the limits in force
    Doctor,
    /// Print the completions of a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// How things look; the same in every verb.
#[derive(Clone, Debug, Args)]
pub(crate) struct Look {
    /// Only what is not as expected, and the last line
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Presentation")]
    pub(crate) quiet: bool,
    /// A story for every run, expected or not; excerpts for warnings
    #[arg(short, long, global = true, help_heading = "Presentation")]
    pub(crate) verbose: bool,
    /// Every step of a run, not only those that matter
    #[arg(long, global = true, help_heading = "Presentation")]
    pub(crate) full: bool,
    /// Nothing but ASCII: PASS, FAIL, VACUOUS, UNKNOWN instead of signs
    #[arg(long, global = true, env = "MOTET_ASCII", help_heading = "Presentation")]
    pub(crate) ascii: bool,
    /// Whether to colour; NO_COLOR is honoured
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        env = "MOTET_COLOR",
        help_heading = "Presentation"
    )]
    pub(crate) color: ColorWhen,
    /// Progress on standard error: a live line, a plain line every 30 s, or none
    #[arg(
        long,
        global = true,
        value_name = "HOW",
        default_value = "auto",
        env = "MOTET_PROGRESS",
        help_heading = "Presentation"
    )]
    pub(crate) progress: ProgressHow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressHow {
    Auto,
    Plain,
    None,
}

/// Which model, and what is bound in it.
#[derive(Clone, Debug, Args)]
pub(crate) struct ModelArguments {
    /// A folder with a model, or a file: .b, .team, .mas2j, .asl, .prism, .sej, .npn, .pnml, .net
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
}

/// How a model is read.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ModelSettings {
    /// The language, where the extension does not tell
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub(crate) lang: Option<String>,
    /// Bind a parameter of the model or of the claims; in `sweep` one or two may be a range FROM..TO:STEP or a list A,B,C
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = binding, help_heading = "Model")]
    pub(crate) define: Vec<(String, String)>,
    /// How the language is read: AgentSpeak `strict` or `jason`, Brahms `motet` or `thesis`
    #[arg(long, value_name = "MODE", env = "MOTET_MODE", help_heading = "Model")]
    pub(crate) mode: Option<String>,
    /// Settle an open question of the language's semantics, such as ties=first
    #[arg(long, value_name = "NAME=VALUE", value_parser = binding, help_heading = "Model")]
    pub(crate) rule: Vec<(String, String)>,
    /// Who decides between equals, such as frames of one priority or agents that could move: `choice` or `random`, in Brahms
    /// also `first`
    #[arg(long, value_name = "HOW", help_heading = "Model")]
    pub(crate) ties: Option<String>,
    /// How long a Brahms activity with `random: true` takes: `all` or `ends` as ties go, `choice`, or `random`
    #[arg(long, value_name = "HOW", help_heading = "Model")]
    pub(crate) durations: Option<String>,
    /// What an sEnglish agent may hold of a belief: `two-valued` or `three-valued`
    #[arg(long, value_name = "HOW", help_heading = "Model")]
    pub(crate) beliefs: Option<String>,
    /// Raise or lower a bound of the model, such as events=8
    #[arg(long, value_name = "NAME=N", value_parser = bound, help_heading = "Model")]
    pub(crate) bound: Vec<(String, u32)>,
}

/// Which claims.
#[derive(Clone, Debug, Args)]
pub(crate) struct ClaimArguments {
    /// Only claims whose name fits, with * and ?
    #[arg(short, long, value_name = "GLOB", help_heading = "Claims")]
    pub(crate) property: Vec<String>,
    /// A formula of your own, instead of the claims in files
    #[arg(short = 'e', value_name = "FORMULA", help_heading = "Claims")]
    pub(crate) formula: Vec<String>,
}

/// `motet check`
#[derive(Clone, Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) claims: ClaimArguments,
    /// Which engine answers
    #[arg(
        long,
        value_name = "ENGINE",
        default_value = "native",
        env = "MOTET_ENGINE",
        value_parser = one_of(&ENGINES),
        help_heading = "Engine"
    )]
    pub(crate) engine: Engine,
    /// Ask a second engine too and compare the verdicts
    #[arg(long, value_name = "ENGINE", value_parser = one_of(&ENGINES[1..]), help_heading = "Engine")]
    pub(crate) cross_check: Option<Engine>,
    /// Which runs count, and over which strategies numbers are: all, or those that starve nobody, or pass over no choice
    #[arg(long, alias = "fairness", value_name = "WHICH", value_parser = one_of(&FAIR), help_heading = "Engine")]
    pub(crate) fair: Option<(Fairness, Strategies)>,
    /// Whether passes are examined: for a trigger that never happens, or for every part that does not matter
    #[arg(
        long,
        value_name = "HOW",
        default_value = "taf",
        value_parser = one_of(&VACUITY),
        help_heading = "Engine"
    )]
    pub(crate) vacuity: Examine,
    /// Tell which parts of the model never happen, and which no claim depends on
    #[arg(long, help_heading = "Report")]
    pub(crate) coverage: bool,
    /// Check each claim on a model without what cannot influence it
    #[arg(long, help_heading = "Engine")]
    pub(crate) slice: bool,
    /// Leave out orders of steps that do not mind each other, where claims cannot tell
    #[arg(long, help_heading = "Engine")]
    pub(crate) partial_order: bool,
    /// Run through states that have nothing to choose, where claims cannot tell
    #[arg(long, help_heading = "Engine")]
    pub(crate) chain: bool,
    /// Explore interchangeable members once: those of this kind, or all
    #[arg(long, value_name = "KIND", num_args = 0..=1, default_missing_value = "", help_heading = "Engine")]
    pub(crate) symmetry: Vec<String>,
    /// What is remembered of states: all, a hash of 64 bits, or bits in a table (bitstate=1GiB); hashes find violations of
    /// claims about single states and prove nothing
    #[arg(long, value_name = "KIND", default_value = "exact", value_parser = store, help_heading = "Engine")]
    pub(crate) store: StoreKind,
    /// How wide a certified interval may be, relative to its value; 1e-6 unless given
    #[arg(long, value_name = "WIDTH", value_parser = precision, help_heading = "Numbers")]
    pub(crate) precision: Option<f64>,
    /// Compute fractions instead of certified intervals; for small models
    #[arg(long, conflicts_with = "precision", help_heading = "Numbers")]
    pub(crate) exact: bool,
    /// Write the choices that bring the value about: which step in which situation
    #[arg(long, value_name = "FILE.csv", help_heading = "Numbers")]
    pub(crate) strategy: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) threads: ThreadArguments,
    #[command(flatten)]
    pub(crate) keep: resume::KeepArguments,
    /// Turn remarks into failures
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Report")]
    pub(crate) deny: Vec<Deny>,
    /// What standard output carries
    #[arg(long, value_name = "FORM", default_value = "human", env = "MOTET_FORMAT", help_heading = "Report")]
    pub(crate) format: Format,
    /// Write a report file too; may be given several times
    #[arg(long, value_name = "KIND=FILE", value_parser = report_file, help_heading = "Report")]
    pub(crate) report: Vec<(ReportKind, PathBuf)>,
    /// Where the runs behind verdicts are saved
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".motet/traces",
        env = "MOTET_TRACE_DIR",
        help_heading = "Report"
    )]
    pub(crate) trace_dir: PathBuf,
}

/// When to stop.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct LimitArguments {
    /// Memory of the program, such as 4GiB; 75 % of this machine's unless given
    #[arg(long, value_name = "SIZE", value_parser = size, env = "MOTET_MEM", help_heading = "Limits")]
    pub(crate) mem: Option<u64>,
    /// Wall time, such as 10min
    #[arg(long, value_name = "TIME", value_parser = duration, env = "MOTET_TIME", help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Distinct states
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) states: Option<u64>,
    /// Steps from the start
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) depth: Option<u64>,
}

/// How many work at it.
#[derive(Clone, Debug, Args)]
pub(crate) struct ThreadArguments {
    /// Threads that work at the same time; all cores unless given
    #[arg(
        long,
        value_name = "N",
        env = "MOTET_THREADS",
        value_parser = clap::value_parser!(u16).range(1..),
        help_heading = "Limits"
    )]
    threads: Option<u16>,
}

impl ThreadArguments {
    /// As the engine takes it: 0 for all cores.
    pub(crate) fn count(&self) -> usize {
        self.threads.map_or(0, usize::from)
    }
}

/// Who can answer: the first is our own.
static ENGINES: [Word<Engine>; 5] = [
    (Engine::Native.word(), Engine::Native, ""),
    (Engine::Spin.word(), Engine::Spin, ""),
    (Engine::Storm.word(), Engine::Storm, ""),
    (Engine::Prism.word(), Engine::Prism, ""),
    (Engine::Nusmv.word(), Engine::Nusmv, ""),
];

/// Which runs count, and over which strategies numbers are.
static FAIR: [Word<(Fairness, Strategies)>; 4] = [
    ("weak", (Fairness::Weak, Strategies::AsRuns), ""),
    ("strong", (Fairness::Strong, Strategies::AsRuns), ""),
    ("choices", (Fairness::Strong, Strategies::FairToChoices), ""),
    ("none", (Fairness::None, Strategies::AsRuns), ""),
];

/// Whether passes are examined.
static VACUITY: [Word<Examine>; 3] = [
    ("taf", Examine::Yes, "Temporal antecedent failure"),
    ("full", Examine::InFull, "Every part of a claim that it does not depend on"),
    ("off", Examine::No, ""),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Deny {
    Vacuous,
    Warnings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Human,
    Json,
    Jsonl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportKind {
    Junit,
    Json,
    /// The picture of a run, for a browser
    Html,
    /// The texts of the model, coloured by what happens and what claims depend on, for a browser
    Coverage,
    /// The points of a sweep
    Csv,
}

impl ReportKind {
    /// As it is written on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Junit => "junit",
            Self::Json => "json",
            Self::Html => "html",
            Self::Coverage => "coverage",
            Self::Csv => "csv",
        }
    }
}

/// `motet sim`
#[derive(Clone, Debug, Args)]
pub(crate) struct Sim {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) claims: ClaimArguments,
    /// How many runs; 1 unless given
    #[arg(short = 'n', value_name = "RUNS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) runs: Option<u64>,
    /// Steps of a run at most; 1000, or 100000 with --until
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
    /// How far the model's clock runs at most, such as 12h
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) until: Option<Duration>,
    /// A timeline of everybody instead of the list of events
    #[arg(long)]
    pub(crate) timeline: bool,
    /// Write a file too: html=FILE is the picture of a single run; may be given several times
    #[arg(long, value_name = "KIND=FILE", value_parser = report_file)]
    pub(crate) report: Vec<(ReportKind, PathBuf)>,
    /// Makes the same runs again
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Take the enabled steps with these numbers, such as 2,1,3, then stop; with --steps go on at random
    #[arg(long, value_name = "N,N", num_args = 0..=1, value_delimiter = ',', conflicts_with_all = ["runs", "run", "strategy", "width"])]
    pub(crate) choose: Option<Vec<u32>>,
    /// Show only the run with this number of a series, counted from 0
    #[arg(long, value_name = "N")]
    pub(crate) run: Option<u64>,
    /// Play a strategy that `check --strategy` wrote, instead of choosing at random
    #[arg(long, value_name = "FILE.csv", help_heading = "Numbers")]
    pub(crate) strategy: Option<PathBuf>,
    /// How sure estimates are
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, value_parser = share, help_heading = "Numbers")]
    pub(crate) confidence: f64,
    /// Make as many runs as it takes for intervals no wider than this
    #[arg(long, value_name = "WIDTH", value_parser = share, help_heading = "Numbers")]
    pub(crate) width: Option<f64>,
    /// What standard output carries
    #[arg(long, value_name = "FORM", default_value = "human", env = "MOTET_FORMAT")]
    pub(crate) format: Format,
    /// Threads that share the runs; all cores unless given
    #[arg(long, value_name = "N", help_heading = "Numbers")]
    pub(crate) threads: Option<usize>,
    /// Where a single run is saved
    #[arg(long, value_name = "DIR", default_value = ".motet/traces", env = "MOTET_TRACE_DIR")]
    pub(crate) trace_dir: PathBuf,
}

/// `motet explain`
#[derive(Clone, Debug, Args)]
pub(crate) struct Explain {
    /// A code such as M0601, a saved trace, a model, or a formula
    #[arg(required_unless_present = "formula")]
    pub(crate) what: Option<String>,
    /// With a model: the claims to explain
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) property: Vec<String>,
    /// A formula to explain; without a model every name in it is an atom
    #[arg(short = 'e', value_name = "FORMULA")]
    pub(crate) formula: Vec<String>,
    /// With a model: why this frame or transition fires or does not fire on a random run
    #[arg(long, value_name = "NAME", help_heading = "Frames")]
    pub(crate) frame: Option<String>,
    /// The moment to look at, such as 14:00 or 90min; the end of the run unless given
    #[arg(long, value_name = "TIME", value_parser = moment, requires = "frame", help_heading = "Frames")]
    pub(crate) at: Option<Duration>,
    /// Which random run
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Frames")]
    pub(crate) seed: u64,
    /// What standard output carries for claims
    #[arg(long, value_name = "FORM", default_value = "human", env = "MOTET_FORMAT")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) settings: ModelSettings,
}

/// `motet sweep`
#[derive(Clone, Debug, Args)]
pub(crate) struct Sweep {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) claims: ClaimArguments,
    /// Write all points as a table of comma-separated values
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub(crate) csv: Option<PathBuf>,
    /// Write all points as JSON
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub(crate) json: Option<PathBuf>,
    /// Draw the curves of numbers
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub(crate) svg: Option<PathBuf>,
    /// Compute fractions instead of certified intervals; for small models
    #[arg(long, help_heading = "Numbers")]
    pub(crate) exact: bool,
    /// Narrow the places where a verdict flips down to this step
    #[arg(long, value_name = "STEP")]
    pub(crate) bisect: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) threads: ThreadArguments,
    /// What standard output carries
    #[arg(long, value_name = "FORM", default_value = "human", env = "MOTET_FORMAT", help_heading = "Report")]
    pub(crate) format: Format,
    /// Write a report file too: csv=FILE, json=FILE
    #[arg(long, value_name = "KIND=FILE", value_parser = report_file, help_heading = "Report")]
    pub(crate) report: Vec<(ReportKind, PathBuf)>,
}

/// `motet fmt`
#[derive(Clone, Debug, Args)]
pub(crate) struct Fmt {
    /// Claims files, or folders with claims files
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; exit 1 if a file is not in its canonical form
    #[arg(long)]
    pub(crate) check: bool,
    /// Rewrite files of another dialect too, with the parentheses they need; NAME.psl goes to NAME.props
    #[arg(long, value_name = "DIALECT")]
    pub(crate) to: Option<TargetDialect>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TargetDialect {
    Motet,
}

/// `motet export`
#[derive(Clone, Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    #[command(flatten)]
    pub(crate) claims: ClaimArguments,
    /// The form
    #[arg(long, value_name = "FORM")]
    pub(crate) to: ExportForm,
    /// For dot and json: the graph of situations, who sends what to whom, or the nets; nets are drawn unless asked otherwise
    #[arg(long, value_name = "WHAT")]
    pub(crate) graph: Option<GraphWhat>,
    /// Situations at most: 200 of a graph, 1000000 of drn, tra and jani unless given
    #[arg(long, value_name = "N")]
    pub(crate) states: Option<u64>,
    /// Write to this file; tra needs it, because it is several files
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportForm {
    Promela,
    /// Promela, one number per situation
    PromelaStates,
    /// NuSMV, one number per situation
    Nusmv,
    /// Aldebaran: the situations and steps as a labelled transition system
    Aut,
    /// The claims as automata, in the Hanoi format
    Hoa,
    /// The PRISM language, for Storm and PRISM
    Prism,
    /// Storm's explicit format, state by state
    Drn,
    /// PRISM's explicit format, state by state
    Tra,
    /// A JANI model, state by state
    Jani,
    Dot,
    Json,
    /// A drawing of nets with their tokens
    Svg,
    /// The text of nets, with aspects woven in, roles and operations written out
    Nets,
    /// The exchange format of Petri nets, for nets of black tokens
    Pnml,
    /// The nets of TINA, for nets of black tokens
    Tina,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphWhat {
    States,
    Team,
    Nets,
}

/// `motet trace`
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum TraceVerb {
    /// The run as a chart, with its reasons
    Show(ShowArguments),
    /// The run step by step, with what each step changes in the agents' minds
    Step(StepArguments),
}

/// Which trace, and what of it.
#[derive(Clone, Debug, Args)]
pub(crate) struct ShowArguments {
    /// A file that `check` or `sim` saved
    pub(crate) trace: PathBuf,
    /// The outline of its branches: the other runs behind a claim about them or about knowledge
    #[arg(long)]
    pub(crate) tree: bool,
    /// One run of the tree, such as 1.2
    #[arg(long, value_name = "NUMBER", conflicts_with = "tree")]
    pub(crate) branch: Option<String>,
    /// Only why: the facts that decide the claim on the run, and the reasons
    #[arg(long, conflicts_with_all = ["tree", "branch"])]
    pub(crate) why: bool,
}

/// Which trace and where in it.
#[derive(Clone, Debug, Args)]
pub(crate) struct StepArguments {
    /// A file that `check` or `sim` saved
    pub(crate) trace: PathBuf,
    /// Only this step, with everything the agents have in mind after it
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<usize>,
    /// One run of a tree, such as 1.2
    #[arg(long, value_name = "NUMBER")]
    pub(crate) branch: Option<String>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_table_of_arguments_is_consistent() {
        Cli::command().debug_assert();
    }
}
