//! `cargo xtask`: the command line of the automation.
#![expect(clippy::print_stdout, reason = "automation speaks to the person who started it")]

use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use xtask::bench::{Binary, Extent, Options};
use xtask::instructions::{Purpose, instructions};
use xtask::{Tree, bench, bench_advise, bench_sets, codes, lab, root, tidy, transcripts};

const HELP: &str = "\
cargo xtask tidy                    check what the compiler cannot (also a test)
cargo xtask codes                   write docs/book/src/reference/problems.md from the CODES tables
cargo xtask transcripts [check]     bring the terminal sessions in our pages up to date, or check that they are
cargo xtask bench [NAME | all] [--quick] [--times N] [--built]
                                    Motet beside Spin, Storm and PRISM, into docs/benchmarks; all but advise with --quick,
                                    which are small models and go to target/bench; N is 3 unless given;
                                    --built measures the tool as it was built last
  auction [LAST]                    the repaired auction, fair claims; LAST is 10 unless given
  counting                          the counting experiments
  nets                              nets of the literature: Kanban, philosophers and others
  studies                           the case studies of Brahms with all their claims
  ward                              a ward with more and more patients
  chance                            the models of chance in the corpus, and the vessel
  vessel                            the vessel with more and more states
  threads                           one thread and two, phase by phase
  reduce                            each reduction beside the plain search
  limits                            how far --time and --mem are overrun
  resume                            a long check that is killed and continued, beside the undisturbed one
  advise                            how long advice takes on the vessel
cargo xtask instructions [--bless] [--built]
                                    count instructions of some commands and hold them against their budgets, or renew these
cargo xtask lab [--minutes N] [--check] [PART...]
                                    go on looking for faults, and write docs/assurance.md; --check writes nothing; fails on a finding
  fuzz                              coverage-guided fuzzing of all that reads what others wrote
  faults                            writes, flushes, renames and threads that fail, and limits
  mutants                           changes of the analyses that tests must notice
  coverage                          lines that tests run, by crate
  deny                              licences, sources and advisories of what is built in
";

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["tidy"] => show_findings(),
        ["codes"] => codes::write(&root(), &Tree::read(&root())?).map(|()| ExitCode::SUCCESS),
        ["transcripts"] => refresh_transcripts(),
        ["transcripts", "check"] => check_transcripts(),
        ["bench", "advise"] => run_advise(),
        ["bench", ref rest @ ..] => run_bench(rest),
        ["instructions", ref rest @ ..] => run_instructions(rest),
        ["lab", ref rest @ ..] => run_lab(rest),
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

fn run_advise() -> Result<ExitCode> {
    print!("{}", bench_advise::advise(&root())?);
    Ok(ExitCode::SUCCESS)
}

/// All benchmarks, or the one that is named.
fn run_bench(words: &[&str]) -> Result<ExitCode> {
    let mut options = Options { extent: Extent::Full, times: 3, last: None, binary: Binary::Fresh };
    let mut name = None;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--quick" | "small" => options.extent = Extent::Quick,
            "--built" => options.binary = Binary::Built,
            "--times" => {
                let times = words.next().and_then(|times| times.parse().ok()).filter(|times| *times > 0);
                options.times = times.context("--times takes a number, such as 3")?;
            }
            _ if name.is_none() => name = Some(word),
            _ if name == Some("auction") => {
                options.last = Some(word.parse().context("LAST is a number of auctions, such as 5")?);
            }
            _ => bail!("unknown argument `{word}`; the commands are\n{HELP}"),
        }
    }
    let name = name.filter(|name| *name != "all");
    print!("{}", bench_sets::bench(&root(), name, options, &mut |words| println!("-- {words}"))?);
    if name.is_none() && options.extent == Extent::Full {
        return run_advise();
    }
    Ok(ExitCode::SUCCESS)
}

fn run_instructions(words: &[&str]) -> Result<ExitCode> {
    let (mut purpose, mut binary) = (Purpose::Compare, Binary::Fresh);
    for word in words {
        match *word {
            "--bless" => purpose = Purpose::Bless,
            "--built" => binary = Binary::Built,
            _ => bail!("unknown argument `{word}`; the commands are\n{HELP}"),
        }
    }
    let count = instructions(&root(), purpose, binary)?;
    print!("{}", count.text);
    Ok(if count.failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn run_lab(words: &[&str]) -> Result<ExitCode> {
    let findings = lab::lab(&root(), &lab::options(words)?, &mut |words| println!("{words}"))?;
    for finding in &findings {
        println!("finding: {finding}");
    }
    println!("{} findings", findings.len());
    Ok(if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
