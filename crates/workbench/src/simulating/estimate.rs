//! Numbers estimated from random runs: which claims can be, and what their runs say.

use std::sync::atomic::AtomicBool;

use motet_engine::{Choose, Estimate, Question, Sampling, chernoff_runs, clopper_pearson, estimate, student};
use motet_model::{AtomId, Ratio, RewardId};
use motet_property::{
    Claim, Expect, Feature, Formula, Kind, Path, Query, Relation, RewardGoal, english_claim, features,
};
use motet_render::{EstimateAnswer, EstimateReport, Estimates};

use crate::loading::load::Ready;

/// Runs at most where a width is asked for.
const LIMIT_RUNS: u64 = 20_000_000;
/// Runs of the first round of means, whose spread nobody knows yet.
const FIRST_ROUND: u64 = 2_000;
/// How near to its threshold a test does not tell apart, unless the user says so.
const MARGIN: f64 = 0.005;

/// How to estimate.
pub struct EstimateOptions<'a> {
    /// How many runs; as many as the width needs when `None`.
    pub runs: Option<u64>,
    /// The series of random numbers.
    pub seed: u64,
    /// Steps of a run at most.
    pub steps: u64,
    /// How many threads share the work.
    pub threads: usize,
    /// How sure intervals are.
    pub confidence: f64,
    /// How wide they may be.
    pub width: Option<f64>,
    /// Who decides where there are several steps.
    pub choose: Option<&'a dyn Choose>,
    /// Set by a user who wants to stop.
    pub interrupt: Option<&'a AtomicBool>,
}

/// Whether a claim is about a number that runs can estimate, or a threshold for one.
#[must_use]
pub fn is_estimated(claim: &Claim<AtomId>) -> bool {
    let about = [Feature::Chance, Feature::Reward, Feature::LongRun, Feature::Filter];
    features(&claim.formula).iter().any(|feature| about.contains(feature))
}

/// Estimates all claims about numbers from the same runs.
#[must_use]
pub fn estimates(ready: &Ready, options: &EstimateOptions<'_>) -> Estimates {
    let claims: Vec<&Claim<AtomId>> = ready.claims.iter().filter(|claim| is_estimated(claim)).collect();
    let asked: Vec<Result<Question, String>> = claims.iter().map(|claim| question(ready, claim)).collect();
    let questions: Vec<Question> = asked.iter().filter_map(|asked| asked.clone().ok()).collect();
    let mut sampler = Sampler { ready, options, questions: &questions, tallies: Vec::new(), runs: 0 };
    let reason = sampler.run();
    let (tallies, runs) = (sampler.tallies, sampler.runs);
    let mut found = tallies.iter();
    let reports = claims.iter().zip(&asked).map(|(claim, asked)| {
        let (answer, open) = match asked {
            Ok(_) => {
                let tally = found.next().cloned().unwrap_or_default();
                (answer(claim, &tally, options), tally.open)
            }
            Err(why) => (EstimateAnswer::None { why: why.clone() }, 0),
        };
        EstimateReport { name: claim.name.clone(), english: english_claim(claim, &ready.atoms), answer, open }
    });
    Estimates {
        runs,
        steps: options.steps,
        threads: options.threads,
        confidence: options.confidence,
        played: options.choose.is_some(),
        chose: tallies.iter().any(|tally| tally.chose),
        reason,
        claims: reports.collect(),
        ..Estimates::default()
    }
}

