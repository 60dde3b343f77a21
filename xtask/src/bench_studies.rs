//! `cargo xtask bench studies`: the two case studies of Brahms with all their claims.

use anyhow::{Result, bail};

use crate::bench::{Bench, Case, Say};
use crate::bench_motet::Motet;
use crate::bench_report::Page;

const ABOUT: &str = "The two case studies of Stocker's thesis with all their claims. The thesis (2013, tables 11.1 and 11.2, and 8.3.2) needed 30 to 848 seconds and 1 GB for each claim \
     about the first, 64 to 154 seconds for each about the second. Spin has no clock, so there is nobody to compare with here.";

/// Checks all claims of both studies.
///
/// # Errors
/// When a study is not as expected.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    let mut cases = Vec::new();
    for study in ["home-care", "digital-nurse"] {
        let output = bench.folder.join(format!("{study}.json"));
        let motet = Motet::new(&bench.root, &[&format!("examples/{study}")], output.clone());
        let contenders = vec![motet.contender(bench)];
        let agreement = Box::new(move |_: &[_]| {
            if !std::fs::read_to_string(&output)?.contains("\"exit\": 0") {
                bail!("{study} is not as expected; see {}", output.display());
            }
            Ok(())
        });
        cases.push(Case { title: study.to_owned(), contenders, agreement: Some(agreement) });
    }
    bench.measure("studies", ABOUT, &cases, say)
}
