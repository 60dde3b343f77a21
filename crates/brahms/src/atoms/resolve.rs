//! From the text of an atom to its meaning, with problems for words that the model does not have.

use std::collections::BTreeSet;

use motet_model::{AtomText, Expr as Text, Operator};
use motet_source::{Problem, Problems, Span, Spanned, suggest};

use super::names::Names;
use super::{Predicate, Term, Test};
use crate::program::{
    ActorId, Arithmetic, AttributeId, AttributeKind, Comparison, EntityId, Key, KeyId, Program, Value,
};
use crate::semantics::writes::{FACTS, beliefs_of};

/// The predicates of all atoms, or `None` if the problems say what is wrong with one.
pub(crate) fn resolve(
    program: &Program,
    atoms: &[Spanned<AtomText>],
    problems: &mut Problems,
) -> Option<Vec<Predicate>> {
    let names = Names::of(program);
    let mut all = Vec::with_capacity(atoms.len());
    for atom in atoms {
        let mut resolver = Resolver { names: &names, problems, span: atom.span };
        all.push(resolver.atom(&atom.node));
    }
    all.into_iter().collect()
}

/// Gives one atom its meaning.
struct Resolver<'a> {
    names: &'a Names<'a>,
    problems: &'a mut Problems,
    span: Span,
}

/// Something that stands for a value, before it is known on which side of a comparison it is.
enum Operand {
    Term(Term),
    /// `none`, `unknown`
    Nothing,
}

