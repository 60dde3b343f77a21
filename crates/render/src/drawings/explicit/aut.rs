//! The Aldebaran format, which tools for labelled transition systems read.

use std::fmt::Write as _;

use motet_model::Ratio;

use super::Explicit;

/// The model as a labelled transition system: who does what is the label. The format has one start and no labels of states;
/// a state without steps keeps none here, and outcomes of chance carry their probability as `label; prob 0.5`.
#[must_use]
pub fn aut(model: &Explicit) -> String {
    let mut lines = String::new();
    let mut n_lines = 0;
    let mut line = |from: usize, label: &str, to: usize| {
        let label = label.replace('"', "'");
        let _ = writeln!(lines, "({from}, \"{label}\", {to})");
        n_lines += 1;
    };
    // Several starts are behind one that chooses; it comes last, so that all others keep their numbers.
    let n_states = model.n_states();
    let (start, n_all) = match model.initial.as_slice() {
        [only] => (*only as usize, n_states),
        several => {
            several.iter().for_each(|target| line(n_states, "starts", *target as usize));
            (n_states, n_states + 1)
        }
    };
    for state in 0..n_states {
        if model.is_deadlock(state) {
            continue;
        }
        for choice in model.choices(state) {
            for (target, chance) in choice.branches {
                match *chance {
                    Ratio::ONE => line(state, &choice.action.words, *target as usize),
                    chance => {
                        let label = format!("{}; prob {}", choice.action.words, chance.to_f64());
                        line(state, &label, *target as usize);
                    }
                }
            }
        }
    }
    format!("des ({start}, {n_lines}, {n_all})\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::super::tests::coin;
    use super::*;

    #[test]
    fn a_coin_has_two_transitions_and_a_state_where_nothing_happens() {
        expect_test::expect![[r#"
            des (0, 2, 2)
            (0, "throws the coin; prob 0.5", 1)
            (0, "throws the coin; prob 0.5", 0)
        "#]]
        .assert_eq(&aut(&coin()));
    }

    #[test]
    fn several_starts_are_chosen_by_one_more_state() {
        let mut model = coin();
        model.initial = vec![0, 1];
        assert!(aut(&model).starts_with("des (2, 4, 3)\n(2, \"starts\", 0)\n(2, \"starts\", 1)\n"));
    }
}
