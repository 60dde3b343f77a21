//! Beliefs and intentions of agents that are nets.

use motet_render::{Beliefs, GoalReport, Intentions};
use motet_workbench::{
    Desire, Limits, Loaded, Options, Problems, Project, Selection, Sources, beliefs, intentions, load,
};

fn loaded(text: &str) -> Loaded {
    let mut sources = Sources::new();
    sources.add("m.npn", text);
    let loaded = load(Project {
        path: "m".to_owned(),
        sources,
        problems: Problems::new(),
        language: None,
        options: Options::default(),
        selection: Selection::default(),
    });
    assert!(loaded.ready.is_some(), "{}", loaded.problems.lines(&loaded.sources));
    loaded
}

fn believed(text: &str) -> Beliefs {
    let loaded = loaded(text);
    beliefs(loaded.ready.as_ref().expect("asked above"), "m", None, &up_to(10_000))
        .expect("all nets are there")
}

fn up_to(states: u64) -> Limits {
    Limits { states: Some(states), ..Limits::default() }
}

fn all() -> Desire<'static> {
    Desire { net: None, goal: None, most: 20, limits: up_to(10_000) }
}

fn intended(text: &str, desire: &Desire<'_>) -> Result<Intentions, String> {
    let loaded = loaded(text);
    intentions(loaded.ready.as_ref().expect("asked above"), "m", desire)
}

/// `Plan: t1 t3`
fn told(goal: &GoalReport) -> Vec<String> {
    goal.intentions.iter().map(|one| format!("{}: {}", one.agent, one.firings.join(" "))).collect()
}

fn only(text: &str) -> GoalReport {
    let mut found = intended(text, &all()).expect("nothing special is asked");
    assert_eq!(found.goals.len(), 1);
    found.goals.remove(0)
}

const TRAVEL: &str = include_str!("../../../examples/travel/travel.npn");

/// Chang's thesis of 2011, figure 24. It lists three markings, because two different ones have the same name there.
#[test]
fn a_travelling_plan_has_four_beliefs_and_two_intentions() {
    let found = believed(TRAVEL);
    assert!(found.complete && found.states == 4 && found.nets.len() == 1);
    let plan = &found.nets[0];
    let markings: Vec<&str> = plan.beliefs.iter().map(|one| one.marking.as_str()).collect();
    assert_eq!(markings, ["Miami = John", "Houston = John", "Atlanta = John", "LosAngeles = John"]);
    let which = |test: &dyn Fn(&motet_render::Belief) -> bool| -> Vec<usize> {
        (0..plan.beliefs.len()).filter(|&number| test(&plan.beliefs[number])).collect()
    };
    assert_eq!(which(&|one| one.first), [0]);
    assert_eq!(which(&|one| one.last), [3], "the goal is the only dead marking");
    assert_eq!(which(&|one| one.goals == ["arrived"]), [3]);
    let goal = only(TRAVEL);
    assert!(goal.reachable && !goal.more);
    assert_eq!(goal.run, ["t1 (x = John)", "t3 (x = John)"]);
    assert_eq!(told(&goal), ["Plan: t1 t3", "Plan: t2 t4"]);
}

/// What others do in between does not make another intention, and agents that are alike are followed apart.
#[test]
fn two_travellers_have_the_intentions_of_one() {
    let goal = only(&TRAVEL.replace("{ new Plan() }", "{ new Plan(), new Plan() }"));
    assert_eq!(told(&goal), ["Plan: t1 t3", "Plan: t2 t4"]);
}

#[test]
fn agents_of_different_names_are_told_apart() {
    let text = TRAVEL
        .replace("net Plan()", "net Plan(n: int 1..2)")
        .replace("out Atlanta(x);", "when n = 1; out Atlanta(x);")
        .replace("{ new Plan() }", "{ new Plan(1), new Plan(2) }");
    assert_eq!(told(&only(&text)), ["Plan(1): t1 t3", "Plan(1): t2 t4", "Plan(2): t1 t3"]);
    let agents: Vec<String> = believed(&text).nets[0].beliefs.iter().map(|one| one.agent.clone()).collect();
    assert_eq!(agents.iter().filter(|agent| *agent == "Plan(2)").count(), 3, "{agents:?}");
}

