//! Rewards that claims name must be the model's.

use motet_model::{AtomId, Reward, Vocabulary};
use motet_property::{Claim, Formula, Path, Subformula};
use motet_source::{Problem, Problems, suggest};

/// The names of the rewards that claims ask for, each once; `None` where a claim names none.
pub(crate) fn rewards_of(claims: &[Claim<AtomId>]) -> Vec<Option<String>> {
    let mut named = Vec::new();
    claims.iter().for_each(|claim| in_path(&claim.formula, &mut named));
    let mut names: Vec<Option<String>> = Vec::new();
    for name in named {
        if !names.iter().any(|known| known.as_deref() == name) {
            names.push(name.map(str::to_owned));
        }
    }
    names
}

/// Reports every claim about a reward that the model does not have.
pub(crate) fn check_rewards(
    claims: &[Claim<AtomId>],
    rewards: &[Reward],
    vocabulary: &Vocabulary,
    problems: &mut Problems,
) {
    for claim in claims {
        let mut named = Vec::new();
        in_path(&claim.formula, &mut named);
        let unknown = |name: &&Option<&str>| match name {
            Some(name) => !rewards.iter().any(|reward| reward.name == *name),
            None => rewards.is_empty(),
        };
        let Some(name) = named.iter().find(unknown) else { continue };
        let own = rewards.iter().map(|reward| &reward.name).filter(|name| !vocabulary.rewards.contains(name));
        let names: Vec<&str> = vocabulary.rewards.iter().chain(own).map(String::as_str).collect();
        let message = match name {
            Some(name) => format!("{}: the model has no reward `{name}`", claim.name),
            None => format!("{}: the model has no rewards", claim.name),
        };
        let near = name.and_then(|name| suggest(name, names.iter().copied()));
        let help = match near {
            Some(near) => format!("did you mean `{near}`"),
            None if names.is_empty() => "add rewards to the model, or ask for a probability".to_owned(),
            None => format!("its rewards are {}", few(&names)),
        };
        problems.push(Problem::error("M0012", claim.span, message, help));
    }
}

/// The first of many names.
fn few(names: &[&str]) -> String {
    const FEW: usize = 12;
    match names.len().checked_sub(FEW) {
        Some(more) if more > 0 => {
            format!("{} and {more} more; `motet vocab` lists them", names[..FEW].join(", "))
        }
        _ => names.join(", "),
    }
}

fn in_path<'p>(path: &'p Path<AtomId>, named: &mut Vec<Option<&'p str>>) {
    path.for_each(&mut |part| {
        if let Subformula::State(Formula::Reward(name, ..)) = part {
            named.push(name.as_deref());
        }
    });
}
