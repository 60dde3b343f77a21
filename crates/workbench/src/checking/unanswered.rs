//! What there is to say when a search does not come back in time.

use motet_evidence::{Outcome, Stop, Verdict};
use motet_render::Report;

use crate::checking::check::claim_report;
use crate::loading::load::Loaded;

/// The report of a check that was ended from outside: no claim is answered, and this is why.
#[must_use]
pub fn unanswered(loaded: &Loaded, stop: &Stop) -> Report {
    let mut report =
        Report { head: loaded.head.clone(), problems: loaded.problems.clone(), ..Report::default() };
    let Some(ready) = &loaded.ready else { return report };
    report.unit = ready.system.model.signature().unit;
    for claim in &ready.claims {
        let outcome = Outcome::of(Verdict::Unknown(stop.clone()));
        report.claims.push(claim_report(loaded, ready, claim, outcome, "native", None));
    }
    report.stop = Some(stop.clone());
    report
}
