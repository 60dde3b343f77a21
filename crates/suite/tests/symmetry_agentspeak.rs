//! AgentSpeak teams whose members can change places: steps have images, verdicts are kept, every situation has one that stands
//! for it, and what tells members apart is said.

use std::collections::{BTreeMap, BTreeSet};

use motet_agentspeak::AgentSpeak;
use motet_engine::Quotient;
use motet_evidence::Fairness;
use motet_model::{Language, Model, Options, Ratio, SlotId, State, Steps, Symmetry, System};
use motet_naive::Graph;
use motet_property::{lower_all, parse};
use motet_render::Report;
use motet_source::{Problems, Sources};
use motet_suite::agreement::{Compared, compare_random};
use motet_suite::folded::{all_ways, interchangeable};
use motet_suite::generate::{Files, dice};
use motet_suite::generate_likes::{likes, likes_claims};
use motet_suite::sliced::verdicts;
use motet_workbench::{Loaded, Project, load};

const ROUNDS: u64 = 100;
const STATES: u64 = 3_000;
/// Teams whose laws are looked at, and states of each.
const TEAMS: u64 = 150;
const LOOKED_AT: usize = 300;
/// Teams with more states than this are not gone through by hand.
const MANY: usize = 3_000;

fn read(files: &[(String, String)]) -> Loaded {
    let mut sources = Sources::new();
    files.iter().for_each(|(name, text)| {
        sources.add(name.clone(), text.clone());
    });
    let loaded = load(Project { path: "team".to_owned(), sources, ..Project::default() });
    assert!(loaded.ready.is_some(), "{}\n{}", loaded.problems.lines(&loaded.sources), shown(files));
    loaded
}

fn shown(files: &[(String, String)]) -> String {
    files.iter().map(|(name, text)| format!("--- {name}\n{text}\n")).collect()
}

fn system(files: &[(String, String)], claims: &str) -> System {
    let mut sources = Sources::new();
    files.iter().for_each(|(name, text)| {
        sources.add(name.clone(), text.clone());
    });
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(&sources, &Options::default(), &mut problems);
    let draft = draft.unwrap_or_else(|| panic!("{}\n{}", problems.lines(&sources), shown(files)));
    let (tree, found) = parse(sources.add("claims.props", claims.to_owned()), claims, None);
    problems.extend(found);
    let atoms = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems).atoms;
    let system = draft.system(&atoms, &mut problems);
    assert!(!problems.has_errors(), "{}\n{}\n{claims}", problems.lines(&sources), shown(files));
    system.expect("there were no problems")
}

/// Verdicts, with numbers as exact as they are certified.
fn rounded(report: &Report) -> Vec<String> {
    let verdict = |claim: &motet_render::ClaimReport| match claim.outcome.verdict {
        motet_evidence::Verdict::Value { low, high } => format!("{:.4}", f64::midpoint(low, high)),
        ref other => format!("{other:?}"),
    };
    report.claims.iter().map(verdict).collect()
}

/// Every run that is shown was replayed in the whole model: what could not be followed is internal trouble.
fn one(seed: u64) -> Compared {
    let mut dice = dice(seed ^ 0x11e5);
    let mut files = likes(&mut dice);
    files.push(("claims.props".to_owned(), likes_claims(&mut dice)));
    let fairness = *dice.one(&[None, Some(Fairness::None), Some(Fairness::None)]);
    let [whole, folded, sliced] = all_ways(&read(&files), fairness, STATES);
    if whole.stop.is_some() {
        return None;
    }
    for report in [&folded, &sliced] {
        let told = report.symmetry.as_ref().map(motet_render::SymmetryReport::lines);
        let same = rounded(&whole).iter().zip(rounded(report)).all(|(one, two)| {
            // A slice may leave out whoever exceeds a bound, and a bound is told of whoever stands there.
            *one == two || one.contains("Unknown")
        });
        if !same || !report.internal.is_empty() {
            let both = (verdicts(&whole), verdicts(report));
            return Some(Err(format!("{both:#?}\n{:?}\n{told:?}\n{}", report.internal, shown(&files))));
        }
    }
    if interchangeable(&folded) == 0 {
        return None;
    }
    let holds = verdicts(&whole).iter().filter(|(_, verdict)| verdict == "Holds").count();
    Some(Ok((holds, whole.claims.len() - holds)))
}

#[test]
fn verdicts_are_the_same_with_interchangeable_members() {
    compare_random(ROUNDS, one);
}

