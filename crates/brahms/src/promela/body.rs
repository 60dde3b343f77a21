//! What frames do: conclusions, and the way through a body.

use std::collections::BTreeSet;

use motet_machine::promela::{Branch, Statement, assign};
use motet_machine::{Expr as Term, Place as Variable};

use crate::program::{
    ActorId, Conclude, ConcludeNode, Expr, Key, KeyId, Place, Statement as Line, Subject, Value, Var,
};
use crate::promela::cells::Store;
use crate::promela::expr::{Bound, Form, Look, Scope, World};
use crate::promela::ground::{body_look, own_place_vars, own_vars, spread};
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::{Scribe, Work, step};

/// Where conclusions stand.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) world: World<'a>,
    pub(crate) actor: ActorId,
    pub(crate) look: Look,
    pub(crate) binding: &'a [Bound],
    pub(crate) outer: &'a [Vec<Bound>],
    /// Whether only beliefs are written.
    pub(crate) thinks: bool,
}

/// One write of a conclusion.
struct Target {
    key: KeyId,
    when: Term,
    /// `unknown` takes the value away.
    value: Term,
    computed: bool,
    number: bool,
}

/// Whether a place may be none of the keys: an attribute that no text speaks of, or an index that is not kept.
fn misses(place: &Place, keys: &[(KeyId, Term)]) -> bool {
    !matches!(place, Place::Fixed(_)) && keys.iter().all(|(_, when)| !when.is(true))
}

impl<'a> Scribe<'a> {
    /// Conclusions, one after the other. Choices come before the step that needs them.
    pub(crate) fn concludes(
        &self,
        out: &mut Vec<Statement>,
        site: Site<'a>,
        concludes: &[&Conclude],
    ) -> Result<(), Refusal> {
        let mut open = Vec::new();
        for conclude in concludes {
            let fact = if site.thinks { 0 } else { conclude.fact };
            let draws = [("draw_belief", conclude.belief), ("draw_fact", fact)];
            if draws.iter().any(|(_, chance)| (1..100).contains(chance)) {
                step(out, std::mem::take(&mut open));
            }
            for (name, chance) in draws {
                if (1..100).contains(&chance) {
                    out.push(chosen(assign(name, 1), chance));
                }
            }
            let certain = |(name, chance): (&str, u32)| match chance {
                0 => Term::Truth(false),
                1..=99 => Term::variable(name),
                _ => Term::Truth(true),
            };
            self.conclude(&mut open, site, conclude, &certain(draws[0]), &certain(draws[1]))
                .map_err(|lack| lack.at(conclude.span))?;
            for (name, chance) in draws {
                if (1..100).contains(&chance) {
                    open.push(assign(name, 0));
                }
            }
        }
        step(out, open);
        Ok(())
    }

    fn conclude(
        &self,
        out: &mut Vec<Statement>,
        site: Site<'a>,
        conclude: &Conclude,
        belief: &Term,
        fact: &Term,
    ) -> Result<(), Lack> {
        let mut mentioned = BTreeSet::new();
        match &conclude.node {
            ConcludeNode::Assign(place, expr) => {
                own_place_vars(place, &mut mentioned);
                own_vars(expr, &mut mentioned);
            }
            ConcludeNode::Relate(subject, _, object, _) => {
                for one in [subject, object] {
                    if let Subject::Variable(Var::Own(number)) = one {
                        mentioned.insert(*number);
                    }
                }
            }
        }
        // All values are read before anything is written.
        let mut targets = Vec::new();
        for binding in spread(site.binding, &mentioned) {
            let scope = Scope::new(site.world, site.actor, site.look, &binding, site.outer);
            targets.extend(self.targets(out, &scope, &conclude.node)?);
        }
        let several = targets.len() > 1;
        for (number, target) in
            targets.iter_mut().enumerate().filter(|(_, target)| target.value != self.unknown())
        {
            if target.computed {
                let new = if several { self.spare(number) } else { Variable::named("new") };
                out.push(assign(&new, &target.value));
                if target.number {
                    let limit = self.world.values.width.limit;
                    let small = new.at_most(limit).and(&new.at_least(-limit));
                    out.push(Statement::check("bound_numbers", new.equals(self.unknown()).or(&small)));
                }
                target.value = new.into();
            }
        }
        for target in &targets {
            for (store, certain) in [(Store::Beliefs(site.actor), belief), (Store::Facts, fact)] {
                let when = Term::all([target.when.clone(), certain.clone()]);
                if target.value == self.unknown() {
                    self.forget(out, (store, target.key), &when);
                } else {
                    self.put(out, (store, target.key), &target.value, &when);
                }
            }
        }
        Ok(())
    }

