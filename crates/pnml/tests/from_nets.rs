//! Nets of our own language that are exported as symmetric nets have the same markings and firings when they are read back.

mod lab;

use lab::{net, net_size, size};
use motet_model::{Language, Options};
use motet_nets::parse::parse;
use motet_nets::{Nets, construct::construct, resolve::resolve};
use motet_pnml::{symmetric_net, write_symmetric};
use motet_source::{FileId, Problems, Sources, Span};

/// The net as PNML, or the problem.
fn exported(text: &str) -> Result<String, String> {
    let mut sources = Sources::new();
    let file: FileId = sources.add("net.npn", text);
    let (parsed, mut problems) = parse(file, text);
    let constructed = construct(vec![parsed], &mut problems);
    let resolved = resolve(&constructed, &Options::default(), Span::new(file, 0, 0), &mut problems);
    let resolved = resolved.unwrap_or_else(|| panic!("{}", problems.lines(&sources)));
    symmetric_net(&resolved.program).map(|net| write_symmetric(&net)).map_err(|problem| {
        let mut problems = Problems::new();
        problems.push(*problem);
        problems.lines(&sources)
    })
}

/// Markings and firings by the semantics of our own language.
fn own_size(text: &str) -> (usize, usize) {
    let mut sources = Sources::new();
    sources.add("net.npn", text);
    let mut problems = Problems::new();
    let draft = Nets.read(&sources, &Options::default(), &mut problems);
    let system = draft.and_then(|draft| draft.system(&[], &mut problems));
    let system = system.unwrap_or_else(|| panic!("{}", problems.lines(&sources)));
    size(system.model.as_ref())
}

/// The exported net, after it was found to be the same.
fn check(text: &str) -> String {
    let written = exported(text).unwrap_or_else(|problem| panic!("{problem}"));
    let found = net_size(&net(&written).net);
    assert_eq!(found, own_size(text), "{written}");
    assert!(found.1 > 0, "something should fire: {written}");
    written
}

fn philosophers(n: u32) -> String {
    format!(
        "const N = {n};
         system net Table() {{
           place think, fork : int 0..N - 1 = {{ i | i in 0..N - 1 }};
           place half, eat : int 0..N - 1;
           transition One {{ in think(i), fork(j); when j = (i + N - 1) % N; out half(i); }}
           transition Two {{ in half(i), fork(i); out eat(i); }}
           transition End {{ in eat(i); out think(i), fork(i), fork((i + N - 1) % N); }}
         }}"
    )
}

/// Each fork lies on the table or is with one of its neighbours, and who has the second has the first: the same net is counted by
/// hand in the tests of coloured nets.
#[test]
fn philosophers_are_the_same_after_export() {
    let written = check(&philosophers(3));
    assert!(written.contains("<predecessor>") && written.contains("<finiteintrange start=\"0\" end=\"2\"/>"));
    assert_eq!(net_size(&net(&written).net), net_size(&net(&lab::philosophers(3)).net));
    check(&philosophers(5));
}

#[test]
fn records_truth_picks_and_conditions_are_the_same_after_export() {
    let written = check(
        "enum COLOUR = {red, green, blue};
         type CARD = (colour: COLOUR, number: int 1..3, open: bool);
         system net Cards() {
           place deck : CARD = {(red, 1, false), (red, 2, true), (blue, 3, false), (blue, 3, false)};
           place hand : CARD;
           place turns : token = 3;
           place seen : COLOUR = {green};
           place top : int 0..5;
           transition Draw { in deck(c), turns; when c.number < 3 or c.colour != red; out hand(c with {open = true}); }
           transition Look { in hand(colour, number, o), turns; when o and not (number > 2); out seen(colour), top(number); }
           transition Name { in turns; read seen(x); pick y in {red, blue}; when y != x; out seen(y); }
           transition Pair { in deck(c), deck(d); when c = d; out seen(green); }
           transition Either { in hand(_, n, true); alt { when n in {1, 3}; out turns; } alt { when n = 2; } }
         }",
    );
    for part in ["<productsort>", "<bool/>", "<finiteenumeration>", "name=\"CARD\"", "start=\"0\" end=\"5\""]
    {
        assert!(written.contains(part), "{part}: {written}");
    }
}

#[test]
fn rings_of_numbers_that_begin_anywhere_are_the_same_after_export() {
    let written = check(
        "system net Ring() {
           place at : int 1..4 = {1, 3};
           place other : int 1..4;
           transition Next { in at(i); out other(if i = 4 then 1 else i + 1); }
           transition Back { in other(i); when i in 1..3 => i != 2; out at(if i = 1 then 4 else i - 1); }
         }",
    );
    assert!(written.contains("<successor>") && written.contains("<predecessor>"), "{written}");
}

/// Each `let` doubles the record.
#[test]
fn a_record_that_doubles_eight_times_is_refused() {
    let mut lets = "let a0 = (x, x);".to_owned();
    for number in 0..7 {
        lets.push_str(&format!(" let a{} = (a{number}, a{number});", number + 1));
    }
    let problem = exported(&format!(
        "system net N() {{ place p : token = 1; place q : bool = {{true}}; transition T {{ in p; read q(x); {lets} when a7 = a7; }} }}"
    ));
    assert!(problem.is_err_and(|problem| problem.contains("records as large as this")));
}

#[test]
fn what_symmetric_nets_lack_is_refused_with_its_place() {
    let net = |body: &str| {
        format!("system net N() {{\n  place p : int 0..3 = {{1}};\n  place q : int 0..3;\n  {body}\n}}")
    };
    for (body, why) in [
        ("cell c : int 0..3 = 0;\n transition T { in p(x); when x > c; out q(x); }", "cells, like `c`"),
        ("transition T limit 3 { in p(x); out q(x), q(x); }", "limits, like that of `T`"),
        ("place r : token capacity 2;\n transition T { in p(x); out r; }", "capacities, like that of `r`"),
        ("place r : int = {1};\n transition T { in p(x); out r(x); }", "numbers without a range"),
        ("place r : set of int 0..3;\n transition T { in p(x); out r({x}); }", "sets"),
        ("transition T { in p(x); when x + x < 3; out q(x); }", "arithmetic"),
        ("transition T { in p(x); when x < 3; out q(x + 1); }", "arithmetic"),
        ("transition T { in p(x); inhib q(x); out q(x); }", "inhibitor arcs"),
        ("transition T { in p(x); when size(q) < 2; out q(x); }", "terms about the marking"),
        ("transition T { in p(x); when if x = 1 then x < 3 else x > 2; out q(x); }", "choices in conditions"),
        ("transition T { in p(x); pick y in 0..99999; when y > x; out q(x); }", "as wide as from 0 to 99999"),
        ("transition T { in p(x); read q(y), q(z); out q(x); }", "two read arcs"),
        ("place r : int 0..9 = {8};\n transition T { in r(x); out q(x); }", "lies inside the range"),
    ] {
        let problem = exported(&net(body)).expect_err(body);
        assert!(problem.contains("M0985") && problem.contains(why), "{body}: {problem}");
        assert!(problem.starts_with("net.npn:4:") || problem.starts_with("net.npn:5:"), "{body}: {problem}");
    }
}
