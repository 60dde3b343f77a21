//! Sentences are kept as they were written: what is printed is read as the same tree, and the formula that stands for a
//! sentence means the same.

mod support;

use motet_property::syntax::{ItemNode, Node};
use motet_property::{format_file, print_formula};
use motet_source::fuzz::Random;
use support::{Read, codes, formula, read, rounds, vocabulary_with_agents};

const CONDITIONS: [&str; 9] = [
    "p",
    "(p & q)",
    "Robot.busy = true",
    "Bob believes p",
    "(a or not b)",
    "1 <= x < 5",
    "(forall n in Nurse: n.idle)",
    "`in`",
    "\"Sea is high\"",
];
const LENGTHS: [&str; 7] =
    ["4 min", "1 minute", "90 seconds", "2 hours 30 minutes", "3 cycles", "T", "2 * T"];

fn of(random: &mut Random, choices: &[&str]) -> String {
    choices[random.below(choices.len())].to_owned()
}

fn length(random: &mut Random) -> String {
    let length = of(random, &LENGTHS);
    if length.contains('*') { format!("({length})") } else { length }
}

fn condition(random: &mut Random) -> String {
    let word = of(random, &["upon", "when", "if", "where", "unless", "whenever"]);
    format!("{word} {}, ", of(random, &CONDITIONS))
}

/// `in M, upon p, the Robot shall within 4 minutes satisfy r`
fn requirement(random: &mut Random) -> String {
    let mut text = String::new();
    let scope = of(
        random,
        &[
            "",
            "",
            "in",
            "during",
            "when in",
            "while",
            "not in",
            "when not in",
            "before",
            "after",
            "only in",
            "only during",
            "only before",
            "only after",
        ],
    );
    if !scope.is_empty() {
        let noun = of(random, &["", " mode"]);
        text += &format!("{scope} {}{noun}, ", of(random, &CONDITIONS));
    }
    if random.chance(50) {
        text += &condition(random);
    }
    let component = of(random, &["Robot", "the Robot", "the system", "`shall`"]);
    text += &match scope.starts_with("only") && random.chance(50) {
        true => format!("shall {component} "),
        false => format!("{component} shall "),
    };
    text += &match random.below(10) {
        0 => "immediately".to_owned(),
        1 => "at the next timepoint".to_owned(),
        2 => "always".to_owned(),
        3 => "never".to_owned(),
        4 => "eventually".to_owned(),
        5 => format!("until {}", of(random, &CONDITIONS)),
        6 => format!("before {}", of(random, &CONDITIONS)),
        7 => format!("within {}", length(random)),
        8 => format!("for {}", length(random)),
        _ => format!("after {}", length(random)),
    };
    format!("{text} satisfy {}", of(random, &CONDITIONS))
}

/// One of our own sentences.
fn sentence(random: &mut Random) -> String {
    let c = |random: &mut Random| of(random, &CONDITIONS);
    let scope = match random.below(7) {
        0 => format!("before {}, ", c(random)),
        1 => format!("while {}, ", c(random)),
        2 => format!("after {}, ", c(random)),
        3 => format!("after {} until {}, ", c(random), c(random)),
        4 => format!("between {} and {}, ", c(random), c(random)),
        5 => "globally, ".to_owned(),
        _ => String::new(),
    };
    let body = match random.below(12) {
        6 => {
            let tally = of(random, &["at most", "at least", "exactly"]);
            let times = of(random, &["once", "twice", "3 times"]);
            match random.below(3) {
                0 => format!("{} {tally} {times}", c(random)),
                1 => format!("never {} more than {times}", c(random)),
                _ => format!("{tally} {times} {}", c(random)),
            }
        }
        7 => format!("never {} {}", c(random), of(random, &["again", "twice"])),
        8 => format!("never becomes p {}", of(random, &["", "again", "twice"])),
        9 => format!(
            "eventually ({})",
            of(random, &["x becomes 3", "Robot sends Bob p", "Bob reads not p from Robot"])
        ),
        10 => format!("each time {}, within {}, {}", c(random), length(random), c(random)),
        11 => format!(
            "always ({} again -> {})",
            of(random, &["p", "Robot sends Bob p", "becomes p"]),
            c(random)
        ),
        0 => {
            let timing = match random.below(5) {
                0 => "immediately".to_owned(),
                1 => "eventually".to_owned(),
                2 => format!("within {},", length(random)),
                3 => format!("for {},", length(random)),
                _ => format!("after {},", length(random)),
            };
            format!("whenever {}, {timing} {}", c(random), c(random))
        }
        1 => format!("{} precedes {}", c(random), c(random)),
        2 => format!("{} unless {}", c(random), c(random)),
        3 => format!("never {}", c(random)),
        4 => format!("eventually within {} {}", length(random), "(p & q)"),
        _ => format!("forall n in Nurse: whenever n.called, eventually {}", c(random)),
    };
    scope + &body
}

