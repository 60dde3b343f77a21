//! Names, data structures and the inlines that all agents share.

use crate::program::Mode;
use crate::promela::Context;
use crate::promela::text::{Text, tame};

/// Numbers of scratch variables of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) loops: usize,
    pub(crate) flags: usize,
    pub(crate) counts: usize,
}

impl Context<'_> {
    /// `x0,x1` with a prefix, for the arguments of an atom.
    pub(crate) fn columns(&self, prefix: &str) -> String {
        (0..self.names.arity).map(|at| format!(",{prefix}{at}")).collect()
    }

    /// Arguments filled up with zeros.
    pub(crate) fn padded(&self, args: &[String]) -> String {
        let zeros = std::iter::repeat_n("0", self.names.arity.saturating_sub(args.len()));
        args.iter().map(String::as_str).chain(zeros).map(|arg| format!(",{arg}")).collect()
    }

    /// `, source` in the records of Jason's events.
    pub(crate) fn sourced(&self, source: &str) -> String {
        if self.jason() { format!(",{source}") } else { String::new() }
    }

    pub(crate) fn jason(&self) -> bool {
        self.program.mode == Mode::Jason
    }

    /// Symbols as macros.
    pub(crate) fn write_symbols(&self, out: &mut Text) {
        let width = self.names.width;
        out.remark("predicates");
        for (number, (name, symbol, arity)) in self.names.predicates().enumerate() {
            out.line(format_args!("#define {symbol} {}  /* {}/{arity} */", number + 1, tame(&name)));
        }
        out.gap();
        out.remark(format_args!(
            "constants; whole numbers from -{0} to {0} stand for themselves, and codes keep the order of terms",
            width.limit
        ));
        for (name, symbol, code) in self.names.constants() {
            out.line(format_args!("#define {symbol} {code}  /* {} */", tame(&name)));
        }
        let top = if width.kind == "short" { 32_767 } else { 2_000_000_000 };
        out.line(format_args!("#define UNBOUND {top}"));
        out.line(format_args!("#define NOWHERE {}", top - 1));
        out.line(format_args!("#define num(x) ((x) <= {})", width.limit));
        out.line(format_args!("#define fits(x) ((x) >= -{0} && (x) <= {0})", width.limit));
        out.line("#define factors(x,y) ((x) <= 30000 && (x) >= -30000 && (y) <= 30000 && (y) >= -30000)");
        let texts: Vec<&str> =
            self.names.constants().filter(|c| c.1.starts_with("t_")).map(|c| c.1).collect();
        match (texts.first(), texts.last()) {
            (Some(first), Some(last)) => {
                out.line(format_args!("#define plain(x) ((x) < {first} || (x) > {last})  /* not a text */"));
            }
            _ => out.line("#define plain(x) 1"),
        }
        out.gap();
    }

    /// Kinds of events and messages, sources, capacities.
    pub(crate) fn write_constants(&self, out: &mut Text) {
        out.remark("events: belief, achievement goal, test goal; added or deleted");
        for (number, name) in EVENTS.iter().enumerate() {
            out.line(format_args!("#define {name} {}", number + 1));
        }
        out.line("#define TELL 1");
        out.line("#define UNTELL 2");
        out.line("#define ACHIEVE 3");
        out.gap();
        out.remark("sources of a belief, as bits: the agent itself, the environment, messages of each agent");
        out.line("#define SELF 1");
        out.line("#define PERCEPT 2");
        out.line("#define FROM(agent) (4 << (agent))");
        let agents = self.program.agents.len();
        out.line(format_args!("#define SOURCES {}", agents + 2));
        out.line(format_args!("#define SEEN {}  /* only while beliefs are revised */", 4u32 << agents));
        let mut words = "0".to_owned();
        for (number, agent) in self.program.agents.iter().enumerate().rev() {
            let name = self.names.terms.structure(agent.name, &[]);
            let code = self.names.term(name).unwrap_or_default();
            words = format!("((s) == {} -> {code} : {words})", number + 2);
        }
        if self.sources_named() {
            out.line(format_args!(
                "#define source_of(s) ((s) == 0 -> c_self : ((s) == 1 -> c_percept : {words}))"
            ));
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
            out.line(format_args!("#define {name} {number}"));
        }
        out.line(format_args!(
            "#define M_WORK {}  /* beliefs in the middle of a step */",
            self.working_beliefs()
        ));
        out.line(format_args!("#define N {agents}  /* agents */"));
        out.line("#define END 255  /* of a body */");
        out.gap();
    }

    /// The channels and the array of plan instances.
    pub(crate) fn write_structures(&self, out: &mut Text) {
        let (symbol, value) = (self.names.predicate_kind(), self.names.width.kind);
        let args: String = (0..self.names.arity).map(|_| format!(", {value}")).collect();
        let sources = if self.program.agents.len() <= 5 { "byte" } else { "int" };
        let source = if self.jason() { ", byte" } else { "" };
        let seat = if self.jason() { ", byte" } else { "" };
        out.remark("beliefs: predicate, arguments, sources");
        out.line(format_args!("chan b[N] = [M_BEL] of {{ {symbol}{args}, {sources} }};"));
        out.remark(
            "events: kind, seat + 1 of the instance that waits for it (0 is nobody), predicate, arguments",
        );
        out.line(format_args!("chan e[N] = [M_EV] of {{ byte, byte, {symbol}{args}{source} }};"));
        out.remark("runnable intentions: seats in i_data");
        out.line("chan i[N] = [M_INT] of { byte };");
        out.remark("mailboxes: sender, force, predicate, arguments");
        out.line(format_args!("chan m[N] = [M_MSG] of {{ byte, byte, {symbol}{args} }};"));
        out.remark("actions: agent, predicate, arguments");
        out.line(format_args!("chan a = [M_ACT] of {{ byte{seat}, {symbol}{args} }};"));
        out.gap();
        out.remark(
            "plan instances: plan (0 is a free seat), formula counter, trigger, instance below, variables",
        );
        out.open("typedef Instance {");
        out.line("byte plan; byte pc; byte te; byte up;");
        out.line(format_args!("{symbol} p;"));
        for at in 0..self.names.arity {
            out.line(format_args!("{value} x{at};"));
        }
        out.line(format_args!("{value} v[{}]", self.n_variables()));
        out.close("};");
        out.line("Instance i_data[N * M_INT];");
        out.line("bit up;  /* set by init, when everything is in place */");
        out.gap();
    }

    /// Temporaries. They are no part of the state, unless a choice inside a step must find them again.
    pub(crate) fn write_scratch(&self, out: &mut Text, scratch: Scratch) {
        let hidden = if self.mind_chooses { "" } else { "hidden " };
        let (symbol, value) = (self.names.predicate_kind(), self.names.width.kind);
        out.remark("temporaries of a step");
        for kind in
            ["beliefs", "events", "intentions", "actions", "messages", "numbers", "world", "reactions"]
        {
            out.line(format_args!("hidden byte bound_{kind};"));
        }
        for name in SCALARS {
            out.line(format_args!("{hidden}byte {name};"));
        }
        out.line(format_args!("{hidden}{symbol} _q;"));
        for at in 0..self.names.arity {
            out.line(format_args!("{hidden}{value} _x{at};"));
        }
        out.line(format_args!("{hidden}{value} _t;"));
        out.line(format_args!("{hidden}int _choice;"));
        out.line(format_args!("{hidden}{symbol} _bp[M_WORK];"));
        for at in 0..self.names.arity {
            out.line(format_args!("{hidden}{value} _b{at}[M_WORK];"));
        }
        out.line(format_args!("{hidden}int _bs[M_WORK];"));
        out.line(format_args!("{hidden}{value} _v[{}];", self.n_variables()));
        out.line("#define VAR(x) _v[x]");
        for (letter, count) in [("k", scratch.loops), ("f", scratch.flags), ("c", scratch.counts)] {
            for number in 0..count {
                out.line(format_args!("{hidden}byte _{letter}{number};"));
            }
        }
        let hidden = if self.world_chooses { "" } else { "hidden " };
        out.line(format_args!("{hidden}byte _aw; {hidden}byte _as; {hidden}{symbol} _ap;"));
        for at in 0..self.names.arity {
            out.line(format_args!("{hidden}{value} _a{at};"));
        }
        out.line(format_args!(
            "{hidden}byte _rule; {hidden}short _round; {hidden}int _w; {hidden}int _outcome;"
        ));
        out.gap();
        if self.mind_chooses {
            self.write_wipe(out, scratch);
        }
    }

    fn write_wipe(&self, out: &mut Text, scratch: Scratch) {
        out.open("inline wipe() {");
        for name in SCALARS.iter().chain(&["_q", "_t", "_choice"]) {
            out.line(format_args!("{name} = 0;"));
        }
        for at in 0..self.names.arity {
            out.line(format_args!("_x{at} = 0;"));
        }
        for number in 0..self.n_variables() {
            out.line(format_args!("_v[{number}] = 0;"));
        }
        for (letter, count) in [("k", scratch.loops), ("f", scratch.flags), ("c", scratch.counts)] {
            for number in 0..count {
                out.line(format_args!("_{letter}{number} = 0;"));
            }
        }
        for number in 0..self.working_beliefs() {
            let columns: String = (0..self.names.arity).map(|at| format!(" _b{at}[{number}] = 0;")).collect();
            out.line(format_args!("_bp[{number}] = 0; _bs[{number}] = 0;{columns}"));
        }
        out.line("skip");
        out.close("}");
        out.gap();
    }

    /// What all agents do alike.
    pub(crate) fn write_inlines(&self, out: &mut Text) {
        out.line("inline check(flag, condition) { flag = ((condition) -> 1 : 0); assert(flag) }");
        out.gap();
        let (formal, y) = (self.columns("y"), self.columns("y"));
        let (extra, from) = (if self.jason() { ",from" } else { "" }, self.sourced("from"));
        out.open(format_args!("inline post(me, kind, waiting, q{formal}{extra}) {{"));
        out.line("check(bound_events, len(e[me]) < M_EV);");
        out.line(format_args!("e[me]!kind,waiting,q{y}{from}"));
        out.close("}");
        out.gap();
        self.write_beliefs(out);
        out.remark("empties a seat");
        out.open("inline leave(seat) {");
        out.line("i_data[seat].plan = 0; i_data[seat].pc = 0; i_data[seat].te = 0; i_data[seat].up = 0;");
        out.line("i_data[seat].p = 0;");
        for at in 0..self.names.arity {
            out.line(format_args!("i_data[seat].x{at} = 0;"));
        }
        for number in 0..self.n_variables() {
            out.line(format_args!("i_data[seat].v[{number}] = 0;"));
        }
        out.line("skip");
        out.close("}");
        out.gap();
        for (name, to, from) in [("fetch_variables", "V", "D"), ("keep_variables", "D", "V")] {
            let place = |letter: &str, number: usize| match letter {
                "V" => format!("VAR({number})"),
                _ => format!("i_data[_d].v[{number}]"),
            };
            out.open(format_args!("inline {name}() {{"));
            for number in 0..self.n_variables() {
                out.line(format_args!("{} = {};", place(to, number), place(from, number)));
            }
            out.line("skip");
            out.close("}");
        }
        out.gap();
    }

    fn write_beliefs(&self, out: &mut Text) {
        let record: String = (0..self.names.arity).map(|at| format!(",_b{at}[_n]")).collect();
        let record_j: String = (0..self.names.arity).map(|at| format!(",_b{at}[_j]")).collect();
        out.remark("copies the beliefs of an agent into _bp, _b0, .., _bs");
        out.open("inline load(me) {");
        out.line("_n = 0;");
        out.line("do");
        out.open(":: (_n < len(b[me])) ->");
        out.line(format_args!("b[me]?_bp[_n]{record},_bs[_n]; b[me]!_bp[_n]{record},_bs[_n];"));
        out.line("_n++");
        out.close(":: else -> break");
        out.line("od");
        out.close("}");
        out.remark("and back");
        out.open("inline save(me) {");
        let blanks: String = (0..=self.names.arity).map(|_| ",_").collect();
        out.line(format_args!("do :: (len(b[me]) > 0) -> b[me]?_{blanks} :: else -> break od;"));
        out.line("check(bound_beliefs, _n <= M_BEL);");
        out.line("_j = 0;");
        out.line("do");
        out.open(":: (_j < _n) ->");
        out.line(format_args!("b[me]!_bp[_j]{record_j},_bs[_j];"));
        out.line("_j++");
        out.close(":: else -> break");
        out.line("od");
        out.close("}");
        let equal: String = (0..self.names.arity).map(|at| format!(" && _b{at}[_j] == _x{at}")).collect();
        out.remark("_j is the place of the belief _q(_x0, ..), or _n");
        out.open("inline find() {");
        out.line("_j = 0;");
        out.line(format_args!("do :: (_j < _n && !(_bp[_j] == _q{equal})) -> _j++ :: else -> break od"));
        out.close("}");
        self.write_believe(out);
        out.remark("takes the belief at _j out");
        out.open("inline remove() {");
        out.line("_n--;");
        out.line("do");
        out.open(":: (_j < _n) ->");
        self.write_shift(out, "_j", "_j + 1");
        out.line("_j++");
        out.close(":: else -> break");
        out.line("od;");
        self.write_blank(out, "_n");
        out.line("skip");
        out.close("}");
        out.gap();
    }

    fn write_believe(&self, out: &mut Text) {
        out.remark("adds a source to the belief _q(_x0, ..); _new tells whether that is an event");
        out.open("inline believe(source) {");
        out.line("find();");
        out.line("if");
        out.open(":: (_j < _n) ->");
        out.line(if self.jason() { "_new = ((_bs[_j] & (source)) == 0);" } else { "_new = 0;" });
        out.line("_bs[_j] = _bs[_j] | (source)");
        out.turn(":: else ->");
        out.line("check(bound_beliefs, _n < M_WORK);");
        if self.jason() {
            // Queries see the newest belief first.
            out.line("do");
            out.open(":: (_j > 0) ->");
            self.write_shift(out, "_j", "_j - 1");
            out.line("_j--");
            out.close(":: else -> break");
            out.line("od;");
        }
        out.line("_bp[_j] = _q;");
        for at in 0..self.names.arity {
            out.line(format_args!("_b{at}[_j] = _x{at};"));
        }
        out.line("_bs[_j] = source;");
        out.line("_n++; _new = 1");
        out.close("fi");
        out.close("}");
    }

    fn write_shift(&self, out: &mut Text, to: &str, from: &str) {
        let columns: String =
            (0..self.names.arity).map(|at| format!(" _b{at}[{to}] = _b{at}[{from}];")).collect();
        out.line(format_args!("_bp[{to}] = _bp[{from}]; _bs[{to}] = _bs[{from}];{columns}"));
    }

    fn write_blank(&self, out: &mut Text, at: &str) {
        let columns: String = (0..self.names.arity).map(|column| format!(" _b{column}[{at}] = 0;")).collect();
        out.line(format_args!("_bp[{at}] = 0; _bs[{at}] = 0;{columns}"));
    }
}

/// Kinds of events, from 1.
pub(crate) const EVENTS: [&str; 6] =
    ["ADD_BELIEF", "DEL_BELIEF", "ADD_GOAL", "DEL_GOAL", "ADD_TEST", "DEL_TEST"];

/// Temporaries of a step that are small numbers.
const SCALARS: [&str; 17] = [
    "_n", "_j", "_k", "_new", "_ok", "_plan", "_te", "_up", "_src", "_from", "_force", "_i", "_d", "_pc",
    "_st", "_more", "_jump",
];
