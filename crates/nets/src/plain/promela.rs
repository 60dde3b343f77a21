//! A place/transition net as one Promela process: a counter for each place, an option for each transition.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use motet_machine::Expr as Term;
use motet_machine::promela::{Branch, Item, Program, Statement, Variable, assign, names_of, unique};
use motet_model::{AtomId, Explorer, Export, Model, PromelaClaim, State, Steps};
use motet_source::{Problem, Span};

use crate::plain::PlainTransition;
use crate::plain::atoms::Predicate;
use crate::plain::semantics::Semantics;
use crate::promela::bounds::LIMIT_STATES;
use crate::promela::lack::Lack;
use crate::promela::names::{atom, legal};
use crate::promela::{STUCK, UNFAIR, look};

/// Larger nets do not compile in reasonable time.
const LIMIT_NODES: usize = 20_000;
/// The most tokens in a wide counter.
const WIDE: i64 = 1_000_000_000;

/// The translation of a net with the atoms of its claims.
pub(crate) struct Promela {
    semantics: Arc<Semantics>,
    atoms: Vec<String>,
    places: Vec<String>,
    span: Span,
    /// The most tokens that were seen in a place, and whether all markings were.
    most: OnceLock<(u32, bool)>,
}

impl Promela {
    pub(crate) fn new(semantics: &Arc<Semantics>, span: Span) -> Self {
        let mut taken = BTreeSet::from(["last".to_owned()]);
        let texts = &semantics.signature().atoms;
        let atoms = texts.iter().map(|text| unique(&mut taken, atom(text))).collect();
        let places =
            semantics.net.places.iter().map(|place| unique(&mut taken, legal(&place.name))).collect();
        Self { semantics: Arc::clone(semantics), atoms, places, span, most: OnceLock::new() }
    }

    /// Whether a byte is enough for every place.
    fn is_narrow(&self, explorer: &dyn Explorer) -> bool {
        let (most, complete) = *self.most.get_or_init(|| {
            let places = self.places.len();
            let mut most = 0;
            let complete = explorer.every_state(self.semantics.as_ref(), LIMIT_STATES, &mut |state| {
                most = state[..places].iter().copied().fold(most, u32::max);
            });
            (most, complete)
        });
        most <= 255 && complete
    }

    fn write(&self, claims: &[PromelaClaim], explorer: &dyn Explorer) -> Result<String, Lack> {
        let net = &self.semantics.net;
        if net.places.len() + net.transitions.len() > LIMIT_NODES {
            return Err(Lack::Size(format!(
                "{} places and {} transitions",
                net.places.len(),
                net.transitions.len()
            )));
        }
        let (kind, limit) = if self.is_narrow(explorer) { ("byte", 255) } else { ("int", WIDE) };
        let mut program = Program::new();
        program.remark(
            "A place/transition net as one Promela process, as `motet export --to promela` writes it.",
        );
        program.remark(format!("Net: {}", net.name));
        program.remark("p.1: places");
        for (place, name) in net.places.iter().zip(&self.places) {
            let initial = number(i64::from(place.initial))?;
            program.push(Variable::new(kind, name).starting(initial));
        }
        let remembered = self.semantics.remembered();
        if !remembered.is_empty() {
            program.push(Variable::new("int", "last"));
        }
        program.push(Variable::new("byte", "bound_tokens").hidden());
        program.push(Item::check());
        let looks = self.looks(claims, &mut program)?;
        let tell = self.tell();
        let mut options = Vec::new();
        for (number, transition) in net.transitions.iter().enumerate() {
            let mut step = vec![Statement::Wait(self.condition(transition))];
            step.extend(self.effects(transition, limit));
            step.extend(remembered.get(number).map(|last| assign("last", i64::from(*last))));
            step.extend(looks.iter().chain(&tell).cloned());
            let title = format!("t.2: {}", transition.name);
            options.push(Branch::open(vec![Statement::Step(step)]).titled(title));
        }
        options.push(Branch::when(Term::Truth(false), Vec::new()));
        let body = vec![Statement::Label("end".to_owned()), Statement::Do(options)];
        program.push(Item::Process { name: "Net".to_owned(), active: true, body });
        claims.iter().for_each(|claim| program.claim(&claim.name, &claim.text, &claim.formula));
        Ok(program.print())
    }

    /// Declares the atoms of the claims; the statements that look at them after each step.
    fn looks(&self, claims: &[PromelaClaim], program: &mut Program) -> Result<Vec<Statement>, Lack> {
        let used: BTreeSet<&str> = claims.iter().flat_map(|claim| names_of(&claim.formula)).collect();
        let mut initial = Vec::new();
        self.semantics.initial(&mut initial);
        let start = initial.first().expect("a net has an initial marking");
        let mut looks = Vec::new();
        for ((number, name), predicate) in (0..).map(AtomId).zip(&self.atoms).zip(self.semantics.predicates())
        {
            if used.contains(name.as_str()) {
                let now = self.semantics.holds(number, start);
                looks.push(look(program, name, now, self.predicate(predicate)?));
            }
        }
        if used.contains(STUCK) {
            let open = Term::any(self.semantics.net.transitions.iter().map(|one| self.condition(one)));
            let mut steps = Steps::new(start.len());
            let now = self.semantics.steps(start, &mut steps).is_ok() && steps.is_empty();
            looks.push(look(program, STUCK, now, open.not()));
        }
        Ok(looks)
    }

