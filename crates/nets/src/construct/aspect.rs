//! Weaving (Chang 2011, definitions 4.2.1 to 4.2.4): every arc of the advice at a pointcut goes to the join point, with its
//! label; the pointcut is dropped, and the rest of the advice becomes part of the net.
//!
//! At a place this adds a consumer, a producer or both; at a transition an output, an input or both: the six patterns of
//! figure 19. Aspects are woven in the order of the text, so a later one may join what an earlier one added.

use std::collections::{BTreeMap, BTreeSet};

use motet_source::{Problem, Problems, suggest};

use super::advice::{Part, is_sound, parts};
use super::rename::Renaming;
use super::sorts::Declared;
use super::variables::variables;
use crate::print::format_sort;
use crate::syntax::{AdviceRole, Aspect, Item, Member, Name, Net, Text, Transition, Weave};

/// Weaves all aspects of the text and takes them out.
pub(super) fn weave(text: &mut Text, problems: &mut Problems) {
    let declared = Declared::of(text);
    let mut aspects = Vec::new();
    let mut items = Vec::new();
    for item in std::mem::take(&mut text.items) {
        match item {
            Item::Aspect(aspect) => aspects.push(aspect),
            other => items.push(other),
        }
    }
    text.items = items;
    let mut named: BTreeMap<String, Name> = BTreeMap::new();
    for aspect in &aspects {
        if let Some(first) = named.insert(aspect.name.node.clone(), aspect.name.clone()) {
            let message = format!("there are two aspects `{}`", aspect.name.node);
            let problem = Problem::error("M1067", aspect.name.span, message, "give one of them another name");
            problems.push(problem.also(first.span, "the first one"));
        }
        if !is_sound(aspect, problems) {
            continue;
        }
        for weave in &aspect.weaves {
            weave_into(text, aspect, weave, &declared, problems);
        }
    }
}

fn weave_into(text: &mut Text, aspect: &Aspect, weave: &Weave, declared: &Declared, problems: &mut Problems) {
    let target = &weave.target;
    let mut nets =
        text.items.iter_mut().filter_map(|item| if let Item::Net(net) = item { Some(net) } else { None });
    let Some(net) = nets.by_ref().find(|net| net.name.node == target.node) else {
        let names: Vec<&str> = text
            .items
            .iter()
            .filter_map(|item| if let Item::Net(net) = item { Some(net.name.node.as_str()) } else { None })
            .collect();
        let planned = |item: &Item| matches!(item, Item::Mediator(plan) if plan.name.node == target.node);
        let help = match suggest(&target.node, names.iter().copied()) {
            _ if text.items.iter().any(planned) => {
                "`motet nets mediate` writes the net of this mediator; add what it prints to the model"
                    .to_owned()
            }
            Some(near) => format!("did you mean `{near}`"),
            None => format!("the nets are {}", names.join(", ")),
        };
        let message = format!("there is no net `{}` to weave into", target.node);
        problems.push(Problem::error("M1060", target.span, message, help));
        return;
    };
    let before = problems.len();
    let names = Weaving { aspect, weave, net, declared, problems: &mut *problems }.names();
    if problems.len() == before {
        join(net, aspect, &names, declared, problems);
    }
}

/// One aspect and one target, while nothing has been changed.
struct Weaving<'a> {
    aspect: &'a Aspect,
    weave: &'a Weave,
    net: &'a Net,
    declared: &'a Declared,
    problems: &'a mut Problems,
}

impl<'a> Weaving<'a> {
    /// New names for those of the advice: pointcuts are called like their join points. Says what is wrong on the way.
    fn names(mut self) -> BTreeMap<String, String> {
        let mut names = BTreeMap::new();
        let pointcuts: Vec<Part<'a>> = self.advice(AdviceRole::Pointcut);
        self.mapped(&pointcuts);
        for pointcut in &pointcuts {
            if let Some((_, point)) =
                self.weave.joins.iter().find(|(name, _)| name.node == pointcut.name.node)
            {
                self.fits(pointcut, point);
                names.insert(pointcut.name.node.clone(), point.node.clone());
            }
        }
        let prefix = self.weave.prefix.as_ref().map_or("", |prefix| &prefix.node);
        let taken: BTreeMap<&str, &Name> =
            self.points().map(|part| (part.name.node.as_str(), part.name)).collect();
        for part in self.advice(AdviceRole::Added) {
            let new = format!("{prefix}{}", part.name.node);
            if let Some(there) = taken.get(new.as_str()) {
                let problem = self.duplicate(&part, &new).also(there.span, "this one");
                self.problems.push(problem);
            }
            names.insert(part.name.node.clone(), new);
        }
        names
    }

    fn duplicate(&self, part: &Part<'_>, new: &str) -> Problem {
        let target = &self.weave.target.node;
        let message = format!("`{target}` has a `{new}` already");
        let help =
            format!("rename it, or write `weave {target} as {}_`", self.aspect.name.node.to_lowercase());
        Problem::error("M1067", part.name.span, message, help).also(self.weave.span, "woven in here")
    }

