//! Small random teams and claims about them, for comparing engines. The same seed gives the same team on every machine.
//!
//! Teams stay inside what Promela can say: flat terms, every variable bound where a value is needed. Within that they
//! try to be nasty: messages, sub-goals, recovery, beliefs with several sources, choices of the environment, stubs.

use std::fmt::Write as _;

use motet_model::Vocabulary;
use motet_source::fuzz::Random;

/// The numbers from which the models of a seed are made, apart from those of seeds nearby.
#[must_use]
pub fn dice(seed: u64) -> Random {
    Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
}

/// The files of a team: names and texts.
pub type Files = Vec<(String, String)>;

/// The dialect a team is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// AgentSpeak(F).
    Strict,
    /// The flat part of Jason.
    Jason,
}

/// Predicates that agents believe, with their arities. One comes often, so that queries have several answers and the
/// order of beliefs shows.
const BELIEFS: [(&str, usize); 6] = [("p", 1), ("p", 1), ("p", 1), ("q", 1), ("r", 2), ("s", 0)];
/// Goals.
const GOALS: [(&str, usize); 3] = [("g", 1), ("h", 0), ("k", 1)];
/// Values.
const VALUES: [&str; 5] = ["0", "1", "2", "a", "b"];

/// A random team.
#[must_use]
pub fn team(seed: u64) -> Files {
    let mut dice = dice(seed);
    let dialect = if dice.chance(50) { Dialect::Strict } else { Dialect::Jason };
    let agents: &[&str] = if dice.chance(35) { &["one"] } else { &["one", "two"] };
    let mut files = vec![("random.team".to_owned(), team_file(&mut dice, dialect, agents))];
    for name in agents {
        let mut writer = Writer { dice: &mut dice, dialect, agents, names: 0 };
        files.push((format!("{name}.asl"), writer.program()));
    }
    files
}

/// The team without what has no Promela translation: plans for goals that failed, and atomic plans, which become others.
#[must_use]
pub fn flat(files: Files) -> Files {
    let plan = |line: &str| match line.split_once("[atomic] ") {
        Some((_, plan)) => plan.to_owned(),
        None => line.to_owned(),
    };
    let text = |text: String| {
        let lines = text.lines().map(plan).filter(|line| !line.starts_with("-!"));
        lines.fold(String::new(), |text, line| text + &line + "\n")
    };
    files.into_iter().map(|(name, of)| (name, text(of))).collect()
}

/// The team with plans of the Jason dialect that wait for time to pass before anything else.
#[must_use]
pub fn with_waits(files: Files, seed: u64) -> Files {
    let mut dice = dice(seed);
    let is_jason = files.iter().any(|(_, text)| text.contains("mode jason\n"));
    let mut plan = |line: &str| match line.split_once(" <- ") {
        Some((head, body)) if is_jason && dice.chance(40) => {
            format!("{head} <- .wait({}); {body}\n", dice.pick(&["5", "5", "2 * 3"]))
        }
        _ => format!("{line}\n"),
    };
    files
        .into_iter()
        .map(|(name, text)| {
            let waits = name.ends_with(".asl");
            let text = if waits { text.lines().map(&mut plan).collect() } else { text };
            (name, text)
        })
        .collect()
}

fn team_file(dice: &mut Random, dialect: Dialect, agents: &[&str]) -> String {
    let mut out = String::from("team random\n");
    out.push_str(if dialect == Dialect::Strict { "mode strict\n" } else { "mode jason\n" });
    for name in agents {
        let _ = writeln!(out, "agent {name}");
    }
    for bound in ["events", "intentions", "actions", "messages"] {
        let _ = writeln!(out, "bound {bound} = 5");
    }
    if dice.chance(20) {
        out.push_str(dice.pick(&[
            "trust tell * -> *: only p(_), r(_, _)\n",
            "trust achieve * -> one: none\n",
            "trust tell * -> one: none\n",
        ]));
    }
    out.push_str("stub jia.pick(-X) in {0, 1}\nstub jia.coin() either\nstub jia.other(+X, -Y) = 2 - X\n");
    out.push_str("env random {\n");
    let first = dice.below(3);
    let _ = writeln!(out, "  var n : 0..2 = {first}");
    out.push_str("  var f : bool\n  var x[agent] : opt {a, b} = none\n  var w : agent\n");
    out.push_str("  percept n(n)\n");
    out.push_str(dice.pick(&[
        "",
        "  percept p(n)\n",
        "  percept p(n) when f\n",
        "  percept q(n) when n > 0\n  percept s when f\n",
        "  percept to me: q(x[me]) when x[me] != none\n",
        "  percept for v in agent: r(v, x[v]) when x[v] != none and not f\n",
    ]));
    out.push_str(dice.pick(&[
        "  action put(v) by me when v == a or v == b { x[me] := v; w := me }\n",
        "  action put(v) by me when n < 2 { n := n + 1; f := not f }\n",
        "  action put(v) by me { if f { n := 0; f := false; x[w] := a } else { n := 2; f := true; w := me } }\n",
        "  action put(v) by me when not f { either { n := 0 } or { f := true } or { n := 2 } }\n",
    ]));
    out.push_str(dice.pick(&[
        "  action tick { n := (n + 1) % 3 }\n",
        "  action tick when f { f := false }\n  action tick { f := true }\n",
        "  action tick by one { prob { 0.5: { f := true }, 0.5: { n := 1 } } }\n",
    ]));
    if dice.chance(30) {
        out.push_str(dice.pick(&[
            "  step drift when n < 2 { n := n + 1 }\n",
            "  step drift { either { f := true } or { f := false } }\n",
            "  step reset when f and n == 2 { n := 0 }\n",
        ]));
    }
    if dice.chance(40) {
        out.push_str(dice.pick(&[
            "  react when n == 2 and f { f := false }\n",
            "  react when all v in agent: x[v] != none { x := none; n := count v in agent: x[v] == none }\n",
            "  react when some v in agent: x[v] == a { f := not f; x := b }\n",
        ]));
    }
    out.push_str("}\n");
    out
}

