//! Names, primes, definitions and built-in functions.

use motet_source::Span;

use super::{Carried, Compiler, Context, Kind, LIMIT_DEPTH, Meaning, Origin, Typed, Want};
use crate::program::{Expr, Operator, PlaceKind, Sort};
use crate::resolve::scope::{index, meant};
use crate::resolve::sorts::fits;
use crate::syntax::{Expression, ExpressionNode, Name};
use crate::value::{EnumerationId, Value};

/// Functions that need no definition.
const BUILT_IN: [&str; 5] = ["size", "nonempty", "class", "count", "enabled"];

impl Compiler<'_> {
    /// What a visible name stands for.
    pub(crate) fn visible(&mut self, name: &str) -> Option<Typed> {
        let (_, meaning) = self.visible.iter().rev().find(|(visible, _)| visible == name)?;
        match meaning {
            Meaning::Argument(typed) => Some(typed.clone()),
            Meaning::Variable(id) => {
                let variable = &mut self.variables[id.0 as usize];
                variable.used = true;
                let sort = variable.sort.clone();
                let agents = match &variable.origin {
                    _ if !sort.bears_agents() => Vec::new(),
                    Origin::Arc(arc, _) => vec![Carried::Arc(*arc)],
                    _ => vec![Carried::Borrowed],
                };
                Some(Typed { expr: Expr::Variable(*id), kind: Kind::Value(sort), agents })
            }
        }
    }

    pub(super) fn name(&mut self, name: &str, span: Span, want: Want<'_>) -> Typed {
        if let Some(typed) = self.visible(name) {
            return typed;
        }
        // Places and enumerators have separate names; where members are meant the place is.
        let place = self.place(name, span);
        match (place, self.fixed(name)) {
            (Some(place), None) => place,
            (Some(place), Some(_)) if matches!(want, Want::Many(_)) => place,
            (_, Some(value)) => value,
            (None, None) => self.defined(name, span),
        }
    }

    /// An enumerator, a constant or a template.
    pub(crate) fn fixed(&mut self, name: &str) -> Option<Typed> {
        if let Some((id, member)) = self.scope.members.get(name).copied() {
            self.uses.sorts.insert(self.scope.enumerations[id.0 as usize].name.clone());
            return Some(Typed::value(Expr::Constant(Value::Member(id, member)), Sort::Enumeration(id)));
        }
        if let Some((sort, value)) = self.scope.constants.get(name) {
            return Some(Typed::value(Expr::Constant(value.clone()), sort.clone()));
        }
        let template = self.scope.template(name)?;
        if self.context != Context::Claim {
            self.uses.templates.insert(template);
        }
        Some(Typed::value(Expr::Constant(Value::Class(template)), Sort::Class))
    }

    /// A place or cell of the net.
    pub(crate) fn place(&mut self, name: &str, span: Span) -> Option<Typed> {
        let (id, place) = self.scope.net(self.net?).place(name)?;
        if matches!(self.context, Context::Constant | Context::Initial) {
            let message = format!("`{name}` is a place, and there is no marking yet");
            let help = "an initial marking is made of constants and parameters";
            return Some(self.error("M1024", span, message, help));
        }
        self.looked.insert(id);
        let sort = place.sort.clone();
        let agents = if sort.bears_agents() { vec![Carried::Borrowed] } else { Vec::new() };
        Some(match place.kind {
            PlaceKind::Tokens => Typed { expr: Expr::Place(id), kind: Kind::Tokens(sort), agents },
            PlaceKind::Cell | PlaceKind::Limit => {
                Typed { expr: Expr::Cell(id), kind: Kind::Value(sort), agents }
            }
        })
    }

    /// A definition without arguments, or a sort as the set of its values.
    fn defined(&mut self, name: &str, span: Span) -> Typed {
        if let Some(number) = self.scope.definition(name) {
            return self.put_in(number, &[], span);
        }
        match self.scope.sorts.get(name) {
            Some(Sort::Enumeration(id)) => {
                self.uses.sorts.insert(name.to_owned());
                return Typed::value(Expr::Constant(self.all_members(*id)), Sort::Enumeration(*id).set());
            }
            Some(sort @ Sort::Int(Some((low, high)))) => {
                self.uses.sorts.insert(name.to_owned());
                let end = |number: &i64| Box::new(Expr::Constant(Value::Int(*number)));
                return Typed::value(Expr::Range(end(low), end(high)), sort.clone().set());
            }
            _ => {}
        }
        self.unbound(name, span)
    }

    fn all_members(&self, id: EnumerationId) -> Value {
        let count = self.scope.enumerations[id.0 as usize].members.len();
        Value::set((0..index(count)).map(|member| Value::Member(id, member)))
    }

    /// Nothing has this name.
    fn unbound(&mut self, name: &str, span: Span) -> Typed {
        let local = self.visible.iter().map(|(name, _)| name.as_str());
        let places = self.net.into_iter().flat_map(|net| &self.scope.net(net).places);
        let places = places.filter(|place| place.kind != PlaceKind::Limit).map(|place| place.name.as_str());
        let known = local.chain(places).chain(self.scope.values()).collect::<Vec<_>>();
        let (code, message, otherwise) = match self.context {
            Context::Transition => (
                "M1026",
                format!("nothing binds `{name}` here"),
                "bind it with an arc, a message, `pick` or `let` of the same disjunct",
            ),
            Context::Constant => {
                ("M1021", format!("there is no constant `{name}`"), "declare it with `const`")
            }
            _ => ("M1021", format!("there is no `{name}`"), "`motet vocab` lists the names of a model"),
        };
        let help = meant(name, known, otherwise);
        self.error(code, span, message, help)
    }

    /// `f(e, ...)`
    pub(super) fn call(&mut self, name: &Name, arguments: &[Expression], span: Span) -> Typed {
        let arity = |wanted: usize| arguments.len() == wanted;
        match name.node.as_str() {
            "size" if arity(1) => self.size(&arguments[0]),
            "nonempty" if arity(1) => {
                let size = self.size(&arguments[0]).expr;
                let zero = Box::new(Expr::Constant(Value::Int(0)));
                Typed::value(Expr::Binary(Operator::Less, zero, Box::new(size)), Sort::Bool)
            }
            "class" if arity(1) => {
                let typed = self.expression(&arguments[0], Want::Value(&Sort::Agent));
                let agent = self.flow(typed, &Sort::Agent, arguments[0].span, "`class`");
                Typed::value(Expr::ClassOf(Box::new(agent)), Sort::Class)
            }
            "count" if arity(2) => self.count(&arguments[0], &arguments[1]),
            "enabled" if arity(1) => self.enabled(&arguments[0]),
            "fires" => {
                let help = "write it in a claim, beside other parts and not inside a definition";
                self.error("M1047", span, "`fires` speaks of a step, not of a marking", help)
            }
            other if BUILT_IN.contains(&other) => {
                let wanted = if other == "count" { "two arguments" } else { "one argument" };
                let message = format!("`{other}` takes {wanted}, and here are {}", arguments.len());
                self.error("M1042", span, message, "give as many as it takes")
            }
            other => match self.scope.definition(other) {
                Some(number) => self.put_in(number, arguments, span),
                None => {
                    let names = self.scope.definitions.iter().map(|definition| definition.name.node.as_str());
                    let otherwise = "declare it with `def`";
                    let help = meant(other, names.chain(BUILT_IN), otherwise);
                    let message = format!("there is no definition `{other}`");
                    self.error("M1021", name.span, message, help)
                }
            },
        }
    }

    /// A definition with its arguments in place of its parameters.
    pub(crate) fn put_in(&mut self, number: usize, arguments: &[Expression], span: Span) -> Typed {
        let definition = &self.scope.definitions[number];
        let name = &definition.name.node;
        self.uses.definitions.insert(number);
        if self.inside.contains(&number) {
            let message = format!("the definition of `{name}` goes round in a circle");
            return self.error("M1041", span, message, "say it without itself");
        }
        if self.inside.len() > LIMIT_DEPTH {
            return self.error("M1048", span, "definitions nest too deep here", "say it with fewer of them");
        }
        if arguments.len() != definition.parameters.len() {
            let (takes, given) = (definition.parameters.len(), arguments.len());
            let message = format!("`{name}` takes {takes} arguments, and here are {given}");
            return self.error("M1042", span, message, "give as many as it has parameters");
        }
        let arguments: Vec<Typed> =
            arguments.iter().map(|argument| self.expression(argument, Want::Anything)).collect();
        self.inside_of(number, arguments)
    }

    /// The body of a definition, with these meanings of its parameters.
    pub(crate) fn inside_of(&mut self, number: usize, arguments: Vec<Typed>) -> Typed {
        let definition = &self.scope.definitions[number];
        let names = definition.parameters.iter().map(|parameter| parameter.node.clone());
        let inner = names.zip(arguments.into_iter().map(Meaning::Argument)).collect();
        let outer = std::mem::replace(&mut self.visible, inner);
        self.inside.push(number);
        let typed = self.expression(&definition.body, Want::Anything);
        self.inside.pop();
        self.visible = outer;
        typed
    }

    fn size(&mut self, of: &Expression) -> Typed {
        let typed = self.expression(of, Want::Many(None));
        if self.members_of(&typed, of.span, "`size` counts").is_none() {
            return Typed::value(Expr::Constant(Value::Int(0)), Sort::Unknown);
        }
        Typed::value(Expr::Size(Box::new(typed.expr)), Sort::Int(None))
    }

    /// `enabled(T)`: of the system net.
    fn enabled(&mut self, transition: &Expression) -> Typed {
        let ExpressionNode::Name(name) = &transition.node else {
            let help = "write `enabled(t)`";
            return self.error("M1047", transition.span, "`enabled` takes a transition by name", help);
        };
        if self.context != Context::Claim {
            let help = "a guard says itself what it waits for";
            return self.error("M1047", transition.span, "`enabled` is for claims only", help);
        }
        let Some(system) = self.scope.system.filter(|system| self.net == Some(*system)) else {
            let help = "write it in a claim or a definition";
            return self.error("M1047", transition.span, "`enabled` speaks of the system net", help);
        };
        let net = self.scope.net(system);
        match net.transition(name) {
            Some(id) => Typed::value(Expr::Enabled(id), Sort::Bool),
            None => {
                let known = net.transitions.iter().map(String::as_str);
                let help = meant(name, known, "write the name of a transition of the system net");
                let message = format!("the system net has no transition `{name}`");
                self.error("M1021", transition.span, message, help)
            }
        }
    }

    /// The sort of the members or tokens; `None` where there are none, which is said.
    pub(super) fn members_of(&mut self, typed: &Typed, span: Span, who: &str) -> Option<Sort> {
        match &typed.kind {
            Kind::Tokens(sort) => Some(sort.clone()),
            Kind::Value(Sort::Set(sort)) => Some(sort.as_ref().clone()),
            Kind::Value(Sort::Unknown) => None,
            Kind::Value(sort) => {
                let message = format!(
                    "{who} the members of a set or the tokens of a place, and this is {}",
                    self.shown(sort)
                );
                self.error("M1023", span, message, "name a place, or something whose sort is `set of ...`");
                None
            }
        }
    }

    /// Whether two values can be compared.
    pub(super) fn comparable(&mut self, one: &Sort, other: &Sort, span: Span) -> bool {
        let can = fits(one, other);
        if !can {
            let message = format!("{} and {} are never equal", self.shown(one), self.shown(other));
            self.error("M1023", span, message, "compare values of one sort");
        }
        can
    }
}
