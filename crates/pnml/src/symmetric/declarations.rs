//! Declared sorts, constants, variables and partitions.

use std::collections::BTreeMap;

use motet_source::{Problem, suggest};
use roxmltree::Node;

use crate::symmetric::{Cycle, Sort, SortId, SymmetricNet};
use crate::xml::{LIMIT_DEPTH, Reader, child, elements, tag};

/// The most members of one sort.
const LIMIT_MEMBERS: i64 = 1 << 24;

/// Names of a net and what they stand for.
#[derive(Default)]
pub(crate) struct Scope<'d> {
    /// Ids of named sorts and partitions, with where they are declared.
    declared: BTreeMap<&'d str, Node<'d, 'd>>,
    /// Ids of sorts that are known by now.
    pub(crate) sorts: BTreeMap<&'d str, SortId>,
    /// Ids of members of enumerations and partitions.
    pub(crate) constants: BTreeMap<&'d str, (SortId, u32)>,
    /// Ids of variables.
    pub(crate) variables: BTreeMap<&'d str, usize>,
    /// Ids of partitions: number, base sort and own sort.
    pub(crate) partitions: BTreeMap<&'d str, (usize, SortId, SortId)>,
}

/// The declarations of a net and of its pages.
pub(crate) fn declarations<'d>(
    net: Node<'d, 'd>,
    symmetric: &mut SymmetricNet,
    reader: &mut Reader<'_>,
) -> Scope<'d> {
    let mut scope = Scope::default();
    let mut all = Vec::new();
    collect(net, 0, &mut all);
    for node in &all {
        match tag(*node) {
            "namedsort" | "partition" => scope.declare(*node, reader),
            "variabledecl" => {}
            other => {
                let message = format!("declarations of kind `{other}` are not read here");
                reader.error("M1082", *node, message, "declare named sorts, partitions and variables");
            }
        }
    }
    for node in all.iter().filter(|node| tag(**node) != "variabledecl") {
        if let Some(id) = node.attribute("id") {
            scope.sort_of_id(id, *node, 0, symmetric, reader);
        }
    }
    for node in all.iter().filter(|node| tag(**node) == "variabledecl") {
        scope.variable(*node, symmetric, reader);
    }
    scope
}

/// The declarations inside `declaration/structure/declarations`, wherever they stand.
fn collect<'d>(node: Node<'d, 'd>, depth: usize, all: &mut Vec<Node<'d, 'd>>) {
    if depth > LIMIT_DEPTH {
        return;
    }
    for inner in elements(node) {
        match tag(inner) {
            "page" => collect(inner, depth + 1, all),
            "declaration" => {
                let structure = child(inner, "structure").unwrap_or(inner);
                let list = child(structure, "declarations").unwrap_or(structure);
                all.extend(elements(list).filter(|node| !["text", "graphics"].contains(&tag(*node))));
            }
            _ => {}
        }
    }
}

/// The name that a declaration has for people.
fn called(node: Node<'_, '_>) -> String {
    node.attribute("name").or_else(|| node.attribute("id")).unwrap_or_default().to_owned()
}

impl<'d> Scope<'d> {
    fn declare(&mut self, node: Node<'d, 'd>, reader: &mut Reader<'_>) {
        let Some(id) = reader.attribute(node, "id") else { return };
        if let Some(first) = self.declared.insert(id, node) {
            let first = reader.span(first);
            let problem = Problem::error(
                "M1084",
                reader.span(node),
                format!("the sort `{id}` is declared twice"),
                "ids are unique in the whole file",
            );
            reader.push(problem.also(first, "the first one"));
        }
    }

    /// The sort that a `usersort` refers to.
    fn sort_of_id(
        &mut self,
        id: &str,
        at: Node<'_, '_>,
        depth: usize,
        net: &mut SymmetricNet,
        reader: &mut Reader<'_>,
    ) -> Option<SortId> {
        if let Some(&sort) = self.sorts.get(id) {
            return Some(sort);
        }
        let Some((&id, &node)) = self.declared.get_key_value(id) else {
            let help = match suggest(id, self.declared.keys().copied()) {
                Some(near) => format!("did you mean `{near}`"),
                None => "declare it with `namedsort`".to_owned(),
            };
            reader.error("M1087", at, format!("there is no sort `{id}`"), help);
            return None;
        };
        if depth > LIMIT_DEPTH {
            reader.error("M1087", node, format!("the sort `{id}` is made of itself"), "break the circle");
            return None;
        }
        let sort = match tag(node) {
            "partition" => self.partition(id, node, depth, net, reader)?,
            _ => {
                let Some(inner) = elements(node).find(|inner| tag(*inner) != "text") else {
                    reader.error(
                        "M1087",
                        node,
                        format!("the sort `{id}` says nothing"),
                        "write a sort inside",
                    );
                    return None;
                };
                self.sort(inner, Some(called(node)), depth + 1, net, reader)?
            }
        };
        self.sorts.insert(id, sort);
        net.names.push((called(node), sort));
        Some(sort)
    }

