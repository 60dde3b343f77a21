//! Spin, asked through the Promela export, against the native engine on nets: the same verdicts, every run that Spin finds is a
//! run of the native model that proves what it is there for, and on nets without agents the same number of states. Needs
//! `spin` and `gcc`.

use std::collections::BTreeMap;

use motet_engine::{Limits, Report, Settings, check_all};
use motet_evidence::{Fairness, Stop, Verdict, replay};
use motet_external::{Agreement, Effort, Search, Spin, Verifier, compare, lead, possible};
use motet_model::{AtomId, Draft, Language, Options, PromelaClaim, System};
use motet_nets::Nets;
use motet_nets::plain::{Arc, Origins, PlainNet, PlainPlace, PlainTransition, draft};
use motet_property::{Claim, Kind, lower_all, parse, spin_ltl_with};
use motet_source::{FileId, Problems, Sources, Span};
use motet_suite::agreement::{Compared, compare_random, setting};
use motet_suite::{folder, generate_nets};

/// Random nets in a usual test run, of each kind; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 6;
/// Claims about each random net.
const CLAIMS: usize = 5;
/// Larger graphs are passed over: the point is variety.
const LIMIT_STATES: u64 = 3_000;

/// A net with claims, ready for both engines.
struct Case {
    system: System,
    claims: Vec<Claim<AtomId>>,
}

fn read(model: &str, claims: &str) -> Result<Case, String> {
    let mut sources = Sources::new();
    sources.add("model.npn".to_owned(), model.to_owned());
    let mut problems = Problems::new();
    let draft = Nets.read(&sources, &Options::default(), &mut problems);
    let draft = draft.ok_or_else(|| format!("{}\n{model}", problems.lines(&sources)))?;
    ask(draft.as_ref(), claims, sources, problems)
}

/// The model that was read, with claims.
fn ask(
    draft: &dyn Draft,
    claims: &str,
    mut sources: Sources,
    mut problems: Problems,
) -> Result<Case, String> {
    let file = sources.add("claims.props", claims.to_owned());
    let (tree, found) = parse(file, claims, None);
    problems.extend(found);
    let lowered = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems);
    let system = draft.system(&lowered.atoms, &mut problems);
    if problems.has_errors() {
        return Err(format!("{}\n{claims}", problems.lines(&sources)));
    }
    Ok(Case { system: system.expect("a system without errors is built"), claims: lowered.claims })
}

/// The name of a claim in Promela.
fn asked(number: usize) -> String {
    format!("claim_{number}")
}

impl Case {
    fn native(&self, states: Option<u64>) -> Report {
        let limits = Limits { states, ..Limits::default() };
        let settings = Settings { fairness: Fairness::None, limits, ..Settings::default() };
        check_all(self.system.model.as_ref(), &self.claims, &settings, &mut |_| {})
    }

    fn search() -> Search {
        Search {
            fairness: Fairness::None,
            hash: 18,
            depth: 1_000_000,
            effort: Effort::FastCompilation,
            ..Search::default()
        }
    }

    fn promela(&self) -> Result<String, String> {
        let export = &self.system.export;
        let deadlock = export.promela_deadlock();
        let claim = |(number, claim): (usize, &Claim<AtomId>)| {
            let formula =
                spin_ltl_with(&claim.formula, &|atom| export.promela_atom(atom), deadlock.as_deref());
            let formula = formula.map_err(|error| error.to_string())?;
            // Spin is asked whether a possibility never comes about.
            let formula = if claim.kind == Kind::Possible { format!("!(<> ({formula}))") } else { formula };
            Ok(PromelaClaim { name: asked(number), text: claim.text.clone(), formula })
        };
        let claims = self.claims.iter().enumerate().map(claim).collect::<Result<Vec<_>, String>>()?;
        export
            .promela(&claims, &Settings::default())
            .map_err(|problem| format!("{} {}", problem.code, problem.message))
    }

    fn compile(&self) -> Result<Verifier, String> {
        let spin = Spin::find().expect("these tests need spin and gcc: apt-get install spin gcc");
        let promela = self.promela()?;
        spin.compile(&promela, &Self::search(), &std::env::temp_dir()).map_err(|error| error.to_string())
    }

