//! Everything that is said against a text before it runs.

mod resolving;

use resolving::{read, said};

/// The codes and messages of a text, without places.
fn messages(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let (_, rest) = line.split_once(": ").expect("a place");
        rest.split(" (help: ").next().expect("a message").to_owned()
    };
    said(text).lines().map(line).collect()
}

/// A system net that holds agents of a template `K` in places `p`, `q`, `r`, and has these transitions.
fn with_agents(transitions: &str) -> String {
    format!(
        "port hello(n: int 0..3);
         agent net K() {{
           place s : int 0..3 = {{ 1 }};
           transition t {{ in s(x); sync up ! hello(x); out s(x); }}
         }}
         system net S() {{
           place p, q, r : (aid: int, net: agent) = {{ (1, new K()) }};
           place n : int;
           transition hear {{ read p(a); sync a.net ? hello(x); out n(x); }}
           {transitions}
         }}"
    )
}

fn of_agents(transitions: &str) -> Vec<String> {
    messages(&with_agents(transitions))
}

/// A system net with data only.
fn of_data(transitions: &str) -> Vec<String> {
    messages(&format!(
        "enum CAR = {{ sedan, truck }};
         type Vehicle = (kind: CAR, tank: int 0..1);
         system net S() {{
           place p, q : Vehicle = {{ (truck, 0) }};
           place n : int 0..3 = {{ 1 }};
           place b : token = 2;
           place k : CAR = {{ sedan }};
           cell c : int 0..5 = 3;
           cell A : set of Vehicle = {{ (sedan, 1) }};
           {transitions}
         }}"
    ))
}

#[test]
fn an_agent_that_goes_to_two_places_is_refused() {
    let found = of_agents("transition t { in p(a); out q(a), r(a); }");
    assert_eq!(found, ["error[M1029]: this agent goes to two places, and there is only one of it"]);
}

#[test]
fn an_agent_that_goes_to_no_place_is_removed_without_a_word() {
    assert!(of_agents("transition t { in p(a); }").is_empty());
}

#[test]
fn parts_of_a_token_count_as_the_agent_in_it() {
    let found = of_agents("transition t { in p(i, m); out q(i, m), r(i + 1, m); }");
    assert_eq!(found, ["error[M1029]: this agent goes to two places, and there is only one of it"]);
    assert!(of_agents("transition t { in p(i, m); out q(i + 1, m); }").is_empty());
    assert!(of_agents("transition t { in p(a); out q(a with {net = new K()}), r(a); }").is_empty());
}

#[test]
fn an_agent_that_is_read_stays() {
    let found = of_agents("transition t { read p(a); out q(a); }");
    assert_eq!(found, ["error[M1029]: an agent that is only read cannot be put elsewhere"]);
    let found = of_agents("transition t { in n(_); pick a in p; out q(a); }");
    assert_eq!(found, ["error[M1029]: this agent stays where it is, so it cannot go here too"]);
}

#[test]
fn one_name_for_two_agents_is_refused() {
    let found = of_agents("transition t { in p(a), q(a); }");
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("error[M1029]: `a` is bound by another arc already"), "{found:?}");
}

#[test]
fn weights_do_not_multiply_agents() {
    let found = of_agents("transition t { in p(a) * 2; }");
    assert_eq!(found, ["error[M1029]: an arc with a weight takes several agents as one"]);
    let found = of_agents("transition t { in p(a); out q(a) * 2; }");
    assert_eq!(found, ["error[M1029]: a weight would make several of one agent"]);
}

