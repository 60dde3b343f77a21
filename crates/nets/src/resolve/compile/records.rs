//! Records, fields, new agents, and values after firing.

use std::sync::Arc;

use motet_source::Span;

use super::{Carried, Compiler, Context, Kind, Prime, Typed, Want, record_like};
use crate::program::{Expr, PlaceKind, Sort};
use crate::resolve::declare::LIMIT_PARTS;
use crate::resolve::scope::{Signature, meant};
use crate::resolve::sorts::{fits, join};
use crate::syntax::{Expression, Level, Name};
use crate::value::Value;

impl Compiler<'_> {
    /// `(e, f)`: takes the names of its fields from what the surroundings would like.
    pub(super) fn tuple(&mut self, items: &[Expression], want: Want<'_>) -> Typed {
        let like = match want {
            Want::Value(sort) => Some(sort),
            _ => None,
        };
        let hints: Vec<Sort> = match like {
            Some(Sort::Record(record)) if record.fields.len() == items.len() => {
                record.fields.iter().map(|(_, sort)| sort.clone()).collect()
            }
            _ => vec![Sort::Unknown; items.len()],
        };
        let (mut parts, mut sorts, mut agents) = (Vec::new(), Vec::new(), Vec::new());
        for (item, hint) in items.iter().zip(&hints) {
            let typed = self.expression(item, Want::Value(hint));
            agents.extend(typed.agents.iter().copied());
            match &typed.kind {
                Kind::Value(sort) => sorts.push(sort.clone()),
                Kind::Tokens(_) => {
                    self.flow(typed.clone(), &Sort::Unknown, item.span, "a field");
                    sorts.push(Sort::Unknown);
                }
            }
            parts.push(typed.expr);
        }
        let sort = record_like(like, sorts);
        // A record of records doubles with every name it is given; what is compared and stored must stay small.
        if let Some(first) = items.first().filter(|_| !sort.is_small(&mut { LIMIT_PARTS })) {
            return self.error("M1048", first.span, "this record has too many parts", "make it smaller");
        }
        Typed { expr: Expr::Record(parts), kind: Kind::Value(sort), agents }
    }

    /// `e.f`: a field of a record, or a place or a goal of an agent.
    pub(super) fn field(&mut self, of: &Expression, field: &Name) -> Typed {
        let typed = self.expression(of, Want::Anything);
        let record = match &typed.kind {
            Kind::Value(Sort::Unknown) => return Typed::unknown(),
            Kind::Value(Sort::Agent) => return self.within(typed, field),
            Kind::Value(Sort::Record(record)) => Arc::clone(record),
            Kind::Tokens(_) => {
                let message = format!("a place has many tokens, so `{}` of them is no value", field.node);
                let help = "look at each token: `forall x in p: ...`";
                return self.error("M1023", field.span, message, help);
            }
            Kind::Value(sort) => {
                let message = format!("{} has no field `{}`", self.shown(sort), field.node);
                return self.error("M1023", field.span, message, "only records and agents have parts");
            }
        };
        let Some(number) = record.fields.iter().position(|(name, _)| *name == field.node) else {
            let sort = self.shown(&Sort::Record(Arc::clone(&record)));
            let message = format!("{sort} has no field `{}`", field.node);
            let known = record.fields.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty());
            let help = meant(&field.node, known, "see the fields that its sort declares");
            return self.error("M1023", field.span, message, help);
        };
        let sort = record.fields[number].1.clone();
        let agents = if sort.bears_agents() { typed.agents } else { Vec::new() };
        Typed { expr: Expr::Field(Box::new(typed.expr), number), kind: Kind::Value(sort), agents }
    }

    /// The tokens of a place of an agent, or whether it has reached a goal, whatever its template is.
    fn within(&mut self, agent: Typed, place: &Name) -> Typed {
        let nets = &self.scope.nets;
        let found = nets.iter().map(|net| net.place(&place.node).filter(|_| net.level == Level::Agent));
        let found: Vec<_> = found.collect();
        let mut kind: Option<Kind> = None;
        for (_, other) in found.iter().flatten() {
            let sort = other.sort.clone();
            kind = Some(match (kind, other.kind) {
                (None, PlaceKind::Tokens) => Kind::Tokens(sort),
                (None, _) => Kind::Value(sort),
                (Some(Kind::Tokens(known)), PlaceKind::Tokens) if fits(&known, &sort) => {
                    Kind::Tokens(join(&known, &sort))
                }
                (Some(Kind::Value(known)), PlaceKind::Cell) if fits(&known, &sort) => {
                    Kind::Value(join(&known, &sort))
                }
                // Tokens of different sorts can still be counted.
                (Some(Kind::Tokens(_)), PlaceKind::Tokens) => Kind::Tokens(Sort::Unknown),
                _ => {
                    let message = format!("`{}` is not the same in all agent nets", place.node);
                    let help = "give the cell another name in one of them";
                    return self.error("M1023", place.span, message, help);
                }
            });
        }
        let goals: Vec<Option<usize>> = nets.iter().map(|net| goal_of(net, &place.node)).collect();
        let is_goal = goals.iter().any(Option::is_some);
        if is_goal && kind.is_some() {
            let message = format!("`{}` is a place of one agent net and a goal of another", place.node);
            return self.error("M1023", place.span, message, "give the goal another name");
        } else if is_goal {
            let expr = Expr::Goal(Box::new(agent.expr), Arc::new(goals));
            return Typed::value(expr, Sort::Bool);
        }
        let Some(kind) = kind else {
            let agents = nets.iter().filter(|net| net.level == Level::Agent);
            let names = |net: &Signature| {
                let places = net.places.iter().map(|place| place.name.clone());
                places.chain(net.goals.iter().cloned()).collect::<Vec<_>>()
            };
            let known: Vec<String> = agents.flat_map(names).collect();
            let known = known.iter().map(String::as_str);
            let message = format!("no agent net has a place or a goal `{}`", place.node);
            let help = meant(&place.node, known, "`motet vocab` lists the places and goals of each net");
            return self.error("M1021", place.span, message, help);
        };
        let table = Arc::new(found.iter().map(|found| found.map(|(id, _)| id)).collect());
        let bears = match &kind {
            Kind::Value(sort) | Kind::Tokens(sort) => sort.bears_agents(),
        };
        let agents = if bears { vec![Carried::Borrowed] } else { Vec::new() };
        Typed { expr: Expr::Within(Box::new(agent.expr), table), kind, agents }
    }

    /// `e with {f = g}`
    pub(super) fn with(&mut self, of: &Expression, changes: &[(Name, Expression)], want: Want<'_>) -> Typed {
        let base = self.expression(of, want);
        let record = match &base.kind {
            Kind::Value(Sort::Record(record)) => Arc::clone(record),
            Kind::Value(Sort::Unknown) => return Typed::unknown(),
            kind => {
                let message =
                    format!("`with` changes fields of a record, and this is {}", self.shown_kind(kind));
                return self.error("M1023", of.span, message, "write it after a record");
            }
        };
        let mut typed = base;
        let mut parts = Vec::new();
        for (field, value) in changes {
            let Some(number) = self.numbered(&record.fields, field) else { continue };
            if parts.iter().any(|(known, _)| *known == number) {
                let message = format!("`{}` is given twice", field.node);
                self.error("M1020", field.span, message, "leave one of them out");
                continue;
            }
            let part = self.part(&record.fields[number], value, &mut typed.agents);
            parts.push((number, part));
        }
        Typed { expr: Expr::With(Box::new(typed.expr), parts), ..typed }
    }

    /// The new value of a field. A field that bears the agent takes the old one's place.
    fn part(&mut self, field: &(String, Sort), value: &Expression, agents: &mut Vec<Carried>) -> Expr {
        let part = self.expression(value, Want::Value(&field.1));
        if field.1.bears_agents() {
            agents.clone_from(&part.agents);
        }
        self.flow(part, &field.1, value.span, &format!("`{}`", field.0))
    }

    fn numbered(&mut self, fields: &[(String, Sort)], field: &Name) -> Option<usize> {
        let number = fields.iter().position(|(name, _)| *name == field.node);
        if number.is_none() {
            let known = fields.iter().map(|(name, _)| name.as_str());
            let help = meant(&field.node, known, "see the fields that its sort declares");
            let message = format!("the record has no field `{}`", field.node);
            self.error("M1023", field.span, message, help);
        }
        number
    }

    /// `new K(args)`
    pub(super) fn new_agent(&mut self, template: &Expression, arguments: &[Expression], span: Span) -> Typed {
        if !matches!(self.context, Context::Initial | Context::Transition) {
            let help = "agents are created by initial markings and output arcs";
            return self.error("M1030", span, "no agent can be created here", help);
        }
        let class = self.expression(template, Want::Value(&Sort::Class));
        if class.is_unknown() {
            return Typed::unknown();
        }
        let class = self.flow(class, &Sort::Class, template.span, "`new`");
        let sorts = match &class {
            Expr::Constant(Value::Class(id)) => Some(self.scope.net(*id).parameters.clone()),
            _ => self.common_parameters(arguments.len()),
        };
        let Some(parameters) = sorts.filter(|parameters| parameters.len() == arguments.len()) else {
            let message = match &class {
                Expr::Constant(Value::Class(id)) => {
                    let net = self.scope.net(*id);
                    format!(
                        "`{}` takes {} arguments, and here are {}",
                        net.name,
                        net.parameters.len(),
                        arguments.len()
                    )
                }
                _ => format!("no agent net takes {} arguments", arguments.len()),
            };
            return self.error("M1042", span, message, "give as many as the net has parameters");
        };
        let mut values = Vec::new();
        for (argument, (name, sort)) in arguments.iter().zip(&parameters) {
            let typed = self.expression(argument, Want::Value(sort));
            values.push(self.flow(typed, sort, argument.span, &format!("parameter `{name}`")));
        }
        let expr = Expr::New(Box::new(class), values);
        Typed { expr, kind: Kind::Value(Sort::Agent), agents: Vec::new() }
    }

    /// The parameters of all templates with so many, where the template is computed. What they do not share is not known.
    fn common_parameters(&self, count: usize) -> Option<Vec<(String, Sort)>> {
        let nets = self.scope.nets.iter().filter(|net| net.level == Level::Agent);
        let mut nets = nets.filter(|net| net.parameters.len() == count);
        let mut common = nets.next()?.parameters.clone();
        for net in nets {
            for (known, (_, sort)) in common.iter_mut().zip(&net.parameters) {
                known.1 = if fits(&known.1, sort) { join(&known.1, sort) } else { Sort::Unknown };
            }
        }
        Some(common)
    }

    /// `x'`: the value after firing.
    pub(crate) fn primed(&mut self, name: &str, span: Span) -> Typed {
        let Some(prime) = self.primes.get_mut(name) else {
            let (message, help) = if self.context == Context::Transition {
                let help = format!("say `{name}' = ...;` or `{name}'.field = ...;` in this disjunct");
                (format!("nothing defines `{name}'` here"), help)
            } else {
                (format!("`{name}'` has a meaning in transitions only"), format!("write `{name}`"))
            };
            return self.error("M1027", span, message, help);
        };
        prime.used = true;
        let prime = prime.clone();
        if self.priming.iter().any(|known| known == name) {
            let message = format!("`{name}'` depends on itself");
            return self.error("M1027", span, message, format!("use `{name}`, the value before"));
        }
        self.priming.push(name.to_owned());
        let typed = self.prime_value(&prime);
        self.priming.pop();
        typed
    }

    /// What all definitions of a primed name together say.
    fn prime_value(&mut self, prime: &Prime<'_>) -> Typed {
        let name = prime.name;
        let Some(before) = self.visible(&name.node).or_else(|| self.place(&name.node, name.span)) else {
            let message = format!("`{}'` is defined, but nothing binds `{}`", name.node, name.node);
            let help = "bind it with an arc, or name a cell of this net";
            return self.error("M1027", name.span, message, help);
        };
        let Kind::Value(sort) = before.kind.clone() else {
            let message = format!("`{}` is a place, and only cells get new values", name.node);
            return self.error("M1032", name.span, message, "declare it as a `cell`, or use `in` and `out`");
        };
        let parts: Vec<_> = prime.parts.clone();
        self.after(before, &sort, &parts, name)
    }

    /// The value with these parts redefined; the others stay (the frame rule of primed variables).
    fn after(&mut self, before: Typed, sort: &Sort, parts: &[(&[Name], &Expression)], name: &Name) -> Typed {
        if let Some((_, whole)) = parts.iter().find(|(path, _)| path.is_empty()) {
            if parts.len() > 1 {
                let message = format!("`{}'` is defined twice", name.node);
                self.error("M1032", name.span, message, "define it once, or one field after the other");
            }
            let typed = self.expression(whole, Want::Value(sort));
            let agents = typed.agents.clone();
            let expr = self.flow(typed, sort, whole.span, &format!("`{}'`", name.node));
            return Typed { expr, kind: Kind::Value(sort.clone()), agents };
        }
        let Sort::Record(record) = sort else {
            if *sort != Sort::Unknown {
                let message = format!("{} has no fields", self.shown(sort));
                self.error("M1023", parts[0].0[0].span, message, "define the whole value");
            }
            return Typed::unknown();
        };
        let mut typed = before.clone();
        let mut changes: Vec<(usize, Expr)> = Vec::new();
        for (path, _) in parts {
            let Some(number) = self.numbered(&record.fields, &path[0]) else { continue };
            if changes.iter().any(|(known, _)| *known == number) {
                continue;
            }
            let inner = parts.iter().filter(|(other, _)| other[0].node == path[0].node);
            let inner: Vec<_> = inner.map(|(other, value)| (&other[1..], *value)).collect();
            let sort = &record.fields[number].1;
            let part = Typed {
                expr: Expr::Field(Box::new(before.expr.clone()), number),
                kind: Kind::Value(sort.clone()),
                agents: if sort.bears_agents() { before.agents.clone() } else { Vec::new() },
            };
            let part = self.after(part, sort, &inner, &path[0]);
            if sort.bears_agents() {
                typed.agents = part.agents;
            }
            changes.push((number, part.expr));
        }
        Typed { expr: Expr::With(Box::new(before.expr), changes), ..typed }
    }
}

/// The number of a template's goal.
fn goal_of(net: &Signature, name: &str) -> Option<usize> {
    net.goals.iter().position(|goal| goal == name).filter(|_| net.level == Level::Agent)
}