    /// The sort that an element says. `name` is that of the declaration around it.
    pub(crate) fn sort(
        &mut self,
        node: Node<'d, 'd>,
        name: Option<String>,
        depth: usize,
        net: &mut SymmetricNet,
        reader: &mut Reader<'_>,
    ) -> Option<SortId> {
        if depth > LIMIT_DEPTH {
            reader.error("M1087", node, "this sort is made of itself or nests too deep", "break the circle");
            return None;
        }
        match tag(node) {
            "dot" => Some(net.intern(Sort::Dot)),
            "bool" => Some(net.intern(Sort::truth())),
            "usersort" => {
                let id = reader.attribute(node, "declaration")?;
                self.sort_of_id(id, node, depth + 1, net, reader)
            }
            "cyclicenumeration" => self.enumeration(node, name, Cycle::Ring, net, reader),
            "finiteenumeration" => self.enumeration(node, name, Cycle::Line, net, reader),
            "finiteintrange" => {
                let sort = range(node, reader)?;
                Some(net.intern(sort))
            }
            "productsort" => {
                let parts = elements(node).filter(|part| tag(*part) != "text");
                let parts: Vec<_> = parts.map(|part| self.sort(part, None, depth + 1, net, reader)).collect();
                let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
                Some(net.intern(Sort::Product(parts)))
            }
            "multisetsort" => {
                let inner = elements(node).find(|inner| tag(*inner) != "text");
                inner.and_then(|inner| self.sort(inner, name, depth + 1, net, reader))
            }
            other => {
                let message = format!("`{other}` is no sort of a symmetric net");
                let help = "use dot, enumerations, ranges of numbers and products of them";
                reader.error("M1082", node, message, help);
                None
            }
        }
    }

    fn enumeration(
        &mut self,
        node: Node<'d, 'd>,
        name: Option<String>,
        cycle: Cycle,
        net: &mut SymmetricNet,
        reader: &mut Reader<'_>,
    ) -> Option<SortId> {
        let constants: Vec<Node<'d, 'd>> =
            elements(node).filter(|inner| tag(*inner) == "feconstant").collect();
        if constants.is_empty() {
            reader.error("M1087", node, "this sort has no members", "give it at least one `feconstant`");
            return None;
        }
        let members = constants.iter().map(|constant| called(*constant)).collect();
        // Enumerations that look alike are different sorts, unless one of them was never named.
        let name = name.unwrap_or_else(|| format!("sort{}", net.sorts.len() + 1));
        let sort = net.intern(Sort::Enumeration { name, members, cycle });
        self.constants(&constants, sort, reader);
        Some(sort)
    }

    fn constants(&mut self, nodes: &[Node<'d, 'd>], sort: SortId, reader: &mut Reader<'_>) {
        for (number, node) in (0_u32..).zip(nodes) {
            let Some(id) = reader.attribute(*node, "id") else { continue };
            if self.constants.insert(id, (sort, number)).is_some() {
                let message = format!("the constant `{id}` is declared twice");
                reader.error("M1084", *node, message, "ids are unique in the whole file");
            }
        }
    }

    /// A partition is a sort whose values are its classes.
    fn partition(
        &mut self,
        id: &'d str,
        node: Node<'d, 'd>,
        depth: usize,
        net: &mut SymmetricNet,
        reader: &mut Reader<'_>,
    ) -> Option<SortId> {
        let base = elements(node).find(|inner| ["usersort", "finiteintrange"].contains(&tag(*inner)));
        let Some(base) = base else {
            reader.error(
                "M1087",
                node,
                format!("the partition `{id}` divides nothing"),
                "name its sort first",
            );
            return None;
        };
        let base = self.sort(base, None, depth + 1, net, reader)?;
        let classes: Vec<Node<'d, 'd>> =
            elements(node).filter(|inner| tag(*inner) == "partitionelement").collect();
        let size = net.size(base).filter(|size| i64::from(*size) <= LIMIT_MEMBERS);
        let Some(size) = size.and_then(|size| usize::try_from(size).ok()) else {
            let message = format!("the sort that `{id}` divides is too large");
            reader.error("M1087", node, message, format!("a sort has at most {LIMIT_MEMBERS} members"));
            return None;
        };
        let class_of = self.classes(id, base, size, &classes, net, reader);
        let members = classes.iter().map(|class| called(*class)).collect();
        let own = net.intern(Sort::Enumeration { name: called(node), members, cycle: Cycle::Line });
        self.constants(&classes, own, reader);
        self.partitions.insert(id, (net.partitions.len(), base, own));
        net.partitions.push(class_of);
        net.partition_sorts.push((base, own));
        Some(own)
    }

