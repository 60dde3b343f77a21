//! What claims say about a single state: their atoms get a meaning here.

use std::collections::BTreeSet;

use motet_model::{AtomText, Expr as Text, Operator};
use motet_source::{Problem, Problems, Span, Spanned, suggest};

use crate::lexicon::{self, Lexicon};
use crate::program::{Atom, Condition, Expr, Operation, Pattern, Plan, Program, Value};
use crate::semantics::Choices;
use crate::semantics::bindings::Bindings;
use crate::semantics::condition::Reasoner;
use crate::semantics::mind::{Instance, Mind, SeatId};
use crate::semantics::team::{MINDS, QUEUE, WORLD};
use crate::semantics::thinker::Act;
use crate::semantics::world;
use crate::syntax::{Sign, TriggerKind, WorldOperator};
use crate::term::{Term, TermId, Terms};

/// One bit per atom.
pub(crate) type Bits = Box<[u64]>;

/// A predicate over states. Each looks at a single slot, so that its value is computed once per value of the slot.
#[derive(Clone, Debug)]
pub(crate) enum Predicate {
    /// Over the mind of one agent.
    Mind(usize, MindTest),
    /// Over the environment.
    World(Fact),
    /// `Does`: the next action.
    Next(usize, Pattern),
    /// `Did`: the last action.
    Last(usize, Pattern),
}

/// A predicate over a mind. Patterns have no variables, only `_`.
#[derive(Clone, Debug)]
pub(crate) enum MindTest {
    /// It follows from beliefs and rules.
    Believes(Condition),
    /// It is posted, or intended.
    Desires(Pattern),
    /// A plan for it is on a stack.
    Intends(Pattern),
    /// It occurs in what is left of an intention.
    WillDo(Pattern),
    /// It is the first message of the mailbox, from this agent.
    Hears(usize, Pattern),
}

/// A predicate over the environment.
#[derive(Clone, Debug)]
pub(crate) enum Fact {
    /// Somebody perceives it.
    Percept(Pattern),
    /// A condition over the variables.
    Expr(Expr),
    /// Negation.
    Not(Box<Fact>),
    /// Conjunction.
    And(Box<Fact>, Box<Fact>),
    /// Disjunction.
    Or(Box<Fact>, Box<Fact>),
}

impl Predicate {
    /// Whether it looks at the last action.
    pub(crate) fn asks_last_action(&self) -> bool {
        matches!(self, Self::Last(..))
    }

    /// The slot it looks at.
    pub(crate) fn place(&self, last_action: Option<usize>) -> usize {
        match self {
            Self::Mind(agent, _) => MINDS + agent,
            Self::World(_) => WORLD,
            Self::Next(..) => QUEUE,
            Self::Last(..) => last_action.expect("a team has the slot if a predicate asks for it"),
        }
    }

    /// Its value, if it is about this agent's mind.
    pub(crate) fn holds_of_mind(&self, program: &Program, agent: usize, mind: &Mind) -> bool {
        match self {
            Self::Mind(whose, test) if *whose == agent => test.holds(program, agent, mind),
            _ => false,
        }
    }

    /// Its value, if it is about the environment.
    pub(crate) fn holds_of_world<'t>(
        &self,
        program: &Program,
        cells: &[Value],
        percepts: &dyn Fn(usize) -> &'t [TermId],
    ) -> bool {
        match self {
            Self::World(fact) => fact.holds(program, cells, percepts),
            _ => false,
        }
    }

    /// Its value, if it is about the action in this slot.
    pub(crate) fn holds_of_action(&self, program: &Program, slot: usize, act: Option<Act>) -> bool {
        match (self, act) {
            (Self::Next(agent, pattern), Some(act)) if slot == QUEUE => {
                *agent == act.agent as usize && matches(&program.terms, pattern, act.action)
            }
            (Self::Last(agent, pattern), Some(act)) if slot != QUEUE => {
                *agent == act.agent as usize && matches(&program.terms, pattern, act.action)
            }
            _ => false,
        }
    }
}

