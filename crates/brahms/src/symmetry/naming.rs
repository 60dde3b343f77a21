//! What claims say of members: who is kept in his place by that, and what it is after two have changed places.

use std::collections::BTreeSet;

use super::conduct::Footprint;
use super::swap::Swap;
use crate::atoms::{Predicate, Term, Test};
use crate::program::{ActorId, EntityId, Key, KeyId, Program, Value};
use crate::slice::Inquiry;

/// The entities that predicates speak of in a way that keeps them where they are: what is said of them may change while one of
/// these actors has its turn. A claim sees such changes one after the other, in the order of turns.
pub(super) fn pinned(program: &Program, predicates: &[Predicate], actors: &[ActorId]) -> BTreeSet<EntityId> {
    let inquiry = Inquiry::new(program);
    let own: BTreeSet<EntityId> = actors.iter().map(|actor| program.actors[actor.index()].entity).collect();
    let speaks = predicates.iter().map(|predicate| (predicate, named(program, predicate)));
    // One that names nobody keeps nobody.
    let speaks: Vec<(&Predicate, BTreeSet<EntityId>)> =
        speaks.filter(|(_, named)| !named.is_empty()).collect();
    let footprints: Vec<Footprint> = if speaks.is_empty() {
        Vec::new()
    } else {
        actors.iter().map(|actor| Footprint::of(&inquiry, *actor)).collect()
    };
    let mut pinned = BTreeSet::new();
    for (predicate, named) in speaks {
        let changes = |footprint: &Footprint| changes(program, footprint, &own, predicate);
        if footprints.iter().any(changes) {
            pinned.extend(named);
        }
    }
    pinned
}

/// Whether an actor with this footprint may change the truth of a predicate in its turn.
fn changes(
    program: &Program,
    footprint: &Footprint,
    own: &BTreeSet<EntityId>,
    predicate: &Predicate,
) -> bool {
    match predicate {
        Predicate::Says { .. } => true,
        Predicate::Test(test) => footprint.is_wide() || touches(program, footprint, own, test),
    }
}

fn touches(program: &Program, footprint: &Footprint, own: &BTreeSet<EntityId>, test: &Test) -> bool {
    match test {
        Test::Constant(_) => false,
        Test::Not(of) => touches(program, footprint, own, of),
        Test::And(a, b) | Test::Or(a, b) => {
            touches(program, footprint, own, a) || touches(program, footprint, own, b)
        }
        Test::Compare(a, _, b) => touches_term(footprint, a) || touches_term(footprint, b),
        Test::Known(term) => touches_term(footprint, term),
        Test::Does(actor, _) | Test::Idle(actor) => own.contains(&program.actors[actor.index()].entity),
    }
}

fn touches_term(footprint: &Footprint, term: &Term) -> bool {
    match term {
        Term::Value(_) | Term::Unknown => false,
        Term::Read(store, key) => footprint.writes(*store, *key),
        Term::Binary(_, a, b) => touches_term(footprint, a) || touches_term(footprint, b),
    }
}

/// What a predicate says after two members have changed places; `None` if it is about something that no text speaks of then.
pub(super) fn image(swap: &Swap<'_>, predicate: &Predicate) -> Option<Predicate> {
    Some(match predicate {
        Predicate::Test(test) => Predicate::Test(image_of_test(swap, test)?),
        Predicate::Says { from, to, keys, value } => Predicate::Says {
            from: swap.actor(*from),
            to: swap.actor(*to),
            keys: keys.iter().map(|key| swap.key(*key)).collect::<Option<_>>()?,
            value: value.map(|(operator, value)| (operator, swap.value(value))),
        },
    })
}

fn image_of_test(swap: &Swap<'_>, test: &Test) -> Option<Test> {
    let both =
        |a: &Test, b: &Test| Some((Box::new(image_of_test(swap, a)?), Box::new(image_of_test(swap, b)?)));
    Some(match test {
        Test::Constant(truth) => Test::Constant(*truth),
        Test::Not(of) => Test::Not(Box::new(image_of_test(swap, of)?)),
        Test::And(a, b) => both(a, b).map(|(a, b)| Test::And(a, b))?,
        Test::Or(a, b) => both(a, b).map(|(a, b)| Test::Or(a, b))?,
        Test::Compare(a, operator, b) => {
            Test::Compare(image_of_term(swap, a)?, *operator, image_of_term(swap, b)?)
        }
        Test::Known(term) => Test::Known(image_of_term(swap, term)?),
        Test::Does(actor, name) => Test::Does(swap.actor(*actor), name.clone()),
        Test::Idle(actor) => Test::Idle(swap.actor(*actor)),
    })
}

fn image_of_term(swap: &Swap<'_>, term: &Term) -> Option<Term> {
    Some(match term {
        Term::Value(value) => Term::Value(swap.value(*value)),
        Term::Unknown => Term::Unknown,
        Term::Read(store, key) => {
            let number = |actor: usize| u32::try_from(actor).expect("actors are numbered with 32 bits");
            let store =
                store.checked_sub(1).map_or(0, |actor| 1 + swap.actor(ActorId(number(actor))).index());
            Term::Read(store, swap.key(*key)?)
        }
        Term::Binary(operator, a, b) => {
            Term::Binary(*operator, Box::new(image_of_term(swap, a)?), Box::new(image_of_term(swap, b)?))
        }
    })
}

/// The entities that a predicate speaks of.
fn named(program: &Program, predicate: &Predicate) -> BTreeSet<EntityId> {
    let mut found = BTreeSet::new();
    match predicate {
        Predicate::Test(test) => of_test(program, test, &mut found),
        Predicate::Says { from, to, keys, value } => {
            found.extend([from, to].map(|actor| program.actors[actor.index()].entity));
            keys.iter().for_each(|key| of_key(program, *key, &mut found));
            value.iter().for_each(|(_, value)| of_value(*value, &mut found));
        }
    }
    found
}

fn of_value(value: Value, found: &mut BTreeSet<EntityId>) {
    if let Value::Entity(of) = value {
        found.insert(of);
    }
}

fn of_key(program: &Program, key: KeyId, found: &mut BTreeSet<EntityId>) {
    match program.keys.get(key) {
        Key::Attribute(of, _) => {
            found.insert(of);
        }
        Key::Entry(of, _, index) => {
            found.insert(of);
            of_value(index, found);
        }
        Key::Pair(of, _, to) => found.extend([of, to]),
    }
}

fn of_test(program: &Program, test: &Test, found: &mut BTreeSet<EntityId>) {
    match test {
        Test::Constant(_) => {}
        Test::Not(of) => of_test(program, of, found),
        Test::And(a, b) | Test::Or(a, b) => {
            of_test(program, a, found);
            of_test(program, b, found);
        }
        Test::Compare(a, _, b) => {
            of_term(program, a, found);
            of_term(program, b, found);
        }
        Test::Known(term) => of_term(program, term, found),
        Test::Does(actor, _) | Test::Idle(actor) => {
            found.insert(program.actors[actor.index()].entity);
        }
    }
}

fn of_term(program: &Program, term: &Term, found: &mut BTreeSet<EntityId>) {
    match term {
        Term::Value(value) => of_value(*value, found),
        Term::Unknown => {}
        Term::Read(store, key) => {
            if let Some(actor) = store.checked_sub(1) {
                found.insert(program.actors[actor].entity);
            }
            of_key(program, *key, found);
        }
        Term::Binary(_, a, b) => {
            of_term(program, a, found);
            of_term(program, b, found);
        }
    }
}
