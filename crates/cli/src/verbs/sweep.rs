//! `motet sweep`

use std::time::Instant;

use motet_render::{sweep as table, sweep_csv, sweep_json};
use motet_workbench::{Axis, CheckOptions, Examine, sweep as run_sweep};

use crate::arguments::{Format, ReportKind, Sweep};
use crate::exit::ExitCode;
use crate::host::{Host, write_file};
use crate::progress::Meter;
use crate::verbs::{check, project, refuse};

/// Checks the claims for each value of one parameter.
pub(crate) fn sweep(host: &Host, arguments: &Sweep) -> anyhow::Result<ExitCode> {
    let mut model = arguments.model.clone();
    let is_axis = |value: &str| value.contains("..") || value.contains(',');
    let mut axes = arguments.model.settings.define.iter().filter(|(_, value)| is_axis(value));
    let Some((name, values)) = axes.next() else {
        anyhow::bail!(
            "nothing is swept; give one parameter several values: -D NAME=FROM..TO:STEP or -D NAME=A,B,C"
        );
    };
    if let Some((other, _)) = axes.next() {
        anyhow::bail!("`{name}` and `{other}` both have several values; sweep one parameter at a time");
    }
    let axis = Axis::parse(&format!("{name}={values}")).map_err(anyhow::Error::msg)?;
    let step = arguments.bisect.as_deref().map(|text| axis.step(text)).transpose();
    let step = step.map_err(anyhow::Error::msg)?;
    model.settings.define.retain(|(_, value)| !is_axis(value));
    let limits = check::limits(host, &arguments.limits);
    let mut meter = Meter::new(host.look.progress, host.view, limits.memory);
    let options = CheckOptions {
        limits,
        vacuity: Examine::No,
        scratch: std::env::temp_dir(),
        ..CheckOptions::default()
    };
    let start = Instant::now();
    let swept =
        run_sweep(&project(&model, Some(&arguments.claims)), &axis, step, &options, &mut |value, now| {
            meter.update(&now, format!("{name} = {value}"));
        });
    meter.finish();
    let mut swept = match swept {
        Ok(swept) => swept,
        Err(loaded) => return Ok(refuse(host, &loaded)),
    };
    swept.sweep.seconds = start.elapsed().as_secs_f64();
    match arguments.format {
        Format::Human => host.say(&table(&swept.sweep, &host.view)),
        Format::Json | Format::Jsonl => host.say(&sweep_json(&swept.sweep)),
    }
    for (kind, path) in &arguments.report {
        let text = match kind {
            ReportKind::Csv => sweep_csv(&swept.sweep),
            ReportKind::Json => sweep_json(&swept.sweep),
            ReportKind::Junit | ReportKind::Html => anyhow::bail!("a sweep is written as csv or json"),
        };
        write_file(path, &text)?;
    }
    Ok(match swept {
        _ if host.interrupt.load(std::sync::atomic::Ordering::Relaxed) => ExitCode::Interrupted,
        swept if swept.surprised => ExitCode::NotAsExpected,
        swept if swept.unknown => ExitCode::Inconclusive,
        _ => ExitCode::AsExpected,
    })
}
