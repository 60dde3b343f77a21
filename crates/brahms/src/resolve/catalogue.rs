//! All concepts of all files: who is declared where, which name means whom in which file, and who descends from whom.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use motet_source::{Problem, Problems, Span, suggest};

use super::base;
use crate::program::{EntityId, TypeId};
use crate::syntax::{Concept, ConceptKind, Declaration, Name, PathDeclaration, Unit};

/// The number of a concept in the catalogue.
pub(crate) type ConceptId = usize;

/// A concept of some file, or of the base library.
pub(crate) struct Entry<'a> {
    /// The text; none for the base library and for concepts whose file is missing.
    pub(crate) tree: Option<&'a Concept>,
    /// The file it is declared in; names in its text are looked up from there.
    pub(crate) unit: usize,
    /// What it is.
    pub(crate) kind: ConceptKind,
    /// Its short name.
    pub(crate) name: String,
    /// Its name with the package.
    pub(crate) qualified: String,
    /// Direct parents.
    pub(crate) parents: Vec<ConceptId>,
    /// Itself, then its parents breadth first, left to right.
    pub(crate) ancestors: Vec<ConceptId>,
    /// Its number as an entity.
    pub(crate) entity: Option<EntityId>,
    /// Its number as a type.
    pub(crate) kind_id: Option<TypeId>,
    /// Whether its text is missing, so that nothing is known of its attributes.
    pub(crate) opaque: bool,
}

/// Whether a kind is a type rather than an entity.
pub(crate) fn is_type(kind: ConceptKind) -> bool {
    matches!(
        kind,
        ConceptKind::Group | ConceptKind::Class | ConceptKind::ConceptualClass | ConceptKind::AreaDefinition
    )
}

/// As messages call it, with its article.
pub(crate) fn one(kind: ConceptKind) -> String {
    let noun = noun(kind);
    format!("{} {noun}", if noun.starts_with(['a', 'e', 'o']) { "an" } else { "a" })
}

/// As messages call it.
pub(crate) fn noun(kind: ConceptKind) -> &'static str {
    match kind {
        ConceptKind::Group => "group",
        ConceptKind::Agent => "agent",
        ConceptKind::ExternalAgent => "external agent",
        ConceptKind::Class => "class",
        ConceptKind::Object => "object",
        ConceptKind::ConceptualClass => "conceptual class",
        ConceptKind::ConceptualObject => "conceptual object",
        ConceptKind::AreaDefinition => "area definition",
        ConceptKind::Area => "area",
    }
}

/// Which half of the names is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Half {
    /// Agents, objects, areas, conceptual objects.
    Entities,
    /// Groups, classes, area definitions, conceptual classes.
    Types,
}

impl Half {
    fn has(self, kind: ConceptKind) -> bool {
        is_type(kind) == (self == Self::Types)
    }
}

/// What a name means.
pub(crate) enum Found {
    /// This concept.
    One(ConceptId),
    /// Several, and the file does not say which.
    Many(Vec<ConceptId>),
    /// Nothing that is known.
    None,
}

/// How a file sees other packages.
struct Outlook {
    package: String,
    named: Vec<String>,
    whole: Vec<String>,
    /// Whether it imports a package none of whose files is here.
    beyond: bool,
}

/// All concepts.
pub(crate) struct Catalogue<'a> {
    /// The concepts, those of the files first, in the order of declaration.
    pub(crate) entries: Vec<Entry<'a>>,
    /// The paths with the files they are in.
    pub(crate) paths: Vec<(usize, &'a PathDeclaration)>,
    outlooks: Vec<Outlook>,
    short: BTreeMap<String, Vec<ConceptId>>,
    /// Names of missing concepts that were already spoken of.
    missing: BTreeMap<(String, bool), ConceptId>,
}

impl<'a> Catalogue<'a> {
    /// Collects and links the concepts of all files.
    pub(crate) fn new(units: &'a [Unit], problems: &mut Problems) -> Self {
        let mut catalogue = Self {
            entries: Vec::new(),
            paths: Vec::new(),
            outlooks: outlooks(units),
            short: BTreeMap::new(),
            missing: BTreeMap::new(),
        };
        for (number, unit) in units.iter().enumerate() {
            for declaration in &unit.declarations {
                match declaration {
                    Declaration::Concept(concept) => catalogue.declare(number, concept, problems),
                    Declaration::Path(path) => catalogue.paths.push((number, path)),
                }
            }
        }
        let declared = catalogue.entries.len();
        catalogue.add_base();
        for concept in 0..declared {
            catalogue.link(concept, problems);
        }
        catalogue.cut_cycles(problems);
        for concept in 0..catalogue.entries.len() {
            let ancestors = catalogue.linearise(concept);
            catalogue.entries[concept].ancestors = ancestors;
        }
        catalogue
    }