    /// Per member of the divided sort its class. Every member is in exactly one (ISO/IEC 15909-2, partitions).
    fn classes(
        &mut self,
        id: &str,
        base: SortId,
        size: usize,
        classes: &[Node<'d, 'd>],
        net: &mut SymmetricNet,
        reader: &mut Reader<'_>,
    ) -> Vec<u32> {
        let mut class_of: Vec<Option<u32>> = vec![None; size];
        let mut sound = true;
        for (number, class) in (0_u32..).zip(classes) {
            for member in elements(*class).filter(|inner| !["name", "toolspecific"].contains(&tag(*inner))) {
                let Some((sort, value)) = self.member(member, net, reader) else {
                    sound = false;
                    continue;
                };
                let (message, help) = if sort != base {
                    let message = "this constant is not of the sort that is divided".to_owned();
                    (message, "list constants of the sort of the partition")
                } else if class_of[value as usize].replace(number).is_some() {
                    (format!("`{}` is listed twice in `{id}`", net.value_text(base, value)), "list it once")
                } else {
                    continue;
                };
                sound = false;
                reader.error("M1090", member, message, help);
            }
        }
        if let (true, Some(value), Some(first)) =
            (sound, (0_u32..).zip(&class_of).find(|(_, class)| class.is_none()), classes.first())
        {
            let message = format!("`{}` is in no class of `{id}`", net.value_text(base, value.0));
            reader.error("M1090", first.parent().unwrap_or(*first), message, "list it in one of the classes");
        }
        // A member without a class was told, and what follows is read to tell more.
        class_of.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// What a class lists: a named constant, or a number of a range.
    fn member(
        &self,
        node: Node<'d, 'd>,
        net: &mut SymmetricNet,
        reader: &mut Reader<'_>,
    ) -> Option<(SortId, u32)> {
        match tag(node) {
            "useroperator" => self.constant(node, reader),
            "finiteintrangeconstant" => number_of_range(node, net, reader),
            other => {
                let message = format!("`{other}` is not read as a member of a class");
                let help = "list named constants, `useroperator`, or numbers, `finiteintrangeconstant`";
                reader.error("M1090", node, message, help);
                None
            }
        }
    }

    fn variable(&mut self, node: Node<'d, 'd>, net: &mut SymmetricNet, reader: &mut Reader<'_>) {
        let Some(id) = reader.attribute(node, "id") else { return };
        let Some(sort) = elements(node).find(|inner| tag(*inner) != "text") else {
            let message = format!("the variable `{id}` has no sort");
            return reader.error("M1087", node, message, "write a sort inside");
        };
        let Some(sort) = self.sort(sort, None, 0, net, reader) else { return };
        if self.variables.insert(id, net.variables.len()).is_some() {
            let message = format!("the variable `{id}` is declared twice");
            reader.error("M1084", node, message, "ids are unique in the whole file");
        }
        net.variables.push((called(node), sort));
    }

    /// The constant that a `useroperator` refers to.
    pub(crate) fn constant(&self, node: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<(SortId, u32)> {
        let id = reader.attribute(node, "declaration")?;
        let found = self.constants.get(id).copied();
        if found.is_none() {
            let help = match suggest(id, self.constants.keys().copied()) {
                Some(near) => format!("did you mean `{near}`"),
                None => "constants are the members of declared enumerations".to_owned(),
            };
            reader.error("M1089", node, format!("there is no constant `{id}`"), help);
        }
        found
    }
}

/// The number in the attribute `value`.
pub(crate) fn whole(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<i64> {
    let text = reader.attribute(node, "value")?;
    let number = text.trim().parse().ok();
    if number.is_none() {
        reader.error("M1086", node, format!("`{text}` is no whole number"), "write a whole number");
    }
    number
}

/// `<finiteintrangeconstant value="2"><finiteintrange start="1" end="3"/></finiteintrangeconstant>`
pub(crate) fn number_of_range(
    node: Node<'_, '_>,
    net: &mut SymmetricNet,
    reader: &mut Reader<'_>,
) -> Option<(SortId, u32)> {
    let value = whole(node, reader)?;
    let Some(inner) = child(node, "finiteintrange") else {
        let message = "this constant does not say of which range it is";
        reader.error("M1087", node, message, "put a `finiteintrange` inside");
        return None;
    };
    let sort = range(inner, reader)?;
    let Sort::Range(low, high) = sort else { return None };
    if !(low..=high).contains(&value) {
        let message = format!("{value} is not between {low} and {high}");
        reader.error("M1090", node, message, "a constant lies within its range");
        return None;
    }
    let offset = u32::try_from(value - low).ok()?;
    Some((net.intern(sort), offset))
}

/// `<finiteintrange start="0" end="3"/>`
pub(crate) fn range(node: Node<'_, '_>, reader: &mut Reader<'_>) -> Option<Sort> {
    let mut end = |name: &str| -> Option<i64> {
        let text = reader.attribute(node, name)?;
        let number = text.trim().parse().ok();
        if number.is_none() {
            let message = format!("`{text}` is no whole number");
            reader.error("M1086", node, message, "write the ends of a range as whole numbers");
        }
        number
    };
    let (low, high) = (end("start"), end("end"));
    let (low, high) = (low?, high?);
    let size = high.checked_sub(low).and_then(|size| size.checked_add(1));
    if !size.is_some_and(|size| (1..=LIMIT_MEMBERS).contains(&size)) {
        let message = format!("the range from {low} to {high} is empty or too large");
        let help = format!("a range has 1 to {LIMIT_MEMBERS} members");
        reader.error("M1087", node, message, help);
        return None;
    }
    Some(Sort::Range(low, high))
}
