//! Steps across levels: between an agent and its host, between agents of one host, and further down.

mod firing_lab;

use firing_lab::{Counts, afresh, after, counts, same_graph, system};
use motet_model::{Snapshot, System};

/// What fires in steps whose words start like these, and where that leads.
fn run(system: &System, actions: &[&str]) -> (Vec<String>, Snapshot) {
    let (state, taken) = after(system, actions);
    (taken.iter().map(|action| system.words.action(*action)).collect(), system.words.snapshot(&state))
}

/// `Net in place: p = a, q = b`, one line for each net.
fn lines(snapshot: &Snapshot) -> Vec<String> {
    let line = |mind: &motet_model::Mind| {
        let sections: Vec<String> =
            mind.sections.iter().map(|one| format!("{} = {}", one.title, one.items.join(", "))).collect();
        format!("{}: {}", mind.name, sections.join(" | "))
    };
    snapshot.minds.iter().map(line).collect()
}

const COUNTER: &str = "
    port add(n: int 0..9);
    agent net Counter() {
      cell sum : int 0..9 = 1;
      place seen : int;
      transition Add { sync up ? add(n); sum' = sum + n; out seen(n); }
    }";

#[test]
fn an_agent_that_is_moved_arrives_with_its_new_marking() {
    let text = format!(
        "{COUNTER} system net S() {{
           place from, to : (old: int, net: agent) = {{}};
           place here : agent = {{ new Counter() }};
           transition go {{ in here(a); sync a ! add(3); out to(a.sum, a); }}
         }}"
    );
    let (told, snapshot) = run(&system(&text), &["go"]);
    assert_eq!(told, ["go with Counter.Add: add(3)"]);
    // What is computed from the agent is computed from its marking before.
    assert_eq!(lines(&snapshot), ["S: to = <1, Counter>", "Counter in to: sum = 4 | seen = 3"]);
}

#[test]
fn an_agent_that_is_only_looked_at_changes_where_it_is() {
    let text = format!(
        "{COUNTER} system net S() {{
           place here : agent = {{ new Counter(), new Counter() }};
           place calls : int = {{ 2, 5 }};
           transition call {{ in calls(n); read here(a); sync a ! add(n); }}
         }}"
    );
    assert_eq!(counts(&text), Counts(5, 6, 2), "both calls go to one agent or to two");
}

/// If two equal agents are moved apart, the one that fires is the one that was bound.
#[test]
fn the_agent_that_fires_is_the_one_that_was_bound() {
    let text = format!(
        "{COUNTER} system net S() {{
           place here : agent = {{ new Counter(), new Counter() }};
           place left, right : agent;
           transition part {{ in here(a), here(b); sync b ! add(2); out left(a), right(b); }}
         }}"
    );
    let (_, snapshot) = run(&system(&text), &["part"]);
    assert_eq!(lines(&snapshot)[1..], ["Counter in left: sum = 1", "Counter in right: sum = 3 | seen = 2"]);
}

/// Partners need the same port, and the receiver may refuse by its pattern or guard.
#[test]
fn a_receiver_may_refuse() {
    let text = "
        port say(n: int);
        agent net Listener() {
          place heard : int;
          transition Even { sync up ? say(n); when n % 2 = 0; out heard(n); }
          transition Seven { sync up ? say(7); out heard(0); }
        }
        system net S() {
          place words : int = { 1, 4, 7 };
          place who : agent = { new Listener() };
          transition tell { in words(n); read who(a); sync a ! say(n); }
        }";
    assert_eq!(counts(text), Counts(4, 4, 1), "1 is never heard");
}

const TALK: &str = "
    enum TOPIC = {weather, nets};
    port word(n: int 1..3);
    agent net Talker(about: TOPIC) {
      place tosay : int 1..3 = { 2 };
      place heard : int 1..3;
      transition Say { in tosay(n); sync chan(about) ! word(n); }
      transition Hear { sync chan(about) ? word(n); out heard(n); }
    }";

#[test]
fn agents_of_one_host_speak_through_equal_channels() {
    let of = |agents: &str| format!("{TALK} system net S() {{ place p : agent = {{ {agents} }}; }}");
    assert_eq!(counts(&of("new Talker(nets)")), Counts(1, 0, 1), "nobody speaks to itself");
    assert_eq!(
        counts(&of("new Talker(nets), new Talker(weather)")),
        Counts(1, 0, 1),
        "not of the same thing"
    );
    // Two that are equal: one says it to the other, and then the other way round or nobody.
    assert_eq!(counts(&of("new Talker(nets), new Talker(nets)")), Counts(3, 2, 1));
}