    fn declare(&mut self, unit: usize, tree: &'a Concept, problems: &mut Problems) {
        let name = &tree.name.node;
        let package = &self.outlooks[unit].package;
        let qualified = if package.is_empty() { name.clone() } else { format!("{package}.{name}") };
        let same_half = |entry: &Entry<'_>| is_type(entry.kind) == is_type(tree.kind);
        let known = self.short.get(name).into_iter().flatten();
        let earlier = known
            .map(|concept| &self.entries[*concept])
            .find(|entry| entry.qualified == qualified && same_half(entry));
        if let Some(earlier) = earlier {
            let message = format!("`{name}` is declared twice");
            let mut problem =
                Problem::error("M0721", tree.name.span, message, "rename one of them, or join the two")
                    .label("declared again");
            if let Some(tree) = earlier.tree {
                problem = problem.also(tree.name.span, "first declared here");
            }
            problems.push(problem);
            return;
        }
        self.push(Entry {
            tree: Some(tree),
            unit,
            kind: tree.kind,
            name: name.clone(),
            qualified,
            parents: Vec::new(),
            ancestors: Vec::new(),
            entity: None,
            kind_id: None,
            opaque: false,
        });
    }

    fn push(&mut self, entry: Entry<'a>) -> ConceptId {
        let concept = self.entries.len();
        self.short.entry(entry.name.clone()).or_default().push(concept);
        self.entries.push(entry);
        concept
    }

    /// A model that declares `Clock` itself means its own; the library's is then not there.
    fn add_base(&mut self) {
        for (kind, name, _) in base::TYPES {
            if !self.short.get(*name).into_iter().flatten().any(|known| self.entries[*known].kind == *kind) {
                self.push(library(*kind, name));
            }
        }
        for (kind, name, parent) in base::TYPES {
            let find = |wanted: &str| {
                let known = self.short.get(wanted).into_iter().flatten().copied();
                known.into_iter().find(|concept| self.entries[*concept].kind == *kind)
            };
            let (Some(concept), Some(parent)) = (find(name), find(parent)) else { continue };
            if self.entries[concept].tree.is_none() {
                self.entries[concept].parents.push(parent);
            }
        }
    }

    fn link(&mut self, concept: ConceptId, problems: &mut Problems) {
        let Some(tree) = self.entries[concept].tree else { return };
        let kind = self.entries[concept].kind;
        let unit = self.entries[concept].unit;
        let mut parents = Vec::new();
        for name in &tree.parents {
            let Some(parent) = self.type_named(unit, name, Some(kind), problems) else { continue };
            let wanted = parent_kind(kind);
            let found = self.entries[parent].kind;
            if found != wanted {
                let message = format!("`{}` is {}, not {}", name.node, one(found), one(wanted));
                let help = format!("{} descends from {}", one(kind), one(wanted));
                problems.push(Problem::error("M0724", name.span, message, help));
            } else if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        if parents.is_empty() {
            let root = self.base(base::root(kind));
            parents.extend(root.filter(|root| *root != concept));
        }
        self.entries[concept].parents = parents;
    }

    /// The concept of the base library with this name.
    pub(crate) fn base(&self, name: &str) -> Option<ConceptId> {
        self.short
            .get(name)
            .into_iter()
            .flatten()
            .copied()
            .find(|concept| is_type(self.entries[*concept].kind))
    }

    /// The type that a text names; says what is wrong otherwise. A name that an import promises but no file declares is
    /// taken as an empty type of the wanted kind.
    pub(crate) fn type_named(
        &mut self,
        unit: usize,
        name: &Name,
        child: Option<ConceptKind>,
        problems: &mut Problems,
    ) -> Option<ConceptId> {
        match self.find(unit, &name.node, Half::Types) {
            Found::One(concept) => return Some(concept),
            Found::Many(several) => {
                problems.push(self.ambiguous(name, &several));
                return several.first().copied();
            }
            Found::None => {}
        }
        let kind = parent_kind(child.unwrap_or(ConceptKind::Agent));
        if self.promised(unit, &name.node) {
            return Some(self.missing(name, kind, problems));
        }
        problems.push(self.unknown_type(unit, name));
        None
    }

    fn ambiguous(&self, name: &Name, several: &[ConceptId]) -> Problem {
        let names: Vec<String> =
            several.iter().map(|concept| format!("`{}`", self.entries[*concept].qualified)).collect();
        let message = format!("`{}` may be any of {}", name.node, names.join(", "));
        let help = "write the name with its package, or import the one that is meant";
        Problem::error("M0723", name.span, message, help)
    }

    fn unknown_type(&self, unit: usize, name: &Name) -> Problem {
        if let Found::One(entity) = self.find(unit, &name.node, Half::Entities) {
            let kind = one(self.entries[entity].kind);
            let message = format!("`{}` is {kind}, not a group or class", name.node);
            return Problem::error(
                "M0720",
                name.span,
                message,
                "name a group, class or area definition here",
            );
        }
        let known = self.names(Half::Types);
        let help = match suggest(&name.node, known.iter().copied().chain(base::META_NAMES.iter().copied())) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "declare it, or add the file that declares it to the model".to_owned(),
        };
        let message = format!("there is no group, class or area definition `{}`", name.node);
        Problem::error("M0720", name.span, message, help).label("not declared")
    }

