//! Members that are explored as interchangeable.

use std::collections::BTreeSet;

use motet_engine::{Quotient, Strategies};
use motet_evidence::Fairness;
use motet_model::{AtomId, Model, System};
use motet_property::Claim;
use motet_render::{Interchangeable, Obstruction, Report, SymmetryReport};
use motet_source::{Problem, suggest};

use crate::checking::check::CheckOptions;
use crate::checking::fair_chance::is_about_states;
use crate::loading::command_line::command_line;
use crate::loading::load::{Loaded, Ready};

/// Whose members are explored as interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Likes {
    /// All that are.
    All,
    /// Those of these kinds.
    Kinds(Vec<String>),
}

impl Likes {
    /// Whether a kind is meant.
    #[must_use]
    pub fn include(&self, kind: &str) -> bool {
        match self {
            Self::All => true,
            Self::Kinds(names) => names.iter().any(|name| name == kind),
        }
    }
}

/// The model with interchangeable members in order, if it was asked for and there are any; the report says who.
pub(crate) fn folded<'r>(
    ready: &'r Ready,
    options: &CheckOptions,
    fairness: Fairness,
    report: &mut Report,
) -> Option<Quotient<'r>> {
    let likes = options.symmetry.as_ref()?;
    let model = ready.system.model.as_ref();
    let told_apart = ready.claims.iter().find(|claim| !is_about_states(claim));
    if let (Strategies::FairToChoices, Some(claim)) = (options.settings.strategies, told_apart) {
        let kinds = model.facets().symmetry.map_or(&[][..], |symmetry| symmetry.kinds());
        let obstacle = |kind: &motet_model::Kind| Obstruction {
            kind: kind.name.clone(),
            reason: format!("{}: each choice of each situation is owed, and tells them apart", claim.name),
            claims: Vec::new(),
        };
        let meant = kinds.iter().filter(|kind| likes.include(&kind.name));
        report.symmetry =
            Some(SymmetryReport { obstacles: meant.map(obstacle).collect(), ..SymmetryReport::default() });
        return None;
    }
    let quotient = Quotient::of(model, &ready.claims, fairness, &|kind| likes.include(kind));
    let Some(quotient) = quotient else {
        report.symmetry = Some(SymmetryReport::default());
        return None;
    };
    let interchangeable = quotient.groups().iter().map(|group| Interchangeable {
        kind: group.name.clone(),
        members: group.names.clone(),
        with: group.with.clone(),
        claims: Vec::new(),
    });
    let obstacles = quotient.obstacles().iter().map(|obstacle| Obstruction {
        kind: obstacle.name.clone(),
        reason: obstacle.reason.clone(),
        claims: Vec::new(),
    });
    report.symmetry = Some(SymmetryReport {
        interchangeable: interchangeable.collect(),
        obstacles: obstacles.collect(),
        apart: Vec::new(),
    });
    (!quotient.groups().is_empty()).then_some(quotient)
}

/// Who is interchangeable for these claims on a model of their own.
pub(crate) fn groups(
    system: &System,
    claims: &[Claim<AtomId>],
    options: &CheckOptions,
    fairness: Fairness,
) -> Vec<Vec<String>> {
    let Some(likes) = &options.symmetry else { return Vec::new() };
    let model: &dyn Model = system.model.as_ref();
    let quotient = Quotient::of(model, claims, fairness, &|kind| likes.include(kind));
    quotient
        .map_or_else(Vec::new, |quotient| quotient.groups().iter().map(|group| group.names.clone()).collect())
}

/// Adds a problem for each kind that was asked for by a name that no kind has; nothing is checked then.
pub fn look_for_kinds(loaded: &mut Loaded, likes: &Likes) {
    let (Likes::Kinds(wanted), Some(ready)) = (likes, &loaded.ready) else { return };
    let symmetry = ready.system.model.facets().symmetry;
    let kinds = symmetry.iter().flat_map(|of| of.kinds()).map(|kind| kind.name.clone());
    let others = symmetry.iter().flat_map(|of| of.obstacles()).map(|obstacle| obstacle.name.clone());
    let known: BTreeSet<String> = kinds.chain(others).collect();
    let missing: Vec<&String> = wanted.iter().filter(|name| !known.contains(*name)).collect();
    if missing.is_empty() {
        return;
    }
    for name in missing {
        let span = command_line(&mut loaded.sources, &format!("--symmetry {name}"));
        let help = match suggest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("there is `{near}`"),
            None if known.is_empty() => "no members of this model look alike".to_owned(),
            None => {
                let names: Vec<&str> = known.iter().map(String::as_str).collect();
                format!("the kinds are {}", names.join(", "))
            }
        };
        let message = format!("no kind of members is named `{name}`");
        loaded.problems.push(Problem::error("M0014", span, message, help));
    }
    loaded.ready = None;
}
