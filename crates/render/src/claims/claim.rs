//! One claim as lines: its mark, its name, its words, and a note at the right.

use motet_evidence::{Measure, Stop, Verdict};
use motet_model::TimeUnit;
use motet_property::{Bound, Expect, Kind, Unit};

use crate::claims::idle::idle_remarks;
use crate::claims::report::{Asked, ClaimReport, Opinion, Report};
use crate::numbers::quantity::{quantity_lines, told_value};
use crate::numbers::value::value_text;
use crate::runs::chart::story;
use crate::runs::critical::chain_lines;
use crate::runs::tree::branches;
use crate::typesetting::duration::{duration, instant};
use crate::typesetting::number::count;
use crate::typesetting::page::{Detail, Letters, Tone, View, pad, plain, wrap};

/// How the claims of a report share the width of a line.
pub(crate) struct Columns {
    mark: usize,
    name: usize,
    words: usize,
}

impl Columns {
    /// Columns that fit all claims: the notes stand in one column where the width allows it.
    pub(crate) fn of(report: &Report, view: &View) -> Self {
        let mark = if view.letters == Letters::Ascii { 7 } else { 1 };
        let longest = |length: &dyn Fn(&ClaimReport) -> usize| report.claims.iter().map(length).max();
        let name = longest(&|claim| claim.name.chars().count()).unwrap_or(0).clamp(5, 24);
        let note = longest(&|claim| note(claim, report).chars().count()).unwrap_or(0);
        let room = view.width.saturating_sub(2 + mark + 1 + name + 1);
        let words = longest(&|claim| title(claim).chars().count()).unwrap_or(0);
        Self { mark, name, words: words.min(room.saturating_sub(note + 2)).max(30).min(room.max(10)) }
    }

    fn indent(&self) -> usize {
        2 + self.mark + 1 + self.name + 1
    }
}

/// The claim's line or lines, without its story.
pub(crate) fn lines(claim: &ClaimReport, report: &Report, columns: &Columns, view: &View) -> String {
    let (mark, tone) = mark(claim, view);
    let note = note(claim, report);
    let note_tone = if tone == Tone::Good { Tone::Quiet } else { tone };
    let mut page = String::new();
    let indent = match answer(claim, report) {
        Some(value) => " ".repeat(answer_lines(claim, &value, tone, &mut page, view)),
        None => {
            claim_lines(claim, (mark, tone), (&note, note_tone), columns, view, &mut page);
            " ".repeat(columns.indent())
        }
    };
    for line in remarks(claim, report).into_iter().chain(idle_remarks(claim, view)) {
        for line in wrap(&line, view.width.saturating_sub(indent.len())) {
            page.push_str(&format!("{indent}{line}\n"));
        }
    }
    for line in chain(claim, view) {
        page.push_str(format!("{indent}{line}").trim_end());
        page.push('\n');
    }
    for line in quantity_lines(claim, report, view.width.saturating_sub(indent.len()), view) {
        page.push_str(format!("{indent}{line}").trim_end());
        page.push('\n');
    }
    page
}

/// The chain of work behind a longest time.
fn chain(claim: &ClaimReport, view: &View) -> Vec<String> {
    let Some(tale) = &claim.tale else { return Vec::new() };
    let Some(chronicle) = &tale.chronicle else { return Vec::new() };
    chain_lines(&tale.critical, chronicle, view)
}

/// The number that answers a question of the command line: it leads then.
fn answer(claim: &ClaimReport, report: &Report) -> Option<String> {
    if claim.place.is_some() || !matches!(claim.outcome.verdict, Verdict::Value { .. }) {
        return None;
    }
    time_value(claim, report.unit).or_else(|| claim.outcome.quantity.as_ref().map(told_value))
}

/// `= 0.6357   the least probability that ...`; the answer is where the text starts.
fn answer_lines(claim: &ClaimReport, value: &str, tone: Tone, page: &mut String, view: &View) -> usize {
    let indent = 2 + 2 + value.chars().count().max(6) + 3;
    for (number, words) in wrap(&title(claim), view.width.saturating_sub(indent).max(30)).iter().enumerate() {
        match number {
            0 => {
                let value = view.paint(tone, &pad(value, indent - 7));
                page.push_str(&format!("  = {value}   {words}\n"));
            }
            _ => page.push_str(&format!("{}{words}\n", " ".repeat(indent))),
        }
    }
    indent
}

