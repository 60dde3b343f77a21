//! Random AgentSpeak teams with members of one text, and claims about them. Most of what is written treats members alike; now and
//! then something tells them apart, puts names in an order or takes the first of equals.

use std::fmt::Write as _;

use crate::generate::Files;
use motet_source::fuzz::Random;

/// Members `m1`, `m2`, `m3` of one text, with or without a boss.
#[must_use]
pub fn likes(dice: &mut Random) -> Files {
    let members = if dice.chance(85) { 2 } else { 3 };
    let (jason, boss) = (dice.chance(50), members == 2 && dice.chance(20));
    let odd = dice.chance(30);
    let mut team = format!("team likes\nmode {}\n", if jason { "jason" } else { "strict" });
    if boss {
        team.push_str("agent boss\n");
    }
    let _ = writeln!(team, "agent m: m.asl * {members}");
    for bound in ["events", "intentions", "actions", "messages"] {
        let _ = writeln!(team, "bound {bound} = 3");
    }
    if dice.chance(15) {
        let even = [
            "trust tell * -> *: only told(_)\n",
            "trust achieve m1 -> m2: none\ntrust achieve m2 -> m1: none\n",
        ];
        team.push_str(one_of(dice, odd, &even, &["trust tell m1 -> *: none\n"]));
    }
    team.push_str("stub jia.coin() either\n");
    environment(dice, odd, &mut team);
    let mut files = vec![("likes.team".to_owned(), team)];
    let writer = Writer { jason, boss, odd };
    files.push(("m.asl".to_owned(), writer.program(dice)));
    if boss {
        files.push(("boss.asl".to_owned(), writer.program(dice)));
    }
    files
}

/// What treats members alike, or, in an odd team, what does not.
fn one_of<'t>(dice: &mut Random, odd: bool, even: &[&'t str], strange: &[&'t str]) -> &'t str {
    if odd && dice.chance(25) { dice.pick(strange) } else { dice.pick(even) }
}

fn environment(dice: &mut Random, odd: bool, team: &mut String) {
    team.push_str("env likes {\n  var n : 0..2 = 0\n  var x[agent] : 0..2 = 0\n  var w : opt agent = none\n");
    team.push_str("  percept start\n  percept to me: me(me)\n  percept w(w) when w != none\n");
    if dice.chance(60) {
        let even = [
            "  percept n(n)\n",
            "  percept to a: x(x[a])\n",
            "  percept n(count v in agent: x[v] == 1)\n",
            "  percept n(max v in agent: x[v])\n",
            "  percept to m1: n(n)\n  percept to m2: n(n)\n",
            "  percept n(1) when all v in agent: x[v] > 0\n",
            "  percept n(1) when x[m2] == 1 or x[m1] == 1\n",
        ];
        let strange = ["  percept for v in agent: told(v) when x[v] == 1\n", "  percept to m1: n(n)\n"];
        team.push_str(one_of(dice, odd, &even, &strange));
    }
    actions(dice, odd, team);
    team.push_str("  action set(k) by a when k == 1 or k == 2 { x[a] := k }\n");
    if dice.chance(20) {
        let even = [
            "  step drift when n < 2 { n := n + 1 }\n",
            "  step one when x[m1] == 0 { x[m1] := 1 }\n  step two when x[m2] == 0 { x[m2] := 1 }\n",
        ];
        team.push_str(one_of(dice, odd, &even, &["  step one when x[m1] == 0 { x[m1] := 1 }\n"]));
    }
    if dice.chance(40) {
        let even = [
            "  react when all v in agent: x[v] == 2 { x := 0 }\n",
            "  react when some v in agent: x[v] + n > 3 { x := 0; w := none }\n",
            "  react when n == 2 and (sum v in agent: x[v]) > 1 { n := 0 }\n",
        ];
        let strange = ["  react when n == 2 { n := 0; w := argmax v in agent: x[v] }\n"];
        team.push_str(one_of(dice, odd, &even, &strange));
    }
    team.push_str("}\n");
}

fn actions(dice: &mut Random, odd: bool, team: &mut String) {
    team.push_str(dice.pick(&[
        "  action grab by a when w == none { w := a }\n",
        "  action grab by a { w := a; x[a] := 1 }\n",
        "  action grab by a { if w == none { w := a } else { x[w] := 1 } }\n",
    ]));
    team.push_str(dice.pick(&[
        "  action drop by a when w == a { w := none }\n",
        "  action drop by m1 when w == m1 { w := none }\n  action drop by m2 when w == m2 { w := none }\n  action drop { n := 1 }\n",
        "  action drop when some v in agent: x[v] == 2 { x := 0 }\n",
    ]));
    let even = [
        "  action pass(b) by a when w == a and (some v in agent: v == b) { w := b }\n",
        "  action pass(b) by a { x[a] := (x[a] + 1) % 3 }\n",
    ];
    let strange = ["  action pass(m1) by m2 { w := m1 }\n  action pass(b) by a { n := 2 }\n"];
    team.push_str(one_of(dice, odd, &even, &strange));
    let even = [
        "  action tick { n := (n + 1) % 3 }\n",
        "  action tick by a { either { n := 0 } or { x[a] := 2 } }\n",
        "  action tick by a { prob { 0.5: { n := 1 }, 0.5: { x[a] := 1 } } }\n",
        "  action tick { either { w := m1 } or { w := m2 } }\n",
    ];
    team.push_str(one_of(dice, odd, &even, &["  action tick by m1 { n := 2 }\n  action tick { n := 1 }\n"]));
}

struct Writer {
    jason: bool,
    boss: bool,
    odd: bool,
}

impl Writer {
    fn program(&self, dice: &mut Random) -> String {
        let mut text = String::new();
        if self.odd && dice.chance(20) {
            text.push_str("met(m1). met(m2).\n");
        }
        let start = if dice.chance(30) { format!("; {}", self.formula(dice)) } else { String::new() };
        let _ = writeln!(text, "+start : me(M) <- grab{}.", start.replace('X', "M"));
        for (trigger, percent) in [("+w(X)", 60), ("+told(X)", 70), ("+!go(X)", 70), ("-w(X)", 15)] {
            if dice.chance(percent) {
                for _ in 0..1 + dice.below(2) {
                    let source = if self.jason && dice.chance(10) { "[source(S)]" } else { "" };
                    let (context, body) = (self.context(dice), self.body(dice));
                    let _ = writeln!(text, "{trigger}{source} : me(M) & {context} <- {body}.");
                }
            }
        }
        if dice.chance(15) {
            let _ = writeln!(text, "+n(N) : me(X) & me(M) & {} <- {}.", self.context(dice), self.body(dice));
        }
        text
    }

    fn context(&self, dice: &mut Random) -> &'static str {
        const PLAIN: [&str; 10] = [
            "true",
            "true",
            "not met(X)",
            "met(X)",
            "not done",
            "told(Y)",
            "not told(M)",
            "X \\== M",
            "x(V) & n(U) & V <= U",
            "n(V) & V < 2",
        ];
        const JASON: [&str; 3] = ["told(Y)[source(m1)]", "told(Y)[source(self)]", "told(_)[source(_)]"];
        if self.jason && dice.chance(15) {
            return one_of(dice, self.odd, &JASON[1..], &["met(Y)[source(S)]", JASON[0]]);
        }
        one_of(dice, self.odd, &PLAIN, &["X <= M"])
    }

    fn body(&self, dice: &mut Random) -> String {
        let length = 1 + usize::from(dice.chance(30));
        (0..length).map(|_| self.formula(dice)).collect::<Vec<_>>().join("; ")
    }

    fn formula(&self, dice: &mut Random) -> &'static str {
        const PLAIN: [&str; 15] = [
            "grab",
            "drop",
            "tick",
            "tick",
            "set(1)",
            "set(2)",
            "pass(X)",
            ".send(X, tell, told(M))",
            ".send(X, tell, told(X))",
            ".send(X, achieve, go(M))",
            ".send(X, untell, told(M))",
            "+met(X)",
            "-met(X)",
            "+done",
            "!go(X)",
        ];
        const JASON: [&str; 12] = [
            ".wait(5)",
            ".wait(5); +met(M)",
            ".broadcast(tell, told(M))",
            ".broadcast(achieve, go(M))",
            ".my_name(Q); +met(Q)",
            ".findall(Z, met(Z), L); .length(L, C); +count(C)",
            ".findall(Z, met(Z), L); +all(L)",
            "for (met(Z)) { -met(Z) }",
            "if (met(X)) { tick } else { +met(X) }",
            ".abolish(met(_))",
            ".drop_intention(go(X))",
            "jia.coin",
        ];
        if self.jason && dice.chance(25) {
            let strange =
                [".findall(Z, met(Z), L); .sort(L, A); +all(A)", ".concat(\"to \", X, T); +text(T)"];
            return one_of(dice, self.odd, &JASON, &strange);
        }
        if self.boss && dice.chance(15) { ".send(boss, tell, told(M))" } else { dice.pick(&PLAIN) }
    }
}

