//! Goals: conditions on the marking of an agent, asked by claims and named in pictures.

mod firing_lab;

use firing_lab::{after, attempt, case, holding, system};
use motet_evidence::Fairness;
use motet_model::{Language as _, MarkingPicture, Options};
use motet_nets::Nets;
use motet_source::{Problems, Sources};

/// Retold from Chang's thesis (2011), figure 24: a plan with two ways to its goal.
const PLAN: &str = "
    enum PERSON = {John};
    agent net Plan() {
      place Miami : PERSON = { John };
      place Atlanta, Houston, LosAngeles : PERSON;
      transition t1 { in Miami(x); out Houston(x); }
      transition t2 { in Miami(x); out Atlanta(x); }
      transition t3 { in Houston(x); out LosAngeles(x); }
      transition t4 { in Atlanta(x); out LosAngeles(x); }
      goal arrived : size(LosAngeles) = 1;
      goal left : size(Miami) = 0;
    }";

fn world(text: &str) -> String {
    format!("{PLAN} system net World() {{ place travellers : agent = {{ {text} }}; }}")
}

/// Names of the claims that hold.
fn held(text: &str, claims: &str) -> Vec<String> {
    holding(&case(text, claims), Fairness::None)
}

/// The goals of every instance, outermost first.
fn goals(marking: &MarkingPicture) -> Vec<Vec<String>> {
    let inner = marking.places.iter().flatten().flat_map(|token| &token.agents).flat_map(goals);
    std::iter::once(marking.goals.clone()).chain(inner).collect()
}

#[test]
fn a_claim_asks_for_the_goal_of_an_agent() {
    let claims = "
        possible Arrives: exists a in travellers: a.arrived
        property Surely: eventually (forall a in travellers: a.arrived)
        property Order: always (forall a in travellers: a.arrived -> a.left)
        property Never: always not (exists a in travellers: a.arrived)";
    assert_eq!(held(&world("new Plan()"), claims), ["Arrives", "Surely", "Order"]);
}

#[test]
fn a_definition_may_ask_for_a_goal() {
    let text = format!("{} def done = forall a in travellers: a.arrived;", world("new Plan()"));
    assert_eq!(held(&text, "property Done: eventually done"), ["Done"]);
}

#[test]
fn an_agent_without_the_goal_has_not_reached_it() {
    let text = format!(
        "{PLAN} agent net Stone() {{ place here : token = 1; }}
         system net World() {{ place travellers : agent = {{ new Plan(), new Stone() }}; }}"
    );
    let claims = "
        possible Some: exists a in travellers: a.arrived
        possible All: forall a in travellers: a.arrived";
    assert_eq!(held(&text, claims), ["Some"]);
}

#[test]
fn a_goal_knows_the_parameters_of_its_agent() {
    let text = "
        agent net Climber(top: int 0..3) {
          cell height : int 0..3 = 0;
          transition climb { when height < 2; height' = height + 1; }
          goal summit : height = top;
        }
        system net World() { place climbers : agent = { new Climber(1), new Climber(3) }; }";
    let claims = "
        possible Low: exists a in climbers: a.summit
        possible High: forall a in climbers: a.summit";
    assert_eq!(held(text, claims), ["Low"]);
    // The goal is a use of the parameter.
    let mut problems = Problems::new();
    let mut sources = Sources::new();
    sources.add("m.npn", text);
    assert!(Nets.read(&sources, &Options::default(), &mut problems).is_some());
    assert!(problems.is_empty(), "{}", problems.lines(&sources));
}

#[test]
fn a_goal_may_be_about_agents_inside() {
    let text = format!(
        "{PLAN} agent net Bus() {{
           place seats : agent = {{ new Plan() }};
           goal delivered : forall a in seats: a.arrived;
         }}
         system net World() {{ place buses : agent = {{ new Bus() }}; }}"
    );
    assert_eq!(held(&text, "property P: eventually (forall b in buses: b.delivered)"), ["P"]);
}

#[test]
fn pictures_name_the_goals_that_hold() {
    let system = system(&world("new Plan()"));
    let told = |actions: &[&str]| {
        let (state, _) = after(&system, actions);
        goals(&system.words.marking(&state).expect("nets have markings"))
    };
    assert_eq!(told(&[]), [Vec::<String>::new(), Vec::new()]);
    assert_eq!(told(&["t1"]), [vec![], vec!["left".to_owned()]]);
    assert_eq!(told(&["t1", "t3"]), [vec![], vec!["arrived".to_owned(), "left".to_owned()]]);
    let declared: Vec<Vec<String>> = system.words.nets().into_iter().map(|net| net.goals).collect();
    assert_eq!(declared, [vec![], vec!["arrived".to_owned(), "left".to_owned()]]);
}

#[test]
fn a_goal_of_the_system_net_may_ask_what_is_enabled() {
    let text =
        "system net S() { place p : token = 1; transition t { in p(_); } goal over : not enabled(t); }";
    let system = system(text);
    let told = |actions: &[&str]| {
        let (state, _) = after(&system, actions);
        system.words.marking(&state).expect("nets have markings").goals
    };
    assert_eq!((told(&[]), told(&["t"])), (vec![], vec!["over".to_owned()]));
}

#[test]
fn who_fires_is_told_with_the_binding() {
    let system = system(&world("new Plan()"));
    let (_, taken) = after(&system, &["t2"]);
    let who = system.words.participants(taken[0]);
    assert_eq!(who.len(), 1);
    assert_eq!((who[0].instance.as_str(), who[0].binding.as_slice()), ("Plan", &["x = John".to_owned()][..]));
}

#[test]
fn names_of_goals_are_checked() {
    let refused = |text: &str, claims: &str, code: &str| {
        let Err(lines) = attempt(text, claims, &[]).map(|_| ()) else { panic!("accepted: {text} {claims}") };
        assert!(lines.contains(code), "{code} expected in {lines}");
        lines
    };
    let one = world("new Plan()");
    let lines = refused(&one, "property P: eventually (forall a in travellers: a.arived)", "M1021");
    assert!(lines.contains("arrived"), "{lines}");
    // A number is no condition.
    refused(&one, "property P: eventually (forall a in travellers: a.arrived = 1)", "M1023");
    let twice = one.replace("goal left", "goal arrived");
    refused(&twice, "", "M1020");
    let place = one.replace("goal left", "goal Miami");
    refused(&place, "", "M1020");
    let other = format!("{one} agent net B() {{ place arrived : token; }}")
        .replace("{ new Plan() }", "{ new Plan(), new B() }");
    refused(&other, "property P: eventually (forall a in travellers: a.arrived)", "M1023");
    refused(&one, "property P: eventually Des(Plan, arrived)", "M1050");
}

#[test]
fn a_goal_may_not_name_an_interchangeable_member() {
    let text =
        world("new Plan()").replace("enum PERSON = {John};", "interchangeable enum PERSON = {John, Mary};");
    let text = text.replace("Miami : PERSON = { John }", "Miami : PERSON");
    let text = text.replace("size(Miami) = 0", "count(Miami, John) = 0");
    let Err(lines) = attempt(&text, "", &[]).map(|_| ()) else { panic!("accepted") };
    assert!(lines.contains("M1055"), "{lines}");
}
