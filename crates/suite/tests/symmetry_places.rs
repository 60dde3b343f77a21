//! Brahms models whose members change places together with what belongs to them: patients with their beds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use motet_brahms::Brahms;
use motet_engine::Quotient;
use motet_evidence::Fairness;
use motet_model::{Language, Model, Options, State, Steps, System};
use motet_property::{Claim, lower_all, parse};
use motet_render::{Report, SymmetryReport};
use motet_source::fuzz::Random;
use motet_source::{Problems, Sources};
use motet_suite::agreement::{Compared, compare_random};
use motet_suite::folded::{all_ways, interchangeable};
use motet_suite::generate::dice;
use motet_suite::sliced::verdicts;
use motet_workbench::{Loaded, Project, load};

const ROUNDS: u64 = 120;
const STATES: u64 = 6_000;

fn read(model: &str, claims: &str) -> Loaded {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), model.to_owned());
    sources.add("claims.props".to_owned(), claims.to_owned());
    let loaded = load(Project { path: "model.b".to_owned(), sources, ..Project::default() });
    assert!(loaded.ready.is_some(), "{}\n{model}\n{claims}", loaded.problems.lines(&loaded.sources));
    loaded
}

fn system(model: &str, claims: &str) -> (System, Vec<Claim<motet_model::AtomId>>) {
    let mut sources = Sources::new();
    sources.add("model.b".to_owned(), model.to_owned());
    let mut problems = Problems::new();
    let draft = Brahms.read(&sources, &Options::default(), &mut problems).expect("the model is well-formed");
    let (tree, found) = parse(sources.add("claims.props", claims.to_owned()), claims, None);
    problems.extend(found);
    let lowered = lower_all(&[&tree], draft.vocabulary(), &BTreeMap::new(), &mut problems);
    let system = draft.system(&lowered.atoms, &mut problems);
    assert!(!problems.has_errors(), "{}\n{model}", problems.lines(&sources));
    (system.expect("there were no problems"), lowered.claims)
}

/// Guests in rooms of their own around a hall, and a host who calls on them. All rooms are as far away if `even`.
fn house(dice: &mut Random, guests: usize, even: bool) -> String {
    let mut text = String::from(
        "areadef Room extends BaseAreaDef { }\nareadef Floor extends BaseAreaDef { }\narea House instanceof Building { }\n\
         area hall instanceof Floor partof House { }\n",
    );
    for guest in 1..=guests {
        let distance = if even { 1 } else { guest };
        let _ = writeln!(
            text,
            "area room{guest} instanceof Room partof House {{ }}\npath way{guest} {{ area1: hall; area2: room{guest}; distance: {distance}; }}"
        );
    }
    let strolls = dice.chance(40);
    let guard = dice.pick(&["knownval(current.tired < 2)", "knownval(current.tired < 1)"]);
    let act = if strolls { "stroll(); rest();" } else { dice.pick(&["rest();", "rest(); complain();"]) };
    let (bc, fc) = (dice.pick(&["50", "100"]), dice.pick(&["0", "100"]));
    let _ = writeln!(
        text,
        "group Guest {{\n  attributes:\n    public int tired;\n    public boolean met;\n    public boolean served;\n  initial_beliefs:\n    \
         (current.tired = 0);\n  initial_facts:\n    (current.served = false);\n  activities:\n    primitive_activity rest() {{ max_duration: 2; }}\n    \
         move stroll() {{ location: hall; }}\n    communicate complain() {{ max_duration: 1; with: Host; about: send(current.tired); }}\n  workframes:\n    \
         workframe wf_rest {{ repeat: true; when({guard}) do {{ {act} conclude((current.tired = current.tired + 1), bc:{bc}, fc:{fc}); }} }}\n}}"
    );
    let mut homes = String::new();
    for guest in 1..=guests {
        let _ = writeln!(text, "agent Guest{guest} memberof Guest {{ location: room{guest}; }}");
        let _ = writeln!(homes, "    (Guest{guest}.location = room{guest});");
    }
    let call = dice.pick(&[
        "goTo(room); conclude((who.met = true), fc:0);",
        "goTo(room); conclude((who.met = true)); conclude((who.served = true));",
        "conclude((who.met = true), fc:0); goTo(room); goHome();",
        "goTo(room); conclude((who.met = true), bc:100, fc:50);",
    ]);
    let quantifier = dice.pick(&["forone", "forone", "foreach"]);
    let ready = dice.pick(&["", " and knownval(who.tired > 0)"]);
    let _ = writeln!(
        text,
        "agent Host {{\n  location: hall;\n  initial_beliefs:\n{homes}  activities:\n    move goTo(Room room) {{ location: room; }}\n    \
         move goHome() {{ location: hall; }}\n  workframes:\n    workframe wf_call {{ repeat: true; variables: {quantifier}(Guest) who; forone(Room) room; \
         when(unknown(who.met) and knownval(who.location = room){ready}) do {{ {call} }} }}\n}}"
    );
    text
}

