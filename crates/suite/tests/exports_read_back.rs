//! Whatever we write and can read is read back: the examples and random models, state by state and step by step in the words or truths
//! that both have, with the verdicts of their claims.

use motet_model::Options;
use motet_property::print_formula;
use motet_render::Report;
use motet_source::{FileId, Problems, Sources};
use motet_suite::agreement::setting;
use motet_suite::same_space::{Seen, bisimilar, contracted, same, written};
use motet_suite::sliced::verdicts;
use motet_suite::{folder, generate_nets, generate_prism, generate_senglish};
use motet_workbench::{
    ChanceForm, Limits, Loaded, Project, Ready, Settings, TraceOrigin, Verdict, check, claim_automata,
    constructed_nets, export_chance, format_claims, load, open_trace, plain_net, pnml_export, retrace,
    tina_text, write_trace,
};

/// Larger models are passed over: the point is variety.
const MOST: usize = 600;
/// Random models of each kind; `MOTET_ROUNDS` widens it.
const ROUNDS: u64 = 60;

fn rounds() -> u64 {
    setting("MOTET_ROUNDS").unwrap_or(0).max(ROUNDS)
}

fn sources_of(files: &[(&str, &str)]) -> Sources {
    let mut sources = Sources::new();
    for (path, text) in files {
        let _ = sources.add(*path, *text);
    }
    sources
}

fn loaded(files: &[(&str, &str)]) -> Loaded {
    let loaded = load(Project { sources: sources_of(files), ..Project::default() });
    assert!(loaded.ready.is_some(), "{}\n{:?}", loaded.problems.lines(&loaded.sources), files);
    loaded
}

fn ready(loaded: &Loaded) -> &Ready {
    loaded.ready.as_ref().expect("it was asked when it was loaded")
}

fn checked(loaded: &Loaded) -> Report {
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    check(loaded, &Settings { limits, threads: 1, ..Settings::default() }.into(), &mut |_| {})
}

/// What nets of black tokens have in every language: the tokens of all places, and what can fire.
fn marking_claims(net: &str) -> String {
    let named = |word: &str| -> Vec<String> {
        let rests = net.split(word).skip(1);
        rests
            .map(|rest| rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or("").to_owned())
            .collect()
    };
    let mut claims = String::new();
    for place in named("place ") {
        (0..4).for_each(|tokens| {
            claims.push_str(&format!("possible At_{place}_{tokens}: #{place} = {tokens}\n"))
        });
    }
    for transition in named("transition ") {
        claims.push_str(&format!("possible En_{transition}: enabled({transition})\n"));
    }
    claims
}

/// The texts that a net is written as, one from the other.
fn nets_of(text: &str) -> Vec<(&'static str, String)> {
    let made = |path: &str, text: &str, make: &dyn Fn(&Sources, &mut Problems) -> Option<String>| {
        make(&sources_of(&[(path, text)]), &mut Problems::new())
    };
    let pnml =
        |sources: &Sources, problems: &mut Problems| pnml_export(sources, &Options::default(), problems);
    let tina = |sources: &Sources, problems: &mut Problems| {
        plain_net(sources, &Options::default(), problems).map(|net| tina_text(&net))
    };
    let mut found = Vec::new();
    let first = made("net.npn", text, &pnml);
    if let Some(first) = &first {
        found.extend(made("net.pnml", first, &pnml).map(|text| ("again.pnml", text)));
        found.extend(
            made("net.pnml", first, &|sources, problems| constructed_nets(sources, problems))
                .map(|text| ("back.npn", text)),
        );
        found.extend(made("net.pnml", first, &tina).map(|text| ("net.net", text)));
    }
    if let Some(second) = made("net.npn", text, &tina) {
        found.extend(made("net.net", &second, &pnml).map(|text| ("through.pnml", text)));
        found.extend(
            made("net.net", &second, &|sources, problems| constructed_nets(sources, problems))
                .map(|text| ("through.npn", text)),
        );
        found.push(("own.net", second));
    }
    found.extend(first.map(|text| ("net.pnml", text)));
    found
}

