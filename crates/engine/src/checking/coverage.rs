//! Which parts of a model happen in a complete exploration, and which of them the verdicts depend on.
//!
//! A verdict depends on a part if it changes when every step in which the part has a share is taken away (mutation coverage,
//! on the graph instead of the text). The graph is recorded once; without a part it is a smaller model, and the claims are
//! checked on it as on any other. What cannot be reached any more counts no more, and a situation that loses all its steps
//! is where a run ends.

use motet_evidence::{Outcome, Stop, Verdict};
use motet_model::{
    ActionId, AtomId, Facets, Fault, Model, Observation, ObserverId, Occurrence, PartId, ProcessId, Ratio,
    Signature, State, Steps,
};
use motet_property::Claim;

use crate::chance::is_about_chance;
use crate::checking::settings::{Examine, Settings};
use crate::exploration::explore::{Edges, Plan, explore};
use crate::exploration::graph::Graph;
use crate::exploration::limits::{Limits, Meter, Phase, Progress};
use crate::storage::bits::Bits;
use crate::storage::store::Store;
use crate::{Order, check_all};

/// The largest graph on which parts are taken away, in edges.
const EDGES_MAX: u64 = 1_000_000;

/// How much work taking parts away may be in all, in edges of the graphs that are explored for it.
const WORK_MAX: u64 = 20_000_000;

/// What a survey asks of a model's language.
#[derive(Clone, Copy)]
pub struct Shares<'a> {
    /// Per part: the number of its text. Several agents may have one text; it is taken away from all of them.
    pub texts: &'a [usize],
    /// Which of them have a share in a step.
    pub of: &'a dyn Fn(&State, Occurrence<'_>) -> Vec<PartId>,
}

/// What is known of the parts of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Per part: in how many steps of the graph it has a share.
    pub happened: Vec<u64>,
    /// Per text: whether a verdict depends on it.
    pub needs: Vec<Need>,
    /// Why not everything was seen; `None` if it was.
    pub stop: Option<Stop>,
}

/// Whether a verdict depends on a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nobody looked: it never happens, there is nothing to compare, or the graph is too large.
    Unchecked,
    /// All verdicts stay as they are without it.
    None,
    /// These claims have another verdict without it, by their numbers.
    Claims(Vec<usize>),
}

/// Looks which parts happen, and which of them the verdicts depend on.
pub fn survey(
    model: &dyn Model,
    claims: &[Claim<AtomId>],
    outcomes: &[Outcome],
    shares: Shares<'_>,
    settings: &Settings,
    watch: &mut dyn FnMut(Progress),
) -> Survey {
    let mut meter = Meter::new(&settings.limits, watch).with_threads(settings.threads);
    let mut atoms = Vec::new();
    claims.iter().for_each(|claim| claim.formula.for_each_atom(&mut |atom| atoms.push(*atom)));
    atoms.sort_unstable();
    atoms.dedup();
    let plan = Plan {
        atoms,
        edges: Edges::Keep,
        order: Order::default(),
        rewards: Vec::new(),
        goals: Vec::new(),
        threads: settings.threads,
        partial_order: None,
        chains: None,
    };
    let graph = explore(model, plan, &mut meter);
    let mut survey = Survey {
        happened: vec![0; shares.texts.len()],
        needs: vec![Need::Unchecked; shares.texts.iter().max().map_or(0, |last| last + 1)],
        stop: graph.obstacle(),
    };
    let recorded = match Recorded::of(model, &graph, shares, &mut survey.happened, &mut meter) {
        Ok(recorded) => recorded,
        Err(stop) => {
            survey.stop = Some(stop);
            return survey;
        }
    };
    let Some(recorded) = recorded.filter(|_| survey.stop.is_none()) else { return survey };
    compare(&recorded, claims, outcomes, settings, &mut survey, meter);
    survey
}

