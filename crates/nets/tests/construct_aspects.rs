//! Weaving: the six patterns, the gas station, and everything that can be wrong with an aspect.

use motet_nets::construct::construct;
use motet_nets::parse::parse;
use motet_nets::print::{format, format_net};
use motet_nets::syntax::{Item, Member, Net, Text};
use motet_source::{Problems, Sources};

/// The text after construction, and its problems, one line for each.
fn constructed(text: &str) -> (Text, Vec<String>) {
    let mut sources = Sources::new();
    let file = sources.add("m", text);
    let (tree, mut problems) = parse(file, text);
    assert!(problems.is_empty(), "{}", problems.lines(&sources));
    let made = construct(vec![tree], &mut problems);
    let told = problems
        .iter()
        .map(|problem| {
            assert!(!problem.help.is_empty());
            format!("{} {} {}", sources.locate(problem.span), problem.code, problem.message)
        })
        .collect();
    (made, told)
}

fn net<'t>(text: &'t Text, name: &str) -> &'t Net {
    let mut nets =
        text.items.iter().filter_map(|item| if let Item::Net(net) = item { Some(net) } else { None });
    nets.find(|net| net.name.node == name).expect("the net is there")
}

/// The net `N` after weaving an aspect with this advice and these joins into it.
fn woven(advice: &str, joins: &str) -> String {
    let text = format!(
        "agent net N() {{ place p, q : int = {{ 1 }}; transition t {{ in p(x); out q(x); }} }}
         aspect A {{ advice {{ {advice} }} weave N {{ {joins} }} }}"
    );
    let (made, told) = constructed(&text);
    assert_eq!(told, Vec::<String>::new());
    assert!(made.items.iter().all(|item| matches!(item, Item::Net(_))), "no aspect is left");
    format_net(net(&made, "N"))
}

const PLACES: &str = "agent net N() {
  place p, q : int = { 1 };
";

#[test]
fn after_a_transition_adds_an_output() {
    let made = woven("place log : int; pointcut transition done { out log(x); }", "done -> t");
    let expected = "  place log : int;\n\n  transition t { in p(x); out q(x); out log(x); }\n}\n";
    assert_eq!(made, format!("{PLACES}{expected}"));
}

#[test]
fn before_a_transition_adds_an_input() {
    let made =
        woven("place permit : token = 1; pointcut transition go { in permit; when x > 0; }", "go -> t");
    let expected =
        "  place permit : token = 1;\n\n  transition t { in p(x); out q(x); in permit; when x > 0; }\n}\n";
    assert_eq!(made, format!("{PLACES}{expected}"));
}

#[test]
fn around_a_transition_adds_both() {
    let made = woven("place lock : token = 1; pointcut transition work { in lock; out lock; }", "work -> t");
    let expected =
        "  place lock : token = 1;\n\n  transition t { in p(x); out q(x); in lock; out lock; }\n}\n";
    assert_eq!(made, format!("{PLACES}{expected}"));
}

#[test]
fn after_a_place_adds_a_consumer() {
    let made = woven("pointcut place from : int; transition drop { in from(y); }", "from -> q");
    let expected = "\n  transition t { in p(x); out q(x); }\n  transition drop { in q(y); }\n}\n";
    assert_eq!(made, format!("{PLACES}{expected}"));
}

#[test]
fn before_a_place_adds_a_producer() {
    let made = woven("pointcut place to : int; transition fill limit 3 { out to(7); }", "to -> p");
    let expected = "\n  transition t { in p(x); out q(x); }\n  transition fill limit 3 { out p(7); }\n}\n";
    assert_eq!(made, format!("{PLACES}{expected}"));
}

#[test]
fn around_a_place_adds_both() {
    let advice =
        "pointcut place here : int; transition count { in here(n); when size(here) < 3; out here(n + 1); }";
    let made = woven(advice, "here -> p");
    let expected = "\n  transition t { in p(x); out q(x); }\n  \
                    transition count { in p(n); when size(p) < 3; out p(n + 1); }\n}\n";
    assert_eq!(made, format!("{PLACES}{expected}"));
}

