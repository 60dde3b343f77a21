//! Which frames are needed: those that change something needed, and with each of them whatever decides about it.

use super::Inquiry;
use super::effects::Doings;
use super::things::{Needed, Thing};
use crate::atoms::{Predicate, Term, Test};
use crate::program::{ActivityNode, ActorId, FrameId, Statement};
use crate::semantics::writes::is_thought;

/// Work that is being done is interrupted by work that is more than so many tenths more urgent (`semantics::select`).
const CURRENT: i64 = 3;

/// What is needed.
pub(super) struct Cone {
    /// For each frame, whether it is.
    pub(super) kept: Vec<bool>,
    /// What frames look at and change.
    pub(super) needed: Needed,
}

impl Cone {
    /// Everything that has an influence on the predicates.
    pub(super) fn of(inquiry: &Inquiry<'_>) -> Self {
        let frames = frames(inquiry);
        let doings: Vec<Doings> = frames.clone().map(|frame| inquiry.doings(frame)).collect();
        let mut cone = Self {
            kept: vec![false; doings.len()],
            needed: Needed::nothing(inquiry.program, inquiry.predicates.len()),
        };
        for (number, predicate) in inquiry.predicates.iter().enumerate() {
            match predicate {
                Predicate::Says { .. } => {
                    cone.needed.add(Thing::Message(number));
                }
                Predicate::Test(test) => cone.ask(inquiry, test),
            }
        }
        loop {
            let mut grown = false;
            for frame in frames.clone() {
                grown |= cone.grow(inquiry, frame, &doings[frame.index()]);
            }
            if !grown {
                return cone;
            }
        }
    }

    /// What a test looks at.
    fn ask(&mut self, inquiry: &Inquiry<'_>, test: &Test) {
        match test {
            Test::Constant(_) => {}
            Test::Not(of) => self.ask(inquiry, of),
            Test::And(left, right) | Test::Or(left, right) => {
                self.ask(inquiry, left);
                self.ask(inquiry, right);
            }
            Test::Compare(left, _, right) => {
                self.ask_term(left);
                self.ask_term(right);
            }
            Test::Known(term) => self.ask_term(term),
            Test::Does(actor, name) => {
                for frame in frames(inquiry).filter(|frame| does(inquiry, *frame, *actor, name)) {
                    self.kept[frame.index()] = true;
                }
            }
            Test::Idle(actor) => {
                let works = &inquiry.program.actors[actor.index()].workframes;
                works.iter().for_each(|frame| self.kept[frame.index()] = true);
            }
        }
    }

    fn ask_term(&mut self, term: &Term) {
        match term {
            Term::Value(_) | Term::Unknown => {}
            Term::Read(store, key) => {
                self.needed.add(Thing::Value(*store, *key));
            }
            Term::Binary(_, left, right) => {
                self.ask_term(left);
                self.ask_term(right);
            }
        }
    }

    /// Looks at a frame again; true if more is needed than before.
    fn grow(&mut self, inquiry: &Inquiry<'_>, frame: FrameId, doings: &Doings) -> bool {
        let mut grown = false;
        let wanted = doings.effects.iter().any(|effect| self.needed.wants_effect(effect));
        if wanted && !self.kept[frame.index()] {
            self.kept[frame.index()] = true;
            grown = true;
        }
        if !self.kept[frame.index()] {
            return false;
        }
        grown |= self.needed.add_all(&doings.course);
        for effect in &doings.effects {
            if self.needed.wants_effect(effect) {
                grown |= self.needed.add_all(&effect.reads);
            }
        }
        for other in company(inquiry, frame) {
            grown |= !std::mem::replace(&mut self.kept[other.index()], true);
        }
        grown
    }
}

/// The frames of a program.
pub(super) fn frames(inquiry: &Inquiry<'_>) -> impl Iterator<Item = FrameId> + Clone + use<> {
    (0..u32::try_from(inquiry.program.frames.len()).expect("frames are numbered with 32 bits")).map(FrameId)
}

/// Whether an actor that works on a frame does something of this name.
fn does(inquiry: &Inquiry<'_>, id: FrameId, actor: ActorId, name: &str) -> bool {
    let frame = &inquiry.program.frames[id.index()];
    let calls = |statement: &Statement| match statement {
        Statement::Do(activity) => inquiry.program.activities[activity.index()].name == name,
        Statement::Conclude(_) | Statement::Delete(..) => false,
    };
    let named = frame.name == name && !is_thought(inquiry.program, id);
    frame.actor == actor && (named || frame.body.iter().any(calls))
}

/// The frames without which a frame would not start and end as it does: work beside it that could keep it waiting, the frame
/// that performs the activity it is inside of, and the work inside the activities that it performs.
fn company(inquiry: &Inquiry<'_>, id: FrameId) -> Vec<FrameId> {
    let program = inquiry.program;
    let frame = &program.frames[id.index()];
    let inside = |activity: crate::program::ActivityId| match &program.activities[activity.index()].node {
        ActivityNode::Composite { workframes, .. } => workframes.as_slice(),
        _ => &[],
    };
    let mut company = Vec::new();
    if !is_thought(program, id) {
        let beside = frame.inside.map_or(program.actors[frame.actor.index()].workframes.as_slice(), inside);
        let delays = |other: &&FrameId| program.frames[other.index()].priority + CURRENT >= frame.priority;
        company.extend(beside.iter().filter(delays));
    }
    let calls = |statement: &Statement| match statement {
        Statement::Do(activity) => Some(*activity),
        Statement::Conclude(_) | Statement::Delete(..) => None,
    };
    if let Some(around) = frame.inside {
        let performs = |other: &FrameId| {
            program.frames[other.index()].body.iter().filter_map(calls).any(|activity| activity == around)
        };
        company.extend(frames(inquiry).filter(performs));
    }
    company.extend(frame.body.iter().filter_map(calls).flat_map(inside));
    company
}