/// The tree without places: of `Debug`, everything but the numbers of spans and depths.
fn shape(read: &Read) -> Vec<String> {
    let bare = |node: &Node| {
        let mut out = String::new();
        let debug = format!("{node:?}");
        let mut rest = debug.as_str();
        while let Some(at) = rest.find("Span {") {
            out.push_str(&rest[..at]);
            rest = rest[at..].split_once('}').expect("a span has an end").1;
        }
        out + rest
    };
    let items = read.file.items.iter();
    items
        .filter_map(|item| match &item.node {
            ItemNode::Claim(claim) => Some(bare(&claim.body)),
            _ => None,
        })
        .collect()
}

#[test]
fn random_sentences_are_read_as_they_were_printed() {
    for seed in 0..rounds(2000) as u64 {
        let mut random = Random::new(seed);
        let text = if random.chance(60) { requirement(&mut random) } else { sentence(&mut random) };
        let file = format!("const T = 3 min\nproperty x: {text}\n");
        let first = read(&file);
        // `after p, never p` of what lasts is refused.
        if first.problems.iter().any(|problem| problem.code == "M0248") {
            continue;
        }
        assert!(
            !first.problems.has_errors(),
            "seed {seed}: {text}\n{}",
            first.problems.lines(&first.sources)
        );
        let printed = format_file(&first.file);
        let second = read(&printed);
        assert_eq!(shape(&first), shape(&second), "seed {seed}: {text}\n{printed}");
        assert_eq!(printed, format_file(&second.file), "seed {seed}: {text}");
        // What was in canonical form stays as it is, up to the layout.
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&printed), words(&file), "seed {seed}");
        // The formula is one that can be written, too.
        let claim = &first.lowered.claims[0];
        let whole = print_formula(&claim.formula, &first.lowered.atoms);
        let again = read(&format!("property x: {whole}"));
        assert!(
            !again.problems.has_errors(),
            "seed {seed}: {whole}\n{}",
            again.problems.lines(&again.sources)
        );
        assert_eq!(
            print_formula(&again.lowered.claims[0].formula, &again.lowered.atoms),
            whole,
            "seed {seed}"
        );
    }
}

#[test]
fn requirements_stand_for_formulas() {
    let same = |requirement: &str, expected: &str| {
        assert_eq!(formula(requirement), formula(expected), "{requirement}")
    };
    same("the system shall always satisfy p", "G p");
    same("the system shall eventually satisfy p", "F p");
    same("the system shall within 4 minutes satisfy p", "F<=4min p");
    same("in m mode, the system shall always satisfy p", "G (m -> p)");
    same("whenever a, the system shall within 90 seconds satisfy p", "whenever a, within 90 s, p");
    same("upon a, the system shall eventually satisfy p", "(a -> F p) & G (!a -> (!a W (a & F p)))");
    same("only in m, shall the system eventually satisfy p", "G (!m -> !p)");
    same(
        "not in m, the system shall eventually satisfy p",
        "(!m -> (!m U (!m & p))) & G (m -> (m W (!m & (!m U (!m & p)))))",
    );
    same("the system shall after 2 steps satisfy p", "(G<=2steps !p) & (F[3 steps, 3 steps] p)");
}

