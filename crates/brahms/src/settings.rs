//! How open questions are settled, limits, and values that are set from outside: mode, sidecar, command line, the later
//! winning over the earlier.

use std::collections::BTreeMap;

use motet_model::{Options, Purpose};
use motet_source::{Problem, Problems, Span, suggest};

use crate::program::{Bounds, Durations, Order, Rules, Ties};
use crate::sidecar::{Sidecar, Stub};

/// Everything that is set from outside the model's text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// How open questions are settled.
    pub(crate) rules: Rules,
    /// Limits.
    pub(crate) bounds: Bounds,
    /// `once=twice`: `repeat: once` in the thesis' reading.
    pub(crate) once_is_twice: bool,
    /// `-D X.a=V`.
    pub(crate) parameters: Vec<Parameter>,
    /// What Java activities do.
    pub(crate) stubs: BTreeMap<String, Stub>,
}

/// `-D X.a=V`, or a line of `[parameters]`.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// `X.a`.
    pub(crate) name: String,
    /// `V`.
    pub(crate) value: String,
    /// Where it was written.
    pub(crate) span: Span,
    /// As shown in messages.
    pub(crate) shown: String,
}

/// A rule with the ways to settle it; the first is the usual one.
type Rule = (&'static str, &'static [&'static str], fn(&mut Settings, usize));

const TIES: [Ties; 3] = [Ties::Choice, Ties::First, Ties::Random];
const ORDERS: [Order; 3] = [Order::Declared, Order::Reverse, Order::Choice];
const DURATIONS: [Durations; 4] = [Durations::All, Durations::Ends, Durations::Choice, Durations::Random];

/// All rules (`spec/brahms/rules.md`). The function is told which way was chosen.
const RULES: &[Rule] = &[
    ("unknown", &["real", "zero"], |settings, way| settings.rules.unknown_is_zero = way == 1),
    ("detect-at-start", &["yes", "no"], |settings, way| settings.rules.detect_at_start = way != 1),
    ("detect-on", &["beliefs", "facts"], |settings, way| settings.rules.detect_on_facts = way == 1),
    ("resume", &["free", "tested"], |settings, way| settings.rules.resume_tests_guard = way == 1),
    ("ties", &["choice", "first", "random"], |settings, way| settings.rules.ties = TIES[way]),
    ("order", &["declared", "reverse", "choice"], |settings, way| settings.rules.order = ORDERS[way]),
    ("arrival-restates", &["no", "yes"], |settings, way| settings.rules.zero_move_asserts = way == 1),
    ("aborted-counts", &["yes", "no"], |settings, way| settings.rules.aborted_counts = way != 1),
    ("complete-delivers", &["no", "yes"], |settings, way| settings.rules.complete_delivers = way == 1),
    ("location-awareness", &["no", "yes"], |settings, way| settings.rules.location_awareness = way == 1),
    ("durations", &["all", "ends", "choice", "random"], |settings, way| {
        settings.rules.durations = DURATIONS[way]
    }),
    ("division", &["truncate", "exact"], |settings, way| settings.rules.exact_division = way == 1),
    ("repeat", &["binding", "frame"], |settings, way| settings.rules.repeat_per_frame = way == 1),
    ("once", &["false", "twice"], |settings, way| settings.once_is_twice = way == 1),
];

/// The thesis' own reading where it departs from ours (Stocker 2013, chapters 6 and 7): absent values are 0 or false, an
/// interrupted frame must pass its guard again, `repeat: false` counts for the whole frame, `repeat: once` fires twice. Ties
/// stay choices: the thesis' text says random, only its translation takes the first.
const THESIS: &[(&str, &str)] =
    &[("unknown", "zero"), ("resume", "tested"), ("repeat", "frame"), ("once", "twice")];

/// Joins mode, sidecar and command line.
pub(crate) fn settings(
    options: &Options,
    sidecar: Sidecar,
    place: Span,
    problems: &mut Problems,
) -> Settings {
    let mut settings = Settings { stubs: sidecar.stubs, ..Settings::default() };
    if options.purpose == Purpose::Simulation {
        // As the vendor's engine does.
        settings.rules.ties = Ties::Random;
    }
    let (mode, span) = match (&options.mode, &sidecar.mode) {
        (Some(mode), _) => (Some(mode.as_str()), options.place_of("--mode", "", place).value),
        (None, Some(mode)) => (Some(mode.node.as_str()), mode.span),
        (None, None) => (None, place),
    };
    settings.mode(mode, span, problems);
    for (name, value) in &sidecar.rules {
        settings.rule((&name.node, name.span), (&value.node, value.span), problems);
    }
    for (name, value) in &options.rules {
        let said = options.place_of("--rule", name, place);
        settings.rule((name, said.name), (value, said.value), problems);
    }
    for (name, value) in &sidecar.bounds {
        settings.bound((&name.node, name.span), value.node, problems);
    }
    for (name, value) in &options.bounds {
        settings.bound((name, options.place_of("--bound", name, place).name), *value, problems);
    }
    let bound_outside = |name: &str| options.parameters.contains_key(name);
    for (name, value) in sidecar.parameters.iter().filter(|(name, _)| !bound_outside(&name.node)) {
        settings.parameters.push(Parameter {
            name: name.node.clone(),
            value: value.node.clone(),
            span: name.span,
            shown: format!("{} = {}", name.node, value.node),
        });
    }
    for (name, value) in &options.parameters {
        settings.parameters.push(Parameter {
            name: name.clone(),
            value: value.clone(),
            span: options.place_of("-D", name, place).name,
            shown: format!("-D {name}={value}"),
        });
    }
    settings
}

impl Settings {
    fn mode(&mut self, mode: Option<&str>, span: Span, problems: &mut Problems) {
        match mode {
            None | Some("motet") => {}
            Some("thesis") => {
                for (name, value) in THESIS {
                    self.rule((name, span), (value, span), problems);
                }
            }
            Some(other) => {
                let help = match suggest(other, ["motet", "thesis"]) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "the modes are motet and thesis".to_owned(),
                };
                problems.push(Problem::error("M0773", span, format!("there is no mode `{other}`"), help));
            }
        }
    }

    fn rule(&mut self, (name, span): (&str, Span), (value, at): (&str, Span), problems: &mut Problems) {
        let Some((_, ways, set)) = RULES.iter().find(|(known, ..)| *known == name) else {
            let known = || RULES.iter().map(|(known, ..)| *known);
            let help = match suggest(name, known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the rules are {}", known().collect::<Vec<_>>().join(", ")),
            };
            problems.push(Problem::error("M0770", span, format!("there is no rule `{name}`"), help));
            return;
        };
        let plain = match value {
            "true" | "on" => "yes",
            "false" | "off" if ways.contains(&"no") => "no",
            other => other,
        };
        if let Some(way) = ways.iter().position(|way| *way == plain) {
            set(self, way);
            return;
        }
        let help = match suggest(value, ways.iter().copied()) {
            Some(near) => format!("did you mean `{name}={near}`?"),
            None => {
                let all: Vec<String> = ways.iter().map(|way| format!("`{name}={way}`")).collect();
                format!("write {}", all.join(" or "))
            }
        };
        let message = format!("the rule `{name}` cannot be `{value}`");
        problems.push(Problem::error("M0771", at, message, help));
    }

    fn bound(&mut self, (name, span): (&str, Span), value: u32, problems: &mut Problems) {
        let (bound, least, most) = match name {
            "thoughts" => (&mut self.bounds.thoughts, 1, 100_000_000),
            "rounds" => (&mut self.bounds.rounds, 1, 100_000_000),
            "created" => (&mut self.bounds.created, 0, 64),
            "indices" => (&mut self.bounds.indices, 0, 10_000),
            _ => {
                const KNOWN: [&str; 4] = ["thoughts", "rounds", "created", "indices"];
                let help = match suggest(name, KNOWN) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the bounds are {}", KNOWN.join(", ")),
                };
                problems.push(Problem::error("M0772", span, format!("there is no bound `{name}`"), help));
                return;
            }
        };
        if (least..=most).contains(&value) {
            *bound = value;
        } else {
            let message = format!("the bound `{name}` cannot be {value}");
            let help = format!("use {least} to {most}");
            problems.push(Problem::error("M0779", span, message, help));
        }
    }
}

/// A duration as people write it: `150min`, `2 h`, `90`; seconds where no unit is given.
pub(crate) fn seconds(text: &str) -> Option<i64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let factor = match text[end..].trim() {
        "" | "s" | "sec" | "second" | "seconds" => 1.0,
        "min" | "m" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86400.0,
        _ => return None,
    };
    let seconds = (number * factor).round();
    #[expect(clippy::cast_possible_truncation, reason = "checked to be at most 10^9")]
    let whole = (0.0..=1e9).contains(&seconds).then_some(seconds as i64);
    whole
}
