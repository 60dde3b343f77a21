//! Small random programs in the PRISM language and questions about them, for comparing engines. The same seed gives the
//! same program on every machine.
//!
//! The programs have what real ones have: several modules, labelled commands that synchronise, commands that overlap, a
//! variable that everybody may write, formulas, labels, rewards of states and of actions. Updates stay in range by `min` and
//! `max`, and every state has a command, so that each program has finitely many states and no deadlock.

use std::fmt::Write as _;

use motet_source::fuzz::Random;

use crate::generate::dice;

/// A program and what is asked about it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program.
    pub program: String,
    /// The questions, in a form that the claims language and Storm read alike.
    pub queries: Vec<String>,
}

/// A random case.
#[must_use]
pub fn case(seed: u64, n_queries: usize) -> Case {
    let mut dice = dice(seed ^ 0x9b1d);
    let decisions = dice.chance(60);
    let n_modules = 1 + dice.below(3);
    let mut writer = Writer { dice: &mut dice, decisions, n_modules };
    let program = writer.program();
    let queries = (0..n_queries).map(|_| writer.query()).collect();
    Case { program, queries }
}

struct Writer<'d> {
    dice: &'d mut Random,
    /// Whether the program is a decision process.
    decisions: bool,
    n_modules: usize,
}

/// The upper end of every module's own variable.
const TOP: usize = 3;

impl Writer<'_> {
    fn program(&mut self) -> String {
        let mut out = String::from(if self.decisions { "mdp\n\n" } else { "dtmc\n\n" });
        out.push_str("const double p = 0.3;\n");
        // Only one command may write a shared variable at a time, so it is written without a label.
        out.push_str("global g : [0..1] init 0;\n");
        out.push_str("formula sum = x1");
        (2..=self.n_modules).for_each(|number| {
            let _ = write!(out, " + x{number}");
        });
        out.push_str(";\n\n");
        for number in 1..=self.n_modules {
            self.module(number, &mut out);
        }
        let state = self.condition();
        let _ = writeln!(out, "label \"goal\" = {state};");
        let (guard, amount) = (self.condition(), 1 + self.dice.below(3));
        let _ = writeln!(out, "\nrewards \"cost\"\n  {guard} : {amount};");
        let (guard, amount) = (self.condition(), self.dice.pick(&["1", "0.5", "2", "x1"]));
        let _ = writeln!(out, "  [a] {guard} : {amount};\n  [] true : 1;\nendrewards");
        out
    }

    fn module(&mut self, number: usize, out: &mut String) {
        let start = self.dice.below(2);
        let _ = writeln!(out, "module m{number}\n  x{number} : [0..{TOP}] init {start};");
        let flag = self.dice.chance(40);
        if flag {
            let _ = writeln!(out, "  f{number} : bool init false;");
        }
        for _ in 0..2 + self.dice.below(3) {
            let label = *self.dice.one(&["", "", "a", "b"]);
            let guard = self.own_condition(number);
            let updates = self.updates(number, label.is_empty(), flag);
            let _ = writeln!(out, "  [{label}] {guard} -> {updates};");
        }
        // Nothing is ever stuck: this command is always there, and moves on now and then.
        let rest = if self.dice.chance(50) { "true".to_owned() } else { self.updates(number, true, flag) };
        let _ = writeln!(out, "  [] true -> {rest};");
        // A reward speaks of `a`, so somebody has to know it; others take part, or hold it back, or do not care.
        if number == 1 || self.dice.chance(30) {
            let _ = writeln!(out, "  [a] true -> true;");
        }
        out.push_str("endmodule\n\n");
    }

    fn updates(&mut self, number: usize, free: bool, flag: bool) -> String {
        let chances: &[&str] = match self.dice.below(5) {
            0 => &["1"],
            1 => &["0.5", "0.5"],
            2 => &["p", "1-p"],
            3 => &["1/3", "1/3", "1/3"],
            _ => &["0.1", "0.2", "0.7"],
        };
        let branch = |chance: &&str| format!("{chance} : {}", self.update(number, free, flag));
        chances.iter().map(branch).collect::<Vec<_>>().join(" + ")
    }

    fn update(&mut self, number: usize, free: bool, flag: bool) -> String {
        let mut parts = Vec::new();
        match self.dice.below(5) {
            0 => parts.push(format!("(x{number}'=min(x{number}+1,{TOP}))")),
            1 => parts.push(format!("(x{number}'=max(x{number}-1,0))")),
            2 => parts.push(format!("(x{number}'={})", self.dice.below(TOP + 1))),
            3 => parts.push(format!("(x{number}'=mod(sum,{}))", TOP + 1)),
            _ => {}
        }
        if free && self.dice.chance(20) {
            parts.push("(g'=1-g)".to_owned());
        }
        if flag && self.dice.chance(40) {
            parts.push(format!("(f{number}'=!f{number})"));
        }
        if parts.is_empty() { "true".to_owned() } else { parts.join(" & ") }
    }

    /// A guard of a module: about its own variable or about the whole.
    fn own_condition(&mut self, number: usize) -> String {
        let own = format!("x{number}{}{}", self.dice.pick(&["<", ">=", "=", "!="]), self.dice.below(TOP + 1));
        match self.dice.below(4) {
            0 => format!("{own} & {}", self.condition()),
            1 => format!("({own} | {})", self.condition()),
            _ => own,
        }
    }

    /// Something true of some states.
    fn condition(&mut self) -> String {
        let number = 1 + self.dice.below(self.n_modules);
        match self.dice.below(5) {
            0 => format!("sum>{}", self.dice.below(TOP * self.n_modules)),
            1 => format!("g={}", self.dice.below(2)),
            2 => format!("x{number}!={}", self.dice.below(TOP + 1)),
            _ => format!("x{number}={}", self.dice.below(TOP + 1)),
        }
    }

    /// A question for a number; parentheses everywhere, because habits differ.
    fn query(&mut self) -> String {
        let extremum = match (self.decisions, self.dice.chance(50)) {
            (false, _) => "",
            (true, true) => "min",
            (true, false) => "max",
        };
        let (a, b) = (self.condition(), self.condition());
        let bound = 1 + self.dice.below(9);
        match self.dice.below(15) {
            0 => format!("P{extremum}=? [F ({a})]"),
            1 => format!("P{extremum}=? [({a}) U ({b})]"),
            2 => format!("P{extremum}=? [G ({a})]"),
            3 => format!("P{extremum}=? [X ({a})]"),
            4 => format!("P{extremum}=? [F<={bound} ({a})]"),
            5 => format!("P{extremum}=? [({a}) U<={bound} ({b})]"),
            6 => format!("P{extremum}=? [F \"goal\"]"),
            7 => format!("P{extremum}=? [G (F ({a}))]"),
            8 => format!("P{extremum}=? [F (G ({a}))]"),
            9 => format!("P{extremum}=? [(F ({a})) & (G (F ({b})))]"),
            10 => format!("R{{\"cost\"}}{extremum}=? [F ({a})]"),
            11 => format!("R{{\"cost\"}}{extremum}=? [C<={bound}]"),
            12 => format!("R{{\"cost\"}}{extremum}=? [I={bound}]"),
            13 if !self.decisions => format!("S=? [({a})]"),
            13 => format!("R{{\"cost\"}}{extremum}=? [F (({a}) | ({b}))]"),
            _ => format!("P{extremum}=? [F (({a}) & (X ({b})))]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_case() {
        assert_eq!(case(7, 3).program, case(7, 3).program);
        assert_ne!(case(7, 3).program, case(8, 3).program);
        assert_eq!(case(7, 3).queries.len(), 3);
    }
}
