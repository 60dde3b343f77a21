//! Names, data structures and the inlines that all agents share.

use motet_machine::promela::{Branch, Channel, Define, Item, Meaning, Program, Statement, Variable, assign};
use motet_machine::{Binary, Expr, Place};

use crate::program::Mode;
use crate::promela::Context;
use crate::promela::scope::cell;

/// Numbers of scratch variables of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) loops: usize,
    pub(crate) flags: usize,
    pub(crate) counts: usize,
}

impl Context<'_> {
    /// `x0`, `x1`, with a prefix, for the arguments of an atom.
    pub(crate) fn columns(&self, prefix: &str) -> Vec<Expr> {
        self.column_names(prefix).iter().map(|name| Expr::variable(name)).collect()
    }

    fn column_names(&self, prefix: &str) -> Vec<String> {
        (0..self.names.arity).map(|at| format!("{prefix}{at}")).collect()
    }

    /// Arguments filled up with zeros.
    pub(crate) fn padded(&self, args: &[Expr]) -> Vec<Expr> {
        let mut all = args.to_vec();
        all.resize(self.names.arity.max(args.len()), Expr::Number(0));
        all
    }

    /// The source in the records of Jason's events.
    pub(crate) fn sourced(&self, source: impl Into<Expr>) -> Option<Expr> {
        self.jason().then(|| source.into())
    }

    pub(crate) fn jason(&self) -> bool {
        self.program.mode == Mode::Jason
    }

    /// An event is posted.
    pub(crate) fn post(
        &self,
        agent: usize,
        kind: Expr,
        waiting: Expr,
        atom: Vec<Expr>,
        source: Expr,
    ) -> Statement {
        let mut given = vec![Expr::count(agent), kind, waiting];
        given.extend(atom);
        given.extend(self.sourced(source));
        Statement::Inline("post".to_owned(), given)
    }

    /// The predicate and arguments that the present step is about.
    pub(crate) fn current(&self) -> Vec<Expr> {
        [Expr::variable("_q")].into_iter().chain(self.columns("_x")).collect()
    }

    /// What the present step is about is the belief at `_j`.
    pub(crate) fn take_current(&self) -> Vec<Statement> {
        let j = Expr::variable("_j");
        let column = |at: usize| assign(&format!("_x{at}"), Place::named(&format!("_b{at}")).at(&j));
        let first = assign("_q", Place::named("_bp").at(&j));
        [first].into_iter().chain((0..self.names.arity).map(column)).collect()
    }

    /// Symbols as macros.
    pub(crate) fn write_symbols(&self, out: &mut Program) {
        let width = self.names.width;
        out.remark("predicates");
        for (number, (name, symbol, arity)) in self.names.predicates().enumerate() {
            out.remark(format!("{name}/{arity}"));
            out.push(Item::define(symbol, Expr::count(number + 1)));
        }
        out.gap();
        out.remark(format!(
            "constants; whole numbers from -{0} to {0} stand for themselves, and codes keep the order of terms",
            width.limit
        ));
        for (name, symbol, code) in self.names.constants() {
            out.remark(name);
            out.push(Item::define(symbol, code));
        }
        out.push(Item::define("UNBOUND", width.top));
        out.push(Item::define("NOWHERE", width.top - 1));
        let (x, y) = (Expr::parameter("x"), Expr::parameter("y"));
        let within = |x: &Expr, limit: i64| x.at_least(-limit).and(&x.at_most(limit));
        out.push(define("num", &["x"], x.at_most(width.limit)));
        out.push(define("fits", &["x"], within(&x, width.limit)));
        out.push(define("factors", &["x", "y"], within(&x, 30_000).and(&within(&y, 30_000))));
        let mut texts = self.names.constants().filter(|constant| constant.1.starts_with("t_"));
        let first = texts.next();
        let last = texts.last().or(first.clone());
        let plain = match (first, last) {
            (Some(first), Some(last)) => {
                x.less(Expr::named(first.1, first.2)).or(&x.greater(Expr::named(last.1, last.2)))
            }
            _ => Expr::Truth(true),
        };
        out.remark("not a text");
        out.push(define("plain", &["x"], plain));
        out.gap();
    }

    /// Kinds of events and messages, sources, capacities.
    pub(crate) fn write_constants(&self, out: &mut Program) {
        out.remark("events: belief, achievement goal, test goal; added or deleted");
        for (number, name) in EVENTS.iter().enumerate() {
            out.push(Item::define(*name, Expr::count(number + 1)));
        }
        for (name, number) in [("TELL", 1), ("UNTELL", 2), ("ACHIEVE", 3)] {
            out.push(Item::define(name, number));
        }
        out.gap();
        out.remark("sources of a belief, as bits: the agent itself, the environment, messages of each agent");
        let agents = self.program.agents.len();
        out.push(Item::define("SELF", 1));
        out.push(Item::define("PERCEPT", 2));
        let from = Expr::Number(4).with(Binary::ShiftLeft, &Expr::parameter("agent"));
        out.push(define("FROM", &["agent"], from));
        out.push(Item::define("SOURCES", Expr::count(agents + 2)));
        out.remark("only while beliefs are revised");
        out.push(Item::define("SEEN", i64::from(4u32 << agents)));
        if self.sources_named() {
            let named = ["self", "percept"].map(|name| self.names.terms.constant(name));
            let agents = self.program.agents.iter().map(|agent| self.names.terms.structure(agent.name, &[]));
            let codes = named.into_iter().chain(agents);
            let codes: Vec<_> = codes.map(|term| self.names.term(term).unwrap_or(Expr::Number(0))).collect();
            out.push(define("source_of", &["s"], among("s", &codes, Expr::Number(0))));
        }
        out.gap();
        out.remark("capacities; more is the error `bound exceeded`");
        let capacities = self.capacities;
        for (name, number) in [
            ("M_BEL", capacities.beliefs),
            ("M_EV", capacities.events),
            ("M_INT", capacities.intentions),
            ("M_ACT", capacities.actions),
            ("M_MSG", capacities.messages),
        ] {
            out.push(Item::define(name, i64::from(number)));
        }
        out.remark("beliefs in the middle of a step, agents, the end of a body");
        out.push(Item::define("M_WORK", Expr::count(self.working_beliefs())));
        out.push(Item::define("N", Expr::count(agents)));
        out.push(Item::define("END", 255));
        out.gap();
    }

    /// The channels and the array of plan instances.
    pub(crate) fn write_structures(&self, out: &mut Program) {
        let (symbol, value) = (self.names.predicate_kind(), self.names.width.kind);
        let sources = if self.program.agents.len() <= 5 { "byte" } else { "int" };
        let jason: &[&str] = if self.jason() { &["byte"] } else { &[] };
        let channel = |name: &str, room: Option<&str>, messages: &str, before: &[&str], after: &[&str]| {
            let atom = [symbol].into_iter().chain(std::iter::repeat_n(value, self.names.arity));
            let fields = before.iter().copied().chain(atom).chain(after.iter().copied());
            Item::Channel(Channel {
                name: name.to_owned(),
                room: room.map(capacity),
                messages: capacity(messages),
                fields: fields.map(str::to_owned).collect(),
            })
        };
        out.remark("beliefs: predicate, arguments, sources");
        out.push(channel("b", Some("N"), "M_BEL", &[], &[sources]));
        out.remark(
            "events: kind, seat + 1 of the instance that waits for it (0 is nobody), predicate, arguments",
        );
        out.push(channel("e", Some("N"), "M_EV", &["byte", "byte"], jason));
        out.remark("runnable intentions: seats in i_data");
        out.push(Item::Channel(Channel {
            name: "i".to_owned(),
            room: Some(capacity("N")),
            messages: capacity("M_INT"),
            fields: vec!["byte".to_owned()],
        }));
        out.remark("mailboxes: sender, force, predicate, arguments");
        out.push(channel("m", Some("N"), "M_MSG", &["byte", "byte"], &[]));
        out.remark("actions: agent, predicate, arguments");
        let seat: Vec<&str> = ["byte"].into_iter().chain(jason.iter().copied()).collect();
        out.push(channel("a", None, "M_ACT", &seat, &[]));
        out.gap();
        out.remark(
            "plan instances: plan (0 is a free seat), formula counter, trigger, instance below, variables",
        );
        let mut fields: Vec<Variable> =
            ["plan", "pc", "te", "up"].iter().map(|name| Variable::new("byte", *name)).collect();
        fields.push(Variable::new(symbol, "p"));
        fields.extend(self.column_names("x").into_iter().map(|name| Variable::new(value, name)));
        fields.push(Variable::new(value, "v").with_room(Expr::count(self.n_variables())));
        out.push(Item::Record("Instance".to_owned(), fields));
        let seats = capacity("N").times(capacity("M_INT"));
        out.push(Variable::new("Instance", "i_data").with_room(seats));
        out.remark("set by init, when everything is in place");
        out.push(Variable::new("bit", "up"));
        out.gap();
    }

    /// Temporaries. They are no part of the state, unless a choice inside a step must find them again.
    pub(crate) fn write_scratch(&self, out: &mut Program, scratch: Scratch) {
        let (symbol, value) = (self.names.predicate_kind(), self.names.width.kind);
        out.remark("temporaries of a step");
        for kind in
            ["beliefs", "events", "intentions", "actions", "messages", "numbers", "world", "reactions"]
        {
            out.push(Variable::new("byte", format!("bound_{kind}")).hidden());
        }
        let work = || capacity("M_WORK");
        let mut all: Vec<Variable> = SCALARS.iter().map(|name| Variable::new("byte", *name)).collect();
        all.push(Variable::new(symbol, "_q"));
        all.extend(self.column_names("_x").into_iter().map(|name| Variable::new(value, name)));
        all.push(Variable::new(value, "_t"));
        all.push(Variable::new("int", "_choice"));
        all.push(Variable::new(symbol, "_bp").with_room(work()));
        let columns = self.column_names("_b").into_iter();
        all.extend(columns.map(|name| Variable::new(value, name).with_room(work())));
        all.push(Variable::new("int", "_bs").with_room(work()));
        all.push(Variable::new(value, "_v").with_room(Expr::count(self.n_variables())));
        all.extend(scratch.names().into_iter().map(|name| Variable::new("byte", name)));
        let shown = |visible: bool| move |one: Variable| Item::from(if visible { one } else { one.hidden() });
        out.items.extend(all.into_iter().map(shown(self.mind_chooses)));
        let mut all =
            vec![Variable::new("byte", "_aw"), Variable::new("byte", "_as"), Variable::new(symbol, "_ap")];
        all.extend(self.column_names("_a").into_iter().map(|name| Variable::new(value, name)));
        all.extend([
            Variable::new("byte", "_rule"),
            Variable::new("short", "_round"),
            Variable::new("int", "_w"),
            Variable::new("int", "_outcome"),
        ]);
        out.items.extend(all.into_iter().map(shown(self.world_chooses)));
        out.gap();
        if self.mind_chooses {
            out.push(inline("wipe", &[], self.wiped(scratch)));
            out.gap();
        }
    }

    fn wiped(&self, scratch: Scratch) -> Vec<Statement> {
        let names = SCALARS.iter().chain(&["_q", "_t", "_choice"]).map(|name| (*name).to_owned());
        let names = names.chain(self.column_names("_x")).chain(scratch.names());
        let mut body: Vec<Statement> = names.map(|name| assign(&name, 0)).collect();
        body.extend(
            (0..self.n_variables()).map(|number| assign(Place::named("_v").at(Expr::count(number)), 0)),
        );
        body.extend((0..self.working_beliefs()).flat_map(|number| self.blank(&Expr::count(number))));
        body
    }

    /// What all agents do alike.
    pub(crate) fn write_inlines(&self, out: &mut Program) {
        out.push(Item::check());
        out.gap();
        let columns = self.column_names("y");
        let given = ["me", "kind", "waiting", "q"].map(str::to_owned).into_iter().chain(columns);
        let given: Vec<String> = given.chain(self.jason().then(|| "from".to_owned())).collect();
        let queue = Place::named("e").at(Expr::variable("me"));
        let message = given[1..].iter().map(|name| Expr::variable(name)).collect();
        let body = vec![room("events", &queue, "M_EV"), Statement::Send(queue, message)];
        out.push(Item::Inline { name: "post".to_owned(), parameters: given, body });
        out.gap();
        self.write_beliefs(out);
        out.remark("empties a seat");
        let seat = instance(Expr::variable("seat"));
        let fields = ["plan", "pc", "te", "up", "p"].map(str::to_owned).into_iter();
        let fields = fields.chain(self.column_names("x")).map(|name| seat.field(&name));
        let values = (0..self.n_variables()).map(|number| seat.field("v").at(Expr::count(number)));
        out.push(inline("leave", &["seat"], fields.chain(values).map(|place| assign(place, 0)).collect()));
        out.gap();
        let (mut fetch, mut keep) = (Vec::new(), Vec::new());
        for number in 0..self.n_variables() {
            let number = u16::try_from(number).unwrap_or(u16::MAX);
            let (own, kept) = (cell(crate::program::VariableIndex(number)), kept(number));
            fetch.push(assign(&own, &kept));
            keep.push(assign(kept, own));
        }
        out.push(inline("fetch_variables", &[], fetch));
        out.push(inline("keep_variables", &[], keep));
        out.gap();
    }

    /// The places of the belief at a position: predicate, arguments, sources.
    fn belief(&self, at: &Expr) -> Vec<Place> {
        let columns = self.column_names("_b");
        let names = ["_bp"].into_iter().chain(columns.iter().map(String::as_str)).chain(["_bs"]);
        names.map(|name| Place::named(name).at(at)).collect()
    }

    fn blank(&self, at: &Expr) -> Vec<Statement> {
        self.belief(at).into_iter().map(|place| assign(place, 0)).collect()
    }

    fn shift(&self, to: &Expr, from: &Expr) -> Vec<Statement> {
        self.belief(to).into_iter().zip(self.belief(from)).map(|(to, from)| assign(to, from)).collect()
    }

    fn write_beliefs(&self, out: &mut Program) {
        let (n, j) = (Place::named("_n"), Place::named("_j"));
        let own = Place::named("b").at(Expr::variable("me"));
        let count = Expr::call("len", [Expr::from(&own)]);
        let message = |at: &Place| self.belief(&at.into()).into_iter().map(Expr::from).collect::<Vec<_>>();
        out.remark("copies the beliefs of an agent into _bp, _b0, .., _bs");
        let copy = vec![
            Statement::Receive(own.clone(), self.belief(&Expr::from(&n))),
            Statement::Send(own.clone(), message(&n)),
            Statement::increment(&n),
        ];
        out.push(inline("load", &["me"], vec![assign(&n, 0), Statement::repeat(n.less(&count), copy)]));
        out.remark("and back");
        let blanks = vec![Place::named("_"); self.names.arity + 2];
        let back = vec![Statement::Send(own.clone(), message(&j)), Statement::increment(&j)];
        let save = vec![
            Statement::repeat(count.greater(0), vec![Statement::Receive(own, blanks)]),
            Statement::check("bound_beliefs", n.at_most(capacity("M_BEL"))),
            assign(&j, 0),
            Statement::repeat(j.less(&n), back),
        ];
        out.push(inline("save", &["me"], save));
        out.remark("_j is the place of the belief _q(_x0, ..), or _n");
        let known = self.belief(&Expr::from(&j));
        let same = Expr::all(known.iter().zip(self.current()).map(|(known, own)| known.equals(own)));
        out.push(inline("find", &[], find(&same)));
        self.write_believe(out);
        out.remark("takes the belief at _j out");
        let mut shift = self.shift(&Expr::from(&j), &j.plus(1));
        shift.push(Statement::increment(&j));
        let mut remove = vec![Statement::decrement(&n), Statement::repeat(j.less(&n), shift)];
        remove.extend(self.blank(&Expr::from(&n)));
        out.push(inline("remove", &[], remove));
        out.gap();
    }

    fn write_believe(&self, out: &mut Program) {
        out.remark("adds a source to the belief _q(_x0, ..); _new tells whether that is an event");
        let (n, j, source) = (Place::named("_n"), Place::named("_j"), Expr::parameter("source"));
        let sources = Place::named("_bs").at(&j);
        let is_new = if self.jason() { sources.bit_and(&source).equals(0) } else { Expr::Truth(false) };
        let known = vec![assign("_new", is_new), assign(&sources, sources.bit_or(&source))];
        let mut new = vec![Statement::check("bound_beliefs", n.less(capacity("M_WORK")))];
        if self.jason() {
            // Queries see the newest belief first.
            let mut shift = self.shift(&Expr::from(&j), &j.minus(1));
            shift.push(Statement::decrement(&j));
            new.push(Statement::repeat(j.greater(0), shift));
        }
        let values = self.current().into_iter().chain([source]);
        new.extend(self.belief(&Expr::from(&j)).into_iter().zip(values).map(|(at, value)| assign(at, value)));
        new.extend([Statement::increment(&n), assign("_new", 1)]);
        let body = vec![
            perform("find", []),
            Statement::If(vec![Branch::when(j.less(&n), known), Branch::otherwise(new)]),
        ];
        out.push(inline("believe", &["source"], body));
    }
}

