//! Evidence with branches: the truth of derived atoms that a run rests on, shown where a run can show it.

use motet_evidence::{Branch, Evidence, Fairness, Run, Shown, Stop};
use motet_model::{AtomId, Model, ObserverId};
use motet_property::{Formula, Knowledge, Path, Quantifier};
use rustc_hash::FxHashSet;

use super::course::{Course, Ending, Need, Reading};
use super::{Columns, Derived, Domain, Entry};
use crate::branching_time::knowledge::Views;
use crate::checking::quest::{Found, Quest, Wanted};
use crate::exploration::graph::Graph;
use crate::exploration::limits::Meter;
use crate::formulas::valuation::column;
use crate::linear_time::automata::formula::{Formulas, Node};
use crate::metric_time::unrolled::Patience;
use crate::storage::bits::Bits;
use crate::storage::store::Store;

/// A tree with more branches than this helps nobody; the verdict then stands alone.
const BRANCHES_MAX: usize = 1000;
/// Nor does one that is deeper.
const DEPTH_MAX: usize = 150;

/// There is no tree: it would be too large, or the search for its runs was stopped.
pub(crate) struct Bare;

impl From<Stop> for Bare {
    fn from(_: Stop) -> Self {
        Self
    }
}

/// Grows branches.
pub(crate) struct Gardener<'a, 'm> {
    model: &'a dyn Model,
    graph: &'a Graph,
    derived: &'a Derived,
    views: &'a Views,
    fairness: Fairness,
    left: usize,
    meter: &'a mut Meter<'m>,
}

impl<'a, 'm> Gardener<'a, 'm> {
    pub(crate) fn new(
        model: &'a dyn Model,
        graph: &'a Graph,
        derived: &'a Derived,
        columns: &'a Columns,
        fairness: Fairness,
        meter: &'a mut Meter<'m>,
    ) -> Self {
        Self { model, graph, derived, views: &columns.views, fairness, left: BRANCHES_MAX, meter }
    }

    /// The evidence with branches, for a run from `start` that satisfies the assumptions and satisfies or breaks `path`.
    pub(crate) fn grow(
        &mut self,
        evidence: Evidence,
        path: &Path<AtomId>,
        wanted: Wanted,
        domain: Domain,
    ) -> Result<Evidence, Bare> {
        self.grow_at(evidence, path, wanted, domain, 0)
    }

    fn grow_at(
        &mut self,
        mut evidence: Evidence,
        path: &Path<AtomId>,
        wanted: Wanted,
        domain: Domain,
        depth: usize,
    ) -> Result<Evidence, Bare> {
        let mut atoms = false;
        let paths = self.derived.assumed_in(domain).into_iter().chain([path]);
        for path in paths {
            path.for_each_atom(&mut |atom| atoms |= self.derived.position(*atom).is_some());
        }
        if !atoms {
            return Ok(evidence);
        }
        let course = self.course(&evidence).ok_or(Bare)?;
        let (formulas, root) = self.formula(path, wanted, domain)?;
        let reading = Reading::new(self.graph, self.derived, &course, (&formulas, root));
        let needs = match self.is_timed(path, domain, &formulas, root) {
            true => reading.all_needs(),
            false => reading.needs(0).unwrap_or_else(|| reading.all_needs()),
        };
        evidence.branches = self.branches(&course, needs, depth)?;
        if !evidence.branches.is_empty() {
            evidence.fairness = self.fairness;
        }
        Ok(evidence)
    }

    fn formula(&self, path: &Path<AtomId>, wanted: Wanted, domain: Domain) -> Result<(Formulas, Node), Bare> {
        let assumptions = self.derived.assumed_in(domain);
        Quest::formula(&assumptions, path, wanted, self.derived.unit).map_err(|_| Bare)
    }

    /// Whether a formula speaks of more than the states of a run in their order.
    fn is_timed(&self, path: &Path<AtomId>, domain: Domain, formulas: &Formulas, root: Node) -> bool {
        let back = |path: &&Path<AtomId>| super::path_looks_back(path);
        let assumptions = self.derived.assumed_in(domain);
        formulas.has_window(root) || assumptions.iter().chain([&path]).any(back)
    }

