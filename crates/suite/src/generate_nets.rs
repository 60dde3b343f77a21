//! Small random nets and claims about them, for comparing engines. The same seed gives the same net on every machine.
//!
//! Plain nets have weights, capacities, tests, inhibitors and limited sources. The others have tokens with data, cells, sets,
//! picks, alternatives, and agents that come, move, speak with their host and with each other, and go. Numbers are kept in their
//! range by a remainder, so that no run ends in a fault.

use std::fmt::Write as _;

use motet_source::fuzz::Random;

use crate::generate::dice;

/// A random net of black tokens.
#[must_use]
pub fn plain(seed: u64) -> String {
    let mut dice = dice(seed ^ 0x71a1);
    let places = 3 + dice.below(4);
    let mut out = String::from("system net N() {\n");
    for place in 0..places {
        let capacity = if dice.chance(25) { " capacity 2" } else { "" };
        let tokens = if dice.chance(60) { 1 + dice.below(2) } else { 0 };
        let _ = writeln!(out, "  place p{place} : token{capacity} = {tokens};");
    }
    for transition in 0..3 + dice.below(4) {
        let limit = dice.chance(12);
        let _ = write!(out, "  transition t{transition}{} {{ ", if limit { " limit 2" } else { "" });
        let arc = |dice: &mut Random| {
            let weight = if dice.chance(25) { " * 2" } else { "" };
            format!("p{}{weight}", dice.below(places))
        };
        if !limit {
            let _ = write!(out, "in {}", arc(&mut dice));
            if dice.chance(35) {
                let _ = write!(out, ", {}", arc(&mut dice));
            }
            out.push_str("; ");
        }
        if dice.chance(20) {
            let _ = write!(out, "read {}; ", arc(&mut dice));
        }
        if dice.chance(20) {
            let _ = write!(out, "inhib {}; ", arc(&mut dice));
        }
        let outputs: Vec<String> = (0..1 + dice.below(2)).map(|_| arc(&mut dice)).collect();
        if limit || dice.chance(85) {
            let _ = write!(out, "out {}; ", outputs.join(", "));
        }
        out.push_str("}\n");
    }
    out.push_str("}\n");
    out
}

/// Claims about a random net of black tokens.
#[must_use]
pub fn plain_claims(seed: u64, number: usize) -> String {
    let mut dice = dice(seed ^ 0x71a2);
    claims(&mut dice, number, &|dice| match dice.below(6) {
        0 => "deadlock".to_owned(),
        1 => format!("enabled(t{})", dice.below(3)),
        2 => format!("fires(t{})", dice.below(3)),
        3 => format!("#p{} + #p{} <= {}", dice.below(3), dice.below(3), dice.below(4)),
        _ => format!("#p{} {} {}", dice.below(3), dice.pick(&["=", ">=", "<"]), dice.below(3)),
    })
}

/// What a variable, or a token, is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Pair,
}

/// Places of the system net with what their tokens are.
const PLACES: [(&str, Kind); 4] =
    [("d0", Kind::Letter), ("d1", Kind::Digit), ("d2", Kind::Pair), ("d3", Kind::Letter)];

/// A random net with data and, most of the time, agents.
#[must_use]
pub fn model(seed: u64) -> String {
    let mut dice = dice(seed ^ 0xda7a);
    let agents = dice.chance(70);
    Writer { dice: &mut dice, agents }.model()
}

