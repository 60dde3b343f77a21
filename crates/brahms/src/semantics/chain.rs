//! Steps as chains of stretches that do not mind each other.
//!
//! Agents that each may do this or that at the same instant make as many outcomes as there are combinations. If what one of
//! them does is not looked at by those who come after it, then each goes on in the same way in all combinations, and the
//! outcomes are the combinations of what each changes: nothing has to be worked out, nor merged, for any of them.
//!
//! A chain is made of known stretches only ([`super::memo`]) and follows one alternative of each. A stretch fits if it looks
//! at nothing that differs between alternatives of those before it. Then it is the same for all of them, its own differences
//! are in other slots than theirs, and so no two combinations are equal. Where anything does not fit, the step is worked out
//! as any other ([`super::expand`]), which also decides what happens when there are too many outcomes or too fine chances.

use motet_model::{ActionId, Patch, ProcessId, Ratio, Steps};
use rustc_hash::FxHashMap;

use super::expand::{MOST_OPEN, least_multiple};
use super::link::Link;
use super::memo::{Answer, Decider, Found, Memo, Origin, Start, Stop};

/// After steps that were no chains, at most so many are not even tried.
const LONGEST_PAUSE: u32 = 63;
/// The chances of at most so many different chains are kept.
const MOST_KEPT: usize = 1 << 10;

/// A chain that is followed, and what is known of earlier ones.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    links: Vec<Found>,
    /// The configuration after the first alternative of each link.
    cells: Vec<u32>,
    awake: Vec<u64>,
    /// One bit for each slot that differs between alternatives of the links.
    varies: Vec<u64>,
    /// The odds of the links that chance decides.
    odds: Vec<u32>,
    kept: Kept,
    /// How many steps are not tried from now on, and how many were not after the last one that was.
    pause: u32,
    last_pause: u32,
}

impl Chain {
    /// Whether it is worth to try.
    pub(super) fn is_due(&mut self) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            return false;
        }
        true
    }

    /// Appends the steps that lead from a configuration where a step begins, if they are a chain of known stretches.
    pub(super) fn push(
        &mut self,
        memo: &mut Memo,
        origin: &Origin<'_>,
        head: (ProcessId, ActionId, u32),
        out: &mut Steps,
    ) -> bool {
        let whole = self.follow(memo, origin).is_some();
        let chances = if whole { self.kept.chances(memo, &self.odds) } else { None };
        let Some(chances) = chances else {
            self.last_pause = (2 * self.last_pause + 1).min(LONGEST_PAUSE);
            self.pause = self.last_pause;
            return false;
        };
        self.last_pause = 0;
        let links = self.links.iter().filter_map(|found| memo.get(*found).link.as_ref());
        let patches = links.filter(|link| link.count > 1).map(patch);
        out.push_combined(head, &self.cells, patches, chances);
        true
    }

    /// Finds the links, up to states that can be seen, or to the first tie after chance has decided something. `None` if
    /// there is no chain.
    fn follow(&mut self, memo: &mut Memo, origin: &Origin<'_>) -> Option<()> {
        self.begin(origin);
        let (mut start, mut combinations) = (Start::Onward, 1);
        loop {
            let origin = Origin { start, cells: &self.cells, awake: &self.awake, truths: origin.truths };
            let Answer::Known(found) = memo.ask(&origin) else { return None };
            let link = memo.get(found).link.as_ref()?;
            if link.looks.iter().zip(&self.varies).any(|(looks, varies)| looks & varies != 0) {
                return None;
            }
            if !self.odds.is_empty() && start == Start::Choice && link.decider == Decider::Nobody {
                return Some(());
            }
            combinations *= link.count;
            if combinations > MOST_OPEN {
                return None;
            }
            self.links.push(found);
            self.take(link);
            if link.stop == Stop::Seen {
                return Some(());
            }
            start = start.next();
        }
    }

    fn begin(&mut self, origin: &Origin<'_>) {
        self.links.clear();
        self.odds.clear();
        self.cells.clear();
        self.cells.extend_from_slice(origin.cells);
        self.awake.clear();
        self.awake.extend_from_slice(origin.awake);
        self.varies.clear();
        self.varies.resize(origin.cells.len().div_ceil(64), 0);
    }

    /// Goes on after the first alternative of a link.
    fn take(&mut self, link: &Link) {
        self.odds.extend(link.odds);
        let first = link.varying.iter().copied().zip(link.values.iter().copied());
        for (slot, value) in link.fixed.iter().copied().chain(first) {
            self.cells[slot as usize] = value;
        }
        self.awake.copy_from_slice(&link.awake);
        for (all, more) in self.varies.iter_mut().zip(&link.varies) {
            *all |= more;
        }
    }
}

fn patch(link: &Link) -> Patch<'_> {
    Patch { slots: &link.varying, values: &link.values, alternatives: link.count }
}

/// The chances of the combinations of chains, by the odds of their links.
#[derive(Debug, Default)]
struct Kept(FxHashMap<Box<[u32]>, Option<Box<[Ratio]>>>);

impl Kept {
    /// The chances of all combinations; `None` if they do not fit.
    fn chances(&mut self, memo: &Memo, odds: &[u32]) -> Option<&[Ratio]> {
        if !self.0.contains_key(odds) {
            if self.0.len() == MOST_KEPT {
                self.0.clear();
            }
            self.0.insert(odds.into(), combined(memo, odds));
        }
        self.0.get(odds)?.as_deref()
    }
}

/// The products of the chances of links, the last varying fastest, if all of them and their common denominator fit.
fn combined(memo: &Memo, odds: &[u32]) -> Option<Box<[Ratio]>> {
    let mut all = vec![Ratio::ONE];
    let mut denominator = 1;
    for number in odds {
        let mut next = Vec::with_capacity(all.len() * memo.odds(*number).len());
        for before in &all {
            for chance in memo.odds(*number) {
                let total = before.checked_mul(*chance)?;
                denominator = least_multiple(denominator, total.words()?.1)?;
                next.push(total);
            }
        }
        all = next;
    }
    Some(all.into())
}