/// What runs are asked about a claim; where they are no help, who is.
fn question(ready: &Ready, claim: &Claim<AtomId>) -> Result<Question, String> {
    const WHOLE: &str =
        "runs estimate a claim that is one `P` or `R` as a whole; `motet check` answers others";
    if !ready.assumptions().is_empty() {
        let why = "runs are not sorted by `assume`: say the condition inside the brackets, as in \
                   P=? [ condition & path ], or take `assume` out";
        return Err(why.to_owned());
    }
    let Path::Now(formula) = &claim.formula else { return Err(WHOLE.to_owned()) };
    match formula {
        Formula::Chance(_, _, path) => plain(path).map(|()| Question::Probability((**path).clone())),
        Formula::Reward(name, _, query, goal) => {
            if *query != Query::Value {
                let why = "runs test no threshold of a reward: ask for the value, R=?, or use `motet check`";
                return Err(why.to_owned());
            }
            let goal = match &**goal {
                RewardGoal::Average => return Err(endless("average")),
                RewardGoal::Until(path) => {
                    plain(path)?;
                    RewardGoal::Until(path.clone())
                }
                goal => goal.clone(),
            };
            Ok(Question::Reward(reward(ready, name.as_deref())?, goal))
        }
        Formula::Steady(..) => Err(endless("share")),
        Formula::Filter(..) => Err(
            "runs start in the initial states, a filter looks at others: leave it out, or use `motet check`"
                .to_owned(),
        ),
        _ => Err(WHOLE.to_owned()),
    }
}

/// The long run takes for ever, and nobody knows how near to it a finite run is.
fn endless(what: &str) -> String {
    format!("a long-run {what} has no end to run to: `motet check` answers it")
}

fn plain(path: &Path<AtomId>) -> Result<(), String> {
    let beyond = [
        Feature::Branching,
        Feature::Knowledge,
        Feature::Chance,
        Feature::LongRun,
        Feature::Reward,
        Feature::Filter,
        Feature::Deadlock,
    ];
    match features(path).into_iter().find(|feature| beyond.contains(feature)) {
        Some(feature) => {
            Err(format!("a single run cannot tell {}: `motet check` answers the claim", feature.words()))
        }
        None => Ok(()),
    }
}

/// The reward of this name; without a name the first one.
fn reward(ready: &Ready, name: Option<&str>) -> Result<RewardId, String> {
    let rewards = &ready.system.model.signature().rewards;
    let found = match name {
        Some(name) => rewards.iter().position(|reward| reward.name == name),
        None => (!rewards.is_empty()).then_some(0),
    };
    let number = found.and_then(|number| u32::try_from(number).ok());
    number.map(RewardId).ok_or_else(|| match name {
        Some(name) => format!("the model has no reward `{name}`"),
        None => "the model has no rewards".to_owned(),
    })
}

struct Sampler<'a> {
    ready: &'a Ready,
    options: &'a EstimateOptions<'a>,
    questions: &'a [Question],
    tallies: Vec<Estimate>,
    runs: u64,
}

impl Sampler<'_> {
    /// Makes the runs; the answer is why there are so many, where nobody said how many.
    fn run(&mut self) -> Option<String> {
        let Some(width) = self.options.width else {
            self.go_on(self.options.runs.unwrap_or(1));
            return None;
        };
        let probability = |question: &&Question| matches!(question, Question::Probability(_));
        let mut reasons = Vec::new();
        if self.questions.iter().any(|question| probability(&question)) {
            let runs = chernoff_runs(width, self.options.confidence).min(LIMIT_RUNS);
            reasons.push(format!("probabilities within {} by the Chernoff-Hoeffding bound", half(width)));
            self.go_on(runs);
        }
        let has_rewards = self.questions.iter().any(|question| !probability(&question));
        if has_rewards {
            self.go_on(FIRST_ROUND.saturating_sub(self.runs));
            reasons.push(format!("means until Student's interval is no wider than {width}"));
        }
        while has_rewards && self.is_wide(width) && self.runs < LIMIT_RUNS && !self.stopped() {
            self.go_on(self.runs / 2);
        }
        Some(reasons.join("; "))
    }

    fn stopped(&self) -> bool {
        self.options.interrupt.is_some_and(|flag| flag.load(std::sync::atomic::Ordering::Relaxed))
    }

    fn is_wide(&self, width: f64) -> bool {
        let pairs = self.questions.iter().zip(&self.tallies);
        let mut rewards = pairs.filter(|(question, _)| matches!(question, Question::Reward(..)));
        let confidence = self.options.confidence;
        rewards.any(|(_, tally)| {
            let half = student(tally.yes, tally.sum, tally.squares, confidence);
            // Where the goal is missed there is no mean to be found.
            tally.no == 0 && tally.yes > 0 && half > width / 2.0
        })
    }

    fn go_on(&mut self, runs: u64) {
        if runs == 0 {
            return;
        }
        let sampling = Sampling {
            series: self.options.seed,
            runs: self.runs..self.runs + runs,
            steps: self.options.steps,
            threads: self.options.threads,
            choose: self.options.choose,
            interrupt: self.options.interrupt,
        };
        let more = estimate(self.ready.system.model.as_ref(), self.questions, &sampling);
        self.runs += more.first().map_or(runs, |tally| tally.yes + tally.no + tally.open);
        match self.tallies.is_empty() {
            true => self.tallies = more,
            false => self.tallies.iter_mut().zip(more).for_each(|(tally, more)| tally.add(more)),
        }
    }
}