/// `_j` becomes the place of the first belief that fits, or `_n`.
pub(crate) fn find(fits: &Expr) -> Vec<Statement> {
    let j = Place::named("_j");
    let other = j.less(Expr::variable("_n")).and(&fits.not());
    vec![assign(&j, 0), Statement::repeat(other, vec![Statement::increment(&j)])]
}

/// A number that is defined for the whole model.
pub(crate) fn capacity(name: &str) -> Expr {
    Expr::call(name, [])
}

/// There is room for one more message.
pub(crate) fn room(kind: &str, queue: &Place, most: &str) -> Statement {
    let count = Expr::call("len", [queue.into()]);
    Statement::check(&format!("bound_{kind}"), count.less(capacity(most)))
}

/// A seat of an agent.
pub(crate) fn seat_of(agent: usize, seat: Expr) -> Expr {
    Expr::count(agent).times(capacity("M_INT")).plus(seat)
}

/// The plan instance in a seat.
pub(crate) fn instance(seat: Expr) -> Place {
    Place::named("i_data").at(seat)
}

/// The plan instance that the present step is about.
pub(crate) fn this() -> Place {
    instance(Expr::variable("_d"))
}

/// Where the present plan instance keeps a variable.
pub(crate) fn kept(number: u16) -> Place {
    this().field("v").at(i64::from(number))
}

