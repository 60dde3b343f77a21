//! What would help a check that was stopped: options that exist and that make a difference for this model.

use motet_engine::{Applied, Limits, Reduce, Reducing, Reduction, Settings, StoreKind, possible_reductions};
use motet_evidence::{Stop, Verdict};
use motet_model::AtomId;
use motet_property::{Kind, Path};
use motet_render::{Help, Report, Spilled, bytes, count};

use crate::checking::check::{CheckOptions, Engine};
use crate::checking::slicing::{alike, left_out};
use crate::loading::load::{Loaded, Ready};

/// Names that are listed before the rest is counted.
const NAMES: usize = 3;

/// How a check was made, as far as it matters for what would help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sliced {
    /// Each claim on its own slice.
    Yes,
    /// On the whole model.
    No,
}

/// What would help, most effective first.
#[must_use]
pub fn helps(loaded: &Loaded, options: &CheckOptions, sliced: Sliced, report: &Report) -> Vec<Help> {
    let Some(ready) = &loaded.ready else { return Vec::new() };
    let Some(stop) = &report.stop else { return Vec::new() };
    let mut helps = Vec::new();
    if !matches!(stop, Stop::Memory | Stop::Time | Stop::States | Stop::Interrupted) {
        return helps;
    }
    let unknown = unknown(ready, report);
    if sliced == Sliced::No {
        helps.extend(slice(ready, options, &unknown));
    }
    if options.symmetry.is_none() {
        helps.extend(symmetry(ready, options, &unknown));
    }
    helps.extend(reductions(ready, options, report, &unknown));
    helps.extend(smaller(report, stop));
    helps.extend(bits(ready, options, report, stop, &unknown));
    helps.extend(spill(options, report, stop));
    helps.extend(resume(report, stop, &options.settings.limits));
    helps
}

/// The places of claims that are unknown.
fn unknown(ready: &Ready, report: &Report) -> Vec<usize> {
    let unknown = report.claims.iter().filter(|claim| matches!(claim.outcome.verdict, Verdict::Unknown(_)));
    unknown.filter_map(|claim| ready.claims.iter().position(|other| other.name == claim.name)).collect()
}

/// The first of these names, and how many more there are.
fn listed(names: &[String]) -> String {
    let mut listed = names.iter().take(NAMES).cloned().collect::<Vec<String>>().join(", ");
    if names.len() > NAMES {
        listed.push_str(&format!(" and {} more", names.len() - NAMES));
    }
    listed
}

/// Slices for claims that are unknown: each claim that has one, or all of them at once.
fn slice(ready: &Ready, options: &CheckOptions, unknown: &[usize]) -> Option<Help> {
    let fairness = options.fairness.unwrap_or(ready.fairness());
    let found = unknown.iter().map(|&at| (&ready.claims[at].name, left_out(ready, options, fairness, at)));
    let found: Vec<(&String, Vec<String>)> = found.filter(|(_, parts)| !parts.is_empty()).collect();
    let (name, parts) = found.iter().max_by_key(|(_, parts)| parts.len())?;
    let others = match found.len() {
        1 => String::new(),
        n => format!(", as {} others on less too", n - 1).replace("as 1 others", "as one other"),
    };
    Some(Help {
        option: "--slice".to_owned(),
        why: format!("{name} does not depend on {}{others}", listed(parts)),
        effect: "fewer states, the same verdict".to_owned(),
    })
}

/// Members that can change places, for the claim for which most can.
fn symmetry(ready: &Ready, options: &CheckOptions, unknown: &[usize]) -> Option<Help> {
    let fairness = options.fairness.unwrap_or(ready.fairness());
    let groups = unknown.iter().flat_map(|&at| {
        let groups = alike(ready, options, fairness, at);
        groups.into_iter().map(move |members| (&ready.claims[at].name, members))
    });
    let (name, members) = groups.max_by_key(|(_, members)| members.len())?;
    // Each state stands for as many as there are orders of the members.
    let orders = (1..=members.len() as u64).try_fold(1_u64, u64::checked_mul);
    let most = orders.map_or_else(String::new, |orders| format!(", up to {orders} times"));
    Some(Help {
        option: "--symmetry".to_owned(),
        why: format!("{} can change places for {name}", listed(&members)),
        effect: format!("fewer states{most}, the same verdict"),
    })
}

