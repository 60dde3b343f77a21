//! From one state to the next: micro steps, with all their choices, until each outcome is a state that somebody can see.
//!
//! A state can be seen when everybody is busy or idle, or right after an atomic step that changed the truth of an atom, so
//! that claims can speak of what exists only within an instant. Partial outcomes that are equal are merged, so that choices
//! that make no difference in the end cost little, and what an actor does without regard to the others is found once
//! ([`super::memo`]). When too many are open, or when their chances would not fit 64 bits, the open ones become states as
//! they are: every moment within an instant can be taken up again.
//!
//! A step of a model is a choice and then chance (`spec/brahms/chance.md`). So what nobody decides comes first: each way
//! through it is a step of its own. Once chance has decided something, the next tie ends the step, because who decides it may
//! look at what chance did.

use motet_model::{Fault, Ratio, State, Steps};

use super::Semantics;
use super::chain::Chain;
use super::fan::{Fan, Rows};
use super::memo::{Answer, Decider, Memo, Origin, Recall, Start, Stop, Stretch};
use super::merged::{Meeting, Merged};
use super::oracle::MOST_OUTCOMES;
use super::work::Work;

/// How many partial outcomes may be open at once.
pub(super) const MOST_OPEN: usize = 1024;

/// The memory of one step.
#[derive(Debug, Default)]
pub(crate) struct Expansion {
    pub(super) work: Work,
    /// Steps whose outcome is certain, one each.
    pub(crate) certain: Merged,
    /// Steps whose outcome is a matter of chance.
    pub(crate) drawn: Fan,
    rows: Rows,
    reached: Merged,
    open: Merged,
    next: Merged,
    tried: Stretch,
    memo: Memo,
    chain: Chain,
    totals: Totals,
    /// Whether the choices that lead to outcomes are kept.
    pub(super) keeps_paths: bool,
    /// Whether the truth of each atom is true where the step begins.
    pub(super) truths: Vec<bool>,
}

impl Expansion {
    /// The choices that lead to a branch of a step.
    pub(super) fn path(&self, step: usize, branch: usize) -> Option<&[u32]> {
        match step.checked_sub(self.certain.len()) {
            None => (branch == 0).then(|| self.certain.path(step)),
            Some(row) => self.drawn.path(row, branch),
        }
    }

    /// Open configurations from this one on become outcomes as they are.
    fn cut(&mut self, from: usize, phase: Phase) {
        for at in from..self.open.len() {
            let path = self.keeps_paths.then(|| self.open.path(at).to_vec());
            let (chance, cells) = self.open.get(at);
            let outcomes = match phase {
                Phase::Choice => &mut self.certain,
                Phase::Chance => &mut self.reached,
            };
            outcomes.add(None, cells, &[], chance, &[], path);
        }
    }

    /// Whether no more is taken in.
    fn is_full(&self, phase: Phase) -> bool {
        match phase {
            Phase::Choice => self.certain.len() + self.rows.entries() > MOST_OUTCOMES,
            Phase::Chance => self.reached.len() + self.drawn.len() > MOST_OUTCOMES,
        }
    }
}

/// Which part of a step is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// What nobody decides.
    Choice,
    /// What chance decides.
    Chance,
}

/// The chances of the alternatives of a stretch, seen from where the step begins.
#[derive(Debug, Default)]
struct Totals {
    chances: Vec<Ratio>,
    /// The least common denominator of these and of all chances before; `None` if it does not fit.
    denominator: Option<u64>,
    /// The stretch by its number and the chance to get to it, for which this was found: equally likely branches often go
    /// on alike, and dividing costs more than comparing.
    found_for: Option<(u64, Ratio)>,
}

impl Totals {
    fn find(&mut self, number: Option<u64>, stretch: &Stretch, chance: Ratio, denominator: u64) {
        let question = number.map(|number| (number, chance));
        if question.is_some() && question == self.found_for && self.denominator == Some(denominator) {
            return;
        }
        self.found_for = question;
        self.chances.clear();
        self.denominator = Some(denominator);
        for alternative in &stretch.alternatives {
            let total = alternative.chance.and_then(|factor| chance.checked_mul(factor));
            let common = self.denominator.zip(total);
            self.denominator = common.and_then(|(common, total)| least_multiple(common, total.words()?.1));
            let (Some(total), Some(_)) = (total, self.denominator) else { break };
            self.chances.push(total);
        }
    }
}

/// A stretch with its number, and with it again if its alternatives lead to different configurations.
type Looked<'e> = (Option<u64>, Option<u64>, &'e Stretch);