/// The steps as who takes them, delays and distributions, after a change of states and agents.
type Told = BTreeSet<(usize, u32, BTreeMap<Vec<u32>, (u64, u64)>)>;

fn told(
    model: &dyn Model,
    state: &State,
    change: &dyn Fn(&mut Vec<u32>),
    agent: &dyn Fn(usize) -> usize,
) -> Result<Told, ()> {
    let mut steps = Steps::new(state.len());
    model.steps(state, &mut steps).map_err(drop)?;
    let step = |step: motet_model::Step<'_>| {
        let mut targets: BTreeMap<Vec<u32>, Ratio> = BTreeMap::new();
        for branch in step.branches() {
            let mut target = branch.target.to_vec();
            change(&mut target);
            let known = targets.get(&target).copied().unwrap_or(Ratio::ZERO);
            targets.insert(target, known.checked_add(branch.chance).expect("small numbers"));
        }
        let fraction = |(target, chance): (Vec<u32>, Ratio)| (target, chance.words().expect("small numbers"));
        (agent(step.process.index()), step.delay, targets.into_iter().map(fraction).collect())
    };
    Ok(steps.iter().map(step).collect())
}

/// The first states that are found; the newest are looked at first, so that late ones are among them.
fn some_states(model: &dyn Model, most: usize) -> Vec<Box<State>> {
    let mut open = Vec::new();
    model.initial(&mut open);
    let mut seen: BTreeSet<Box<State>> = open.iter().cloned().collect();
    let mut found = Vec::new();
    while let Some(state) = open.pop() {
        let mut steps = Steps::new(state.len());
        if model.steps(&state, &mut steps).is_ok() {
            for step in steps.iter() {
                for branch in step.branches() {
                    if seen.len() < most && seen.insert(branch.target.into()) {
                        open.push(branch.target.into());
                    }
                }
            }
        }
        found.push(state);
    }
    found
}

/// All orders of so many.
fn orders(count: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |orders, _| {
        let longer = |order: &Vec<usize>| {
            let free = (0..count).filter(|member| !order.contains(member)).collect::<Vec<_>>();
            free.into_iter().map(|member| [order.as_slice(), &[member]].concat()).collect::<Vec<_>>()
        };
        orders.iter().flat_map(longer).collect()
    })
}

/// The words of a text in order, with other names for agents.
fn words(text: &str, rename: &dyn Fn(&str) -> String) -> Vec<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut all: Vec<String> =
        text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).map(rename).collect();
    all.sort_unstable();
    all
}

/// Holds one state of a team against its image under one change of places.
fn look(system: &System, kind: usize, from: &[usize], state: &State, context: &str) {
    let model = system.model.as_ref();
    let symmetry = model.facets().symmetry.expect("teams know their members");
    let names = &symmetry.kinds()[kind].members;
    let processes = &model.signature().processes;
    let new_name = |name: &str| {
        let at = from.iter().position(|&before| names[before] == name);
        at.map_or(name.to_owned(), |at| names[at].clone())
    };
    // Steps of the environment may be each other's images; who takes them is not looked at.
    let place = |name: &str| processes.iter().position(|known| known == name);
    let who = |process: usize| {
        place(&new_name(&processes[process]))
            .map_or(usize::MAX, |at| at.min(model.signature().observers.len()))
    };
    let same = |process: usize| process.min(model.signature().observers.len());
    let change = |state: &mut Vec<u32>| symmetry.permute(kind, from, state);
    let mut image = state.to_vec();
    change(&mut image);
    assert_eq!(told(model, &image, &|_| {}, &same), told(model, state, &change, &who), "{context}");
    for (slot, &number) in state.iter().enumerate() {
        let text = |slot: usize, number: u32| {
            system.words.value(SlotId(u32::try_from(slot).expect("few slots")), number)
        };
        let name = &model.signature().slots[slot];
        let to =
            model.signature().slots.iter().position(|known| *known == new_name(name)).expect("it is one");
        let plain = |word: &str| word.to_owned();
        assert_eq!(words(&text(slot, number), &new_name), words(&text(to, image[to]), &plain), "{context}");
    }
    for (member, &before) in from.iter().enumerate() {
        let mut portraits = [Vec::new(), Vec::new()];
        symmetry.portrait(kind, member, &image, &mut portraits[0]);
        symmetry.portrait(kind, before, state, &mut portraits[1]);
        assert_eq!(portraits[0], portraits[1], "who takes a place takes the portrait along\n{context}");
    }
    look_at_atoms(model, symmetry, kind, state, context);
}

