//! Small random Brahms models and claims about them, for comparing engines. The same seed gives the same model on every
//! machine.
//!
//! The models try to be nasty: frames of equal priority, frames that interrupt each other, detectables of every action,
//! variables of every kind, uncertain conclusions, messages, moves, composite activities. Numbers only grow under a guard, so
//! that every model has finitely many states.

use std::fmt::Write as _;

use motet_source::fuzz::Random;

use crate::generate::dice;

/// Agents; the first two always exist.
const AGENTS: [&str; 3] = ["Ann", "Bob", "Cid"];
/// Areas, connected in this order.
const AREAS: [&str; 3] = ["home", "shop", "yard"];
/// Numbers stay below this.
const MOST: usize = 2;

/// A random model.
#[must_use]
pub fn model(seed: u64) -> String {
    let mut dice = dice(seed ^ 0xb7a6);
    let n_agents = if dice.chance(30) { 3 } else { 2 };
    let mut writer = Writer { dice: &mut dice, agents: &AGENTS[..n_agents], names: 0 };
    writer.model()
}

/// Two random teams in one world. Most of what they do is their own business; now and then one of the second team looks at,
/// concludes about or talks to Bob of the first.
#[must_use]
pub fn neighbours(seed: u64) -> String {
    const NAMES: [(&str, &str); 6] = [
        ("Ann", "Dan"),
        ("Bob", "Eve"),
        ("Cid", "Fay"),
        ("Box", "Bin"),
        ("People", "Folk"),
        ("Thing", "Stuff"),
    ];
    let mut dice = dice(seed ^ 0x9e1b);
    let mut out = model(2 * seed);
    let is_shared = |line: &&str| ["areadef", "area", "path"].iter().any(|word| line.starts_with(word));
    for line in model(2 * seed + 1).lines().filter(|line| !is_shared(line)) {
        let open =
            ["when(", "detect(", "conclude(", "with:", "about:"].iter().any(|word| line.contains(word));
        let curious = open && !line.contains("_Bob") && dice.chance(10);
        let mut line = line.to_owned();
        for (old, new) in NAMES.iter().filter(|(old, _)| !(curious && *old == "Bob")) {
            line = line.replace(old, new);
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Random claims about the model of the same seed.
#[must_use]
pub fn claims(seed: u64, count: usize) -> String {
    let mut dice = dice(seed ^ 0x51ed);
    let text = model(seed);
    let frames = words_after(&text, "workframe ");
    let mut out = String::new();
    for number in 0..count {
        let mut atom = || atom(&mut dice, &text, &frames);
        let (p, q) = (atom(), atom());
        let formula = match dice.below(7) {
            0 => format!("G not ({p})"),
            1 => format!("F ({p})"),
            2 => format!("G (({p}) -> F ({q}))"),
            3 => format!("(not ({p})) U ({q})"),
            4 => format!("G F ({p})"),
            5 => format!("F G ({p})"),
            _ => format!("G (({p}) -> (({p}) U ({q}) or G ({p})))"),
        };
        let _ = writeln!(out, "property c{number}: {formula}");
    }
    out
}

fn words_after<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix(word))
        .filter_map(|rest| rest.split(' ').next())
        .collect()
}

/// An atom about whoever exists in the model.
fn atom(dice: &mut Random, text: &str, frames: &[&str]) -> String {
    let exists = |name: &&&str| text.contains(&format!("agent {name} "));
    let agents: Vec<&&str> = AGENTS.iter().filter(exists).collect();
    let who = **dice.one(&agents);
    if dice.chance(20) && !frames.is_empty() {
        let frame = *dice.one(frames);
        // Frames are called after their owner.
        let owner = AGENTS.iter().find(|agent| frame.ends_with(**agent)).copied().unwrap_or("Box");
        return format!("Does({owner}, {frame})");
    }
    let fact = fact(dice, &agents);
    if dice.chance(50) { format!("Bel({who}, {fact})") } else { fact }
}

fn fact(dice: &mut Random, agents: &[&&str]) -> String {
    let who = if dice.chance(20) { "Box" } else { **dice.one(agents) };
    match dice.below(5) {
        0 | 1 => format!("{who}.{} = {}", dice.pick(&["a", "b"]), dice.pick(&["true", "false"])),
        2 | 3 => format!("{who}.n {} {}", dice.pick(&["=", "<", ">", "!="]), dice.below(MOST + 1)),
        _ if who == "Box" => "Box.a = true".to_owned(),
        _ => format!("{who}.location = {}", dice.pick(&AREAS)),
    }
}

/// Which variables a text may use.
#[derive(Clone, Copy)]
struct Owner<'a> {
    name: &'a str,
    /// A variable that stands for an agent.
    variable: Option<&'a str>,
    /// Whether the variable stands for several.
    many: bool,
}

