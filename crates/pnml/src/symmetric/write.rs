//! Symmetric nets as PNML (ISO/IEC 15909-2): declarations first, then places, transitions and arcs on one page.

use crate::ids::{Ids, Wanted};
use crate::symmetric::write_terms::element;
use crate::symmetric::{ColouredTransition, Condition, Cycle, Sort, SortId, SymmetricNet, Term};
use crate::write::{escaped, head, line, named, tail};

/// The net as a PNML document that readers of symmetric nets take. Places and transitions keep their ids, so that formulas about
/// them still fit. Test arcs and inhibitor arcs, which the standard lacks, carry a type.
#[must_use]
pub fn write_symmetric(net: &SymmetricNet) -> String {
    let mut writer = SymmetricWriter::new(net);
    let id = writer.ids.fresh("net");
    let mut out = head(&id, "symmetricnet", &net.name);
    writer.declarations(&mut out);
    let page = writer.ids.fresh("page");
    line(&mut out, 2, &format!("<page id=\"{page}\">"));
    writer.places(&mut out);
    for transition in &net.transitions {
        writer.transition(transition, &mut out);
    }
    for transition in &net.transitions {
        writer.arcs(transition, &mut out);
    }
    tail(&mut out);
    out
}

/// A net with the ids of its declarations.
pub(super) struct SymmetricWriter<'n> {
    pub(super) net: &'n SymmetricNet,
    ids: Ids,
    /// Per sort: its id.
    pub(super) sorts: Vec<String>,
    /// Per sort: the ids of its members, if it is a declared enumeration or the sort of a partition.
    pub(super) members: Vec<Vec<String>>,
    /// Per variable: its id.
    pub(super) variables: Vec<String>,
    /// Per partition: its id.
    pub(super) partitions: Vec<String>,
}

impl<'n> SymmetricWriter<'n> {
    fn new(net: &'n SymmetricNet) -> Self {
        let places = net.places.iter().map(|place| Wanted::Kept(&place.id));
        let transitions = net.transitions.iter().map(|transition| Wanted::Kept(&transition.id));
        let mut ids = Ids::default();
        ids.all(places.chain(transitions));
        Self {
            net,
            ids,
            sorts: Vec::new(),
            members: Vec::new(),
            variables: Vec::new(),
            partitions: Vec::new(),
        }
    }

    /// What a sort is called, as far as it has a name.
    fn sort_name(&self, sort: usize) -> String {
        let declared = self.net.names.iter().find(|(_, known)| known.0 == sort);
        match (&self.net.sorts[sort], declared) {
            (Sort::Enumeration { name, .. }, _) | (_, Some((name, _))) => name.clone(),
            (Sort::Dot, None) => "dot".to_owned(),
            (Sort::Range(low, high), None) => format!("{low}..{high}"),
            (Sort::Product(_), None) => format!("product{sort}"),
        }
    }

    /// Whether this is the built-in sort of truth. Partitions divide declared sorts only.
    pub(super) fn is_truth(&self, sort: SortId) -> bool {
        self.net.sorts[sort.0] == Sort::truth()
            && self.net.partition_sorts.iter().all(|&(base, own)| base != sort && own != sort)
    }

    fn declarations(&mut self, out: &mut String) {
        for sort in 0..self.net.sorts.len() {
            let name = self.sort_name(sort);
            let id = self.ids.fresh(&name);
            let members = match &self.net.sorts[sort] {
                Sort::Enumeration { members, .. } if !self.is_truth(SortId(sort)) => {
                    members.iter().map(|member| self.ids.fresh(&format!("{id}_{member}"))).collect()
                }
                _ => Vec::new(),
            };
            self.sorts.push(id);
            self.members.push(members);
        }
        line(out, 2, "<declaration>");
        line(out, 3, "<structure>");
        line(out, 4, "<declarations>");
        for sort in 0..self.net.sorts.len() {
            match self.net.partition_sorts.iter().any(|(_, own)| own.0 == sort) {
                true => self.partitions_of(SortId(sort), out),
                false => self.named_sort(SortId(sort), out),
            }
        }
        for (name, sort) in &self.net.variables {
            let id = self.ids.fresh(name);
            let head = format!("<variabledecl id=\"{id}\" name=\"{}\">", escaped(name));
            line(out, 5, &format!("{head}{}</variabledecl>", self.user_sort(*sort)));
            self.variables.push(id);
        }
        line(out, 4, "</declarations>");
        line(out, 3, "</structure>");
        line(out, 2, "</declaration>");
    }