/// An atom holds after two have changed places exactly where its image held before.
fn look_at_atoms(model: &dyn Model, symmetry: &dyn Symmetry, kind: usize, state: &State, context: &str) {
    let mut from: Vec<usize> = (0..symmetry.kinds()[kind].members.len()).collect();
    from.swap(0, 1);
    let mut image = state.to_vec();
    symmetry.permute(kind, &from, &mut image);
    for atom in (0..model.signature().atoms.len())
        .map(|at| motet_model::AtomId(u32::try_from(at).expect("few atoms")))
    {
        if let Some(other) = symmetry.image(kind, (0, 1), atom) {
            assert_eq!(model.holds(atom, state), model.holds(other, &image), "{atom:?}\n{context}");
        }
    }
}

#[test]
fn steps_of_a_state_whose_members_changed_places_are_the_images_of_its_steps() {
    let (mut compared, mut teams) = (0, 0);
    for seed in 0..TEAMS {
        let mut dice = dice(seed ^ 0x1a55);
        let files = likes(&mut dice);
        let system = system(&files, &likes_claims(&mut dice));
        let symmetry = system.model.facets().symmetry.expect("teams know their members");
        if symmetry.kinds().is_empty() {
            continue;
        }
        teams += 1;
        let states = some_states(system.model.as_ref(), LOOKED_AT);
        for (kind, text) in symmetry.kinds().iter().enumerate() {
            let orders = orders(text.members.len());
            for state in &states {
                let from = dice.one(&orders).clone();
                look(&system, kind, &from, state, &format!("seed {seed}, {from:?}\n{}", shown(&files)));
                compared += 1;
            }
        }
    }
    assert!(compared > 5_000 && teams > 30, "{compared} states of {teams} teams");
}

/// The least of all images stands for a state, whatever the portraits say.
fn least(symmetry: &dyn Symmetry, orders: &[Vec<usize>], state: &State) -> Vec<u32> {
    let image = |from: &Vec<usize>| {
        let mut image = state.to_vec();
        symmetry.permute(0, from, &mut image);
        image
    };
    orders.iter().map(image).min().expect("there is an order")
}

#[test]
fn the_quotient_has_one_situation_at_least_for_every_situation_up_to_who_is_who() {
    let (mut compared, mut perfect) = (0, 0);
    for seed in 0..TEAMS {
        let mut dice = dice(seed ^ 0x0b17);
        let system = system(&likes(&mut dice), "");
        let model = system.model.as_ref();
        let symmetry = model.facets().symmetry.expect("teams know their members");
        let [kind] = symmetry.kinds() else { continue };
        // Large ones take long here.
        if some_states(model, MANY).len() == MANY {
            continue;
        }
        let quotient = Quotient::of(model, &[], Fairness::None, &|_| true).expect("there are members");
        let (Ok(whole), Ok(folded)) = (Graph::of(model), Graph::of(&quotient)) else { continue };
        let orders = orders(kind.members.len());
        let up_to = |graph: &Graph| -> BTreeSet<Vec<u32>> {
            graph.states.iter().map(|state| least(symmetry, &orders, state)).collect()
        };
        let situations = up_to(&whole);
        assert_eq!(up_to(&folded), situations, "seed {seed}");
        assert!(folded.states.len() <= whole.states.len(), "seed {seed}");
        perfect += usize::from(folded.states.len() == situations.len());
        compared += 1;
    }
    assert!(compared >= 10 && perfect * 10 >= compared * 9, "{perfect} of {compared} are perfect");
}

/// A team of `m1` and `m2` of one text in an environment.
fn two(program: &str, environment: &str) -> Files {
    let team = format!("team two\nmode jason\nagent m: m.asl * 2\nenv e {{ {environment} }}\n");
    vec![("two.team".to_owned(), team), ("m.asl".to_owned(), program.to_owned())]
}

fn obstacle(files: &[(String, String)]) -> String {
    let system = system(files, "");
    let symmetry = system.model.facets().symmetry.expect("teams know their members");
    assert!(symmetry.kinds().is_empty(), "{}", shown(files));
    symmetry.obstacles().iter().map(|obstacle| obstacle.reason.clone()).collect::<Vec<_>>().join("; ")
}