#[test]
fn nets_of_black_tokens_are_the_same_in_pnml_in_tina_and_back() {
    let mut compared = 0;
    for seed in 0..rounds() {
        let text = generate_nets::plain(seed);
        let states = marking_claims(&text);
        let claims = generate_nets::plain_claims(seed, 4);
        let own = loaded(&[("net.npn", &text), ("net.props", &states)]);
        let Some(space) = written(ready(&own), Seen::TruthsAndSteps, MOST) else { continue };
        let answers = verdicts(&checked(&loaded(&[("net.npn", &text), ("net.props", &claims)])));
        for (path, other) in nets_of(&text) {
            let theirs = loaded(&[(path, &other), ("net.props", &states)]);
            let theirs = written(ready(&theirs), Seen::TruthsAndSteps, MOST).expect("it has as many states");
            same(&space, &theirs).unwrap_or_else(|why| panic!("seed {seed}, {path}: {why}\n{text}\n{other}"));
            let theirs = verdicts(&checked(&loaded(&[(path, &other), ("net.props", &claims)])));
            assert_eq!(answers, theirs, "seed {seed}, {path}\n{text}\n{other}\n{claims}");
            compared += 1;
        }
    }
    assert!(compared > rounds(), "almost nothing was compared: {compared}");
}

#[test]
fn nested_nets_are_the_same_when_their_construction_is_written_out() {
    let mut compared = 0;
    let mut one = |name: &str, text: &[(&str, &str)], claims: &str| {
        let own = sources_of(text);
        let made = constructed_nets(&own, &mut Problems::new()).unwrap_or_else(|| panic!("{name}"));
        let mut files = text.to_vec();
        files.push(("m.props", claims));
        let (own, again) = (loaded(&files), loaded(&[("made.npn", &made), ("m.props", claims)]));
        let Some(space) = written(ready(&own), Seen::Words, MOST) else { return };
        let theirs = written(ready(&again), Seen::Words, MOST).expect("it has as many states");
        same(&space, &theirs).unwrap_or_else(|why| panic!("{name}: {why}\n{made}"));
        assert_eq!(verdicts(&checked(&own)), verdicts(&checked(&again)), "{name}");
        compared += 1;
    };
    for seed in 0..rounds() {
        let text = generate_nets::model(seed);
        let claims = generate_nets::model_claims(seed, &text, 4);
        one(&format!("seed {seed}"), &[("m.npn", &text)], &claims);
    }
    let root = folder::root();
    for name in folder::names(&root.join("examples")) {
        let Ok(sources) = folder::sources(&root, &format!("examples/{name}")) else { continue };
        let text = |ending: &str| -> Vec<(&str, &str)> {
            let files = sources.iter().filter(|(_, file)| file.path.ends_with(ending));
            files.map(|(_, file)| (file.path.as_str(), file.text.as_str())).collect()
        };
        let (nets, claims) = (text(".npn"), text(".props"));
        if !nets.is_empty() {
            one(&name, &nets, claims[0].1);
        }
    }
    assert!(compared > rounds() / 2, "almost nothing was compared: {compared}");
}

/// The model and the claims of an exported text in PRISM's language, which stand in its comments.
fn prism_files(loaded: &Loaded) -> Option<(String, String)> {
    let written = export_chance(loaded, ready(loaded), ChanceForm::Prism, "test", &Limits::default()).ok()?;
    let text = written.files.into_iter().next()?.1;
    let claims = text.lines().filter_map(|line| line.strip_prefix("// \""));
    let claims = claims.map(|line| format!("\"{line}\n")).collect();
    Some((text, claims))
}

/// Whether verdicts of the same claims agree; numbers are intervals whose ends are rounded otherwise when equations come in another order.
fn agree(one: &Report, other: &Report) -> Result<usize, String> {
    let mut compared = 0;
    for claim in &other.claims {
        let own = one.claims.iter().find(|own| own.name == claim.name).ok_or("a claim is new")?;
        let (ours, theirs) = (&own.outcome.verdict, &claim.outcome.verdict);
        let agree = match (ours, theirs) {
            (Verdict::Value { low, high }, Verdict::Value { low: least, high: most }) => {
                low <= &(most + 1e-6) && least <= &(high + 1e-6)
            }
            (ours, theirs) => ours == theirs,
        };
        if !agree {
            return Err(format!("{}: {ours:?} and {theirs:?}", claim.name));
        }
        compared += 1;
    }
    Ok(compared)
}

