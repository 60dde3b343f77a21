//! What a program takes before it has stored a state: its own code, its tables, for Storm all of Python. Memory by states
//! means little with it.

use anyhow::{Context as _, Result};

use crate::bench::{Bench, Standing};
use crate::bench_motet::Motet;
use crate::peers::Questions;

/// Peak memory in MiB on a model of next to nothing. Spin's verifiers are other programs for other models, so theirs is
/// found with them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Startup {
    pub(crate) motet: Option<f64>,
    pub(crate) storm: Option<f64>,
    pub(crate) prism: Option<f64>,
}

/// A short run may be over before it is looked at, and then its peak is unknown; the largest of several is not.
const TIMES: usize = 3;

/// One place, one transition.
const NET: &str = "pl a (1)\ntr t a -> a\n";

/// One state.
const CHAIN: &str = "dtmc\nmodule m\n  x : [0..1] init 0;\n  [] true -> (x'=x);\nendmodule\n";

impl Startup {
    /// Runs everybody who is here on next to nothing.
    ///
    /// # Errors
    /// When the models cannot be written.
    pub(crate) fn of(bench: &Bench) -> Result<Self> {
        let folder = bench.root.join("target/bench/startup");
        std::fs::create_dir_all(&folder).context("creating target/bench/startup")?;
        std::fs::write(folder.join("model.net"), NET)?;
        std::fs::write(folder.join("model.prism"), CHAIN)?;
        let motet = Motet::new(&folder, &["model.net"], folder.join("motet.json")).contender(bench);
        let questions = Questions {
            folder: folder.clone(),
            model: "model.prism".to_owned(),
            properties: vec!["P=? [ F x=1 ]".to_owned()],
        };
        let mut peaks = Vec::new();
        for contender in [motet].into_iter().chain(questions.contenders(bench)) {
            let Standing::Ready { run, .. } = &contender.standing else {
                peaks.push(None);
                continue;
            };
            let peaks_of_one = (0..TIMES).filter_map(|_| run().ok()).map(|sample| sample.cost.peak_mib);
            peaks.push(peaks_of_one.max_by(f64::total_cmp));
        }
        let peak = |number: usize| peaks.get(number).copied().flatten();
        Ok(Self { motet: peak(0), storm: peak(1), prism: peak(2) })
    }
}