    fn count(&self, place: usize) -> Term {
        Term::variable(&self.places[place])
    }

    /// Tokens that are read stay, so they are others than those that are taken.
    fn condition(&self, transition: &PlainTransition) -> Term {
        let mut needs: BTreeMap<usize, i64> = BTreeMap::new();
        for arc in transition.inputs.iter().chain(&transition.reads) {
            *needs.entry(arc.place).or_default() += i64::from(arc.weight);
        }
        let needed = needs.iter().map(|(place, count)| self.count(*place).at_least(*count));
        let stay = transition.inhibitors.iter();
        let stay = stay.map(|arc| self.count(arc.place).less(i64::from(arc.weight)));
        let room = changes(transition).into_iter().filter_map(|(place, change)| {
            let capacity = self.semantics.net.places[place].capacity.filter(|_| change > 0)?;
            let sum = self.count(place).plus(change);
            Some(sum.at_most(i64::from(capacity)))
        });
        Term::all(needed.chain(stay).chain(room))
    }

    fn effects(&self, transition: &PlainTransition, limit: i64) -> Vec<Statement> {
        let mut effects = Vec::new();
        for (place, change) in changes(transition) {
            let sum = self.count(place).moved(change);
            if change > 0 {
                effects.push(Statement::check("bound_tokens", sum.at_most(limit)));
            }
            effects.push(assign(&self.places[place], sum));
        }
        effects
    }

    fn predicate(&self, predicate: &Predicate) -> Result<Term, Lack> {
        let all = |parts: &[Predicate]| {
            parts.iter().map(|part| self.predicate(part)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match predicate {
            Predicate::Constant(truth) => Term::Truth(*truth),
            Predicate::Compare(sum, comparison) => {
                let (terms, constant) = sum.parts();
                let mut total = number(constant)?;
                for (place, factor) in terms {
                    total = self.count(*place as usize).times(&number(*factor)?).plus(&total);
                }
                comparison.operator().map_or(Term::Truth(false), |operator| total.with(operator, &0.into()))
            }
            Predicate::Enabled(transitions) => {
                let own = transitions
                    .iter()
                    .map(|one| self.condition(&self.semantics.net.transitions[*one as usize]));
                Term::any(own)
            }
            Predicate::Fired(transitions) => {
                Term::any(transitions.iter().map(|one| Term::variable("last").equals(i64::from(*one) + 1)))
            }
            Predicate::Not(inner) => self.predicate(inner)?.not(),
            Predicate::All(parts) => Term::all(all(parts)?),
            Predicate::Any(parts) => Term::any(all(parts)?),
        })
    }

    /// The marking as a line.
    fn tell(&self) -> Vec<Statement> {
        let last = (!self.semantics.remembered().is_empty()).then_some("last");
        Statement::tell(self.places.iter().map(String::as_str).chain(last).map(Term::variable))
    }
}

/// What becomes of the places that change.
fn changes(transition: &PlainTransition) -> BTreeMap<usize, i64> {
    let mut changes: BTreeMap<usize, i64> = BTreeMap::new();
    for arc in &transition.inputs {
        *changes.entry(arc.place).or_default() -= i64::from(arc.weight);
    }
    for arc in &transition.outputs {
        *changes.entry(arc.place).or_default() += i64::from(arc.weight);
    }
    changes.retain(|_, change| *change != 0);
    changes
}

fn number(number: i64) -> Result<Term, Lack> {
    if number.abs() > WIDE { Err(Lack::Number(number)) } else { Ok(Term::from(number)) }
}

impl Export for Promela {
    fn promela_atom(&self, atom: AtomId) -> String {
        self.atoms.get(atom.index()).cloned().unwrap_or_else(|| format!("atom_{}", atom.0))
    }

    fn promela(&self, claims: &[PromelaClaim], explorer: &dyn Explorer) -> Result<String, Box<Problem>> {
        self.write(claims, explorer).map_err(|lack| lack.at(self.span))
    }

    fn promela_deadlock(&self) -> Option<String> {
        Some(STUCK.to_owned())
    }

    fn promela_unfair(&self) -> Option<String> {
        Some(UNFAIR.to_owned())
    }

    fn promela_state(&self, state: &State) -> Option<String> {
        Some(state.iter().map(u32::to_string).collect::<Vec<_>>().join(" "))
    }
}
