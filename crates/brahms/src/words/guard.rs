//! A guard looked at condition by condition: how many candidates each one lets pass, and what it reads.

use crate::program::{ConditionNode, Domain, Expr, Frame, Place, Subject, Var};
use crate::semantics::Semantics;
use crate::semantics::bindings::{expr_needs, place_needs};
use crate::semantics::conditions::Env;
use crate::semantics::control::Parameters;
use crate::semantics::value::{UNKNOWN, entity};

/// How many tests one guard may cost. What lies beyond is not looked at; the answer says so.
const LIMIT_TESTS: usize = 50_000;

/// How a guard fares in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inspection {
    /// For each condition in the order of the text, how often it was tested and how often it held.
    pub(crate) tallies: Vec<Tally>,
    /// The first of the bindings that get farthest.
    pub(crate) best: Vec<u32>,
    /// How many conditions, from the first, hold for it.
    pub(crate) reached: usize,
    /// Whether all conditions hold, for some binding.
    pub(crate) holds: bool,
    /// Whether there were too many candidates to try them all.
    pub(crate) cut: bool,
}

/// How a condition fares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Candidates for which all conditions before it hold.
    pub(crate) tested: usize,
    /// Those for which it holds too.
    pub(crate) passed: usize,
}

/// A guard in a state.
pub(crate) struct Inspector<'a> {
    pub(crate) semantics: &'a Semantics,
    pub(crate) frame: &'a Frame,
    pub(crate) cells: &'a [u32],
    pub(crate) parameters: Option<&'a Parameters<'a>>,
}

impl Inspector<'_> {
    /// Tests the conditions in the order of the text, for all values of the variables.
    pub(crate) fn inspect(&self) -> Inspection {
        let mut found = Inspection {
            tallies: vec![Tally::default(); self.frame.guard.len()],
            best: vec![UNKNOWN; self.frame.variables.len()],
            reached: 0,
            holds: false,
            cut: false,
        };
        if self.frame.variables.is_empty() {
            self.inspect_each(&mut found);
            return found;
        }
        let mut binding = found.best.clone();
        let mut seen = false;
        self.try_from(0, &mut binding, &mut found, &mut seen);
        found.holds = found.reached == self.frame.guard.len() && seen;
        found
    }

    /// Without variables every condition can be looked at by itself.
    fn inspect_each(&self, found: &mut Inspection) {
        for (tally, condition) in found.tallies.iter_mut().zip(&self.frame.guard) {
            let holds = self.semantics.holds_condition(&self.env(&[]), &condition.node);
            *tally = Tally { tested: 1, passed: usize::from(holds) };
        }
        found.reached = found.tallies.iter().take_while(|tally| tally.passed == 1).count();
        found.holds = found.reached == self.frame.guard.len();
    }

    /// Whether a condition can be tested with the values of a binding alone.
    pub(crate) fn is_settled(&self, condition: &ConditionNode, binding: &[u32]) -> bool {
        self.unbound(condition, binding).is_none()
    }

    /// The environment of the guard under a binding.
    pub(crate) fn env<'b>(&'b self, binding: &'b [u32]) -> Env<'b> {
        Env::guard(self.frame, self.cells, binding, self.parameters)
    }

    fn try_from(&self, at: usize, binding: &mut Vec<u32>, found: &mut Inspection, seen: &mut bool) {
        let Some(condition) = self.frame.guard.get(at) else {
            if found.reached < at || !*seen {
                found.reached = at;
                found.best.clone_from(binding);
                *seen = true;
            }
            return;
        };
        if found.tallies.iter().map(|tally| tally.tested).sum::<usize>() >= LIMIT_TESTS {
            found.cut = true;
            return;
        }
        if let Some(variable) = self.unbound(&condition.node, binding) {
            for candidate in self.candidates(variable, &condition.node, binding) {
                if found.cut {
                    return;
                }
                binding[variable] = candidate;
                self.try_from(at, binding, found, seen);
                binding[variable] = UNKNOWN;
            }
            return;
        }
        found.tallies[at].tested += 1;
        if found.reached < at || !*seen {
            found.reached = at;
            found.best.clone_from(binding);
            *seen = true;
        }
        if self.semantics.holds_condition(&self.env(binding), &condition.node) {
            found.tallies[at].passed += 1;
            self.try_from(at + 1, binding, found, seen);
        }
    }

    /// A variable that the condition needs and that has no value yet. A variable that the condition itself binds comes
    /// last.
    fn unbound(&self, condition: &ConditionNode, binding: &[u32]) -> Option<usize> {
        let mut first = None;
        let mut note = |variable: u16| {
            let variable = usize::from(variable);
            if first.is_none() && binding[variable] == UNKNOWN {
                first = Some(variable);
            }
        };
        match condition {
            ConditionNode::Compare { left, right, .. } => {
                expr_needs(left, &mut note);
                expr_needs(right, &mut note);
            }
            ConditionNode::Related { subject, object, .. } => {
                for side in [subject, object] {
                    subject_needs(*side, &mut note);
                }
            }
            ConditionNode::Known { place, .. } => place_needs(place, &mut note),
            ConditionNode::KnownPairs { subject, .. } => subject_needs(*subject, &mut note),
            ConditionNode::Bind { variable, value } => {
                expr_needs(value, &mut note);
                note(*variable);
            }
        }
        first
    }

    fn candidates(&self, variable: usize, condition: &ConditionNode, binding: &[u32]) -> Vec<u32> {
        let env = self.env(binding);
        if let Domain::Entities(range) = &self.frame.variables[variable].domain {
            let there = range.iter().filter(|one| self.semantics.layout.is_there(self.cells, **one));
            return there.map(|one| entity(*one)).collect();
        }
        if let ConditionNode::Bind { variable: bound, value } = condition
            && usize::from(*bound) == variable
        {
            let word = self.semantics.value(&env, value);
            return if word == UNKNOWN { Vec::new() } else { vec![word] };
        }
        let Some((subject, map)) = indexed(condition, variable) else { return Vec::new() };
        let Some(of) = self.semantics.subject(&env, subject) else { return Vec::new() };
        let entries = self.semantics.program.keys.entries(of, map);
        let stored = entries.filter(|(_, key)| self.semantics.read(&env, *key) != UNKNOWN);
        stored.map(|(index, _)| self.semantics.codec.encode(index)).collect()
    }
}

