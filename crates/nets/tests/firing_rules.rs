//! The rules of firing, one small net each.

mod firing_lab;

use firing_lab::{Counts, afresh, after, counts, fault, initial, possible, same_graph, system};
use motet_source::fuzz::{Random, rounds};

/// A system net around these members.
fn net(members: &str) -> String {
    format!("enum E = {{a, b, c}};\nsystem net S() {{ {members} }}")
}

/// What can fire at the start, in words.
fn firings(members: &str) -> Vec<String> {
    let system = system(&net(members));
    possible(&system, &initial(&system))
}

#[test]
fn equal_tokens_give_one_mode() {
    let found = firings("place p : int = {1, 1, 2}; transition t { in p(x); }");
    assert_eq!(found, ["t (x = 1)", "t (x = 2)"]);
}

#[test]
fn two_arcs_on_one_place_need_two_tokens() {
    let two = "transition t { in p(x), p(y); }";
    assert_eq!(firings(&format!("place p : int = {{1}}; {two}")), [""; 0]);
    assert_eq!(firings(&format!("place p : int = {{1, 1}}; {two}")), ["t (x = 1, y = 1)"]);
    assert_eq!(
        firings(&format!("place p : int = {{1, 2}}; {two}")),
        ["t (x = 1, y = 2)", "t (x = 2, y = 1)"]
    );
}

#[test]
fn what_is_not_named_does_not_make_modes() {
    let found = firings("place p : int = {1, 2}; place q : int; transition t { in p(_), p(_); out q(0); }");
    assert_eq!(found, ["t"]);
    let found = firings(
        "place p : int = {1, 2}; cell n : int 0..1 = 0; transition t { read p(_); when n = 0; n' = 1; }",
    );
    assert_eq!(found, ["t"]);
}

#[test]
fn tests_may_share_a_token_but_not_with_an_arc_that_consumes_it() {
    assert_eq!(
        firings("place p : E = {a}; cell n : int = 0; transition t { read p(x), p(y); n' = 1; }").len(),
        1
    );
    assert_eq!(firings("place p : E = {a}; transition t { in p(x); read p(y); }"), [""; 0]);
    assert_eq!(firings("place p : E = {a, a}; transition t { in p(x); read p(y); }").len(), 1);
}

#[test]
fn a_bound_name_means_equality() {
    let found = firings(
        "place p, q : E = {a, b}; place r : (x: E, y: E) = {(b, b), (b, c)}; transition t { in p(x), r(x, x); }",
    );
    assert_eq!(found, ["t (x = b)"]);
}

#[test]
fn an_inhibitor_looks_at_the_marking_before() {
    let text = |tokens: &str| {
        format!("place p : E = {tokens}; place q : E = {{a}}; transition t {{ in q(x), p(y); inhib p(x); }}")
    };
    assert_eq!(firings(&text("{a, b}")), [""; 0], "a is there, although it might be consumed");
    assert_eq!(firings(&text("{b}")).len(), 1);
}

#[test]
fn a_full_place_takes_nothing_more() {
    let text = net(
        "place p : token = 5; place q : token capacity 2; transition t { in p; out q; } transition u { in q * 2; out q; }",
    );
    // p and q: (5,0) (4,1) (3,2) (3,1) (2,2) (2,1) (1,2) (1,1) (0,2) (0,1)
    assert_eq!(counts(&text), Counts(10, 9, 1));
}

#[test]
fn weights_count_black_tokens() {
    assert_eq!(
        counts(&net("place p : token = 7; place q : token; transition t { in p * 2; out q * 3; }")),
        Counts(4, 3, 1)
    );
}

#[test]
fn all_alternatives_that_apply_are_steps() {
    let found = firings(
        "place p : int = {1}; place q : int;
         transition t { in p(x); alt { when x > 0; out q(1); } alt { when x < 2; out q(2); } alt { when x > 5; out q(3); } }",
    );
    assert_eq!(found, ["t (x = 1)", "t (x = 1)"]);
}

#[test]
fn each_member_that_can_be_picked_is_a_mode() {
    let found = firings("place p : int = {2}; transition t { in p(x); pick y in {1, 2, 3} where y >= x; }");
    assert_eq!(found, ["t (x = 2, y = 2)", "t (x = 2, y = 3)"]);
}

