//! Nets as texts, and how many markings they have.
#![allow(dead_code, reason = "each test file uses its own part of the lab")]

use std::collections::BTreeSet;

use motet_model::{Model, Steps};
use motet_nets::plain::{PlainNet, Semantics};
use motet_pnml::Imported;
use motet_source::{Problems, Sources};

/// A document with one net of this type around these elements.
pub(crate) fn document(kind: &str, body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/{kind}\"><page id=\"g\">\n{body}\n</page></net></pnml>"
    )
}

/// A coloured document with declarations.
pub(crate) fn coloured(declarations: &str, body: &str) -> String {
    let declarations = format!(
        "<declaration><structure><declarations>{declarations}</declarations></structure></declaration>"
    );
    document("symmetricnet", &format!("{declarations}\n{body}"))
}

/// A coloured place.
pub(crate) fn place(id: &str, sort: &str, marking: &str) -> String {
    let marking = match marking {
        "" => String::new(),
        marking => format!("<hlinitialMarking><structure>{marking}</structure></hlinitialMarking>"),
    };
    format!("<place id=\"{id}\"><type><structure>{sort}</structure></type>{marking}</place>\n")
}

/// A coloured arc.
pub(crate) fn arc(source: &str, target: &str, term: &str) -> String {
    format!(
        "<arc id=\"{source}-{target}\" source=\"{source}\" target=\"{target}\">\
         <hlinscription><structure>{term}</structure></hlinscription></arc>\n"
    )
}

/// A transition with a condition.
pub(crate) fn transition(id: &str, condition: &str) -> String {
    format!(
        "<transition id=\"{id}\"><condition><structure>{condition}</structure></condition></transition>\n"
    )
}

/// An operator over operands.
pub(crate) fn operator(name: &str, operands: &[&str]) -> String {
    let operands: String = operands.iter().map(|operand| format!("<subterm>{operand}</subterm>")).collect();
    format!("<{name}>{operands}</{name}>")
}

/// `numberof`
pub(crate) fn number(count: u32, term: &str) -> String {
    let count = format!("<numberconstant value=\"{count}\"><positive/></numberconstant>");
    operator("numberof", &[&count, term])
}

/// `<variable refvariable="x"/>`
pub(crate) fn variable(name: &str) -> String {
    format!("<variable refvariable=\"{name}\"/>")
}

/// `<useroperator declaration="c"/>`
pub(crate) fn constant(name: &str) -> String {
    format!("<useroperator declaration=\"{name}\"/>")
}

/// `<usersort declaration="s"/>`
pub(crate) fn user(name: &str) -> String {
    format!("<usersort declaration=\"{name}\"/>")
}

/// An enumeration whose members are `name1`, `name2` and so on.
pub(crate) fn ring(name: &str, size: u32) -> String {
    let members: String =
        (1..=size).map(|n| format!("<feconstant id=\"{name}{n}\" name=\"{n}\"/>")).collect();
    format!(
        "<namedsort id=\"{name}\" name=\"{name}\"><cyclicenumeration>{members}</cyclicenumeration></namedsort>"
    )
}

/// A declared variable.
pub(crate) fn declared(name: &str, sort: &str) -> String {
    format!("<variabledecl id=\"{name}\" name=\"{name}\">{}</variabledecl>", user(sort))
}

/// What was read, and the problems one per line.
pub(crate) fn read(text: &str) -> (Option<Imported>, String) {
    let mut sources = Sources::new();
    let file = sources.add("net.pnml", text);
    let mut problems = Problems::new();
    let net = motet_pnml::read(file, text, &mut problems);
    motet_source::fuzz::check_problems(&problems, &sources);
    (net, problems.lines(&sources))
}

/// The net of a text that must be readable.
pub(crate) fn net(text: &str) -> Imported {
    let (net, problems) = read(text);
    net.unwrap_or_else(|| panic!("{problems}"))
}

/// How many markings a model reaches and how many steps lead between them.
pub(crate) fn size(model: &dyn Model) -> (usize, usize) {
    let mut waiting = Vec::new();
    model.initial(&mut waiting);
    let mut seen: BTreeSet<Box<[u32]>> = waiting.iter().cloned().collect();
    let mut n_steps = 0;
    let mut steps = Steps::new(model.signature().slots.len());
    while let Some(state) = waiting.pop() {
        steps.clear();
        model.steps(&state, &mut steps).expect("few tokens");
        n_steps += steps.len();
        for step in steps.iter() {
            let target: Box<[u32]> = step.branches().next().expect("a step leads somewhere").target.into();
            if seen.insert(target.clone()) {
                waiting.push(target);
            }
        }
    }
    (seen.len(), n_steps)
}

