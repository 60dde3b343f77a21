//! The Model Checking Contest: one net with its files of formulas, answered from one exploration.

use std::collections::BTreeMap;

use motet_engine::{Examine, Limits, Progress, Proof, Report, Settings, check_all};
use motet_evidence::{Outcome, Stop, Verdict};
use motet_model::AtomId;
use motet_nets::plain::Semantics;
use motet_pnml::Imported;
use motet_pnml::contest::{Atoms, Logic, Property, Question, deadlock, read_properties};
use motet_property::{Claim, Expect, Formula, Kind, Path};
use motet_render::{Contest, ContestAnswer, StateSpace, Truth, stop_reason};
use motet_source::{FileId, Problems, Sources, Span};

use crate::loading::load::file_name;

/// The examination that has no file: whether some marking is dead.
const DEADLOCK: &str = "ReachabilityDeadlock";

/// Answers that are known from elsewhere.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By net and id of the formula.
    answers: BTreeMap<(String, String), Truth>,
    /// By net.
    spaces: BTreeMap<String, StateSpace>,
}

impl Known {
    /// Adds the lines `instance,examination,formula_id,answer` of a table. Lines of another form say nothing.
    pub fn add_answers(&mut self, csv: &str) {
        for line in csv.lines() {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            let [instance, _, id, answer] = fields.as_slice() else { continue };
            let truth = match *answer {
                "TRUE" => Truth::Answer(true),
                "FALSE" => Truth::Answer(false),
                number => match number.parse() {
                    Ok(number) => Truth::Number(number),
                    Err(_) => continue,
                },
            };
            self.answers.insert(((*instance).to_owned(), (*id).to_owned()), truth);
        }
    }

    /// Adds the lines `instance,states,transitions,max_token_in_place,max_token_per_marking` of a table.
    pub fn add_spaces(&mut self, csv: &str) {
        for line in csv.lines() {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            let [instance, numbers @ ..] = fields.as_slice() else { continue };
            let numbers: Vec<u64> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
            if let [states, transitions, most_in_place, most_in_marking] = numbers[..] {
                let space = StateSpace { states, transitions, most_in_place, most_in_marking };
                self.spaces.insert((*instance).to_owned(), space);
            }
        }
    }

    fn answer(&self, instance: &str, id: &str) -> Option<Truth> {
        self.answers.get(&(instance.to_owned(), id.to_owned())).cloned()
    }
}

/// Answers all formulas about a net. The texts are one PNML file and any number of files of properties, whose names are those
/// of the examinations. When the texts cannot be read, the problems say why.
pub fn contest(
    instance: &str,
    sources: &Sources,
    known: &Known,
    limits: &Limits,
    problems: &mut Problems,
    watch: &mut dyn FnMut(Progress),
) -> Contest {
    let mut contest = Contest {
        instance: instance.to_owned(),
        known_space: known.spaces.get(instance).copied(),
        ..Contest::default()
    };
    match Entry::read(sources, problems).and_then(|entry| entry.answer(limits, problems, watch)) {
        Some(answered) => {
            contest.answers = answered.answers;
            contest.space = answered.space;
            contest.bytes = answered.bytes;
            contest.seconds = answered.seconds;
        }
        None => contest.refused = Some("the files have errors".to_owned()),
    }
    for answer in &mut contest.answers {
        answer.known = known.answer(instance, &answer.id);
    }
    contest
}

/// A net and what is asked about it.
struct Entry {
    net: Imported,
    atoms: Atoms,
    questions: Vec<(String, Property)>,
}

struct Answered {
    answers: Vec<ContestAnswer>,
    space: Option<StateSpace>,
    bytes: u64,
    seconds: f64,
}

