//! What a check found, as plain data. Text, JSON and JUnit are views of it.

use motet_evidence::{Coverage, Outcome, Over, Stop, Vacuity, Verdict};
use motet_model::{Notice, Ratio, TimeUnit};
use motet_property::{Bound, Expect, Kind};
use motet_source::Problems;

use crate::claims::coverage::ModelCoverage;
use crate::claims::idle::IdleReport;
use crate::claims::reduction::ReductionReport;
use crate::claims::symmetry::SymmetryReport;
use crate::numbers::chance::ChanceReport;
use crate::runs::tale::Tale;
use crate::typesetting::number::bytes;

/// A number to hold against what is expected; infinite where it is none.
struct End(Option<Ratio>);

impl End {
    fn is_at_least(&self, expected: &str) -> bool {
        self.0.is_none_or(|end| Ratio::read(expected).is_some_and(|expected| end >= expected))
    }

    fn is_at_most(&self, expected: &str) -> bool {
        let expected = Ratio::read(expected);
        expected.is_none_or(|expected| self.0.is_some_and(|end| end <= expected))
    }
}

/// Everything a check found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The command line without the program's name.
    pub command: Vec<String>,
    /// What was checked.
    pub head: Head,
    /// What the margins and times of this report count: the unit of the model's signature.
    pub unit: TimeUnit,
    /// How much was searched; `None` when nothing was, because the input has errors.
    pub coverage: Option<Coverage>,
    /// Which strategies the numbers are over, if there are any.
    pub over: Option<Over>,
    /// One per claim, in the order of the files.
    pub claims: Vec<ClaimReport>,
    /// What the model does apart from any claim.
    pub notices: Vec<NoticeReport>,
    /// Facts worth a line, such as high-water marks.
    pub remarks: Vec<String>,
    /// Errors and warnings of the texts.
    pub problems: Problems,
    /// A promise of ours that was broken, such as a run that does not replay. The report must not be believed.
    pub internal: Vec<String>,
    /// What an external engine could not do.
    pub engine_failures: Vec<String>,
    /// The limit that stopped the search.
    pub stop: Option<Stop>,
    /// Which texts of the model happened, where that was asked for.
    pub texts: Option<ModelCoverage>,
    /// The options that left out some of what the model could do: `ties=first`. The search is not complete then.
    pub narrowed: Vec<String>,
    /// What came of each reduction that was asked for.
    pub reductions: Vec<ReductionReport>,
    /// Who was interchangeable, where that was asked for.
    pub symmetry: Option<SymmetryReport>,
    /// Bytes of the checkpoint from which the check can go on, if there is one.
    pub checkpoint: Option<u64>,
    /// What was put away outside of memory, if anything was or was to be.
    pub spilled: Option<Spilled>,
    /// What would help a check that was stopped, most effective first.
    pub helps: Vec<Help>,
}

/// What was put away outside of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spilled {
    /// How much.
    pub bytes: u64,
    /// Where.
    pub folder: String,
    /// Why there was no more room, if so.
    pub full: Option<String>,
}

impl Spilled {
    /// For people, on one line.
    pub(crate) fn line(&self) -> String {
        let full = self.full.as_ref().map_or_else(String::new, |why| format!(", and no more fitted: {why}"));
        format!("{} of states and steps were put away in {}{full}", bytes(self.bytes), self.folder)
    }
}

/// Something that would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// As it is written on the command line.
    pub option: String,
    /// Why it applies to this model.
    pub why: String,
    /// What can be expected of it.
    pub effect: String,
}

/// What was checked.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// As the user wrote it.
    pub path: String,
    /// `AgentSpeak(F)`.
    pub language: String,
    /// `3 agents`, `limits 64`.
    pub facts: Vec<String>,
    /// Bound parameters.
    pub parameters: Vec<(String, String)>,
    /// Names of the claims files.
    pub claims_files: Vec<String>,
    /// SHA-256 over all texts, hexadecimal.
    pub sha256: String,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path.
    pub file: String,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
}

/// The answer to one claim.
#[derive(Clone, Debug)]
pub struct ClaimReport {
    /// Its name.
    pub name: String,
    /// What is asked.
    pub kind: Kind,
    /// The author's words.
    pub words: Option<String>,
    /// The formula in English.
    pub english: String,
    /// The formula as written.
    pub text: String,
    /// The formula with all parentheses.
    pub formula: String,
    /// Where it stands; `None` for `-e`.
    pub place: Option<Place>,
    /// The verdict its author expects.
    pub expect: Expect,
    /// The answer.
    pub outcome: Outcome,
    /// Where the claim holds only because runs are fair: whom an unfair run starves, by name.
    pub starved: Vec<String>,
    /// In English: what never happens, where a pass is vacuous.
    pub trigger: Option<String>,
    /// Parts that it does not depend on, where that was looked for.
    pub idle: Vec<IdleReport>,
    /// Who answered.
    pub engine: String,
    /// Whether the user named this claim on the command line.
    pub asked: Asked,
    /// The run behind the answer, in words.
    pub tale: Option<Tale>,
    /// Where the run was saved.
    pub trace: Option<String>,
    /// What another engine said.
    pub second: Option<Opinion>,
    /// What stands behind a number, in words.
    pub chance: Option<ChanceReport>,
    /// Where the strategy was saved.
    pub strategy: Option<String>,
    /// What was left out of the model because it cannot influence the claim.
    pub left_out: Vec<String>,
    /// The options that left out runs of the model, where the verdict is one of the others only: `durations=ends`.
    pub narrowed: Vec<String>,
    /// Orders of turns that were looked at alone, where the other way round may give another verdict: `Ann before Ben at Desk.owner`.
    pub orders: Vec<String>,
}