    /// Whether another concept of the same half has the same short name.
    pub(crate) fn shares_name(&self, concept: ConceptId) -> bool {
        let entry = &self.entries[concept];
        let known = self.short.get(&entry.name).into_iter().flatten();
        known
            .into_iter()
            .any(|other| *other != concept && is_type(self.entries[*other].kind) == is_type(entry.kind))
    }

    /// All short names of one half.
    pub(crate) fn names(&self, half: Half) -> BTreeSet<&str> {
        let wanted = self.entries.iter().filter(|entry| half.has(entry.kind));
        wanted.map(|entry| entry.name.as_str()).collect()
    }

    /// Whether an import speaks of this name, or of a package that is not here at all.
    pub(crate) fn promised(&self, unit: usize, name: &str) -> bool {
        let outlook = &self.outlooks[unit];
        outlook.beyond
            || outlook.named.iter().any(|import| import == name || import.rsplit('.').next() == Some(name))
    }

    /// An empty concept for one whose file is not here.
    fn missing(&mut self, name: &Name, kind: ConceptKind, problems: &mut Problems) -> ConceptId {
        let key = (name.node.clone(), is_type(kind));
        if let Some(known) = self.missing.get(&key) {
            return *known;
        }
        let message = format!("`{}` is imported, but its file is not here", name.node);
        let help = format!("add the file that declares it; it is taken as an empty {}", noun(kind));
        problems.push(Problem::warning("M0726", name.span, message, help));
        let short = name.node.rsplit('.').next().unwrap_or(&name.node).to_owned();
        let mut entry = library(kind, &short);
        entry.qualified.clone_from(&name.node);
        entry.opaque = true;
        entry.parents.extend(self.base(base::root(kind)));
        let concept = self.push(entry);
        self.entries[concept].ancestors = self.linearise(concept);
        self.missing.insert(key, concept);
        concept
    }

    /// What a name means in a file: own package, imports, the base library; failing these, the only one of that name.
    pub(crate) fn find(&self, unit: usize, name: &str, half: Half) -> Found {
        let short = name.rsplit('.').next().unwrap_or(name);
        let fits = |concept: &&ConceptId| half.has(self.entries[**concept].kind);
        let all: Vec<ConceptId> = self.short.get(short).into_iter().flatten().filter(fits).copied().collect();
        if short.len() < name.len() {
            let exact = all.iter().copied().find(|concept| self.entries[*concept].qualified == name);
            let library = || all.iter().copied().find(|concept| self.entries[*concept].tree.is_none());
            return exact.or_else(library).map_or(Found::None, Found::One);
        }
        let outlook = &self.outlooks[unit];
        let package = |concept: &ConceptId| {
            let entry = &self.entries[*concept];
            entry.qualified.strip_suffix(&entry.name).unwrap_or("").trim_end_matches('.').to_owned()
        };
        let steps: [&dyn Fn(&ConceptId) -> bool; 4] = [
            &|concept| self.entries[*concept].tree.is_some() && package(concept) == outlook.package,
            &|concept| outlook.named.contains(&self.entries[*concept].qualified),
            &|concept| outlook.whole.contains(&package(concept)),
            &|concept| self.entries[*concept].tree.is_none(),
        ];
        for step in steps {
            let seen: Vec<ConceptId> = all.iter().copied().filter(|concept| step(concept)).collect();
            match seen.as_slice() {
                [] => {}
                [one] => return Found::One(*one),
                _ => return Found::Many(seen),
            }
        }
        match all.as_slice() {
            [] => Found::None,
            [one] => Found::One(*one),
            _ => Found::Many(all),
        }
    }

