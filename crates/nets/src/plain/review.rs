//! What can be said about a net without any claim: transitions that never fire, the most tokens there were.

use std::collections::BTreeSet;

use motet_model::{ActionId, Notice, Review};
use motet_source::Severity;

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

    fn remarks(&self) -> Vec<String> {
        let (place, all) = (self.semantics.most_in_place(), self.semantics.most_in_all());
        vec![format!("most tokens: {place} in one place, {all} in all")]
    }
}
