//! Variables of frames: the rules `Var_*` (Stocker 2013, 6.3.7).
//!
//! The guard is a join: variables get their values one after the other, and every precondition is tested as soon as its
//! variables have theirs. `spec/brahms/rules.md` says how this departs from the published rules: `forone` is a choice,
//! `foreach` makes instances that wait, `collectall` collects values.

use super::Semantics;
use super::cells::View;
use super::conditions::Env;
use super::control::Parameters;
use super::value::{UNKNOWN, as_entity, entity, is_list};
use crate::program::{
    AttributeId, Comparison, ConditionNode, Domain, Expr, Frame, FrameId, Place, Quantifier, Subject, Var,
};

/// The order in which a guard is solved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    steps: Vec<PlanStep>,
    /// Whether some variable is `collectall`.
    collects: bool,
    /// Whether some variable is `foreach`.
    pub(crate) spreads: bool,
    /// Whether some variable is no part of an instance's identity: `collectall`, or given a value only by the body.
    pub(crate) loose: bool,
}

#[derive(Clone, Debug)]
enum PlanStep {
    /// Test the condition with this number.
    Check(usize),
    /// Try all entities of the variable's range.
    Range(u16),
    /// Try the one entity of the variable's range that an equation leaves: its other side is this.
    Equal(u16, Expr),
    /// Give the variable the value that the condition with this number says.
    Bind(usize),
    /// Try all indices with a value.
    Indices(u16, Subject, AttributeId),
}

impl Plan {
    /// The plan for a frame's guard.
    pub(crate) fn of(frame: &Frame) -> Self {
        let mut plan = Self {
            collects: frame.variables.iter().any(|v| v.quantifier == Quantifier::CollectAll && v.guarded),
            spreads: frame.variables.iter().any(|v| v.quantifier == Quantifier::ForEach && v.guarded),
            loose: frame.variables.iter().any(|v| !v.guarded || v.quantifier == Quantifier::CollectAll),
            ..Self::default()
        };
        let mut bound = vec![false; frame.variables.len()];
        let mut open: Vec<usize> = (0..frame.guard.len()).collect();
        loop {
            plan.settle(frame, &mut bound, &mut open);
            let unbound = |number: &usize| frame.variables[*number].guarded && !bound[*number];
            let Some(next) = (0..bound.len()).find(unbound) else { break };
            let indexed = (0..bound.len()).filter(unbound).find_map(|number| {
                let number = u16::try_from(number).expect("variables are numbered with 16 bits");
                open.iter().find_map(|c| indices(&frame.guard[*c].node, number, &bound))
            });
            if let Some((variable, subject, map)) = indexed {
                plan.steps.push(PlanStep::Indices(variable, subject, map));
                bound[usize::from(variable)] = true;
                continue;
            }
            let number = u16::try_from(next).expect("variables are numbered with 16 bits");
            let other = open.iter().find_map(|c| equated(&frame.guard[*c].node, number, &bound));
            plan.steps.push(match other {
                Some(other) => PlanStep::Equal(number, other.clone()),
                None => PlanStep::Range(number),
            });
            bound[next] = true;
        }
        plan.steps.extend(open.into_iter().map(PlanStep::Check));
        plan
    }

    /// Everything that needs no further variable.
    fn settle(&mut self, frame: &Frame, bound: &mut [bool], open: &mut Vec<usize>) {
        loop {
            let ready = |number: &usize| {
                let mut ready = true;
                needs(&frame.guard[*number].node, &mut |variable| ready &= bound[usize::from(variable)]);
                ready
            };
            let Some(at) = open.iter().position(ready) else { break };
            let number = open.remove(at);
            match &frame.guard[number].node {
                ConditionNode::Bind { variable, .. } if !bound[usize::from(*variable)] => {
                    bound[usize::from(*variable)] = true;
                    self.steps.push(PlanStep::Bind(number));
                }
                _ => self.steps.push(PlanStep::Check(number)),
            }
        }
    }
}

/// Calls `f` with every own variable that must have a value before the condition can be tested, or bind.
fn needs(condition: &ConditionNode, f: &mut dyn FnMut(u16)) {
    match condition {
        ConditionNode::Compare { left, right, .. } => {
            expr_needs(left, f);
            expr_needs(right, f);
        }
        ConditionNode::Related { subject, object, .. } => {
            subject_needs(*subject, f);
            subject_needs(*object, f);
        }
        ConditionNode::Known { place, .. } => place_needs(place, f),
        ConditionNode::KnownPairs { subject, .. } => subject_needs(*subject, f),
        ConditionNode::Bind { value, .. } => expr_needs(value, f),
    }
}

fn subject_needs(subject: Subject, f: &mut dyn FnMut(u16)) {
    if let Subject::Variable(Var::Own(index)) = subject {
        f(index);
    }
}

/// Calls `f` with every own variable of a place.
pub(crate) fn place_needs(place: &Place, f: &mut dyn FnMut(u16)) {
    match place {
        Place::Fixed(_) => {}
        Place::Attribute(var, _) => subject_needs(Subject::Variable(*var), f),
        Place::Entry(subject, _, index) => {
            subject_needs(*subject, f);
            expr_needs(index, f);
        }
    }
}

