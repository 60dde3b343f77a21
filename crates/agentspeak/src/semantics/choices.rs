//! Choices inside a step. A step is a deterministic function of its situation and of a script of choices; running it
//! under every script gives all outcomes.

use motet_model::Ratio;

/// A script of choices that grows as a run meets them.
#[derive(Debug, Default)]
pub(crate) struct Choices {
    script: Vec<(u32, u32)>,
    at: usize,
}

/// More outcomes of one step than this are a fault.
pub(crate) const MAX_OUTCOMES: usize = 4096;

impl Choices {
    /// One of `0..options`; `options` is at least 1.
    pub(crate) fn choose(&mut self, options: usize) -> usize {
        let options = u32::try_from(options).expect("a choice has few options");
        if options <= 1 {
            return 0;
        }
        if self.at == self.script.len() {
            self.script.push((0, options));
        }
        self.at += 1;
        self.script[self.at - 1].0 as usize
    }

    /// How likely the choices so far are if all options are equally likely; `None` if that does not fit.
    pub(crate) fn chance(&self) -> Option<Ratio> {
        let chances = self.script[..self.at].iter().map(|&(_, options)| Ratio::new(1, u64::from(options)));
        chances.into_iter().try_fold(Ratio::ONE, |all, one| all.checked_mul(one?))
    }

    /// Goes on to the next script; false after the last one.
    pub(crate) fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, options)) = self.script.pop() {
            if chosen + 1 < options {
                self.script.push((chosen + 1, options));
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
    fn every_combination_comes_once_and_later_choices_may_depend_on_earlier_ones() {
        let mut choices = Choices::default();
        let mut seen = Vec::new();
        loop {
            let first = choices.choose(2);
            let second = if first == 1 { choices.choose(3) } else { 9 };
            seen.push((first, second));
            if !choices.advance() {
                break;
            }
        }
        assert_eq!(seen, [(0, 9), (1, 0), (1, 1), (1, 2)]);
    }
}
