//! From the text of an atom to its meaning, with problems for words that the model does not have.

use std::collections::BTreeSet;

use motet_model::{AtomText, Expr as Text, Operator};
use motet_source::{Problem, Problems, Span, Spanned, suggest};

use crate::atoms::{Fact, MindTest, Predicate};
use crate::lexicon::{self, Lexicon};
use crate::program::{Atom, Condition, Expr, Pattern, Program, Value};
use crate::semantics::world;
use crate::syntax::WorldOperator;
use crate::term::{Symbol, Term, TermId};

/// Gives atoms their meaning.
struct Resolver<'a> {
    program: &'a Program,
    lexicon: &'a Lexicon,
    problems: &'a mut Problems,
    span: Span,
    /// Names with smaller numbers stand in the model.
    n_symbols: usize,
}

/// The predicates of all atoms, or `None` if the problems say what is wrong with one.
pub(crate) fn resolve(
    program: &Program,
    lexicon: &Lexicon,
    atoms: &[Spanned<AtomText>],
    problems: &mut Problems,
) -> Option<Vec<Predicate>> {
    let mut all = Vec::with_capacity(atoms.len());
    let n_symbols = program.terms.n_symbols();
    for atom in atoms {
        let mut resolver = Resolver { program, lexicon, problems, span: atom.span, n_symbols };
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
            AtomText::Sends(from, to, content) | AtomText::Reads(from, to, content) => {
                let (from, to) = (self.agent(from)?, self.agent(to)?);
                let content = self.known(content, &lexicon.messages, "message", None)?;
                Some(match atom {
                    AtomText::Sends(..) => Predicate::Sends(from, to, content),
                    _ => Predicate::Reads(from, to, content),
                })
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
        let predicate = (name.clone(), args.len());
        if !words.contains(&predicate) {
            let owner = agent.map_or(String::new(), |agent| format!(" of {}", self.names()[agent]));
            let declared = match kind {
                "message" => self.lexicon.triggers.contains(&predicate),
                "action" => self.lexicon.deeds.contains(&predicate),
                _ => false,
            };
            if declared {
                let message =
                    format!("`{}` is declared, and nowhere {}{owner}", lexicon::show(&predicate), a(kind));
                let help = "the claim is answered; nothing of the kind ever happens";
                self.problems.push(Problem::warning("M0481", self.span, message, help));
                return self.pattern(text);
            }
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
                format!("`{name}` never has {arity} {arguments} as {}", a(kind)),
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
        self.error("M0481", format!("`{name}` occurs nowhere as {}", a(kind)), help);
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
                    None => {
                        self.stranger(name);
                        Pattern::Ground(terms.constant(name))
                    }
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

    /// An argument that stands nowhere in the model: likely a slip, and what is said of it is never so.
    fn stranger(&mut self, name: &str) {
        let terms = &self.program.terms;
        if (terms.symbol(name).0 as usize) < self.n_symbols {
            return;
        }
        let known = (0..u32::try_from(self.n_symbols).unwrap_or(u32::MAX)).map(|at| terms.name(Symbol(at)));
        let help = match suggest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "the claim is answered; nothing of the kind ever happens".to_owned(),
        };
        let message = format!("`{name}` occurs nowhere in the model");
        self.problems.push(Problem::warning("M0481", self.span, message, help));
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
            Text::Call(name, args) if name == "belief" && args.len() == 2 => {
                let help = format!("ask for a belief: `not ({} believes {})`", args[0], args[1]);
                self.error("M0483", format!("`{}` has no value that could be missing", args[1]), help);
                None
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

fn a(kind: &str) -> String {
    format!("{} {kind}", if kind.starts_with('a') { "an" } else { "a" })
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
        Operator::In | Operator::Implies | Operator::Union | Operator::Minus => return None,
    })
}