/// Orders of steps and states without a choice that claims cannot tell.
fn reductions(ready: &Ready, options: &CheckOptions, report: &Report, unknown: &[usize]) -> Vec<Help> {
    // Fewer than two steps a state on average: some states have nothing to choose.
    let straight =
        report.coverage.as_ref().is_some_and(|all| all.choices < 2 * all.states.saturating_sub(all.open));
    let model = ready.system.model.as_ref();
    let fairness = options.fairness.unwrap_or(ready.fairness());
    let settings = Settings { fairness, ..Settings::default() };
    let possible = possible_reductions(model, &ready.claims, &settings);
    let help = |reduction: Reduction| {
        let (option, asked, why) = match reduction.kind {
            Reducing::PartialOrder => (
                "--partial-order",
                options.settings.partial_order,
                "the order of some steps makes no difference",
            ),
            Reducing::Chains => {
                ("--chain", options.settings.chains, "states with nothing to choose are run through")
            }
        };
        let able = match reduction.kind {
            Reducing::PartialOrder => model.facets().independence.is_some(),
            Reducing::Chains => straight,
        };
        if asked == Reduce::Yes || !able {
            return None;
        }
        let (option, who) = match reduction.applied {
            Applied::Saved(_) => (option.to_owned(), String::new()),
            // Without the claims that stand in the way.
            Applied::Claims(hindrances) => {
                let mut free = unknown.iter().filter(|&&at| hindrances.iter().all(|one| one.claim != at));
                let name = &ready.claims[*free.next()?].name;
                (format!("{option} -p {name}"), format!(" for {name}"))
            }
            Applied::Model => return None,
        };
        Some(Help { option, why: format!("{why}{who}"), effect: "fewer states, the same verdict".to_owned() })
    };
    possible.into_iter().filter_map(help).collect()
}

/// Bits instead of states, where a claim that is unknown is about single states.
fn bits(
    ready: &Ready,
    options: &CheckOptions,
    report: &Report,
    stop: &Stop,
    unknown: &[usize],
) -> Option<Help> {
    /// Ten bits a state leave few states out.
    const BITS: u64 = 10;
    let coverage = report.coverage.as_ref().filter(|coverage| coverage.states > 0)?;
    let single = |path: &Path<AtomId>| match path {
        Path::Always(_, inner) => matches!(**inner, Path::Now(_)),
        path => matches!(path, Path::Now(_)),
    };
    let assumed = ready.claims.iter().any(|claim| claim.kind == Kind::Assume);
    let mut claims = unknown.iter().map(|&at| &ready.claims[at]).filter(|claim| single(&claim.formula));
    let claim = claims
        .next()
        .filter(|_| *stop == Stop::Memory && !assumed && options.settings.store == StoreKind::Exact)?;
    let less = 8 * coverage.peak_bytes / coverage.states / BITS;
    (less > 1).then(|| Help {
        option: format!("--store bitstate -p {}", claim.name),
        why: format!("{BITS} bits a state; finds violations and proves nothing"),
        effect: format!("about {less} times less memory"),
    })
}

/// A disk beside the memory, or another one than that which is full.
fn spill(options: &CheckOptions, report: &Report, stop: &Stop) -> Option<Help> {
    /// About what stays in memory of a state.
    const BYTES: u64 = 8;
    let native = options.engine == Engine::Native && options.settings.store == StoreKind::Exact;
    let coverage =
        report.coverage.as_ref().filter(|all| *stop == Stop::Memory && native && all.states > 0)?;
    let option = "--spill DIR".to_owned();
    match (&options.settings.spill, &report.spilled) {
        (None, _) => {
            let tenths = 10 * coverage.peak_bytes / coverage.states / BYTES;
            let more = if tenths < 20 { format!("1.{}", tenths % 10) } else { (tenths / 10).to_string() };
            (tenths > 10).then(|| Help {
                option,
                why: "states and steps that do not fit are put away in that folder".to_owned(),
                effect: format!("up to {more} times as many states, slower"),
            })
        }
        (Some(_), Some(Spilled { bytes: put_away, folder, full: Some(full) })) => Some(Help {
            option,
            why: format!("`{folder}` took {} and no more: {full}", bytes(*put_away)),
            effect: "a folder with more room".to_owned(),
        }),
        (Some(_), _) => None,
    }
}

/// A smaller parameter, where the model has one. What that does to the number of states nobody knows beforehand.
fn smaller(report: &Report, stop: &Stop) -> Option<Help> {
    let (name, value) =
        report.head.parameters.iter().find(|(_, value)| value.parse::<i64>().is_ok_and(|n| n > 1))?;
    (*stop != Stop::Interrupted).then(|| Help {
        option: format!("-D {name}=N"),
        why: format!("a smaller {name} than {value}"),
        effect: "another, smaller model".to_owned(),
    })
}

/// To go on from the checkpoint with a higher limit.
fn resume(report: &Report, stop: &Stop, limits: &Limits) -> Option<Help> {
    let saved = report.checkpoint?;
    let more = match stop {
        Stop::Memory => format!(" --mem {}", bytes(2 * limits.memory?).replace(' ', "")),
        Stop::Time => format!(" --time {}s", 2 * limits.time?.as_secs().max(1)),
        Stop::States => format!(" --states {}", 4 * limits.states?),
        _ => String::new(),
    };
    let states = report.coverage.as_ref().map_or(0, |coverage| coverage.states);
    let states = count(usize::try_from(states).unwrap_or(usize::MAX), "state");
    Some(Help {
        option: format!("--resume{more}"),
        why: format!("goes on from the checkpoint ({})", bytes(saved)),
        effect: format!("{states} need not be found again"),
    })
}