fn subject_needs(subject: Subject, f: &mut dyn FnMut(u16)) {
    if let Subject::Variable(Var::Own(index)) = subject {
        f(index);
    }
}

/// The map that a condition reads with the variable as its index.
fn indexed(condition: &ConditionNode, variable: usize) -> Option<(Subject, crate::program::AttributeId)> {
    let from_place = |place: &Place| match place {
        Place::Entry(subject, map, index) => match **index {
            Expr::Variable(Var::Own(by)) if usize::from(by) == variable => Some((*subject, *map)),
            _ => None,
        },
        _ => None,
    };
    let from_expr = |expr: &Expr| match expr {
        Expr::Read(place) => from_place(place),
        _ => None,
    };
    match condition {
        ConditionNode::Compare { left, right, .. } => from_expr(left).or_else(|| from_expr(right)),
        ConditionNode::Known { place, .. } => from_place(place),
        ConditionNode::Bind { value, .. } => from_expr(value),
        _ => None,
    }
}

/// The places that a condition reads, as (text, word) under a binding.
pub(crate) fn reads(semantics: &Semantics, env: &Env<'_>, condition: &ConditionNode) -> Vec<Reading> {
    let mut found = Vec::new();
    let mut add = |reading: Reading| {
        if !found.contains(&reading) {
            found.push(reading);
        }
    };
    match condition {
        ConditionNode::Compare { left, right, .. } => {
            expr_reads(semantics, env, left, &mut add);
            expr_reads(semantics, env, right, &mut add);
        }
        ConditionNode::Known { place, .. } => place_reads(semantics, env, place, &mut add),
        ConditionNode::Bind { value, .. } => expr_reads(semantics, env, value, &mut add),
        ConditionNode::Related { subject, relation, object, .. } => {
            let sides = semantics.subject(env, *subject).zip(semantics.subject(env, *object));
            if let Some(key) = sides.and_then(|(subject, object)| semantics.pair(subject, *relation, object))
            {
                add(Reading { key: Some(key), word: semantics.read(env, key) });
            } else {
                add(Reading { key: None, word: UNKNOWN });
            }
        }
        ConditionNode::KnownPairs { .. } => {}
    }
    found
}

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The key; `None` where no text gives it a value.
    pub(crate) key: Option<crate::program::KeyId>,
    /// The value's word.
    pub(crate) word: u32,
}

fn expr_reads(semantics: &Semantics, env: &Env<'_>, expr: &Expr, add: &mut dyn FnMut(Reading)) {
    match expr {
        Expr::Value(_) | Expr::Unknown | Expr::Variable(_) => {}
        Expr::Read(place) => place_reads(semantics, env, place, add),
        Expr::Negate(of) => expr_reads(semantics, env, of, add),
        Expr::Binary(_, left, right) => {
            expr_reads(semantics, env, left, add);
            expr_reads(semantics, env, right, add);
        }
    }
}

fn place_reads(semantics: &Semantics, env: &Env<'_>, place: &Place, add: &mut dyn FnMut(Reading)) {
    if let Place::Entry(_, _, index) = place {
        expr_reads(semantics, env, index, add);
    }
    match semantics.place(env, place) {
        Some(key) => add(Reading { key: Some(key), word: semantics.read(env, key) }),
        None => add(Reading { key: None, word: UNKNOWN }),
    }
}