    fn named_sort(&self, sort: SortId, out: &mut String) {
        let (id, name) = (&self.sorts[sort.0], self.sort_name(sort.0));
        line(out, 5, &format!("<namedsort id=\"{id}\" name=\"{}\">", escaped(&name)));
        match &self.net.sorts[sort.0] {
            Sort::Dot => line(out, 6, "<dot/>"),
            Sort::Range(low, high) => line(out, 6, &range(*low, *high)),
            Sort::Product(parts) => {
                let parts: String = parts.iter().map(|part| self.user_sort(*part)).collect();
                line(out, 6, &element("productsort", &parts));
            }
            Sort::Enumeration { .. } if self.is_truth(sort) => line(out, 6, "<bool/>"),
            Sort::Enumeration { members, cycle, .. } => {
                let kind = match cycle {
                    Cycle::Ring => "cyclicenumeration",
                    Cycle::Line => "finiteenumeration",
                };
                line(out, 6, &format!("<{kind}>"));
                for (id, name) in self.members[sort.0].iter().zip(members) {
                    line(out, 7, &format!("<feconstant id=\"{id}\" name=\"{}\"/>", escaped(name)));
                }
                line(out, 6, &format!("</{kind}>"));
            }
        }
        line(out, 5, "</namedsort>");
    }

    /// The partitions whose classes are the members of this sort: mostly one.
    fn partitions_of(&mut self, own: SortId, out: &mut String) {
        let Sort::Enumeration { name, members, .. } = &self.net.sorts[own.0] else { return };
        self.partitions.resize(self.net.partitions.len(), String::new());
        let mut first = true;
        for (number, &(base, sort)) in self.net.partition_sorts.iter().enumerate() {
            if sort != own {
                continue;
            }
            let (id, classes) = match std::mem::take(&mut first) {
                true => (self.sorts[own.0].clone(), self.members[own.0].clone()),
                false => (self.ids.fresh(name), members.iter().map(|class| self.ids.fresh(class)).collect()),
            };
            line(out, 5, &format!("<partition id=\"{id}\" name=\"{}\">", escaped(name)));
            line(out, 6, &self.user_sort(base));
            for (class, (id, name)) in (0_u32..).zip(classes.iter().zip(members)) {
                line(out, 6, &format!("<partitionelement id=\"{id}\" name=\"{}\">", escaped(name)));
                let of = (0_u32..).zip(&self.net.partitions[number]);
                for (member, _) in of.filter(|(_, own)| **own == class) {
                    line(out, 7, &self.constant(base, member));
                }
                line(out, 6, "</partitionelement>");
            }
            line(out, 5, "</partition>");
            self.partitions[number] = id;
        }
    }

    pub(super) fn user_sort(&self, sort: SortId) -> String {
        format!("<usersort declaration=\"{}\"/>", self.sorts[sort.0])
    }

    fn places(&self, out: &mut String) {
        for place in &self.net.places {
            line(out, 3, &format!("<place id=\"{}\">", escaped(&place.id)));
            line(out, 4, &named(place.title.as_ref().unwrap_or(&place.name)));
            line(out, 4, &element("type", &element("structure", &self.user_sort(place.sort))));
            if place.initial != Term::Nothing {
                let marking = element("structure", &self.multiset(&place.initial, place.sort));
                line(out, 4, &element("hlinitialMarking", &marking));
            }
            line(out, 3, "</place>");
        }
    }

    fn transition(&self, transition: &ColouredTransition, out: &mut String) {
        line(out, 3, &format!("<transition id=\"{}\">", escaped(&transition.id)));
        line(out, 4, &named(transition.title.as_ref().unwrap_or(&transition.name)));
        if transition.guard != Condition::Constant(true) {
            let condition = element("structure", &self.condition(&transition.guard));
            line(out, 4, &element("condition", &condition));
        }
        line(out, 3, "</transition>");
    }

    fn arcs(&mut self, transition: &ColouredTransition, out: &mut String) {
        let lists = [
            (&transition.inputs, ""),
            (&transition.reads, "<type value=\"test\"/>"),
            (&transition.inhibitors, "<type value=\"inhibitor\"/>"),
        ];
        for (arcs, kind) in lists {
            for (place, term) in arcs {
                let ends = (self.net.places[*place].id.as_str(), transition.id.as_str());
                self.arc(ends, *place, term, kind, out);
            }
        }
        for (place, term) in &transition.outputs {
            let ends = (transition.id.as_str(), self.net.places[*place].id.as_str());
            self.arc(ends, *place, term, "", out);
        }
    }

    fn arc(&mut self, ends: (&str, &str), place: usize, term: &Term, kind: &str, out: &mut String) {
        let (source, target) = ends;
        let id = self.ids.fresh(&format!("{source}_{target}"));
        let (source, target) = (escaped(source), escaped(target));
        line(out, 3, &format!("<arc id=\"{id}\" source=\"{source}\" target=\"{target}\">"));
        let term = element("structure", &self.multiset(term, self.net.places[place].sort));
        line(out, 4, &element("hlinscription", &term));
        if !kind.is_empty() {
            line(out, 4, kind);
        }
        line(out, 3, "</arc>");
    }
}

/// `<finiteintrange start="0" end="3"/>`
pub(super) fn range(low: i64, high: i64) -> String {
    format!("<finiteintrange start=\"{low}\" end=\"{high}\"/>")
}