#[test]
fn labels_of_the_wrong_sort_are_refused_wherever_they_stand() {
    let all = [
        ("in n(truck);", "error[M1023]: the label is CAR, and int 0..3 is meant here"),
        ("in k(2);", "error[M1023]: the label is int, and CAR is meant here"),
        ("read p(x, truck);", "error[M1023]: the label is CAR, and int 0..1 is meant here"),
        ("in b; inhib k(7);", "error[M1023]: the label is int, and CAR is meant here"),
        ("in n(x); out k(x);", "error[M1023]: place `k` takes CAR, and this is int 0..3"),
        ("in p(v); out n(v);", "error[M1023]: place `n` takes int 0..3, and this is Vehicle"),
        ("in p(v); out q(v.tank, v.kind);", "error[M1023]: place `q` takes Vehicle, and this is Vehicle"),
        ("in n(x); c' = sedan;", "error[M1023]: `c'` takes int 0..5, and this is CAR"),
        ("in n(x); when x;", "error[M1023]: a condition takes bool, and this is int 0..3"),
        ("in n(x); when x = truck;", "error[M1023]: int 0..3 and CAR are never equal"),
        ("in n(x); when truck + 1 = x;", "error[M1023]: a calculation takes int, and this is CAR"),
        (
            "in n(x); pick y in c where y = x;",
            "error[M1023]: a variable ranges over the members of a set or the \
          tokens of a place, and this is int 0..5",
        ),
        ("in n(x); when x in A;", "error[M1023]: int 0..3 and Vehicle are never equal"),
        ("in p(v); when v.tink = 1;", "error[M1023]: Vehicle has no field `tink`"),
        ("in n(x); when n = x;", "error[M1023]: places are not compared as wholes"),
    ];
    for (statements, expected) in all {
        assert_eq!(of_data(&format!("transition t {{ {statements} }}")), [expected], "{statements}");
    }
}

#[test]
fn labels_with_a_wrong_number_of_parts_are_refused() {
    let all = [
        ("in p(x, y, z);", "error[M1043]: tokens of `p` have 2 fields, and here are 3 parts"),
        ("in n(x, y);", "error[M1043]: tokens of `n` have sort int 0..3, and here are 2 parts"),
        ("in b; out q;", "error[M1043]: place `q` takes Vehicle, and no value is given"),
        ("in b; out n(1, 2);", "error[M1043]: place `n` takes int 0..3, and here are 2 parts"),
    ];
    for (statements, expected) in all {
        assert_eq!(of_data(&format!("transition t {{ {statements} }}")), [expected], "{statements}");
    }
}

#[test]
fn messages_have_the_sort_of_their_port() {
    let text = |send: &str, receive: &str| {
        messages(&format!(
            "enum CAR = {{ sedan }};
             port pay(kind: CAR, card: int 0..3);
             agent net K() {{ place s : int = {{ 1 }}; transition t {{ in s(x); {send} out s(x); }} }}
             system net S() {{ place p : agent = {{ new K() }}; place n : int;
               transition u {{ in p(a); {receive} out p(a), n(y); }} }}"
        ))
    };
    let good = ("sync up ! pay(sedan, 2);", "sync a ? pay(k, y);");
    assert!(text(good.0, good.1).is_empty());
    let found = text("sync up ! pay(x, 2);", good.1);
    assert_eq!(found, ["error[M1023]: `kind` of port `pay` takes CAR, and this is int"]);
    let found = text("sync up ! pay(sedan, 7);", good.1);
    assert_eq!(found, ["error[M1044]: this value lies outside int 0..3 of `card` of port `pay`"]);
    let found = text("sync up ! pay(sedan);", good.1);
    assert_eq!(found, ["error[M1043]: port `pay` carries 2 values, and here are 1"]);
    let found = text(good.0, "sync a ? pay(7, y);");
    assert_eq!(found, ["error[M1023]: the label is int, and CAR is meant here"]);
}

#[test]
fn a_value_outside_its_range_is_refused_where_it_is_plain_to_see() {
    let found = of_data("transition t { in n(x); out n(5); }");
    assert_eq!(found, ["error[M1044]: this value lies outside int 0..3 of place `n`"]);
}

#[test]
fn a_primed_name_needs_a_value_before_and_a_definition() {
    let all = [
        ("in p(v); out q(v');", "error[M1027]: nothing defines `v'` here"),
        ("in p(v); w' = v; out q(w');", "error[M1027]: `w'` is defined, but nothing binds `w`"),
        ("in p(v); v'.tank = v'.tank; out q(v');", "error[M1027]: `v'` depends on itself"),
        ("in p(v); when forall x in A: x'.tank = 1; out q(v);", "error[M1027]: nothing defines `x'` here"),
    ];
    for (statements, expected) in all {
        let found = of_data(&format!("transition t {{ {statements} }}"));
        assert_eq!(found.first().map(String::as_str), Some(expected), "{statements}: {found:?}");
    }
    assert!(of_data("transition t { in p(v); v'.tank = 1 - v.tank; out q(v'); }").is_empty());
    assert!(of_data("transition t { in b; pick a in A; a'.tank = 0; }").is_empty());
}