/// Takes one part after the other away and compares the verdicts.
fn compare(
    recorded: &Recorded<'_>,
    claims: &[Claim<AtomId>],
    outcomes: &[Outcome],
    settings: &Settings,
    survey: &mut Survey,
    mut meter: Meter<'_>,
) {
    let definite = |number: &usize| {
        let is_truth = matches!(outcomes[*number].verdict, Verdict::Holds | Verdict::Fails);
        is_truth && !is_about_chance(&claims[*number].formula)
    };
    let numbers: Vec<usize> = (0..claims.len()).filter(definite).collect();
    let compared: Vec<Claim<AtomId>> = numbers.iter().map(|number| claims[*number].clone()).collect();
    if compared.is_empty() {
        return;
    }
    let time = settings.limits.time.map(|time| time.saturating_sub(meter.elapsed()));
    let limits = Limits { time, states: None, depth: None, ..settings.limits.clone() };
    let settings = Settings { limits, vacuity: Examine::No, keeping: None, ..settings.clone() };
    let mut left = WORK_MAX;
    let mut happened = vec![false; survey.needs.len()];
    for (text, times) in recorded.texts.iter().zip(&survey.happened) {
        happened[*text] |= *times > 0;
    }
    for (text, happened) in happened.into_iter().enumerate() {
        meter.enter(Phase::Part(text));
        if !happened || left < recorded.branches.len() as u64 || meter.tick(0).is_err() {
            continue;
        }
        left -= recorded.branches.len() as u64;
        let reduced = Reduced { recorded, without: index(text) };
        let report = check_all(&reduced, &compared, &settings, &mut |_| {});
        let mut changed = Vec::new();
        let mut known = true;
        for (outcome, number) in report.outcomes.iter().zip(&numbers) {
            match &outcome.verdict {
                Verdict::Unknown(_) => known = false,
                verdict if *verdict != outcomes[*number].verdict => changed.push(*number),
                _ => {}
            }
        }
        survey.needs[text] = match (changed.is_empty(), known) {
            (false, _) => Need::Claims(changed),
            (true, true) => Need::None,
            (true, false) => Need::Unchecked,
        };
    }
}

/// A graph with its actions and the shares of parts, as a model over numbers of states.
struct Recorded<'a> {
    /// Of the model.
    facets: Facets<'a>,
    graph: &'a Graph,
    signature: Signature,
    /// Per part: the number of its text.
    texts: &'a [usize],
    /// Per state: its first step; one more at the end.
    rows: Vec<u32>,
    steps: Vec<Recording>,
    /// Chance, target and the end of its shares.
    branches: Vec<(Ratio, u32, u32)>,
    /// Numbers of texts.
    shares: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Recording {
    process: ProcessId,
    action: ActionId,
    delay: u32,
    first_branch: u32,
}

