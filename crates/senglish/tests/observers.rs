//! What an agent sees of a state: its beliefs and its plans (`spec/claims/knowledge.md`).

mod lab;

use lab::{Graph, explore, system};
use motet_model::{AtomId, AtomText, Expr, Model as _, ObserverId, Options, State};

const SCOUT: &str = "PERCEPTION PROCESS\nMonitor the following booleans:\nA mine is near. {[],[0.5,1,0],[0,1,0]}\n\
                     EXECUTABLE PLANS\nIf ^[A mine is near] while ~^[Mine found] then +^[Mine found].\n";
const HUNTER: &str = "PERCEPTION PROCESS\nMonitor the following booleans:\n\
                      The scout calls. {[scout: Mine found],[1,2,0],[0,1,0]}\n\
                      EXECUTABLE PLANS\nIf ^[The scout calls] while ~^[Mine found] then +^[Mine found].\n";

const HUNTER_FOUND: AtomId = AtomId(0);
const SCOUT_FOUND: AtomId = AtomId(1);

fn team() -> (Vec<String>, Graph) {
    let believes = |agent: &str| AtomText::Believes(agent.to_owned(), Expr::Text("Mine found".to_owned()));
    let files = [("scout.sej", SCOUT), ("hunter.sej", HUNTER)];
    let system = system(&files, &Options::default(), &[believes("hunter"), believes("scout")]);
    (system.model.signature().observers.clone(), explore(&system))
}

fn view(graph: &Graph, observer: u32, state: &State) -> Vec<u32> {
    let mut seen = Vec::new();
    graph.model.facets().observe(ObserverId(observer), state, &mut seen);
    seen
}

/// Whether some two reachable states look the same to an observer although an atom holds in one of them only.
fn hides(graph: &Graph, observer: u32, atom: AtomId) -> bool {
    let truth = |state: &State| graph.model.holds(atom, state);
    graph.states.iter().any(|one| {
        graph
            .states
            .iter()
            .any(|two| truth(one) != truth(two) && view(graph, observer, one) == view(graph, observer, two))
    })
}

#[test]
fn an_agent_sees_its_own_beliefs_and_not_those_of_others() {
    let (observers, graph) = team();
    assert_eq!(observers, ["hunter", "scout"]);
    assert!(!hides(&graph, 0, HUNTER_FOUND));
    assert!(!hides(&graph, 1, SCOUT_FOUND));
    assert!(hides(&graph, 0, SCOUT_FOUND), "the call takes two cycles");
    assert!(hides(&graph, 1, HUNTER_FOUND));
}

#[test]
fn an_agent_sees_how_far_its_plans_are_and_not_what_a_percept_counts() {
    let (_, graph) = team();
    let views: std::collections::BTreeSet<Vec<u32>> =
        graph.states.iter().map(|state| view(&graph, 0, state)).collect();
    // Nothing yet; called; called and the plan begun; found, first with the plan still noted. Two cycles pass unseen
    // between the scout's note and the call.
    let states: std::collections::BTreeSet<&[u32]> = graph.states.iter().map(|state| &state[..]).collect();
    assert!(views.len() < states.len(), "{} views of {} states", views.len(), states.len());
    assert!(views.iter().all(|seen| seen.len() == 3), "two beliefs and a plan");
}
