//! Spin, asked through the Promela export, against the native engine: the same states, the same verdicts, and every run
//! that Spin finds is a run of the native model that proves what it is there for. Needs `spin` and `gcc`.

use std::collections::BTreeMap;

use motet_agentspeak::AgentSpeak;
use motet_engine::{Limits, Report, Settings, check_all};
use motet_evidence::{Fairness, Stop, Verdict, replay};
use motet_external::{Agreement, Effort, Search, Spin, Verifier, compare, follow};
use motet_model::{AtomId, Language, Options, PromelaClaim, System};
use motet_property::{Claim, lower_all, parse, spin_ltl};
use motet_source::{Problems, Sources};
use motet_suite::generate;

/// Random teams in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: usize = 12;
/// Larger graphs are passed over: the point is variety.
const LIMIT_STATES: u64 = 4_000;
/// Spin's name for a claim that looks at every state.
const EVERYTHING: &str = "everything";

/// A team with claims, ready for both engines.
struct Case {
    system: System,
    claims: Vec<Claim<AtomId>>,
}

fn read(
    files: &[(String, String)],
    options: &Options,
    claims: impl Fn(&motet_model::Vocabulary) -> String,
) -> Case {
    let mut sources = Sources::new();
    for (name, text) in files {
        sources.add(name.clone(), text.clone());
    }
    let mut problems = Problems::new();
    let draft = AgentSpeak.read(&sources, options, &mut problems);
    let draft = draft.unwrap_or_else(|| panic!("the team is well-formed:\n{}", problems.lines(&sources)));
    let text = claims(draft.vocabulary());
    let file = sources.add("claims.props", text.clone());
    let (tree, found) = parse(file, &text, None);
    problems.extend(found);
    let lowered = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems);
    let system = draft.system(&lowered.atoms, &mut problems);
    assert!(!problems.has_errors(), "the claims are well-formed:\n{}", problems.lines(&sources));
    Case { system: system.expect("a system without errors is built"), claims: lowered.claims }
}

impl Case {
    fn native(&self, fairness: Fairness, states: Option<u64>) -> Report {
        let settings =
            Settings { fairness, limits: Limits { states, ..Limits::default() }, ..Settings::default() };
        check_all(self.system.model.as_ref(), &self.claims, &settings, &mut |_| {})
    }

    fn search(&self, fairness: Fairness) -> Search {
        Search {
            fairness,
            processes: self.system.model.signature().processes.len(),
            hash: 18,
            depth: 200_000,
            effort: Effort::FastCompilation,
            ..Search::default()
        }
    }

    fn promela(&self) -> Result<String, String> {
        let atom = |atom: AtomId| self.system.export.promela_atom(atom);
        let claim = |claim: &Claim<AtomId>| {
            let formula = spin_ltl(&claim.formula, &atom).map_err(|error| error.to_string())?;
            Ok(PromelaClaim { name: claim.name.clone(), text: claim.text.clone(), formula })
        };
        let mut claims = self.claims.iter().map(claim).collect::<Result<Vec<_>, String>>()?;
        claims.push(PromelaClaim {
            name: EVERYTHING.to_owned(),
            text: "visits every state".to_owned(),
            formula: "[] (up <= 1)".to_owned(),
        });
        self.system.export.promela(&claims, &Settings::default()).map_err(|problem| problem.message)
    }

    fn compile(&self) -> Result<Verifier, String> {
        let spin = Spin::find().expect("these tests need spin and gcc: apt-get install spin gcc");
        let promela = self.promela()?;
        let search = self.search(Fairness::None);
        spin.compile(&promela, &search, &std::env::temp_dir()).map_err(|error| error.to_string())
    }

    /// Spin stores one state more: the one before the initial beliefs are in place.
    fn same_states(&self, verifier: &Verifier, native: u64) -> Result<(), String> {
        let report =
            verifier.check(EVERYTHING, &self.search(Fairness::None)).map_err(|error| error.to_string())?;
        if report.verdict == Verdict::Holds && report.states == native + 1 {
            return Ok(());
        }
        Err(format!("spin: {:?}, {} states; native: {native} states", report.verdict, report.states))
    }

    /// One claim: the same verdict, and Spin's run replays.
    fn same_verdict(
        &self,
        verifier: &Verifier,
        number: usize,
        native: &Verdict,
        fairness: Fairness,
    ) -> Result<Verdict, String> {
        let claim = &self.claims[number];
        let search = self.search(fairness);
        let report = verifier.check(&claim.name, &search).map_err(|error| error.to_string())?;
        let about = format!("{} ({fairness:?}): {}", claim.name, claim.text);
        if compare(native, &report.verdict) != Agreement::Agree {
            return Err(format!("{about}: native {native:?}, spin {:?}", report.verdict));
        }
        if report.verdict == Verdict::Fails {
            let trail = verifier.trail(&search).map_err(|error| error.to_string())?;
            let model = self.system.model.as_ref();
            let evidence = follow(model, &trail, fairness).map_err(|astray| format!("{about}: {astray}"))?;
            replay(model, claim, &evidence).map_err(|objection| format!("{about}: {objection}"))?;
        }
        Ok(report.verdict)
    }
}