/// What an inline does.
pub(crate) fn perform(name: &str, given: impl IntoIterator<Item = Expr>) -> Statement {
    Statement::Inline(name.to_owned(), given.into_iter().collect())
}

pub(crate) fn inline(name: &str, parameters: &[&str], mut body: Vec<Statement>) -> Item {
    body.push(Statement::Skip);
    let parameters = parameters.iter().map(|&one| one.to_owned()).collect();
    Item::Inline { name: name.to_owned(), parameters, body }
}

pub(crate) fn define(name: &str, parameters: &[&str], body: Expr) -> Item {
    let parameters = parameters.iter().map(|&one| one.to_owned()).collect();
    Item::Define(Define { name: name.to_owned(), parameters, body: Meaning::Expr(body) })
}

/// The expression with the number that is given for a parameter; else the last.
pub(crate) fn among(parameter: &str, exprs: &[Expr], otherwise: Expr) -> Expr {
    exprs.iter().enumerate().rev().fold(otherwise, |rest, (number, expr)| {
        Expr::choose(&Expr::parameter(parameter).equals(Expr::count(number)), expr, &rest)
    })
}

impl Scratch {
    fn names(self) -> Vec<String> {
        let kinds = [("k", self.loops), ("f", self.flags), ("c", self.counts)];
        kinds.iter().flat_map(|(letter, count)| (0..*count).map(move |n| format!("_{letter}{n}"))).collect()
    }
}

/// A kind of event by its name.
pub(crate) fn event(name: &str) -> Expr {
    let number = EVENTS.iter().position(|known| *known == name);
    Expr::named(name, number.map_or(0, |number| i64::try_from(number + 1).unwrap_or(0)))
}

/// Kinds of events, from 1.
const EVENTS: [&str; 6] = ["ADD_BELIEF", "DEL_BELIEF", "ADD_GOAL", "DEL_GOAL", "ADD_TEST", "DEL_TEST"];

/// Temporaries of a step that are small numbers.
const SCALARS: [&str; 17] = [
    "_n", "_j", "_k", "_new", "_ok", "_plan", "_te", "_up", "_src", "_from", "_force", "_i", "_d", "_pc",
    "_st", "_more", "_jump",
];