fn claims(dice: &mut Random, guests: usize) -> String {
    let mut text = String::new();
    for number in 0..4 {
        let guest = 1 + dice.below(guests);
        let atom = match dice.below(9) {
            0 => format!("Host believes Guest{guest}.met = true"),
            1 => format!("Guest{guest}.served = true"),
            2 => format!("Guest{guest} believes Guest{guest}.tired > 0"),
            3 => format!("Host.location = room{guest}"),
            4 => "Host.location = hall".to_owned(),
            5 => "forall g in Guest: Host believes g.met = true".to_owned(),
            6 => "exists g in Guest: g.served = true".to_owned(),
            7 => "exists g in Guest: g.location = hall".to_owned(),
            _ => "forall r in Room: not (Host.location = r)".to_owned(),
        };
        let claim = match dice.below(6) {
            0 => format!("possible C{number}: {atom}\n"),
            1 => format!("property C{number}: G not ({atom})\n"),
            2 => format!("property C{number}: F ({atom})\n"),
            3 => format!("property C{number}: G (({atom}) -> F (Host.location = hall))\n"),
            4 => format!("property C{number}: F<=3s ({atom})\n"),
            _ => format!("query C{number}: Pmax=? [ F ({atom}) ]\n"),
        };
        text.push_str(&claim);
    }
    text
}

/// Verdicts, with numbers as exact as they are certified.
fn rounded(report: &Report) -> Vec<String> {
    let verdict = |claim: &motet_render::ClaimReport| match claim.outcome.verdict {
        motet_evidence::Verdict::Value { low, high } => format!("{:.4}", f64::midpoint(low, high)),
        ref other => format!("{other:?}"),
    };
    report.claims.iter().map(verdict).collect()
}

#[test]
fn verdicts_are_the_same_with_guests_who_take_their_rooms_along() {
    compare_random(ROUNDS, one);
}

fn one(seed: u64) -> Compared {
    let mut dice = dice(seed ^ 0xbed);
    let guests = 2 + dice.below(2);
    let model = house(&mut dice, guests, true);
    let claims = claims(&mut dice, guests);
    let loaded = read(&model, &claims);
    let [whole, folded, sliced] = all_ways(&loaded, None, STATES);
    if whole.stop.is_some() {
        return None;
    }
    for report in [&folded, &sliced] {
        let told = report.symmetry.as_ref().map(SymmetryReport::lines);
        if rounded(&whole) != rounded(report) || !report.internal.is_empty() {
            let (whole, folded) = (verdicts(&whole), verdicts(report));
            return Some(Err(format!(
                "{whole:?}\n{folded:?}\n{:?}\n{told:?}\n{model}\n{claims}",
                report.internal
            )));
        }
    }
    if interchangeable(&folded) == 0 {
        return None;
    }
    let holds = verdicts(&whole).iter().filter(|(_, verdict)| verdict == "Holds").count();
    Some(Ok((holds, whole.claims.len() - holds)))
}

fn states_of(model: &dyn Model) -> BTreeSet<Box<State>> {
    let mut open: Vec<Box<State>> = Vec::new();
    model.initial(&mut open);
    let mut seen: BTreeSet<Box<State>> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        let mut steps = Steps::new(state.len());
        model.steps(&state, &mut steps).expect("the model has no faults");
        for step in steps.iter() {
            for branch in step.branches() {
                if seen.insert(branch.target.into()) {
                    open.push(branch.target.into());
                }
            }
        }
    }
    seen
}

fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(count - 1);
    let with = |order: &Vec<usize>, at: usize| {
        let mut longer = order.clone();
        longer.insert(at, count - 1);
        longer
    };
    shorter.iter().flat_map(|order| (0..count).map(move |at| with(order, at))).collect()
}

/// The slow twin: of all states of the whole model, those that no order of the members makes equal.
fn orbits(model: &dyn Model, states: &BTreeSet<Box<State>>) -> usize {
    let symmetry = model.facets().symmetry.expect("Brahms models know their members");
    let least = |state: &State| {
        let mut images = vec![state.to_vec()];
        for (kind, text) in symmetry.kinds().iter().enumerate() {
            let all = orders(text.members.len());
            let of = |state: Vec<u32>| {
                let image = |order: &Vec<usize>| {
                    let mut image = state.clone();
                    symmetry.permute(kind, order, &mut image);
                    image
                };
                all.iter().map(image).collect::<Vec<_>>()
            };
            images = images.into_iter().flat_map(of).collect();
        }
        images.into_iter().min().expect("the identity is an order")
    };
    states.iter().map(|state| least(state)).collect::<BTreeSet<_>>().len()
}

