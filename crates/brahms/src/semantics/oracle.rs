//! Choices. A piece of the semantics is a plain function that asks an oracle wherever it has a choice; running it again with
//! other answers gives the other outcomes.

use motet_model::{Fault, Ratio};

/// The most alternatives of one choice, and the most outcomes of one atomic step.
pub(crate) const MOST_OUTCOMES: usize = 1 << 16;

/// Answers choices: those of a prefix first, then always the first alternative.
#[derive(Debug, Default)]
pub(crate) struct Oracle {
    answers: Vec<u32>,
    made: Vec<Made>,
    /// Answers that somebody else gives, and how many of them were used.
    script: Option<(Vec<u32>, usize)>,
    /// Whether the script ran out or asked for what is not there.
    astray: bool,
    /// Whether nothing is answered.
    silent: bool,
    /// Whether a question came that was not answered.
    asked: bool,
}

/// A choice that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    /// Which alternative.
    pub(crate) answer: u32,
    /// Of how many.
    count: u32,
    /// What decided.
    pub(crate) weight: Weight,
}

/// What decides a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Nobody knows: any alternative may be taken.
    Free,
    /// Chance, and all alternatives are equally likely.
    Equal,
    /// Chance: so many hundredths for the first of two alternatives.
    Percent(u32),
}

impl Made {
    /// How likely the answer is, if it is chance that gives it.
    pub(crate) fn chance(self) -> Option<Ratio> {
        match self.weight {
            Weight::Free => Some(Ratio::ONE),
            Weight::Equal => Ratio::new(1, u64::from(self.count)),
            Weight::Percent(percent) => {
                let hundredths = if self.answer == 0 { percent } else { 100 - percent };
                Ratio::new(u64::from(hundredths), 100)
            }
        }
    }
}

impl Oracle {
    /// Before the first run of an atomic step.
    pub(crate) fn begin(&mut self) {
        self.answers.clear();
        self.made.clear();
        self.silent = false;
    }

    /// Before a run that ends with a fault at its first choice: so it does not depend on what would be done there.
    pub(crate) fn fall_silent(&mut self) {
        self.begin();
        self.silent = true;
        self.asked = false;
    }

    /// Whether a run ended because no choice is answered.
    pub(crate) fn is_asked(&self) -> bool {
        self.silent && self.asked
    }

    /// From now on the answers are these.
    pub(crate) fn follow(&mut self, script: Vec<u32>) {
        self.script = Some((script, 0));
        self.astray = false;
    }

    /// Whether the script does not fit.
    pub(crate) fn is_astray(&self) -> bool {
        self.astray
    }

    /// One of `count` alternatives.
    pub(crate) fn choose(&mut self, count: usize, weight: Weight) -> Result<usize, Fault> {
        if count > MOST_OUTCOMES {
            let message =
                format!("bound exceeded: a choice has {count} alternatives, more than {MOST_OUTCOMES}");
            return Err(Fault { message });
        }
        let count = u32::try_from(count).expect("it was just compared");
        Ok(if count <= 1 { 0 } else { self.answer(count, weight)? as usize })
    }

    /// Whether something of this certainty happens: the first alternative is that it does.
    pub(crate) fn draw(&mut self, percent: u32) -> Result<bool, Fault> {
        Ok(match percent {
            0 => false,
            1..100 => self.answer(2, Weight::Percent(percent))? == 0,
            _ => true,
        })
    }

    fn answer(&mut self, count: u32, weight: Weight) -> Result<u32, Fault> {
        if self.silent {
            self.asked = true;
            return Err(Fault { message: String::new() });
        }
        let mut answer = self.answers.get(self.made.len()).copied().unwrap_or(0);
        if let Some((script, used)) = &mut self.script {
            answer = script.get(*used).copied().unwrap_or(u32::MAX);
            *used += 1;
            if answer >= count {
                self.astray = true;
                answer = 0;
            }
        }
        self.made.push(Made { answer, count, weight });
        Ok(answer)
    }

    /// The choices since the beginning.
    pub(crate) fn made(&self) -> &[Made] {
        &self.made
    }

    /// How likely the answers that chance gave since the beginning are; `None` if that does not fit.
    pub(crate) fn chance(&self) -> Option<Ratio> {
        self.made.iter().try_fold(Ratio::ONE, |chance, made| chance.checked_mul(made.chance()?))
    }

    /// Prepares the next run; false when all were made.
    pub(crate) fn next(&mut self) -> bool {
        while let Some(made) = self.made.pop() {
            if made.answer + 1 < made.count {
                self.answers.truncate(self.made.len());
                self.answers.extend(self.made[self.answers.len()..].iter().map(|made| made.answer));
                self.answers.push(made.answer + 1);
                self.made.clear();
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_paths_of_nested_choices_are_tried_once_and_their_chances_sum_to_one() {
        let mut oracle = Oracle::default();
        let mut seen = Vec::new();
        let mut total = Ratio::new(0, 1).unwrap();
        oracle.begin();
        loop {
            let first = oracle.choose(3, Weight::Equal).unwrap();
            let second = first == 1 && oracle.draw(30).unwrap();
            let third = oracle.choose(2, Weight::Equal).unwrap();
            seen.push((first, second, third));
            total = total.checked_add(oracle.chance().unwrap()).unwrap();
            if !oracle.next() {
                break;
            }
        }
        assert_eq!(seen.len(), 2 + 4 + 2);
        let mut once = seen.clone();
        once.dedup();
        assert_eq!(once, seen);
        assert_eq!(total, Ratio::ONE);
    }
}