/// The same of a net.
pub(crate) fn net_size(net: &PlainNet) -> (usize, usize) {
    let mut problems = Problems::new();
    size(&Semantics::with_atoms(net.clone(), &[], &mut problems).expect("no atoms, no problems"))
}

/// n philosophers around a table who take their right forks first, or their left ones.
pub(crate) fn philosophers(n: u32) -> String {
    let (x, right) = (variable("x"), operator("predecessor", &[&variable("x")]));
    let all = format!("<all>{}</all>", user("P"));
    let body = [
        place("think", &user("P"), &all),
        place("fork", &user("P"), &all),
        place("half", &user("P"), ""),
        place("eat", &user("P"), ""),
        "<transition id=\"one\"/><transition id=\"two\"/><transition id=\"end\"/>".to_owned(),
        arc("think", "one", &x),
        arc("fork", "one", &right),
        arc("one", "half", &number(1, &x)),
        arc("half", "two", &x),
        arc("fork", "two", &x),
        arc("two", "eat", &x),
        arc("eat", "end", &x),
        arc("end", "think", &x),
        arc("end", "fork", &operator("add", &[&number(1, &x), &number(1, &right)])),
    ];
    coloured(&format!("{}{}", ring("P", n), declared("x", "P")), &body.concat())
}

/// One place of each kind of sort, and terms of each kind.
pub(crate) fn everything() -> String {
    let range = "<finiteintrange start=\"1\" end=\"3\"/>";
    let declarations = format!(
        "{}<namedsort id=\"N\" name=\"in\">{range}</namedsort><namedsort id=\"X\" name=\"pair\"><productsort>{}{}\
         </productsort></namedsort><partition id=\"H\" name=\"half\">{}<partitionelement id=\"low\" name=\"low\">{}\
         </partitionelement><partitionelement id=\"high\" name=\"high\">{}{}</partitionelement></partition>{}{}{}",
        ring("S", 3),
        user("S"),
        user("N"),
        user("S"),
        constant("S1"),
        constant("S2"),
        constant("S3"),
        declared("x", "S"),
        declared("y", "S"),
        declared("n", "N"),
    );
    let (x, y, n) = (variable("x"), variable("y"), variable("n"));
    let class = |of: &str| {
        format!("<partitionelementof refpartition=\"H\"><subterm>{of}</subterm></partitionelementof>")
    };
    let all = format!("<all>{}</all>", user("S"));
    let pair = operator("tuple", &[&x, &n]);
    let moved = operator("tuple", &[&operator("successor", &[&x]), &operator("predecessor", &[&n])]);
    let one = format!("<finiteintrangeconstant value=\"1\">{range}</finiteintrangeconstant>");
    let start = operator("tuple", &[&constant("S2"), &one]);
    let body = [
        place("where", &user("X"), &start),
        place(
            "box",
            &user("S"),
            &operator("add", &[&number(2, &constant("S1")), &number(1, &constant("S3"))]),
        ),
        place("dots", "<dot/>", &number(3, "<dotconstant/>")),
        place("rest", &user("S"), &all),
        // Goes along both components.
        "<transition id=\"go\"/>".to_owned(),
        arc("where", "go", &pair),
        arc("go", "where", &moved),
        // Swaps, with a condition over ranks and classes, and a weight.
        transition(
            "swap",
            &operator(
                "and",
                &[
                    &operator("lessthan", &[&x, &y]),
                    &operator("inequality", &[&class(&x), &class(&y)]),
                    &operator(
                        "or",
                        &[&operator("equality", &[&n, &one]), &operator("greaterthan", &[&n, &one])],
                    ),
                ],
            ),
        ),
        arc("box", "swap", &number(2, &x)),
        arc("swap", "box", &operator("add", &[&number(1, &x), &number(1, &y)])),
        arc("dots", "swap", "<dotconstant/>"),
        // Takes all but one and gives them back, which depends on a variable.
        "<transition id=\"but\"/>".to_owned(),
        arc("rest", "but", &operator("subtract", &[&all, &number(1, &x)])),
        arc("dots", "but", &number(2, "<dotconstant/>")),
        arc("but", "rest", &operator("subtract", &[&all, &number(1, &x)])),
        arc("but", "box", &operator("successor", &[&x])),
        // A token that is the successor of another one, which no pattern can say.
        "<transition id=\"chain\"/>".to_owned(),
        arc("box", "chain", &operator("add", &[&number(1, &x), &number(1, &operator("successor", &[&x]))])),
        arc("dots", "chain", "<dotconstant/>"),
        arc("chain", "box", &number(2, &operator("predecessor", &[&x]))),
    ];
    coloured(&declarations, &body.concat())
}
