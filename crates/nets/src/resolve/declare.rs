//! Declarations: enumerations, constants, sorts, ports and what each net shows of itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use motet_model::Options;
use motet_source::{Problem, Problems, Span};

use super::scope::{Names, PlaceSignature, Scope, Signature, Uses, index, meant};
use crate::program::{Enumeration, PlaceKind, Port, RecordSort, Sort};
use crate::syntax::{self, Field, Item, Level, Member, Text, TypeNode, TypeText};
use crate::value::{EnumerationId, NetId};

/// How deep declared sorts may refer to each other.
const LIMIT_DEPTH: usize = 100;

/// How many parts a sort may have.
pub(crate) const LIMIT_PARTS: usize = 1000;

/// Everything that is declared outside of nets, and the signatures of nets.
pub(crate) struct Declarations<'a> {
    pub(crate) scope: Scope,
    pub(crate) uses: Uses,
    pub(crate) problems: &'a mut Problems,
    texts: BTreeMap<&'a str, &'a TypeText>,
}

impl<'a> Declarations<'a> {
    /// Reads the declarations of a text.
    pub(crate) fn read(text: &'a Text, options: &Options, place: Span, problems: &'a mut Problems) -> Self {
        let (scope, uses, texts) = (Scope::default(), Uses::default(), BTreeMap::new());
        let mut this = Self { scope, uses, problems, texts };
        this.names(text);
        this.constants(text, options, place);
        let names: Vec<&str> = this.texts.keys().copied().collect();
        for name in names {
            this.named(name, &mut Vec::new());
        }
        this.ports(text);
        for item in &text.items {
            if let Item::Net(net) = item {
                this.net(net);
            }
        }
        this.system(place);
        this
    }

    /// All names, each once. Sorts, ports and values have spaces of their own.
    fn names(&mut self, text: &'a Text) {
        let (mut sorts, mut values) = (Names::default(), Names::default());
        for item in &text.items {
            match item {
                Item::Enumeration(enumeration) => {
                    if sorts.declare(&enumeration.name, self.problems) {
                        self.enumeration(enumeration, &mut values);
                    }
                }
                Item::Type(name, sort) => {
                    if sorts.declare(name, self.problems) {
                        self.texts.insert(&name.node, sort);
                    }
                }
                Item::Constant(name, _) => {
                    values.declare(name, self.problems);
                }
                Item::Definition(definition) => {
                    if values.declare(&definition.name, self.problems) {
                        self.scope.definitions.push(definition.clone());
                    }
                }
                Item::Net(net) => {
                    values.declare(&net.name, self.problems);
                }
                Item::Port(_) | Item::Aspect(_) | Item::Role(_) | Item::Mediator(_) => {}
            }
        }
    }

    fn enumeration(&mut self, enumeration: &syntax::Enumeration, values: &mut Names) {
        let id = EnumerationId(index(self.scope.enumerations.len()));
        let mut members = Vec::new();
        for member in &enumeration.members {
            if values.declare(member, self.problems) {
                self.scope.members.insert(member.node.clone(), (id, index(members.len())));
                members.push(member.node.clone());
            }
        }
        let name = enumeration.name.node.clone();
        self.scope.sorts.insert(name.clone(), Sort::Enumeration(id));
        self.scope.enumerations.push(Enumeration { name, members, symmetry: enumeration.symmetry });
    }

