//! What frames do: conclusions, and the way through a body.

use std::collections::BTreeSet;

use crate::program::{
    ActorId, Conclude, ConcludeNode, Expr, Key, KeyId, Place, Statement, Subject, Value, Var,
};
use crate::promela::cells::Store;
use crate::promela::expr::{Bound, Form, Look, Scope, World};
use crate::promela::ground::{body_look, own_place_vars, own_vars, spread};
use crate::promela::lack::{Lack, Refusal};
use crate::promela::scribe::{Scribe, Work};
use crate::promela::test::Test;
use crate::promela::text::Text;

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
    when: Test,
    /// A word or an expression; `unknown` takes the value away.
    value: String,
    computed: bool,
    number: bool,
}

/// Whether a place may be none of the keys: an attribute that no text speaks of, or an index that is not kept.
fn misses(place: &Place, keys: &[(KeyId, Test)]) -> bool {
    !matches!(place, Place::Fixed(_)) && keys.iter().all(|(_, when)| *when != Test::Sure(true))
}

impl<'a> Scribe<'a> {
    /// Conclusions, one after the other. Choices come before the step that needs them.
    pub(crate) fn concludes(
        &self,
        out: &mut Text,
        site: Site<'a>,
        concludes: &[&Conclude],
    ) -> Result<(), Refusal> {
        let mut open = false;
        for conclude in concludes {
            let fact = if site.thinks { 0 } else { conclude.fact };
            let draws = [("draw_belief", conclude.belief), ("draw_fact", fact)];
            if draws.iter().any(|(_, chance)| (1..100).contains(chance)) && open {
                out.step_end();
                open = false;
            }
            for (name, chance) in draws {
                if (1..100).contains(&chance) {
                    out.line(format_args!("if :: {name} = 1 :: skip fi; /* {chance} percent */"));
                }
            }
            if !open {
                out.step();
                open = true;
            }
            let certain = |(name, chance): (&str, u32)| match chance {
                0 => Test::Sure(false),
                1..=99 => Test::text(name),
                _ => Test::Sure(true),
            };
            self.conclude(out, site, conclude, &certain(draws[0]), &certain(draws[1]))
                .map_err(|lack| lack.at(conclude.span))?;
            for (name, chance) in draws {
                if (1..100).contains(&chance) {
                    out.line(format_args!("{name} = 0;"));
                }
            }
        }
        if open {
            out.line("skip");
            out.step_end();
        }
        Ok(())
    }

    fn conclude(
        &self,
        out: &mut Text,
        site: Site<'a>,
        conclude: &Conclude,
        belief: &Test,
        fact: &Test,
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
        for (number, target) in targets.iter_mut().enumerate().filter(|(_, target)| target.value != "unknown")
        {
            if target.computed {
                let name = if several { self.spare(number) } else { "new".to_owned() };
                out.line(format_args!("{name} = {};", target.value));
                if target.number {
                    let limit = self.world.values.width.limit;
                    let small = format!("{name} == unknown || ({name} <= {limit} && {name} >= -{limit})");
                    out.line(format_args!("CHECK(bound_numbers, {small});"));
                }
                target.value = name;
            }
        }
        for target in &targets {
            for (store, certain) in [(Store::Beliefs(site.actor), belief), (Store::Facts, fact)] {
                let when = Test::all([target.when.clone(), certain.clone()]);
                if target.value == "unknown" {
                    self.forget(out, (store, target.key), &when);
                } else {
                    self.put(out, (store, target.key), &target.value, &when);
                }
            }
        }
        Ok(())
    }

    /// What a conclusion writes; nothing where its value is never known.
    fn targets(&self, out: &mut Text, scope: &Scope<'_>, node: &ConcludeNode) -> Result<Vec<Target>, Lack> {
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
                let value = form.as_ref().map_or(Ok("unknown".to_owned()), |form| scope.cell(form))?;
                let computed = !matches!(form, None | Some(Form::Constant(_)));
                let number = matches!(form, Some(Form::Number { .. }));
                let known =
                    if computed { Test::text(format_args!("{value} == unknown")) } else { Test::Sure(false) };
                let places = places(scope, place)?;
                if misses(place, &places) {
                    let index = match place {
                        Place::Entry(_, _, index) => scope.is_known(&scope.expr(index)?).not(),
                        _ => Test::Sure(false),
                    };
                    let some = Test::any(places.iter().map(|(_, when)| when.clone()).chain([known, index]));
                    out.line(format_args!("CHECK(bound_keys, {});", some.show()));
                }
                let target = |(key, when)| Target { key, when, value: value.clone(), computed, number };
                Ok(places.into_iter().map(target).collect())
            }
            ConcludeNode::Relate(subject, relation, object, truth) => {
                let (Some(subject), Some(object)) = (scope.entity(*subject)?, scope.entity(*object)?) else {
                    return Ok(Vec::new());
                };
                let Some(key) = program.keys.find(Key::Pair(subject, *relation, object)) else {
                    out.line("CHECK(bound_keys, 0);");
                    return Ok(Vec::new());
                };
                let value = match truth {
                    Some(truth) => self.world.values.word(Value::Bool(*truth))?,
                    None => "unknown".to_owned(),
                };
                Ok(vec![Target { key, when: Test::Sure(true), value, computed: false, number: false }])
            }
        }
    }

    /// The statements from a place on up to the next activity or the end: what they conclude, and where they lead.
    pub(crate) fn block(&self, work: Work<'a>, from: usize) -> Result<(Vec<&'a Conclude>, usize), Refusal> {
        let mut concludes = Vec::new();
        let mut at = from;
        while let Some(statement) = work.frame.body.get(at) {
            match statement {
                Statement::Conclude(conclude) => concludes.push(conclude),
                Statement::Delete(_, span) => {
                    return Err(Lack::Construct("`delete`".to_owned()).at(*span));
                }
                Statement::Do(_) => break,
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

/// The keys that a place can be, each with the condition under which it is that one.
pub(crate) fn places(scope: &Scope<'_>, place: &Place) -> Result<Vec<(KeyId, Test)>, Lack> {
    let keys = &scope.world.program.keys;
    let fixed = |key: Option<KeyId>| key.map(|key| (key, Test::Sure(true))).into_iter().collect();
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