#[test]
fn a_primed_name_has_to_be_defined_in_every_alternative_that_uses_it() {
    let found = of_data("transition t { in p(v); out q(v'); alt { v'.tank = 1; } alt { when v.tank = 1; } }");
    assert_eq!(found, ["error[M1027]: nothing defines `v'` here"]);
}

#[test]
fn a_primed_definition_that_nothing_uses_gets_a_warning() {
    let found = of_data("transition t { in p(v); v'.tank = 1; out q(v); }");
    assert_eq!(found, ["warning[M1038]: `v'` is defined, but no output arc mentions it"]);
}

#[test]
fn every_alternative_binds_all_it_uses() {
    let found = of_data("transition t { in b; out n(x); alt { read n(x); } alt { when c > 1; } }");
    assert_eq!(found, ["error[M1026]: nothing binds `x` here"]);
    let found = of_data("transition t { in b; inhib n(x); out n(x); }");
    assert_eq!(found, ["error[M1026]: nothing binds `x` here"]);
}

#[test]
fn a_misspelt_name_gets_the_nearest_one() {
    let text = "enum CAR = { sedan, truck }; system net S() { place p : CAR = { trck }; }";
    assert_eq!(said(text), "m.npn:1:65: error[M1021]: there is no `trck` (help: did you mean `truck`?)\n");
}

#[test]
fn a_port_that_nobody_answers_is_dead() {
    let text = "port hello(n: int);
        agent net K() { place s : int = { 1 }; transition t { in s(x); sync up ! hello(x); out s(x); } }
        system net S() { place p : agent = { new K() }; }";
    assert_eq!(messages(text), ["warning[M1034]: port `hello` is dead: nothing receives from it"]);
}

#[test]
fn a_port_that_goes_up_and_down_is_refused() {
    let text = "port hello(n: int);
        agent net K() { place s : int = { 1 };
          transition t { in s(x); sync up ! hello(x); out s(x); }
          transition u { in s(x); sync up ? hello(y); out s(y); } }
        system net S() { place p : agent = { new K() }; transition v { read p(a); sync a ! hello(1); } }";
    let expected = "error[M1035]: port `hello` goes from agents to their host, and here it goes from a host to its agents";
    assert_eq!(messages(text), [expected]);
}

#[test]
fn a_source_needs_a_limit() {
    let found = of_data("transition t { out n(1); }");
    assert_eq!(found, ["error[M1033]: `t` can fire without end: nothing holds it back"]);
    assert!(of_data("transition t limit 3 { out n(1); }").is_empty());
    assert!(of_data("transition t { when c > 0; c' = c - 1; out n(1); }").is_empty());
    assert!(of_data("transition t { inhib n; out n(1); }").is_empty());
}

#[test]
fn variables_may_not_cover_enumerators() {
    let found = of_data("transition t { in p(v); pick truck in A; out q(truck); }");
    assert!(found.contains(&"error[M1039]: `truck` is an enumerator and cannot be a variable".to_owned()));
    let found = of_data("transition t { in p(v); when exists sedan in k: true; }");
    assert!(found.contains(&"error[M1039]: `sedan` is an enumerator and cannot be a variable".to_owned()));
    let text = "enum CAR = { sedan }; agent net K(sedan: int) { place p : int = { sedan }; }
                system net S() { place p : agent = { new K(1) }; place c : CAR = { sedan }; }";
    let found = messages(text);
    assert!(found.contains(&"error[M1039]: `sedan` is an enumerator and cannot be a parameter".to_owned()));
}