#[test]
fn detours_are_no_intentions_and_a_list_can_be_cut() {
    let back = TRAVEL.replace("  goal", "  transition back { in Houston(x); out Miami(x); }\n  goal");
    assert_eq!(told(&only(&back)), ["Plan: t1 t3", "Plan: t2 t4"]);
    let one =
        intended(TRAVEL, &Desire { most: 1, ..all() }).expect("nothing special is asked").goals.remove(0);
    assert_eq!((told(&one).len(), one.more), (1, true));
    let both =
        intended(TRAVEL, &Desire { most: 2, ..all() }).expect("nothing special is asked").goals.remove(0);
    assert_eq!((told(&both).len(), both.more), (2, false));
}

#[test]
fn the_host_decides_which_intentions_are_possible() {
    let text = "
        port go(n: int 1..2);
        agent net Walker() {
          place at : int 0..2 = { 0 };
          transition step { in at(p); sync up ? go(n); out at(n); }
          transition jump { in at(0); out at(2); }
          transition rest { read at(2); }
          goal there : 2 in at;
        }
        system net Host() {
          place walkers : agent = { new Walker() };
          place lights : int 1..2 = { 1 };
          transition one { in lights(n); read walkers(a); sync a ! go(n); out lights(2); }
        }";
    // The gates open one after the other, first to 1 and then to 2; from 1 nobody jumps.
    let goal = only(text);
    assert_eq!(told(&goal), ["Walker: jump", "Walker: step step"]);
    assert_eq!(goal.run.len(), 1);
}

#[test]
fn an_agent_that_is_made_on_the_way_begins_where_it_is_made() {
    let text = TRAVEL.replace(
        "place travellers : agent = { new Plan() };",
        "place order : token = 2; place travellers : agent;
         transition hire { in order; out travellers(new Plan()); }",
    );
    let goal = only(&text);
    assert_eq!(told(&goal), ["Plan: t1 t3", "Plan: t2 t4"]);
    assert_eq!(goal.run.len(), 3, "{:?}", goal.run);
    let first: Vec<bool> = believed(&text).nets[0].beliefs.iter().map(|one| one.first).collect();
    assert_eq!(first, [true, false, false, false]);
}

#[test]
fn goals_that_hold_already_or_never_are_told_so() {
    let text = TRAVEL.replace("size(LosAngeles) = 1", "size(Miami) = 1");
    let goal = only(&text);
    assert_eq!((goal.reachable, goal.run.len(), told(&goal)), (true, 0, vec!["Plan: ".to_owned()]));
    let text = TRAVEL.replace("size(LosAngeles) = 1", "size(LosAngeles) = 2");
    let goal = only(&text);
    assert_eq!((goal.reachable, told(&goal).len(), goal.more), (false, 0, false));
    let found = intended(&text, &all()).expect("nothing special is asked");
    assert!(found.text().contains("goal arrived: no run reaches it"), "{}", found.text());
    let some = intended(&text, &Desire { limits: up_to(2), ..all() }).expect("nothing special is asked");
    assert!(!some.complete && some.text().contains("not reached so far"), "{}", some.text());
}

#[test]
fn unknown_names_and_models_without_goals_are_told_so() {
    let asked = |net, goal| intended(TRAVEL, &Desire { net, goal, ..all() });
    assert_eq!(
        asked(Some("Plam"), None).expect_err("no such net"),
        "there is no net Plam; did you mean Plan?"
    );
    let error = asked(None, Some("arived")).expect_err("no such goal");
    assert_eq!(error, "there is no goal arived; did you mean arrived?");
    assert_eq!(asked(Some("Plan"), Some("arrived")).expect("both are there").goals.len(), 1);
    let aimless = TRAVEL.replace("  goal arrived : size(LosAngeles) = 1;", "");
    let found = intended(&aimless, &all()).expect("nothing special is asked");
    assert!(found.goals.is_empty() && found.text().contains("no net declares a goal"), "{}", found.text());
    assert!(found.json().contains("\"goals\": []"), "{}", found.json());
}

/// What agents inside do is no firing of the agent around them.
#[test]
fn the_agents_inside_may_bring_the_goal_about() {
    let plan = TRAVEL.split("system net").next().expect("the plan comes first");
    let text = format!(
        "{plan} agent net Bus() {{
           place seats : agent = {{ new Plan() }};
           place fuel : token = 1;
           transition go {{ in fuel; }}
           goal delivered : forall a in seats: a.arrived;
         }}
         system net World() {{ place buses : agent = {{ new Bus() }}; }}"
    );
    let desire = Desire { goal: Some("delivered"), ..all() };
    let found = intended(&text, &desire).expect("the goal is there");
    assert_eq!(told(&found.goals[0]), ["Bus: ", "Bus: go"]);
    assert!(found.text().contains("1  nothing of its own\n"), "{}", found.text());
}
