//! `motet advise`: a model is solved once, then questions about situations are answered by look-up.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use motet_live::{Line, Lines};
use motet_render::{Advice, advice_error, advice_head, advice_json, advice_listening, advice_text};
use motet_web::{Address, Server, ServerError};
use motet_workbench::{
    AdviceDesk, AdviseOptions, Loaded, Phase, Precision, Problem, Progress, foreign_address, load,
    situation_help, taken_address,
};

use crate::arguments::advise::{AdviceFormat, Advise};
use crate::exit::ExitCode;
use crate::files::read_file;
use crate::host::Host;
use crate::progress::Meter;
use crate::verbs::check::limits;
use crate::verbs::{project, refuse};

/// The code of a model that was not solved because something ran out.
const LIMIT: &str = "M0072";

/// Solves, then answers: the initial situation, a file, lines, or HTTP.
pub(crate) fn advise(host: &Host, arguments: &Advise) -> anyhow::Result<ExitCode> {
    let mut project = project(&arguments.model, None);
    project.selection.queries.clone_from(&arguments.query);
    let mut loaded = load(project);
    let address = match &arguments.listen {
        None => None,
        Some(text) => match Address::parse(text) {
            Some(address) => Some((address, text)),
            None => {
                let problem = foreign_address(&mut loaded.sources, "--listen", text);
                return Ok(refuse_with(host, &mut loaded, problem));
            }
        },
    };
    let Some(ready) = loaded.ready.take() else { return Ok(refuse(host, &loaded)) };
    let start = Instant::now();
    let options = options(host, arguments);
    let mut meter = Meter::new(host.look.progress, host.view, options.limits.memory);
    let mut watch = |now: Progress| meter.update(&now, phase(now));
    let opened = AdviceDesk::open(&ready, &mut loaded.sources, &options, &mut watch);
    meter.finish();
    let mut desk = match opened {
        Ok(desk) => desk,
        Err(problems) => {
            let limited = problems.iter().any(|problem| problem.code == LIMIT);
            loaded.problems.extend(problems);
            let refused = refuse(host, &loaded);
            return Ok(match limited {
                true if host.interrupt.load(Ordering::Relaxed) => ExitCode::Interrupted,
                true => ExitCode::Inconclusive,
                false => refused,
            });
        }
    };
    let adviser = desk.adviser();
    let queries = adviser.queries().len();
    let seconds = start.elapsed().as_secs_f64();
    let head = advice_head(adviser.n_states(), adviser.n_situations(), queries, adviser.over(), seconds);
    if let Some((address, text)) = address {
        return Ok(listen(host, &mut loaded, desk, (address, text), arguments.format, &head));
    }
    match &arguments.state {
        None => {
            let advice = desk.at_start();
            tell(host, arguments.format, &head, &advice);
        }
        Some(path) if path == Path::new("-") => lines(host, &mut desk, std::io::stdin().lock()),
        Some(path) => return Ok(described(host, arguments, &mut desk, path, &head)),
    }
    Ok(ExitCode::AsExpected)
}

fn options(host: &Host, arguments: &Advise) -> AdviseOptions {
    AdviseOptions {
        // A formula is a claim that its own text names.
        queries: arguments
            .property
            .iter()
            .chain(&arguments.query)
            .map(|name| name.trim().to_owned())
            .collect(),
        thresholds: arguments.threshold.clone(),
        limits: limits(host, &arguments.limits),
        threads: arguments.threads.count(),
        precision: arguments.precision.map_or_else(Precision::default, Precision::Certified),
    }
}

fn phase(now: Progress) -> String {
    match now.phase {
        Phase::Explore => "exploring".to_owned(),
        Phase::Claim(_) | Phase::Part(_) => "solving".to_owned(),
    }
}

fn refuse_with(host: &Host, loaded: &mut Loaded, problem: Problem) -> ExitCode {
    loaded.problems.push(problem);
    refuse(host, loaded)
}

fn tell(host: &Host, format: AdviceFormat, head: &str, advice: &Advice) {
    match format {
        AdviceFormat::Text => host.say(&format!("{head}\n{}", advice_text(advice))),
        AdviceFormat::Json => host.say(&format!("{}\n", advice_json(advice))),
    }
}

/// Answers the situation in a file.
fn described(host: &Host, arguments: &Advise, desk: &mut AdviceDesk, path: &Path, head: &str) -> ExitCode {
    let (sources, problems) = read_file(path);
    let Some((id, file)) = sources.iter().next().filter(|_| !problems.has_errors()) else {
        return host.fail(&problems, &sources);
    };
    match desk.answer(&file.text) {
        Ok(advice) => {
            tell(host, arguments.format, head, &advice);
            ExitCode::AsExpected
        }
        Err(wrong) if arguments.format == AdviceFormat::Json => {
            host.say(&format!("{}\n", wrong.line()));
            ExitCode::BrokenInput
        }
        Err(wrong) => {
            let span = motet_workbench::Span::new(id, 0, 0);
            let mut problems = motet_workbench::Problems::new();
            for message in &wrong.messages {
                problems.push(Problem::error(wrong.code, span, message.clone(), wrong.help.clone()));
            }
            host.fail(&problems, &sources)
        }
    }
}

/// Answers every line with a line. A line that means nothing is answered by what is wrong with it.
fn lines(host: &Host, desk: &mut AdviceDesk, input: impl std::io::Read) {
    let wrong = |message: &str| advice_error("M0074", &[message.to_owned()], situation_help());
    for line in Lines::new(input) {
        let answer = match line {
            Line::Text(text) => desk.line(&text).unwrap_or_else(|wrong| wrong),
            Line::TooLong(_) => wrong("the line has more than 64 KiB"),
            Line::NotText(_) => wrong("the line is no text in UTF-8"),
        };
        host.say(&format!("{answer}\n"));
    }
}

/// Answers over HTTP until the user stops it.
fn listen(
    host: &Host,
    loaded: &mut Loaded,
    desk: AdviceDesk,
    (address, text): (Address, &str),
    format: AdviceFormat,
    head: &str,
) -> ExitCode {
    let server = match Server::bind(address) {
        Ok(server) => server,
        Err(error) => {
            let problem = taken_address(&mut loaded.sources, "--listen", text, &error.to_string());
            return refuse_with(host, loaded, problem);
        }
    };
    let (address, token) = (server.address(), server.token());
    host.say(&match format {
        AdviceFormat::Text => format!("{head}\nlistening at http://{address}\ntoken {token}\n"),
        AdviceFormat::Json => format!("{}\n", advice_listening(&address.to_string(), token.as_str())),
    });
    let routes = motet_web::advice(desk, &loaded.head.path);
    match server.run(routes, Arc::clone(&host.interrupt)) {
        Ok(()) => ExitCode::AsExpected,
        Err(error @ (ServerError::Bind(_) | ServerError::Start(_))) => {
            let problem = taken_address(&mut loaded.sources, "--listen", text, &error.to_string());
            refuse_with(host, loaded, problem)
        }
    }
}
