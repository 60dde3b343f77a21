//! What an actor works on: the context that is being worked on, those put aside, and instances that wait for their turn.
//! Composite activities nest such scopes.
//!
//! The whole of it is one word of a state. The usual case, one frame without more ado, is packed into the word; everything
//! else is interned.

use motet_model::Interner;

use super::value::Codec;
use crate::program::{ActivityId, FrameId, Value};

/// Frames at work on one level: those of the actor itself, or those of an open composite activity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Scope {
    /// What is being done.
    pub(crate) current: Option<Context>,
    /// What was interrupted by something more urgent.
    pub(crate) interrupted: Vec<Context>,
    /// What waits until an obstacle is gone.
    pub(crate) impassed: Vec<Impasse>,
    /// Instances of `foreach` frames that wait for their turn.
    pub(crate) pending: Vec<Instance>,
}

/// A frame with the values of its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Instance {
    /// Which frame.
    pub(crate) frame: FrameId,
    /// The interned values.
    pub(crate) binding: u32,
}

/// A started workframe.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Context {
    /// Which frame, with which values.
    pub(crate) instance: Instance,
    /// The statement that is next, or running.
    pub(crate) next: u32,
    /// How far it is.
    pub(crate) mode: Mode,
    /// Seconds that the running activity still takes, while the context is put aside.
    pub(crate) remaining: u32,
    /// For frames with detectables that look at a point of the frame's time.
    pub(crate) timing: Option<Timing>,
    /// The composite activity that is open.
    pub(crate) inside: Option<Box<Opened>>,
}

/// How far a context is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Mode {
    /// The next statement has not begun.
    #[default]
    Ready,
    /// The next statement is an activity that is running.
    Running,
    /// Only conclusions are done any more.
    Completing,
}

/// Where a frame is in its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Timing {
    /// Seconds it has worked.
    pub(crate) elapsed: u32,
    /// Seconds it is expected to take.
    pub(crate) total: u32,
    /// How many of the points were reached already, one bit each.
    pub(crate) reached: u32,
}

/// A context that waits until a detectable's condition is false.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Impasse {
    /// The context.
    pub(crate) context: Context,
    /// Which detectable, by its position in the frame.
    pub(crate) detectable: u32,
}

/// An open composite activity.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Opened {
    /// Which activity.
    pub(crate) activity: ActivityId,
    /// The values of its parameters.
    pub(crate) arguments: Box<[u32]>,
    /// What is done inside.
    pub(crate) scope: Scope,
}

/// The parameters of the open composite activities, the nearest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameters<'a> {
    /// Of the nearest.
    pub(crate) arguments: &'a [u32],
    /// Of those around it.
    pub(crate) outer: Option<&'a Parameters<'a>>,
}

impl Context {
    /// A context that begins.
    pub(crate) fn new(instance: Instance) -> Self {
        Self { instance, next: 0, mode: Mode::Ready, remaining: 0, timing: None, inside: None }
    }

    /// Whether its next statement is an activity that is running, and not a composite one.
    pub(crate) fn is_running(&self) -> bool {
        self.mode == Mode::Running && self.inside.is_none()
    }

    /// The context of the innermost frame at work.
    pub(crate) fn innermost(&self) -> &Context {
        match self.inside.as_ref().and_then(|opened| opened.scope.current.as_ref()) {
            Some(inner) => inner.innermost(),
            None => self,
        }
    }

    /// The context of the innermost frame at work.
    pub(crate) fn innermost_mut(&mut self) -> &mut Context {
        if self.inside.as_ref().is_some_and(|opened| opened.scope.current.is_some()) {
            let inner = self.inside.as_mut().and_then(|opened| opened.scope.current.as_mut());
            return inner.expect("it was just seen").innermost_mut();
        }
        self
    }
}

impl Scope {
    /// All contexts of this level, whatever their state.
    pub(crate) fn contexts(&self) -> impl Iterator<Item = &Context> {
        let aside = self.interrupted.iter().chain(self.impassed.iter().map(|impasse| &impasse.context));
        self.current.iter().chain(aside)
    }

    /// The context of the innermost frame at work.
    pub(crate) fn innermost(&self) -> Option<&Context> {
        self.current.as_ref().map(Context::innermost)
    }

    fn is_empty(&self) -> bool {
        self.current.is_none() && self.is_alone()
    }

    fn is_alone(&self) -> bool {
        self.interrupted.is_empty() && self.impassed.is_empty() && self.pending.is_empty()
    }
}

const FRAME_BITS: u32 = 12;
const NEXT_BITS: u32 = 6;
const MODE_BITS: u32 = 2;
const BINDING_BITS: u32 = 11;

/// Scopes as words.
#[derive(Debug, Default)]
pub(crate) struct Controls {
    scopes: Interner<Scope>,
    bindings: Interner<Box<[u32]>>,
    marks: Interner<Box<[Instance]>>,
}

impl Controls {
    /// Interners in which the empty binding and the empty set are number 0.
    pub(crate) fn new() -> Self {
        let controls = Self::default();
        controls.bindings.intern(Box::new([]));
        controls.marks.intern(Box::new([]));
        controls
    }

    /// The word of a scope.
    pub(crate) fn encode(&self, scope: &Scope) -> u32 {
        if scope.is_empty() {
            return 0;
        }
        if let Some(context) = scope.current.as_ref().filter(|_| scope.is_alone())
            && let Some(word) = packed(context)
        {
            return word;
        }
        (self.scopes.intern(scope.clone()) + 1) << 1
    }