#[test]
fn a_misspelt_enumerator_in_a_pattern_gets_a_warning() {
    let found = of_data("transition t { in k(sedn); out n(1); }");
    assert_eq!(found, ["warning[M1039]: `sedn` takes any value here, not just `sedan`"]);
    assert!(of_data("transition t { in k(sedn); out k(sedn); }").is_empty());
}

#[test]
fn definitions_speak_of_the_net_that_uses_them() {
    let text = "def idle = size(bench) = 0; def busy(x) = x in desk;
        agent net K() { place bench : int = { 1 }; place desk : int;
          transition t { in bench(x); out desk(x); } transition u { in desk(x); when idle and busy(x); out bench(x); } }
        system net S() { place p : agent = { new K() }; }";
    assert_eq!(said(text), "");
    let text = "def idle = size(bench) = 0; system net S() { place p : token = 1; }";
    assert_eq!(messages(text), ["error[M1021]: there is no `bench`"]);
}

#[test]
fn what_nothing_uses_gets_a_warning() {
    let text = "enum CAR = { sedan }; type V = (a: int, b: int); port lost(n: int);
        agent net K(x: int) { place s : int = { 1 }; }
        system net S() { place p : agent = { new K(1) }; place n : int = { 1 };
          transition t { in n(i); let j = i + 1; } }";
    let expected = [
        "warning[M1038]: nothing uses enum `CAR`",
        "warning[M1038]: nothing uses type `V`",
        "warning[M1038]: nothing uses port `lost`",
        "warning[M1038]: nothing uses parameter `x`",
        "warning[M1038]: nothing uses variable `j`",
    ];
    assert_eq!(messages(text), expected);
}

#[test]
fn a_template_that_nothing_creates_gets_a_warning() {
    let text = "agent net K() { place s : int = { 1 }; } system net S() { place p : int = { 1 }; }";
    assert_eq!(messages(text), ["warning[M1037]: nothing creates an agent of `K`"]);
    let text = "agent net K() { place s : int = { 1 }; } system net S() { place p : class = { K }; }";
    assert!(messages(text).is_empty(), "a template that is a value may be instantiated");
}

#[test]
fn places_that_are_never_filled_and_what_waits_for_them_get_warnings() {
    let found = messages("system net S() { place p, q : token; transition t { in p; out q; } }");
    let expected = [
        "warning[M1036]: place `p` of `S` never holds a token",
        "warning[M1036]: `t` never fires: it waits for `p`, \
          which stays empty",
    ];
    assert_eq!(found, expected);
}

#[test]
fn cells_are_no_places() {
    let all = [
        ("in c(x);", "error[M1032]: `c` is a cell: its one token is never taken or added"),
        ("in n(x); out c(x);", "error[M1032]: `c` is a cell: its one token is never taken or added"),
        ("in n(x); n' = 2;", "error[M1032]: `n` is a place, and only cells get new values"),
        ("in b; c' = 1; c' = 2;", "error[M1032]: `c'` is defined twice"),
        (
            "in b; pick a in A; a'.tank = 0; A' = {};",
            "error[M1032]: a cell gets one new value in each disjunct, and this is the second",
        ),
    ];
    for (statements, expected) in all {
        let found = of_data(&format!("transition t {{ {statements} }}"));
        assert_eq!(found, [expected], "{statements}");
    }
    assert!(of_data("transition t { in b; read c(x); out n(x - 1); }").is_empty());
}

#[test]
fn partners_are_bound_by_arcs_and_the_system_net_has_nothing_above_it() {
    let found = of_agents("transition t { in n(x); sync up ! hello(x); }");
    assert!(found.contains(&"error[M1031]: there is nothing above the system net".to_owned()), "{found:?}");
    let found = of_agents("transition t { in n(_); pick a in p; sync a.net ? hello(x); }");
    let expected = "error[M1031]: the partner has to be bound by an input or read arc of this transition";
    assert_eq!(found, [expected]);
    let found = of_agents("transition t { in n(x); sync x ? hello(y); }");
    assert!(found[0].starts_with("error[M1023]: `sync` takes agent"), "{found:?}");
}

