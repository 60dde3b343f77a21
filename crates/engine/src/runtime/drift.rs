//! Whether the world behaves as modelled: what happens, compared with the chances that the model gave it.
//!
//! For every kind of occasion there is a bet that the odds are some times what the model says: several such factors, one of
//! them 1, between which the stake moves a little at every trial (the fixed share of Herbster and Warmuth: Tracking the best
//! expert, 1998). If the model is right no bet gains on average, whatever the chances are and however they depend on the
//! past. What the bets have become is the evidence, and by Ville's inequality it ever exceeds `1/a` with probability at most
//! `a` (Ramdas, Grünwald, Vovk, Shafer: Game-theoretic statistics and safe anytime-valid inference, 2023). So one may look
//! after every trial and stop at any time. Because the stake moves, a world that begins to drift late is found too.

use std::collections::BTreeMap;

use motet_model::{Perceived, Trial};

/// The probability of ever raising a false alarm, unless somebody says otherwise.
const LEVEL: f64 = 0.001;
/// By how much the odds may differ from the model's.
const FACTORS: [f64; 7] = [0.25, 0.5, 2.0 / 3.0, 1.0, 1.5, 2.0, 4.0];
/// Kinds of occasions that are told apart; the rest are counted together.
const GROUPS_MAX: usize = 1000;
const REST: &str = "everything else";

/// Something that happens more or less often than modelled, or at all although the model excludes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What could happen, as in [`Trial::of`]; for what the model excludes, the words of [`Perceived::impossible`].
    pub of: String,
    /// How often it could have happened.
    pub trials: u64,
    /// How often it did.
    pub happened: u64,
    /// How often the model expects it to have happened.
    pub expected: f64,
    /// The standard deviation of that.
    pub spread: f64,
    /// How much a bet against the model has multiplied its stake; infinite for what the model excludes.
    pub evidence: f64,
}

impl Finding {
    /// Whether the model gives it no chance.
    #[must_use]
    pub fn is_impossible(&self) -> bool {
        self.evidence.is_infinite()
    }
}

/// Compares what happens with what the model expects.
#[derive(Clone, Debug)]
pub struct Drift {
    level: f64,
    groups: BTreeMap<String, Group>,
    /// What the model excludes, and how often it happened.
    impossible: BTreeMap<String, u64>,
}

/// The trials of one kind.
#[derive(Clone, Debug)]
struct Group {
    trials: u64,
    happened: u64,
    expected: f64,
    variance: f64,
    /// What became of the stake, as a logarithm.
    log_evidence: f64,
    /// How the stake is divided among the factors.
    shares: [f64; FACTORS.len()],
    /// The logarithm from which on it is a finding.
    threshold: f64,
    found: bool,
}

impl Default for Drift {
    fn default() -> Self {
        Self::new(LEVEL)
    }
}

impl Drift {
    /// With this probability of ever raising a false alarm. It is divided among the kinds of occasions in the order in which
    /// they turn up: a half, a sixth, a twelfth and so on, which together are one.
    #[must_use]
    pub fn new(level: f64) -> Self {
        Self { level, groups: BTreeMap::new(), impossible: BTreeMap::new() }
    }

    /// Takes a cycle into account: what was found now, and not before.
    pub fn observe(&mut self, perceived: &Perceived) -> Vec<Finding> {
        let mut found = Vec::new();
        for what in &perceived.impossible {
            found.extend(self.exclude(what));
        }
        for trial in &perceived.trials {
            found.extend(self.count(trial));
        }
        found
    }

    /// Everything that was found so far, with the numbers of now.
    pub fn findings(&self) -> impl Iterator<Item = Finding> {
        let impossible = self.impossible.iter().map(|(what, count)| excluded(what, *count));
        let groups = self.groups.iter().filter(|(_, group)| group.found);
        impossible.chain(groups.map(|(of, group)| group.finding(of)))
    }

    /// All trials so far.
    #[must_use]
    pub fn trials(&self) -> u64 {
        self.groups.values().map(|group| group.trials).sum()
    }