impl Semantics {
    /// Finds everything that the steps from a state can lead to. The milliseconds that pass, or `None` if nothing will ever
    /// happen again.
    pub(super) fn expand(&self, expansion: &mut Expansion, state: &State) -> Result<Option<u32>, Fault> {
        let width = state.len();
        expansion.certain.clear(width, Meeting::Unites);
        expansion.drawn.clear(width);
        expansion.rows.clear(width);
        expansion.open.clear(width, Meeting::Unites);
        expansion.next.clear(width, Meeting::Unites);
        self.judge(expansion, state);
        let Some(delay) = self.enter(&mut expansion.work, state) else { return Ok(None) };
        let Expansion { work, open, keeps_paths, .. } = expansion;
        open.add(None, work.cells.words(), &[], Ratio::ONE, &work.awake, keeps_paths.then(Vec::new));
        let mut start = Start::Onward;
        while expansion.open.len() > 0 {
            for at in 0..expansion.open.len() {
                // At least one is taken further, so that every step gets somewhere.
                if at > 0 && (expansion.next.len() > MOST_OPEN || expansion.is_full(Phase::Choice)) {
                    expansion.cut(at, Phase::Choice);
                    break;
                }
                self.advance_freely(expansion, start, at)?;
            }
            start = start.next();
            expansion.certain.seal();
            std::mem::swap(&mut expansion.open, &mut expansion.next);
            expansion.next.clear(width, Meeting::Unites);
            if expansion.open.len() > MOST_OPEN || expansion.is_full(Phase::Choice) {
                expansion.cut(0, Phase::Choice);
                break;
            }
        }
        for row in 0..expansion.rows.len() {
            self.expand_row(expansion, row, width)?;
        }
        Ok(Some(delay))
    }

    /// Appends the steps of a state, if they are a chain of what is known.
    pub(super) fn push_chained(&self, expansion: &mut Expansion, state: &State, out: &mut Steps) -> bool {
        // What is counted in a step is taken out of its outcomes, after which some may be equal.
        if self.recall == Recall::Nothing || self.layout.earned.is_some() || !expansion.chain.is_due() {
            return false;
        }
        self.judge(expansion, state);
        let Some(delay) = self.enter(&mut expansion.work, state) else { return false };
        let Expansion { work, memo, chain, truths, .. } = expansion;
        let origin = Origin { start: Start::Onward, cells: work.cells.words(), awake: &work.awake, truths };
        chain.push(memo, &origin, self.head(state, delay), out)
    }

    fn judge(&self, expansion: &mut Expansion, state: &State) {
        expansion.truths.clear();
        let truths =
            (0..self.atoms.len()).map(|atom| !self.atoms[atom].is_event() && self.holds_atom(atom, state));
        expansion.truths.extend(truths);
    }

    /// Follows what chance has begun, to a step.
    fn expand_row(&self, expansion: &mut Expansion, row: usize, width: usize) -> Result<(), Fault> {
        expansion.reached.clear(width, Meeting::Adds);
        expansion.open.clear(width, Meeting::Adds);
        expansion.next.clear(width, Meeting::Adds);
        let mut denominator = 1u64;
        let Expansion { rows, reached, open, keeps_paths, .. } = &mut *expansion;
        for entry in rows.get(row) {
            let words = entry.chance.words().ok_or_else(unwieldy)?;
            denominator = least_multiple(denominator, words.1).ok_or_else(unwieldy)?;
            let path = keeps_paths.then(|| entry.path.to_vec());
            match entry.stop {
                Stop::Seen => reached.add(None, entry.cells, &[], entry.chance, &[], path),
                Stop::Open => open.add(None, entry.cells, &[], entry.chance, entry.awake, path),
            }
        }
        let mut start = Start::Onward;
        while expansion.open.len() > 0 {
            for at in 0..expansion.open.len() {
                if expansion.next.len() > MOST_OPEN || expansion.is_full(Phase::Chance) {
                    expansion.cut(at, Phase::Chance);
                    break;
                }
                self.advance_drawn(expansion, start, at, &mut denominator)?;
            }
            start = start.next();
            expansion.reached.seal();
            std::mem::swap(&mut expansion.open, &mut expansion.next);
            expansion.next.clear(width, Meeting::Adds);
        }
        expansion.drawn.push(&expansion.reached);
        Ok(())
    }

