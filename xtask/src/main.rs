//! `cargo xtask`: the command line of the automation.
#![expect(clippy::print_stdout, reason = "automation speaks to the person who started it")]

use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use xtask::counting::Extent;
use xtask::{
    Tree, bench, bench_advise, bench_counting, bench_nets, bench_studies, codes, generated_nets, root, tidy,
    transcripts,
};

const HELP: &str = "\
cargo xtask tidy                    check what the compiler cannot (also a test)
cargo xtask codes                   write docs/book/src/reference/problems.md from the CODES tables
cargo xtask transcripts [check]     bring the terminal sessions in our pages up to date, or check that they are
cargo xtask bench auction [LAST]    Motet beside Spin on the repaired auction; LAST is 10 unless given
cargo xtask bench counting [small]  Motet beside Spin on the counting experiments
cargo xtask bench nets [small]      Motet beside Spin on nets of the literature: Kanban, philosophers and others
cargo xtask bench studies           the case studies of Brahms with all their claims
cargo xtask bench chance            Motet beside Storm on the models of chance in the corpus, and the vessel
cargo xtask bench advise            how long advice takes on the vessel; writes docs/benchmarks/advise.md
";

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["tidy"] => show_findings(),
        ["codes"] => codes::write(&root(), &Tree::read(&root())?).map(|()| ExitCode::SUCCESS),
        ["transcripts"] => refresh_transcripts(),
        ["transcripts", "check"] => check_transcripts(),
        ["bench", "auction"] => run_bench("10"),
        ["bench", "auction", last] => run_bench(last),
        ["bench", "counting"] => run_counting(Extent::Full),
        ["bench", "counting", "small"] => run_counting(Extent::Small),
        ["bench", "nets"] => run_nets(generated_nets::Extent::Full),
        ["bench", "nets", "small"] => run_nets(generated_nets::Extent::Small),
        ["bench", "studies"] => run_studies(),
        ["bench", "chance"] => run_chance(),
        ["bench", "advise"] => run_advise(),
        [] | ["help" | "--help"] => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        _ => bail!("unknown arguments; the commands are\n{HELP}"),
    }
}

fn show_findings() -> Result<ExitCode> {
    let report = tidy::tidy(&Tree::read(&root())?);
    for remark in &report.remarks {
        println!("remark: {remark}");
    }
    for finding in &report.findings {
        println!("{finding}");
    }
    println!("{} findings, {} remarks", report.findings.len(), report.remarks.len());
    Ok(if report.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn refresh_transcripts() -> Result<ExitCode> {
    let changed = transcripts::refresh(&root(), &bench::build(&root())?, &Tree::read(&root())?)?;
    println!("{} pages changed: {}", changed.len(), changed.join(", "));
    Ok(ExitCode::SUCCESS)
}

fn check_transcripts() -> Result<ExitCode> {
    let stale = transcripts::stale(&root(), &bench::build(&root())?, &Tree::read(&root())?)?;
    for finding in &stale {
        println!("{finding}");
    }
    println!("{} terminal sessions are out of date; `cargo xtask transcripts` renews them", stale.len());
    Ok(if stale.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_counting(extent: Extent) -> Result<ExitCode> {
    print!("{}", bench_counting::counting(&root(), extent)?);
    Ok(ExitCode::SUCCESS)
}

fn run_nets(extent: generated_nets::Extent) -> Result<ExitCode> {
    print!("{}", bench_nets::bench_nets(&root(), extent)?);
    Ok(ExitCode::SUCCESS)
}

fn run_studies() -> Result<ExitCode> {
    print!("{}", bench_studies::studies(&root())?);
    Ok(ExitCode::SUCCESS)
}

fn run_advise() -> Result<ExitCode> {
    print!("{}", bench_advise::advise(&root())?);
    Ok(ExitCode::SUCCESS)
}

/// The suite knows how to read the corpus and how to ask Storm, so the benchmark is one of its programs.
#[expect(clippy::disallowed_methods, reason = "automation starts programs")]
fn run_chance() -> Result<ExitCode> {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let arguments = ["run", "--release", "--quiet", "-p", "motet-suite", "--example", "chance"];
    let ended = std::process::Command::new(cargo).current_dir(root()).args(arguments).status()?;
    Ok(if ended.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_bench(last: &str) -> Result<ExitCode> {
    let last = last.parse().context("LAST is a number of auctions, such as 5")?;
    print!("{}", bench::auction(&root(), &bench::Options { last })?);
    Ok(ExitCode::SUCCESS)
}