    /// A declared sort, resolved when it is first asked for.
    fn named(&mut self, name: &str, stack: &mut Vec<String>) -> Option<Sort> {
        if let Some(sort) = self.scope.sorts.get(name) {
            return Some(sort.clone());
        }
        let text = *self.texts.get(name)?;
        if stack.len() > LIMIT_DEPTH || stack.iter().any(|known| known == name) {
            let message = format!("the sort `{name}` contains itself");
            let help = "values are finite: break the circle";
            self.problems.push(Problem::error("M1022", text.span, message, help));
            return Some(Sort::Unknown);
        }
        stack.push(name.to_owned());
        let mut sort = self.sort_in(text, stack);
        stack.pop();
        if let Sort::Record(record) = &sort {
            let fields = record.fields.clone();
            sort = Sort::Record(Arc::new(RecordSort { name: Some(name.to_owned()), fields }));
        }
        if !sort.is_small(&mut { LIMIT_PARTS }) {
            let message = format!("the sort `{name}` has too many parts, with its sorts put in");
            self.problems.push(Problem::error("M1048", text.span, message, "make it smaller"));
            sort = Sort::Unknown;
        }
        self.scope.sorts.insert(name.to_owned(), sort.clone());
        Some(sort)
    }

    pub(crate) fn sort(&mut self, text: &TypeText) -> Sort {
        self.sort_in(text, &mut Vec::new())
    }

    fn sort_in(&mut self, text: &TypeText, stack: &mut Vec<String>) -> Sort {
        match &text.node {
            TypeNode::Int(None) => Sort::Int(None),
            TypeNode::Int(Some((low, high))) => {
                let (low, high) =
                    (self.whole(low, "an end of a range"), self.whole(high, "an end of a range"));
                let (Some(low), Some(high)) = (low, high) else { return Sort::Unknown };
                if low > high {
                    let message = format!("the range {low}..{high} is empty");
                    let help = "write the smaller end first";
                    self.problems.push(Problem::error("M1024", text.span, message, help));
                    return Sort::Unknown;
                }
                Sort::Int(Some((low, high)))
            }
            TypeNode::Bool => Sort::Bool,
            TypeNode::Token => Sort::Token,
            TypeNode::Class => Sort::Class,
            TypeNode::Agent => Sort::Agent,
            TypeNode::Named(name) => {
                self.uses.sorts.insert(name.clone());
                if let Some(sort) = self.named(name, stack) {
                    return sort;
                }
                let known = self.texts.keys().copied().chain(self.scope.sorts.keys().map(String::as_str));
                let help = meant(name, known, "declare it with `type` or `enum`");
                let message = format!("there is no sort `{name}`");
                self.problems.push(Problem::error("M1022", text.span, message, help));
                Sort::Unknown
            }
            TypeNode::Set(of) => self.sort_in(of, stack).set(),
            TypeNode::Record(fields) => {
                let fields = self.fields(fields, stack);
                Sort::Record(Arc::new(RecordSort { name: None, fields }))
            }
        }
    }

    fn fields(&mut self, fields: &[Field], stack: &mut Vec<String>) -> Vec<(String, Sort)> {
        let mut names = Names::default();
        let mut all = Vec::new();
        for field in fields {
            names.declare(&field.name, self.problems);
            all.push((field.name.node.clone(), self.sort_in(&field.sort, stack)));
        }
        all
    }

    fn ports(&mut self, text: &Text) {
        let mut names = Names::default();
        for item in &text.items {
            let Item::Port(port) = item else { continue };
            if !names.declare(&port.name, self.problems) {
                continue;
            }
            let fields = self.fields(&port.fields, &mut Vec::new());
            for (field, (_, sort)) in port.fields.iter().zip(&fields) {
                self.data_only(sort, field.sort.span, "a port");
            }
            let (name, span) = (port.name.node.clone(), port.name.span);
            self.scope.ports.push(Port { name, fields, span });
        }
    }

    /// Agents live in places and nowhere else.
    fn data_only(&mut self, sort: &Sort, span: Span, what: &str) {
        if sort.bears_agents() {
            let message = format!("{what} carries data, and this sort contains an agent");
            let help = "keep the agent in a place, and pass on what it is called";
            self.problems.push(Problem::error("M1030", span, message, help));
        }
    }

