//! A place/transition net as one Promela process: a counter for each place, an option for each transition.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use motet_model::{AtomId, Export, Model, PromelaClaim, State, Steps};
use motet_source::{Problem, Span};

use crate::plain::PlainTransition;
use crate::plain::atoms::Predicate;
use crate::plain::semantics::Semantics;
use crate::promela::bounds::every_state;
use crate::promela::lack::Lack;
use crate::promela::names::{atom, legal, remark, unique};
use crate::promela::term::Term;
use crate::promela::{STUCK, UNFAIR, words};

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
    fn is_narrow(&self) -> bool {
        let (most, complete) = *self.most.get_or_init(|| {
            let places = self.places.len();
            let mut most = 0;
            let complete = every_state(self.semantics.as_ref(), &mut |state| {
                most = state[..places].iter().copied().fold(most, u32::max);
            });
            (most, complete)
        });
        most <= 255 && complete
    }

    fn write(&self, claims: &[PromelaClaim]) -> Result<String, Lack> {
        let net = &self.semantics.net;
        if net.places.len() + net.transitions.len() > LIMIT_NODES {
            return Err(Lack::Size(format!(
                "{} places and {} transitions",
                net.places.len(),
                net.transitions.len()
            )));
        }
        let (kind, limit) = if self.is_narrow() { ("byte", 255) } else { ("int", WIDE) };
        let mut lines = vec![
            remark(
                "A place/transition net as one Promela process, as `motet export --to promela` writes it.",
            ),
            remark(&format!("Net: {}", net.name)),
            "/* p.1: places */".to_owned(),
        ];
        for (place, name) in net.places.iter().zip(&self.places) {
            if i64::from(place.initial) > WIDE {
                return Err(Lack::Number(i64::from(place.initial)));
            }
            lines.push(format!("{kind} {name} = {};", place.initial));
        }
        let asks = !self.semantics.remembered().is_empty();
        lines.extend(asks.then(|| "int last;".to_owned()));
        lines.push("hidden byte bound_tokens;".to_owned());
        lines.push("#define CHECK(flag, condition) flag = ((condition) -> 1 : 0); assert(flag)".to_owned());
        let looks = self.looks(claims, &mut lines)?;
        lines.push("active proctype Net() {".to_owned());
        lines.push("end:".to_owned());
        lines.push("  do".to_owned());
        let tell = self.tell();
        for (number, transition) in net.transitions.iter().enumerate() {
            lines.push(format!("  {}", remark(&format!("t.2: {}", transition.name))));
            let condition = self.condition(transition);
            let mut effects = self.effects(transition, limit);
            effects.extend(self.semantics.remembered().get(number).map(|last| format!("last = {last}")));
            effects.extend(looks.iter().cloned());
            effects.extend(tell.iter().cloned());
            lines.push(format!("  :: d_step {{ {} -> {} }}", condition.show(), effects.join("; ")));
        }
        lines.push("  :: false".to_owned());
        lines.push("  od".to_owned());
        lines.push("}".to_owned());
        for claim in claims {
            lines.push(remark(&claim.text));
            lines.push(format!("ltl {} {{ {} }}", claim.name, claim.formula));
        }
        Ok(lines.join("\n") + "\n")
    }

    /// Declares the atoms of the claims; the statements that look at them after each step.
    fn looks(&self, claims: &[PromelaClaim], lines: &mut Vec<String>) -> Result<Vec<String>, Lack> {
        let used: BTreeSet<&str> = claims.iter().flat_map(|claim| words(&claim.formula)).collect();
        let mut initial = Vec::new();
        self.semantics.initial(&mut initial);
        let start = initial.first().expect("a net has an initial marking");
        let mut looks = Vec::new();
        let mut look = |name: &str, now: bool, condition: &Term| {
            lines.push(format!("#define now_{name} {}", condition.show()));
            lines.push(format!("bit {name} = {};", u8::from(now)));
            looks.push(format!("{name} = now_{name}"));
        };
        for ((number, name), predicate) in (0..).map(AtomId).zip(&self.atoms).zip(self.semantics.predicates())
        {
            if used.contains(name.as_str()) {
                look(name, self.semantics.holds(number, start), &self.predicate(predicate)?);
            }
        }
        if used.contains(STUCK) {
            let open = Term::any(self.semantics.net.transitions.iter().map(|one| self.condition(one)));
            let mut steps = Steps::new(start.len());
            let now = self.semantics.steps(start, &mut steps).is_ok() && steps.is_empty();
            look(STUCK, now, &open.not());
        }
        Ok(looks)
    }

    fn count(&self, place: usize) -> Term {
        Term::text(self.places[place].clone())
    }

    /// Tokens that are read stay, so they are others than those that are taken.
    fn condition(&self, transition: &PlainTransition) -> Term {
        let mut needs: BTreeMap<usize, i64> = BTreeMap::new();
        for arc in transition.inputs.iter().chain(&transition.reads) {
            *needs.entry(arc.place).or_default() += i64::from(arc.weight);
        }
        let needed = needs.iter().map(|(place, count)| self.count(*place).with(">=", &Term::number(*count)));
        let stay = transition.inhibitors.iter();
        let stay = stay.map(|arc| self.count(arc.place).with("<", &Term::number(i64::from(arc.weight))));
        let room = changes(transition).into_iter().filter_map(|(place, change)| {
            let capacity = self.semantics.net.places[place].capacity.filter(|_| change > 0)?;
            let sum = self.count(place).with("+", &Term::number(change));
            Some(sum.with("<=", &Term::number(i64::from(capacity))))
        });
        Term::all(needed.chain(stay).chain(room))
    }

    fn effects(&self, transition: &PlainTransition, limit: i64) -> Vec<String> {
        let mut lines = Vec::new();
        for (place, change) in changes(transition) {
            let sum = self.count(place).with(if change < 0 { "-" } else { "+" }, &Term::number(change.abs()));
            if change > 0 {
                lines.push(format!("CHECK(bound_tokens, {} <= {limit})", sum.show()));
            }
            lines.push(format!("{} = {}", self.places[place], sum.show()));
        }
        lines
    }

    fn predicate(&self, predicate: &Predicate) -> Result<Term, Lack> {
        let all = |parts: &[Predicate]| {
            parts.iter().map(|part| self.predicate(part)).collect::<Result<Vec<_>, _>>()
        };
        Ok(match predicate {
            Predicate::Constant(truth) => Term::truth(*truth),
            Predicate::Compare(sum, comparison) => {
                let (terms, constant) = sum.parts();
                let mut total = number(constant)?;
                for (place, factor) in terms {
                    total = self.count(*place as usize).with("*", &number(*factor)?).with("+", &total);
                }
                comparison.sign().map_or(Term::truth(false), |sign| total.with(sign, &Term::number(0)))
            }
            Predicate::Enabled(transitions) => {
                let own = transitions
                    .iter()
                    .map(|one| self.condition(&self.semantics.net.transitions[*one as usize]));
                Term::any(own)
            }
            Predicate::Fired(transitions) => Term::any(
                transitions.iter().map(|one| Term::text("last").equals(&Term::number(i64::from(*one) + 1))),
            ),
            Predicate::Not(inner) => self.predicate(inner)?.not(),
            Predicate::All(parts) => Term::all(all(parts)?),
            Predicate::Any(parts) => Term::any(all(parts)?),
        })
    }

    /// The marking as a line.
    fn tell(&self) -> Vec<String> {
        let last = (!self.semantics.remembered().is_empty()).then(|| "last".to_owned());
        let numbers: Vec<String> = self.places.iter().cloned().chain(last).collect();
        let mut lines = vec!["printf(\"@motet state\")".to_owned()];
        for some in numbers.chunks(6) {
            lines.push(format!("printf(\"{}\", {})", " %d".repeat(some.len()), some.join(", ")));
        }
        lines.push("printf(\"\\n\")".to_owned());
        lines
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
    if number.abs() > WIDE { Err(Lack::Number(number)) } else { Ok(Term::number(number)) }
}

impl Export for Promela {
    fn promela_atom(&self, atom: AtomId) -> String {
        self.atoms.get(atom.index()).cloned().unwrap_or_else(|| format!("atom_{}", atom.0))
    }

    fn promela(&self, claims: &[PromelaClaim]) -> Result<String, Box<Problem>> {
        self.write(claims).map_err(|lack| lack.at(self.span))
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