impl MindTest {
    fn holds(&self, program: &Program, agent: usize, mind: &Mind) -> bool {
        let terms = &program.terms;
        let plans = &program.agents[agent].plans;
        match self {
            // A derivation that exceeds a bound proves nothing; the same bound is a fault wherever the agent itself
            // needs the condition.
            Self::Believes(condition) => {
                let mut choices = Choices::default();
                let mut reasoner = Reasoner::new(program, agent, mind, &mut choices, Vec::new());
                reasoner.solve(condition).unwrap_or(false)
            }
            Self::Intends(goal) => intends(terms, plans, mind, goal),
            Self::Desires(goal) => {
                let posted = mind.events.iter().any(|event| {
                    event.trigger.kind == TriggerKind::Achieve
                        && event.trigger.sign == Sign::Added
                        && matches(terms, goal, event.trigger.term)
                });
                posted || intends(terms, plans, mind, goal)
            }
            Self::WillDo(action) => mind.instances().any(|(seat, instance)| {
                will_do(program, &plans[instance.plan as usize], mind, seat, instance, action)
            }),
            Self::Hears(from, content) => mind.mail.first().is_some_and(|message| {
                message.sender as usize == *from && matches(terms, content, message.content)
            }),
        }
    }
}

/// INTEND of Bordini et al. 2003, 4.2: the goal is the trigger of a plan on some stack, running or suspended.
fn intends(terms: &Terms, plans: &[Plan], mind: &Mind, goal: &Pattern) -> bool {
    mind.instances().any(|(_, instance)| {
        let plan = &plans[instance.plan as usize];
        plan.kind == TriggerKind::Achieve
            && plan.sign == Sign::Added
            && matches(terms, goal, instance.trigger)
    })
}

/// Whether the action occurs in a formula that the instance may still execute.
fn will_do(
    program: &Program,
    plan: &Plan,
    mind: &Mind,
    seat: SeatId,
    instance: &Instance,
    action: &Pattern,
) -> bool {
    // A suspended instance stands at the formula it waits for, which is executed already.
    let first = instance.counter as usize + usize::from(!mind.runnable.contains(&seat));
    let mut ahead = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        let Some(instruction) = plan.body.get(at) else { continue };
        let next = match &instruction.operation {
            Operation::Jump(target) => vec![*target],
            Operation::Branch(_, target) | Operation::Each { end: target, .. } => vec![at + 1, *target],
            _ => vec![at + 1],
        };
        open.extend(next.into_iter().filter(|&next| ahead.insert(next)));
        if let Operation::Act(pattern) = &instruction.operation {
            let mut bindings = Bindings::new(&program.terms, program.bounds.terms, instance.binding.to_vec());
            let built = bindings.build_open(pattern, 0);
            if built.is_ok_and(|built| matches(&program.terms, action, built)) {
                return true;
            }
        }
    }
    false
}

impl Fact {
    fn holds<'t>(
        &self,
        program: &Program,
        cells: &[Value],
        percepts: &dyn Fn(usize) -> &'t [TermId],
    ) -> bool {
        match self {
            Self::Percept(pattern) => (0..program.agents.len())
                .any(|agent| percepts(agent).iter().any(|&term| matches(&program.terms, pattern, term))),
            Self::Expr(expr) => {
                let value = world::evaluate(&program.environment, cells, &mut Vec::new(), expr);
                value.is_ok_and(|value| value == Value::Bool(true))
            }
            Self::Not(of) => !of.holds(program, cells, percepts),
            Self::And(left, right) => {
                left.holds(program, cells, percepts) && right.holds(program, cells, percepts)
            }
            Self::Or(left, right) => {
                left.holds(program, cells, percepts) || right.holds(program, cells, percepts)
            }
        }
    }
}

/// Whether a term is an instance of a pattern without variables.
pub(crate) fn matches(terms: &Terms, pattern: &Pattern, term: TermId) -> bool {
    match pattern {
        Pattern::Any => true,
        Pattern::Ground(ground) => *ground == term,
        Pattern::Structure(functor, args) => match &*terms.get(term) {
            Term::Structure(other, values) => {
                functor == other
                    && args.len() == values.len()
                    && args.iter().zip(values).all(|(arg, &value)| matches(terms, arg, value))
            }
            _ => false,
        },
        Pattern::Variable(_) | Pattern::Arithmetic(..) => false,
    }
}

/// Gives atoms their meaning.
pub(crate) struct Resolver<'a> {
    program: &'a Program,
    lexicon: &'a Lexicon,
    problems: &'a mut Problems,
    span: Span,
}

/// The predicates of all atoms, or `None` if the problems say what is wrong with one.
pub(crate) fn resolve(
    program: &Program,
    lexicon: &Lexicon,
    atoms: &[Spanned<AtomText>],
    problems: &mut Problems,
) -> Option<Vec<Predicate>> {
    let mut all = Vec::with_capacity(atoms.len());
    for atom in atoms {
        let mut resolver = Resolver { program, lexicon, problems, span: atom.span };
        all.push(resolver.atom(&atom.node));
    }
    all.into_iter().collect()
}