    /// The numbers of the states of a run.
    fn course(&self, evidence: &Evidence) -> Option<Course> {
        let run = &evidence.run;
        let mut states: Vec<u32> = self.numbers(run)?;
        let ending = match evidence.loop_start {
            Some(start) => {
                states.pop();
                Ending::Repeats(start)
            }
            None if self.graph.deadlocks.get(*states.last()? as usize) => Ending::Repeats(states.len() - 1),
            None => Ending::Open,
        };
        Some(Course { states, ending })
    }

    fn numbers(&self, run: &Run) -> Option<Vec<u32>> {
        let mut known: Vec<(&[u32], u32)> = Vec::new();
        let mut numbers = Vec::new();
        for state in &run.states {
            let step = numbers.last().and_then(|&last| self.step_to(last, state));
            let seen = || known.iter().find(|(other, _)| **other == **state).map(|&(_, number)| number);
            let number = step.or_else(seen).or_else(|| {
                let all = 0..u32::try_from(self.graph.n_states()).ok()?;
                all.into_iter().find(|&number| self.graph.store.is(number, state))
            })?;
            known.push((state, number));
            numbers.push(number);
        }
        Some(numbers)
    }

    fn step_to(&self, from: u32, state: &[u32]) -> Option<u32> {
        let rows = self.graph.rows.as_ref()?;
        let mut targets = rows.row(from).map(|edge| rows.target(edge));
        targets.find(|&target| self.graph.store.is(target, state))
    }

    /// Branches that show these truths, one for each state and formula.
    fn branches(&mut self, course: &Course, needs: Vec<Need>, depth: usize) -> Result<Vec<Branch>, Bare> {
        if depth > DEPTH_MAX {
            return Err(Bare);
        }
        let mut branches = Vec::new();
        let mut shown = FxHashSet::default();
        let mut waiting = needs;
        waiting.reverse();
        while let Some(need) = waiting.pop() {
            let state = course.states[need.at];
            if !shown.insert((state, need.atom)) {
                continue;
            }
            let at = self.derived.position(need.atom).expect("only derived atoms are needed");
            let derived = self.derived;
            let entry = &derived.entries()[at];
            if let Some(more) = self.own_run(course, entry, need)? {
                waiting.extend(more);
                continue;
            }
            self.left = self.left.checked_sub(1).ok_or(Bare)?;
            let shown = self.show(entry, state, need.truth, depth)?;
            let formula = entry.original.clone();
            branches.push(Branch { at: need.at, formula, truth: need.truth, shown });
        }
        branches.sort_by_key(|branch| branch.at);
        Ok(branches)
    }

    /// What the run itself needs to show the truth of a quantifier over runs, if it does.
    fn own_run(&self, course: &Course, entry: &Entry, need: Need) -> Result<Option<Vec<Need>>, Bare> {
        let Some((path, wanted)) = seen_on_a_run(entry, need.truth) else { return Ok(None) };
        let (formulas, root) = self.formula(path, wanted, entry.domain)?;
        if self.is_timed(path, entry.domain, &formulas, root) {
            return Ok(None);
        }
        Ok(Reading::new(self.graph, self.derived, course, (&formulas, root)).needs(need.at))
    }

    fn show(&mut self, entry: &Entry, state: u32, truth: bool, depth: usize) -> Result<Shown, Bare> {
        if let Some((path, wanted)) = seen_on_a_run(entry, truth) {
            return self.onward(entry, path, wanted, state, depth);
        }
        match &entry.means {
            super::Means::Knows(kind, group, fact) if !truth => {
                self.elsewhere(entry, (*kind, group, fact), state, depth)
            }
            _ => Ok(Shown::Search),
        }
    }