/// Whether the user named a claim on the command line, and so wants to hear more about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// With `-p` or `-e`.
    ByName,
    /// It is one of all.
    WithAll,
}

/// What another engine said about a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// `spin`.
    pub engine: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// How long it took.
    pub seconds: f64,
    /// The fault that is known of this engine and explains why it says something else.
    pub known_fault: Option<String>,
}

/// A notice and the shortest run that shows it.
#[derive(Clone, Debug)]
pub struct NoticeReport {
    /// The front-end's remark.
    pub notice: Notice,
    /// Where its text stands: `ag3.asl:27`.
    pub place: Option<String>,
    /// How many further notices say the same of the same text with other values.
    pub more: usize,
    /// The shortest run; `None` for what never happens.
    pub tale: Option<Tale>,
}

/// How a check ended; the exit code follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every claim has its expected verdict.
    AsExpected,
    /// Some claim has another.
    NotAsExpected,
    /// A limit stopped the run and nothing is against expectation.
    Inconclusive,
    /// The texts have errors, or no run satisfies the assumptions.
    BrokenInput,
    /// An external engine is missing, failed or disagrees.
    Engine,
    /// The tool broke a promise.
    Internal,
    /// The user stopped it.
    Interrupted,
}

impl ClaimReport {
    /// `holds fails reachable unreachable value unknown`, and of a verdict about a part of the runs `holds on the runs looked at`.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        if self.narrowed.is_empty() {
            return verdict_word(self.kind, &self.outcome.verdict);
        }
        match (self.kind, &self.outcome.verdict) {
            (Kind::Possible, Verdict::Holds) => "reachable on the runs looked at",
            (Kind::Possible, Verdict::Fails) => "unreachable on the runs looked at",
            (_, Verdict::Holds) => "holds on the runs looked at",
            (_, Verdict::Fails) => "fails on the runs looked at",
            (kind, verdict) => verdict_word(kind, verdict),
        }
    }

    /// Whether the verdict is the expected one; `None` when there is none.
    #[must_use]
    pub fn as_expected(&self) -> Option<bool> {
        if !self.narrowed.is_empty() {
            // What is so on some runs is no answer about all.
            return None;
        }
        match (&self.outcome.verdict, &self.expect) {
            (Verdict::Unknown(_), _) => None,
            // A question about a truth, such as `filter(state, P>0.5 [...], s)`, of which nobody expects anything.
            (Verdict::Holds | Verdict::Fails, Expect::Nothing) => Some(true),
            (Verdict::Holds, expect) => Some(*expect != Expect::Fails),
            (Verdict::Fails, expect) => Some(*expect == Expect::Fails),
            (Verdict::Value { low, high }, Expect::Value(least, most)) => {
                let above = |least: &String| self.end(*high).is_at_least(least);
                let below = |most: &String| self.end(*low).is_at_most(most);
                Some(least.as_ref().is_none_or(above) && most.as_ref().is_none_or(below))
            }
            (Verdict::Value { low, .. }, Expect::Time(least, most)) => {
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "milliseconds below 2^53 are exact, 285 000 years"
                )]
                let end = |bound: &Bound| bound.amount as f64;
                let above = |least: &Bound| *low > end(least) || *low == end(least) && !least.strict;
                let below = |most: &Bound| *low < end(most) || *low == end(most) && !most.strict;
                Some(least.as_ref().is_none_or(above) && most.as_ref().is_none_or(below))
            }
            (Verdict::Value { .. }, _) => Some(true),
        }
    }

    /// Whether the value that was found may be this one, or at most so far from it; `None` is infinite.
    #[must_use]
    pub fn may_be(&self, value: Option<Ratio>, tolerance: Ratio) -> bool {
        let Verdict::Value { low, high } = self.outcome.verdict else { return false };
        let Some(value) = value else { return high.is_infinite() };
        let (least, most) = (value.checked_sub(tolerance), value.checked_add(tolerance));
        let above = self.end(high).0.is_none_or(|end| least.is_some_and(|least| end >= least));
        above && self.end(low).0.is_some_and(|end| most.is_some_and(|most| end <= most))
    }

    /// An end of the interval that the value was found in, which is the value itself where that is known as a fraction. The
    /// value may be any number of the interval.
    fn end(&self, end: f64) -> End {
        let fraction = self.outcome.quantity.as_ref().and_then(|quantity| quantity.exact.as_ref());
        let exact = fraction.and_then(|text| Ratio::read(text)).or_else(|| Ratio::of_float(end));
        End(exact)
    }

    /// Whether it holds and says nothing.
    #[must_use]
    pub fn vacuous(&self) -> bool {
        self.outcome.verdict == Verdict::Holds && matches!(self.outcome.vacuity, Vacuity::NeverTriggered(_))
    }

    /// Whether a second engine says the opposite, or another number: intervals that do not meet. An engine that gave no
    /// answer does not disagree, and one that has a fault which is known to be the reason does not count.
    #[must_use]
    pub fn disputed(&self) -> bool {
        let counts = self.second.as_ref().is_some_and(|second| second.known_fault.is_none());
        counts && self.same() == Some(false)
    }

    /// Whether a second engine has given the same answer.
    #[must_use]
    pub fn agreed(&self) -> bool {
        self.same() == Some(true)
    }

    /// Whether two engines say the same; `None` unless both have an answer.
    fn same(&self) -> Option<bool> {
        match (&self.outcome.verdict, &self.second.as_ref()?.verdict) {
            (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) => None,
            (Verdict::Value { low, high }, Verdict::Value { low: least, high: most }) => {
                Some(!(high < least || most < low))
            }
            (first, second) => Some(first == second),
        }
    }
}

