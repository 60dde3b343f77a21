//! Modules that can change places: the model in which their variables, and the labels that are theirs, have changed places is
//! the same model, whatever the order of its commands.

mod written;

use std::collections::BTreeSet;

use motet_model::{AtomId, Kind, Obstacle, RewardId, State, Symmetry};

use crate::atoms::Predicate;
use crate::program::{Command, ModuleId, Program};
use crate::semantics::Semantics;
use written::{Exchange, sorted};

/// Who is interchangeable.
#[derive(Debug, Default)]
pub(crate) struct Likeness {
    kinds: Vec<Kind>,
    obstacles: Vec<Obstacle>,
    /// For each kind the modules.
    members: Vec<Vec<ModuleId>>,
    /// For each kind and reward, whether it stays the same.
    rewards: Vec<Vec<bool>>,
    /// The atoms as texts.
    atoms: Vec<String>,
}

impl Likeness {
    /// Finds out.
    pub(crate) fn of(program: &Program, predicates: &[Predicate]) -> Self {
        let nothing = Exchange::nothing(program.variables.len(), program.labels.len());
        let atoms = predicates.iter().map(|predicate| written(&nothing, predicate)).collect();
        let mut likeness = Self { atoms, ..Self::default() };
        let mut classes: Vec<Vec<ModuleId>> = Vec::new();
        let mut lookalikes: Vec<(ModuleId, ModuleId)> = Vec::new();
        for module in (0..program.modules.len()).map(ModuleId::of) {
            let class = classes.iter_mut().find(|class| {
                let alike = exchange(program, class[0], module);
                let same = alike.as_ref().is_some_and(|exchange| keeps(program, &nothing, exchange));
                if alike.is_some() && !same {
                    lookalikes.push((class[0], module));
                }
                same
            });
            match class {
                Some(class) => class.push(module),
                None => classes.push(vec![module]),
            }
        }
        let name = |module: ModuleId| program.modules[module.index()].name.clone();
        for class in classes.iter().filter(|class| class.len() > 1) {
            // Changes with the first make all changes.
            let kept = program.rewards.iter().map(|rewards| {
                let text = |how: &Exchange| sorted(rewards.items.iter().map(|item| how.reward(item)));
                let same = |other: &ModuleId| {
                    exchange(program, class[0], *other).is_some_and(|how| text(&how) == text(&nothing))
                };
                class[1..].iter().all(same)
            });
            likeness.rewards.push(kept.collect());
            let members: Vec<String> = class.iter().map(|module| name(*module)).collect();
            likeness.kinds.push(Kind::of_members(members));
            likeness.members.push(class.clone());
        }
        for (one, two) in lookalikes {
            let apart = |module: ModuleId| classes.iter().any(|class| class.as_slice() == [module]);
            if apart(one) && apart(two) {
                let (one, two) = (name(one), name(two));
                let reason = format!("something tells {one} and {two} apart");
                likeness.obstacles.push(Obstacle { name: Kind::of_members(vec![one, two]).name, reason });
            }
        }
        likeness
    }
}

/// What an atom says.
fn written(exchange: &Exchange, predicate: &Predicate) -> String {
    match predicate {
        Predicate::Test(test) => exchange.test(test),
        Predicate::Initial => "init".to_owned(),
        Predicate::Deadlock => "deadlock".to_owned(),
    }
}

/// What takes the place of what when two modules change places; `None` if they do not look alike.
fn exchange(program: &Program, one: ModuleId, two: ModuleId) -> Option<Exchange> {
    let mut exchange = Exchange::nothing(program.variables.len(), program.labels.len());
    exchange.modules = (one, two);
    let slots = |module: ModuleId| &program.modules[module.index()].slots;
    let domain = |slot: &u32| program.variables[*slot as usize].domain;
    if slots(one).len() != slots(two).len() {
        return None;
    }
    for (a, b) in slots(one).iter().zip(slots(two)) {
        if domain(a) != domain(b) {
            return None;
        }
        (exchange.slots[*a as usize], exchange.slots[*b as usize]) = (*b, *a);
    }
    let commands =
        |module| program.commands.iter().filter(move |command: &&Command| command.module == module);
    if commands(one).count() != commands(two).count() {
        return None;
    }
    for (a, b) in commands(one).zip(commands(two)) {
        match (a.label, b.label) {
            (None, None) => {}
            (Some(a), Some(b)) => {
                let (to, back) = (exchange.labels[a.index()], exchange.labels[b.index()]);
                let fresh = to == a && back == b;
                if !fresh && (to, back) != (b, a) {
                    return None;
                }
                (exchange.labels[a.index()], exchange.labels[b.index()]) = (b, a);
            }
            _ => return None,
        }
    }
    Some(exchange)
}

/// Whether the model is the same afterwards.
fn keeps(program: &Program, nothing: &Exchange, exchange: &Exchange) -> bool {
    let commands = |how: &Exchange| sorted(program.commands.iter().map(|command| how.command(command)));
    let patterns = |how: &Exchange| sorted(program.patterns.iter().map(|pattern| how.pattern(pattern)));
    let starts: BTreeSet<Box<[u32]>> = program.initial.iter().cloned().collect();
    let start =
        |state: &[u32]| -> Box<[u32]> { exchange.slots.iter().map(|slot| state[*slot as usize]).collect() };
    starts.iter().map(|state| start(state)).collect::<BTreeSet<_>>() == starts
        && patterns(nothing) == patterns(exchange)
        && commands(nothing) == commands(exchange)
}

impl Symmetry for Semantics {
    fn kinds(&self) -> &[Kind] {
        &self.likeness().kinds
    }

    fn obstacles(&self) -> &[Obstacle] {
        &self.likeness().obstacles
    }

    fn portrait(&self, kind: usize, member: usize, state: &State, out: &mut Vec<u32>) {
        let module = self.likeness().members[kind][member];
        out.extend(self.program.modules[module.index()].slots.iter().map(|slot| state[*slot as usize]));
    }

    fn permute(&self, kind: usize, from: &[usize], state: &mut Vec<u32>) {
        let before = state.clone();
        let members = &self.likeness().members[kind];
        let slots = |member: usize| &self.program.modules[members[member].index()].slots;
        for (member, &other) in from.iter().enumerate() {
            for (slot, source) in slots(member).iter().zip(slots(other)) {
                state[*slot as usize] = before[*source as usize];
            }
        }
    }

    fn image(&self, kind: usize, (one, two): (usize, usize), atom: AtomId) -> Option<AtomId> {
        let likeness = self.likeness();
        let members = &likeness.members[kind];
        let exchange = exchange(&self.program, members[one], members[two])?;
        let image = written(&exchange, &self.predicates[atom.index()]);
        if likeness.atoms[atom.index()] == image {
            return Some(atom);
        }
        let at = likeness.atoms.iter().position(|known| *known == image)?;
        Some(AtomId(u32::try_from(at).ok()?))
    }

    fn keeps_reward(&self, kind: usize, reward: RewardId) -> bool {
        self.likeness().rewards[kind][reward.index()]
    }
}