#[test]
fn one_command_for_each_disjunct_and_the_same_for_all() {
    let found = of_agents("transition t { in p(a); sync a.net ? hello(x); sync a.net ? hello(y); }");
    assert_eq!(found, ["error[M1028]: a second channel command in one disjunct"]);
    let found = of_agents("transition t { in p(a); alt { sync a.net ? hello(x); } alt { when a.aid = 1; } }");
    assert_eq!(found, ["error[M1028]: the alternatives of `t` do not use one port alike"]);
}

#[test]
fn agents_are_no_data() {
    let text = "port give(a: agent);
        agent net K() { place s : token = 1; }
        system net S() { cell c : agent = new K(); place p : (a: agent, b: agent); place q : set of agent; }";
    let found = messages(text);
    let refused = found.iter().filter(|line| line.starts_with("error[M1030]")).count();
    assert_eq!(refused, 4, "{found:?}");
}

#[test]
fn agents_may_hold_agents() {
    let text = "port tell(n: int);
        agent net Inner() { place s : int = { 1 }; transition t { in s(x); sync up ! tell(x); } }
        agent net Outer() { place home : agent = { new Inner() }; place got : int;
          transition take { in home(a); sync a ? tell(x); out home(a), got(x); }
          transition more { in got(x); out home(new Inner()); } }
        system net S() { place p : agent = { new Outer() }; }";
    assert_eq!(said(text), "");
}

#[test]
fn definitions_do_not_go_round_in_circles() {
    let text = "def a = b; def b = a; system net S() { place p : token = 1; }";
    let found = messages(text);
    assert!(found.iter().all(|line| line.starts_with("error[M1041]")) && found.len() == 2, "{found:?}");
}

#[test]
fn definitions_that_double_each_other_are_refused_in_time() {
    let mut text = "def d0 = size(p); system net S() { place p : token = 1; }".to_owned();
    for number in 1..40 {
        text += &format!(" def d{number} = d{0} + d{0};", number - 1);
    }
    assert!(said(&text).contains("error[M1048]"));
}

#[test]
fn constants_are_bound_to_values_of_their_sort() {
    let text = "const N = 2; system net S() { place p : token = N; }";
    assert!(read(text, &[("N", "x")]).1.contains("error[M1025]: `x` is no value for the constant `N`"));
    assert!(read(text, &[("M", "1")]).1.contains("error[M1025]: there is no constant `M` to bind"));
    assert!(said("const A = B; const B = A; system net S() { }").contains("error[M1024]"));
    assert!(said("const A = 1 / 0; system net S() { }").contains("error[M1024]: this divides by zero"));
}

#[test]
fn weights_limits_and_capacities_are_constants() {
    let found = of_data("transition t { in n(x) * x; }");
    assert_eq!(found, ["error[M1021]: there is no constant `x`"]);
    let found = of_data("transition t { in b * 0; }");
    assert_eq!(found, ["error[M1024]: a weight is at least 1 and fits 32 bits, and this is 0"]);
    let found = messages("system net S() { place p : token capacity 2 = 3; }");
    assert_eq!(found, ["error[M1024]: 3 tokens at the start exceed the capacity of 2"]);
}

#[test]
fn a_model_has_one_system_net() {
    assert_eq!(messages("const N = 1;"), ["error[M1040]: there is no system net"]);
    let found = messages("system net A() { } system net B() { }");
    assert_eq!(found, ["error[M1040]: there are two system nets"]);
}

#[test]
fn names_are_declared_once() {
    let text = "enum A = { x, y }; enum B = { x }; const y = 1; type A = int;
                system net S() { place p : token; place p : token; place x : A = { x }; transition t { in p; } }";
    let found = messages(text);
    let twice = found.iter().filter(|line| line.starts_with("error[M1020]")).count();
    assert_eq!(twice, 4, "{found:?}");
}

#[test]
fn all_problems_of_a_text_are_said_at_once() {
    let found = of_data(
        "transition t { in p(v); out n(v); } transition u { out b; } transition w { in n(x); when y = x; }",
    );
    let codes: Vec<&str> = found.iter().map(|line| &line[6..11]).collect();
    assert_eq!(codes, ["M1023", "M1033", "M1026"]);
}
