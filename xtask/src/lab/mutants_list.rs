//! The mutants: one line of an analysis on which soundness hangs, and the same line gone wrong. A test of the crate itself has to
//! notice; what only the random comparisons of all crates together notice is noticed late.

/// A change that must not pass the tests.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// What Motet would believe, in words.
    pub name: &'static str,
    /// The file it is in.
    pub file: &'static str,
    /// What stands there, once.
    pub before: &'static str,
    /// What stands there instead.
    pub after: &'static str,
    /// The package whose tests notice, and the words behind `cargo test -p PACKAGE`.
    pub tests: (&'static str, &'static [&'static str]),
}

const PRISM: (&str, &[&str]) = ("motet-prism", &["--test", "rules", "reductions"]);
const SLICES: (&str, &[&str]) = ("motet-senglish", &["--test", "slices"]);
const SHARES: (&str, &[&str]) = ("motet-senglish", &["--test", "shares"]);
const POLARITY: (&str, &[&str]) = ("motet-evidence", &["--test", "polarity"]);
const REPLAY: (&str, &[&str]) = ("motet-evidence", &["--test", "evidence"]);
const FEWER: (&str, &[&str]) = ("motet-engine", &["--test", "fewer_states"]);
const CONE: (&str, &[&str]) = ("motet-agentspeak", &["--test", "slices"]);

const STUBBORN: (&str, &[&str]) = ("motet-nets", &["--test", "plain_reductions"]);

macro_rules! mutants {
    ($($name:literal, $tests:expr, $file:literal: $before:literal => $after:literal;)*) => {
        &[$(Mutant { name: $name, file: $file, before: $before, after: $after, tests: $tests },)*]
    };
}

/// All of them.
pub const MUTANTS: &[Mutant] = mutants! {
    "prism, slice: of what a kept command reads only the first variable is needed", PRISM,
    "crates/prism/src/slice.rs": "needed.extend(command.reads())" => "needed.extend(command.reads().into_iter().take(1))";

    "prism, slice: a command is kept only if all it changes is needed", PRISM,
    "crates/prism/src/slice.rs": "assignments.any(|assignment|" => "assignments.all(|assignment|";

    "prism, slice: what decides about chances is not read", PRISM,
    "crates/prism/src/program.rs": "update.chance.reads(&mut slots);" => "";

    "prism, slice: the partners of a kept command read nothing", PRISM,
    "crates/prism/src/slice.rs":
    "commands(program, pattern).for_each(|command|"
    => "commands(program, pattern).filter({ let before = needed.clone(); move |c| changes(c, &before) }).for_each(|command|";

    "prism, partial order: a private command may read what others write", PRISM,
    "crates/prism/src/semantics/independence.rs":
    "alone && !noticed && command.reads().is_disjoint(&written)" => "alone && !noticed";

    "prism, partial order: a private command may write what others read", PRISM,
    "crates/prism/src/semantics/independence.rs":
    "alone && !noticed && command.reads()" => "alone && command.reads()";

    "prism, partial order: a private command may go together with others", PRISM,
    "crates/prism/src/semantics/independence.rs":
    "let is_private = alone && !noticed" => "let is_private = !noticed";

    "prism, partial order: an ample part may change what a claim sees", PRISM,
    "crates/prism/src/semantics/independence.rs":
    "own.writes.is_disjoint(&seen) && moves(module)" => "moves(module)";

    "prism, partial order: others never enable a command of the module", PRISM,
    "crates/prism/src/semantics/independence.rs":
    "Ok(false) => command.decided.iter().any(is_false)," => "Ok(false) => { let _ = is_false; true }";

    "prism, symmetry: modules whose variables have other values change places", PRISM,
    "crates/prism/src/symmetry.rs": "if domain(a) != domain(b) {" => "if domain(a) != domain(b) && false {";

    "prism, symmetry: modules with other commands change places", PRISM,
    "crates/prism/src/symmetry.rs": "&& commands(nothing) == commands(exchange)" => "|| commands(nothing) == commands(exchange)";

    "prism, symmetry: modules that start elsewhere change places", PRISM,
    "crates/prism/src/symmetry.rs": "collect::<BTreeSet<_>>() == starts\n" => "collect::<BTreeSet<_>>().len() == starts.len()\n";

    "senglish, slice: what lowers a note is not needed", SLICES,
    "crates/senglish/src/slice.rs":
    "note.raised.slots().into_iter().chain(note.lowered.slots())" => "note.raised.slots()";

    "senglish, slice: what raises a note is not needed", SLICES,
    "crates/senglish/src/slice.rs":
    "note.raised.slots().into_iter().chain(note.lowered.slots())" => "note.lowered.slots()";

    "senglish, slice: what gates a percept is not needed", SLICES,
    "crates/senglish/src/slice.rs": "needed.extend(percept.gate.slots());" => "";

    "senglish, slice: what calls for a plan is not needed", SLICES,
    "crates/senglish/src/slice.rs": "needed.extend(plan.condition.slots());" => "";

    "senglish, slice: what a plan waits for is not needed", SLICES,
    "crates/senglish/src/slice.rs":
    "plan.actions.iter().for_each(|action| needed.extend(action.done.slots()));" => "";

    "senglish, slice: who calls an action is not needed", SLICES,
    "crates/senglish/src/slice.rs": "needed.extend(plan_slots(&action.callers));" => "";

    "senglish, coverage: a plan that only starts in a cycle has no share", SHARES,
    "crates/senglish/src/parts.rs": "before[plan.slot] > 0 || after[plan.slot] > 0" => "before[plan.slot] > 0";

    "evidence, replay: the left side of `->` keeps its polarity, of runs", POLARITY,
    "crates/evidence/src/word.rs":
    "map(&self.path(a, stance.map(Stance::flip))?, not);\n                zip((left, unary(b)?), or)"
    => "map(&self.path(a, stance)?, not);\n                zip((left, unary(b)?), or)";

    "evidence, replay: the left side of `->` keeps its polarity, of states", POLARITY,
    "crates/evidence/src/word.rs":
    "map(&self.formula(a, stance.map(Stance::flip))?, not);\n                zip("
    => "map(&self.formula(a, stance)?, not);\n                zip(";

    "evidence, replay: a negation keeps its polarity, of runs", POLARITY,
    "crates/evidence/src/word.rs":
    "Path::Not(a) => map(&self.path(a, stance.map(Stance::flip))?, not)," => "Path::Not(a) => map(&self.path(a, stance)?, not),";

    "evidence, replay: a negation keeps its polarity, of states", POLARITY,
    "crates/evidence/src/word.rs":
    "Formula::Not(a) => map(&self.formula(a, stance.map(Stance::flip))?, not),"
    => "Formula::Not(a) => map(&self.formula(a, stance)?, not),";

    "evidence, replay: a loop ends in any state", REPLAY,
    "crates/evidence/src/replay.rs":
    "start >= last || run.states[start] != run.states[last]" => "start >= last";

    "evidence, replay: a loop need not be strongly fair", REPLAY,
    "crates/evidence/src/replay.rs": "Fairness::Strong => true," => "Fairness::Strong => false,";

    "engine, partial order: one step that leads on is enough for every claim", FEWER,
    "crates/engine/src/check/reduce.rs":
    "{ Proviso::One } else { Proviso::Each }" => "{ Proviso::One } else { Proviso::One }";

    "engine, partial order: steps may be put off for ever", FEWER,
    "crates/engine/src/explore/ledger.rs":
    "Some(Proviso::Each) => leads_on = leads_on && is_later()," => "Some(Proviso::Each) => leads_on = leads_on || is_later(),";

    "engine, chains: a chain may change what a claim sees", FEWER,
    "crates/engine/src/chain.rs":
    "self.links.visible.iter().all(same).then(|| (taken, target.to_vec()))"
    => "{ let _ = same; Some((taken, target.to_vec())) }";

    "engine, stutter: a claim about the next state cannot count states", FEWER,
    "crates/engine/src/stutter.rs": "Path::Next(_) => Some(\"it speaks of the next state (`X`)\")," => "Path::Next(a) => self.path(a, place),";

    "engine, stutter: a claim that counts steps may be checked on fewer of them", FEWER,
    "crates/engine/src/stutter.rs": "(!when.is_unbounded()).then_some(" => "(false && !when.is_unbounded()).then_some(";

    "agentspeak, slice: what a rule for an action looks at is not needed", CONE,
    "crates/agentspeak/src/slice/cone.rs":
    "rule.when.iter().for_each(|when| add_reads(environment, known, when, &mut self.cells));" => "";

    "agentspeak, slice: percepts are no events in AgentSpeak(F)", CONE,
    "crates/agentspeak/src/slice/cone.rs": "self.program.mode == Mode::Strict\n" => "false\n";

    "agentspeak, slice: who acts is of no interest to the queue of actions", CONE,
    "crates/agentspeak/src/slice/cone.rs": "*agent |= !conduct.acts.is_empty();" => "let _ = (agent, conduct);";

    "nets, stubborn sets: what inhibits a transition does not disable it", STUBBORN,
    "crates/nets/src/plain/stubborn.rs": "disablers.extend(&givers[test.place as usize]);" => "";

    "nets, stubborn sets: nobody takes away what a transition needs", STUBBORN,
    "crates/nets/src/plain/stubborn.rs": "disablers.extend(&takers[test.place as usize]);" => "";

    "nets, stubborn sets: a transition that is not enabled needs nobody", STUBBORN,
    "crates/nets/src/plain/stubborn.rs":
    "Some(test) if marking[test.place as usize] < test.least => &self.givers[test.place as usize],"
    => "Some(test) if marking[test.place as usize] < test.least => &[],";

    "nets, stubborn sets: a part may change what a claim sees", STUBBORN,
    "crates/nets/src/plain/stubborn.rs":
    "if few && !component.iter().any(|&number| is_seen(number)) {" => "if few && !component.iter().any(|&number| is_seen(number) && false) {";
};
