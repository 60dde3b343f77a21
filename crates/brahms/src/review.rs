//! What can be said about a model without any claim: frames that never begin, detectables that never see anything,
//! conclusions without a value, actors that write the same thing at the same instant.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use motet_model::{ActionId, Model as _, Notice, Occurrence, Part, PartId, Review, State, Steps};
use motet_source::{Severity, Span};

use crate::program::{ActivityId, ActivityNode, Detectable, FrameId, KeyId};
use crate::semantics::record::Record;
use crate::words::{Teller, naming};

/// How many states are looked at for races.
const LIMIT_STATES: usize = 300;
/// How many branches of all these states together.
const LIMIT_BRANCHES: usize = 2_000;
/// How many branches of one state.
const LIMIT_CHOICES: usize = 8;

impl Review for Teller {
    fn happened(&self, _action: ActionId) -> Option<Notice> {
        None
    }

    fn missing(&self, _seen: &[ActionId]) -> Vec<Notice> {
        let mut notices = self.idle_frames();
        notices.extend(self.blind_detectables());
        notices.extend(self.skipped_conclusions());
        notices.extend(self.races());
        notices
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }

    fn parts(&self) -> Vec<Part> {
        self.text_parts()
    }

    fn parts_of(&self, state: &State, taken: Occurrence<'_>) -> Vec<PartId> {
        self.shares(state, taken)
    }
}

impl Teller {
    /// Frames that nobody who has them ever begins.
    fn idle_frames(&self) -> Vec<Notice> {
        let frames = (0..).map(FrameId).zip(&self.program().frames);
        let mut owners: BTreeMap<Span, (FrameId, Vec<&str>, Began)> = BTreeMap::new();
        for (id, frame) in frames {
            let owner = naming::actor(self.program(), frame.actor);
            let entry = owners.entry(frame.span).or_insert_with(|| (id, Vec::new(), Began::Never));
            entry.1.push(owner);
            if self.semantics.has_fired(id) {
                entry.2 = Began::Once;
            }
        }
        let idle = owners.into_values().filter(|(_, _, began)| *began == Began::Never);
        idle.map(|(id, owners, _)| {
            let frame = &self.program().frames[id.index()];
            let verb = if self.thinks(id) { "fires" } else { "begins" };
            let help = format!(
                "its guard never holds, or something more urgent always goes first; `motet explain MODEL --frame {}` tells more",
                frame.name
            );
            notice(
                "M0790",
                format!("{} of {} never {verb}", frame.name, together(&owners)),
                frame.name_span,
                help,
            )
        })
        .collect()
    }