    /// What a stretch leads to: known already, or found now.
    fn look_up<'e>(
        &self,
        work: &mut Work,
        tried: &'e mut Stretch,
        memo: &'e mut Memo,
        origin: &Origin<'_>,
        recall: Recall,
    ) -> Result<Looked<'e>, Fault> {
        let recalls = self.recall == Recall::Kept && recall == Recall::Kept;
        let answer = if recalls { memo.ask(origin) } else { Answer::Resting };
        match answer {
            Answer::Known(found) => {
                let known = memo.get(found);
                Ok((Some(known.number), known.injective, &known.stretch))
            }
            Answer::New => {
                work.cells.load(origin.cells);
                work.cells.track(self.atoms.len());
                let result = self.stretch(work, origin, tried);
                if result.is_ok() {
                    memo.learn(origin, &work.cells, tried);
                }
                work.cells.untrack();
                result?;
                Ok((None, None, tried))
            }
            Answer::Resting => {
                self.stretch(work, origin, tried)?;
                Ok((None, None, tried))
            }
        }
    }

    /// Takes a configuration further that nothing but free choices led to.
    fn advance_freely(&self, expansion: &mut Expansion, start: Start, at: usize) -> Result<(), Fault> {
        let Expansion { work, open, certain, next, rows, tried, memo, keeps_paths, truths, .. } = expansion;
        let (_, cells) = open.get(at);
        let origin = Origin { start, cells, awake: open.awake(at), truths };
        let recall = if *keeps_paths { Recall::Nothing } else { Recall::Kept };
        let (_, injective, stretch) = self.look_up(work, tried, memo, &origin, recall)?;
        if stretch.decider != Decider::Nobody {
            return rows.push(stretch, cells, keeps_paths.then(|| open.path(at)));
        }
        for (number, alternative) in stretch.alternatives.iter().enumerate() {
            let writes = stretch.writes(number);
            let answers = stretch.made(number).iter().map(|made| made.answer);
            let path = keeps_paths.then(|| open.path(at).iter().copied().chain(answers).collect());
            match alternative.stop {
                Stop::Seen => certain.add(injective, cells, writes, Ratio::ONE, &[], path),
                Stop::Open => next.add(injective, cells, writes, Ratio::ONE, stretch.awake(number), path),
            }
        }
        Ok(())
    }

    /// Takes a configuration further that chance led to, unless somebody else decides next.
    fn advance_drawn(
        &self,
        expansion: &mut Expansion,
        start: Start,
        at: usize,
        denominator: &mut u64,
    ) -> Result<(), Fault> {
        let Expansion { work, open, reached, next, tried, memo, totals, keeps_paths, truths, .. } = expansion;
        let (chance, cells) = open.get(at);
        let origin = Origin { start, cells, awake: open.awake(at), truths };
        let recall = if *keeps_paths { Recall::Nothing } else { Recall::Kept };
        let (number, injective, stretch) = self.look_up(work, tried, memo, &origin, recall)?;
        if start == Start::Onward {
            let path = keeps_paths.then(|| open.path(at).to_vec());
            match stretch.alternatives[0].stop {
                Stop::Seen => reached.add(injective, cells, stretch.writes(0), chance, &[], path),
                Stop::Open => next.add(injective, cells, stretch.writes(0), chance, stretch.awake(0), path),
            }
            return Ok(());
        }
        if stretch.decider == Decider::Chance {
            totals.find(number, stretch, chance, *denominator);
        }
        let Some(common) = totals.denominator.filter(|_| stretch.decider == Decider::Chance) else {
            let path = keeps_paths.then(|| open.path(at).to_vec());
            reached.add(None, cells, &[], chance, &[], path);
            return Ok(());
        };
        *denominator = common;
        for (number, (alternative, chance)) in stretch.alternatives.iter().zip(&totals.chances).enumerate() {
            let writes = stretch.writes(number);
            let answers = stretch.made(number).iter().map(|made| made.answer);
            let path = keeps_paths.then(|| open.path(at).iter().copied().chain(answers).collect());
            match alternative.stop {
                Stop::Seen => reached.add(injective, cells, writes, *chance, &[], path),
                Stop::Open => next.add(injective, cells, writes, *chance, stretch.awake(number), path),
            }
        }
        Ok(())
    }
}

/// The fault of chances that are too fine.
pub(super) fn unwieldy() -> Fault {
    Fault { message: "bound exceeded: the chances of one atomic step do not fit 64 bits".to_owned() }
}

/// The least common multiple, if it fits.
pub(super) fn least_multiple(one: u64, two: u64) -> Option<u64> {
    if one.is_multiple_of(two) {
        return Some(one);
    }
    let (mut a, mut b) = (one, two);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    one.checked_mul(two / a)
}