#[test]
fn partners_may_be_in_different_places() {
    let text = format!(
        "{TALK} system net S() {{ place p : agent = {{ new Talker(nets) }}; place q : (id: int, net: agent) = {{ (1, new Talker(nets)) }}; }}"
    );
    let (told, snapshot) = run(&system(&text), &["Say"]);
    assert_eq!(told, ["Say with Talker(nets).Hear: word(2)"]);
    assert_eq!(
        lines(&snapshot),
        [
            "S: p = Talker(nets) | q = <1, Talker(nets)>",
            "Talker(nets) in p: ",
            "Talker(nets) in q: tosay = 2 | heard = 2"
        ]
    );
    assert_eq!(counts(&text), Counts(4, 4, 1));
    same_graph(&system(&text).model, &afresh(&text));
}

const HARBOUR: &str = "
    port load(n: int 0..9);
    port arrived(n: int 1..5);
    agent net Crate(weight: int 1..5) {
      place closed : token = 1;
      place open : token;
      transition Open { in closed; sync up ! arrived(weight); out open; }
    }
    agent net Ship() {
      place hold : agent = { new Crate(2), new Crate(3) };
      place deck : agent;
      cell weight : int 0..9 = 0;
      transition Unload { in hold(c); sync c ? arrived(n); weight' = weight + n; out deck(c); }
      transition Report { when weight = 5; sync up ! load(weight); weight' = 0; }
    }
    system net Harbour() {
      place quay : (pier: int, ship: agent) = { (1, new Ship()) };
      place log : int 0..9;
      transition Note { read quay(s); sync s.ship ? load(n); out log(n); }
    }";

/// The crates are agents of the ship, which is an agent of the harbour.
#[test]
fn nets_nest_to_three_levels() {
    // Each crate is opened or not: four states; then the ship reports once.
    assert_eq!(counts(HARBOUR), Counts(5, 5, 1));
    same_graph(&system(HARBOUR).model, &afresh(HARBOUR));
    let (told, snapshot) = run(&system(HARBOUR), &["Open", "Open", "Report"]);
    assert_eq!(
        told,
        [
            "Open with Ship.Unload: arrived(2)",
            "Open with Ship.Unload: arrived(3)",
            "Report with Harbour.Note: load(5)"
        ]
    );
    assert_eq!(
        lines(&snapshot),
        [
            "Harbour: quay = <1, Ship> | log = 5",
            "Ship in quay: deck = Crate(2), Crate(3) | weight = 0",
            "Crate(2) in Ship.deck: open = 1",
            "Crate(3) in Ship.deck: open = 1"
        ]
    );
}

#[test]
fn agents_that_hold_themselves_are_refused_and_not_built_for_ever() {
    let text = "
        agent net Doll() { place inside : agent = { new Doll() }; transition t { in inside(x); } }
        system net Shelf() { place p : agent = { new Doll() }; }";
    let Err(lines) = firing_lab::attempt(text, "", &[]) else { panic!("it was built") };
    assert!(lines.contains("M1054") && lines.contains("64 levels deep"), "{lines}");
}

#[test]
fn nests_that_grow_without_end_are_a_fault() {
    let text = "
        agent net Doll() { place inside : agent; cell done : int 0..1 = 0; transition t { when done = 0; done' = 1; out inside(new Doll()); } }
        system net Shelf() { place p : agent = { new Doll() }; }";
    let message = firing_lab::fault(text);
    assert!(message.contains("64 levels deep"), "{message}");
}

#[test]
fn a_cell_that_only_some_agents_have_is_asked_for_after_the_class() {
    let text = |guard: &str| {
        format!(
            "agent net A() {{ cell n : int = 1; place p : token = 1; transition t {{ in p; when n = 1; }} }}
             agent net B() {{ place p : token = 1; transition t {{ in p; }} }}
             system net S() {{ place w : agent = {{ new A(), new B() }}; place q : token = 1; transition look {{ in q; when {guard}; }} }}"
        )
    };
    let careful = text("forall a in w: class(a) = A => a.n = 1");
    assert_eq!(counts(&careful), Counts(8, 12, 1));
    let message = firing_lab::fault(&text("forall a in w: a.n = 1"));
    assert_eq!(message, "S.look: an agent of B has no such cell; ask for its class first");
}
