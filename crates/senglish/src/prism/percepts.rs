//! Modules of notes (figure 4.6) and percepts (figure 4.7, gating activation only as appendix B.2 does).

use motet_model::Ratio;

use super::{declare, formula, line, stands};
use crate::formula::Formula;
use crate::number::{complement, printed};
use crate::program::{BeliefKind, Distribution, Logic, Note, Percept, Program, Watch};
use crate::semantics::start_of_counter;

/// A mental note: table 4.1.
pub(crate) fn note(program: &Program, note: &Note, out: &mut String) {
    let belief = &program.beliefs[note.belief];
    let name = &program.slots[belief.slot].name;
    line(out, format_args!("module {name}"));
    declare(program, belief.slot, &belief.text, out);
    let rises = Formula::any([
        Formula::all([stands(program, &note.added), note.lowered.negated()]),
        note.raised.clone(),
    ]);
    let falls = Formula::any([
        Formula::all([stands(program, &note.deleted), note.raised.negated()]),
        note.lowered.clone(),
    ]);
    for (now, changes) in [(0, &rises), (1, &falls)] {
        if *changes == Formula::False {
            line(out, format_args!("  [b] {name}={now} -> ({name}'={now});"));
        } else {
            let changes = formula(program, changes);
            line(out, format_args!("  [b] {name}={now} & !({changes}) -> ({name}'={now});"));
            line(out, format_args!("  [b] {name}={now} & ({changes}) -> ({name}'={});", 1 - now));
        }
    }
    if program.logic == Logic::ThreeValued {
        let up = formula(program, &Formula::all([rises.clone(), falls.negated()]));
        let down = formula(program, &Formula::all([falls, rises.negated()]));
        line(out, format_args!("  [b] {name}=2 & ({up}) -> ({name}'=1);"));
        line(out, format_args!("  [b] {name}=2 & ({down}) -> ({name}'=0);"));
        line(out, format_args!("  [b] {name}=2 & !({up}) & !({down}) -> ({name}'=2);"));
    }
    out.push_str("endmodule\n\n");
}

/// What a belief was before the cycle, for plans that a change triggers.
pub(crate) fn watch(program: &Program, watch: Watch, out: &mut String) {
    let belief = &program.beliefs[watch.belief];
    let (name, before) = (&program.slots[watch.slot].name, &program.slots[belief.slot].name);
    line(out, format_args!("module {name}"));
    declare(program, watch.slot, &format!("{}, before the cycle", belief.text), out);
    if belief.kind == BeliefKind::Feedback {
        line(out, format_args!("  [b] {before}=1 -> ({name}'=1);"));
        line(out, format_args!("  [b] {before}!=1 -> ({name}'=0);"));
    } else {
        line(out, format_args!("  [b] true -> ({name}'={before});"));
    }
    out.push_str("endmodule\n\n");
}

/// A sensory percept and its counter.
pub(crate) fn percept(program: &Program, percept: &Percept, out: &mut String) {
    let belief = &program.beliefs[percept.belief];
    let name = program.slots[belief.slot].name.as_str();
    line(out, format_args!("module {name}"));
    declare(program, belief.slot, &belief.text, out);
    let counter = percept.counter.map(|counter| program.slots[counter].name.as_str());
    if let Some(counter) = percept.counter {
        declare(program, counter, "counts towards the next trial", out);
    }
    out.push('\n');
    let absent = match program.logic {
        Logic::TwoValued => format!("{name}=0"),
        Logic::ThreeValued => format!("{name}!=1"),
    };
    let mut off = absent.clone();
    if percept.gate != Formula::True {
        let gate = formula(program, &percept.gate);
        let restart = counter.map(|counter| format!("({counter}'={})", start_of_counter(percept.activation)));
        let stay = restart.unwrap_or_else(|| "true".to_owned());
        line(out, format_args!("  [b] {absent} & !({gate}) -> {stay};"));
        off = format!("{absent} & ({gate})");
    }
    let module = Module { name, counter };
    module.trials(&off, percept.activation, 1, out);
    module.trials(&format!("{name}=1"), percept.deactivation, 0, out);
    out.push_str("endmodule\n\n");
}

struct Module<'a> {
    name: &'a str,
    counter: Option<&'a str>,
}

impl Module<'_> {
    fn set(&self, value: u32, count: &str) -> String {
        match self.counter {
            Some(counter) => format!("({}'={value}) & ({counter}'={count})", self.name),
            None => format!("({}'={value})", self.name),
        }
    }

    /// Counting and trials of one direction; success makes the value `flipped`.
    fn trials(&self, guard: &str, numbers: Distribution, flipped: u32, out: &mut String) {
        let chance = printed(numbers.chance);
        let (mean, spread) = (numbers.mean, numbers.spread);
        line(out, format_args!("  // [{chance},{mean},{spread}]"));
        let Some(counter) = self.counter.filter(|_| numbers.is_counted()) else {
            self.certain(guard, numbers, flipped, out);
            return;
        };
        if numbers.first() > 0 {
            line(
                out,
                format_args!("  [b] {guard} & {counter}<{} -> ({counter}'={counter}+1);", numbers.first()),
            );
        }
        if spread == 0 {
            self.certain(&format!("{guard} & {counter}>={mean}"), numbers, flipped, out);
            return;
        }
        let (first, last) = (numbers.first(), numbers.last());
        let next = format!("{counter}+1");
        let ranges = [
            (format!("{counter}>={first} & {counter}<={mean}"), format!("({mean}-{counter})"), next.as_str()),
            (format!("{counter}>{mean} & {counter}<{last}"), format!("({counter}-{mean})"), next.as_str()),
            (format!("{counter}>={last}"), format!("{spread}"), "0"),
        ];
        for (range, away, missed) in ranges {
            let missed = self.set(1 - flipped, missed);
            if numbers.chance == Ratio::ZERO {
                line(out, format_args!("  [b] {guard} & {range} -> {missed};"));
                continue;
            }
            let trial = format!("{chance}*(1-{away}/{})", spread + 1);
            let held = self.set(flipped, "0");
            line(out, format_args!("  [b] {guard} & {range} -> {trial} : {held} + 1-{trial} : {missed};"));
        }
    }

    /// A trial whose chance does not depend on the count.
    fn certain(&self, guard: &str, numbers: Distribution, flipped: u32, out: &mut String) {
        let (held, missed) = (self.set(flipped, "0"), self.set(1 - flipped, "0"));
        let missing = complement(numbers.chance).unwrap_or(Ratio::ZERO);
        let update = match (numbers.chance, missing) {
            (_, Ratio::ZERO) => held,
            (Ratio::ZERO, _) => missed,
            (chance, missing) => format!("{} : {held} + {} : {missed}", printed(chance), printed(missing)),
        };
        line(out, format_args!("  [b] {guard} -> {update};"));
    }
}
