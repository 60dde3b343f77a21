//! Claims along a run: each is told when it is decided, and one that is violated is news for the agents.

use std::collections::BTreeMap;

use motet_engine::{Ending, Standing, Watch};
use motet_model::{Actor, AtomId, Model, State, TimeUnit, Trouble};
use motet_property::{Claim, Expect, Kind};
use motet_render::{RunRemark, RunStanding};

use crate::observe::{Moment, Observed, Observer};

/// The claims of a project, watched.
pub struct Watching<'a> {
    model: &'a dyn Model,
    watched: Vec<Watched>,
    /// Why some are not watched, and their names.
    refused: BTreeMap<String, Vec<String>>,
}

struct Watched {
    watch: Watch,
    name: String,
    /// Its name, its author's words and its formula.
    words: String,
    formula: String,
    atoms: Vec<AtomId>,
    kind: Kind,
    expect: Expect,
    /// In which cycle it was decided.
    decided: Option<u64>,
    /// Whether it was told that it cannot be watched any longer.
    lost: bool,
}

/// A cycle of a run takes the time of one where the model counts cycles, and none where it counts steps.
pub(crate) fn delay(model: &dyn Model) -> u32 {
    u32::from(model.signature().unit == TimeUnit::Cycles)
}

impl<'a> Watching<'a> {
    /// Watches these claims as far as a single run can show them.
    #[must_use]
    pub fn new<'c>(model: &'a dyn Model, claims: impl IntoIterator<Item = &'c Claim<AtomId>>) -> Self {
        let mut watching = Self { model, watched: Vec::new(), refused: BTreeMap::new() };
        for claim in claims {
            match Watch::new(claim, model.signature().unit, &[delay(model)]) {
                Ok(watch) => watching.watched.push(Watched::new(watch, claim)),
                Err(refusal) => {
                    watching.refused.entry(refusal.reason).or_default().push(claim.name.clone());
                }
            }
        }
        watching
    }

    /// The same without claims of which a part says nothing while this team acts.
    #[must_use]
    pub fn for_team(mut self, actor: &dyn Actor) -> Self {
        let heeded = |watched: &Watched| watched.atoms.iter().all(|atom| actor.heeds(*atom));
        let (kept, blind): (Vec<_>, Vec<_>) = self.watched.into_iter().partition(heeded);
        self.watched = kept;
        if !blind.is_empty() {
            let reason =
                "it speaks of the modelled environment, whose place the skills have taken".to_owned();
            self.refused.entry(reason).or_default().extend(blind.into_iter().map(|watched| watched.name));
        }
        self
    }

    fn look(&mut self, state: &State, cycle: u64) -> Observed {
        let mut observed = Observed::default();
        let delay = delay(self.model);
        for watched in &mut self.watched {
            if watched.decided.is_some() || watched.lost {
                continue;
            }
            let standing = watched.watch.step(&mut |atom| self.model.holds(atom, state), delay);
            if standing != Standing::Undecided {
                watched.decided = Some(cycle);
                observed.remarks.push(remark(watched.decision(standing, cycle)));
                observed.troubles.extend(watched.trouble(standing));
            }
            if let Some(reason) = watched.watch.lost() {
                watched.lost = true;
                observed.remarks.push(remark(format!(
                    "{} is not watched from cycle {cycle} on: {reason}",
                    watched.words
                )));
            }
        }
        observed.troubles.dedup();
        observed
    }
}

fn remark(text: String) -> RunRemark {
    RunRemark { about: "claim".to_owned(), text }
}

impl Watched {
    fn new(watch: Watch, claim: &Claim<AtomId>) -> Self {
        let words = match &claim.words {
            Some(words) => format!("{} \"{words}\"", claim.name),
            None => claim.name.clone(),
        };
        let mut atoms = Vec::new();
        claim.formula.for_each_atom(&mut |atom| atoms.push(*atom));
        Self {
            watch,
            atoms,
            name: claim.name.clone(),
            words,
            formula: claim.text.split_whitespace().collect::<Vec<_>>().join(" "),
            kind: claim.kind,
            expect: claim.expect.clone(),
            decided: None,
            lost: false,
        }
    }

    fn decision(&self, standing: Standing, cycle: u64) -> String {
        let Self { words, formula, .. } = self;
        match (self.kind, standing) {
            (Kind::Possible, Standing::True) => format!("{words} was seen in cycle {cycle}: {formula}"),
            (Kind::Assume, Standing::False) => format!(
                "assumption {words} is false since cycle {cycle}, and what was checked under it says nothing of this run: \
                 {formula}"
            ),
            (_, Standing::False) => format!("{words} is violated in cycle {cycle}: {formula}"),
            _ => format!("{words} is true from cycle {cycle} on, whatever comes: {formula}"),
        }
    }

    /// Whether a standing is not what the author expects.
    fn is_alarming(&self, standing: Standing) -> bool {
        match (self.kind, standing) {
            (Kind::Possible, Standing::True) => self.expect == Expect::Fails,
            (Kind::Property | Kind::Assume, Standing::False) => self.expect != Expect::Fails,
            _ => false,
        }
    }

    /// A violated assumption is about the world.
    fn trouble(&self, standing: Standing) -> Option<Trouble> {
        let trouble = if self.kind == Kind::Assume { Trouble::ModelDrift } else { Trouble::ClaimViolated };
        self.is_alarming(standing).then_some(trouble)
    }

    fn standing(&self) -> RunStanding {
        let standing = match self.watch.end() {
            Ending::True => "true",
            Ending::False => "false",
            _ if self.lost => "undecided: it was too large to be watched to the end",
            Ending::NoViolation => "undecided: no violation was seen",
            Ending::NotSeen => "undecided: it was not seen",
        };
        RunStanding {
            claim: self.name.clone(),
            standing: standing.to_owned(),
            cycle: self.decided,
            alarm: self.is_alarming(self.watch.standing()),
        }
    }
}

impl Observer for Watching<'_> {
    fn begin(&mut self, state: &State) -> Observed {
        let mut observed = self.look(state, 0);
        let refused = self.refused.iter();
        let refused = refused
            .map(|(reason, names)| remark(format!("not watched, because {reason}: {}", names.join(", "))));
        observed.remarks.splice(0..0, refused);
        observed
    }

    fn observe(&mut self, moment: &Moment<'_>) -> Observed {
        self.look(moment.state, moment.cycle)
    }

    fn standings(&self) -> Vec<RunStanding> {
        self.watched.iter().map(Watched::standing).collect()
    }
}