/// Compares one random team; `None` if its graph is too large or exceeds a bound.
fn compare_team(seed: u64) -> Option<Result<(usize, usize), String>> {
    let files = generate::flat(generate::team(seed));
    let case = read(&files, &Options::default(), |words| generate::claims(seed, words, 3));
    let weak = case.native(Fairness::Weak, Some(LIMIT_STATES));
    if !weak.coverage.complete || weak.coverage.states < 20 {
        return None;
    }
    let none = case.native(Fairness::None, Some(LIMIT_STATES));
    let all = || {
        let verifier = case.compile()?;
        case.same_states(&verifier, weak.coverage.states)?;
        let (mut holds, mut fails) = (0, 0);
        for (fairness, native) in [(Fairness::Weak, &weak), (Fairness::None, &none)] {
            for (number, outcome) in native.outcomes.iter().enumerate() {
                match case.same_verdict(&verifier, number, &outcome.verdict, fairness)? {
                    Verdict::Holds => holds += 1,
                    _ => fails += 1,
                }
            }
        }
        Ok((holds, fails))
    };
    Some(all())
}

#[expect(clippy::disallowed_methods, reason = "the environment widens the test")]
fn rounds() -> usize {
    std::env::var("MOTET_ROUNDS").ok().and_then(|text| text.parse::<usize>().ok()).unwrap_or(0).max(ROUNDS)
}

#[test]
fn spin_and_the_native_engine_agree_on_random_teams() {
    let rounds = rounds();
    let half = |first: u64| {
        let (mut compared, mut holds, mut fails, mut wrong) = (0, 0, 0, Vec::new());
        for seed in (0..).map(|at| first + 2 * at).take(4 * rounds + 100) {
            if compared == rounds.div_ceil(2) {
                break;
            }
            match compare_team(seed) {
                None => continue,
                Some(Ok((held, failed))) => {
                    holds += held;
                    fails += failed;
                }
                Some(Err(message)) => wrong.push(format!("seed {seed}: {message}")),
            }
            compared += 1;
        }
        (compared, holds, fails, wrong)
    };
    let (even, odd) = std::thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        (half(0), odd.join().expect("the other half does not panic"))
    });
    let wrong: Vec<String> = even.3.into_iter().chain(odd.3).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(even.0 + odd.0, rounds.div_ceil(2) * 2, "enough teams fit the limits");
    let (holds, fails) = (even.1 + odd.1, even.2 + odd.2);
    assert!(holds > 0 && fails > 0, "{holds} verdicts hold and {fails} fail: both kinds must occur");
}

/// Teams whose runs Spin's simulator broke off in the middle; its verifier repeats them to the end.
#[test]
fn long_runs_of_spin_are_followed_to_their_cycles() {
    for seed in [79, 100, 489] {
        let answer = compare_team(seed);
        assert!(matches!(answer, Some(Ok(_))), "seed {seed}: {answer:?}");
    }
}

fn auction(folder: &str, last: &str) -> Case {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder);
    let mut names: Vec<_> = std::fs::read_dir(&folder)
        .expect("the examples are there")
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "asl" || extension == "team"))
        .collect();
    names.sort();
    let text =
        |path: &std::path::PathBuf| String::from_utf8(std::fs::read(path).expect("readable")).expect("text");
    let files: Vec<_> = names.iter().map(|path| (path.display().to_string(), text(path))).collect();
    let mut options = Options::default();
    options.parameters.insert("LAST".to_owned(), last.to_owned());
    let claims = text(&folder.join("auction.props"));
    // `possible` claims are asked differently; the three properties are those of the paper.
    let claims = claims.split("possible").next().unwrap_or_default().to_owned();
    read(&files, &options, |_| claims.clone())
}

#[test]
fn spin_stores_the_native_graph_of_the_auction_and_one_state_more() {
    // The numbers are those of an independent prototype of the published semantics.
    for (last, states) in [("1", 5_401), ("2", 29_598)] {
        let case = auction("auction", last);
        assert_eq!(case.native(Fairness::None, None).coverage.states, states);
        let verifier = case.compile().unwrap();
        assert_eq!(case.same_states(&verifier, states), Ok(()));
        let explored = verifier.explore(&case.search(Fairness::None)).unwrap();
        assert_eq!((explored.verdict, explored.states), (Verdict::Holds, states + 1));
    }
}

#[test]
fn spin_finds_the_fault_of_the_auction_where_the_native_engine_does() {
    // Bordini et al. 2003, section 5: the first claim fails for the program as printed, from five auctions on.
    let case = auction("auction", "5");
    let native = case.native(Fairness::Weak, None);
    assert_eq!(native.outcomes[0].verdict, Verdict::Fails);
    let verifier = case.compile().unwrap();
    assert_eq!(
        case.same_verdict(&verifier, 0, &native.outcomes[0].verdict, Fairness::Weak),
        Ok(Verdict::Fails)
    );
}

#[test]
fn a_capacity_that_is_too_small_is_a_bound_and_no_verdict() {
    let files = vec![
        ("one.asl".to_owned(), "!go.\n+!go <- +p(1); +p(2); +p(3).".to_owned()),
        ("small.team".to_owned(), "mode jason\nagent one\nbound beliefs = 2\n".to_owned()),
    ];
    let case = read(&files, &Options::default(), |_| "property C: <> Bel(one, p(3))".to_owned());
    assert!(matches!(
        case.native(Fairness::Weak, None).outcomes[0].verdict,
        Verdict::Unknown(Stop::Bound(_))
    ));
    let report = case.compile().unwrap().check("C", &case.search(Fairness::Weak)).unwrap();
    assert_eq!(report.verdict, Verdict::Unknown(Stop::Bound("bound exceeded: beliefs".to_owned())));
}
