//! `cargo xtask bench auction`: the repaired auction, all states and three claims on fair runs; Spin on Motet's own export.

use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::bench::{Bench, Case, Extent, Sample, Say};
use crate::bench_motet::Motet;
use crate::bench_report::Page;
use crate::spin::{COLLAPSE, PLAIN, REDUCTION, Spin, TWO_CORES};

const ABOUT: &str = "The repaired auction of `examples/auction-fixed` (AgentSpeak, three agents, Bordini et al. 2003), all states, and claims S1 to S3 on weakly fair runs. \
     Motet answers all claims in one run; Spin searches once for each claim, on Motet's export, and its runs are added up. The claims have no `next`, so \
     Spin may reduce. Hidden variables of the export are scratch within a step, so Spin's refusal of two cores is taken out.";

/// States of Spin are longer than it expects.
const SWITCHES: [&str; 1] = ["-DVECTORSZ=16384"];
/// A verifier with inline formulas always searches the product with one of them unless it is compiled without.
const REACH: [&str; 3] = ["-DVECTORSZ=16384", "-DNOCLAIM", "-DSAFETY"];

/// Measures both cases.
///
/// # Errors
/// When a program does not end as it should.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    let quick = bench.options.extent == Extent::Quick;
    let last = bench.options.last.unwrap_or(if quick { 3 } else { 10 });
    say(&format!("auction, LAST = {last}: exporting and compiling"));
    let promela = export(bench, last)?;
    let motet = |place: usize, claims: &str| -> Result<Motet> {
        let arguments = ["examples/auction-fixed", "-D", &format!("LAST={last}"), "-p", claims];
        Ok(Motet::new(&bench.root, &arguments, bench.place(place)?.join("motet.json")))
    };
    let mut reach = vec![motet(0, "Proposal")?.contender(bench)];
    let spin = Spin { folder: &bench.place(0)?, promela: &promela, switches: &REACH, searches: &[&[]] };
    reach.extend(spin.contenders(bench, &[PLAIN, COLLAPSE, REDUCTION, TWO_CORES])?);
    let mut fair = vec![motet(1, "S*")?.contender(bench)];
    let claims: [&[&str]; 3] =
        [&["-a", "-f", "-N", "S1"], &["-a", "-f", "-N", "S2"], &["-a", "-f", "-N", "S3"]];
    let spin = Spin { folder: &bench.place(1)?, promela: &promela, switches: &SWITCHES, searches: &claims };
    fair.extend(spin.contenders(bench, &[REDUCTION])?);
    let cases = [
        Case {
            title: format!("LAST = {last}, all states"),
            contenders: reach,
            agreement: Some(Box::new(same_states)),
        },
        Case { title: format!("LAST = {last}, S1 to S3, weakly fair"), contenders: fair, agreement: None },
    ];
    bench.measure("auction", ABOUT, &cases, say)
}

/// All ways of Spin that do not reduce find as many states.
fn same_states(samples: &[Option<Sample>]) -> Result<()> {
    let [_, plain, collapse, _, two_cores] = samples else { return Ok(()) };
    let complete = [plain, collapse, two_cores].into_iter().flatten().filter(|sample| sample.cut.is_none());
    let counts: Vec<Option<u64>> = complete.map(|sample| sample.states).collect();
    ensure!(counts.windows(2).all(|pair| pair[0] == pair[1]), "Spin finds {counts:?} states");
    Ok(())
}

fn export(bench: &Bench, last: u32) -> Result<String> {
    let arguments = ["export", "examples/auction-fixed", "--to", "promela", "-D", &format!("LAST={last}")];
    let exported = Command::new(&bench.motet).current_dir(&bench.root).args(arguments).output()?;
    if !exported.status.success() {
        bail!("the export failed: {}", String::from_utf8_lossy(&exported.stderr));
    }
    Ok(String::from_utf8(exported.stdout)?)
}