impl Resolver<'_> {
    fn atom(&mut self, atom: &AtomText) -> Option<Predicate> {
        match atom {
            AtomText::Fact(fact) => self.test(FACTS, fact).map(Predicate::Test),
            AtomText::Believes(agent, content) => {
                let actor = self.actor(agent)?;
                self.test(beliefs_of(actor), content).map(Predicate::Test)
            }
            AtomText::Does(agent, act) => {
                let actor = self.actor(agent)?;
                self.does(actor, agent, act).map(Predicate::Test)
            }
            // A message is sent and read in the instant in which the communication hands it over.
            AtomText::Says(from, to, content)
            | AtomText::Sends(from, to, content)
            | AtomText::Reads(from, to, content) => {
                let (from, to) = (self.actor(from)?, self.actor(to)?);
                self.says(from, to, content)
            }
            AtomText::Desires(..) | AtomText::Intends(..) => {
                self.no_attitude("desires or intentions", "`Bel(agent, ..)` or `Does(agent, frame)`")
            }
            AtomText::Did(..) | AtomText::WillDo(..) => {
                self.no_attitude("a record of acts", "`Does(agent, activity)`, which holds while it lasts")
            }
        }
    }

    fn no_attitude(&mut self, what: &str, instead: &str) -> Option<Predicate> {
        let message = format!("actors of a Brahms model have no {what}");
        self.error("M0782", message, format!("write {instead}"))
    }

    fn actor(&mut self, name: &str) -> Option<ActorId> {
        let found = self.names.actor(name);
        if found.is_none() {
            let all = self.names.actor_names();
            let help = match suggest(name, all.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("those who can act are {}", listed(all)),
            };
            return self.error("M0780", format!("there is no agent or object `{name}` that can act"), help);
        }
        found
    }

    /// A statement about what a store holds.
    fn test(&mut self, store: usize, text: &Text) -> Option<Test> {
        match text {
            Text::Not(of) => Some(Test::Not(Box::new(self.test(store, of)?))),
            Text::Binary(Operator::And, left, right) => {
                Some(Test::And(Box::new(self.test(store, left)?), Box::new(self.test(store, right)?)))
            }
            Text::Binary(Operator::Or, left, right) => {
                Some(Test::Or(Box::new(self.test(store, left)?), Box::new(self.test(store, right)?)))
            }
            Text::Binary(Operator::In, left, right) => self.membership(store, left, right),
            Text::Binary(operator, left, right) => match comparison(*operator) {
                Some(operator) => self.compared(store, left, operator, right),
                None => self.no_test(text),
            },
            Text::Call(name, args) if args.is_empty() && (name == "true" || name == "false") => {
                Some(Test::Constant(name == "true"))
            }
            Text::Call(name, args) if name == "known" || name == "unknown" => {
                let [of] = args.as_slice() else { return self.no_test(text) };
                let Operand::Term(term) = self.operand(store, of)? else { return self.no_test(text) };
                let known = Test::Known(term);
                Some(if name == "known" { known } else { Test::Not(Box::new(known)) })
            }
            Text::Field(of, field) if field == "idle" && store == FACTS => {
                if let Some(actor) = dotted(of).and_then(|name| self.names.actor(&name))
                    && !self.has_attribute(actor, field)
                {
                    return Some(Test::Idle(actor));
                }
                self.plain(store, text)
            }
            _ => self.plain(store, text),
        }
    }

    fn has_attribute(&self, actor: ActorId, name: &str) -> bool {
        let entity = self.names.program.actors[actor.index()].entity;
        self.names.attributes_of(entity).contains(name)
    }

    /// A truth alone: `Bob.hungry`, `hasDN(Nurse_one, Digital_Nurse_one)`.
    fn plain(&mut self, store: usize, text: &Text) -> Option<Test> {
        let Operand::Term(term) = self.operand(store, text)? else { return self.no_test(text) };
        let truths = match &term {
            Term::Read(_, key) => self.is_truth(*key),
            Term::Value(Value::Bool(_)) | Term::Unknown => true,
            _ => false,
        };
        if !truths {
            let help = "compare it with a value, as in `Bob.hunger > 3`";
            return self.error("M0783", format!("`{text}` is neither true nor false"), help);
        }
        Some(Test::Compare(term, Comparison::Eq, Term::Value(Value::Bool(true))))
    }

    fn is_truth(&self, key: KeyId) -> bool {
        match self.names.program.keys.get(key) {
            Key::Pair(..) | Key::Entry(..) => true,
            Key::Attribute(_, attribute) => {
                matches!(self.names.kind(attribute), AttributeKind::Bool | AttributeKind::Any)
            }
        }
    }

    fn compared(&mut self, store: usize, left: &Text, operator: Comparison, right: &Text) -> Option<Test> {
        let (one, two) = (self.operand(store, left), self.operand(store, right));
        let (one, two) = (one?, two?);
        match (one, two) {
            (Operand::Term(left), Operand::Term(right)) => Some(Test::Compare(left, operator, right)),
            (Operand::Term(term), Operand::Nothing) | (Operand::Nothing, Operand::Term(term)) => {
                match operator {
                    Comparison::Eq => Some(Test::Not(Box::new(Test::Known(term)))),
                    Comparison::Ne => Some(Test::Known(term)),
                    _ => {
                        let help = "`none` can only be compared with `=` and `!=`";
                        self.error("M0783", "nothing is larger or smaller than `none`".to_owned(), help)
                    }
                }
            }
            (Operand::Nothing, Operand::Nothing) => Some(Test::Constant(operator == Comparison::Eq)),
        }
    }

    /// `Bob.location in Kitchens`: one of the members of a type, or of a list.
    fn membership(&mut self, store: usize, left: &Text, right: &Text) -> Option<Test> {
        let Operand::Term(term) = self.operand(store, left)? else { return self.no_test(left) };
        let members: Vec<Term> = match right {
            Text::List(items) => {
                let mut terms = Vec::new();
                for item in items {
                    let Operand::Term(term) = self.operand(store, item)? else { return self.no_test(item) };
                    terms.push(term);
                }
                terms
            }
            _ => {
                let members = dotted(right).and_then(|name| self.names.members(&name));
                let Some(members) = members else {
                    let help = "write the name of a group, class or area definition, or a list `[a, b]`";
                    return self.error("M0783", format!("`{right}` has no members"), help);
                };
                members.iter().map(|member| Term::Value(Value::Entity(*member))).collect()
            }
        };
        let equal = |member| Test::Compare(term.clone(), Comparison::Eq, member);
        let tests = members.into_iter().map(equal);
        Some(tests.reduce(|one, two| Test::Or(Box::new(one), Box::new(two))).unwrap_or(Test::Constant(false)))
    }

    /// A value, read from a store where it is not constant.
    fn operand(&mut self, store: usize, text: &Text) -> Option<Operand> {
        let term = match text {
            Text::Int(value) => Term::Value(Value::Int(*value)),
            Text::Decimal(digits) => match digits.parse::<f64>() {
                Ok(value) if value.is_finite() => Term::Value(Value::Double((value + 0.0).to_bits())),
                _ => return self.no_value(text),
            },
            Text::Text(text) => match self.names.text(text) {
                Some(value) => Term::Value(value),
                None => Term::Unknown,
            },
            Text::Binary(operator, left, right) => {
                let Some(operator) = arithmetic(*operator) else { return self.no_value(text) };
                let (left, right) = (self.operand(store, left)?, self.operand(store, right)?);
                let (Operand::Term(left), Operand::Term(right)) = (left, right) else {
                    return self.no_value(text);
                };
                Term::Binary(operator, Box::new(left), Box::new(right))
            }
            Text::Call(name, args) if args.is_empty() => return self.named(name),
            Text::Call(name, args) => return self.called(store, text, name, args),
            Text::Field(of, field) => {
                // `ward.north` may be one name of two parts.
                let whole = dotted(text);
                if let Some(entity) = whole.and_then(|name| self.names.entity(&name)) {
                    Term::Value(Value::Entity(entity))
                } else {
                    let of = self.entity(of)?;
                    self.attribute(store, of, field)?
                }
            }
            Text::Index(of, index) => {
                let Text::Field(owner, map) = &**of else { return self.no_value(text) };
                let owner = self.entity(owner)?;
                self.entry(store, owner, map, index)?
            }
            _ => return self.no_value(text),
        };
        Some(Operand::Term(term))
    }

    fn named(&mut self, name: &str) -> Option<Operand> {
        Some(match name {
            "none" | "unknown" => Operand::Nothing,
            "true" | "false" => Operand::Term(Term::Value(Value::Bool(name == "true"))),
            _ => {
                let entity = self.names.entity(name).map(Value::Entity);
                match entity.or_else(|| self.names.text(name)) {
                    Some(value) => Operand::Term(Term::Value(value)),
                    None => return self.no_name(name),
                }
            }
        })
    }

    fn no_name<T>(&mut self, name: &str) -> Option<T> {
        let help = if self.names.attribute(name).is_some() {
            format!("say whose: `Bob.{name}`")
        } else {
            match suggest(name, self.names.value_names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "name an agent, object or area, or a symbol that the model uses; texts stand in \
                         quotes"
                    .to_owned(),
            }
        };
        self.error("M0785", format!("the model has nothing called `{name}`"), help)
    }

    /// `belief(a, x.b)`, `fact(x.b)`, `R(x, y)`, `x.m(i)`.
    fn called(&mut self, store: usize, text: &Text, name: &str, args: &[Text]) -> Option<Operand> {
        if let ("belief", [agent, about]) = (name, args) {
            let Some(agent) = dotted(agent) else { return self.no_value(text) };
            let actor = self.actor(&agent)?;
            return self.operand(beliefs_of(actor), about);
        }
        if let ("fact", [about]) = (name, args) {
            return self.operand(FACTS, about);
        }
        if let (Some((owner, map)), [index]) = (name.rsplit_once('.'), args) {
            let Some(owner) = self.names.entity(owner) else { return self.no_entity(owner) };
            return self.entry(store, owner, map, index).map(Operand::Term);
        }
        if let [subject, object] = args {
            let Some(relation) = self.names.attribute(name) else { return self.no_relation(name) };
            if !self.names.relations().contains(name) {
                return self.no_relation(name);
            }
            let (subject, object) = (self.entity(subject)?, self.entity(object)?);
            return Some(Operand::Term(self.read(store, Key::Pair(subject, relation, object))));
        }
        self.no_value(text)
    }

    fn no_relation<T>(&mut self, name: &str) -> Option<T> {
        let relations = self.names.relations();
        let help = match suggest(name, relations.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if relations.is_empty() => "the model has no relations".to_owned(),
            None => format!("the relations are {}", listed(relations)),
        };
        self.error("M0781", format!("there is no relation `{name}`"), help)
    }

    fn entity(&mut self, text: &Text) -> Option<EntityId> {
        let Some(name) = dotted(text) else {
            let help = "attributes belong to agents, objects and areas, by name";
            return self.error("M0783", format!("`{text}` has no attributes"), help);
        };
        match self.names.entity(&name) {
            Some(entity) => Some(entity),
            None => self.no_entity(&name),
        }
    }

    fn no_entity<T>(&mut self, name: &str) -> Option<T> {
        let help = match suggest(name, self.names.entity_names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`motet vocab` lists the names of the model".to_owned(),
        };
        self.error("M0780", format!("there is no agent, object or area `{name}`"), help)
    }

    fn attribute(&mut self, store: usize, of: EntityId, name: &str) -> Option<Term> {
        match self.names.attribute(name) {
            Some(attribute) if self.names.attributes_of(of).contains(name) => {
                Some(self.read(store, Key::Attribute(of, attribute)))
            }
            Some(attribute) if self.names.kind(attribute) != AttributeKind::Relation => {
                // Whoever declares it: no text gives it a value here, so that nothing but its being unknown can be said.
                let owner = &self.names.program.entities[of.index()].name;
                let message = format!("nothing in the model speaks of `{owner}.{name}`");
                let help = self.spoken_of(of, name);
                self.problems.push(Problem::warning("M0781", self.span, message, help));
                Some(self.read(store, Key::Attribute(of, attribute)))
            }
            _ => {
                let owner = &self.names.program.entities[of.index()].name;
                let help = self.spoken_of(of, name);
                self.error("M0781", format!("`{owner}` has no attribute `{name}`"), help)
            }
        }
    }

    /// What may be meant instead of an attribute that nothing speaks of.
    fn spoken_of(&self, of: EntityId, name: &str) -> String {
        let owner = &self.names.program.entities[of.index()].name;
        let all = self.names.attributes_of(of);
        match suggest(name, all.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if all.is_empty() => format!("the model says nothing about `{owner}`"),
            None => format!("of `{owner}` it speaks of {}", listed(all)),
        }
    }

    fn entry(&mut self, store: usize, of: EntityId, map: &str, index: &Text) -> Option<Term> {
        let Some(attribute) = self.names.attribute(map) else {
            self.attribute(store, of, map)?;
            return None;
        };
        let Operand::Term(Term::Value(index)) = self.operand(store, index)? else {
            let help = "write a number, a text or a name";
            return self.error("M0783", "the index of a map is not a constant".to_owned(), help);
        };
        Some(self.read(store, Key::Entry(of, attribute, index)))
    }

    /// Reading what no text speaks of gives nothing, or the default under `unknown=zero`.
    fn read(&self, store: usize, key: Key) -> Term {
        match self.names.program.keys.find(key) {
            Some(key) => Term::Read(store, key),
            None => self.unmentioned(key),
        }
    }

    fn unmentioned(&self, key: Key) -> Term {
        let kind = |attribute: AttributeId| self.names.kind(attribute);
        match key {
            Key::Attribute(_, attribute) if self.names.program.rules.unknown_is_zero => match kind(attribute)
            {
                AttributeKind::Int | AttributeKind::Double => Term::Value(Value::Int(0)),
                AttributeKind::Bool => Term::Value(Value::Bool(false)),
                _ => Term::Unknown,
            },
            _ => Term::Unknown,
        }
    }

    fn does(&mut self, actor: ActorId, agent: &str, act: &Text) -> Option<Test> {
        let Some(name) = dotted(act) else {
            let help = "write the name of a workframe or an activity, or `idle`";
            return self.error("M0784", format!("`{act}` is not something to do"), help);
        };
        let works = self.names.works(actor);
        if works.contains(name.as_str()) {
            return Some(Test::Does(actor, name));
        }
        if name == "idle" {
            return Some(Test::Idle(actor));
        }
        let help = match suggest(&name, works.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if works.is_empty() => format!("`{agent}` never does anything"),
            None => format!("`{agent}` has {}", listed(works)),
        };
        if self.names.program.declared.contains(&name) {
            let message = format!("`{agent}` never does what is declared as `{name}`");
            self.problems.push(Problem::warning("M0784", self.span, message, help));
            return Some(Test::Constant(false));
        }
        self.error("M0784", format!("`{agent}` has no workframe or activity `{name}`"), help)
    }

    fn says(&mut self, from: ActorId, to: ActorId, content: &Text) -> Option<Predicate> {
        let store = beliefs_of(from);
        let (about, value) = match content {
            Text::Any => {
                let keys = self.names.program.keys.iter().map(|(key, _)| key).collect();
                return Some(Predicate::Says { from, to, keys, value: None });
            }
            Text::Binary(operator, left, right) if comparison(*operator).is_some() => {
                let operator = comparison(*operator).unwrap_or(Comparison::Eq);
                match (right.as_ref(), self.operand(store, right)) {
                    (Text::Any, _) => (&**left, None),
                    (_, Some(Operand::Term(Term::Value(value)))) => (&**left, Some((operator, value))),
                    (_, Some(_)) => {
                        let help = "write a constant, or `_` for any value";
                        return self.error("M0783", format!("`{right}` is not a constant"), help);
                    }
                    (_, None) => return None,
                }
            }
            _ => (content, None),
        };
        match self.operand(store, about)? {
            Operand::Term(Term::Read(_, key)) => Some(Predicate::Says { from, to, keys: vec![key], value }),
            Operand::Term(Term::Unknown) => Some(Predicate::Says { from, to, keys: Vec::new(), value }),
            _ => {
                let help = "write what the message is about, as in `Says(a, b, Bob.hungry = true)`";
                self.error("M0783", format!("`{content}` is not what messages are about"), help)
            }
        }
    }

    fn no_test<T>(&mut self, text: &Text) -> Option<T> {
        let help = "write `Bob.hunger > 3`, `Bob.hungry`, `R(x, y)` or `known(Bob.location)`";
        self.error("M0783", format!("`{text}` does not say anything about the model"), help)
    }

    fn no_value<T>(&mut self, text: &Text) -> Option<T> {
        let help = "values are numbers, names, texts, `Bob.hunger`, `belief(Ann, Bob.hunger)` and arithmetic";
        self.error("M0783", format!("`{text}` is not a value"), help)
    }

    fn error<T>(&mut self, code: &'static str, message: String, help: impl Into<String>) -> Option<T> {
        self.problems.push(Problem::error(code, self.span, message, help));
        None
    }
}