#[test]
fn programs_in_prisms_language_are_the_same_when_they_are_written_in_it() {
    let (mut spaces, mut answers) = (0, 0);
    for seed in 0..rounds() {
        let case = generate_prism::case(seed, 4);
        let claims: String =
            case.queries.iter().enumerate().map(|(n, query)| format!("query q{n}: {query}\n")).collect();
        let own = loaded(&[("m.prism", &case.program), ("m.props", &claims)]);
        let (text, asked) = prism_files(&own).expect("it has a translation");
        let again = loaded(&[("again.prism", &text), ("m.props", &claims)]);
        let Some(space) = written(ready(&own), Seen::Words, MOST) else { continue };
        let theirs = written(ready(&again), Seen::Words, MOST).expect("it has as many states");
        same(&space, &theirs).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{}\n{text}", case.program));
        let report = checked(&own);
        assert_eq!(verdicts(&report), verdicts(&checked(&again)), "seed {seed}\n{text}");
        let asked = checked(&loaded(&[("again.prism", &text), ("asked.props", &asked)]));
        answers += agree(&report, &asked).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
        spaces += 1;
    }
    assert!(spaces > rounds() / 3 && answers > spaces as usize, "{spaces} {answers}");
}

#[test]
fn teams_in_senglish_are_the_same_in_prisms_language_cycle_by_cycle() {
    let (mut spaces, mut answers) = (0, 0);
    for seed in 0..2 * rounds() {
        let mut files = generate_senglish::project(seed);
        let sentences = generate_senglish::SENTENCES.iter().enumerate();
        let mut claims: String =
            sentences.map(|(n, words)| format!("possible B{n}: \"{words}\"\n")).collect();
        files.push(("m.props".to_owned(), claims.clone()));
        let borrowed: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let own = load(Project { sources: sources_of(&borrowed), ..Project::default() });
        // Where nothing makes a sentence true that a plan waits for, the team is refused.
        let Some(space) = own.ready.as_ref().and_then(|own| written(own, Seen::Truths, 4 * MOST)) else {
            continue;
        };
        let Some(Ok(text)) = ready(&own).system.export.prism() else { continue };
        let atoms = text.atoms.iter().enumerate();
        let mut theirs: String = atoms.map(|(n, atom)| format!("possible B{n}: ({atom})\n")).collect();
        let moments = text.moments.as_deref().expect("half a cycle does not count");
        theirs.push_str(&format!("possible Counts: ({moments})\n"));
        let other = loaded(&[("m.prism", &text.text), ("m.props", &theirs)]);
        let mut fine = written(ready(&other), Seen::Truths, 40 * MOST).expect("it has not many more states");
        let counts: Vec<bool> = fine.views.iter().map(|view| view.ends_with("true]")).collect();
        let bare = |view: &String| format!("{}]", view.rsplit_once(", ").expect("there are nine truths").0);
        fine.views = fine.views.iter().map(bare).collect();
        // The start counts as the start only: a run may pass through the same state in the middle of a cycle.
        let counts = |state: usize| counts[state];
        let coarse =
            contracted(&fine, &counts, text.steps).unwrap_or_else(|| panic!("seed {seed}\n{}", text.text));
        bisimilar(&space, &coarse)
            .unwrap_or_else(|why| panic!("seed {seed}: {why}\n{files:?}\n{}", text.text));
        spaces += 1;
        for (n, words) in generate_senglish::SENTENCES.iter().enumerate() {
            claims.push_str(&format!("query Most{n}: Pmax=? [ F<=3 cycles \"{words}\" ]\nquery Least{n}: Pmin=? [ F \"{words}\" ]\n"));
        }
        let place = files.len() - 1;
        files[place].1 = claims;
        let borrowed: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let asking = loaded(&borrowed);
        let (text, asked) = prism_files(&asking).expect("it has a translation");
        let asked = checked(&loaded(&[("again.prism", &text), ("asked.props", &asked)]));
        answers +=
            agree(&checked(&asking), &asked).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{text}"));
    }
    assert!(spaces > 5 && answers > 50, "{spaces} {answers}");
}

/// Every example with its claims, cut short.
fn examples(each: &mut dyn FnMut(&str, &Loaded)) {
    let root = folder::root();
    for name in folder::names(&root.join("examples")) {
        let Ok(sources) = folder::sources(&root, &format!("examples/{name}")) else { continue };
        let loaded = load(Project { path: name.clone(), sources, ..Project::default() });
        each(&name, &loaded);
    }
}