fn is_free(files: &[(String, String)]) {
    let system = system(files, "");
    let symmetry = system.model.facets().symmetry.expect("teams know their members");
    assert_eq!(symmetry.kinds().len(), 1, "{:?}\n{}", symmetry.obstacles(), shown(files));
}

#[test]
fn an_environment_that_tells_members_apart_is_said() {
    let plan = "+start <- go(1).";
    let with = |environment: &str| {
        let rest = "var n : 0..2\n var x[agent] : opt 0..2\n var w : opt agent\n percept start\n";
        let action = if environment.contains("action go") { "" } else { "action go(k) by a { x[a] := k }\n" };
        two(plan, &format!("{rest}{action}{environment}"))
    };
    is_free(&with(""));
    let argmax = with("react when n == 2 { n := 0; w := argmax a in agent: x[a] }");
    assert_eq!(obstacle(&argmax), "a reaction of the environment takes the first of equals (argmax)");
    let listed = with("percept for a in agent: at(a) when x[a] == 1");
    assert_eq!(obstacle(&listed), "the percept at is seen in the order in which they are declared");
    let one = with("percept to m1: n(n)");
    assert_eq!(obstacle(&one), "what is perceived tells m1 and m2 apart");
    is_free(&with("percept to m1: n(n)\n percept to m2: n(n)"));
    let other = with("percept to m1: n(1)\n percept to m2: n(2)");
    assert_eq!(obstacle(&other), "the percept n tells m1 and m2 apart");
    let rule = with("action go(k) by m1 { n := k }\n action go(k) by m2 { n := 0 }");
    assert_eq!(obstacle(&rule), "the action go tells m1 and m2 apart");
    let step = with("step fate when n == 0 { w := m1 }");
    assert_eq!(obstacle(&step), "the step fate tells m1 and m2 apart");
    is_free(&with("step fate when n == 0 { w := m1 }\n step luck when n == 0 { w := m2 }"));
    is_free(&with("step fate when n == 0 { either { w := m1 } or { w := m2 } }"));
    let sort = with("sort chief = {m1}\n var c : chief");
    assert_eq!(obstacle(&sort), "the sort chief tells m1 and m2 apart");
    let value = with("var c : agent = m1");
    assert_eq!(obstacle(&value), "the first value of c tells m1 and m2 apart");
    // With none there is no sum, so it counts whether somebody is looked at before.
    let fault = with("react when some a in agent: x[a] + n > 3 { n := 0 }");
    assert_eq!(
        obstacle(&fault),
        "a reaction of the environment looks at them one after the other until one is at fault"
    );
    is_free(&with("react when some a in agent: x[a] > 3 { n := 0 }"));
}

#[test]
fn a_program_that_puts_names_in_an_order_is_said() {
    let world = "var n : 0..2\n percept start\n percept to a: me(a)\n percept n(n)\n action go { n := 1 }";
    let with = |program: &str| two(program, world);
    is_free(&with("+start : me(X) & n(N) & n(M) & N <= M <- +seen(X, N)."));
    let order = with("+start : me(X) & seen(Y, _) & X < Y <- go.\n+me(X) <- +seen(X, 1).");
    assert_eq!(obstacle(&order), "the plan +start : me(X) & seen(Y,_) & X < Y of m1 puts names in an order");
    // The name reaches the comparison through a goal.
    let through =
        with("+start : me(X) <- !put(X, 1).\n+!put(A, B) : n(N) & B < N <- go.\n-!put(A, B) <- !put(B, A).");
    assert!(obstacle(&through).contains("puts names in an order"), "{}", obstacle(&through));
    is_free(&with("+start : me(X) <- !put(X, 1).\n+!put(A, B) : n(N) & B < N <- go."));
    let sorted = with("+start <- .findall(X, me(X), L); .sort(L, S); +all(S).");
    assert!(obstacle(&sorted).ends_with("sorts names"), "{}", obstacle(&sorted));
    is_free(&with("+start <- .findall(X, n(X), L); .sort(L, S); +all(S)."));
    is_free(&with("+start <- .findall(X, me(X), L); .reverse(L, S); +all(S)."));
    let text = with("+start : me(X) <- .concat(\"I am \", X, T); +text(T).");
    assert!(obstacle(&text).ends_with("may make a text of a name (.concat)"), "{}", obstacle(&text));
    let sources = with("+start : n(_)[source(S)] <- +from(S).");
    assert!(obstacle(&sources).contains("takes sources in the order"), "{}", obstacle(&sources));
    is_free(&with("+hello[source(S)] : n(_)[source(S)] <- +from(S).\n+start <- .broadcast(tell, hello)."));
    let apart = with("+start : me(X) <- X =.. L; +parts(L).");
    assert!(obstacle(&apart).contains("takes terms apart"), "{}", obstacle(&apart));
}