impl Entry {
    fn read(sources: &Sources, problems: &mut Problems) -> Option<Self> {
        let with = |extension: &'static str| {
            sources.iter().filter(move |(_, file)| file.path.to_ascii_lowercase().ends_with(extension))
        };
        let (id, file) = with(".pnml").next()?;
        let net = motet_pnml::read(id, &file.text, problems)?;
        let mut atoms = Atoms::new();
        let place = Span::new(id, 0, 0);
        let dead = Property { id: DEADLOCK.to_owned(), question: deadlock(), span: place };
        let mut questions = vec![(DEADLOCK.to_owned(), dead)];
        let mut failed = false;
        for (id, file) in with(".xml") {
            let name = file_name(&file.path);
            let examination = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
            let logic = if examination.contains("LTL") { Logic::Linear } else { Logic::Branching };
            match read_properties(id, &file.text, &net, logic, &mut atoms, problems) {
                Some(properties) => {
                    // A file that asks about dead markings says it better than we do.
                    if examination == DEADLOCK {
                        questions.remove(0);
                    }
                    questions.extend(properties.into_iter().map(|property| (examination.clone(), property)));
                }
                None => failed = true,
            }
        }
        (!failed).then_some(Self { net, atoms, questions })
    }

    fn answer(
        self,
        limits: &Limits,
        problems: &mut Problems,
        watch: &mut dyn FnMut(Progress),
    ) -> Option<Answered> {
        let Self { net, atoms, questions } = self;
        let mut semantics = Semantics::with_atoms(net.net, atoms.list(), problems)?;
        let mut plans = Vec::new();
        let mut claims = Vec::new();
        for (_, property) in &questions {
            plans.push(match &property.question {
                Question::Holds(formula) => Plan::new(formula.clone(), &mut claims),
                Question::Most(places) => {
                    semantics.watch_sum(places);
                    Plan::Most(plans.iter().filter(|plan| matches!(plan, Plan::Most(_))).count())
                }
            });
        }
        let settings = Settings {
            limits: limits.clone(),
            vacuity: Examine::No,
            proof: Proof::Omitted,
            ..Settings::default()
        };
        let report = check_all(&semantics, &claims, &settings, watch);
        let verdicts = Verdicts { report: &report, sums: semantics.most_in_sums() };
        let answers = questions.into_iter().zip(&plans).map(|((examination, property), plan)| {
            ContestAnswer { examination, id: property.id, found: verdicts.truth(plan), known: None }
        });
        let answers = answers.collect();
        let space = report.coverage.complete.then(|| StateSpace {
            states: report.coverage.states,
            transitions: report.coverage.transitions,
            most_in_place: u64::from(semantics.most_in_place()),
            most_in_marking: semantics.most_in_all(),
        });
        let (bytes, seconds) = (report.coverage.peak_bytes, report.coverage.seconds);
        Some(Answered { answers, space, bytes, seconds })
    }
}

/// How the answer to a formula follows from answers of claims. Connectives at the top are taken apart: where not everything
/// could be explored, one side may be known and decide.
enum Plan {
    Claim(usize),
    Not(Box<Plan>),
    And(Box<Plan>, Box<Plan>),
    Or(Box<Plan>, Box<Plan>),
    /// The maximum of the watched sum with this number.
    Most(usize),
}

impl Plan {
    fn new(formula: Formula<AtomId>, claims: &mut Vec<Claim<AtomId>>) -> Self {
        let is_mixed = |formula: &Formula<AtomId>| has_runs(formula);
        match formula {
            Formula::Not(inner) if is_mixed(&inner) => Self::Not(Box::new(Self::new(*inner, claims))),
            Formula::And(left, right) if is_mixed(&left) || is_mixed(&right) => {
                let left = Self::new(*left, claims);
                Self::And(Box::new(left), Box::new(Self::new(*right, claims)))
            }
            Formula::Or(left, right) if is_mixed(&left) || is_mixed(&right) => {
                let left = Self::new(*left, claims);
                Self::Or(Box::new(left), Box::new(Self::new(*right, claims)))
            }
            formula => {
                claims.push(claim(formula));
                Self::Claim(claims.len() - 1)
            }
        }
    }
}

/// Whether a formula says something about runs.
fn has_runs(formula: &Formula<AtomId>) -> bool {
    formula.any_leaf(&mut |leaf| matches!(leaf, Formula::Runs(..)))
}

fn claim(formula: Formula<AtomId>) -> Claim<AtomId> {
    Claim {
        name: String::new(),
        words: None,
        kind: Kind::Property,
        formula: Path::Now(formula),
        expect: Expect::Nothing,
        span: Span::new(FileId(0), 0, 0),
        text: String::new(),
    }
}

struct Verdicts<'r> {
    report: &'r Report,
    sums: Vec<u64>,
}

impl Verdicts<'_> {
    fn truth(&self, plan: &Plan) -> Truth {
        match plan {
            Plan::Claim(number) => truth(&self.report.outcomes[*number]),
            Plan::Not(inner) => match self.truth(inner) {
                Truth::Answer(value) => Truth::Answer(!value),
                other => other,
            },
            Plan::And(left, right) => self.joined(left, right, false),
            Plan::Or(left, right) => self.joined(left, right, true),
            Plan::Most(number) if self.report.coverage.complete => Truth::Number(self.sums[*number]),
            Plan::Most(_) => {
                let stop = self.report.stop.as_ref();
                Truth::Unknown(stop.map_or_else(|| "not all was explored".to_owned(), stop_reason))
            }
        }
    }

    /// One side is enough if it has the decisive value.
    fn joined(&self, left: &Plan, right: &Plan, decisive: bool) -> Truth {
        match (self.truth(left), self.truth(right)) {
            (Truth::Answer(value), _) | (_, Truth::Answer(value)) if value == decisive => {
                Truth::Answer(decisive)
            }
            (Truth::Answer(_), Truth::Answer(_)) => Truth::Answer(!decisive),
            (Truth::Answer(_), unknown) | (unknown, _) => unknown,
        }
    }
}

fn truth(outcome: &Outcome) -> Truth {
    match &outcome.verdict {
        Verdict::Holds => Truth::Answer(true),
        Verdict::Fails => Truth::Answer(false),
        Verdict::Value { .. } => Truth::Unknown("a number".to_owned()),
        Verdict::Unknown(Stop::Unsupported(what)) => Truth::Unknown(what.clone()),
        Verdict::Unknown(stop) => Truth::Unknown(stop_reason(stop)),
    }
}
