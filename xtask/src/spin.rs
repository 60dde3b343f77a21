//! Spin as a peer: the ways in which its verifier is compiled and run.

use std::path::Path;

use anyhow::Result;

use crate::bench::{Basis, Bench, Contender, Sample, Standing};
use crate::measure::Limit;
use crate::pan::{Verifier, compile, generate};

/// A way to compile and run Spin's verifier.
#[derive(Clone, Copy)]
pub(crate) struct Variant {
    name: &'static str,
    switches: &'static [&'static str],
    options: &'static [&'static str],
    basis: Basis,
}

/// States as they are.
pub(crate) const PLAIN: Variant =
    Variant { name: "Spin", switches: &["-DNOREDUCE"], options: &[], basis: Basis::Cpu };
/// Parts of states are stored once.
pub(crate) const COLLAPSE: Variant = Variant {
    name: "Spin, COLLAPSE",
    switches: &["-DNOREDUCE", "-DCOLLAPSE"],
    options: &[],
    basis: Basis::Cpu,
};
/// Steps of different processes that do not touch each other are taken in one order. Claims without `next` cannot tell.
pub(crate) const REDUCTION: Variant =
    Variant { name: "Spin, COLLAPSE, reduction", switches: &["-DCOLLAPSE"], options: &[], basis: Basis::Cpu };
/// Two processes share the work and one store. Its own limit ends it in order, so that no shared memory stays behind.
pub(crate) const TWO_CORES: Variant = Variant {
    name: "Spin, 2 cores",
    switches: &["-DNOREDUCE", "-DNCORE=2", "-DMEMLIM=4096"],
    options: &["-Q2"],
    basis: Basis::Wall,
};

/// What Spin is asked about a model.
pub(crate) struct Spin<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) promela: &'a str,
    /// For gcc, besides those of the variant.
    pub(crate) switches: &'a [&'a str],
    /// One search for each; the options of pan.
    pub(crate) searches: &'a [&'a [&'a str]],
}

impl Spin<'_> {
    /// Spin in several ways.
    ///
    /// # Errors
    /// When there is no compiler.
    pub(crate) fn contenders(&self, bench: &Bench, variants: &[Variant]) -> Result<Vec<Contender<'static>>> {
        if let Err(words) = &bench.peers.spin {
            return Ok(absent(variants, words));
        }
        if let Err(error) = generate(self.folder, self.promela) {
            return Ok(absent(variants, &format!("not measured: {error:#}")));
        }
        let contender = |(number, variant): (usize, &Variant)| self.contender(bench, number, *variant);
        variants.iter().enumerate().map(contender).collect()
    }

    fn contender(&self, bench: &Bench, number: usize, variant: Variant) -> Result<Contender<'static>> {
        let switches = [self.switches, variant.switches].concat();
        let standing = match compile(self.folder, &format!("pan{number}"), &switches)? {
            Err(words) => Standing::Absent(format!("not measured: {words}")),
            Ok(verifier) => {
                let owned = |search: &&[&str]| -> Vec<String> {
                    search.iter().chain(variant.options).map(|&option| option.to_owned()).collect()
                };
                let searches: Vec<Vec<String>> = self.searches.iter().map(owned).collect();
                let mut limit = bench.limit();
                if variant.basis == Basis::Wall {
                    limit.seconds += 60.0;
                }
                let options: Vec<&str> = searches[0].iter().map(String::as_str).collect();
                let startup_mib = verifier.startup_mib(&options, limit);
                Standing::Ready {
                    compile: Some(verifier.compile),
                    run: Box::new(move || {
                        Ok(Sample { startup_mib, ..search(&verifier, &searches, limit, number)? })
                    }),
                }
            }
        };
        Ok(Contender { name: variant.name.to_owned(), basis: variant.basis, standing })
    }
}

/// All of them, for the same reason.
fn absent(variants: &[Variant], words: &str) -> Vec<Contender<'static>> {
    let contender = |variant: &Variant| Contender {
        name: variant.name.to_owned(),
        basis: variant.basis,
        standing: Standing::Absent(words.to_owned()),
    };
    variants.iter().map(contender).collect()
}

/// One search after the other; the numbers are those of the largest.
fn search(verifier: &Verifier, searches: &[Vec<String>], limit: Limit, number: usize) -> Result<Sample> {
    let mut all = Sample::default();
    for (turn, options) in searches.iter().enumerate() {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let searched = verifier.search(&options, limit, &format!("pan{number}-{turn}.log"))?;
        all.cost = all.cost + searched.cost;
        all.states = all.states.max(searched.report.map(|report| report.states));
        all.transitions = all.transitions.max(searched.report.map(|report| report.transitions));
        all.own_bytes = all.own_bytes.max(searched.report.and_then(|report| report.bytes));
        all.cut = all.cut.or(searched.cut);
        if all.cut.is_some() {
            break;
        }
    }
    Ok(all)
}