/// Writes one agent's program.
struct Writer<'d> {
    dice: &'d mut Random,
    dialect: Dialect,
    agents: &'d [&'d str],
    names: usize,
}

impl Writer<'_> {
    fn jason(&self) -> bool {
        self.dialect == Dialect::Jason
    }

    fn program(&mut self) -> String {
        let mut out = String::new();
        for _ in 0..self.dice.below(6) {
            let belief = *self.dice.one(&BELIEFS);
            let atom = self.atom(belief, &mut Vec::new(), 0);
            // An initial belief is written once.
            if !out.contains(&format!("{atom}.\n")) {
                let _ = writeln!(out, "{atom}.");
            }
        }
        if self.jason() {
            for _ in 0..1 + self.dice.below(2) {
                let goal = *self.dice.one(&GOALS);
                let _ = writeln!(out, "!{}.", self.atom(goal, &mut Vec::new(), 0));
            }
        }
        // Something that surely happens, what most bodies ask for, and whatever else.
        let mut triggers = vec![Some(("+", ("n", 1)))];
        triggers.extend(GOALS.iter().filter(|_| self.dice.chance(75)).map(|goal| Some(("+!", *goal))));
        triggers.extend((0..2 + self.dice.below(4)).map(|_| None));
        for (number, trigger) in triggers.into_iter().enumerate() {
            let plan = self.plan(number, trigger);
            let _ = writeln!(out, "{plan}");
        }
        out
    }

    /// An atom; its variables are bound ones, or (`fresh` times of a hundred) new ones.
    fn atom(&mut self, (name, arity): (&str, usize), bound: &mut Vec<String>, fresh: usize) -> String {
        let args: Vec<String> = (0..arity).map(|_| self.value(bound, fresh)).collect();
        if args.is_empty() { name.to_owned() } else { format!("{name}({})", args.join(", ")) }
    }

    fn value(&mut self, bound: &mut Vec<String>, fresh: usize) -> String {
        if self.dice.chance(fresh) {
            self.names += 1;
            let name = format!("X{}", self.names);
            bound.push(name.clone());
            return name;
        }
        if !bound.is_empty() && self.dice.chance(60) {
            return self.dice.one(bound).clone();
        }
        if self.dice.chance(15) {
            return (*self.dice.one(self.agents)).to_owned();
        }
        (*self.dice.one(&VALUES)).to_owned()
    }

    fn plan(&mut self, number: usize, wanted: Option<(&str, (&str, usize))>) -> String {
        self.names = 0;
        let mut bound = Vec::new();
        let (sign, of) = wanted.unwrap_or_else(|| self.trigger());
        let mut trigger = format!("{sign}{}", self.atom(of, &mut bound, 70));
        if self.jason() && self.dice.chance(15) {
            trigger.push_str(self.dice.pick(&["[source(self)]", "[source(percept)]", "[source(S)]"]));
        }
        let label =
            if self.jason() && self.dice.chance(10) { format!("@l{number}[atomic] ") } else { String::new() };
        let context = if wanted.is_some() && self.dice.chance(50) {
            "true".to_owned()
        } else {
            self.context(&mut bound)
        };
        let mut body = Vec::new();
        for _ in 0..usize::from(wanted.is_some()) + self.dice.below(4) {
            body.push(self.formula(&mut bound, 1));
        }
        let body = if body.is_empty() { String::new() } else { format!(" <- {}", body.join("; ")) };
        format!("{label}{trigger} : {context}{body}.")
    }

    fn trigger(&mut self) -> (&'static str, (&'static str, usize)) {
        if self.dice.chance(60) {
            let of = *self.dice.one(&[("p", 1), ("q", 1), ("r", 2), ("s", 0), ("n", 1)]);
            return (if self.dice.chance(75) { "+" } else { "-" }, of);
        }
        match self.dice.below(if self.jason() { 10 } else { 6 }) {
            0..6 => ("+!", *self.dice.one(&GOALS)),
            6..9 => ("-!", *self.dice.one(&GOALS)),
            // Nobody believes it, and it is only asked with a value: unbound test goals have no translation.
            _ => ("+?", ("t", 1)),
        }
    }

    fn context(&mut self, bound: &mut Vec<String>) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.dice.below(3) {
            parts.push(self.literal(bound));
        }
        if parts.is_empty() { "true".to_owned() } else { parts.join(" & ") }
    }

    fn literal(&mut self, bound: &mut Vec<String>) -> String {
        match self.dice.below(if self.jason() { 10 } else { 7 }) {
            0..4 => {
                let of = *self.dice.one(&BELIEFS);
                let source = if self.jason() && self.dice.chance(15) {
                    *self.dice.one(&["[source(self)]", "[source(percept)]"])
                } else {
                    ""
                };
                format!("{}{source}", self.atom(of, bound, 50))
            }
            4 | 5 => {
                let of = *self.dice.one(&BELIEFS);
                format!("not ({})", self.atom(of, bound, 0))
            }
            6 => {
                let test = *self.dice.one(&[".gte", ".lt", ".eq", ".neq"]);
                let (left, right) = (self.value(bound, 0), self.value(bound, 0));
                format!("{test}({left}, {right})")
            }
            7 => {
                let (left, right) = (self.value(bound, 0), self.value(bound, 0));
                format!("{left} {} {right}", self.dice.one(&["<", ">=", "==", "\\=="]))
            }
            8 => {
                let of = *self.dice.one(&BELIEFS);
                let inner = self.atom(of, &mut bound.clone(), 50);
                self.names += 1;
                let name = format!("X{}", self.names);
                bound.push(name.clone());
                format!(".count({inner}, {name})")
            }
            _ => {
                // What only one side binds may be unbound afterwards: nobody may use it.
                let (mut one, mut two) = (bound.clone(), bound.clone());
                format!("({} | {})", self.literal(&mut one), self.literal(&mut two))
            }
        }
    }

    fn formula(&mut self, bound: &mut Vec<String>, depth: usize) -> String {
        let choices = if self.jason() { 20 } else { 10 };
        match self.dice.below(choices) {
            0 => format!("put({})", self.value(bound, 0)),
            1 => "tick".to_owned(),
            2 | 3 => {
                let of = *self.dice.one(&GOALS);
                format!("!{}", self.atom(of, bound, 0))
            }
            4 => {
                let of = *self.dice.one(&BELIEFS);
                format!("?{}", self.atom(of, bound, 40))
            }
            5 => {
                let of = *self.dice.one(&BELIEFS);
                format!("+{}", self.atom(of, bound, 0))
            }
            6 => {
                let of = *self.dice.one(&BELIEFS);
                format!("-{}", self.atom(of, bound, 0))
            }
            7 | 8 => {
                let to = *self.dice.one(self.agents);
                match self.dice.below(4) {
                    0 => {
                        let of = *self.dice.one(&GOALS);
                        format!(".send({to}, achieve, {})", self.atom(of, bound, 0))
                    }
                    1 => {
                        let of = *self.dice.one(&BELIEFS);
                        format!(".send({to}, untell, {})", self.atom(of, bound, 0))
                    }
                    _ => {
                        let of = *self.dice.one(&BELIEFS);
                        format!(".send({to}, tell, {})", self.atom(of, bound, 0))
                    }
                }
            }
            9 => self.computation(bound),
            10 => {
                let of = *self.dice.one(&BELIEFS);
                format!("-+{}", self.atom(of, bound, 0))
            }
            11 => {
                let of = *self.dice.one(&GOALS);
                format!("!!{}", self.atom(of, bound, 0))
            }
            12 => {
                let of = *self.dice.one(&BELIEFS);
                format!(".broadcast(tell, {})", self.atom(of, bound, 0))
            }
            13 | 14 if depth > 0 => self.compound(bound),
            15 => {
                let of = *self.dice.one(&BELIEFS);
                format!(".abolish({})", self.atom(of, bound, 0))
            }
            16 => format!("?t({})", self.value(bound, 0)),
            17 => {
                self.names += 1;
                let name = format!("X{}", self.names);
                bound.push(name.clone());
                format!("?p({name})")
            }
            18 => format!("+p({})", self.value(bound, 0)),
            _ => ".print(\"so\")".to_owned(),
        }
    }

    fn computation(&mut self, bound: &mut Vec<String>) -> String {
        let (left, right) = (self.value(bound, 0), self.value(bound, 0));
        match self.dice.below(4) {
            0 => "jia.coin".to_owned(),
            1 => {
                self.names += 1;
                let name = format!("X{}", self.names);
                bound.push(name.clone());
                format!("jia.pick({name})")
            }
            2 => {
                self.names += 1;
                let name = format!("X{}", self.names);
                bound.push(name.clone());
                format!("jia.other({left}, {name})")
            }
            _ => {
                self.names += 1;
                let name = format!("X{}", self.names);
                bound.push(name.clone());
                let operation = *self.dice.one(&[".plus", ".minus", ".mod"]);
                format!("{operation}({left}, {right}, {name})")
            }
        }
    }

    fn compound(&mut self, bound: &[String]) -> String {
        let mut inner = bound.to_vec();
        let condition = self.literal(&mut inner);
        let then = self.formula(&mut inner, 0);
        if self.dice.chance(30) {
            return format!("while ({condition}) {{ {then} }}");
        }
        let otherwise = self.formula(&mut bound.to_vec(), 0);
        format!("if ({condition}) {{ {then} }} else {{ {otherwise} }}")
    }
}

