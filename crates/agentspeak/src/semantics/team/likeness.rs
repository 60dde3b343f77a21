//! Members of a team that change places in its states.

use motet_model::{AtomId, Kind, Obstacle, RewardId, State, Symmetry};

use crate::semantics::team::{MINDS, QUEUE, Team, WORLD};
use crate::symmetry::{Likeness, Renaming, View};

impl Team {
    fn likeness(&self) -> &Likeness {
        self.likeness.get_or_init(|| Likeness::of(&self.program, self.signature.slots.len()))
    }

    /// What a slot says of a member.
    fn said(&self, kind: usize, member: usize, slot: usize, number: u32) -> u64 {
        let likeness = self.likeness();
        let members = &likeness.members[kind];
        // A team has fewer agents than a byte has values, so the two numbers fit one.
        let whom = u32::try_from(kind << 8 | member).expect("a team has few kinds");
        let compute = || {
            let view = View::new(&self.program, members[member], members);
            match slot {
                WORLD => view.cells(self.world(number)),
                QUEUE => view.acts(&self.queue(number)),
                slot if Some(slot) == self.last_action => view.acts(self.last_action(number).as_slice()),
                slot => view.mind(self.mind(slot - MINDS, number)),
            }
        };
        *likeness.known.portraits[slot].get(number, whom, compute)
    }

    /// A slot's value under other names, for the slot where it belongs then.
    fn image_of(&self, slot: usize, number: u32, to: usize, renaming: &Renaming) -> u32 {
        match slot {
            WORLD => self.worlds.intern(renaming.cells(&self.program.environment, self.world(number))),
            QUEUE => {
                let acts = self.queue(number).into_iter().map(|act| self.acts.intern(renaming.act(act)));
                self.queues.intern(acts.collect())
            }
            slot if Some(slot) == self.last_action => {
                self.last_action(number).map_or(0, |act| self.acts.intern(renaming.act(act)) + 1)
            }
            slot => self.minds[to - MINDS].intern(renaming.mind(self.mind(slot - MINDS, number))),
        }
    }
}

impl Symmetry for Team {
    fn kinds(&self) -> &[Kind] {
        &self.likeness().kinds
    }

    fn obstacles(&self) -> &[Obstacle] {
        &self.likeness().obstacles
    }

    /// Its own mind first, then what is said of it elsewhere; of the minds of others of its kind it counts what they say, not who
    /// says it.
    fn portrait(&self, kind: usize, member: usize, state: &State, out: &mut Vec<u32>) {
        let members = &self.likeness().members[kind];
        let own = MINDS + members[member];
        let mut others: Vec<u64> = Vec::with_capacity(members.len());
        let mut write = |said: u64| out.extend([(said >> 32) as u32, (said & 0xffff_ffff) as u32]);
        write(self.said(kind, member, own, state[own]));
        for (slot, &number) in state.iter().enumerate().filter(|(slot, _)| *slot != own) {
            let said = self.said(kind, member, slot, number);
            let is_other = slot.checked_sub(MINDS).is_some_and(|agent| members.contains(&agent));
            if is_other { others.push(said) } else { write(said) }
        }
        others.sort_unstable();
        others.into_iter().for_each(write);
    }

    fn permute(&self, kind: usize, from: &[usize], state: &mut Vec<u32>) {
        let likeness = self.likeness();
        let (members, known) = (&likeness.members[kind], &likeness.known);
        let number = |n: usize| u32::try_from(n).expect("a team has few agents");
        let key = std::iter::once(number(kind)).chain(from.iter().map(|&member| number(member)));
        let change = known.changes.intern(key.collect());
        let renaming = known.changes.get(change).known.get_or_init(|| {
            let changes = from.iter().enumerate().map(|(to, &from)| (members[from], members[to]));
            Renaming::new(&self.program, changes)
        });
        let before = state.clone();
        for (slot, &number) in before.iter().enumerate() {
            let agent = slot.checked_sub(MINDS).filter(|&agent| agent < self.program.agents.len());
            let to = agent.map_or(slot, |agent| MINDS + renaming.agent(agent));
            let image = || self.image_of(slot, number, to, renaming);
            state[to] = *known.images[slot].get(number, change, image);
        }
    }

    fn image(&self, kind: usize, (one, two): (usize, usize), atom: AtomId) -> Option<AtomId> {
        let members = &self.likeness().members[kind];
        let renaming = Renaming::swap(&self.program, members[one], members[two]);
        let predicate = &self.predicates[atom.index()];
        let image = renaming.predicate(predicate);
        if image == *predicate {
            return Some(atom);
        }
        let at = self.predicates.iter().position(|known| *known == image)?;
        Some(AtomId(u32::try_from(at).ok()?))
    }

    /// Nobody's in particular, and neither an action of the name of a member nor a step that is another one afterwards.
    fn keeps_reward(&self, kind: usize, reward: RewardId) -> bool {
        let likeness = self.likeness();
        let Some(earning) = self.rewards.get(reward.index()) else { return false };
        let (what, whose) = earning.parts();
        let members = &likeness.members[kind];
        whose.is_none_or(|agent| !members.contains(&agent))
            && !likeness.kinds[kind].members.iter().any(|name| name == what)
            && !likeness.shifted[kind].iter().any(|name| name == what)
    }
}
