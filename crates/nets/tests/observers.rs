//! What an agent sees of a state: its own marking (`spec/claims/knowledge.md`).

mod firing_lab;

use std::sync::Arc;

use firing_lab::{after, attempt, case, system};
use motet_model::{Checked, Model as _, ObserverId, System};

fn view(system: &System, observer: &str, actions: &[&str]) -> Vec<u32> {
    let model = Checked::new(Arc::clone(&system.model));
    let number = model.signature().observers.iter().position(|name| name == observer);
    let number = number.unwrap_or_else(|| panic!("no {observer} among {:?}", model.signature().observers));
    let mut seen = Vec::new();
    model.facets().observe(
        ObserverId(u32::try_from(number).expect("few")),
        &after(system, actions).0,
        &mut seen,
    );
    seen
}

const ROOM: &str = "
    enum WHO = {ann, ben};
    agent net Walker(me: WHO) {
      place left : token = 1;
      place right : token;
      transition walk { in left; out right; }
      transition rest limit 2 { read right; }
    }
    system net World() {
      place room : (name: WHO, net: agent) = { (ann, new Walker(ann)), (ben, new Walker(ben)) };
      place garden : (name: WHO, net: agent);
      transition leave { in room(w); out garden(w); }
    }";

#[test]
fn an_agent_sees_its_own_marking_and_not_that_of_others() {
    let room = system(ROOM);
    assert_eq!(room.model.signature().observers, ["Walker(ann)", "Walker(ben)"]);
    // Of two who may walk, the first one does.
    assert_ne!(view(&room, "Walker(ann)", &[]), view(&room, "Walker(ann)", &["walk"]));
    assert_eq!(view(&room, "Walker(ben)", &[]), view(&room, "Walker(ben)", &["walk"]));
}

#[test]
fn where_an_agent_is_and_how_often_it_may_still_fire_it_does_not_see() {
    let room = system(ROOM);
    assert_eq!(view(&room, "Walker(ann)", &[]), view(&room, "Walker(ann)", &["leave (w = <ann"]));
    let walked = view(&room, "Walker(ann)", &["walk"]);
    assert_eq!(walked, view(&room, "Walker(ann)", &["walk", "rest"]));
}

#[test]
fn one_who_is_not_there_sees_nothing_and_has_a_name_beforehand() {
    let pond = system(
        "agent net Mayfly(age: int 1..2) {
           place young : token = 1;
           transition grow { in young; }
         }
         system net Pond() {
           place air : (n: int 1..2, net: agent);
           transition hatch limit 1 { out air(1, new Mayfly(1)); }
           transition die { in air(_); }
         }",
    );
    assert_eq!(pond.model.signature().observers, ["Mayfly(1)", "Mayfly(2)"]);
    let absent = view(&pond, "Mayfly(1)", &[]);
    assert_eq!(absent, view(&pond, "Mayfly(2)", &["hatch"]));
    assert_ne!(absent, view(&pond, "Mayfly(1)", &["hatch"]));
    assert_eq!(absent, view(&pond, "Mayfly(1)", &["hatch", "die"]));
}

#[test]
fn an_agent_sees_the_agents_inside_it() {
    let nest = system(
        "agent net Egg() { place whole : token = 1; transition crack { in whole; } }
         agent net Hen() { place eggs : agent = { new Egg() }; }
         system net Yard() { place hens : agent = { new Hen() }; }",
    );
    assert_eq!(nest.model.signature().observers, ["Hen", "Egg"]);
    assert_ne!(view(&nest, "Hen", &[]), view(&nest, "Hen", &["crack"]));
}

#[test]
fn a_template_is_a_group_of_its_agents() {
    let claims = "property A: EK[Walker](true)\nproperty B: forall w in Walker: K[w](true)\n\
                  property C: forall w in WHO: K[Walker(w)](true)";
    let observers = |claim: &motet_property::Claim<motet_model::AtomId>| format!("{:?}", claim.formula);
    let case = case(ROOM, claims);
    for claim in &case.claims {
        let text = observers(claim);
        assert!(text.contains("\"Walker(ann)\"") && text.contains("\"Walker(ben)\""), "{text}");
    }
}

#[test]
fn knowledge_of_several_of_nobody_or_of_somebody_without_a_name_is_refused() {
    let refused = |text: &str, claim: &str| match attempt(text, &format!("property A: {claim}"), &[]) {
        Ok(_) => "accepted".to_owned(),
        Err(lines) => lines,
    };
    assert!(refused(ROOM, "K[Walker](true)").contains("M0226"), "{}", refused(ROOM, "K[Walker](true)"));
    assert!(refused(ROOM, "K[Walker(tom)](true)").contains("M0225"));
    assert!(refused(ROOM, "EK[WHO](true)").contains("M0225"));
    let alike = ROOM.replace("enum WHO =", "interchangeable enum WHO =");
    let lines = refused(&alike, "K[Walker(ann)](true)");
    assert!(lines.contains("M0280") && lines.contains("interchangeable"), "{lines}");
    let bare = "system net S() { place p : token = 1; transition t { in p; } }";
    assert!(refused(bare, "K[S](#p = 1)").contains("M0280"));
}
