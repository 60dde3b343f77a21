//! The state space for tools that read states one by one, and claims as automata.

use std::collections::BTreeSet;

use motet_engine::Limits;
use motet_engine::automata::Automaton;
use motet_evidence::Fairness;
use motet_model::AtomId;
use motet_property::{Claim, Interval, Kind, Path, SmvSpec, smv_spec};
use motet_render::{SmvRuns, aut, promela_name, promela_states, smv, smv_name};
use motet_source::Problem;

use crate::exporting::chance::{Written, place};
use crate::exporting::explicit::lay_out;
use crate::exporting::promela::{Asked, Sense, Target, assumed_question, claims_for};
use crate::loading::load::{Loaded, Ready};

/// A form in which tools read a state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatesForm {
    /// Promela, one number per state.
    Promela,
    /// NuSMV, one number per state.
    Smv,
    /// Aldebaran: a labelled transition system.
    Aut,
}

/// Writes the state space, up to the limits. `command` stands in the first line where the form has comments. Weak
/// fairness is written for NuSMV; the readers of the other forms look at all runs.
///
/// # Errors
/// When the model has more states, or cannot say what comes next.
pub fn export_states(
    loaded: &Loaded,
    ready: &Ready,
    form: StatesForm,
    command: &str,
    limits: &Limits,
) -> Result<Written, Box<Problem>> {
    let laid_out = lay_out(ready, command, limits, place(loaded))?;
    let model = &laid_out.model;
    let (ending, text, left_out) = match form {
        StatesForm::Aut => (".aut", aut(model), Vec::new()),
        StatesForm::Promela => {
            let names: Vec<String> = model.labels.iter().map(promela_name).collect();
            let taken = names.iter().cloned().chain(["state", "deadlock", "team"].map(str::to_owned));
            let target = Target {
                taken: taken.collect::<BTreeSet<String>>(),
                atom: &|atom| names[atom.index()].clone(),
                deadlock: Some("deadlock".to_owned()),
            };
            let asked = claims_for(ready, target);
            let claims: Vec<_> = asked.iter().filter_map(|asked| asked.claim.clone().ok()).collect();
            (".pml", promela_states(model, &claims), refusals(ready, &asked))
        }
        StatesForm::Smv => {
            let posed = smv_specs(ready, &|atom| smv_name(&model.labels[atom.index()]));
            let specs: Vec<_> = posed.iter().filter_map(|posed| posed.spec.clone().ok()).collect();
            let claims = ready.claims.iter().zip(&posed);
            let left_out = claims
                .filter_map(|(claim, posed)| Some((claim.name.clone(), posed.spec.as_ref().err()?.clone())));
            let runs = match ready.fairness() {
                Fairness::None => SmvRuns::All,
                Fairness::Weak | Fairness::Strong => SmvRuns::WeaklyFair,
            };
            (".smv", smv(model, runs, &specs), left_out.collect())
        }
    };
    Ok(Written { files: vec![(ending.to_owned(), text)], left_out })
}

fn refusals(ready: &Ready, asked: &[Asked]) -> Vec<(String, String)> {
    let claims = ready.claims.iter().zip(asked);
    claims
        .filter_map(|(claim, asked)| Some((claim.name.clone(), asked.claim.as_ref().err()?.clone())))
        .collect()
}

/// A claim as a specification of NuSMV with its name and words, or the reason why it is none.
pub(crate) struct Posed {
    pub(crate) spec: Result<(String, SmvSpec), String>,
    pub(crate) sense: Sense,
}

/// Every claim for NuSMV, in order.
pub(crate) fn smv_specs(ready: &Ready, name: &dyn Fn(AtomId) -> String) -> Vec<Posed> {
    let pose = |claim: &Claim<AtomId>| {
        let (formula, sense) = assumed_question(ready, claim);
        let asked = match sense {
            Sense::Disproves => claim.name.clone(),
            Sense::Proves => format!("{} (asked as: never; false means that it happens)", claim.name),
        };
        let spec = match (claim.kind, smv_spec(&formula, name)) {
            (Kind::Query, _) => Err("a question for a number".to_owned()),
            (_, Ok(spec)) => Ok((asked, spec)),
            (_, Err(unsupported)) => Err(unsupported.to_string()),
        };
        Posed { spec, sense }
    };
    ready.claims.iter().map(pose).collect()
}

/// The automata of the claims in the Hanoi format, one after another: each accepts the runs that satisfy its claim. Claims
/// outside linear time are left out.
#[must_use]
pub fn claim_automata(ready: &Ready) -> Written {
    let signature = ready.system.model.signature();
    let (mut text, mut left_out) = (String::new(), Vec::new());
    for claim in &ready.claims {
        let (formula, word) = match claim.kind {
            Kind::Assume => {
                let why = "an assumption says which runs count, and an automaton what is claimed of them";
                left_out.push((claim.name.clone(), why.to_owned()));
                continue;
            }
            // Whatever is possible is reached some time.
            Kind::Possible => {
                let formula = Box::new(claim.formula.clone());
                (Path::Eventually(Interval::default(), formula), "possible")
            }
            _ => (claim.formula.clone(), "property"),
        };
        match Automaton::of(&formula, signature.unit) {
            Ok(automaton) => text.push_str(&automaton.to_hoa(&claim.name, word, signature)),
            Err(reason) => left_out.push((claim.name.clone(), format!("{reason} have no automaton"))),
        }
    }
    Written { files: vec![(".hoa".to_owned(), text)], left_out }
}
