//! Coverage: which texts of the model happened, and which of them the verdicts depend on.

use motet_engine::{Need, Progress, Settings, Shares, survey};
use motet_evidence::{Outcome, Verdict};
use motet_model::{Occurrence, Part, State};
use motet_render::{ModelCoverage, Report, TextNeed, TextReport, left_out, stop_reason};

use crate::checking::check::CheckOptions;
use crate::loading::load::Loaded;

/// The coverage of a checked model; `None` if it was not checked. Its graph is explored again.
#[must_use]
pub fn coverage(
    loaded: &Loaded,
    options: &CheckOptions,
    report: &Report,
    watch: &mut dyn FnMut(Progress),
) -> Option<ModelCoverage> {
    let ready = loaded.ready.as_ref()?;
    let review = ready.system.review.as_ref();
    let parts = review.parts();
    let (texts, order) = texts(&parts);
    let settings = Settings {
        limits: options.settings.limits.clone(),
        threads: options.settings.threads,
        fairness: options.fairness.unwrap_or(ready.fairness()),
        ..Settings::default()
    };
    let outcomes: Vec<Outcome> = report.claims.iter().map(|claim| claim.outcome.clone()).collect();
    let of = |state: &State, taken: Occurrence<'_>| review.parts_of(state, taken);
    let shares = Shares { texts: &texts, of: &of };
    let found = survey(ready.system.model.as_ref(), &ready.claims, &outcomes, shares, &settings, watch);
    let mut told: Vec<TextReport> = Vec::new();
    for (number, first) in order.iter().enumerate() {
        let part = &parts[*first];
        let owners = (0..parts.len()).filter(|other| texts[*other] == number);
        let need = match &found.needs[number] {
            Need::Unchecked => TextNeed::Unchecked,
            Need::None => TextNeed::None,
            Need::Claims(claims) => {
                TextNeed::Claims(claims.iter().map(|claim| ready.claims[*claim].name.clone()).collect())
            }
        };
        let file = loaded.sources.file(part.span.file);
        let end =
            motet_source::Span { start: part.span.end.saturating_sub(1).max(part.span.start), ..part.span };
        told.push(TextReport {
            name: part.name.clone(),
            kind: part.kind,
            owners: owners.map(|other| (parts[other].owner.clone(), found.happened[other])).collect(),
            file: file.path.clone(),
            line: loaded.sources.place(part.span).line,
            last_line: loaded.sources.place(end).line,
            need,
        });
    }
    told.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    let numbers = |outcome: &&Outcome| outcome.quantity.is_some();
    let n_numbers = outcomes.iter().filter(numbers).count();
    let definite = |outcome: &&Outcome| matches!(outcome.verdict, Verdict::Holds | Verdict::Fails);
    let n_claims = outcomes.iter().filter(definite).filter(|outcome| !numbers(outcome)).count();
    let narrowed = (!report.narrowed.is_empty()).then(|| left_out(&report.narrowed));
    let stop = found.stop.as_ref().map(stop_reason).or(narrowed);
    Some(ModelCoverage { texts: told, stop, n_claims, n_numbers })
}

/// Per part the number of its text, and per text its first part. Parts of one kind with one span are one text.
fn texts(parts: &[Part]) -> (Vec<usize>, Vec<usize>) {
    let mut numbers = std::collections::BTreeMap::new();
    let mut order = Vec::new();
    let mut texts = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let text = *numbers.entry((part.span, part.kind)).or_insert_with(|| {
            order.push(number);
            order.len() - 1
        });
        texts.push(text);
    }
    (texts, order)
}