#[test]
fn a_cell_is_joined_with_its_updates() {
    let (made, told) = constructed(
        "agent net N() { cell c : int = 0; transition t { c' = c + 1; } }
         aspect A { advice { pointcut cell n : int; transition reset { when n > 3; n' = 0; } } weave N { n -> c } }",
    );
    assert_eq!(told, Vec::<String>::new());
    assert!(format(&made).contains("transition reset { when c > 3; c' = 0; }"));
}

#[test]
fn variables_are_not_taken_for_the_places_of_the_advice() {
    let advice = "pointcut place here : int; place spare : int; transition t2 { in here(spare); let here = spare; \
                  when forall here in 0..spare: here < 2; out spare(here); }";
    let made = woven(advice, "here -> p");
    assert!(made.contains("in p(spare);") && made.contains("let here = spare;"), "{made}");
    assert!(
        made.contains("forall here in 0..spare: here < 2") && made.contains("out spare(here);"),
        "{made}"
    );
}

#[test]
fn a_prefix_lets_one_aspect_be_woven_twice() {
    let (made, told) = constructed(
        "agent net N() { place p, q : int; }
         aspect A {
           advice { pointcut place here : int; place kept : int; transition keep { in here(x); when size(kept) < 2; out kept(x); } }
           weave N as first_ { here -> p }
           weave N as second_ { here -> q }
         }",
    );
    assert_eq!(told, Vec::<String>::new());
    assert_eq!(
        format_net(net(&made, "N")),
        "agent net N() {
  place p, q : int;
  place first_kept : int;
  place second_kept : int;

  transition first_keep { in p(x); when size(first_kept) < 2; out first_kept(x); }
  transition second_keep { in q(x); when size(second_kept) < 2; out second_kept(x); }
}
"
    );
}

#[test]
fn a_later_aspect_joins_what_an_earlier_one_added() {
    let (made, told) = constructed(
        "agent net N(me: int) { place p : int = { me }; }
         aspect First { advice { pointcut place here : int; place next : int; transition go { in here(x); out next(x); } }
                        weave N { here -> p } }
         aspect Second { advice { place seen : int; pointcut transition watched { when x != me; out seen(x); } }
                         weave N { watched -> go } }",
    );
    assert_eq!(told, Vec::<String>::new());
    let made = format_net(net(&made, "N"));
    assert!(made.contains("transition go { in p(x); out next(x); when x != me; out seen(x); }"), "{made}");
}

/// The members of a net, printed, in order of the alphabet.
fn members(net: &Net) -> Vec<String> {
    let mut lines: Vec<String> = net
        .members
        .iter()
        .map(|member| format_net(&Net { members: vec![member.clone()], ..net.clone() }))
        .collect();
    lines.sort();
    lines
}

/// Chang 2011, appendix A1: the consumers, once written by hand and once as a plan of actions with a pumping aspect.
#[test]
fn the_woven_consumers_of_the_gas_station_are_those_written_by_hand() {
    let (by_hand, told) = constructed(include_str!("texts/station.npn"));
    assert_eq!(told, Vec::<String>::new());
    let (woven, told) = constructed(include_str!("texts/station_aspect.npn"));
    assert_eq!(told, Vec::<String>::new());
    for (name, pump) in [("Diesel", "PumpDiesel"), ("Regular", "PumpRegular")] {
        let mut expected = net(&by_hand, name).clone();
        for member in &mut expected.members {
            // The aspect has one name for both.
            if let Member::Transition(transition) = member
                && transition.name.node == pump
            {
                transition.name.node = "Pump".to_owned();
            }
        }
        assert_eq!(members(net(&woven, name)), members(&expected));
    }
    assert_eq!(format_net(net(&woven, "Bank")), format_net(net(&by_hand, "Bank")));
}

/// What is told about an aspect with this advice and weave, without its place.
fn wrong(advice: &str, weave: &str) -> Vec<String> {
    let text = format!(
        "enum E = {{e1}}; type I = int;
         agent net N(me: int) {{ place p : int; cell c : int = 0; place r : (a: int, b: E); transition t {{ in p(x); }} }}
         aspect A {{ advice {{ {advice} }} {weave} }}"
    );
    constructed(&text).1.iter().map(|line| line.split_once(' ').expect("a place").1.to_owned()).collect()
}

#[test]
fn every_rule_of_weaving_is_checked() {
    let place = "pointcut place here : int;";
    assert_eq!(wrong(place, "weave M { here -> p }"), ["M1060 there is no net `M` to weave into"]);
    assert_eq!(wrong(place, "weave N { here -> p, there -> p }"), ["M1061 `there` is not a pointcut of `A`"]);
    assert_eq!(
        wrong(place, "weave N { here -> p, here -> p }"),
        ["M1061 the pointcut `here` is mapped twice"]
    );
    assert_eq!(wrong(place, "weave N { }"), ["M1062 the pointcut `here` is not mapped to a join point"]);
    assert_eq!(wrong(place, "weave N { here -> q }"), ["M1063 there is no `q` in `N`"]);
    assert_eq!(
        wrong(place, "weave N { here -> t }"),
        ["M1064 `t` is a transition, and the pointcut `here` is a place"]
    );
    assert_eq!(
        wrong(place, "weave N { here -> c }"),
        ["M1064 `c` is a cell, and the pointcut `here` is a place"]
    );
    assert_eq!(
        wrong("pointcut place here : bool;", "weave N { here -> p }"),
        ["M1065 `p` holds int, and the pointcut `here` holds bool"]
    );
    assert_eq!(
        wrong("pointcut place here : I;", "weave N { here -> p }"),
        Vec::<String>::new(),
        "a name for it"
    );
    assert_eq!(wrong("pointcut place here : (a: I, b: E);", "weave N { here -> r }"), Vec::<String>::new());
    assert_eq!(wrong("pointcut place here : (b: I, a: E);", "weave N { here -> r }").len(), 1);
    assert_eq!(
        wrong("pointcut place here : int = { 1 };", "weave N { here -> p }"),
        ["M1066 a pointcut has no initial marking"]
    );
    assert_eq!(
        wrong("pointcut place here : int capacity 1;", "weave N { here -> p }"),
        ["M1066 a pointcut has no capacity"]
    );
    assert_eq!(
        wrong("pointcut transition go limit 3 { }", "weave N { go -> t }"),
        ["M1066 a pointcut has no limit"]
    );
    assert_eq!(wrong("place p : int;", "weave N { }"), ["M1067 `N` has a `p` already"]);
    assert_eq!(wrong("place p : int;", "weave N as a_ { }"), Vec::<String>::new());
    assert_eq!(
        wrong("place k : int; transition k { }", "weave N { }"),
        ["M1067 `k` is declared twice in this advice"]
    );
    assert_eq!(wrong("place k : int;", ""), ["M1069 the aspect `A` is not woven into any net"]);
}

#[test]
fn a_variable_that_both_bind_is_told_and_one_that_is_shared_is_not() {
    let advice = |body: &str| format!("place k : int; pointcut transition go {{ {body} }}");
    let weave = "weave N { go -> t }";
    assert_eq!(wrong(&advice("in k(x);"), weave), ["M1068 `x` is bound here and in the transition `t`"]);
    assert_eq!(wrong(&advice("pick x in 0..2;"), weave).len(), 1);
    assert_eq!(wrong(&advice("when x > 0; out k(x);"), weave), Vec::<String>::new());
    assert_eq!(wrong(&advice("in k(me);"), weave), Vec::<String>::new(), "a parameter is no variable");
    assert_eq!(
        wrong(
            "pointcut place here : int; transition u { in here(p); when size(here) > p; }",
            "weave N { here -> p }"
        ),
        ["M1068 `p` is a variable of this transition and part of `N`"]
    );
}

#[test]
fn several_texts_are_one() {
    let mut problems = Problems::new();
    let mut sources = Sources::new();
    let texts: Vec<Text> =
        ["agent net N() { place p : int; }", "aspect A { advice { place q : int; } weave N { } }"]
            .into_iter()
            .map(|text| {
                let file = sources.add("m", text);
                parse(file, text).0
            })
            .collect();
    let made = construct(texts, &mut problems);
    assert!(problems.is_empty());
    assert_eq!(format(&made), "agent net N() {\n  place p : int;\n  place q : int;\n}\n");
}