/// Claims about such a net.
#[must_use]
pub fn model_claims(seed: u64, model: &str, number: usize) -> String {
    let mut dice = dice(seed ^ 0xda7b);
    let agents = model.contains("agent net");
    claims(&mut dice, number, &|dice| match dice.below(if agents { 15 } else { 10 }) {
        0 => "deadlock".to_owned(),
        1 => format!("enabled(t{})", dice.below(2)),
        2 => format!("fires(t{})", dice.below(2)),
        3 => {
            let transition = dice.below(2);
            match bindable(model, transition).as_slice() {
                [] => format!("fires(t{transition})"),
                values => format!("fires(t{transition}, {})", dice.pick(values)),
            }
        }
        4 => format!("<{}> in {}", dice.pick(&["a", "b", "c"]), dice.pick(&["d0", "d3"])),
        5 => format!("count(d2, <{}, _>) = {}", dice.pick(&["a", "b"]), dice.below(2)),
        6 => format!("n {} {}", dice.pick(&["=", "<"]), 1 + dice.below(2)),
        7 => format!("{} in s", dice.pick(&["a", "b", "c"])),
        8 => format!("#q {} {}", dice.pick(&["=", "<", ">"]), 1 + dice.below(2)),
        9 => "(exists x in d2: exists y in d2: x.k != y.k & x.v in d1)".to_owned(),
        10 => format!("(exists m in home: #m.net.x = {})", dice.below(2)),
        11 => "(forall m in home: forall w in home: m = w | m.id != w.id)".to_owned(),
        12 => format!("(exists m in away: class(m.net) = {})", dice.pick(&["T0", "T1"])),
        13 => format!("#home + #away = {}", 1 + dice.below(2)),
        _ => format!("(exists m in everyone: <{}> in m.net.x)", dice.pick(&["a", "b"])),
    })
}

/// Values that a variable of a transition can have: a claim about others is refused.
fn bindable(model: &str, transition: usize) -> Vec<&'static str> {
    let head = format!("  transition t{transition} {{");
    let line = model.lines().find(|line| line.starts_with(&head)).unwrap_or_default();
    let any = line.contains("pick ") || line.contains("let ");
    let statements = line.split([';', '{']).map(str::trim);
    let arcs: Vec<&str> =
        statements.filter(|text| text.starts_with("in ") || text.starts_with("read ")).collect();
    let binds =
        |starts: &[&str]| any || arcs.iter().any(|arc| starts.iter().any(|start| arc.contains(start)));
    let mut values = Vec::new();
    if binds(&["d0(x", "d0(y", "d3(x", "d3(y", "d2(x0k", "d2(x1k", "d2(yk"]) {
        values.extend(["a", "b"]);
    }
    if binds(&["d1(x", "d1(y", "k, x", "k, y"]) {
        values.extend(["1", "2"]);
    }
    values
}

/// Claims in linear time over these atoms.
fn claims(dice: &mut Random, number: usize, atom: &dyn Fn(&mut Random) -> String) -> String {
    let mut out = String::new();
    for claim in 0..number {
        let state = |dice: &mut Random| {
            let one = atom(dice);
            match dice.below(5) {
                0 => format!("(not ({one}))"),
                1 => format!("(({one}) & ({}))", atom(dice)),
                2 => format!("(({one}) | not ({}))", atom(dice)),
                _ => format!("({one})"),
            }
        };
        let (one, other) = (state(dice), state(dice));
        let path = match dice.below(8) {
            0 | 1 => format!("G {one}"),
            2 => format!("F {one}"),
            3 => format!("G F {one}"),
            4 => format!("F G {one}"),
            5 => format!("{one} U {other}"),
            6 => format!("G ({one} -> F {other})"),
            _ => format!("{one} W {other}"),
        };
        let _ = writeln!(out, "property c{claim}: {path}");
    }
    out
}

struct Writer<'d> {
    dice: &'d mut Random,
    agents: bool,
}

/// The variables that a transition has bound.
type Bound = Vec<(String, Kind)>;