    /// Detectables of frames that began, and never saw what they look for.
    fn blind_detectables(&self) -> Vec<Notice> {
        let mut blind: BTreeMap<Span, (&str, &str)> = BTreeMap::new();
        let mut sighted: BTreeSet<Span> = BTreeSet::new();
        let mut look = |detectable: &'_ Detectable, seen: bool| {
            if seen {
                sighted.insert(detectable.span);
            }
            !seen
        };
        let program = self.program();
        for (id, frame) in (0..).map(FrameId).zip(&program.frames) {
            for (number, detectable) in frame.detectables.iter().enumerate() {
                if look(detectable, self.semantics.has_seen(id, number)) && self.semantics.has_fired(id) {
                    blind.insert(detectable.span, (&detectable.name, &frame.name));
                }
            }
        }
        for (id, activity) in (0..).map(ActivityId).zip(&program.activities) {
            let ActivityNode::Composite { detectables, .. } = &activity.node else { continue };
            let begun = self.semantics.caller(id).is_some_and(|caller| self.semantics.has_fired(caller));
            for (number, detectable) in detectables.iter().enumerate() {
                if look(detectable, self.semantics.has_seen_inside(id, number)) && begun {
                    blind.insert(detectable.span, (&detectable.name, &activity.name));
                }
            }
        }
        let blind = blind.into_iter().filter(|(span, _)| !sighted.contains(span));
        blind
            .map(|(span, (name, of))| {
                let message = format!("detectable {name} of {of} never sees what it looks for");
                let hint = notice("M0793", message, span, "check its condition, or remove it");
                Notice { severity: Severity::Hint, ..hint }
            })
            .collect()
    }

    /// Conclusions that were skipped because a value was unknown.
    fn skipped_conclusions(&self) -> Vec<Notice> {
        let skipped = self.semantics.skipped();
        skipped
            .into_iter()
            .map(|span| {
                let text = naming::quoted(&self.sources, span);
                notice(
                    "M0791",
                    format!("{text} is skipped where a value in it is unknown"),
                    span,
                    "give the value an initial belief or fact, or ask for `known(..)` in the guard",
                )
            })
            .collect()
    }

    /// Two actors that write one key at one instant. In a large model only its first states are looked at, and the
    /// messages say so.
    fn races(&self) -> Vec<Notice> {
        let mut found: BTreeMap<KeyId, Notice> = BTreeMap::new();
        let mut queue: VecDeque<Box<[u32]>> = VecDeque::new();
        let mut first = Vec::new();
        self.semantics.initial(&mut first);
        let mut known: BTreeSet<Box<[u32]>> = first.iter().cloned().collect();
        queue.extend(first);
        let mut steps = Steps::new(self.semantics.signature().slots.len());
        let (mut looked, mut branches, mut is_sample) = (0, 0, false);
        while let Some(state) = queue.pop_front() {
            if looked == LIMIT_STATES || branches > LIMIT_BRANCHES {
                is_sample = true;
                break;
            }
            looked += 1;
            steps.clear();
            if self.semantics.steps(&state, &mut steps).is_err() {
                continue;
            }
            let all = (0..).zip(steps.iter()).flat_map(|(number, step)| {
                (0..).zip(step.branches()).map(move |(branch, outcome)| (number, branch, outcome.target))
            });
            let ways: usize = steps.iter().map(|step| step.branches().len()).sum();
            branches += ways;
            is_sample |= ways > LIMIT_CHOICES;
            for (step, branch, target) in all.take(LIMIT_CHOICES) {
                for record in self.semantics.retell(&state, step, branch) {
                    self.race(&record, &mut found);
                }
                let target: Box<[u32]> = target.into();
                if known.insert(target.clone()) {
                    queue.push_back(target);
                }
            }
        }
        let mut found: Vec<Notice> = found.into_values().collect();
        for notice in found.iter_mut().filter(|_| is_sample) {
            notice
                .message
                .push_str(&format!(" (seen in the first {looked} states; others were not looked at)"));
        }
        found
    }

    fn race(&self, record: &Record, found: &mut BTreeMap<KeyId, Notice>) {
        let Record::Race { first, second, key, store } = record else { return };
        let program = self.program();
        let whose = match store {
            None => String::new(),
            Some(of) => format!(" in the beliefs of {}", naming::actor(program, *of)),
        };
        let names = together(&[naming::actor(program, *first), naming::actor(program, *second)]);
        let subject = naming::key(program, *key);
        found.entry(*key).or_insert_with(|| {
            notice(
                "M0792",
                format!("{names} write {subject}{whose} at the same instant"),
                program.entities[program.actors[second.index()].entity.index()].span,
                "the one who is declared later has the last word; `--rule order=reverse` shows whether it matters",
            )
        });
    }
}

/// Whether a frame ever began.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Began {
    Never,
    Once,
}

/// `Ann`, `Ann and Bea`, `Ann, Bea and 3 others`
fn together(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [one, two] => format!("{one} and {two}"),
        [one, two, three] => format!("{one}, {two} and {three}"),
        [one, two, rest @ ..] => format!("{one}, {two} and {} others", rest.len()),
    }
}

fn notice(code: &'static str, message: String, span: Span, help: impl Into<String>) -> Notice {
    Notice { code, severity: Severity::Warning, message, span: Some(span), help: help.into() }
}