    /// What a conclusion writes; nothing where its value is never known.
    fn targets(
        &self,
        out: &mut Vec<Statement>,
        scope: &Scope<'_>,
        node: &ConcludeNode,
    ) -> Result<Vec<Target>, Lack> {
        let program = self.world.program;
        match node {
            ConcludeNode::Assign(place, expr) => {
                let form = match expr {
                    Expr::Unknown => None,
                    _ => match scope.expr(expr)? {
                        Form::Nothing => return Ok(Vec::new()),
                        form => Some(form),
                    },
                };
                let value = form.as_ref().map_or(Ok(self.unknown()), |form| scope.cell(form))?;
                let computed = !matches!(form, None | Some(Form::Constant(_)));
                let number = matches!(form, Some(Form::Number { .. }));
                let known = if computed { value.equals(self.unknown()) } else { Term::Truth(false) };
                let places = places(scope, place)?;
                if misses(place, &places) {
                    let index = match place {
                        Place::Entry(_, _, index) => scope.is_known(&scope.expr(index)?).not(),
                        _ => Term::Truth(false),
                    };
                    let some = Term::any(places.iter().map(|(_, when)| when.clone()).chain([known, index]));
                    out.push(Statement::check("bound_keys", some));
                }
                let target = |(key, when)| Target { key, when, value: value.clone(), computed, number };
                Ok(places.into_iter().map(target).collect())
            }
            ConcludeNode::Relate(subject, relation, object, truth) => {
                let (Some(subject), Some(object)) = (scope.entity(*subject)?, scope.entity(*object)?) else {
                    return Ok(Vec::new());
                };
                let Some(key) = program.keys.find(Key::Pair(subject, *relation, object)) else {
                    out.push(Statement::check("bound_keys", Term::Truth(false)));
                    return Ok(Vec::new());
                };
                let value = match truth {
                    Some(truth) => self.world.values.word(Value::Bool(*truth))?,
                    None => self.unknown(),
                };
                Ok(vec![Target { key, when: Term::Truth(true), value, computed: false, number: false }])
            }
        }
    }

    /// The statements from a place on up to the next activity or the end: what they conclude, and where they lead.
    pub(crate) fn block(&self, work: Work<'a>, from: usize) -> Result<(Vec<&'a Conclude>, usize), Refusal> {
        let mut concludes = Vec::new();
        let mut at = from;
        while let Some(statement) = work.frame.body.get(at) {
            match statement {
                Line::Conclude(conclude) => concludes.push(conclude),
                Line::Delete(_, span) => {
                    return Err(Lack::Construct("`delete`".to_owned()).at(*span));
                }
                Line::Do(_) => break,
            }
            at += 1;
        }
        Ok((concludes, at))
    }

    /// Where the conclusions of a workframe stand.
    pub(crate) fn site(&self, work: Work<'a>) -> Site<'a> {
        Site {
            world: self.world,
            actor: work.player.id,
            look: body_look(work.frame),
            binding: &work.instance.binding,
            outer: &work.room().outer,
            thinks: false,
        }
    }
}

/// Something that comes about with this chance, or does not.
pub(crate) fn chosen(statement: Statement, chance: u32) -> Statement {
    let comes = Branch::open(vec![statement]).titled(format!("{chance} percent"));
    Statement::If(vec![comes, Branch::open(vec![Statement::Skip])])
}

/// The keys that a place can be, each with the condition under which it is that one.
pub(crate) fn places(scope: &Scope<'_>, place: &Place) -> Result<Vec<(KeyId, Term)>, Lack> {
    let keys = &scope.world.program.keys;
    let fixed = |key: Option<KeyId>| key.map(|key| (key, Term::Truth(true))).into_iter().collect();
    match place {
        Place::Fixed(key) => Ok(fixed(Some(*key))),
        Place::Attribute(of, attribute) => {
            let Some(entity) = scope.entity(Subject::Variable(*of))? else { return Ok(Vec::new()) };
            Ok(fixed(keys.find(Key::Attribute(entity, *attribute))))
        }
        Place::Entry(of, attribute, index) => {
            let Some(entity) = scope.entity(*of)? else { return Ok(Vec::new()) };
            match scope.expr(index)? {
                Form::Nothing => Ok(Vec::new()),
                Form::Constant(value) => Ok(fixed(keys.find(Key::Entry(entity, *attribute, value)))),
                index => {
                    let entries: Vec<_> = keys.entries(entity, *attribute).collect();
                    let one = |(value, key): (Value, KeyId)| {
                        let test =
                            scope.compare(&index, crate::program::Comparison::Eq, &Form::Constant(value))?;
                        Ok((key, test))
                    };
                    entries.into_iter().map(one).collect()
                }
            }
        }
    }
}