fn claim_lines(
    claim: &ClaimReport,
    (mark, tone): (&'static str, Tone),
    (note, note_tone): (&str, Tone),
    columns: &Columns,
    view: &View,
    page: &mut String,
) {
    let wrapped = wrap(&title(claim), columns.words);
    let indent = " ".repeat(columns.indent());
    for (i, words) in wrapped.iter().enumerate() {
        let last = i + 1 == wrapped.len();
        let lead = match i {
            0 => {
                let name = pad(&plain(&claim.name), columns.name);
                format!("  {} {name} ", view.paint(tone, &pad(mark, columns.mark)))
            }
            _ => indent.clone(),
        };
        let tail = match last && !note.is_empty() {
            true => format!("{}  {}", pad(words, columns.words), view.paint(note_tone, note)),
            false => words.clone(),
        };
        page.push_str(&format!("{lead}{tail}\n"));
    }
}

/// Whether the claim's run is told under its line.
pub(crate) fn tells_story(claim: &ClaimReport, view: &View) -> bool {
    let surprise = claim.as_expected() == Some(false);
    let exceeded = matches!(claim.outcome.verdict, Verdict::Unknown(Stop::Bound(_)));
    let wanted = view.detail == Detail::Verbose
        || (claim.asked == Asked::ByName && view.detail == Detail::Normal)
        || surprise
        || exceeded;
    wanted && claim.tale.is_some()
}

/// The claim's run with its reasons and the way on.
pub(crate) fn told(claim: &ClaimReport, view: &View) -> String {
    let Some(tale) = &claim.tale else { return String::new() };
    let finite = tale.loop_start.is_none();
    let title = match (&claim.outcome.verdict, claim.kind) {
        (Verdict::Value { low, .. }, _) if low.is_infinite() => "A run that never gets there",
        (Verdict::Value { .. }, _) if claim.text.trim_start().starts_with("min") => "The fastest run",
        (Verdict::Value { .. }, _) => "The slowest run",
        (Verdict::Unknown(Stop::Bound(message)), _) if !is_capacity(message) => "The run to the fault",
        (Verdict::Unknown(_), _) => "The run that exceeds the bound",
        (Verdict::Holds, _) if finite => "Shortest witness",
        (Verdict::Holds, _) => "Witness",
        _ if finite => "Shortest counterexample",
        _ => "Counterexample",
    };
    let mut page = format!("\n{}", story(tale, title, view));
    page.push_str(&branches(tale, claim.trace.as_deref(), view));
    if let Some(trace) = &claim.trace {
        page.push_str(&format!("\n  {}  motet trace step {trace}\n", view.paint(Tone::Strong, "Next")));
    }
    page
}

fn mark(claim: &ClaimReport, view: &View) -> (&'static str, Tone) {
    let (sign, word, tone) = match claim.as_expected() {
        None => ("◌", "UNKNOWN", Tone::Care),
        _ if claim.disputed() => ("✗", "FAIL", Tone::Bad),
        Some(false) => ("✗", "FAIL", Tone::Bad),
        Some(true) if claim.vacuous() => ("!", "VACUOUS", Tone::Care),
        Some(true) if claim.expect == Expect::Nothing => ("=", "VALUE", Tone::Good),
        Some(true) => ("✓", "PASS", Tone::Good),
    };
    (if view.letters == Letters::Ascii { word } else { sign }, tone)
}

/// The author's words, else the formula in English.
fn title(claim: &ClaimReport) -> String {
    plain(claim.words.as_ref().unwrap_or(&claim.english))
}

/// A few words at the right.
pub(crate) fn note(claim: &ClaimReport, report: &Report) -> String {
    let mut notes = Vec::new();
    match (&claim.outcome.verdict, claim.as_expected()) {
        (Verdict::Unknown(stop), _) => notes.push(format!("unknown: {}", stop_word(stop))),
        (Verdict::Value { low, high }, expected) => {
            let value = match (&claim.outcome.quantity, time_value(claim, report.unit)) {
                (_, Some(time)) => time,
                (Some(quantity), None) => told_value(quantity),
                (None, None) => value_text(*low, *high),
            };
            notes.push(if value.contains(" values,") { value } else { format!("= {value}") });
            if expected == Some(false) {
                notes.push(format!("expected {}", expected_text(&claim.expect)));
            }
        }
        (Verdict::Holds | Verdict::Fails, None) => notes.push(on_part(claim)),
        (Verdict::Holds, _) if claim.expect == Expect::Nothing => notes.push("= true".to_string()),
        (Verdict::Fails, _) if claim.expect == Expect::Nothing => notes.push("= false".to_string()),
        (Verdict::Fails, _) if claim.kind == Kind::Assume => {
            notes.push("contradictory: no run satisfies the assumptions".to_string());
        }
        (Verdict::Fails, Some(true)) => notes.push(format!("{}, as expected", claim.verdict())),
        (Verdict::Fails, _) if claim.kind == Kind::Possible => notes.push("unreachable".to_string()),
        (Verdict::Fails, _) => {}
        (Verdict::Holds, Some(false)) => {
            let expected = if claim.kind == Kind::Possible { "unreachable" } else { "fails" };
            notes.push(format!("{}, but `expect {expected}`", claim.verdict()));
        }
        (Verdict::Holds, _) if claim.kind == Kind::Possible => {
            let n_steps = claim.tale.as_ref().map_or(0, |tale| tale.beats.len());
            notes.push(format!("reachable in {}", count(n_steps, "step")));
        }
        (Verdict::Holds, _) => {}
    }
    if let (Verdict::Holds | Verdict::Fails, Some(quantity)) =
        (&claim.outcome.verdict, &claim.outcome.quantity)
    {
        notes.push(format!("it is {}", told_value(quantity)));
    }
    if !claim.orders.is_empty() {
        notes.push("in one order of turns".to_string());
    }
    notes.extend(margin(claim, report));
    notes.extend(turns(&claim.starved).filter(|turns| turns.chars().count() <= NOTE_MAX));
    notes.join("; ")
}

/// `holds on the runs looked at (durations=ends)`
pub(crate) fn on_part(claim: &ClaimReport) -> String {
    format!("{} ({})", claim.verdict(), claim.narrowed.join(", "))
}

/// Orders of turns that are written out.
const ORDERS_MAX: usize = 3;

/// In which order of turns alone a verdict was found.
pub(crate) fn order_remarks(claim: &ClaimReport) -> Vec<String> {
    if claim.orders.is_empty() {
        return Vec::new();
    }
    let named = claim.orders.iter().take(ORDERS_MAX).map(|order| plain(order)).collect::<Vec<_>>().join(", ");
    let more = match claim.orders.len().saturating_sub(ORDERS_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    vec![format!(
        "found with {named}{more}; the other way round was not looked at: `--rule order=choice` looks at all orders"
    )]
}

/// Letters of a fairness note that fit beside the words; a longer one stands below them.
const NOTE_MAX: usize = 60;

/// Names of a fairness note that are written out.
const STARVED_MAX: usize = 4;

/// Who has to get turns for a claim to hold.
fn turns(starved: &[String]) -> Option<String> {
    match starved {
        [] => None,
        [one] => Some(format!("only if {one} gets its turn")),
        few if few.len() <= STARVED_MAX => Some(format!("only if {} get their turns", few.join(", "))),
        many => {
            let named = &many[..STARVED_MAX - 1];
            let rest = many.len() - named.len();
            Some(format!("only if {} and {rest} more get their turns", named.join(", ")))
        }
    }
}

/// What a query's author expects: `in [0.43, 0.45]`, `at least 3`.
pub(crate) fn expected_text(expect: &Expect) -> String {
    match expect {
        Expect::Value(Some(low), None) if low == "inf" => "infinite".to_string(),
        Expect::Value(Some(low), Some(high)) if low == high => low.clone(),
        Expect::Value(Some(low), Some(high)) => format!("in [{low}, {high}]"),
        Expect::Value(Some(low), None) => format!("at least {low}"),
        Expect::Value(None, Some(high)) => format!("at most {high}"),
        Expect::Time(Some(low), Some(high)) if low == high => time_text(low),
        Expect::Time(Some(low), Some(high)) => format!("in [{}, {}]", time_text(low), time_text(high)),
        Expect::Time(Some(low), None) if low.strict => format!("more than {}", time_text(low)),
        Expect::Time(Some(low), None) => format!("at least {}", time_text(low)),
        Expect::Time(None, Some(high)) if high.strict => format!("less than {}", time_text(high)),
        Expect::Time(None, Some(high)) => format!("at most {}", time_text(high)),
        Expect::Holds => "holds".to_string(),
        Expect::Fails => "fails".to_string(),
        Expect::Value(None, None) | Expect::Time(None, None) | Expect::Nothing => "value".to_string(),
    }
}

/// An expected time; the unit was written.
fn time_text(bound: &Bound) -> String {
    let unit = match bound.unit {
        Some(Unit::Clock) => TimeUnit::Milliseconds,
        Some(Unit::Cycles) => TimeUnit::Cycles,
        Some(Unit::Firings) => TimeUnit::Firings,
        Some(Unit::Steps) | None => TimeUnit::Steps,
    };
    duration(bound.amount, unit)
}

/// The time that a question asked for: `4 min 20 s`, `37 cycles`, `infinite`. `None` where the value is no time.
pub(crate) fn time_value(claim: &ClaimReport, unit: TimeUnit) -> Option<String> {
    let Verdict::Value { .. } = claim.outcome.verdict else { return None };
    let margin = claim.outcome.margin?;
    Some(margin.worst.map_or_else(|| "infinite".to_string(), |time| duration(time, unit)))
}

/// The time behind a claim about time: `worst case 3 min 35 s`, `latest at 10:17:20`, `late by 27 min`, `never`.
fn margin(claim: &ClaimReport, report: &Report) -> Option<String> {
    let margin = claim.outcome.margin.filter(|_| claim.kind != Kind::Possible)?;
    let length = |amount| duration(amount, report.unit);
    let arrival = margin.measure == Measure::Arrival;
    match (&claim.outcome.verdict, margin.worst, margin.bound) {
        (Verdict::Holds, Some(worst), _) if arrival => {
            Some(format!("latest at {}", instant(worst, report.unit)))
        }
        (Verdict::Holds, Some(worst), _) => Some(format!("worst case {}", length(worst))),
        (Verdict::Fails, Some(worst), Some(bound)) if worst >= bound => {
            let over = length(worst - bound);
            Some(match margin.measure {
                // A strict bound is missed by reaching it.
                _ if worst == bound => "late by a moment".to_string(),
                Measure::Response | Measure::Arrival => format!("late by {over}"),
                Measure::Duration => format!("too long by {over}"),
                Measure::Age => format!("too long ago by {over}"),
            })
        }
        (Verdict::Fails, None, _) => Some(
            match margin.measure {
                Measure::Duration => "without end",
                _ => "never",
            }
            .to_string(),
        ),
        (Verdict::Unknown(_), Some(worst), _) => Some(format!("worst so far {}", length(worst))),
        _ => None,
    }
}

/// Whole lines under the claim.
fn remarks(claim: &ClaimReport, report: &Report) -> Vec<String> {
    let mut remarks = Vec::new();
    if let (true, Some(trigger)) = (claim.vacuous(), &claim.trigger) {
        let states = report.coverage.as_ref().map_or(0, |coverage| coverage.states);
        let states = crate::typesetting::number::grouped(states);
        remarks.push(format!(
            "holds, but only because this never happens: {} (0 of {states} states) · motet explain M0301",
            plain(trigger)
        ));
    }
    if let (Some(_), Some(trigger)) = (time_value(claim, report.unit), &claim.trigger) {
        remarks.push(format!("the time never begins, because this never happens: {}", plain(trigger)));
    }
    if let (Verdict::Value { low, .. }, Some(tale)) = (&claim.outcome.verdict, &claim.tale)
        && low.is_infinite()
        && !tale.unscheduled.is_empty()
    {
        let words = "every run that counts gets there, but it can be put off any number of times";
        remarks.push(words.to_string());
    }
    if claim.as_expected() == Some(false) && claim.words.is_some() {
        remarks.push(plain(&claim.english));
    }
    remarks.extend(turns(&claim.starved).filter(|turns| turns.chars().count() > NOTE_MAX));
    if !claim.narrowed.is_empty() && matches!(claim.outcome.verdict, Verdict::Value { .. }) {
        remarks.push(format!("on the runs looked at ({})", claim.narrowed.join(", ")));
    }
    // Many claims may be found in the same order; it is said once.
    let named = report.claims.iter().find(|other| other.orders == claim.orders);
    if named.is_some_and(|first| first.name == claim.name) {
        remarks.extend(order_remarks(claim));
    }
    if let Some(second) = &claim.second {
        remarks.push(comparison(claim, second));
        remarks.extend(known_fault(second));
    }
    match &claim.outcome.verdict {
        Verdict::Unknown(Stop::Bound(message)) => {
            remarks.push(format!("{}: the model cannot say what comes next there", plain(message)));
            if is_capacity(message) {
                let help = "a larger bound decides it: --bound NAME=N, or `bound NAME = N` in the team file";
                remarks.push(help.to_string());
            }
        }
        Verdict::Unknown(stop @ (Stop::Unsupported(_) | Stop::Engine(_) | Stop::Hashed(_))) => {
            remarks.push(stop_reason(stop))
        }
        _ => {}
    }
    remarks
}

/// Whether a model stopped at a capacity that can be raised, rather than at something wrong in it.
pub(crate) fn is_capacity(message: &str) -> bool {
    message.starts_with("bound exceeded")
}

/// Why there is no answer, in a word or three.
pub(crate) fn stop_word(stop: &Stop) -> &'static str {
    match stop {
        Stop::Memory => "memory",
        Stop::Time => "time",
        Stop::States => "states",
        Stop::Depth => "depth",
        Stop::Interrupted => "interrupted",
        Stop::Bound(message) if !is_capacity(message) => "a fault of the model",
        Stop::Bound(_) => "bound exceeded",
        Stop::Unsupported(_) => "not supported yet",
        Stop::Engine(_) => "engine",
        Stop::Hashed(_) => "not a proof",
    }
}

/// Why there is no answer, in a sentence.
#[must_use]
pub fn stop_reason(stop: &Stop) -> String {
    match stop {
        Stop::Bound(text) | Stop::Engine(text) => plain(text),
        Stop::Hashed(text) => format!("not a proof: {}", plain(text)),
        // What to do instead stands behind the colon.
        Stop::Unsupported(what) => match plain(what).split_once(": ") {
            Some((what, instead)) => format!("no engine answers {what} yet: {instead}"),
            None => format!("no engine answers {} yet", plain(what)),
        },
        Stop::Interrupted => "interrupted".to_string(),
        Stop::Memory | Stop::Time | Stop::States | Stop::Depth => {
            format!("stopped by the limit on {}", stop_word(stop))
        }
    }
}

/// Why an engine that says something else is not believed.
fn known_fault(second: &Opinion) -> Option<String> {
    let fault = second.known_fault.as_ref()?;
    let mut engine = second.engine.clone();
    if let Some(first) = engine.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Some(format!("{engine} differs here by a known fault: {fault}; see `motet explain M0908`"))
}

/// `native 0.635794 · storm 0.635794 · agree`.
fn comparison(claim: &ClaimReport, second: &Opinion) -> String {
    let says = |verdict: &Verdict| match verdict {
        Verdict::Value { low, high } => value_text(*low, *high),
        verdict => crate::claims::report::verdict_word(claim.kind, verdict).to_string(),
    };
    let agreement = match &second.verdict {
        Verdict::Unknown(Stop::Engine(words)) => format!("no answer: {}", plain(words)),
        Verdict::Unknown(_) => "no answer".to_string(),
        _ if claim.disputed() => "DISAGREE".to_string(),
        _ if second.known_fault.is_some() => "differs by a known fault".to_string(),
        _ => "agree".to_string(),
    };
    let (first, other) = (says(&claim.outcome.verdict), says(&second.verdict));
    format!("{} {first} · {} {other} · {agreement}", claim.engine, second.engine)
}
