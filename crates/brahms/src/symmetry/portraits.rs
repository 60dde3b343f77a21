//! What a state says of single members, so that they can be put in order.
//!
//! A portrait is what the slots about a member hold, and after that whatever others have in hand that names it. What names
//! nobody, or somebody else, says the same of all the others and is left out.

use motet_model::State;

use super::places::{NONE, Places, Word};
use crate::semantics::Semantics;
use crate::semantics::control::{Context, Instance, Scope};
use crate::semantics::value::{UNKNOWN, as_entity, is_list};

impl Places {
    /// Appends what a state says of these members, one after the other, and where that ends.
    pub(super) fn portraits(
        &self,
        semantics: &Semantics,
        members: &[usize],
        state: &State,
        out: &mut Vec<u32>,
        ends: &mut Vec<usize>,
    ) {
        // Found once for all: most of what others have in hand names one member or none.
        let mut named: Vec<(usize, u32)> = Vec::new();
        for (at, (slot, word)) in self.others.iter().enumerate() {
            let said = state[*slot as usize];
            if word.may_name(semantics, said) {
                Names { places: self, semantics, found: &mut |member| named.push((at, member)) }
                    .word(*word, said);
            }
        }
        // What names a member twice is told once.
        named.sort_unstable();
        named.dedup();
        for &member in members {
            let number = u32::try_from(member).unwrap_or(NONE);
            let sketch = Sketch { places: self, semantics, member: number };
            self.own(&sketch, member, state, out);
            for (at, _) in named.iter().filter(|(_, of)| *of == number) {
                let (slot, word) = self.others[*at];
                out.push(slot);
                sketch.word(word, state[slot as usize], out);
            }
            ends.push(out.len());
        }
    }

    /// What the slots about a member hold.
    fn own(&self, sketch: &Sketch<'_>, member: usize, state: &State, out: &mut Vec<u32>) {
        let count = self.members.len();
        for family in &self.families {
            if family.arity == 1 {
                sketch.word(family.word, state[family.slots[member] as usize], out);
            }
            if family.arity == 2 {
                // What stands between it and the others, whoever they are.
                for role in 0..2 {
                    let first = out.len();
                    let (own, other) = (count.pow(role), count.pow(1 - role));
                    let others = (0..count).filter(|other| *other != member);
                    for number in others {
                        let slot = family.slots[member * own + number * other];
                        sketch.word(family.word, state[slot as usize], out);
                    }
                    out[first..].sort_unstable();
                }
            }
        }
    }
}

/// The members that words name.
struct Names<'a, 'f> {
    places: &'a Places,
    semantics: &'a Semantics,
    found: &'f mut dyn FnMut(u32),
}

impl Names<'_, '_> {
    fn word(&mut self, kind: Word, word: u32) {
        match kind {
            Word::Plain => {}
            Word::Value => self.value(word),
            Word::Control => {
                let semantics = self.semantics;
                semantics.controls.with(word, |scope| self.scope(scope));
            }
            Word::Marks => {
                let semantics = self.semantics;
                semantics.controls.marked(word).iter().for_each(|one| self.instance(*one));
            }
        }
    }

    fn value(&mut self, word: u32) {
        if let Some(of) = as_entity(word) {
            match self.places.part_of[of.index()] {
                (NONE, _) => {}
                (member, _) => (self.found)(member),
            }
        } else if is_list(word) {
            let semantics = self.semantics;
            semantics.codec.items(word).iter().for_each(|one| self.value(*one));
        }
    }

    fn instance(&mut self, instance: Instance) {
        let semantics = self.semantics;
        semantics.controls.values(instance.binding).iter().for_each(|word| self.value(*word));
    }

    fn scope(&mut self, scope: &Scope) {
        for context in scope.contexts() {
            self.instance(context.instance);
            if let Some(opened) = &context.inside {
                opened.arguments.iter().for_each(|word| self.value(*word));
                self.scope(&opened.scope);
            }
        }
        scope.pending.iter().for_each(|pending| self.instance(*pending));
    }
}

/// What words say of one member, whoever it is and whoever the others are.
struct Sketch<'a> {
    places: &'a Places,
    semantics: &'a Semantics,
    member: u32,
}

/// Words that no value has: a part of the member itself, and of another one.
fn of_member(part: u32, own: bool) -> u32 {
    UNKNOWN + 7 + 8 * (2 * part + u32::from(!own))
}

impl Sketch<'_> {
    fn word(&self, kind: Word, word: u32, out: &mut Vec<u32>) {
        match kind {
            _ if word == 0 => out.push(0),
            Word::Plain => out.push(word),
            Word::Value => self.value(word, out),
            Word::Control => self.semantics.controls.with(word, |scope| self.scope(scope, out)),
            Word::Marks => {
                let marked = self.semantics.controls.marked(word);
                out.push(u32::try_from(marked.len()).unwrap_or(NONE));
                // Their order is that of interned numbers, which names may turn round.
                let mut all: Vec<Vec<u32>> = Vec::new();
                for one in marked.iter() {
                    let mut told = Vec::new();
                    self.instance(*one, &mut told);
                    all.push(told);
                }
                all.sort_unstable();
                out.extend(all.into_iter().flatten());
            }
        }
    }

    fn value(&self, word: u32, out: &mut Vec<u32>) {
        if let Some((member, part)) = self.part(word) {
            out.push(of_member(part, member == self.member));
        } else if is_list(word) {
            // Other members say the same of all but by their number.
            let items = self.semantics.codec.items(word);
            out.push(u32::try_from(items.len()).unwrap_or(NONE));
            out.extend(items.iter().filter(|item| self.part(**item).is_none()));
            let own = items.iter().filter_map(|item| self.part(*item)).filter(|(of, _)| *of == self.member);
            out.extend(own.map(|(_, part)| of_member(part, true)));
        } else {
            out.push(word);
        }
    }

    /// Whose part a word stands for, and the how many-th.
    fn part(&self, word: u32) -> Option<(u32, u32)> {
        let part = self.places.part_of[as_entity(word)?.index()];
        (part.0 != NONE).then_some(part)
    }

    fn instance(&self, instance: Instance, out: &mut Vec<u32>) {
        match self.places.frame_of[instance.frame.index()] {
            (NONE, _) => out.push(instance.frame.0),
            (_, at) => out.push(NONE - at),
        }
        if instance.binding != 0 {
            self.semantics.controls.values(instance.binding).iter().for_each(|word| self.value(*word, out));
        }
    }

    fn scope(&self, scope: &Scope, out: &mut Vec<u32>) {
        let length = |n: usize| u32::try_from(n).unwrap_or(NONE);
        out.extend([
            length(scope.interrupted.len()),
            length(scope.impassed.len()),
            length(scope.pending.len()),
        ]);
        scope.contexts().for_each(|context| self.context(context, out));
        scope.pending.iter().for_each(|pending| self.instance(*pending, out));
    }

    fn context(&self, context: &Context, out: &mut Vec<u32>) {
        self.instance(context.instance, out);
        out.extend([context.next, context.mode as u32, context.remaining]);
        out.extend(context.timing.iter().flat_map(|timing| [timing.elapsed, timing.reached]));
        if let Some(opened) = &context.inside {
            opened.arguments.iter().for_each(|word| self.value(*word, out));
            self.scope(&opened.scope, out);
        }
    }
}