    fn advice(&self, role: AdviceRole) -> Vec<Part<'a>> {
        let advice = self.aspect.advice.iter().filter(|advice| advice.role == role);
        advice.flat_map(|advice| parts(&advice.member)).collect()
    }

    fn points(&self) -> impl Iterator<Item = Part<'a>> + use<'a> {
        self.net.members.iter().flat_map(parts)
    }

    /// Every pointcut is mapped, once, and nothing else is.
    fn mapped(&mut self, pointcuts: &[Part<'_>]) {
        let mut seen = BTreeSet::new();
        for (name, _) in &self.weave.joins {
            let known = pointcuts.iter().map(|part| part.name.node.as_str());
            if !seen.insert(&name.node) {
                let message = format!("the pointcut `{}` is mapped twice", name.node);
                let help = "map it once; weave the aspect twice, with `as`, if it is meant at two places";
                self.problems.push(Problem::error("M1061", name.span, message, help));
            } else if !known.clone().any(|one| one == name.node) {
                let message = format!("`{}` is not a pointcut of `{}`", name.node, self.aspect.name.node);
                let help = match suggest(&name.node, known) {
                    Some(near) => format!("did you mean `{near}`"),
                    None => "mark it in the advice: `pointcut place p : T;`".to_owned(),
                };
                self.problems.push(Problem::error("M1061", name.span, message, help));
            }
        }
        for pointcut in pointcuts.iter().filter(|pointcut| !seen.contains(&pointcut.name.node)) {
            let name = &pointcut.name.node;
            let message = format!("the pointcut `{name}` is not mapped to a join point");
            let help = format!(
                "write `{name} -> join` with {} of `{}`",
                pointcut.kind.noun(),
                self.weave.target.node
            );
            let problem = Problem::error("M1062", self.weave.span, message, help);
            self.problems.push(problem.also(pointcut.name.span, "the pointcut"));
        }
    }

    /// The join point is there, and it is what the pointcut says.
    fn fits(&mut self, pointcut: &Part<'_>, point: &Name) {
        let target = &self.weave.target.node;
        let Some(found) = self.points().find(|part| part.name.node == point.node) else {
            let alike = self.points().filter(|part| part.kind == pointcut.kind);
            let names: Vec<&str> = alike.map(|part| part.name.node.as_str()).collect();
            let help = match suggest(&point.node, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`"),
                None if names.is_empty() => format!("`{target}` does not have {}", pointcut.kind.noun()),
                None => format!("there are {}", names.join(", ")),
            };
            let message = format!("there is no `{}` in `{target}`", point.node);
            self.problems.push(Problem::error("M1063", point.span, message, help));
            return;
        };
        if found.kind != pointcut.kind {
            let (is, wanted) = (found.kind.noun(), pointcut.kind.noun());
            let message =
                format!("`{}` is {is}, and the pointcut `{}` is {wanted}", point.node, pointcut.name.node);
            let help = format!("join {wanted}, or make the pointcut {is}");
            let problem = Problem::error("M1064", point.span, message, help);
            self.problems.push(problem.also(pointcut.name.span, "the pointcut"));
        } else if let (Some(one), Some(other)) = (found.sort, pointcut.sort)
            && !self.declared.same(one, other)
        {
            let (one, other) = (format_sort(one), format_sort(other));
            let message = format!(
                "`{}` holds {one}, and the pointcut `{}` holds {other}",
                point.node, pointcut.name.node
            );
            let problem = Problem::error("M1065", point.span, message, "both must have the same sort");
            self.problems.push(problem.also(pointcut.name.span, "the pointcut"));
        }
    }
}

/// Changes the net.
fn join(
    net: &mut Net,
    aspect: &Aspect,
    names: &BTreeMap<String, String>,
    declared: &Declared,
    problems: &mut Problems,
) {
    let parameters: BTreeSet<String> = net.parameters.iter().map(|field| field.name.node.clone()).collect();
    let is_value = |name: &str| declared.values.contains(name) || parameters.contains(name);
    for advice in &aspect.advice {
        let mut member = advice.member.clone();
        let mut renaming = Renaming::new(names, &is_value);
        renaming.member(&mut member);
        for (name, span) in std::mem::take(&mut renaming.captured) {
            let message =
                format!("`{name}` is a variable of this transition and part of `{}`", net.name.node);
            let help = "give the variable of the advice another name";
            problems.push(Problem::error("M1068", span, message, help));
        }
        match (advice.role, member) {
            (AdviceRole::Added, member) => add(net, member),
            (AdviceRole::Pointcut, Member::Transition(pointcut)) => {
                extend(net, pointcut, &is_value, problems)
            }
            (AdviceRole::Pointcut, _) => {}
        }
    }
}

/// Places stand with the other places, the rest at the end.
fn add(net: &mut Net, member: Member) {
    let last = net.members.iter().rposition(|there| matches!(there, Member::Place(_)));
    match (&member, last) {
        (Member::Place(_), Some(last)) => net.members.insert(last + 1, member),
        (Member::Place(_), None) => net.members.insert(0, member),
        _ => net.members.push(member),
    }
}

/// The statements of a pointcut become statements of the join transition. Variables are shared by name; one that both
/// bind would silently become an equality.
fn extend(net: &mut Net, pointcut: Transition, is_value: &dyn Fn(&str) -> bool, problems: &mut Problems) {
    let joined = net.members.iter_mut().find_map(|member| match member {
        Member::Transition(transition) if transition.name.node == pointcut.name.node => Some(transition),
        _ => None,
    });
    let joined = joined.expect("a pointcut is called like its join point, which is a transition");
    let there = variables(&joined.body, is_value);
    for (name, span) in variables(&pointcut.body, is_value) {
        if let Some(first) = there.get(&name) {
            let message = format!("`{name}` is bound here and in the transition `{}`", joined.name.node);
            let help = "give it another name in the advice; `when x = y;` compares two variables";
            problems.push(Problem::error("M1068", span, message, help).also(*first, "bound here too"));
        }
    }
    joined.body.extend(pointcut.body);
}