/// Claims of every kind, about members and about what they share.
#[must_use]
pub fn likes_claims(dice: &mut Random) -> String {
    let mut text = String::new();
    for number in 0..6 {
        let value = dice.below(3);
        let atom = |dice: &mut Random| match dice.below(8) {
            0 => format!("x[m{}] = {value}", 1 + dice.below(2)),
            1 => format!("x[m1] = {value} or x[m2] = {value}"),
            2 => "w = m1 or w = m2".to_owned(),
            3 => "w = none".to_owned(),
            4 => "m1 believes w(m2) and m2 believes w(m2)".to_owned(),
            5 => "m1 believes w(_) or m2 believes w(_)".to_owned(),
            6 => "m1 does grab or m2 does grab".to_owned(),
            _ => format!("n = {value}"),
        };
        let (p, q) = (atom(dice), atom(dice));
        text.push_str(&match dice.below(9) {
            0 => format!("possible C{number}: {p}\n"),
            1 => format!("property C{number}: G not ({p})\n"),
            2 => format!("property C{number}: F ({p})\n"),
            3 => format!("property C{number}: G (({p}) -> F ({q}))\n"),
            4 => format!("property C{number}: X X X X ({p})\n"),
            5 => format!("property C{number}: E [ (not ({p})) U ({q}) ]\n"),
            6 => format!("property C{number}: A [ G (({p}) -> E [ F ({q}) ]) ]\n"),
            7 => format!("query C{number}: Pmax=? [ F ({p}) ]\n"),
            _ => {
                format!("query C{number}: R{{\"{}\"}}max=? [ C<=3 ]\n", dice.pick(&["actions", "plans(m1)"]))
            }
        });
    }
    text
}