struct Writer<'d> {
    dice: &'d mut Random,
    agents: &'d [&'d str],
    names: usize,
}

impl Writer<'_> {
    fn model(&mut self) -> String {
        let mut out = String::from("areadef Room extends BaseAreaDef { }\n");
        for area in AREAS {
            let _ = writeln!(out, "area {area} instanceof Room {{ }}");
        }
        let (first, second) = (1 + self.dice.below(2), 1 + self.dice.below(2));
        let _ = writeln!(out, "path one {{ area1: home; area2: shop; distance: {first}; }}");
        let _ = writeln!(out, "path two {{ area1: shop; area2: yard; distance: {second}; }}");
        out.push_str("group People {\n  attributes:\n    public boolean a;\n    public boolean b;\n    public int n;\n");
        out.push_str("  relations:\n    public People likes;\n}\n");
        out.push_str("class Thing {\n  attributes:\n    public boolean a;\n    public boolean b;\n    public int n;\n}\n");
        let agents = self.agents;
        for name in agents {
            let _ = writeln!(out, "agent {name} memberof People {{");
            let _ = writeln!(out, "  location: {};", self.dice.pick(&AREAS));
            self.concept(&mut out, name);
            out.push_str("}\n");
        }
        out.push_str("object Box instanceof Thing {\n");
        self.concept(&mut out, "Box");
        out.push_str("}\n");
        out
    }

    fn concept(&mut self, out: &mut String, name: &str) {
        let people: Vec<String> =
            self.agents.iter().map(|one| (*one).to_owned()).chain(["Box".to_owned()]).collect();
        for (section, percent) in [("initial_beliefs", 80), ("initial_facts", 40)] {
            let _ = writeln!(out, "  {section}:");
            for who in &people {
                // A fact is set by the one it is about, so that nobody contradicts it.
                if section == "initial_facts" && who != name {
                    continue;
                }
                for attribute in ["a", "b", "n"] {
                    if self.dice.chance(percent) {
                        let value = self.value(attribute);
                        let _ = writeln!(out, "    ({who}.{attribute} = {value});");
                    }
                }
            }
            if name != "Box" && self.dice.chance(40) && section == "initial_beliefs" {
                let other = (*self.dice.one(self.agents)).to_owned();
                let _ = writeln!(out, "    ({name} likes {other});");
            }
        }
        let owner = Owner { name, variable: None, many: false };
        let mut activities = String::new();
        let mut works = String::new();
        let n_works = if name == "Box" { self.dice.below(2) } else { 2 + self.dice.below(3) };
        for _ in 0..n_works {
            self.workframe(&mut works, &mut activities, owner, 0);
        }
        let _ = write!(out, "  activities:\n{activities}");
        let _ = write!(out, "  workframes:\n{works}");
        out.push_str("  thoughtframes:\n");
        let n_thoughts = if name == "Box" { 0 } else { self.dice.below(3) };
        for _ in 0..n_thoughts {
            self.thoughtframe(out, owner);
        }
    }

    fn value(&mut self, attribute: &str) -> String {
        match attribute {
            "n" => self.dice.below(MOST + 1).to_string(),
            _ => self.dice.pick(&["true", "false"]).to_owned(),
        }
    }

    /// Somebody that a text may speak of.
    fn subject(&mut self, owner: Owner<'_>) -> String {
        match owner.variable {
            Some(variable) if self.dice.chance(50) => variable.to_owned(),
            _ if self.dice.chance(45) => "current".to_owned(),
            _ if self.dice.chance(20) => "Box".to_owned(),
            _ => (*self.dice.one(self.agents)).to_owned(),
        }
    }

    fn condition(&mut self, owner: Owner<'_>) -> String {
        let who = self.subject(owner);
        let modifier = self.dice.pick(&["knownval", "knownval", "knownval", "", "not"]);
        match self.dice.below(10) {
            0..=3 => {
                let truth = self.dice.pick(&["true", "false"]);
                format!("{modifier}({who}.{} = {truth})", self.dice.pick(&["a", "b"]))
            }
            4..=6 => {
                let sign = self.dice.pick(&["=", "<", ">", "!=", "<="]);
                format!("{modifier}({who}.n {sign} {})", self.dice.below(MOST + 1))
            }
            7 => {
                let word = self.dice.pick(&["known", "unknown"]);
                format!("{word}({who}.{})", self.dice.pick(&["a", "b", "n"]))
            }
            8 => {
                let other = self.subject(owner);
                format!("{modifier}({who}.n {} {other}.n)", self.dice.pick(&["=", "<", "!="]))
            }
            _ => {
                let (left, right) = (self.person(owner), self.person(owner));
                format!("knownval({left} likes {right})")
            }
        }
    }

    /// An agent that a text may speak of.
    fn person(&mut self, owner: Owner<'_>) -> String {
        match owner.variable {
            Some(variable) if self.dice.chance(50) => variable.to_owned(),
            _ => (*self.dice.one(self.agents)).to_owned(),
        }
    }

    fn conclusion(&mut self, owner: Owner<'_>) -> String {
        let who = self.subject(owner);
        let certainty = self.dice.pick(&[
            "",
            "",
            "",
            ", bc:100, fc:0",
            ", bc:0, fc:100",
            ", bc:50",
            ", fc:50",
            ", bc:50, fc:50",
        ]);
        let what = match self.dice.below(9) {
            0..=3 => {
                let attribute = self.dice.pick(&["a", "b"]);
                format!("{who}.{attribute} = {}", self.dice.pick(&["true", "false"]))
            }
            4 | 5 => format!("{who}.n = {}", self.dice.below(MOST + 1)),
            6 => {
                let attribute = self.dice.pick(&["a", "b", "n"]);
                let other = self.subject(Owner { variable: owner.variable.filter(|_| !owner.many), ..owner });
                format!("{who}.{attribute} = {other}.{attribute}")
            }
            7 => format!("{who}.{} = unknown", self.dice.pick(&["a", "n"])),
            _ => {
                let (left, right) = (self.person(owner), self.person(owner));
                format!("{left} likes {right} is {}", self.dice.pick(&["true", "false"]))
            }
        };
        format!("conclude(({what}){certainty});")
    }

    fn head(&mut self, out: &mut String) {
        let repeat = self.dice.pick(&["true", "true", "false", "once"]);
        let _ = writeln!(out, "      repeat: {repeat};");
        if self.dice.chance(70) {
            let _ = writeln!(out, "      priority: {};", self.dice.below(3));
        }
    }

    /// A guard; counting up needs one that ends it.
    fn guard(&mut self, owner: Owner<'_>, counts: Option<&str>) -> String {
        let mut all: Vec<String> =
            counts.map(|who| format!("knownval({who}.n < {MOST})")).into_iter().collect();
        if let Some(variable) = owner.variable {
            let attribute = self.dice.pick(&["a", "b"]);
            all.push(format!("knownval({variable}.{attribute} = {})", self.dice.pick(&["true", "false"])));
        }
        let more = if all.is_empty() { 1 + usize::from(self.dice.chance(25)) } else { self.dice.below(2) };
        for _ in 0..more {
            all.push(self.condition(owner));
        }
        all.join(" and ")
    }

    fn variable(&mut self, out: &mut String) -> Option<bool> {
        if !self.dice.chance(40) {
            return None;
        }
        let quantifier = self.dice.pick(&["forone", "forone", "foreach", "collectall"]);
        let _ = writeln!(out, "      variables:\n        {quantifier}(People) p;");
        Some(quantifier == "collectall")
    }

    fn thoughtframe(&mut self, out: &mut String, owner: Owner<'_>) {
        self.names += 1;
        let _ = writeln!(out, "    thoughtframe tf{}_{} {{", self.names, owner.name);
        self.head(out);
        let many = self.variable(out);
        let owner = Owner { variable: many.map(|_| "p"), many: many == Some(true), ..owner };
        let counts = self.dice.chance(25);
        let guard = self.guard(owner, counts.then_some("current"));
        let _ = writeln!(out, "      when({guard})\n      do {{");
        if counts {
            out.push_str("        conclude((current.n = current.n + 1));\n");
        }
        for _ in 0..1 + self.dice.below(2) {
            let _ = writeln!(out, "        {}", self.conclusion(owner));
        }
        out.push_str("      }\n    }\n");
    }

    fn workframe(&mut self, out: &mut String, activities: &mut String, owner: Owner<'_>, depth: usize) {
        self.names += 1;
        let _ = writeln!(out, "    workframe wf{}_{} {{", self.names, owner.name);
        self.head(out);
        let many = self.variable(out);
        let owner = Owner { variable: many.map(|_| "p"), many: many == Some(true), ..owner };
        if self.dice.chance(45) {
            out.push_str("      detectables:\n");
            for _ in 0..1 + self.dice.below(2) {
                self.detectable(out, owner);
            }
        }
        let counts = self.dice.chance(25);
        let guard = self.guard(owner, counts.then_some("current"));
        let _ = writeln!(out, "      when({guard})\n      do {{");
        if counts {
            out.push_str("        conclude((current.n = current.n + 1));\n");
        }
        // Every round of a frame takes time, so that time goes on.
        for at in 0..1 + self.dice.below(3) {
            if at == 0 || self.dice.chance(50) {
                let call = self.activity(activities, owner, at == 0, depth);
                let _ = writeln!(out, "        {call}");
            }
            if self.dice.chance(60) {
                let _ = writeln!(out, "        {}", self.conclusion(owner));
            }
        }
        out.push_str("      }\n    }\n");
    }

    fn detectable(&mut self, out: &mut String, owner: Owner<'_>) {
        self.names += 1;
        let who = self.subject(Owner { variable: owner.variable.filter(|_| !owner.many), ..owner });
        let what = match self.dice.below(5) {
            0..=2 => {
                format!("{who}.{} = {}", self.dice.pick(&["a", "b"]), self.dice.pick(&["true", "false"]))
            }
            3 => format!("{who}.n {} {}", self.dice.pick(&["=", ">", "<"]), self.dice.below(MOST + 1)),
            _ => format!("{who}.{}", self.dice.pick(&["a", "n"])),
        };
        let certainty = self.dice.pick(&["100", "100", "100", "50"]);
        let action = self.dice.pick(&["continue", "abort", "complete", "impasse"]);
        let _ = writeln!(out, "        detectable d{} {{", self.names);
        let _ = writeln!(out, "          when(whenever)\n          detect(({what}), dc:{certainty})");
        let _ = writeln!(out, "          then {action};\n        }}");
    }

    /// Declares an activity and calls it.
    fn activity(&mut self, out: &mut String, owner: Owner<'_>, long: bool, depth: usize) -> String {
        self.names += 1;
        let name = format!("act{}_{}", self.names, owner.name);
        let length = if long { 1 + self.dice.below(3) } else { self.dice.below(4) };
        let kind = self.dice.below(if owner.name == "Box" { 5 } else { 10 });
        match kind {
            0..=2 => {
                let _ = writeln!(out, "    primitive_activity {name}() {{ max_duration: {length}; }}");
            }
            3 => {
                let more = length + 1 + self.dice.below(2);
                let _ = writeln!(out, "    primitive_activity {name}() {{");
                let _ = writeln!(
                    out,
                    "      random: true; min_duration: {length}; max_duration: {more};\n    }}"
                );
            }
            4..=6 => return self.message(out, owner, &name, length),
            7 | 8 => {
                let area = self.dice.pick(&AREAS);
                let given = if long { format!(" max_duration: {length};") } else { String::new() };
                let _ = writeln!(out, "    move {name}() {{ location: {area};{given} }}");
            }
            _ if depth == 0 && owner.variable.is_none() => {
                self.composite(out, owner, &name, length);
                return format!("{name}(); pause_{name}();");
            }
            _ => {
                let _ = writeln!(
                    out,
                    "    broadcast {name}() {{ max_duration: {length}; about: send(current.a = current.a); }}"
                );
            }
        }
        format!("{name}();")
    }

    fn message(&mut self, out: &mut String, owner: Owner<'_>, name: &str, length: usize) -> String {
        let about = self.subject(Owner { variable: None, ..owner });
        let attribute = self.dice.pick(&["a", "b", "n"]);
        let verb = self.dice.pick(&["send", "send", "send", "receive"]);
        let moment = self.dice.pick(&["", " when: end;", " when: start;"]);
        let (parameters, with, argument) = match owner.variable {
            Some(variable) if self.dice.chance(60) => ("People who", "who".to_owned(), variable),
            _ => ("", (*self.dice.one(self.agents)).to_owned(), ""),
        };
        let value = if self.dice.chance(75) || attribute == "n" {
            format!("{about}.{attribute}")
        } else {
            self.dice.pick(&["true", "false"]).to_owned()
        };
        let _ = writeln!(out, "    communicate {name}({parameters}) {{");
        let _ = writeln!(out, "      max_duration: {length}; with: {with};");
        let _ = writeln!(out, "      about: {verb}({about}.{attribute} = {value});{moment}\n    }}");
        format!("{name}({argument});")
    }

    /// An activity with a frame of its own, and one that does nothing but time.
    fn composite(&mut self, out: &mut String, owner: Owner<'_>, name: &str, length: usize) {
        let mut inner = String::new();
        let mut works = String::new();
        self.workframe(&mut works, &mut inner, owner, 1);
        if self.dice.chance(40) {
            self.workframe(&mut works, &mut inner, owner, 1);
        }
        let length = length.max(1);
        // While there is no work inside nothing would pass the time.
        let _ = writeln!(out, "    primitive_activity pause_{name}() {{ max_duration: {length}; }}");
        let _ = writeln!(out, "    composite_activity {name}() {{");
        if self.dice.chance(40) {
            let what = self.dice.pick(&["current.a = true", "current.b = false", "current.n = 1"]);
            let _ = writeln!(out, "      detectables:\n        detectable e_{name} {{");
            let _ = writeln!(
                out,
                "          when(whenever) detect(({what}), dc:100) then end_activity;\n        }}"
            );
        }
        let _ = write!(out, "      activities:\n{inner}      workframes:\n{works}    }}\n");
    }
}
