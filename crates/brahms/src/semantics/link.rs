//! A stretch of micro steps as a link of a chain: what all of its alternatives change alike, and what they change each in
//! their own way.

use motet_model::{Ratio, State};

use super::memo::{Decider, Stop, Stretch};

/// A stretch whose alternatives lead to different configurations and go on alike: they end in the same way, and the same
/// actors have to look again.
#[derive(Debug)]
pub(crate) struct Link {
    /// Where all alternatives end.
    pub(super) stop: Stop,
    /// Who decides between them: nobody or chance.
    pub(super) decider: Decider,
    /// Who has to look again.
    pub(super) awake: Box<[u64]>,
    /// The slots that all change to the same value.
    pub(super) fixed: Box<[(u32, u32)]>,
    /// The slots that differ between alternatives.
    pub(super) varying: Box<[u32]>,
    /// The values of these, one alternative after the other.
    pub(super) values: Box<[u32]>,
    /// The number of how likely each alternative is; nothing where nobody decides.
    pub(super) odds: Option<u32>,
    /// How many alternatives there are.
    pub(super) count: usize,
    /// One bit for each slot that the stretch looks at. What it changes is among them.
    pub(super) looks: Box<[u64]>,
    /// One bit for each slot that differs between alternatives.
    pub(super) varies: Box<[u64]>,
}

impl Link {
    /// The link of an injective stretch that looks at these slots and starts from these cells. `number` numbers chances.
    pub(super) fn of(
        stretch: &Stretch,
        slots: &[u32],
        cells: &State,
        number: impl FnOnce(Box<[Ratio]>) -> u32,
    ) -> Option<Self> {
        let count = stretch.alternatives.len();
        let stop = stretch.alternatives.first()?.stop;
        let alike = |number: usize| {
            stretch.alternatives[number].stop == stop && stretch.awake(number) == stretch.awake(0)
        };
        if stretch.decider == Decider::Both || !(0..count).all(alike) {
            return None;
        }
        let chances: Option<Box<[Ratio]>> = stretch.alternatives.iter().map(|one| one.chance).collect();
        let odds = match stretch.decider {
            Decider::Chance => Some(number(chances?)),
            _ => None,
        };
        let mut changed: Vec<u32> = stretch.writes.iter().map(|(slot, _)| *slot).collect();
        changed.sort_unstable();
        changed.dedup();
        let value = |number: usize, slot: u32| {
            // An alternative that does not change a slot leaves it as it was; the slot is looked at, so that is known.
            let written = stretch.writes(number).iter().find(|(of, _)| *of == slot);
            written.map_or(cells[slot as usize], |(_, value)| *value)
        };
        let (varying, fixed): (Vec<u32>, Vec<u32>) =
            changed.into_iter().partition(|slot| (1..count).any(|n| value(n, *slot) != value(0, *slot)));
        Some(Self {
            stop,
            decider: stretch.decider,
            awake: stretch.awake(0).into(),
            fixed: fixed.into_iter().map(|slot| (slot, value(0, slot))).collect(),
            values: (0..count).flat_map(|n| varying.iter().map(move |slot| value(n, *slot))).collect(),
            odds,
            count,
            looks: bits(slots, cells.len()),
            varies: bits(&varying, cells.len()),
            varying: varying.into(),
        })
    }

    /// About how much memory it takes.
    pub(super) fn words(&self) -> usize {
        let slots = 2 * self.fixed.len() + self.varying.len() + self.values.len();
        slots + 2 * (self.awake.len() + self.looks.len() + self.varies.len()) + 32
    }
}

fn bits(slots: &[u32], width: usize) -> Box<[u64]> {
    let mut bits = vec![0; width.div_ceil(64)];
    for slot in slots {
        bits[*slot as usize / 64] |= 1 << (slot % 64);
    }
    bits.into()
}