    /// One claim: the same verdict, and Spin's run replays.
    fn same_verdict(&self, verifier: &Verifier, number: usize, native: &Verdict) -> Result<Verdict, String> {
        let claim = &self.claims[number];
        let search = Self::search();
        let report = verifier.check(&asked(number), &search).map_err(|error| error.to_string())?;
        let about = format!("{}: {}", claim.name, claim.text);
        let is_possible = claim.kind == Kind::Possible;
        let verdict = if is_possible { possible(report.verdict.clone()) } else { report.verdict.clone() };
        if compare(native, &verdict) != Agreement::Agree {
            return Err(format!("{about}: native {native:?}, spin {verdict:?}"));
        }
        if report.verdict == Verdict::Fails {
            let trail = verifier.trail(&search).map_err(|error| error.to_string())?;
            let evidence =
                lead(&self.system, &trail, Fairness::None).map_err(|astray| format!("{about}: {astray}"))?;
            let model = self.system.model.as_ref();
            replay(model, claim, &evidence).map_err(|objection| format!("{about}: {objection}"))?;
        }
        Ok(verdict)
    }

    /// Spin stores one state more: the one before the initial marking.
    fn same_states(&self, verifier: &Verifier, native: u64) -> Result<(), String> {
        let report = verifier.explore(&Self::search()).map_err(|error| error.to_string())?;
        if (report.verdict.clone(), report.states) == (Verdict::Holds, native + 1) {
            return Ok(());
        }
        Err(format!("spin: {:?}, {} states; native: {native} states", report.verdict, report.states))
    }
}

/// Whether the numbers of states are compared too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum States {
    Same,
    /// Spin numbers its agents, so equal agents are told apart there.
    Whatever,
}

/// Compares one net; `None` if its graph is too large or too small.
fn compare_net(model: &str, claims: &str, states: States) -> Compared {
    let case = match read(model, claims) {
        Ok(case) => case,
        Err(message) => return Some(Err(message)),
    };
    let native = case.native(Some(LIMIT_STATES));
    if !native.coverage.complete || native.coverage.states < 3 {
        return None;
    }
    let all = || -> Result<(usize, usize), String> {
        let verifier = case.compile()?;
        if states == States::Same {
            case.same_states(&verifier, native.coverage.states)?;
        }
        let (mut holds, mut fails) = (0, 0);
        for (number, outcome) in native.outcomes.iter().enumerate() {
            match case.same_verdict(&verifier, number, &outcome.verdict)? {
                Verdict::Holds => holds += 1,
                _ => fails += 1,
            }
        }
        Ok((holds, fails))
    };
    Some(all().map_err(|why| format!("{why}\n{model}\n{claims}")))
}

#[test]
fn spin_and_the_native_engine_agree_on_random_plain_nets_and_count_the_same_states() {
    compare_random(ROUNDS, |seed| {
        let claims = generate_nets::plain_claims(seed, CLAIMS);
        compare_net(&generate_nets::plain(seed), &claims, States::Same)
    });
}

#[test]
fn spin_and_the_native_engine_agree_on_random_nets_with_data_and_agents() {
    compare_random(ROUNDS, |seed| {
        let model = generate_nets::model(seed);
        let claims = generate_nets::model_claims(seed, &model, CLAIMS);
        // Without agents equal markings are equal rows.
        let states = if model.contains("agent net") { States::Whatever } else { States::Same };
        compare_net(&model, &claims, states)
    });
}

#[test]
fn a_number_outside_its_range_is_a_bound_and_no_verdict() {
    let model = "system net N() { cell n : int 0..2 = 0; place go : token = 3; transition rise { in go; n' = n + 1; } }";
    let case = read(model, "property C: G (n <= 2)").unwrap();
    let report = case.compile().unwrap().check(&asked(0), &Case::search()).unwrap();
    assert_eq!(report.verdict, Verdict::Unknown(Stop::Bound("bound exceeded: ranges".to_owned())));
}

#[test]
fn nets_in_nets_in_nets_are_refused_with_their_place() {
    let model = "agent net Inner() { place x : token = 1; }
        agent net Outer() { place inner : agent = { new Inner() }; }
        system net World() { place outer : agent = { new Outer() }; }";
    let case = read(model, "property C: G (#outer = 1)").unwrap();
    let problem = case.system.export.promela(&[], &Settings::default()).unwrap_err();
    assert_eq!(
        (problem.code, problem.message.as_str()),
        ("M0981", "Outer holds agents, and it is an agent net itself")
    );
}

/// Both engines give the verdicts that stand before the claims.
fn expect(case: &Case, verdicts: &[Verdict]) -> Verifier {
    let native = case.native(None);
    let verifier = case.compile().unwrap_or_else(|why| panic!("{why}"));
    for (number, verdict) in verdicts.iter().enumerate() {
        assert_eq!(native.outcomes[number].verdict, *verdict, "native: {}", case.claims[number].text);
        assert_eq!(case.same_verdict(&verifier, number, verdict).as_ref(), Ok(verdict));
    }
    verifier
}