#[test]
fn sentences_may_be_rewritten_as_formulas() {
    let rewritten = |text: &str| motet_property::format_formulas(&read(text).file);
    assert_eq!(
        rewritten("const T = 4 min\nproperty x \"w\": whenever a, within T, b = 1 expect fails"),
        (
            "const T = 4 min\nproperty x \"w\": G (a -> F<=240 s (b = 1)) expect fails\n".to_owned(),
            Vec::new()
        )
    );
    assert_eq!(rewritten("property x: in m, Robot shall always satisfy p").0, "property x: G (m -> p)\n");
    // What is a formula already stays, and so does what needs the names of a model.
    assert_eq!(rewritten("property x: always (a and b)").0, "property x: always (a and b)\n");
    let over = "property x: forall n in Doctors: whenever n.called, eventually n.here\n";
    assert_eq!(rewritten(over), (over.to_owned(), vec!["x".to_owned()]));
    for seed in 0..rounds(500) as u64 {
        let mut random = Random::new(seed);
        let text = if random.chance(60) { requirement(&mut random) } else { sentence(&mut random) };
        let first = read(&format!("const T = 3 min\nproperty x: {text}\n"));
        if first.problems.iter().any(|problem| problem.code == "M0248") {
            continue;
        }
        let (formulas, kept) = motet_property::format_formulas(&first.file);
        let second = read(&formulas);
        let print = |read: &Read| print_formula(&read.lowered.claims[0].formula, &read.lowered.atoms);
        assert_eq!(print(&first), print(&second), "seed {seed}: {text}\n{formulas}");
        // Only what needs the names of a model is kept as a sentence, or whether something lasts in it.
        assert!(kept.is_empty() || text.contains("Nurse"), "seed {seed}: {text}");
    }
}

#[test]
fn units_may_be_written_out() {
    assert_eq!(formula("F<=4 minutes p"), formula("F<=4 min p"));
    assert_eq!(formula("within 1 hour 30 minutes p"), formula("within 90 min p"));
    assert_eq!(formula("G<=1 day p"), formula("G<=24 h p"));
    assert_eq!(formula("F<=500 milliseconds p"), formula("F<=500 ms p"));
    assert_eq!(formula("F<=1 second p"), formula("F<=1 s p"));
    assert_eq!(format_file(&read("property x: F<=1 minute p").file), "property x: F<=1 minute (p)\n");
}

#[test]
fn a_requirement_says_when() {
    assert_eq!(codes("property x: Robot shall satisfy p"), ["M0214"]);
    assert_eq!(codes("property x: Robot shall quickly satisfy p"), ["M0214"]);
    assert_eq!(codes("property x: Robot shall always p"), ["M0202"]);
    assert_eq!(codes("property x: Robot shall at once satisfy p"), ["M0202"]);
    assert_eq!(codes("property x: Robot shall always satisfy"), ["M0202"]);
    assert_eq!(codes("property x: in m, upon p, shall always satisfy q"), ["M0203"]);
}

#[test]
fn the_parts_of_a_requirement_are_about_moments() {
    assert_eq!(codes("property x: Robot shall always satisfy (F p)"), ["M0227"]);
    assert_eq!(codes("property x: in (G m), Robot shall always satisfy p"), ["M0227"]);
    assert_eq!(codes("property x: upon (a U b), Robot shall always satisfy p"), ["M0227"]);
    assert_eq!(codes("property x: Robot shall always satisfy P>=0.5 [ F p ]"), ["M0227"]);
}

#[test]
fn who_shall_is_a_name_of_the_model_or_spoken_of() {
    let codes = |text: &str| codes(&format!("property x: {text}"));
    assert!(codes("Robot shall always satisfy p").is_empty());
    assert!(codes("Patient_one shall never satisfy p").is_empty());
    assert!(codes("the system shall always satisfy p").is_empty());
    assert!(codes("valve shall always satisfy valve.open").is_empty());
    assert!(codes("forall a in Nurse: a shall always satisfy p").is_empty());
    assert_eq!(codes("Robott shall always satisfy p"), ["M0250"]);
    let found =
        support::read_as("property x: Robott shall always satisfy p", None, &vocabulary_with_agents());
    let hint = found.problems.iter().next().expect("one hint");
    assert_eq!(hint.help, "did you mean `Robot`");
    assert!(!found.problems.has_errors());
}

#[test]
fn shall_remains_a_name_where_it_is_used_as_one() {
    for text in ["shall", "F shall", "shall & p", "Bob believes shall", "x.shall = 1", "p -> shall"] {
        assert!(codes(&format!("property x: {text}")).is_empty(), "{text}");
    }
    assert!(codes("define a = b\nproperty x: Robot shall always satisfy a").is_empty());
    assert!(codes("define a = Robot.ok\ndefine b = c\nproperty x: G (a & b)").is_empty());
}
