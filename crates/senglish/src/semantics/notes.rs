//! Mental notes (Izzo 2016, table 4.1): rules go before actions, and what changes a note goes before what keeps it.

use motet_model::State;

use crate::program::{FALSE, Note, Program, TRUE, UNKNOWN};

/// The value of a note after the belief update.
pub(crate) fn next(program: &Program, note: &Note, before: &State) -> u32 {
    let now = before[program.beliefs[note.belief].slot];
    let stands = |places: &[(usize, u32)]| {
        places.iter().any(|(plan, index)| before[program.plans[*plan].slot] == *index)
    };
    let (raised, lowered) = (note.raised.holds(before), note.lowered.holds(before));
    let rises = || raised || (stands(&note.added) && !lowered);
    let falls = || lowered || (stands(&note.deleted) && !raised);
    match now {
        FALSE => u32::from(rises()),
        TRUE => u32::from(!falls()),
        // Our own: when as much speaks for it as against it, an unknown note stays unknown.
        _ => match (rises(), falls()) {
            (true, false) => TRUE,
            (false, true) => FALSE,
            _ => UNKNOWN,
        },
    }
}