#[test]
fn agents_that_differ_in_what_they_believe_or_name_each_other_are_not_alike() {
    let team = "team t\nmode strict\nagent a\nagent b\nagent c\nenv e { percept start\n action go { } }\n";
    let three = |a: &str, b: &str, c: &str| -> Files {
        let files = [("t.team", team), ("a.asl", a), ("b.asl", b), ("c.asl", c)];
        files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    let plan = "+start : true <- go.";
    let other = "+start : true <- .print(1).";
    assert_eq!(
        obstacle(&three(&format!("rich. {plan}"), &format!("poor. {plan}"), other)),
        "the initial beliefs of a and b differ"
    );
    assert_eq!(
        obstacle(&three(plan, plan, "knows(a). knows(b). +start : true <- .print(1).")),
        "the initial beliefs of c tell a and b apart"
    );
    assert_eq!(
        obstacle(&three(plan, plan, "+start : true <- .send(a, tell, hello).")),
        "the plan +start of c tells a and b apart"
    );
    // Each names the other: under changed names that is the same.
    is_free(&three(
        "peer(b). +start : peer(X) <- .send(X, tell, hi).",
        "peer(a). +start : peer(X) <- .send(X, tell, hi).",
        other,
    ));
}

/// The auction of `examples/auction` among bidders who all do as the first one does, except that each offers what it likes and that
/// of equal offers the first that arrives wins.
fn auction(bidders: usize, winner: &str) -> Files {
    let first = include_str!("../../../examples/auction/ag1.asl");
    let bidder = first.replace("place_bid(N, 6)", "jia.offer(B); place_bid(N, B)");
    let team = include_str!("../../../examples/auction/auction.team");
    let team = team.replace("agent ag1\nagent ag2\nagent ag3", &format!("agent ag: ag.asl * {bidders}"));
    let team = team.replace("mode strict", "mode strict\nstub jia.offer(-B) in 1..2");
    let team =
        team.replace("const LAST = 10", "const LAST = 1").replace("w := argmax a in agent: bid[a]", winner);
    let team = team.replace("{ bid[a] := b }", "{ bid[a] := b; if w == none or b > bid[w] { w := a } }");
    vec![("auction.team".to_owned(), team), ("ag.asl".to_owned(), bidder)]
}

#[test]
fn an_auction_that_prefers_who_is_declared_first_is_not_the_same_for_all_bidders() {
    assert_eq!(
        obstacle(&auction(3, "w := argmax a in agent: bid[a]")),
        "a reaction of the environment takes the first of equals (argmax)"
    );
}

#[test]
fn bidders_of_one_text_are_explored_up_to_who_is_who() {
    let claims = "property Paid: always (w = none or bid[w] != none)\n\
                  possible Won: (exists a in agent: w = a) and n = 1\n\
                  property Ends: F (exists a in agent: w = a)\n";
    let mut files = auction(2, "n := n");
    // What a whole run finds is the origin: its states, taken together by trying all orders.
    let system = system(&files, claims);
    let model = system.model.as_ref();
    let symmetry = model.facets().symmetry.expect("teams know their members");
    let states = Graph::of(model).expect("there are no faults").states;
    let situations: BTreeSet<Vec<u32>> =
        states.iter().map(|state| least(symmetry, &orders(2), state)).collect();
    files.push(("claims.props".to_owned(), claims.to_owned()));
    let [whole, folded, sliced] = all_ways(&read(&files), Some(Fairness::None), 100_000);
    assert_eq!(verdicts(&whole), verdicts(&folded));
    assert_eq!(verdicts(&whole), verdicts(&sliced));
    let count = |report: &Report| report.coverage.as_ref().expect("it was explored").states;
    assert_eq!(count(&whole), states.len() as u64);
    assert_eq!(count(&folded), situations.len() as u64);
    assert_eq!(folded.symmetry.expect("it was asked for").lines(), ["ag: 2 are interchangeable (ag1, ag2)"]);
    assert!(situations.len() * 19 < states.len() * 10, "nearly half of {} are enough", states.len());
}