    /// A run from a state on.
    fn onward(
        &mut self,
        entry: &Entry,
        path: &Path<AtomId>,
        wanted: Wanted,
        state: u32,
        depth: usize,
    ) -> Result<Shown, Bare> {
        let assumptions = self.derived.assumed_in(entry.domain);
        let quest = Quest::over_runs(&assumptions, path, wanted, self.derived.unit);
        let quest = quest.map_err(|_| Bare)?;
        let patience = Patience::Endless;
        let found = quest.find(self.model, self.graph, &[state], self.fairness, patience, self.meter)?;
        let Found::Run(evidence) = found else { return Err(Bare) };
        let evidence = self.grow_at(evidence, path, wanted, entry.domain, depth + 1)?;
        Ok(Shown::Onward(Box::new(Evidence { fairness: self.fairness, ..evidence })))
    }

    /// A run to a situation that looks the same and where what is said to be known is false.
    fn elsewhere(
        &mut self,
        entry: &Entry,
        (kind, group, fact): (Knowledge, &[ObserverId], &Formula<AtomId>),
        state: u32,
        depth: usize,
    ) -> Result<Shown, Bare> {
        let truths = column(self.graph, fact);
        if kind == Knowledge::Common {
            let chain = self.views.chain(group, state, &truths);
            return self.chained(entry, fact, &truths, &chain, depth);
        }
        let alone = |observer: &ObserverId| {
            let doubt = self.views.doubt(&[*observer], state, &truths)?;
            Some((doubt, vec![*observer]))
        };
        let found = match kind {
            Knowledge::Distributed => {
                self.views.doubt(group, state, &truths).map(|doubt| (doubt, group.to_vec()))
            }
            // Of several who do not know, the one whose doubt is nearest to the start.
            _ => group.iter().filter_map(alone).min_by_key(|(doubt, _)| *doubt),
        };
        let (doubt, observers) = found.ok_or(Bare)?;
        let evidence = self.doubtful(fact, doubt, depth)?;
        Ok(Shown::Elsewhere(observers, Box::new(evidence)))
    }

    /// A chain of situations, each of which somebody cannot tell from the one before; in the last the fact is false.
    fn chained(
        &mut self,
        entry: &Entry,
        fact: &Formula<AtomId>,
        truths: &Bits,
        chain: &[(ObserverId, u32)],
        depth: usize,
    ) -> Result<Shown, Bare> {
        let (&(observer, state), rest) = chain.split_first().ok_or(Bare)?;
        self.left = self.left.checked_sub(1).ok_or(Bare)?;
        if depth > DEPTH_MAX {
            return Err(Bare);
        }
        let evidence = if truths.get(state as usize) {
            let mut evidence = Evidence::finite(self.graph.run_to(self.model, state));
            evidence.fairness = self.fairness;
            let shown = self.chained(entry, fact, truths, rest, depth + 1)?;
            let (at, formula) = (evidence.run.steps.len(), entry.original.clone());
            evidence.branches.push(Branch { at, formula, truth: false, shown });
            evidence
        } else {
            self.doubtful(fact, state, depth)?
        };
        Ok(Shown::Elsewhere(vec![observer], Box::new(evidence)))
    }

    /// A run to a state where a fact is false, with what shows that.
    fn doubtful(&mut self, fact: &Formula<AtomId>, state: u32, depth: usize) -> Result<Evidence, Bare> {
        let mut evidence = Evidence::finite(self.graph.run_to(self.model, state));
        evidence.fairness = self.fairness;
        let course = Course { states: self.graph.way_to(state), ending: Ending::Open };
        let mut needs = Vec::new();
        let at = course.states.len() - 1;
        course.state_needs(self.graph, self.derived, fact, (at, false), &mut needs);
        evidence.branches = self.branches(&course, needs, depth + 1)?;
        Ok(evidence)
    }
}

/// What a run has to satisfy or break to show this truth of a derived atom; `None` if no run can show it.
fn seen_on_a_run(entry: &Entry, truth: bool) -> Option<(&Path<AtomId>, Wanted)> {
    match (&entry.formula, truth) {
        (Formula::Runs(Quantifier::Some, path), true) => Some((path, Wanted::Satisfies)),
        (Formula::Runs(Quantifier::All, path), false) => Some((path, Wanted::Breaks)),
        _ => None,
    }
}