/// The same texts, with these in the place of all claims files.
fn with_claims(loaded: &Loaded, claims: &[(&str, &str)]) -> Loaded {
    let is_claims = |path: &str| [".props", ".psl", ".pctl"].iter().any(|ending| path.ends_with(ending));
    let mut files: Vec<(&str, &str)> = Vec::new();
    let models = loaded.sources.iter().filter(|(_, file)| !is_claims(&file.path));
    files.extend(models.map(|(_, file)| (file.path.as_str(), file.text.as_str())));
    files.extend(claims);
    self::loaded(&files)
}

#[test]
fn automata_of_claims_are_claims_with_the_same_verdicts() {
    let mut compared = 0;
    examples(&mut |name, loaded| {
        let assumes = ready(loaded).claims.iter().any(|claim| claim.kind == motet_workbench::Kind::Assume);
        let text: String = claim_automata(ready(loaded)).files.into_iter().map(|(_, text)| text).collect();
        if text.is_empty() || assumes {
            return;
        }
        let limits = Limits { states: Some(3_000), ..Limits::default() };
        let options = Settings { limits, threads: 1, ..Settings::default() }.into();
        let own = check(loaded, &options, &mut |_| {});
        let theirs = check(&with_claims(loaded, &[("claims.hoa", &text)]), &options, &mut |_| {});
        for claim in &theirs.claims {
            let ours = own
                .claims
                .iter()
                .find(|own| own.name == claim.name)
                .unwrap_or_else(|| panic!("{name}: {}", claim.name));
            let both = (&ours.outcome.verdict, &claim.outcome.verdict);
            if let (Verdict::Unknown(_), _) | (_, Verdict::Unknown(_)) = both {
                continue;
            }
            assert_eq!(both.0, both.1, "{name}: {}\n{text}", claim.name);
            compared += 1;
        }
    });
    assert!(compared > 20, "almost nothing was compared: {compared}");
}

#[test]
fn saved_runs_are_followed_again_as_they_were() {
    let mut compared = 0;
    examples(&mut |name, loaded| {
        let limits = Limits { states: Some(3_000), ..Limits::default() };
        let options = Settings { limits, threads: 1, ..Settings::default() }.into();
        for claim in check(loaded, &options, &mut |_| {}).claims {
            let Some(evidence) = &claim.outcome.evidence else { continue };
            let origin = TraceOrigin {
                model: name.to_owned(),
                language: None,
                options: Options::default(),
                claim: Some((claim.name.clone(), claim.text.clone())),
            };
            let text = write_trace(ready(loaded), &origin, evidence);
            let mut sources = loaded.sources.clone();
            let file: FileId = sources.add("run.itf.json", text.as_str());
            let saved = open_trace(file, &text, &mut Problems::new()).expect("it is a trace");
            let again =
                retrace(ready(loaded), &sources, &saved).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(
                (&again.evidence, again.claim.as_deref()),
                (evidence, Some(claim.name.as_str())),
                "{name}"
            );
            compared += 1;
        }
    });
    assert!(compared > 20, "almost nothing was compared: {compared}");
}

#[test]
fn claims_in_their_canonical_form_are_the_same_claims() {
    let mut compared = 0;
    let told = |loaded: &Loaded| -> Vec<String> {
        let ready = ready(loaded);
        let tell = |claim: &motet_property::Claim<_>| {
            format!(
                "{} {:?} {:?} {}",
                claim.name,
                claim.kind,
                claim.expect,
                print_formula(&claim.formula, &ready.atoms)
            )
        };
        ready.claims.iter().map(tell).collect()
    };
    examples(&mut |name, loaded| {
        let claims: Vec<_> =
            loaded.sources.iter().filter(|(_, file)| file.path.ends_with(".props")).collect();
        let mut written = Vec::new();
        for (id, file) in claims {
            let (text, _) = format_claims(id, file).unwrap_or_else(|_| panic!("{name}"));
            written.push((file.path.clone(), text));
        }
        let files: Vec<(&str, &str)> =
            written.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let again = with_claims(loaded, &files);
        assert_eq!(told(loaded), told(&again), "{name}");
        compared += told(loaded).len();
    });
    assert!(compared > 100, "almost nothing was compared: {compared}");
}