impl<'a> Recorded<'a> {
    /// Records a graph and counts the shares. `None` if it is too large to be kept; the counts are complete all the same.
    fn of(
        model: &'a dyn Model,
        graph: &'a Graph,
        shares: Shares<'a>,
        happened: &mut [u64],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, Stop> {
        let rows = graph.rows.as_ref().expect("the survey keeps the edges");
        let signature = Signature { slots: vec!["situation".to_owned()], ..model.signature().clone() };
        let mut recorded = Self {
            facets: model.facets(),
            graph,
            signature,
            texts: shares.texts,
            rows: vec![0],
            steps: Vec::new(),
            branches: Vec::new(),
            shares: Vec::new(),
        };
        let keeps = graph.transitions <= EDGES_MAX;
        let mut steps = Steps::new(model.signature().slots.len());
        let mut state = Vec::new();
        for number in 0..u32::try_from(graph.n_states()).expect("states are numbered with 32 bits") {
            if number.is_multiple_of(256) {
                meter.tick(graph.bytes() + recorded.bytes())?;
            }
            graph.store.load(number, &mut state);
            steps.clear();
            if graph.settled.get(number as usize) && model.steps(&state, &mut steps).is_ok() {
                let targets = rows.row(number).map(|edge| rows.target(edge));
                recorded.note(&state, &steps, targets, shares, happened);
            }
            if keeps {
                recorded.rows.push(index(recorded.steps.len()));
            } else {
                recorded.forget();
            }
        }
        Ok(keeps.then_some(recorded))
    }

    fn note(
        &mut self,
        state: &State,
        steps: &Steps,
        mut targets: impl Iterator<Item = u32>,
        shares: Shares<'_>,
        happened: &mut [u64],
    ) {
        for (ordinal, step) in (0..).zip(steps.iter()) {
            let (process, action, delay) = (step.process, step.action, step.delay);
            self.steps.push(Recording { process, action, delay, first_branch: index(self.branches.len()) });
            for (branch, outcome) in (0..).zip(step.branches()) {
                if outcome.chance.is_zero() {
                    continue;
                }
                let mut parts =
                    (shares.of)(state, Occurrence { ordinal, branch, action, target: outcome.target });
                parts.sort_unstable();
                parts.dedup();
                parts.iter().for_each(|part| happened[part.index()] += 1);
                let mut texts: Vec<u32> = parts.iter().map(|part| index(self.texts[part.index()])).collect();
                texts.sort_unstable();
                texts.dedup();
                self.shares.extend(texts);
                let target = targets.next().expect("the model gives the same steps for the same state");
                self.branches.push((outcome.chance, target, index(self.shares.len())));
            }
        }
    }

    fn forget(&mut self) {
        self.steps.clear();
        self.branches.clear();
        self.shares.clear();
    }

    fn bytes(&self) -> u64 {
        let sizes = [
            4 * self.rows.capacity(),
            size_of::<Recording>() * self.steps.capacity(),
            size_of::<(Ratio, u32, u32)>() * self.branches.capacity(),
            4 * self.shares.capacity(),
        ];
        sizes.iter().sum::<usize>() as u64
    }

    /// The texts that have a share in a branch.
    fn shares_of(&self, branch: u32) -> &[u32] {
        let first = branch.checked_sub(1).map_or(0, |before| self.branches[before as usize].2);
        &self.shares[first as usize..self.branches[branch as usize].2 as usize]
    }

    fn column(&self, atom: AtomId) -> &Bits {
        let column = self.graph.atoms.binary_search(&atom);
        &self.graph.columns[column.expect("the survey evaluates all atoms of the claims")]
    }
}

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("a graph that is kept has fewer than 2^32 edges")
}

/// The graph without the steps in which a text has a share.
struct Reduced<'a> {
    recorded: &'a Recorded<'a>,
    without: u32,
}

impl Model for Reduced<'_> {
    fn signature(&self) -> &Signature {
        &self.recorded.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.extend(self.recorded.graph.initial.iter().map(|&state| Box::from([state])));
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let recorded = self.recorded;
        let at = state[0] as usize;
        for number in recorded.rows[at]..recorded.rows[at + 1] {
            let step = recorded.steps[number as usize];
            let end = recorded.steps.get(number as usize + 1).map(|next| next.first_branch);
            let branches = step.first_branch..end.unwrap_or_else(|| index(recorded.branches.len()));
            let left = branches.filter(|branch| !recorded.shares_of(*branch).contains(&self.without));
            let targets: Vec<(Ratio, [u32; 1])> = left
                .map(|branch| (recorded.branches[branch as usize].0, [recorded.branches[branch as usize].1]))
                .collect();
            if !targets.is_empty() {
                let targets = targets.iter().map(|(chance, target)| (*chance, &target[..]));
                out.push_random(step.process, step.action, step.delay, targets);
            }
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        self.recorded.column(atom).get(state[0] as usize)
    }

    fn facets(&self) -> Facets<'_> {
        Facets { subjects: self.recorded.facets.subjects, observation: Some(self), ..Facets::default() }
    }
}

impl Observation for Reduced<'_> {
    fn observe(&self, observer: ObserverId, state: &State, out: &mut Vec<u32>) {
        let mut whole = Vec::new();
        self.recorded.graph.store.load(state[0], &mut whole);
        self.recorded.facets.observe(observer, &whole, out);
    }
}