/// Calls `f` with every own variable of an expression.
pub(crate) fn expr_needs(expr: &Expr, f: &mut dyn FnMut(u16)) {
    match expr {
        Expr::Value(_) | Expr::Unknown => {}
        Expr::Read(place) => place_needs(place, f),
        Expr::Variable(var) => subject_needs(Subject::Variable(*var), f),
        Expr::Negate(of) => expr_needs(of, f),
        Expr::Binary(_, left, right) => {
            expr_needs(left, f);
            expr_needs(right, f);
        }
    }
}

/// What a variable must be equal to, if a condition says so and everything in it has its value already.
fn equated<'c>(condition: &'c ConditionNode, variable: u16, bound: &[bool]) -> Option<&'c Expr> {
    let ConditionNode::Compare { negated: false, left, operator: Comparison::Eq, right } = condition else {
        return None;
    };
    let own = Expr::Variable(Var::Own(variable));
    let other = if *right == own { left } else { Some(right).filter(|_| *left == own)? };
    let mut known = true;
    expr_needs(other, &mut |needed| known &= bound[usize::from(needed)]);
    known.then_some(other)
}

/// The map whose indices a variable ranges over, if a condition says so and the map is known already.
fn indices(condition: &ConditionNode, variable: u16, bound: &[bool]) -> Option<(u16, Subject, AttributeId)> {
    let from_place = |place: &Place| match place {
        Place::Entry(subject, map, index) if **index == Expr::Variable(Var::Own(variable)) => {
            let known = match subject {
                Subject::Variable(Var::Own(of)) => bound[usize::from(*of)],
                _ => true,
            };
            known.then_some((variable, *subject, *map))
        }
        _ => None,
    };
    let from_expr = |expr: &Expr| match expr {
        Expr::Read(place) => from_place(place),
        _ => None,
    };
    match condition {
        ConditionNode::Compare { negated: false, left, right, .. } => {
            from_expr(left).or_else(|| from_expr(right))
        }
        ConditionNode::Known { known: true, place } => from_place(place),
        ConditionNode::Bind { value, .. } => from_expr(value),
        _ => None,
    }
}

/// Where a guard is being solved.
struct Solving<'a> {
    frame: &'a Frame,
    plan: &'a Plan,
    cells: View<'a>,
    parameters: Option<&'a Parameters<'a>>,
    /// Values that are given; unknown where any will do.
    fixed: &'a [u32],
}

