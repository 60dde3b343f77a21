//! Random models with a planted symmetry: a few members that all follow the same rules, and one thing that they share.

use motet_model::{
    ActionId, AtomId, Facets, Fault, Kind, Model, ProcessId, Ratio, RewardId, Signature, State, Steps,
    Symmetry,
};

use crate::random::Random;

/// How many local states a member has.
pub const LOCAL: u32 = 3;
/// How many values the shared thing has, apart from who holds it.
pub const SHARED: u32 = 2;

/// Members that follow the same rules. Slot 0 is shared, slot 1 says who holds the token (0 is nobody), the others are the
/// local states.
#[derive(Clone, Debug)]
pub struct Team {
    signature: Signature,
    rules: Vec<Rule>,
    kinds: Vec<Kind>,
    members: usize,
}

/// What any member may do.
#[derive(Clone, Debug)]
struct Rule {
    /// The local state before.
    from: u32,
    /// What the shared thing has to be, if that matters.
    shared: Option<u32>,
    /// Whether one has to hold the token, or must not.
    holds: Option<bool>,
    /// Another member has to be in this local state.
    other: Option<u32>,
    /// Equally probable outcomes: the local state after, the shared thing, whether the token is taken or put down.
    outcomes: Vec<(u32, u32, Option<bool>)>,
    delay: u32,
}

impl Team {
    /// A random team of so many members.
    pub fn random(random: &mut Random, members: usize) -> Self {
        let below = |random: &mut Random, n: u32| {
            u32::try_from(random.below(n as usize)).expect("it is below a small number")
        };
        let rules = (0..2 + random.below(4)).map(|_| Rule {
            from: below(random, LOCAL),
            shared: random.once_in(2).then(|| below(random, SHARED)),
            holds: random.once_in(3).then(|| random.once_in(2)),
            other: random.once_in(4).then(|| below(random, LOCAL)),
            outcomes: (0..1 + usize::from(random.once_in(3)))
                .map(|_| {
                    let token = random.once_in(2).then(|| random.once_in(2));
                    (below(random, LOCAL), below(random, SHARED), token)
                })
                .collect(),
            delay: below(random, 3),
        });
        let rules = rules.collect();
        let names: Vec<String> = (0..members).map(|member| format!("m{member}")).collect();
        let mut slots = vec!["shared".to_owned(), "holder".to_owned()];
        slots.extend(names.iter().cloned());
        let mut atoms: Vec<String> =
            names.iter().flat_map(|name| (0..LOCAL).map(move |local| format!("{name} is {local}"))).collect();
        atoms.extend(names.iter().map(|name| format!("{name} holds")));
        atoms.push("shared".to_owned());
        let signature = Signature { slots, processes: names.clone(), atoms, ..Signature::default() };
        let kind = Kind { name: "Member".to_owned(), members: names, with: Vec::new() };
        Self { signature, rules, kinds: vec![kind], members }
    }

    /// The atom that says in which local state a member is.
    #[must_use]
    pub fn is(&self, member: usize, local: u32) -> AtomId {
        AtomId(u32::try_from(member).expect("few members") * LOCAL + local)
    }

    /// The atom that says that a member holds the token.
    #[must_use]
    pub fn holds(&self, member: usize) -> AtomId {
        AtomId(u32::try_from(self.members * LOCAL as usize + member).expect("few members"))
    }

    /// The atom about what is shared.
    #[must_use]
    pub fn shared(&self) -> AtomId {
        AtomId(u32::try_from(self.signature.atoms.len() - 1).expect("few atoms"))
    }

    fn may(&self, rule: &Rule, member: usize, state: &State) -> bool {
        let other = |local: u32| (0..self.members).any(|at| at != member && state[2 + at] == local);
        let holds = state[1] as usize == member + 1;
        state[2 + member] == rule.from
            && rule.shared.is_none_or(|shared| shared == state[0])
            && rule.holds.is_none_or(|wanted| wanted == holds)
            && rule.other.is_none_or(other)
    }

    fn outcome(outcome: (u32, u32, Option<bool>), member: usize, state: &State) -> Vec<u32> {
        let own = u32::try_from(member + 1).expect("few members");
        let mut target = state.to_vec();
        target[2 + member] = outcome.0;
        target[0] = outcome.1;
        match outcome.2 {
            Some(true) => target[1] = own,
            Some(false) if target[1] == own => target[1] = 0,
            _ => {}
        }
        target
    }

    /// All states that differ from this one only in who is who, by trying all orders.
    #[must_use]
    pub fn images(&self, state: &State) -> Vec<Vec<u32>> {
        let mut orders = vec![Vec::new()];
        for _ in 0..self.members {
            let longer = |order: &Vec<usize>| {
                let free = (0..self.members).filter(|member| !order.contains(member)).collect::<Vec<_>>();
                free.into_iter().map(|member| [order.as_slice(), &[member]].concat()).collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        let image = |from: &Vec<usize>| {
            let mut image = state.to_vec();
            self.permute(0, from, &mut image);
            image
        };
        orders.iter().map(image).collect()
    }
}

impl Model for Team {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(vec![0; 2 + self.members].into_boxed_slice());
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let number = |n: usize| u32::try_from(n).expect("few members and rules");
        for (at, rule) in self.rules.iter().enumerate() {
            for member in (0..self.members).filter(|member| self.may(rule, *member, state)) {
                let chance = Ratio::new(1, rule.outcomes.len() as u64).expect("at least one outcome");
                let targets: Vec<Vec<u32>> =
                    rule.outcomes.iter().map(|outcome| Self::outcome(*outcome, member, state)).collect();
                let branches = targets.iter().map(|target| (chance, target.as_slice()));
                let action = ActionId(number(at * self.members + member));
                out.push_random(ProcessId(number(member)), action, rule.delay, branches);
            }
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        let (at, locals) = (atom.index(), self.members * LOCAL as usize);
        if atom == self.shared() {
            return state[0] == 1;
        }
        match at.checked_sub(locals) {
            Some(member) => state[1] as usize == member + 1,
            None => state[2 + at / LOCAL as usize] == atom.0 % LOCAL,
        }
    }

    fn facets(&self) -> Facets<'_> {
        Facets { symmetry: Some(self), ..Facets::default() }
    }
}

impl Symmetry for Team {
    fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    fn portrait(&self, _: usize, member: usize, state: &State, out: &mut Vec<u32>) {
        out.extend([state[2 + member], u32::from(state[1] as usize == member + 1)]);
    }

    fn permute(&self, _: usize, from: &[usize], state: &mut Vec<u32>) {
        let before = state.clone();
        for (member, &other) in from.iter().enumerate() {
            state[2 + member] = before[2 + other];
            if before[1] as usize == other + 1 {
                state[1] = u32::try_from(member + 1).expect("few members");
            }
        }
    }

    fn image(&self, _: usize, (one, two): (usize, usize), atom: AtomId) -> Option<AtomId> {
        if atom == self.shared() {
            return Some(atom);
        }
        let other = |member: usize| match member {
            member if member == one => two,
            member if member == two => one,
            member => member,
        };
        let locals = self.members * LOCAL as usize;
        Some(match atom.index().checked_sub(locals) {
            Some(member) => Team::holds(self, other(member)),
            None => self.is(other(atom.index() / LOCAL as usize), atom.0 % LOCAL),
        })
    }

    fn keeps_reward(&self, _: usize, _: RewardId) -> bool {
        true
    }
}
