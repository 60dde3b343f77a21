//! `motet sweep`

use std::path::PathBuf;
use std::time::Instant;

use motet_render::{Sweep as Table, sweep as table, sweep_csv, sweep_json, sweep_svg};
use motet_workbench::{Axis, CheckOptions, Examine, Precision, Settings, sweep as run_sweep};

use crate::arguments::{Format, ReportKind, Sweep};
use crate::deliver::deliver;
use crate::exit::ExitCode;
use crate::host::Host;
use crate::progress::Meter;
use crate::verbs::{check, project, refuse};

/// Checks the claims for each value of one parameter, or of two.
pub(crate) fn sweep(host: &Host, arguments: &Sweep) -> anyhow::Result<ExitCode> {
    let mut model = arguments.model.clone();
    let (axis, second) = axes(arguments)?;
    if arguments.report.iter().any(|(kind, _)| !matches!(kind, ReportKind::Csv | ReportKind::Json)) {
        anyhow::bail!("a sweep is written as csv, json or svg");
    }
    let name = axis.name.clone();
    let step = arguments.bisect.as_deref().map(|text| axis.step(text)).transpose();
    let step = step.map_err(anyhow::Error::msg)?;
    model.settings.define.retain(|(_, value)| !is_axis(value));
    let limits = check::limits(host, &arguments.limits);
    let mut meter = Meter::new(host.look.progress, host.view, limits.memory);
    let settings = Settings {
        limits,
        vacuity: Examine::No,
        precision: if arguments.exact { Precision::Exact } else { Precision::default() },
        threads: arguments.threads.count(),
        ..Settings::default()
    };
    let scratch = std::env::temp_dir();
    let options = CheckOptions { background: Examine::No, scratch, ..settings.into() };
    let start = Instant::now();
    let project = project(&model, Some(&arguments.claims));
    let swept = run_sweep(&project, (&axis, second.as_ref()), step, &options, &mut |value, now| {
        meter.update(&now, format!("{name} = {value}"));
    });
    meter.finish();
    let mut swept = match swept {
        Ok(swept) => swept,
        Err(loaded) => return Ok(refuse(host, &loaded)),
    };
    let each = start.elapsed().as_secs_f64() / swept.sweeps.len().max(1) as f64;
    swept.sweeps.iter_mut().for_each(|sweep| sweep.seconds = each);
    write_files(host, arguments, &swept.sweeps);
    match arguments.format {
        Format::Human => {
            let pages: Vec<String> = swept.sweeps.iter().map(|sweep| table(sweep, &host.view)).collect();
            host.say(&pages.join("\n"));
        }
        Format::Json | Format::Jsonl => host.say(&sweep_json(&swept.sweeps)),
    }
    Ok(match swept {
        _ if host.interrupt.load(std::sync::atomic::Ordering::Relaxed) => ExitCode::Interrupted,
        swept if swept.surprised => ExitCode::NotAsExpected,
        swept if swept.unknown => ExitCode::Inconclusive,
        _ => ExitCode::AsExpected,
    })
}

fn is_axis(value: &str) -> bool {
    value.contains("..") || value.contains(',')
}

/// The parameter that is swept, and the one that makes a family of it.
fn axes(arguments: &Sweep) -> anyhow::Result<(Axis, Option<Axis>)> {
    let defined = arguments.model.settings.define.iter().filter(|(_, value)| is_axis(value));
    let mut axes = Vec::new();
    for (name, values) in defined {
        axes.push(Axis::parse(&format!("{name}={values}")).map_err(anyhow::Error::msg)?);
    }
    let mut axes = axes.into_iter();
    match (axes.next(), axes.next(), axes.next()) {
        (Some(axis), second, None) => Ok((axis, second)),
        (None, ..) => anyhow::bail!(
            "nothing is swept; give one parameter several values: -D NAME=FROM..TO:STEP or -D NAME=A,B,C"
        ),
        _ => anyhow::bail!("three parameters have several values; sweep two at most"),
    }
}

/// The files that were asked for, each whatever becomes of the others.
fn write_files(host: &Host, arguments: &Sweep, sweeps: &[Table]) {
    for (kind, path) in &arguments.report {
        let text = if *kind == ReportKind::Csv { sweep_csv(sweeps) } else { sweep_json(sweeps) };
        deliver(&format!("--report {}={}", kind.word(), path.display()), path, Ok(text));
    }
    let picture = || sweep_svg(sweeps).ok_or_else(|| "no claim asks for a number".to_owned());
    type Written<'t> = &'t dyn Fn() -> Result<String, String>;
    let named: [(&str, &Option<PathBuf>, Written<'_>); 3] = [
        ("--csv", &arguments.csv, &|| Ok(sweep_csv(sweeps))),
        ("--json", &arguments.json, &|| Ok(sweep_json(sweeps))),
        ("--svg", &arguments.svg, &picture),
    ];
    let mut written = Vec::new();
    for (option, path, text) in named {
        if let Some(path) = path
            && deliver(&format!("{option} {}", path.display()), path, text())
        {
            written.push(path.display().to_string());
        }
    }
    if !written.is_empty() {
        host.hint(&format!("all points: {}", written.join(", ")));
    }
}