/// Random claims over the words of a team.
#[must_use]
pub fn claims(seed: u64, vocabulary: &Vocabulary, n_claims: usize) -> String {
    let mut dice = dice(seed ^ 0xc1a1_35ee);
    let mut out = String::new();
    for number in 0..n_claims {
        let formula = match dice.below(7) {
            0 => format!("[] ({} -> <> {})", state(&mut dice, vocabulary), state(&mut dice, vocabulary)),
            1 => format!("<> {}", state(&mut dice, vocabulary)),
            2 => format!("[] {}", state(&mut dice, vocabulary)),
            3 => format!("<> [] {}", state(&mut dice, vocabulary)),
            4 => format!("[] <> {}", state(&mut dice, vocabulary)),
            _ => path(&mut dice, vocabulary, 3),
        };
        let _ = writeln!(out, "property C{number}: {formula}");
    }
    out
}

fn path(dice: &mut Random, vocabulary: &Vocabulary, depth: usize) -> String {
    if depth == 0 {
        return state(dice, vocabulary);
    }
    let one = path(dice, vocabulary, depth - 1);
    match dice.below(7) {
        0 => format!("(! {one})"),
        1 => format!("(<> {one})"),
        2 => format!("([] {one})"),
        3 => format!("({one} U {})", path(dice, vocabulary, depth - 1)),
        4 => format!("({one} R {})", path(dice, vocabulary, depth - 1)),
        5 => format!("({one} && {})", path(dice, vocabulary, depth - 1)),
        _ => format!("({one} || {})", path(dice, vocabulary, depth - 1)),
    }
}

