//! Every sequence of choices, one after the other: an odometer whose wheels appear as choices are met.

/// Answers choices by a script, and notes how many alternatives each had.
#[derive(Debug, Default)]
pub(super) struct Chooser {
    script: Vec<(usize, usize)>,
    at: usize,
    /// Set when somebody went on for too long within one instant.
    pub(super) exhausted: bool,
}

impl Chooser {
    /// One of `n` alternatives; a single one is no choice.
    pub(super) fn pick(&mut self, n: usize) -> usize {
        assert!(n > 0, "a choice has alternatives");
        if n == 1 {
            return 0;
        }
        if self.at == self.script.len() {
            self.script.push((0, n));
        }
        let (taken, known) = self.script[self.at];
        assert_eq!(known, n, "the same choices come up again");
        self.at += 1;
        taken
    }

    /// Whether something of this certainty happens.
    pub(super) fn happens(&mut self, certainty: u32) -> bool {
        match certainty {
            0 => false,
            100 => true,
            _ => self.pick(2) == 0,
        }
    }

    /// Whether there was any choice.
    pub(super) fn was_asked(&self) -> bool {
        !self.script.is_empty()
    }

    /// Turns to the next script; false when all were tried.
    pub(super) fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((taken, n)) = self.script.pop() {
            if taken + 1 < n {
                self.script.push((taken + 1, n));
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
    fn all_sequences_of_choices_are_tried_once() {
        let mut chooser = Chooser::default();
        let mut seen = Vec::new();
        loop {
            // A second choice comes up only after the first alternative of the first.
            let first = chooser.pick(2);
            seen.push(if first == 0 { (0, chooser.pick(3)) } else { (1, 0) });
            if !chooser.advance() {
                break;
            }
        }
        assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 0)]);
    }
}
