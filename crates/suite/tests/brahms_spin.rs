//! Spin, asked through the Promela export, against the native engine on Brahms models: the same verdicts, and every run
//! that Spin finds is a run of the native model that proves what it is there for. Needs `spin` and `gcc`.

use std::collections::BTreeMap;

use motet_brahms::Brahms;
use motet_engine::{Limits, Report, Settings, check_all};
use motet_evidence::{Fairness, Verdict, replay};
use motet_external::{Agreement, Effort, Search, Spin, Verifier, compare, lead};
use motet_model::{AtomId, Language, Options, PromelaClaim, System};
use motet_property::{Claim, lower_all, parse, spin_ltl};
use motet_source::{Problems, Sources};
use motet_suite::generate_brahms;

/// Random models in a usual test run; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 10;
/// Claims about each random model.
const CLAIMS: usize = 5;
/// Larger graphs are passed over: the point is variety.
const LIMIT_STATES: u64 = 3_000;

/// A model with claims, ready for both engines.
struct Case {
    system: System,
    claims: Vec<Claim<AtomId>>,
}

fn read(model: &str, claims: &str, options: &Options) -> Case {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), model.to_owned());
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, options, &mut problems);
    let draft =
        draft.unwrap_or_else(|| panic!("the model is well-formed:\n{}\n{model}", problems.lines(&sources)));
    let file = sources.add("claims.props", claims.to_owned());
    let (tree, found) = parse(file, claims, None);
    problems.extend(found);
    let lowered = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems);
    let system = draft.system(&lowered.atoms, &mut problems);
    assert!(!problems.has_errors(), "the claims are well-formed:\n{}\n{model}", problems.lines(&sources));
    Case { system: system.expect("a system without errors is built"), claims: lowered.claims }
}

impl Case {
    fn native(&self, states: Option<u64>) -> Report {
        let limits = Limits { states, ..Limits::default() };
        let settings = Settings { fairness: Fairness::None, limits, ..Settings::default() };
        check_all(self.system.model.as_ref(), &self.claims, &settings, &mut |_| {})
    }

    fn search(&self) -> Search {
        Search {
            fairness: Fairness::None,
            hash: 18,
            depth: 1_000_000,
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
        let claims = self.claims.iter().map(claim).collect::<Result<Vec<_>, String>>()?;
        self.system.export.promela(&claims).map_err(|problem| format!("{} {}", problem.code, problem.message))
    }

    fn compile(&self) -> Result<Verifier, String> {
        let spin = Spin::find().expect("these tests need spin and gcc: apt-get install spin gcc");
        let promela = self.promela()?;
        spin.compile(&promela, &self.search(), &std::env::temp_dir()).map_err(|error| error.to_string())
    }

    /// One claim: the same verdict, and Spin's run replays.
    fn same_verdict(&self, verifier: &Verifier, number: usize, native: &Verdict) -> Result<Verdict, String> {
        let claim = &self.claims[number];
        let search = self.search();
        let report = verifier.check(&claim.name, &search).map_err(|error| error.to_string())?;
        let about = format!("{}: {}", claim.name, claim.text);
        if compare(native, &report.verdict) != Agreement::Agree {
            return Err(format!("{about}: native {native:?}, spin {:?}", report.verdict));
        }
        if report.verdict == Verdict::Fails {
            let trail = verifier.trail(&search).map_err(|error| error.to_string())?;
            let evidence =
                lead(&self.system, &trail, Fairness::None).map_err(|astray| format!("{about}: {astray}"))?;
            let model = self.system.model.as_ref();
            replay(model, claim, &evidence).map_err(|objection| format!("{about}: {objection}"))?;
        }
        Ok(report.verdict)
    }
}

/// Compares one random model; `None` if its graph is too large or too small, or exceeds a bound.
fn compare_model(seed: u64) -> Option<Result<(usize, usize), String>> {
    let case =
        read(&generate_brahms::model(seed), &generate_brahms::claims(seed, CLAIMS), &Options::default());
    let native = case.native(Some(LIMIT_STATES));
    if !native.coverage.complete || native.coverage.states < 6 {
        return None;
    }
    let all = || {
        let verifier = case.compile()?;
        let (mut holds, mut fails) = (0, 0);
        for (number, outcome) in native.outcomes.iter().enumerate() {
            match case.same_verdict(&verifier, number, &outcome.verdict)? {
                Verdict::Holds => holds += 1,
                _ => fails += 1,
            }
        }
        Ok((holds, fails))
    };
    Some(all())
}

#[expect(clippy::disallowed_methods, reason = "the environment widens the test")]
fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
fn spin_and_the_native_engine_agree_on_random_brahms_models() {
    let rounds = setting("MOTET_ROUNDS").unwrap_or(ROUNDS);
    // `MOTET_SEED` continues a wide run elsewhere.
    let from = setting("MOTET_SEED").unwrap_or(0);
    let half = |first: u64| {
        let (mut compared, mut holds, mut fails, mut wrong) = (0, 0, 0, Vec::new());
        for seed in (0..).map(|at| from + first + 2 * at) {
            if compared == rounds.div_ceil(2) {
                break;
            }
            match compare_model(seed) {
                None => continue,
                Some(Ok((held, failed))) => {
                    holds += held;
                    fails += failed;
                }
                Some(Err(message)) => wrong.push(format!("seed {seed}: {message}")),
            }
            compared += 1;
        }
        (holds, fails, wrong)
    };
    let (even, odd) = std::thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        (half(0), odd.join().expect("the other half does not panic"))
    });
    let wrong: Vec<String> = even.2.into_iter().chain(odd.2).collect();
    let (holds, fails) = (even.0 + odd.0, even.1 + odd.1);
    assert!(wrong.is_empty(), "{}\n{holds} hold, {fails} fail", wrong.join("\n"));
    assert!(holds > 0 && fails > 0, "{holds} verdicts hold and {fails} fail: both kinds must occur");
}