impl Resolver<'_> {
    fn atom(&mut self, atom: &AtomText) -> Option<Predicate> {
        let lexicon = self.lexicon;
        match atom {
            AtomText::Fact(fact) => self.fact(fact).map(Predicate::World),
            AtomText::Believes(agent, content) => {
                let agent = self.agent(agent)?;
                let content = self.believed(agent, content)?;
                Some(Predicate::Mind(agent, MindTest::Believes(content)))
            }
            AtomText::Desires(agent, goal) => {
                let agent = self.agent(agent)?;
                let goal = self.known(goal, &lexicon.goals[agent], "goal", Some(agent))?;
                Some(Predicate::Mind(agent, MindTest::Desires(goal)))
            }
            AtomText::Intends(agent, goal) => {
                let agent = self.agent(agent)?;
                let goal = self.known(goal, &lexicon.goals[agent], "goal", Some(agent))?;
                Some(Predicate::Mind(agent, MindTest::Intends(goal)))
            }
            AtomText::Does(agent, act) => {
                let agent = self.agent(agent)?;
                Some(Predicate::Next(agent, self.known(act, &lexicon.actions[agent], "action", Some(agent))?))
            }
            AtomText::Did(agent, act) => {
                let agent = self.agent(agent)?;
                Some(Predicate::Last(agent, self.known(act, &lexicon.actions[agent], "action", Some(agent))?))
            }
            AtomText::WillDo(agent, act) => {
                let agent = self.agent(agent)?;
                let act = self.known(act, &lexicon.actions[agent], "action", Some(agent))?;
                Some(Predicate::Mind(agent, MindTest::WillDo(act)))
            }
            AtomText::Says(from, to, content) => {
                let (from, to) = (self.agent(from)?, self.agent(to)?);
                let content = self.known(content, &lexicon.messages, "message", None)?;
                Some(Predicate::Mind(to, MindTest::Hears(from, content)))
            }
        }
    }

    fn agent(&mut self, name: &str) -> Option<usize> {
        let names: Vec<String> = self.names();
        let found = names.iter().position(|known| known == name);
        if found.is_none() {
            let help = match suggest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the agents are {}", names.join(", ")),
            };
            self.error("M0480", format!("there is no agent `{name}`"), help);
        }
        found
    }

    fn names(&self) -> Vec<String> {
        let name = |agent: &crate::program::Agent| self.program.terms.name(agent.name).to_string();
        self.program.agents.iter().map(name).collect()
    }

    fn believed(&mut self, agent: usize, content: &Text) -> Option<Condition> {
        match content {
            Text::Not(of) => Some(Condition::Not(Box::new(self.believed(agent, of)?))),
            Text::Binary(Operator::And, left, right) => {
                Some(Condition::And(vec![self.believed(agent, left)?, self.believed(agent, right)?]))
            }
            Text::Binary(Operator::Or, left, right) => {
                Some(Condition::Or(vec![self.believed(agent, left)?, self.believed(agent, right)?]))
            }
            _ => {
                let known = &self.lexicon.beliefs[agent];
                let pattern = self.known(content, known, "belief", Some(agent))?;
                Some(Condition::Belief(Atom { pattern, source: None }))
            }
        }
    }

    /// A pattern whose predicate is one of the known words.
    fn known(
        &mut self,
        text: &Text,
        words: &BTreeSet<lexicon::Predicate>,
        kind: &str,
        agent: Option<usize>,
    ) -> Option<Pattern> {
        let Text::Call(name, args) = text else {
            self.error(
                "M0483",
                format!("`{text}` is not a {kind}"),
                "write a predicate with ground arguments or `_`, like `winner(_)`",
            );
            return None;
        };
        if !words.contains(&(name.clone(), args.len())) {
            let owner = agent.map_or(String::new(), |agent| format!(" of {}", self.names()[agent]));
            self.unknown(name, args.len(), words, &format!("{kind}{owner}"));
            return None;
        }
        self.pattern(text)
    }

    fn unknown(&mut self, name: &str, arity: usize, words: &BTreeSet<lexicon::Predicate>, kind: &str) {
        let same: Vec<String> = words.iter().filter(|(known, _)| known == name).map(lexicon::show).collect();
        if !same.is_empty() {
            let arguments = if arity == 1 { "argument" } else { "arguments" };
            self.error(
                "M0482",
                format!("`{name}` never has {arity} {arguments} as a {kind}"),
                format!("the model has {}", same.join(" and ")),
            );
            return;
        }
        let help = match suggest(name, words.iter().map(|(known, _)| known.as_str())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => match words.len() {
                0 => "the model has none".to_owned(),
                _ => {
                    let all: Vec<String> = words.iter().map(lexicon::show).collect();
                    format!("the model has {}", all.join(", "))
                }
            },
        };
        self.error("M0481", format!("`{name}` occurs nowhere as a {kind}"), help);
    }

    fn pattern(&mut self, text: &Text) -> Option<Pattern> {
        let terms = &self.program.terms;
        Some(match text {
            Text::Any => Pattern::Any,
            Text::Int(value) => Pattern::Ground(terms.int(*value)),
            Text::Decimal(text) => match text.parse::<f64>() {
                Ok(value) if value.fract() != 0.0 && value.is_finite() => {
                    Pattern::Ground(terms.term(Term::Real(value.to_bits())))
                }
                Ok(value) if value.abs() < 9e15 => {
                    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
                    let value = value as i64;
                    Pattern::Ground(terms.int(value))
                }
                _ => return self.no_term(text),
            },
            Text::Text(text) => Pattern::Ground(terms.term(Term::Text(terms.symbol(text)))),
            Text::Call(name, args) if args.is_empty() => {
                let constants = &self.program.environment.constants;
                match constants.iter().find(|(known, _)| known == name) {
                    Some((_, value)) => Pattern::Ground(world::term_of(terms, *value)),
                    None if name.starts_with(|first: char| first.is_uppercase()) => {
                        self.error(
                            "M0484",
                            format!("`{name}` looks like a variable, and claims have none"),
                            "write `_` for some instance, or quantify: `exists x in agent: ...`",
                        );
                        return None;
                    }
                    None => Pattern::Ground(terms.constant(name)),
                }
            }
            Text::Call(name, args) => {
                let args = self.patterns(args)?;
                self.structure(name, args)
            }
            Text::List(items) => {
                let items = self.patterns(items)?;
                let nil = Pattern::Ground(self.program.terms.nil());
                items.into_iter().rev().fold(nil, |tail, head| self.structure(".", vec![head, tail]))
            }
            Text::Binary(Operator::Sub, zero, of) if **zero == Text::Int(0) => match **of {
                Text::Int(value) => Pattern::Ground(terms.int(value.wrapping_neg())),
                _ => return self.no_term(&text.to_string()),
            },
            _ => return self.no_term(&text.to_string()),
        })
    }

    fn no_term(&mut self, text: &str) -> Option<Pattern> {
        self.error(
            "M0483",
            format!("`{text}` is not a term"),
            "arguments are names, numbers, texts, lists, structures and `_`",
        );
        None
    }

    fn patterns(&mut self, texts: &[Text]) -> Option<Vec<Pattern>> {
        texts.iter().map(|text| self.pattern(text)).collect()
    }

    /// A structure; ground if its parts are.
    fn structure(&self, name: &str, args: Vec<Pattern>) -> Pattern {
        let terms = &self.program.terms;
        let ground: Option<Vec<TermId>> = args
            .iter()
            .map(|arg| match arg {
                Pattern::Ground(term) => Some(*term),
                _ => None,
            })
            .collect();
        match ground {
            Some(args) => Pattern::Ground(terms.structure(terms.symbol(name), &args)),
            None => Pattern::Structure(terms.symbol(name), args),
        }
    }

    fn fact(&mut self, fact: &Text) -> Option<Fact> {
        match fact {
            Text::Not(of) => Some(Fact::Not(Box::new(self.fact(of)?))),
            Text::Binary(Operator::And, left, right) => {
                Some(Fact::And(Box::new(self.fact(left)?), Box::new(self.fact(right)?)))
            }
            Text::Binary(Operator::Or, left, right) => {
                Some(Fact::Or(Box::new(self.fact(left)?), Box::new(self.fact(right)?)))
            }
            Text::Binary(..) | Text::Index(..) => self.expr(fact).map(Fact::Expr),
            Text::Call(name, args) if args.is_empty() && self.variable(name).is_some() => {
                self.expr(fact).map(Fact::Expr)
            }
            _ => {
                let known = &self.lexicon.percepts;
                self.known(fact, known, "percept", None).map(Fact::Percept)
            }
        }
    }

    fn variable(&self, name: &str) -> Option<usize> {
        self.program.environment.variables.iter().position(|variable| variable.name == name)
    }

    /// An expression over the environment's variables.
    fn expr(&mut self, text: &Text) -> Option<Expr> {
        match text {
            Text::Int(value) => Some(Expr::Value(Value::Int(*value))),
            Text::Not(of) => Some(Expr::Not(Box::new(self.expr(of)?))),
            Text::Call(name, args) if args.is_empty() => self.named(name),
            Text::Index(of, at) => {
                let Text::Call(name, _) = &**of else { return self.no_expr(text) };
                let Some(variable) = self.variable(name) else { return self.no_name(name) };
                if self.program.environment.variables[variable].index.is_none() {
                    self.error(
                        "M0483",
                        format!("`{name}` is one variable, not one per index"),
                        format!("write `{name}` without an index"),
                    );
                    return None;
                }
                Some(Expr::At(variable, Box::new(self.expr(at)?)))
            }
            Text::Binary(operator, left, right) => {
                let Some(operator) = world_operator(*operator) else { return self.no_expr(text) };
                Some(Expr::Binary(operator, Box::new(self.expr(left)?), Box::new(self.expr(right)?)))
            }
            _ => self.no_expr(text),
        }
    }

    fn named(&mut self, name: &str) -> Option<Expr> {
        let environment = &self.program.environment;
        if let Some(variable) = self.variable(name) {
            if environment.variables[variable].index.is_some() {
                let sort =
                    environment.variables[variable].index.map(|sort| environment.sorts[sort].0.clone());
                self.error(
                    "M0483",
                    format!("`{name}` is one variable per {}", sort.unwrap_or_default()),
                    format!("write `{name}[..]` with an index"),
                );
                return None;
            }
            return Some(Expr::Variable(variable));
        }
        if let Some((_, value)) = environment.constants.iter().find(|(known, _)| known == name) {
            return Some(Expr::Value(*value));
        }
        match name {
            "none" => return Some(Expr::Value(Value::None)),
            "true" | "false" => return Some(Expr::Value(Value::Bool(name == "true"))),
            _ => {}
        }
        let symbols = lexicon::symbols(self.program);
        let found = symbols.into_iter().find(|&value| world::show(&self.program.terms, value) == name);
        match found {
            Some(value) => Some(Expr::Value(value)),
            None => self.no_name(name),
        }
    }

    fn no_name(&mut self, name: &str) -> Option<Expr> {
        let environment = &self.program.environment;
        let mut known: Vec<String> = environment.variables.iter().map(|v| v.name.clone()).collect();
        known.extend(environment.constants.iter().map(|(name, _)| name.clone()));
        let symbols = lexicon::symbols(self.program);
        known.extend(symbols.into_iter().map(|value| world::show(&self.program.terms, value)));
        let help = match suggest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "the environment has no variables".to_owned(),
            None => format!("the environment knows {}", known.join(", ")),
        };
        self.error("M0481", format!("the environment has no `{name}`"), help);
        None
    }

    fn no_expr(&mut self, text: &Text) -> Option<Expr> {
        self.error(
            "M0483",
            format!("`{text}` is not an expression over the environment"),
            "compare variables, constants and numbers, like `n < 4` or `bid[ag1] = 6`",
        );
        None
    }

    fn error(&mut self, code: &'static str, message: String, help: impl Into<String>) {
        self.problems.push(Problem::error(code, self.span, message, help));
    }
}

fn world_operator(operator: Operator) -> Option<WorldOperator> {
    Some(match operator {
        Operator::Add => WorldOperator::Add,
        Operator::Sub => WorldOperator::Subtract,
        Operator::Mul => WorldOperator::Multiply,
        Operator::Div => WorldOperator::Divide,
        Operator::Mod => WorldOperator::Modulo,
        Operator::Eq => WorldOperator::Equal,
        Operator::Ne => WorldOperator::Different,
        Operator::Lt => WorldOperator::Less,
        Operator::Le => WorldOperator::LessEqual,
        Operator::Gt => WorldOperator::Greater,
        Operator::Ge => WorldOperator::GreaterEqual,
        Operator::And => WorldOperator::And,
        Operator::Or => WorldOperator::Or,
        Operator::In => return None,
    })
}
