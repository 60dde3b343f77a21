//! What can be said about a model without any claim: frames that never begin, detectables that never see anything,
//! conclusions without a value, actors that write the same thing at one instant.

use std::collections::{BTreeMap, BTreeSet};

use motet_model::{ActionId, AtomId, Clash, Notice, Occurrence, Part, PartId, Review, State};
use motet_source::{Severity, Span};

use crate::atoms::Predicate;
use crate::program::{ActivityId, ActivityNode, ActorId, Detectable, FrameId, KeyId, Order};
use crate::semantics;
use crate::words::{Teller, naming};

impl Review for Teller {
    fn happened(&self, _action: ActionId) -> Option<Notice> {
        None
    }

    fn missing(&self, _seen: &[ActionId]) -> Vec<Notice> {
        let mut notices = self.idle_frames();
        notices.extend(self.blind_detectables());
        notices.extend(self.skipped_conclusions());
        notices
    }

    fn narrowed(&self) -> Vec<String> {
        self.semantics.narrowed()
    }

    fn clashes(&self, atoms: Option<&[AtomId]>) -> Vec<Clash> {
        let Some(atoms) = atoms else { return self.contended(&|_| true) };
        let predicates: Vec<Predicate> =
            atoms.iter().map(|atom| self.semantics.atoms[atom.index()].clone()).collect();
        let needed = crate::slice::needed(self.program(), &predicates);
        self.contended(&|clash| needed(clash.store, clash.key))
    }

    fn may_clash(&self) -> bool {
        self.semantics.may_clash()
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

    /// Two actors that wrote different things at one instant: one notice for each thing, with both orders.
    fn contended(&self, wanted: &dyn Fn(&semantics::clash::Clash) -> bool) -> Vec<Clash> {
        let mut known: BTreeSet<(KeyId, usize)> = BTreeSet::new();
        let found = self.semantics.clashes();
        let first = found.iter().filter(|(clash, _)| wanted(clash) && known.insert((clash.key, clash.store)));
        first.map(|(clash, words)| self.told(clash, *words)).collect()
    }

    fn told(&self, clash: &semantics::clash::Clash, (before, after): (u32, u32)) -> Clash {
        let program = self.program();
        let [first, second] = [clash.first, clash.second].map(|actor| naming::actor(program, actor));
        let [before, after] =
            [before, after].map(|word| naming::known(program, self.semantics.codec.decode(word)));
        let mut subject = naming::key(program, clash.key);
        if let Some(of) = clash.store.checked_sub(1) {
            let of = ActorId(u32::try_from(of).expect("actors are numbered with 32 bits"));
            subject.push_str(&format!(" in the beliefs of {}", naming::actor(program, of)));
        }
        let message = format!(
            "{first} and {second} write {subject} at one instant: {second} last leaves {after}, {first} last may leave {before}"
        );
        let span = program.entities[program.actors[clash.second.index()].entity.index()].span;
        if program.rules.order == Order::Choice {
            let hint = notice("M0792", message, span, "all orders that make a difference were looked at");
            return Clash { notice: Notice { severity: Severity::Hint, ..hint }, order: None };
        }
        let help = "one order was looked at, that of the declarations; `--rule order=choice` looks at all";
        let order = Some(format!("{first} before {second} at {subject}"));
        Clash { notice: notice("M0792", message, span, help), order }
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
