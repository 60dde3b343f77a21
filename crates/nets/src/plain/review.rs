//! What can be said about a net without any claim: transitions that never fire, the most tokens there were.

use std::collections::BTreeSet;

use motet_model::{ActionId, Notice, Occurrence, Part, PartId, Review, State};
use motet_source::Severity;

use crate::plain::Family;
use crate::plain::words::Teller;

/// How many transitions that never fire are told one by one.
const LIMIT_TRANSITIONS: usize = 20;

impl Review for Teller {
    fn happened(&self, _action: ActionId) -> Option<Notice> {
        None
    }

    /// A family that never fires is told once; the modes of a family that fires are not told, because most of them are
    /// only possible on paper.
    fn missing(&self, seen: &[ActionId]) -> Vec<Notice> {
        let net = &self.semantics.net;
        let fired: BTreeSet<usize> = seen.iter().map(|action| action.index()).collect();
        // A family of one is another name of its member.
        let families = || net.transition_families.iter().filter(|family| family.members.len() > 1);
        let in_families: BTreeSet<usize> =
            families().flat_map(|family| family.members.iter().copied()).collect();
        let families = families().filter_map(|family| {
            let first = *family.members.first()?;
            let idle = family.members.iter().all(|member| !fired.contains(member));
            idle.then_some((family.name.as_str(), first))
        });
        let singles = net.transitions.iter().enumerate().filter_map(|(number, transition)| {
            let idle = !fired.contains(&number) && !in_families.contains(&number);
            idle.then_some((transition.name.as_str(), number))
        });
        let idle = families.chain(singles).take(LIMIT_TRANSITIONS);
        idle.map(|(name, number)| Notice {
            code: "M1098",
            severity: Severity::Hint,
            message: format!("the transition `{name}` never fires"),
            span: self.origins.transitions.get(number).copied(),
            help: "its places are never marked together; check its arcs and the initial marking".to_owned(),
        })
        .collect()
    }

    /// The transitions, and the families of those that stand for one transition of a coloured net.
    fn parts(&self) -> Vec<Part> {
        let net = &self.semantics.net;
        let text = |name: &str, first: usize| {
            let span = self.origins.transitions.get(first).copied()?;
            Some(Part { name: name.to_owned(), kind: "transition", owner: net.name.clone(), span })
        };
        let (families, singles) = self.texts();
        let families = families.iter().map(|family| text(&family.name, *family.members.first()?));
        let singles = singles.iter().map(|number| text(&net.transitions[*number].name, *number));
        families.chain(singles).collect::<Option<Vec<Part>>>().unwrap_or_default()
    }

    fn parts_of(&self, _state: &State, taken: Occurrence<'_>) -> Vec<PartId> {
        let (families, singles) = self.texts();
        let fired = taken.action.index();
        let family = families.iter().position(|family| family.members.contains(&fired));
        let single = || singles.iter().position(|number| *number == fired).map(|at| families.len() + at);
        let part = |number: usize| PartId(u32::try_from(number).expect("parts are numbered with 32 bits"));
        family.or_else(single).map(part).into_iter().collect()
    }

    fn remarks(&self) -> Vec<String> {
        let (place, all) = (self.semantics.most_in_place(), self.semantics.most_in_all());
        vec![format!("most tokens: {place} in one place, {all} in all")]
    }
}

impl Teller {
    /// Families of several transitions, and the transitions in none of them. A family of one is another name of its member.
    fn texts(&self) -> (Vec<&Family>, Vec<usize>) {
        let net = &self.semantics.net;
        let families: Vec<&Family> =
            net.transition_families.iter().filter(|family| family.members.len() > 1).collect();
        let inside: BTreeSet<usize> =
            families.iter().flat_map(|family| family.members.iter().copied()).collect();
        let singles = (0..net.transitions.len()).filter(|number| !inside.contains(number)).collect();
        (families, singles)
    }
}