const SMALL_WARD: &str = "areadef Bed extends BaseAreaDef { }\nareadef Floor extends BaseAreaDef { }\narea Ward instanceof Building { }\n\
    area corridor instanceof Floor partof Ward { }\nPLACES\
    group Patient { attributes: public boolean visited; public boolean fed; initial_facts: (current.fed = false); }\nPATIENTS\
    group Staff { initial_beliefs:\nBEDS  activities: move goTo(Bed bed) { location: bed; } primitive_activity examine() { max_duration: 5; } }\n\
    agent Doctor memberof Staff { location: corridor; initial_beliefs: (current.dutiful = true); attributes: public boolean dutiful; \
    workframes: workframe wf_visit { repeat: true; variables: forone(Patient) pat; forone(Bed) bed; \
    when(unknown(pat.visited) and knownval(pat.location = bed)) do { goTo(bed); conclude((pat.visited = true), fc:0); examine(); } } }\n\
    agent Robot memberof Staff { location: corridor; workframes: workframe wf_feed { repeat: true; variables: forone(Patient) pat; forone(Bed) bed; \
    when(unknown(pat.fed) and knownval(pat.location = bed)) do { goTo(bed); conclude((pat.fed = true)); } } }\n";

fn small_ward(patients: usize) -> String {
    let all = |line: &dyn Fn(usize) -> String| (1..=patients).map(line).collect::<String>();
    let places = all(&|n| {
        format!(
            "area bed{n} instanceof Bed partof Ward {{ }}\npath way{n} {{ area1: corridor; area2: bed{n}; distance: 2; }}\n"
        )
    });
    let agents = all(&|n| format!("agent Patient{n} memberof Patient {{ location: bed{n}; }}\n"));
    let beds = all(&|n| format!("    (Patient{n}.location = bed{n});\n"));
    SMALL_WARD.replace("PLACES", &places).replace("PATIENTS", &agents).replace("BEDS", &beds)
}

#[test]
fn a_small_ward_has_as_many_states_as_its_unreduced_run_has_orbits() {
    let claims = "property Fed: eventually (forall p in Patient: p.fed = true)\nproperty Seen: eventually (forall p in Patient: Doctor believes p.visited = true)\n";
    for patients in 2..=4 {
        let (system, claims) = system(&small_ward(patients), claims);
        let model = system.model.as_ref();
        let quotient = Quotient::of(model, &claims, Fairness::None, &|_| true).expect("there are members");
        let groups: Vec<(usize, &[String])> =
            quotient.groups().iter().map(|group| (group.members.len(), group.with.as_slice())).collect();
        assert_eq!(groups, [(patients, &["Bed".to_owned()][..])]);
        let (whole, folded) = (states_of(model), states_of(&quotient));
        assert!(folded.len() < whole.len(), "{} of {}", folded.len(), whole.len());
        assert_eq!(folded.len(), orbits(model, &whole), "{patients} patients, {} states", whole.len());
    }
}

fn lines(model: &str, claims: &str) -> Vec<String> {
    let [whole, folded, _] = all_ways(&read(model, claims), None, STATES);
    assert_eq!(verdicts(&whole), verdicts(&folded));
    folded.symmetry.expect("it was asked for").lines()
}

#[test]
fn beds_that_are_not_alike_keep_their_patients_and_the_report_says_why() {
    let claim = "property Fed: eventually (Patient1.fed = true)\n";
    let ward = small_ward(3);
    assert_eq!(
        lines(&ward, claim),
        [
            "Patient: 2 are interchangeable, each with its Bed (Patient2, Patient3)",
            "Staff: Doctor and Robot do not have the same frames",
            "Patient: told apart by Fed: Patient1",
        ]
    );
    let far = ward.replace("area2: bed3; distance: 2;", "area2: bed3; distance: 3;");
    assert_ne!(far, ward);
    let told = lines(&far, claim).join("\n");
    assert!(told.contains("it is not as far from"), "{told}");
    let named = lines(&ward, "property There: eventually (Doctor.location = bed2)\n").join("\n");
    assert!(named.contains("told apart by There: Patient2"), "{named}");
}

#[test]
fn a_patient_stays_whose_own_turn_changes_what_a_claim_says_of_all() {
    let ward = small_ward(3).replace(
        "initial_facts: (current.fed = false); }",
        "initial_facts: (current.fed = false); workframes: workframe wf_turn { repeat: false; do { conclude((current.visited = false)); } } }",
    );
    let told =
        lines(&ward, "property Quiet: eventually (forall p in Patient: p.visited = false)\n").join("\n");
    assert!(told.contains("named by a claim: Patient1, Patient2, Patient3"), "{told}");
    let told = lines(&ward, "property Fed: eventually (forall p in Patient: p.fed = true)\n").join("\n");
    assert!(told.contains("Patient: 3 are interchangeable, each with its Bed"), "{told}");
}