impl Writer<'_> {
    fn model(&mut self) -> String {
        let mut out = String::from("enum E = {a, b, c};\ntype P = (k: E, v: int 0..2);\n");
        if self.agents {
            out.push_str("type M = (id: int 0..2, net: agent);\n");
            out.push_str("port up_e(e: E); port down_n(n: int 0..2); port talk(e: E, n: int 0..2);\n");
            for net in ["T0", "T1"] {
                self.template(net, &mut out);
            }
        }
        out.push_str("system net S() {\n");
        for (name, kind) in PLACES {
            let tokens: Vec<String> = (0..self.dice.below(3)).map(|_| self.constant(kind)).collect();
            let initial =
                if tokens.is_empty() { String::new() } else { format!(" = {{ {} }}", tokens.join(", ")) };
            let capacity = if self.dice.chance(15) { " capacity 2" } else { "" };
            let _ = writeln!(out, "  place {name} : {}{capacity}{initial};", sort(kind));
        }
        let _ = writeln!(out, "  place go : token = {};", 1 + self.dice.below(3));
        let _ = writeln!(out, "  cell n : int 0..2 = {};", self.dice.below(3));
        let _ = writeln!(out, "  cell r : P = {};", self.constant(Kind::Pair));
        let _ = writeln!(out, "  cell s : set of E = {};", self.dice.pick(&["{}", "{a}", "{a, b}"]));
        let _ = writeln!(out, "  cell q : set of P = {};", self.dice.pick(&["{(a, 0)}", "{(a, 1), (b, 2)}"]));
        if self.agents {
            let crowd = [
                "{ (0, new T0(a)) }",
                "{ (0, new T0(a)), (1, new T1(b)) }",
                "{ (1, new T1(a)), (1, new T1(a)) }",
            ];
            let _ = writeln!(out, "  place home : M = {};", self.dice.pick(&crowd));
            out.push_str("  place away : M;\n");
        }
        let count = 2 + self.dice.below(3);
        for number in 0..count {
            self.transition(&format!("t{number}"), &mut out);
        }
        if self.agents {
            for number in 0..1 + self.dice.below(3) {
                self.meeting(&format!("m{number}"), &mut out);
            }
        }
        out.push_str("}\n");
        if self.agents {
            out.push_str("def everyone = home union away;\n");
        }
        out
    }

    fn template(&mut self, net: &str, out: &mut String) {
        let _ = writeln!(out, "agent net {net}(me: E) {{");
        let initial = self.dice.pick(&["{ me }", "{ a, me }", "{ }"]);
        let initial = if initial == "{ }" { String::new() } else { format!(" = {initial}") };
        let _ = writeln!(out, "  place x : E{initial};\n  place y : int 0..2;");
        let _ = writeln!(out, "  place z : token = 1;\n  cell h : int 0..2 = {};", self.dice.below(3));
        let bodies = [
            "in x(e); sync up ! up_e(e); out y(h);",
            "in x(e); when e != c; sync up ! up_e(me); out y(1);",
            "in z; sync up ? down_n(n); h' = n;",
            "in y(_); sync up ? down_n(n); when n > 0; out x(me);",
            "in z; out x(b);",
            "in y(n); h' = (h + n) % 3; out z;",
            "in x(e); alt { when h = 0; out y(0); } alt { when h != 1; h' = 1; out y(2); }",
            "in x(e); sync chan(e) ! talk(me, h); out z;",
            "in z; sync chan(me) ? talk(e, n); h' = n; out x(e);",
            "read x(e); in z; sync chan(me) ? talk(e, n); out y(n);",
            "in z; pick w in {a, b} where w != me; inhib x(c); out x(w);",
        ];
        for number in 0..2 + self.dice.below(3) {
            let body = *self.dice.one(&bodies);
            let _ = writeln!(out, "  transition {}{number} {{ {body} }}", net.to_lowercase());
        }
        out.push_str("}\n");
    }

    /// A transition of the system net that has to do with agents.
    fn meeting(&mut self, name: &str, out: &mut String) {
        let bodies = [
            "in home(m); sync m.net ? up_e(e); out away(m), d0(e);",
            "in home(m); sync m.net ? up_e(e); when e notin s; s' = s union {e}; out home(m);",
            "read home(m); sync m.net ? up_e(a); n' = m.id;",
            "in away(m), d1(w); sync m.net ! down_n(w); out home(m);",
            "read away(m); in go; sync m.net ! down_n((n + m.id) % 3);",
            "in home(m); when size(m.net.x) = 0 or m.id = n; out away(m);",
            "in away(m); when size(m.net.z) = 0; out home(m with {id = n});",
            "in away(m);",
            "in go; out home(2, new T0(b));",
            "in go; pick k in {T0, T1}; out away(n, new k(a));",
            "in d1(i), home(m); when m.id = i; pick e in s; out away(m), d3(e);",
            "in home(m), home(w); when m.id <= w.id; out away(m), home(w);",
        ];
        let body = *self.dice.one(&bodies);
        let _ = writeln!(out, "  transition {name} {{ {body} }}");
    }

    fn transition(&mut self, name: &str, out: &mut String) {
        let mut bound: Bound = Vec::new();
        let mut body = String::new();
        let black = self.dice.chance(30);
        if black {
            body.push_str("in go; ");
        }
        for number in 0..if black { self.dice.below(2) } else { 1 + self.dice.below(2) } {
            let (place, kind) = *self.dice.one(&PLACES);
            let weight = if self.dice.chance(10) { " * 2" } else { "" };
            let pattern = self.pattern(kind, &format!("x{number}"), &mut bound);
            let _ = write!(body, "in {place}({pattern}){weight}; ");
        }
        if self.dice.chance(20) {
            let (place, kind) = *self.dice.one(&PLACES);
            let pattern = self.pattern(kind, "y", &mut bound);
            let _ = write!(body, "read {place}({pattern}); ");
        }
        if self.dice.chance(15) {
            let (place, kind) = *self.dice.one(&PLACES);
            let value = self.value(kind, &bound);
            if kind != Kind::Pair && !value.contains(['(', '%', '.']) {
                let _ = write!(body, "inhib {place}({value}); ");
            }
        }
        if self.dice.chance(30) {
            let (from, kind) =
                *self.dice.one(&[("s", Kind::Letter), ("q", Kind::Pair), ("{0, 2}", Kind::Digit)]);
            bound.push(("z".to_owned(), kind));
            let condition =
                if self.dice.chance(40) { format!(" where {}", self.guard(&bound)) } else { String::new() };
            let _ = write!(body, "pick z in {from}{condition}; ");
        }
        if self.dice.chance(15) {
            let kind = *self.dice.one(&[Kind::Letter, Kind::Digit]);
            let value = self.value(kind, &bound);
            let _ = write!(body, "let w = {value}; ");
            bound.push(("w".to_owned(), kind));
        }
        if self.dice.chance(40) {
            let _ = write!(body, "when {}; ", self.guard(&bound));
        }
        if self.dice.chance(25) {
            for _ in 0..2 {
                let (guard, effects) = (self.guard(&bound), self.effects(&bound));
                let _ = write!(body, "alt {{ when {guard}; {effects}}} ");
            }
        } else {
            body.push_str(&self.effects(&bound));
        }
        let _ = writeln!(out, "  transition {name} {{ {body}}}");
    }

    fn effects(&mut self, bound: &Bound) -> String {
        let mut out = String::new();
        if self.dice.chance(70) {
            let (place, kind) = *self.dice.one(&PLACES);
            let weight = if self.dice.chance(10) { " * 2" } else { "" };
            let value = self.value(kind, bound);
            let _ = write!(out, "out {place}({value}){weight}; ");
        } else if self.dice.chance(40) {
            out.push_str("out go; ");
        }
        if self.dice.chance(30) {
            let _ = match self.dice.below(5) {
                0 => write!(out, "n' = {}; ", self.value(Kind::Digit, bound)),
                1 => write!(out, "r' = {}; ", self.value(Kind::Pair, bound)),
                2 => write!(out, "s' = s union {{{}}}; ", self.value(Kind::Letter, bound)),
                3 => write!(out, "s' = s minus {{{}}}; ", self.value(Kind::Letter, bound)),
                _ => {
                    let pair = self.value(Kind::Pair, bound);
                    match self.dice.below(3) {
                        0 => write!(out, "q' = q union {{{pair}}}; "),
                        1 => write!(out, "q' = (q minus {{{pair}}}) union {{r}}; "),
                        _ => write!(out, "q' = {{ g with {{v = n}} | g in q where g.k notin s }}; "),
                    }
                }
            };
        }
        out
    }

    fn pattern(&mut self, kind: Kind, name: &str, bound: &mut Bound) -> String {
        if kind == Kind::Pair && self.dice.chance(50) {
            let (one, other) = (format!("{name}k"), format!("{name}v"));
            bound.push((one.clone(), Kind::Letter));
            if self.dice.chance(30) {
                return format!("{one}, _");
            }
            bound.push((other.clone(), Kind::Digit));
            return format!("{one}, {other}");
        }
        let same: Vec<String> = of_kind(bound, kind);
        if self.dice.chance(20) && !same.is_empty() && kind != Kind::Pair {
            return self.dice.one(&same).clone();
        }
        bound.push((name.to_owned(), kind));
        name.to_owned()
    }

    fn constant(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Letter => self.dice.pick(&["a", "b", "c"]).to_owned(),
            Kind::Digit => self.dice.below(3).to_string(),
            Kind::Pair => format!("({}, {})", self.constant(Kind::Letter), self.constant(Kind::Digit)),
        }
    }

    fn value(&mut self, kind: Kind, bound: &Bound) -> String {
        let own = of_kind(bound, kind);
        if !own.is_empty() && self.dice.chance(60) {
            return self.dice.one(&own).clone();
        }
        let pairs = of_kind(bound, Kind::Pair);
        match kind {
            Kind::Letter if !pairs.is_empty() && self.dice.chance(50) => {
                format!("{}.k", self.dice.one(&pairs))
            }
            Kind::Digit if !pairs.is_empty() && self.dice.chance(30) => {
                format!("{}.v", self.dice.one(&pairs))
            }
            Kind::Digit if self.dice.chance(40) => match self.dice.below(4) {
                0 => "n".to_owned(),
                1 => "(size(s) % 3)".to_owned(),
                2 => "(if n = 1 then r.v else 2)".to_owned(),
                _ => {
                    let digits = of_kind(bound, Kind::Digit);
                    let one = if digits.is_empty() { "n".to_owned() } else { self.dice.one(&digits).clone() };
                    format!("(({one} + 2) % 3)")
                }
            },
            Kind::Pair if self.dice.chance(20) => "r".to_owned(),
            Kind::Pair if !pairs.is_empty() && self.dice.chance(40) => {
                format!("({} with {{v = {}}})", self.dice.one(&pairs), self.value(Kind::Digit, &Vec::new()))
            }
            Kind::Pair => {
                let (letter, digit) = (self.value(Kind::Letter, bound), self.value(Kind::Digit, bound));
                format!("({letter}, {digit})")
            }
            _ => self.constant(kind),
        }
    }

    fn guard(&mut self, bound: &Bound) -> String {
        let (letter, digit) = (self.value(Kind::Letter, bound), self.value(Kind::Digit, bound));
        match self.dice.below(9) {
            0 => format!("{letter} = {}", self.value(Kind::Letter, bound)),
            1 => format!("{letter} != {}", self.constant(Kind::Letter)),
            2 => format!("{digit} <= {}", self.value(Kind::Digit, bound)),
            3 => format!("{letter} {} s", self.dice.pick(&["in", "notin"])),
            4 => format!("(forall g in q: g.k != {letter} or g.v = {digit})"),
            5 => format!("(exists g in q: g.v = {digit})"),
            6 => format!("size(q) > {}", 1 + self.dice.below(2)),
            7 => format!("{digit} < 2 and not ({letter} = b)"),
            _ => format!("n != {}", self.dice.below(3)),
        }
    }
}

fn sort(kind: Kind) -> &'static str {
    match kind {
        Kind::Letter => "E",
        Kind::Digit => "int 0..2",
        Kind::Pair => "P",
    }
}

fn of_kind(bound: &Bound, kind: Kind) -> Vec<String> {
    bound.iter().filter(|(_, own)| *own == kind).map(|(name, _)| name.clone()).collect()
}