fn half(width: f64) -> String {
    motet_render::value_text(width / 2.0, width / 2.0)
}

fn answer(claim: &Claim<AtomId>, tally: &Estimate, options: &EstimateOptions<'_>) -> EstimateAnswer {
    let runs = tally.yes + tally.no + tally.open;
    match &claim.formula {
        Path::Now(Formula::Chance(_, Query::Compare(relation, threshold), _)) => {
            test(claim, *relation, threshold, tally, options)
        }
        Path::Now(Formula::Chance(..)) => {
            // A run that is too short may be either, so that both ends allow for it.
            let (low, _) = clopper_pearson(tally.yes, runs, options.confidence);
            let (_, high) = clopper_pearson(tally.yes + tally.open, runs, options.confidence);
            EstimateAnswer::Share { hits: tally.yes, runs, low, high }
        }
        _ if tally.no > 0 => EstimateAnswer::Infinite { missed: tally.no, runs },
        _ if tally.yes == 0 => EstimateAnswer::None { why: "no run reached its goal".to_owned() },
        _ if tally.open > 0 => EstimateAnswer::None {
            why: "some runs were too short, and leaving them out would make the mean too small".to_owned(),
        },
        _ => {
            #[expect(clippy::cast_precision_loss, reason = "counts of runs are far below 2^52")]
            let mean = tally.sum / tally.yes as f64;
            let spread = student(tally.yes, tally.sum, tally.squares, options.confidence);
            EstimateAnswer::Mean { mean, spread, runs: tally.yes }
        }
    }
}

/// Wald's sequential probability ratio test (1945) of a threshold, with both errors at most `1 - confidence`.
fn test(
    claim: &Claim<AtomId>,
    relation: Relation,
    threshold: &str,
    tally: &Estimate,
    options: &EstimateOptions<'_>,
) -> EstimateAnswer {
    let margin = options.width.map_or(MARGIN, |width| width / 2.0);
    let threshold = Ratio::read(threshold).map_or(0.0, Ratio::to_f64);
    let (high, low) = ((threshold + margin).min(1.0), (threshold - margin).max(0.0));
    let error = 1.0 - options.confidence;
    let bound = ((1.0 - error) / error).ln();
    let (mut hits, mut misses) = (0_u64, 0_u64);
    let mut above = None;
    for verdict in &tally.verdicts {
        match verdict {
            Some(true) => hits += 1,
            Some(false) => misses += 1,
            // A run that is too short decides nothing, and leaving it out would favour one side.
            None => break,
        }
        // The logarithm of how much more likely the runs are if the probability is `low` than if it is `high`.
        let ratio = times(hits, (low / high).ln()) + times(misses, ((1.0 - low) / (1.0 - high)).ln());
        if ratio.abs() >= bound {
            above = Some(ratio < 0.0);
            break;
        }
    }
    let wants_above = matches!(relation, Relation::Ge | Relation::Gt);
    let holds = above.map(|above| above == wants_above);
    let as_expected = holds.map(|holds| match (claim.kind, &claim.expect) {
        (Kind::Property, Expect::Fails) => !holds,
        _ => holds,
    });
    EstimateAnswer::Test { holds, as_expected, runs: hits + misses, margin }
}

/// A product in which nothing outweighs the infinite.
#[expect(clippy::cast_precision_loss, reason = "counts of runs are far below 2^52")]
fn times(count: u64, factor: f64) -> f64 {
    if count == 0 { 0.0 } else { count as f64 * factor }
}
