//! `cargo xtask bench nets`: all markings of generated nets, Motet beside Spin.

use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::bench::{Agreement, Bench, Case, Say};
use crate::bench_motet::Motet;
use crate::bench_report::Page;
use crate::generated_nets::{Generated, nets};
use crate::spin::{COLLAPSE, PLAIN, Spin, TWO_CORES};

const ABOUT: &str = "All markings of nets of the literature. Spin gets Promela written for it: a byte for each place and a `d_step` for each transition, in one process, which \
     is the fastest Promela for a net and leaves nothing to reduce; the last line of a case is Spin on Motet's export. The numbers of states must be the published \
     ones and the same for all, or the run fails.";

/// For gcc: one process has nothing to be fair to, and looking for it would cost Spin time.
const SWITCHES: [&str; 2] = ["-DSAFETY", "-DNOFAIR"];
/// For pan: philosophers starve, and that is no error here.
const OPTIONS: [&str; 1] = ["-E"];
/// Longer states than Spin expects.
const EXPORT_SWITCHES: [&str; 4] = ["-DSAFETY", "-DNOFAIR", "-DNOCLAIM", "-DVECTORSZ=16384"];

/// Explores all nets.
///
/// # Errors
/// When a program does not end as it should, or counts other states than the literature or another program.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    say("nets: writing and compiling");
    let mut cases = Vec::new();
    for (number, net) in nets(bench.options.extent).into_iter().enumerate() {
        cases.push(case(bench, number, net)?);
    }
    bench.measure("nets", ABOUT, &cases, say)
}

fn case(bench: &Bench, number: usize, net: Generated) -> Result<Case<'_>> {
    let folder = bench.place(number)?;
    std::fs::write(folder.join("model.net"), net.tina())?;
    let motet = Motet::new(&folder, &["model.net"], folder.join("motet.json"));
    let mut contenders = vec![motet.contender(bench)];
    let spin = Spin { folder: &folder, promela: &net.promela(), switches: &SWITCHES, searches: &[&OPTIONS] };
    contenders.extend(spin.contenders(bench, &[PLAIN, COLLAPSE, TWO_CORES])?);
    let exported = Command::new(&bench.motet)
        .current_dir(&folder)
        .args(["export", "model.net", "--to", "promela"])
        .output()?;
    if !exported.status.success() {
        bail!("the export failed: {}", String::from_utf8_lossy(&exported.stderr));
    }
    let spin = Spin {
        folder: &folder.join("export"),
        promela: &String::from_utf8(exported.stdout)?,
        switches: &EXPORT_SWITCHES,
        searches: &[&OPTIONS],
    };
    contenders.extend(spin.contenders(bench, &[PLAIN])?.into_iter().map(|mut contender| {
        contender.name += " on the export";
        contender
    }));
    let Generated { title, states, firings, .. } = net;
    Ok(Case { title, contenders, agreement: Some(agreement(states, firings)) })
}

/// The published numbers of markings and firings, and the same number for everybody who got to the end. The export has
/// states before and after its markings, so it is left out.
fn agreement<'a>(states: Option<u64>, firings: Option<u64>) -> Agreement<'a> {
    Box::new(move |samples| {
        let complete = samples.iter().take(4).flatten().filter(|sample| sample.cut.is_none());
        let mut expected = states;
        for sample in complete {
            let found = sample.states;
            ensure!(expected.is_none() || found == expected, "{found:?} states, but {expected:?} elsewhere");
            expected = found;
        }
        if let (Some(known), Some(Some(own))) = (firings, samples.first()) {
            ensure!(own.transitions == Some(known), "{:?} firings, but {known} are known", own.transitions);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Sample;

    #[test]
    fn other_numbers_of_markings_are_a_disagreement() {
        let sample =
            |states| Some(Sample { states: Some(states), transitions: Some(9), ..Sample::default() });
        assert!(agreement(Some(5), Some(9))(&[sample(5), sample(5), None]).is_ok());
        assert!(agreement(Some(5), None)(&[sample(6)]).is_err());
        assert!(agreement(None, None)(&[sample(6), sample(5)]).is_err());
        assert!(agreement(None, Some(8))(&[sample(6)]).is_err());
    }
}
