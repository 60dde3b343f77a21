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
const DEFINED: (&str, &[&str]) = ("motet-naive", &["--lib"]);
const FEWER: (&str, &[&str]) = ("motet-engine", &["--test", "fewer_states"]);
const FAIR: (&str, &[&str]) = ("motet-engine", &["--test", "chance_fair"]);
const THRESHOLD: (&str, &[&str]) = ("motet-engine", &["--lib", "chance::threshold"]);
const CONE: (&str, &[&str]) = ("motet-agentspeak", &["--test", "slices"]);
const WORK: (&str, &[&str]) = ("motet-brahms", &["--test", "slices"]);
const ORDERS: (&str, &[&str]) = ("motet-agentspeak", &["--test", "orders"]);
const NEEDS: (&str, &[&str]) = ("motet-nets", &["--test", "slices"]);
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

    "property, until: `a W b` is `b R a`", DEFINED,
    "crates/property/src/formula/until.rs":
    "Basic::Release(b.clone(), join(Connective::Or, a, b))" => "Basic::Release(b, a)";

    "evidence, replay: a loop ends in any state", REPLAY,
    "crates/evidence/src/replay.rs":
    "start >= last || run.states[start] != run.states[last]" => "start >= last";

    "evidence, replay: a loop need not be strongly fair", REPLAY,
    "crates/evidence/src/replay.rs": "Fairness::Strong => true," => "Fairness::Strong => false,";

    "engine, partial order: one step that leads on is enough for every claim", FEWER,
    "crates/engine/src/checking/check/reduce.rs":
    "{ Proviso::One } else { Proviso::Each }" => "{ Proviso::One } else { Proviso::One }";

    "engine, partial order: steps may be put off for ever", FEWER,
    "crates/engine/src/exploration/explore/ledger.rs":
    "Some(Proviso::Each) => leads_on = leads_on && is_later()," => "Some(Proviso::Each) => leads_on = leads_on || is_later(),";

    "engine, chains: a chain may change what a claim sees", FEWER,
    "crates/engine/src/reductions/chain.rs":
    "self.links.visible.iter().all(same).then(|| (taken, target.to_vec()))"
    => "{ let _ = same; Some((taken, target.to_vec())) }";

    "engine, stutter: a claim about the next state cannot count states", FEWER,
    "crates/engine/src/reductions/stutter.rs": "Path::Next(_) => Some(\"it speaks of the next state (`X`)\")," => "Path::Next(a) => self.path(a, place),";

    "engine, stutter: a claim that counts steps may be checked on fewer of them", FEWER,
    "crates/engine/src/reductions/stutter.rs": "(!when.is_unbounded()).then_some(" => "(false && !when.is_unbounded()).then_some(";

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

    "brahms, slice: what decides about the course of a frame is not needed", WORK,
    "crates/brahms/src/slice/cone.rs": "grown |= self.needed.add_all(&doings.course);" => "";

    "brahms, slice: what decides about an effect is not needed", WORK,
    "crates/brahms/src/slice/cone.rs": "grown |= self.needed.add_all(&effect.reads);" => "";

    "brahms, slice: work that is as urgent delays nothing", WORK,
    "crates/brahms/src/slice/cone.rs":
    "program.frames[other.index()].priority + CURRENT >= frame.priority"
    => "program.frames[other.index()].priority > frame.priority + CURRENT";

    "brahms, slice: the frame around an activity is not needed", WORK,
    "crates/brahms/src/slice/cone.rs":
    "company.extend(frames(inquiry).filter(performs));" => "company.extend(frames(inquiry).filter(performs).take(0));";

    "brahms, slice: the work inside an activity is not needed", WORK,
    "crates/brahms/src/slice/cone.rs":
    "company.extend(frame.body.iter().filter_map(calls).flat_map(inside));" => "let _ = inside;";

    "brahms, slice: a guard reads nothing", WORK,
    "crates/brahms/src/slice/effects.rs":
    "doings.course.extend(keys.into_iter().map(|key| Thing::Value(store, key)));" => "let _ = (keys, store);";

    "brahms, slice: how long work takes depends on nothing", WORK,
    "crates/brahms/src/slice/effects.rs": "doings.course.extend(self.reads(frame, [length]));" => "let _ = length;";

    "brahms, slice: what a detectable sees does not end work", WORK,
    "crates/brahms/src/slice/effects.rs":
    "if detectable.action != DetectAction::Continue {" => "if detectable.action == DetectAction::Continue {";

    "brahms, slice: a detectable changes no beliefs", WORK,
    "crates/brahms/src/slice/effects.rs": "doings.effects.push(import);" => "let _ = import;";

    "brahms, slice: work that was ended waits for nothing", WORK,
    "crates/brahms/src/slice/effects.rs": "doings.course.push(Thing::AnyFact);" => "";

    "brahms, slice: who tells need not believe it", WORK,
    "crates/brahms/src/slice/activities.rs":
    "let mut reads = vec![Thing::Value(beliefs_of(from), key)];" => "let mut reads = Vec::new();";

    "brahms, slice: a message tells nobody", WORK,
    "crates/brahms/src/slice/activities.rs":
    "let mut writes = vec![Thing::Value(beliefs_of(to), key)];" => "let mut writes = Vec::new();";

    "brahms, slice: where people are does not decide who hears a broadcast", WORK,
    "crates/brahms/src/slice/activities.rs": "reads.extend(place(frame.actor));" => "reads.clear();";

    "brahms, slice: what somebody carries stays where it was", WORK,
    "crates/brahms/src/slice/activities.rs": "effects.push(Effect { writes, reads });\n    }\n\n    /// The pairs" => "let _ = (writes, reads);\n    }\n\n    /// The pairs";

    "brahms, slice: whoever is created and deleted concerns nobody", WORK,
    "crates/brahms/src/slice/effects.rs":
    "Doings { course: vec![Thing::Existence], effects: Vec::new() }" => "Doings { course: Vec::new(), effects: Vec::new() }";

    "agentspeak, partial order: whoever writes to an agent may come after it takes its mail", ORDERS,
    "crates/agentspeak/src/semantics/team/independence.rs":
    "Phase::Mail => ties.writers[agent] | waits," => "Phase::Mail => waits,";

    "agentspeak, partial order: the environment may change percepts after they are looked at", ORDERS,
    "crates/agentspeak/src/semantics/team/independence.rs":
    "Phase::Revise if ties.observers >> agent & 1 == 1 => ENVIRONMENT," => "";

    "agentspeak, partial order: actions may be asked for in any order", ORDERS,
    "crates/agentspeak/src/semantics/team/independence.rs":
    "group |= ENVIRONMENT | ties.actors;" => "";

    "agentspeak, partial order: messages to one agent may come in any order", ORDERS,
    "crates/agentspeak/src/semantics/team/independence.rs":
    "group |= 1 << receiver | ties.writers[receiver];" => "";

    "agentspeak, partial order: an answer of the environment may wait", ORDERS,
    "crates/agentspeak/src/semantics/team/independence.rs":
    "let waits = if waits(mind) { ENVIRONMENT } else { 0 };" => "let waits = if false && waits(mind) { ENVIRONMENT } else { 0 };";

    "agentspeak, partial order: the end of a wait has to do with the environment, not with who waits", ORDERS,
    "crates/agentspeak/src/semantics/team/independence.rs":
    "agent.or_else(|| self.sleeper(process)).map_or(ENVIRONMENT" => "{ let _ = self.sleeper(process); agent }.map_or(ENVIRONMENT";

    "agentspeak, partial order: a part may change what a claim sees", ORDERS,
    "crates/agentspeak/src/semantics/team/independence.rs":
    "if size > 0 && size < fewest && hidden() {" => "if size > 0 && size < fewest && (hidden() || true) {";

    "agentspeak, partial order: what reactions change nobody perceives", ORDERS,
    "crates/agentspeak/src/semantics/team/independence.rs":
    "actions.chain(steps).chain(reactions).flatten().collect();" => "{ let _ = reactions; actions.chain(steps).flatten().collect() };";

    "nets, slice: what is given to a needed place is not needed", NEEDS,
    "crates/nets/src/slice.rs":
    "taken.chain(given).chain(updated)" => "{ let _ = given; taken.chain(updated) }";

    "nets, slice: what is taken from a needed place is not needed", NEEDS,
    "crates/nets/src/slice.rs":
    "taken.chain(given).chain(updated)" => "{ let _ = taken; given.chain(updated) }";

    "nets, slice: cells are changed by nobody", NEEDS,
    "crates/nets/src/slice.rs":
    "taken.chain(given).chain(updated)" => "{ let _ = updated; taken.chain(given) }";

    "nets, slice: places that are read or must be empty are not needed", NEEDS,
    "crates/nets/src/slice.rs":
    "alternative.inputs.iter().chain(&alternative.reads).chain(&alternative.inhibitors)" => "alternative.inputs.iter()";

    "nets, slice: who meets a kept transition is not needed", NEEDS,
    "crates/nets/src/slice.rs": "if (changes || meets || may_fault(transition))" => "if (changes || (meets && false) || may_fault(transition))";

    "nets, slice: a fault of the model may be left out", NEEDS,
    "crates/nets/src/slice.rs": "if (changes || meets || may_fault(transition))" => "if (changes || meets || (may_fault(transition) && false))";

    "nets, slice: a place that may be full decides nothing", NEEDS,
    "crates/nets/src/slice.rs": "if place.capacity.is_some() {" => "if place.capacity.is_some() && false {";

    "nets, slice: guards read nothing", NEEDS,
    "crates/nets/src/slice.rs": "parts.iter().for_each(|expr| self.read(&bearing, net, expr, 0));" => "";

    "engine, fair strategies: who can move in one state of a component is owed it under weak fairness", FAIR,
    "crates/engine/src/chance/fair.rs": "starved.retain(|who| able.contains(who));" => "let _ = &able;";

    "engine, fair strategies: who can move in another state than the first is not owed it under strong fairness", FAIR,
    "crates/engine/src/chance/fair.rs":
    "Owed::Sometimes => states.iter().for_each(" => "Owed::Sometimes => states.iter().take(1).for_each(";

    "engine, fair strategies: a move that leaves a component is a turn in it", FAIR,
    "crates/engine/src/chance/fair.rs":
    "for choice in matrix.choices_of(state).filter(|&choice| ends.choices.get(choice)) {\n                starved"
    => "for choice in matrix.choices_of(state).filter(|&choice| ends.choices.get(choice) || true) {\n                starved";

    "engine, fair strategies: a part of a component in which nobody waits cannot be stayed in", FAIR,
    "crates/engine/src/chance/fair.rs": "rest.insert(state as usize);" => "let _ = state;";

    "engine, fair strategies: choices of one agent wait for each other", FAIR,
    "crates/engine/src/chance/fair.rs": "(0..matrix.n_choices()).map(narrow)" => "(0..matrix.n_choices()).map(|_| 0)";

    "engine, fair strategies: strong fairness is weak", FAIR,
    "crates/engine/src/chance/fair.rs":
    "(Strategies::AsRuns, Fairness::Strong) => Owed::Sometimes" => "(Strategies::AsRuns, Fairness::Strong) => Owed::Always";

    "engine, fair strategies: beside a formula strong fairness is weak", FAIR,
    "crates/engine/src/chance/fair.rs":
    "takers: origins.iter().map(taker).collect(), owed: self.owed }" => "takers: origins.iter().map(taker).collect(), owed: Owed::Always }";

    "engine, fair strategies: a strategy that starves somebody is told as a fair one", FAIR,
    "crates/engine/src/chance/fair.rs":
    "let starved = ends.states.iter().flat_map(" => "let starved = ends.states.iter().take(0).flat_map(";

    "engine, fair strategies: the least chance to arrive counts strategies that stay away unfairly", FAIR,
    "crates/engine/src/chance/reach.rs": "let havens = havens(matrix, Some(fair)," => "let _ = fair;\n        let havens = havens(matrix, None,";

    "engine, fair strategies: what is met again and again is met by unfair strategies", FAIR,
    "crates/engine/src/chance/product.rs": "havens(&self.matrix, fair, &rest, None)" => "havens(&self.matrix, fair.filter(|_| false), &rest, None)";

    "engine, fair strategies: the long run is spent anywhere", FAIR,
    "crates/engine/src/chance/long_run.rs": "fair.map(|_| havens(matrix, fair, &all, None))" => "fair.map(|_| havens(matrix, None, &all, None))";

    "engine, fair strategies: who need not earn waits for nothing for ever", FAIR,
    "crates/engine/src/chance/rewards.rs":
    "havens(matrix, fair, &Bits::all(n), Some(&rewards.free()))" => "havens(matrix, fair.filter(|_| false), &Bits::all(n), Some(&rewards.free()))";

    "engine, fair strategies: nothing is put off", FAIR,
    "crates/engine/src/chance/rewards.rs": "missed.or(&rewards.earning(matrix, &ends))" => "missed.or(&rewards.earning(matrix, &ends).and(&missed))";

    "engine, numbers: numbers over fair strategies are said to be over all", FAIR,
    "crates/engine/src/checking/settings.rs": "(Strategies::AsRuns, Fairness::Weak) => Over::WeaklyFair" => "(Strategies::AsRuns, Fairness::Weak) => Over::All";

    "engine, thresholds: a number is more than itself", THRESHOLD,
    "crates/engine/src/chance/threshold.rs": "Relation::Gt => *exact > self.exact" => "Relation::Gt => *exact >= self.exact";

    "engine, thresholds: a number is not at least itself", THRESHOLD,
    "crates/engine/src/chance/threshold.rs": "Relation::Ge => *exact >= self.exact" => "Relation::Ge => *exact > self.exact";

    "engine, thresholds: a fraction is the floating-point number next to it", THRESHOLD,
    "crates/engine/src/chance/threshold.rs": "let representable = self.low == self.high;" => "let representable = true;";

    "engine, thresholds: bounds on both sides of a threshold are above it", THRESHOLD,
    "crates/engine/src/chance/threshold.rs": "let above = low > self.high ||" => "let above = high > self.high ||";
};

#[cfg(test)]
mod tests {
    use super::*;

    /// The list follows the code: what a mutant changes stands in its file once. The laboratory says the same, after hours.
    #[test]
    fn every_mutant_can_be_made() {
        let root = crate::tree::root();
        for mutant in MUTANTS {
            let text = std::fs::read_to_string(root.join(mutant.file)).unwrap_or_default();
            assert_eq!(text.matches(mutant.before).count(), 1, "{}: {}", mutant.file, mutant.name);
        }
    }
}