impl Semantics {
    /// Appends all bindings under which a frame's guard holds, one after the other. Without variables one empty binding
    /// stands for a guard that holds, so the result says how many there are.
    pub(crate) fn bindings<'c>(
        &self,
        frame: FrameId,
        cells: impl Into<View<'c>>,
        parameters: Option<&Parameters<'_>>,
        fixed: &[u32],
        out: &mut Vec<u32>,
    ) -> usize {
        let text = &self.program.frames[frame.index()];
        let plan = &self.plans[frame.index()];
        let solving = Solving { frame: text, plan, cells: cells.into(), parameters, fixed };
        if text.variables.is_empty() {
            return self.var_empty(&solving);
        }
        let first = out.len();
        let mut binding = vec![UNKNOWN; text.variables.len()];
        let found = self.var_set(&solving, 0, &mut binding, out);
        if plan.collects { self.var_all(text, out, first) } else { found }
    }

    /// Rule `Var_empty`: a frame without variables.
    fn var_empty(&self, solving: &Solving<'_>) -> usize {
        let env = Env::guard(solving.frame, solving.cells, &[], solving.parameters);
        usize::from(solving.frame.guard.iter().all(|condition| self.holds_condition(&env, &condition.node)))
    }

    /// Rule `Var_set`: the set of all bindings. `Var_one` and `Var_each` choose from it when a frame is selected.
    fn var_set(&self, solving: &Solving<'_>, at: usize, binding: &mut [u32], out: &mut Vec<u32>) -> usize {
        let Some(step) = solving.plan.steps.get(at) else {
            out.extend_from_slice(binding);
            return 1;
        };
        let env = Env::guard(solving.frame, solving.cells, binding, solving.parameters);
        match step {
            PlanStep::Check(number) => {
                if self.holds_condition(&env, &solving.frame.guard[*number].node) {
                    self.var_set(solving, at + 1, binding, out)
                } else {
                    0
                }
            }
            PlanStep::Bind(number) => {
                let ConditionNode::Bind { variable, value } = &solving.frame.guard[*number].node else {
                    return 0;
                };
                let word = self.value(&env, value);
                self.try_value(solving, at, usize::from(*variable), word, binding, out)
            }
            PlanStep::Range(variable) => {
                let variable = usize::from(*variable);
                let Domain::Entities(range) = &solving.frame.variables[variable].domain else { return 0 };
                let mut found = 0;
                for candidate in range {
                    if self.layout.is_there(solving.cells, *candidate) {
                        found += self.try_value(solving, at, variable, entity(*candidate), binding, out);
                    }
                }
                found
            }
            PlanStep::Equal(variable, other) => {
                let variable = usize::from(*variable);
                let Domain::Entities(range) = &solving.frame.variables[variable].domain else { return 0 };
                let word = self.value(&env, other);
                // An entity is equal to itself and to nothing else; the condition is tested like all others.
                let fits = as_entity(word).is_some_and(|candidate| {
                    range.contains(&candidate) && self.layout.is_there(solving.cells, candidate)
                });
                if fits { self.try_value(solving, at, variable, word, binding, out) } else { 0 }
            }
            PlanStep::Indices(variable, subject, map) => {
                let Some(of) = self.subject(&env, *subject) else { return 0 };
                let stored: Vec<u32> = self
                    .program
                    .keys
                    .entries(of, *map)
                    .filter(|(_, key)| self.read(&env, *key) != UNKNOWN)
                    .map(|(index, _)| self.codec.encode(index))
                    .collect();
                let mut found = 0;
                for index in stored {
                    found += self.try_value(solving, at, usize::from(*variable), index, binding, out);
                }
                found
            }
        }
    }

    fn try_value(
        &self,
        solving: &Solving<'_>,
        at: usize,
        variable: usize,
        word: u32,
        binding: &mut [u32],
        out: &mut Vec<u32>,
    ) -> usize {
        let wanted = solving.fixed.get(variable).copied().unwrap_or(UNKNOWN);
        if word == UNKNOWN || (wanted != UNKNOWN && !is_list(wanted) && wanted != word) {
            return 0;
        }
        binding[variable] = word;
        let found = self.var_set(solving, at + 1, binding, out);
        binding[variable] = UNKNOWN;
        found
    }

    /// Rule `Var_all`: values of `collectall` variables are collected, for each binding of the others.
    fn var_all(&self, frame: &Frame, out: &mut Vec<u32>, first: usize) -> usize {
        let width = frame.variables.len();
        let collected = |variable: usize| {
            frame.variables[variable].quantifier == Quantifier::CollectAll
                && frame.variables[variable].guarded
        };
        let mut groups: Vec<(Vec<u32>, Vec<Vec<u32>>)> = Vec::new();
        for row in out[first..].chunks(width) {
            let key: Vec<u32> =
                row.iter().enumerate().map(|(v, word)| if collected(v) { UNKNOWN } else { *word }).collect();
            let at = groups.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
                groups.push((key, vec![Vec::new(); width]));
                groups.len() - 1
            });
            for (variable, word) in row.iter().enumerate().filter(|(variable, _)| collected(*variable)) {
                let list = &mut groups[at].1[variable];
                if !list.contains(word) {
                    list.push(*word);
                }
            }
        }
        out.truncate(first);
        let found = groups.len();
        for (mut row, lists) in groups {
            for (variable, list) in lists.iter().enumerate().filter(|(variable, _)| collected(*variable)) {
                row[variable] = self.codec.list(list);
            }
            out.extend(row);
        }
        found
    }

    /// The binding with only its `foreach` values: what stands for an instance that waits.
    pub(crate) fn spread(&self, frame: FrameId, binding: &[u32]) -> Vec<u32> {
        let variables = &self.program.frames[frame.index()].variables;
        let kept = |quantifier| quantifier == Quantifier::ForEach;
        binding
            .iter()
            .zip(variables)
            .map(|(word, variable)| if kept(variable.quantifier) { *word } else { UNKNOWN })
            .collect()
    }

    /// Calls `f` with the binding once for each value that a guard is asked about: for a `collectall` variable all of its
    /// range, because who is left out is as much a matter of the guard as who is gathered.
    pub(crate) fn each_asked(&self, frame: &Frame, binding: &[u32], from: usize, f: &mut dyn FnMut(&[u32])) {
        let Some(variable) = (from..binding.len()).find(|at| is_list(binding[*at])) else {
            f(binding);
            return;
        };
        let asked = match &frame.variables[variable].domain {
            Domain::Entities(range) => range.iter().map(|of| entity(*of)).collect(),
            Domain::Values => self.codec.elements(binding[variable]),
        };
        let mut one = binding.to_vec();
        for word in asked {
            one[variable] = word;
            self.each_asked(frame, &one, variable + 1, f);
        }
    }

    /// Calls `f` with the binding once for each element of the `collectall` variables among `mentioned`.
    pub(crate) fn each_element(&self, binding: &[u32], mentioned: &[u16], f: &mut dyn FnMut(&[u32])) {
        let listed = mentioned.iter().map(|variable| usize::from(*variable));
        let Some(variable) = listed.into_iter().find(|v| binding.get(*v).is_some_and(|word| is_list(*word)))
        else {
            f(binding);
            return;
        };
        let mut one = binding.to_vec();
        for word in self.codec.elements(binding[variable]) {
            one[variable] = word;
            self.each_element(&one, mentioned, f);
        }
    }
}
