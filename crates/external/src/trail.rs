//! The run that Spin found, as the exported model tells it in simulation.

/// One step of a run: which process moved, and which of its steps it took, counted in the order of the native model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The process.
    pub process: u32,
    /// Which of its steps.
    pub ordinal: u32,
}

/// A run of moves, or of the states after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    /// The moves, in order.
    pub moves: Vec<Move>,
    /// For models that tell states instead: what they say of each, in order.
    pub states: Vec<String>,
    /// After the last move the run goes on as after this many moves, for ever.
    pub loop_start: Option<usize>,
}

/// Reads a run that was repeated (`pan -r -S` or `spin -t`): lines `@motet P K` or `@motet state ...`, and the mark where
/// the cycle starts. Everything else, such as the moves of the claim, is passed over.
#[must_use]
pub fn read_trail(text: &str) -> Trail {
    let mut trail = Trail::default();
    for line in text.lines() {
        if line.contains("<<<<<START OF CYCLE>>>>>") {
            trail.loop_start = Some(trail.moves.len() + trail.states.len());
        } else if let Some((_, words)) = line.split_once("@motet state") {
            trail.states.push(words.split_whitespace().collect::<Vec<_>>().join(" "));
        } else if let Some((_, words)) = line.split_once("@motet ") {
            let mut numbers = words.split_whitespace().map(str::parse::<u32>);
            if let (Some(Ok(process)), Some(Ok(ordinal))) = (numbers.next(), numbers.next()) {
                trail.moves.push(Move { process, ordinal });
            }
        }
    }
    trail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_order_and_the_cycle_starts_where_spin_says() {
        let text = "Never claim moves to line 4\n      @motet 0 0\n  <<<<<START OF CYCLE>>>>>\n @motet 12 3\nspin: x";
        let trail = read_trail(text);
        assert_eq!(trail.moves, [Move { process: 0, ordinal: 0 }, Move { process: 12, ordinal: 3 }]);
        assert_eq!(trail.loop_start, Some(1));
    }

    #[test]
    fn states_are_read_where_a_model_tells_them() {
        let text = "@motet state 1  2\n <<<<<START OF CYCLE>>>>>\n@motet state 3 4 \n";
        let trail = read_trail(text);
        assert_eq!(trail.states, ["1 2", "3 4"]);
        assert_eq!((trail.moves.len(), trail.loop_start), (0, Some(1)));
    }
}