    fn exclude(&mut self, what: &str) -> Option<Finding> {
        let what = if self.impossible.len() < GROUPS_MAX || self.impossible.contains_key(what) {
            what
        } else {
            REST
        };
        let count = self.impossible.entry(what.to_owned()).or_default();
        *count += 1;
        (*count == 1).then(|| excluded(what, 1))
    }

    fn count(&mut self, trial: &Trial) -> Option<Finding> {
        let chance = trial.chance.to_f64();
        // What is certain one way or the other is no bet.
        if chance <= 0.0 || chance >= 1.0 {
            return (trial.happened != (chance >= 1.0)).then(|| self.exclude(&trial.of)).flatten();
        }
        let of = if self.groups.len() < GROUPS_MAX || self.groups.contains_key(&trial.of) {
            &trial.of
        } else {
            REST
        };
        let rank = 1.0 + f64::from(u32::try_from(self.groups.len()).expect("groups are limited"));
        let level = self.level / (rank * (rank + 1.0));
        let group = self.groups.entry(of.to_owned()).or_insert_with(|| Group::new(level));
        group.bet(chance, trial.happened);
        if group.found || group.log_evidence < group.threshold {
            return None;
        }
        group.found = true;
        Some(group.finding(of))
    }
}

fn excluded(what: &str, count: u64) -> Finding {
    Finding {
        of: what.to_owned(),
        trials: count,
        happened: count,
        expected: 0.0,
        spread: 0.0,
        evidence: f64::INFINITY,
    }
}

impl Group {
    #[expect(clippy::cast_precision_loss, reason = "a handful of factors")]
    fn new(level: f64) -> Self {
        Self {
            trials: 0,
            happened: 0,
            expected: 0.0,
            variance: 0.0,
            log_evidence: 0.0,
            shares: [1.0 / FACTORS.len() as f64; FACTORS.len()],
            threshold: -level.ln(),
            found: false,
        }
    }

    /// If the odds are `r` times those of the chance `p`, what happened is `r / (1 - p + r p)` times as likely, and what did
    /// not is `1 / (1 - p + r p)` times as likely. Weighted with `p` and `1 - p` these are 1 together.
    #[expect(clippy::cast_precision_loss, reason = "numbers of trials are far below 2^52")]
    fn bet(&mut self, chance: f64, happened: bool) {
        self.trials += 1;
        self.happened += u64::from(happened);
        self.expected += chance;
        self.variance += chance * (1.0 - chance);
        // Moved before the outcome is known, so that it does not matter to fairness how much.
        let moved = 1.0 / (self.trials as f64 + 1.0);
        let mut gain = 0.0;
        for (share, factor) in self.shares.iter_mut().zip(FACTORS) {
            let stake = (1.0 - moved) * *share + moved / FACTORS.len() as f64;
            let likelihood = if happened { factor } else { 1.0 };
            *share = stake * likelihood / (1.0 - chance + factor * chance);
            gain += *share;
        }
        self.shares.iter_mut().for_each(|share| *share /= gain);
        self.log_evidence += gain.ln();
    }

    fn finding(&self, of: &str) -> Finding {
        Finding {
            of: of.to_owned(),
            trials: self.trials,
            happened: self.happened,
            expected: self.expected,
            spread: self.variance.sqrt(),
            evidence: self.log_evidence.min(700.0).exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum over all outcomes of ten trials with chances of all sizes, weighted with their probability.
    #[test]
    fn if_the_model_is_right_evidence_is_one_on_average() {
        const CHANCES: [f64; 10] = [0.5, 0.01, 0.99, 0.2, 0.2, 0.75, 1e-6, 0.4, 0.9, 0.33];
        let mut mean = 0.0;
        for outcome in 0..1_u32 << CHANCES.len() {
            let (mut group, mut probability) = (Group::new(LEVEL), 1.0);
            for (at, chance) in CHANCES.into_iter().enumerate() {
                let happened = outcome >> at & 1 == 1;
                probability *= if happened { chance } else { 1.0 - chance };
                group.bet(chance, happened);
            }
            mean += probability * group.log_evidence.exp();
        }
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
    }
}