    /// What a net shows of itself; hidden counters come last.
    fn net(&mut self, net: &syntax::Net) {
        let id = NetId(index(self.scope.nets.len()));
        let parameters = self.fields(&net.parameters, &mut Vec::new());
        for (field, (name, sort)) in net.parameters.iter().zip(&parameters) {
            self.data_only(sort, field.sort.span, "a parameter");
            if let Some(what) = self.scope.fixed(name) {
                let message = format!("`{name}` is {what} and cannot be a parameter");
                let help = "choose another name for the parameter";
                self.problems.push(Problem::error("M1039", field.name.span, message, help));
            }
        }
        let (mut places, mut hidden, mut transitions) = (Vec::new(), Vec::new(), Vec::new());
        let mut goals = Vec::new();
        let (mut names, mut others) = (Names::default(), Names::default());
        for member in &net.members {
            match member {
                Member::Place(place) => {
                    let sort = self.sort(&place.sort);
                    self.place_sort(place, &sort);
                    let kind = kind(place.kind);
                    for name in &place.names {
                        names.declare(name, self.problems);
                        self.own_name(name, net);
                        places.push(PlaceSignature { name: name.node.clone(), sort: sort.clone(), kind });
                    }
                }
                Member::Transition(transition) => {
                    others.declare(&transition.name, self.problems);
                    let name = transition.name.node.clone();
                    if let Some(limit) = &transition.limit {
                        let most = self.counted(limit, 0, "a limit").unwrap_or(0);
                        let sort = Sort::Int(Some((0, i64::from(most))));
                        hidden.push(PlaceSignature { name: name.clone(), sort, kind: PlaceKind::Limit });
                    }
                    transitions.push(name);
                }
                // Like places, goals are parts of an agent.
                Member::Goal(name, _) => {
                    names.declare(name, self.problems);
                    goals.push(name.node.clone());
                }
                Member::Operation(_) => {}
            }
        }
        places.append(&mut hidden);
        if net.level == Level::System && self.scope.system.is_none() {
            self.scope.system = Some(id);
        } else if net.level == Level::System {
            let first = self.scope.system.map_or(net.name.span, |first| self.scope.net(first).span);
            let help = "make one of them an `agent net`";
            let problem = Problem::error("M1040", net.name.span, "there are two system nets", help);
            self.problems.push(problem.also(first, "the first one"));
        }
        let (name, level, span) = (net.name.node.clone(), net.level, net.name.span);
        self.scope.nets.push(Signature { name, level, parameters, places, transitions, goals, span });
    }

    fn place_sort(&mut self, place: &syntax::Place, sort: &Sort) {
        let span = place.sort.span;
        if place.kind == syntax::PlaceKind::Cell {
            self.data_only(sort, span, "a cell");
        } else if sort.agents() > 1 {
            let help = "write a place for each agent, or an agent net that holds the others";
            let message = "a token holds at most one agent, and no sets of them";
            self.problems.push(Problem::error("M1030", span, message, help));
        }
    }

    /// A place may be called like an enumerator, but not like anything else that an expression could mean.
    fn own_name(&mut self, name: &syntax::Name, net: &syntax::Net) {
        let parameter = net.parameters.iter().any(|parameter| parameter.name.node == name.node);
        let what = match self.scope.fixed(&name.node) {
            Some(what) if what != "an enumerator" => what,
            _ if parameter => "a parameter",
            _ if self.scope.definition(&name.node).is_some() => "a definition",
            _ => return,
        };
        let message = format!("`{}` is {what} and cannot be a place", name.node);
        self.problems.push(Problem::error("M1020", name.span, message, "choose another name for the place"));
    }

    fn system(&mut self, place: Span) {
        if self.scope.system.is_none() {
            let help = "write `system net Name() { ... }`";
            self.problems.push(Problem::error("M1040", place, "there is no system net", help));
        }
    }
}

/// The same kind in the program.
pub(crate) fn kind(kind: syntax::PlaceKind) -> PlaceKind {
    match kind {
        syntax::PlaceKind::Tokens => PlaceKind::Tokens,
        syntax::PlaceKind::Cell => PlaceKind::Cell,
    }
}