    /// The scope of a word.
    pub(crate) fn decode(&self, word: u32) -> Scope {
        if word == 0 {
            return Scope::default();
        }
        if word & 1 == 1 {
            return Scope { current: Some(unpacked(word)), ..Scope::default() };
        }
        (*self.scopes.get((word >> 1) - 1)).clone()
    }

    /// What somebody makes of the scope of a word.
    pub(crate) fn with<T>(&self, word: u32, make: impl FnOnce(&Scope) -> T) -> T {
        if word == 0 || word & 1 == 1 {
            make(&self.decode(word))
        } else {
            make(self.scopes.get((word >> 1) - 1))
        }
    }

    /// Whether a word is known to say of no variable what it stands for.
    #[expect(clippy::unused_self, reason = "what words mean is a matter of controls")]
    pub(crate) fn is_unbound(&self, word: u32) -> bool {
        word == 0 || (word & 1 == 1 && unpacked(word).instance.binding == 0)
    }

    /// Whether an activity is running, other than composite ones.
    pub(crate) fn is_running(&self, word: u32) -> bool {
        if word == 0 {
            return false;
        }
        if word & 1 == 1 {
            return unpacked(word).mode == Mode::Running;
        }
        let scope = self.scopes.get((word >> 1) - 1);
        scope.innermost().is_some_and(Context::is_running)
    }

    /// The number of a binding.
    pub(crate) fn bind(&self, values: &[u32]) -> u32 {
        if values.is_empty() { 0 } else { self.bindings.intern(values.into()) }
    }

    /// The values of a binding.
    pub(crate) fn values(&self, binding: u32) -> &[u32] {
        // Frames without variables are usual.
        if binding == 0 { &[] } else { self.bindings.get(binding) }
    }

    /// The number of a set of instances.
    pub(crate) fn mark(&self, mut instances: Vec<Instance>) -> u32 {
        instances.sort_unstable();
        self.marks.intern(instances.into_boxed_slice())
    }

    /// The instances of a set.
    pub(crate) fn marked(&self, number: u32) -> &[Instance] {
        self.marks.get(number)
    }

    /// Puts what waits into an order that depends on its meaning alone, so that equal situations are equal and ties are
    /// listed in the same order everywhere.
    pub(crate) fn settle(&self, codec: &Codec, scope: &mut Scope) {
        let order = |one: Instance, two: Instance| {
            one.frame.cmp(&two.frame).then_with(|| {
                if one.binding == two.binding {
                    return std::cmp::Ordering::Equal;
                }
                let values = |binding: u32| -> Vec<Vec<Option<Value>>> {
                    let words = self.values(binding);
                    words
                        .iter()
                        .map(|w| codec.elements(*w).iter().map(|w| codec.decode(*w)).collect())
                        .collect()
                };
                values(one.binding).cmp(&values(two.binding))
            })
        };
        scope.pending.sort_by(|one, two| order(*one, *two));
        scope.interrupted.sort_by(|one, two| order(one.instance, two.instance));
        scope.impassed.sort_by(|one, two| order(one.context.instance, two.context.instance));
    }
}

fn packed(context: &Context) -> Option<u32> {
    let Context { instance: Instance { frame, binding }, next, mode, remaining, timing, inside } = context;
    let fits = frame.0 < 1 << FRAME_BITS && *next < 1 << NEXT_BITS && *binding < 1 << BINDING_BITS;
    if !fits || *remaining != 0 || timing.is_some() || inside.is_some() {
        return None;
    }
    let mode = match mode {
        Mode::Ready => 0,
        Mode::Running => 1,
        Mode::Completing => 2,
    };
    let word = (frame.0 << NEXT_BITS) | next;
    let word = (word << MODE_BITS) | mode;
    let word = (word << BINDING_BITS) | binding;
    Some((word << 1) | 1)
}

fn unpacked(word: u32) -> Context {
    let word = word >> 1;
    let binding = word & ((1 << BINDING_BITS) - 1);
    let word = word >> BINDING_BITS;
    let mode = match word & ((1 << MODE_BITS) - 1) {
        0 => Mode::Ready,
        1 => Mode::Running,
        _ => Mode::Completing,
    };
    let word = word >> MODE_BITS;
    let next = word & ((1 << NEXT_BITS) - 1);
    let frame = FrameId(word >> NEXT_BITS);
    Context { next, mode, ..Context::new(Instance { frame, binding }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_come_back_unchanged_packed_or_not() {
        let controls = Controls::new();
        let instance = Instance { frame: FrameId(4095), binding: 2047 };
        let context = Context { next: 63, mode: Mode::Completing, ..Context::new(instance) };
        let simple = Scope { current: Some(context.clone()), ..Scope::default() };
        let word = controls.encode(&simple);
        assert_eq!(word & 1, 1, "the usual case is packed");
        assert_eq!(controls.decode(word), simple);
        let large = Context { next: 64, ..context };
        let scope = Scope { current: Some(large), pending: vec![instance], ..Scope::default() };
        let word = controls.encode(&scope);
        assert_eq!(word & 1, 0);
        assert_eq!(controls.decode(word), scope);
        assert_eq!(controls.encode(&Scope::default()), 0);
    }
}