#[test]
fn a_place_transition_net_has_the_same_states_in_spin() {
    // Three philosophers who take the left fork first: all may wait for ever, and two never eat at a time.
    let place = |name: String, initial| PlainPlace { name, initial, capacity: None };
    let mut net = PlainNet::new("dinner");
    for number in 0..3 {
        net.places.push(place(format!("fork {number}"), 1));
        net.places.push(place(format!("think {number}"), 1));
        net.places.push(place(format!("wait {number}"), 0));
        net.places.push(place(format!("eat {number}"), 0));
    }
    let one = |place: usize| Arc { place, weight: 1 };
    for number in 0..3 {
        let (left, think, wait, eat) = (4 * number, 4 * number + 1, 4 * number + 2, 4 * number + 3);
        let right = 4 * ((number + 1) % 3);
        let mut add = |name: String, inputs: Vec<Arc>, outputs: Vec<Arc>| {
            net.transitions.push(PlainTransition { name, inputs, outputs, ..PlainTransition::default() });
        };
        add(format!("left {number}"), vec![one(left), one(think)], vec![one(wait)]);
        add(format!("right {number}"), vec![one(right), one(wait)], vec![one(eat)]);
        add(format!("rest {number}"), vec![one(eat)], vec![one(left), one(right), one(think)]);
    }
    let origins = Origins {
        language: "place/transition net".to_owned(),
        net: Span::new(FileId(0), 0, 0),
        transitions: Vec::new(),
        facts: Vec::new(),
    };
    let claims = "property Free: G not deadlock
        property One: G (#\"eat 0\" + #\"eat 1\" + #\"eat 2\" <= 1)
        property Fair: G F fires(\"right 0\")";
    let net = draft(net, origins);
    let case =
        ask(net.as_ref(), claims, Sources::new(), Problems::new()).unwrap_or_else(|why| panic!("{why}"));
    let verifier = expect(&case, &[Verdict::Fails, Verdict::Holds, Verdict::Fails]);
    // The counters have their values before the first step, so there is no state more.
    let report = verifier.explore(&Case::search()).unwrap();
    assert_eq!(report.states, case.native(None).coverage.states);
}

#[test]
fn runs_are_followed_where_members_are_interchangeable() {
    let model = "interchangeable enum E = {a, b, c};
        system net N() { place p : E = { a, b, c }; place q : E; transition t { in p(x); out q(x); } transition u { in q(x); out p(x); } }";
    let case =
        read(model, "property C: F (#q = 3)\nproperty D: G (#p + #q = 3)\nproperty G: G (#q < 2)").unwrap();
    expect(&case, &[Verdict::Fails, Verdict::Holds, Verdict::Fails]);
}

#[test]
fn spin_is_not_asked_with_a_fairness_that_is_not_the_nets() {
    let case =
        read("system net N() { place p : token = 1; transition t { in p; } }", "property C: F deadlock")
            .unwrap();
    let reason = case.system.export.promela_unfair().unwrap();
    assert!(reason.contains("--fair none"), "{reason}");
}

/// Spin agrees on every claim of an example.
fn agrees(name: &str) {
    let sources =
        folder::sources(&folder::root(), &format!("examples/{name}")).expect("the example is there");
    let text = |ending: &str| {
        let found = sources.iter().find(|(_, file)| file.path.ends_with(ending));
        found.map(|(_, file)| file.text.clone()).expect("an example has a model and claims")
    };
    let case = read(&text(".npn"), &text(".props")).unwrap_or_else(|why| panic!("{why}"));
    let native = case.native(None);
    let verifier = case.compile().unwrap_or_else(|why| panic!("{name}: {why}"));
    assert!(native.outcomes.len() > 2, "{name} has claims");
    for (number, outcome) in native.outcomes.iter().enumerate() {
        let spin = case.same_verdict(&verifier, number, &outcome.verdict);
        assert_eq!(spin.as_ref(), Ok(&outcome.verdict), "{name}");
    }
}

#[test]
fn spin_agrees_on_the_small_examples() {
    ["travel", "workflow", "e-market"].into_iter().for_each(agrees);
}

#[test]
fn spin_agrees_on_the_sensor_network() {
    agrees("wsn");
}

#[test]
fn spin_agrees_on_the_filling_station() {
    agrees("gas-station");
}

#[test]
fn spin_agrees_on_the_network_read_to_the_letter() {
    agrees("bcin-literal");
}

/// Those that take the compiler longer; their nets are those of the others, written differently.
#[test]
fn spin_agrees_on_the_large_examples() {
    if setting("MOTET_ROUNDS").is_some() {
        ["bcin", "bcin-roles", "gas-station-aspects"].into_iter().for_each(agrees);
    }
}