fn state(dice: &mut Random, vocabulary: &Vocabulary) -> String {
    let one = atom(dice, vocabulary);
    match dice.below(6) {
        0 => format!("(! {one})"),
        1 => format!("({one} && {})", atom(dice, vocabulary)),
        2 => format!("({one} || (! {}))", atom(dice, vocabulary)),
        _ => one,
    }
}

fn atom(dice: &mut Random, vocabulary: &Vocabulary) -> String {
    let words =
        |title: &str| vocabulary.groups.iter().find(|(known, _)| known == title).map(|(_, words)| words);
    for _ in 0..20 {
        let agent = dice.one(&vocabulary.agents).clone();
        let (title, kind) = match dice.below(8) {
            0..3 => (format!("beliefs of {agent}"), "Bel"),
            3 => (format!("goals of {agent}"), "Des"),
            4 => (format!("goals of {agent}"), "Int"),
            5 => (format!("actions of {agent}"), *dice.one(&["Does", "Did"])),
            6 => ("percepts".to_owned(), ""),
            _ => {
                return (*dice.one(&["(n = 1)", "(n < 2)", "(f = true)", "(x[one] = a)", "(x[w] = b)", "f"]))
                    .to_owned();
            }
        };
        let Some(words) = words(&title) else { continue };
        let word = dice.one(words).clone();
        let word = filled(dice, vocabulary, &word);
        return if kind.is_empty() { word } else { format!("{kind}({agent}, {word})") };
    }
    "(n = 0)".to_owned()
}

/// `r(_, _)` with some of its places filled.
fn filled(dice: &mut Random, vocabulary: &Vocabulary, word: &str) -> String {
    let mut out = String::new();
    for letter in word.chars() {
        match letter {
            '_' if dice.chance(60) => out.push_str(dice.pick(&VALUES)),
            '_' if dice.chance(20) => out.push_str(&dice.one(&vocabulary.agents).clone()),
            _ => out.push(letter),
        }
    }
    out
}
