//! Atoms of claims about nets.

mod firing_lab;

use firing_lab::{STATION, attempt, case, holding};
use motet_evidence::Fairness;

const OFFICE: &str = "
    enum WHO = {ann, bob};
    enum WHAT = {fetch, write};
    system net Office() {
      place asks : (who: WHO, what: WHAT) = { (ann, fetch), (ann, write), (bob, fetch) };
      place done : (who: WHO, what: WHAT);
      cell busy : set of WHO = {};
      place ink : token = 2;
      transition Take { in asks(r); when r.who notin busy; busy' = busy union {r.who}; out done(r); }
      transition Leave { in done(who, what), ink; when who in busy; busy' = busy minus {who}; }
    }
    def busy_with(n) = n in busy and (exists r in done: r.who = n);";

fn held(claims: &str) -> Vec<String> {
    holding(&case(OFFICE, claims), Fairness::None)
}

#[test]
fn claims_count_tokens_and_look_for_them() {
    let claims = "
        property size: always #asks <= 3
        property there: <ann, fetch> in asks
        property not_there: <bob, write> in asks
        property like: count(asks, <ann, _>) = 2
        property ink: always #ink <= 2
        property cell: always #busy <= 2
        property own: always (forall n in WHO: (n in busy -> busy_with(n)))
    ";
    assert_eq!(held(claims), ["size", "there", "like", "ink", "cell", "own"]);
}

#[test]
fn claims_ask_what_is_enabled_and_what_fires() {
    let claims = "
        property can: enabled(Take) and not enabled(Leave)
        property nothing_yet: not fires(Take)
        property first: X fires(Take)
        property then: always (fires(Leave) -> not deadlock or #ink = 0)
        property at_once: always (fires(Take, <ann, fetch>) -> X fires(Leave, ann))
        possible takes: fires(Take, <ann, write>)
        possible leaves: fires(Leave, write)
        possible wrong: fires(Take, <bob, write>)
        property order: not fires(Leave, ann) W fires(Take, <ann, fetch>)
    ";
    let found = held(claims);
    for name in ["can", "nothing_yet", "first", "then", "takes", "leaves"] {
        assert!(found.contains(&name.to_owned()), "{name} in {found:?}");
    }
    for name in ["at_once", "wrong", "order"] {
        assert!(!found.contains(&name.to_owned()), "{name} in {found:?}");
    }
}

#[test]
fn claims_quantify_over_tokens() {
    let claims = "
        property each: always (forall r in done: r.who in busy)
        property bob_asks: always (exists r in asks: r.who = bob)
        property two: exists r in asks: (exists s in asks: (r.who = s.who and r.what != s.what))
    ";
    assert_eq!(held(claims), ["each", "two"]);
}

#[test]
fn a_claim_without_a_truth_somewhere_is_not_proved() {
    let case = case(OFFICE, "property p: never 6 / #ink > 100");
    let outcomes = firing_lab::outcomes(&case, Fairness::None);
    let motet_evidence::Verdict::Unknown(stop) = &outcomes[0].verdict else {
        panic!("{:?}", outcomes[0].verdict)
    };
    assert!(format!("{stop:?}").contains("6 is divided by zero"), "{stop:?}");
}

#[test]
fn what_fired_is_remembered_only_for_claims_that_ask() {
    let plain = case(OFFICE, "property p: always #ink <= 2");
    let asks = case(OFFICE, "property p: never fires(Leave, ann)");
    let width = |case: &firing_lab::Case| case.system.model.signature().slots.len();
    assert_eq!(width(&plain) + 1, width(&asks));
}

#[test]
fn transitions_of_agents_are_named_with_their_net() {
    let claims = "
        possible diesel: fires(Diesel.SlideCard)
        possible any: fires(ToSchool)
        possible never: fires(Bank.Deny)
    ";
    assert_eq!(holding(&case(STATION, claims), Fairness::None), ["diesel", "any"]);
}

fn refused(claims: &str) -> String {
    match attempt(OFFICE, claims, &[]) {
        Ok(_) => panic!("accepted: {claims}"),
        Err(lines) => lines,
    }
}

#[test]
fn what_nets_do_not_know_is_refused_with_a_way_out() {
    for (claims, code, word) in [
        ("property p: F Bel(Office, asks)", "M1050", "marking"),
        ("property p: F Int(Office, asks)", "M1050", "marking"),
        ("property p: F Does(Office, Take)", "M1050", "fires(T)"),
        ("property p: F fires(Tak)", "M1051", "Take"),
        ("property p: F fires(Take, asks)", "M1051", "constant"),
        ("property p: F (asks > 1.5)", "M1050", "1.5"),
    ] {
        let lines = refused(claims);
        assert!(lines.contains(code) && lines.contains(word), "{claims}: {lines}");
    }
}

const CLIENTS: &str = "
    interchangeable enum CLIENT = {c1, c2, c3, c4};
    system net Server() {
      place idle : CLIENT = {c1, c2, c3, c4};
      place waiting, served : CLIENT;
      place lock : token = 1;
      transition ask { in idle(c); out waiting(c); }
      transition serve { in waiting(c), lock; out served(c); }
      transition leave { in served(c); out idle(c), lock; }
    }
    def one_at_a_time = forall x in served, y in served: x = y;";

#[test]
fn markings_that_differ_by_names_of_interchangeable_members_are_one() {
    // Each client idles, waits or is served, at most one is: 2^4 + 4 * 2^3 markings; by numbers 5 + 4.
    let distinct = CLIENTS.replace("interchangeable ", "");
    assert_eq!(firing_lab::counts(&distinct).0, 48);
    assert_eq!(firing_lab::counts(CLIENTS).0, 9);
    let claims = "
        property mutex: always one_at_a_time
        property some: F #served = 1
        property queue: always (#waiting > 0 -> F #served = 1)
    ";
    for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
        let names = holding(&case(&distinct, claims), fairness);
        assert_eq!(holding(&case(CLIENTS, claims), fairness), names, "{fairness:?}");
    }
}

#[test]
fn agents_of_interchangeable_members_are_interchangeable() {
    let text = "
        interchangeable enum CLIENT = {c1, c2, c3};
        port ask(c: CLIENT);
        agent net Client(me: CLIENT) {
          place rest : token = 1;
          place done : token;
          transition Ask { in rest; sync up ! ask(me); out done; }
        }
        system net Server() {
          place clients : agent = { new Client(c1), new Client(c2), new Client(c3) };
          place asked : CLIENT;
          transition Hear { read clients(a); sync a ? ask(c); out asked(c); }
        }";
    assert_eq!(firing_lab::counts(text).0, 4);
    assert_eq!(firing_lab::counts(&text.replace("interchangeable ", "")).0, 8);
}

#[test]
fn many_interchangeable_members_are_told_apart_by_where_they_are() {
    let members: Vec<String> = (0..9).map(|number| format!("m{number}")).collect();
    let members = members.join(", ");
    let text = format!(
        "interchangeable enum M = {{{members}}};
         system net S() {{ place p : M = {{{members}}}; place q : M; transition t {{ in p(x); out q(x); }} }}"
    );
    // The members of q are alike, and so are those of p; however many renamings that leaves, numbers decide.
    assert_eq!(firing_lab::counts(&text).0, 10);
}

/// Two sorts at once: the numbers of markings are those of pairs of sets up to renaming.
#[test]
fn two_interchangeable_sorts_are_renamed_independently() {
    let text = "
        interchangeable enum L = {l1, l2, l3};
        interchangeable enum R = {r1, r2, r3};
        system net Graph() {
          place free : (l: L, r: R) = { (l1, r1), (l1, r2), (l1, r3), (l2, r1), (l2, r2), (l2, r3), (l3, r1), (l3, r2), (l3, r3) };
          place edge : (l: L, r: R);
          transition draw { in free(e); out edge(e); }
        }";
    // Bipartite graphs on 3 + 3 vertices with the two sides kept apart (OEIS A028657): 36.
    assert_eq!(firing_lab::counts(text).0, 36);
    assert_eq!(firing_lab::counts(&text.replace("interchangeable ", "")).0, 512);
}

#[test]
fn an_interchangeable_member_is_not_named() {
    let Err(lines) = attempt(CLIENTS, "property p: F <c1> in served", &[]) else { panic!("accepted") };
    assert!(lines.contains("M1055") && lines.contains("`c1`"), "{lines}");
    let special = CLIENTS.replace("in waiting(c), lock;", "in waiting(c), lock; when c != c2;");
    let Err(lines) = attempt(&special, "", &[]) else { panic!("accepted") };
    assert!(lines.contains("M1055") && lines.contains("`c2`"), "{lines}");
}