    /// The entity that a name means; ambiguity is said by the caller's error about an unknown name.
    pub(crate) fn entity(&self, unit: usize, name: &str) -> Option<ConceptId> {
        match self.find(unit, name, Half::Entities) {
            Found::One(concept) => Some(concept),
            Found::Many(several) => several.first().copied(),
            Found::None => None,
        }
    }

    /// Says that a name may mean several entities.
    pub(crate) fn check_ambiguity(&self, unit: usize, name: &str, span: Span, problems: &mut Problems) {
        if let Found::Many(several) = self.find(unit, name, Half::Entities) {
            problems.push(self.ambiguous(&Name::new(name.to_owned(), span), &several));
        }
    }

    fn cut_cycles(&mut self, problems: &mut Problems) {
        for concept in 0..self.entries.len() {
            if !self.reaches_itself(concept) {
                continue;
            }
            if let Some(tree) = self.entries[concept].tree {
                let message = format!("`{}` descends from itself", tree.name.node);
                let help = "take one of the parents out of the circle";
                problems.push(Problem::error("M0725", tree.name.span, message, help));
            }
            self.entries[concept].parents.clear();
        }
    }

    fn reaches_itself(&self, start: ConceptId) -> bool {
        let mut seen = vec![false; self.entries.len()];
        let mut open: Vec<ConceptId> = self.entries[start].parents.clone();
        while let Some(concept) = open.pop() {
            if concept == start {
                return true;
            }
            if !std::mem::replace(&mut seen[concept], true) {
                open.extend(&self.entries[concept].parents);
            }
        }
        false
    }

    fn linearise(&self, start: ConceptId) -> Vec<ConceptId> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.entries.len()];
        let mut open = VecDeque::from([start]);
        while let Some(concept) = open.pop_front() {
            if !std::mem::replace(&mut seen[concept], true) {
                order.push(concept);
                open.extend(&self.entries[concept].parents);
            }
        }
        order
    }
}

/// What the parents of a concept must be.
fn parent_kind(child: ConceptKind) -> ConceptKind {
    match child {
        ConceptKind::Group | ConceptKind::Agent | ConceptKind::ExternalAgent => ConceptKind::Group,
        ConceptKind::Class | ConceptKind::Object => ConceptKind::Class,
        ConceptKind::ConceptualClass | ConceptKind::ConceptualObject => ConceptKind::ConceptualClass,
        ConceptKind::AreaDefinition | ConceptKind::Area => ConceptKind::AreaDefinition,
    }
}

fn library<'a>(kind: ConceptKind, name: &str) -> Entry<'a> {
    Entry {
        tree: None,
        unit: 0,
        kind,
        name: name.to_owned(),
        qualified: name.to_owned(),
        parents: Vec::new(),
        ancestors: Vec::new(),
        entity: None,
        kind_id: None,
        opaque: false,
    }
}

fn outlooks(units: &[Unit]) -> Vec<Outlook> {
    let package = |unit: &Unit| unit.package.as_ref().map_or(String::new(), |name| name.node.clone());
    let packages: BTreeSet<String> = units.iter().map(package).collect();
    let outlook = |unit: &Unit| {
        let imports = unit.imports.iter().filter(|import| !import.java);
        let (whole, named): (Vec<_>, Vec<_>) = imports.partition(|import| import.all);
        let names = |list: Vec<&crate::syntax::Import>| -> Vec<String> {
            list.into_iter().map(|import| import.name.node.clone()).collect()
        };
        let whole = names(whole);
        // `import *` is everything that is here; the base library is known without a file.
        let absent =
            |name: &String| !name.is_empty() && !packages.contains(name) && !name.starts_with("brahms.base");
        let beyond = whole.iter().any(absent);
        Outlook { package: package(unit), named: names(named), whole, beyond }
    };
    units.iter().map(outlook).collect()
}