/// The word for a verdict, which depends on what was asked.
pub(crate) fn verdict_word(kind: Kind, verdict: &Verdict) -> &'static str {
    match (kind, verdict) {
        (_, Verdict::Unknown(_)) => "unknown",
        (_, Verdict::Value { .. }) => "value",
        (Kind::Possible, Verdict::Holds) => "reachable",
        (Kind::Possible, Verdict::Fails) => "unreachable",
        (_, Verdict::Holds) => "holds",
        (_, Verdict::Fails) => "fails",
    }
}

impl Report {
    /// Which strategies the numbers are over, where there are several: `numbers over weakly fair strategies`.
    pub(crate) fn numbers_over(&self) -> Option<String> {
        self.over.and_then(Over::words).map(|words| format!("numbers over {words}"))
    }

    /// How the check ended. A broken promise of ours outranks broken input, then a failed engine, then a surprise,
    /// then a limit. An interruption counts only where nothing graver is known.
    #[must_use]
    pub fn ending(&self) -> Ending {
        if !self.internal.is_empty() {
            return Ending::Internal;
        }
        if self.problems.has_errors() {
            return Ending::BrokenInput;
        }
        let contradictory =
            |claim: &ClaimReport| claim.kind == Kind::Assume && claim.outcome.verdict == Verdict::Fails;
        if self.claims.iter().any(contradictory) {
            return Ending::BrokenInput;
        }
        if !self.engine_failures.is_empty() || self.claims.iter().any(ClaimReport::disputed) {
            return Ending::Engine;
        }
        if self.claims.iter().any(|claim| claim.as_expected() == Some(false)) {
            return Ending::NotAsExpected;
        }
        let unknown = |claim: &&ClaimReport| claim.as_expected().is_none();
        let stopped = self.claims.iter().find(unknown);
        match stopped.map(|claim| &claim.outcome.verdict) {
            None if self.stop == Some(Stop::Interrupted) => Ending::Interrupted,
            None if self.stop.is_some() && self.claims.is_empty() => Ending::Inconclusive,
            None => Ending::AsExpected,
            Some(Verdict::Unknown(Stop::Interrupted)) => Ending::Interrupted,
            Some(_) => Ending::Inconclusive,
        }
    }

    /// Whether everything that the model can do was looked at; `None` where our own engine searched nothing.
    #[must_use]
    pub fn is_complete(&self) -> Option<bool> {
        self.coverage.as_ref().map(|coverage| coverage.complete && self.narrowed.is_empty())
    }

    /// Whether a limit or the user ended something that could go on.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        let limit = |stop: &Stop| {
            matches!(stop, Stop::Memory | Stop::Time | Stop::States | Stop::Depth | Stop::Interrupted)
        };
        let unknown = |claim: &ClaimReport| match &claim.outcome.verdict {
            Verdict::Unknown(stop) => limit(stop),
            _ => false,
        };
        self.stop.as_ref().is_some_and(limit) || self.claims.iter().any(unknown)
    }

    /// How many claims are vacuous.
    #[must_use]
    pub fn n_vacuous(&self) -> usize {
        self.claims.iter().filter(|claim| claim.vacuous()).count()
    }
}
