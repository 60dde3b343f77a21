//! Small random agents in the dialect of the Jason interpreter, for comparing what they print. The same seed gives the same
//! program on every machine.
//!
//! They are about intentions: goals that fail, recover and call themselves, atomic plans, beliefs that are added and deleted,
//! waits, messages to oneself, and internal actions that end goals.

use std::fmt::Write as _;

use motet_source::fuzz::Random;

use crate::generate::dice;

/// A goal or belief with the variable that it binds, if it has one.
const GOALS: [(&str, bool); 5] = [("g", true), ("h", false), ("k", false), ("l", true), ("m", false)];
const BELIEFS: [(&str, bool); 4] = [("p", true), ("q", true), ("r", false), ("c", true)];

/// The program of one agent. All of its formulas have values where they need them.
#[must_use]
pub fn agent(seed: u64) -> String {
    let mut dice = dice(seed ^ 0x6a61_736f_6e00);
    let atomic = dice.chance(50);
    let mut writer = Writer { dice, atomic, plans: 0, prints: 0 };
    writer.program()
}

struct Writer {
    dice: Random,
    /// Some plans are atomic; else some actions are refused. Not both: the interpreter drops an atomic intention that begins
    /// in the cycle in which it hears that another one's action failed.
    atomic: bool,
    plans: usize,
    prints: usize,
}

impl Writer {
    fn program(&mut self) -> String {
        let mut out = String::from("c(0). ");
        for _ in 0..self.dice.below(4) {
            let belief = self.dice.pick(&["p(1)", "p(2)", "q(1)", "q(2)", "r"]);
            if !out.contains(belief) {
                let _ = write!(out, "{belief}. ");
            }
        }
        for _ in 0..1 + self.dice.below(3) {
            let goal = self.goal();
            let _ = write!(out, "!{goal}. ");
        }
        out.push('\n');
        for (name, has_value) in GOALS {
            for _ in 0..1 + self.dice.below(2) {
                let trigger = self.trigger(name, has_value);
                self.plan(&mut out, "+!", &trigger);
            }
            if self.dice.chance(55) {
                let trigger = self.trigger(name, has_value);
                self.plan(&mut out, "-!", &trigger);
            }
        }
        for (name, has_value) in BELIEFS {
            for sign in ["+", "-"] {
                if self.dice.chance(35) {
                    let trigger = self.trigger(name, has_value);
                    self.plan(&mut out, sign, &trigger);
                }
            }
        }
        if self.dice.chance(30) {
            let (context, value, print) = (self.context(), self.dice.below(3), self.print(Some("X")));
            let goal = self.goal();
            let _ = writeln!(out, "+?w(X) : {context} <- X = {value}; {print}; !{goal}.");
        }
        out
    }

    fn trigger(&mut self, name: &str, has_value: bool) -> String {
        match (has_value, self.dice.below(6)) {
            (false, _) => name.to_owned(),
            (true, 0) => format!("{name}(1)"),
            (true, 1) => format!("{name}(2)"),
            (true, _) => format!("{name}(X)"),
        }
    }

    fn goal(&mut self) -> String {
        let &(name, has_value) = self.dice.one(&GOALS);
        if has_value { format!("{name}({})", 1 + self.dice.below(3)) } else { name.to_owned() }
    }

    fn belief(&mut self) -> String {
        let &(name, has_value) = self.dice.one(&BELIEFS[..3]);
        if has_value { format!("{name}({})", 1 + self.dice.below(2)) } else { name.to_owned() }
    }

    fn plan(&mut self, out: &mut String, sign: &str, trigger: &str) {
        self.plans += 1;
        if self.atomic && self.dice.chance(20) {
            let _ = write!(out, "@l{}[atomic] ", self.plans);
        }
        let _ = write!(out, "{sign}{trigger}");
        if self.dice.chance(45) {
            let context = self.context();
            let _ = write!(out, " : {context}");
        }
        let value = trigger.ends_with("(X)").then_some("X");
        let count = 1 + self.dice.below(4);
        let mut body: Vec<String> = vec![self.print(value)];
        for _ in 0..count {
            let formula = self.formula(value);
            body.push(formula);
        }
        if self.dice.chance(10) {
            // A goal that calls itself last.
            let own = if value.is_some() { trigger.to_owned() } else { trigger.replace("(X)", "(1)") };
            body.push(if sign.ends_with('!') { format!("!{own}") } else { "!h".to_owned() });
        }
        let _ = writeln!(out, " <- {}.", body.join("; "));
    }

    fn context(&mut self) -> String {
        let belief = self.belief();
        match self.dice.below(6) {
            0 | 1 => belief,
            2 => format!("not {belief}"),
            3 => "c(N) & N < 3".to_owned(),
            4 => format!("{belief} | r"),
            _ => "p(Y) & not q(Y)".to_owned(),
        }
    }

    /// Each line says which formula of the text printed it.
    fn print(&mut self, value: Option<&str>) -> String {
        self.prints += 1;
        match value.filter(|_| self.dice.chance(50)) {
            Some(value) => format!(".print(t{},{value})", self.prints),
            None => format!(".print(t{})", self.prints),
        }
    }

    fn formula(&mut self, value: Option<&str>) -> String {
        match self.dice.below(30) {
            0..=4 => self.print(value),
            5..=9 => format!("!{}", self.goal()),
            10 => format!("!!{}", self.goal()),
            11..=13 => format!("+{}", self.belief()),
            14 | 15 => format!("-{}", self.belief()),
            16 => {
                self.prints += 1;
                format!("?c(N{0}); -+c(N{0}+1)", self.prints)
            }
            17..=19 => ".fail".to_owned(),
            20 => format!("?{}", self.belief()),
            21 => format!("go({})", self.dice.below(3)),
            22 if self.atomic => "go(4)".to_owned(),
            22 => self.dice.pick(&["bad", "go(9)"]).to_owned(),
            23 => ".wait(1)".to_owned(),
            24 => {
                let (belief, yes, no) = (self.belief(), self.print(value), self.goal());
                format!("if ({belief}) {{ {yes} }} else {{ !{no} }}")
            }
            25 => {
                let (print, goal) = (self.print(None), self.goal());
                self.dice
                    .pick(&["for (p(V)) { PRINT }", "while (c(M) & M < 2) { -+c(M+1); PRINT; !GOAL }"])
                    .replace("PRINT", &print)
                    .replace("GOAL", &goal)
            }
            26 => {
                let goal = self.goal();
                let what = self.dice.pick(&["drop_intention", "succeed_goal", "drop_desire"]);
                format!(".{what}({goal})")
            }
            27 => {
                let content = if self.dice.chance(50) {
                    format!("tell,{}", self.belief())
                } else {
                    format!("achieve,{}", self.goal())
                };
                format!(".send(ag,{content})")
            }
            28 => match value {
                Some(value) if self.dice.chance(60) => format!("!g({value})"),
                _ => "?w(Z); .print(w,Z)".to_owned(),
            },
            _ => {
                let (goal, print) = (self.goal(), self.print(value));
                format!("if (.intend({goal})) {{ {print} }}")
            }
        }
    }
}