/// A plain or dotted name.
fn dotted(text: &Text) -> Option<String> {
    match text {
        Text::Call(name, args) if args.is_empty() => Some(name.clone()),
        Text::Field(of, field) => Some(format!("{}.{field}", dotted(of)?)),
        _ => None,
    }
}

/// The first dozen names.
fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: BTreeSet<&str> = names.into_iter().collect();
    let more = if names.len() > 12 { ", ..." } else { "" };
    let shown: Vec<&str> = names.into_iter().take(12).collect();
    format!("{}{more}", shown.join(", "))
}

fn comparison(operator: Operator) -> Option<Comparison> {
    Some(match operator {
        Operator::Eq => Comparison::Eq,
        Operator::Ne => Comparison::Ne,
        Operator::Lt => Comparison::Lt,
        Operator::Le => Comparison::Le,
        Operator::Gt => Comparison::Gt,
        Operator::Ge => Comparison::Ge,
        _ => return None,
    })
}

fn arithmetic(operator: Operator) -> Option<Arithmetic> {
    Some(match operator {
        Operator::Add => Arithmetic::Add,
        Operator::Sub => Arithmetic::Sub,
        Operator::Mul => Arithmetic::Mul,
        Operator::Div => Arithmetic::Div,
        Operator::Mod => Arithmetic::Mod,
        _ => return None,
    })
}