#[test]
fn everything_is_computed_before_the_firing() {
    let text = net("cell m, n : int 0..3 = 0; transition t limit 1 { m' = n + 1; n' = m + 2; }");
    let system = system(&text);
    let (target, _) = after(&system, &["t"]);
    let value = |slot: u32| system.words.value(motet_model::SlotId(slot), target[slot as usize]);
    assert_eq!((value(0), value(1), value(2)), ("1".to_owned(), "2".to_owned(), "0".to_owned()));
}

#[test]
fn a_limit_is_how_often_a_transition_fires() {
    assert_eq!(counts(&net("place p : int; transition t limit 3 { out p(1); }")), Counts(4, 3, 1));
}

#[test]
fn a_number_outside_its_range_is_a_fault_with_a_name() {
    let message = fault(&net("cell n : int 0..2 = 0; transition raise { n' = n + 1; }"));
    assert!(
        message.starts_with("S.raise: ") && message.contains('n') && message.contains("3, outside 0..2"),
        "{message}"
    );
}

#[test]
fn division_by_zero_and_overflow_are_faults() {
    let message = fault(&net("cell n : int = 1; transition t { when n >= 0; n' = 6 / (n - 1); }"));
    assert_eq!(message, "S.t: 6 is divided by zero");
    let message = fault(&net("cell n : int = 9223372036854775807; transition t { n' = n + 1; }"));
    assert_eq!(message, "S.t: a number does not fit 64 bits");
}

#[test]
fn a_false_guard_makes_a_faulty_one_harmless() {
    let text = net("place p : int = {0, 2}; transition t { in p(x); when 10 / x > 1; when x != 0; }");
    assert_eq!(counts(&text), Counts(2, 1, 1));
}

#[test]
fn too_many_members_are_a_fault_and_not_a_wait() {
    let message =
        fault(&net("cell n : int = 100000000; place p : token = 1; transition t { in p; when n in 1..n; }"));
    assert!(message.contains("more than 1048576 members"), "{message}");
    let message = fault(&net("cell n : int = 1000; place p : token = 1;
         transition t { in p; when forall x in 1..n, y in 1..n, z in 1..n: x + y + z < 0 - 1 or x > 0; }"));
    assert!(message.contains("combinations of values"), "{message}");
}

/// Figure 24 of Chang (2011): four markings, four steps, one end.
#[test]
fn johns_plan_has_four_markings() {
    let text = "
        enum PERSON = {John};
        agent net Plan() {
          place Miami : PERSON = { John };
          place Atlanta, Houston, LosAngeles : PERSON;
          transition t1 { in Miami(x); out Houston(x); }
          transition t2 { in Miami(x); out Atlanta(x); }
          transition t3 { in Houston(x); out LosAngeles(x); }
          transition t4 { in Atlanta(x); out LosAngeles(x); }
        }
        system net World() { place w : agent = { new Plan() }; }";
    assert_eq!(counts(text), Counts(4, 4, 1));
    same_graph(&system(text).model, &afresh(text));
}

/// Agents with equal contents are one token twice: three states instead of four.
#[test]
fn agents_need_no_numbers() {
    let text = "
        agent net Light() { place off : token = 1; place on : token; transition switch { in off; out on; } }
        system net Room() { place lights : agent = { new Light(), new Light() }; }";
    assert_eq!(counts(text), Counts(3, 2, 1));
}

/// A random net of black tokens: arcs of all sorts, capacities and limits.
fn random_net(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut below = move |end| random.below(end);
    let mut members = String::new();
    for place in 0..5 {
        let (most, tokens) = (4 + below(3), 1 + below(4));
        members.push_str(&format!("place p{place} : token capacity {most} = {tokens};\n"));
    }
    for transition in 0..7 {
        let limit = if below(3) == 0 { format!(" limit {}", 1 + below(3)) } else { String::new() };
        members.push_str(&format!("transition t{transition}{limit} {{ in p{} * {};", below(5), 1 + below(2)));
        for (word, chance) in [("in", 4), ("read", 4), ("inhib", 5), ("out", 1), ("out", 1), ("out", 2)] {
            if below(chance) == 0 {
                members.push_str(&format!(" {word} p{} * {};", below(5), 1 + below(2)));
            }
        }
        members.push_str(" }\n");
    }
    net(&members)
}

#[test]
fn sums_on_the_vector_are_firings() {
    let mut states = 0;
    for seed in 1..=rounds(60) {
        let text = random_net(seed);
        let Ok(case) = firing_lab::attempt(&text, "", &[]) else { panic!("seed {seed}:\n{text}") };
        states += same_graph(&case.system.model, &afresh(&text)).0;
    }
    assert!(states > 500, "the nets are not all dead: {states} states");
}
