//! What a module sees of a state: its own variables and the global ones (`spec/claims/knowledge.md`).

use motet_model::{Checked, Model as _, ObserverId, SlotId, State, Steps};

use crate::lab::system;

const CARDS: &str = "mdp
global open : [0..3] init 0;
module ann
  a : [0..3] init 0;
  [] a=0 -> 1/3:(a'=1) + 1/3:(a'=2) + 1/3:(a'=3);
  [] a>0 & open=0 -> (open'=a);
endmodule
module ben
  b : [0..3] init 0;
  [] b=0 -> 1/2:(b'=1) + 1/2:(b'=3);
endmodule";

#[test]
fn a_module_sees_its_own_variables_and_the_global_ones() {
    let cards = system(CARDS);
    let model = Checked::new(std::sync::Arc::clone(&cards.model));
    assert_eq!(model.signature().observers, ["ann", "ben"]);
    let mut states: Vec<Box<State>> = Vec::new();
    model.initial(&mut states);
    let mut at = 0;
    while at < states.len() {
        let mut out = Steps::new(states[at].len());
        model.steps(&states[at].clone(), &mut out).expect("no fault");
        for branch in out.iter().flat_map(motet_model::Step::branches) {
            if !states.iter().any(|known| **known == *branch.target) {
                states.push(branch.target.into());
            }
        }
        at += 1;
    }
    // a is 0, or 1 to 3 and then open is 0 or a: 7 ways, times three values of b.
    assert_eq!(states.len(), 21);
    let value = |state: &State, name: &str| {
        let slot = model.signature().slots.iter().position(|slot| slot == name).expect("a variable");
        cards.words.value(SlotId(u32::try_from(slot).expect("few slots")), state[slot])
    };
    let view = |observer, state: &State| {
        let mut seen = Vec::new();
        model.facets().observe(ObserverId(observer), state, &mut seen);
        seen
    };
    for one in &states {
        for two in &states {
            let same = |name: &str| value(one, name) == value(two, name);
            assert_eq!(view(0, one) == view(0, two), same("open") && same("a"));
            assert_eq!(view(1, one) == view(1, two), same("open") && same("b"));
        }
    }
}
