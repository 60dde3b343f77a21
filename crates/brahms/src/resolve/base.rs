//! Names that every model has without declaring them: the base library and the names of the language itself.

use crate::syntax::ConceptKind;

/// Groups, classes and area definitions of the base library, each with its parent.
pub(crate) const TYPES: &[(ConceptKind, &str, &str)] = &[
    (ConceptKind::Group, "BaseGroup", ""),
    (ConceptKind::Group, "SystemGroup", "BaseGroup"),
    (ConceptKind::Class, "BaseClass", ""),
    (ConceptKind::Class, "SystemClass", "BaseClass"),
    (ConceptKind::Class, "Clock", "BaseClass"),
    (ConceptKind::Class, "CommunicativeAct", "BaseClass"),
    (ConceptKind::AreaDefinition, "BaseAreaDef", ""),
    (ConceptKind::AreaDefinition, "World", "BaseAreaDef"),
    (ConceptKind::AreaDefinition, "City", "BaseAreaDef"),
    (ConceptKind::AreaDefinition, "Building", "BaseAreaDef"),
    (ConceptKind::ConceptualClass, "BaseConceptualClass", ""),
];

/// What a concept without parents descends from.
pub(crate) fn root(kind: ConceptKind) -> &'static str {
    match kind {
        ConceptKind::Group | ConceptKind::Agent | ConceptKind::ExternalAgent => "BaseGroup",
        ConceptKind::Class | ConceptKind::Object => "BaseClass",
        ConceptKind::ConceptualClass | ConceptKind::ConceptualObject => "BaseConceptualClass",
        ConceptKind::AreaDefinition | ConceptKind::Area => "BaseAreaDef",
    }
}

/// What a name of the language itself, used as a type, ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meta {
    /// Entities of these roots.
    Entities(&'static [&'static str]),
    /// Groups, classes and so on; nothing can be bound to them.
    Types,
}

/// `Agent`, `Object`, `Concept` and so on.
pub(crate) fn meta(name: &str) -> Option<Meta> {
    Some(match name {
        "Agent" => Meta::Entities(&["BaseGroup"]),
        "Object" => Meta::Entities(&["BaseClass"]),
        "Area" | "GeographyConcept" => Meta::Entities(&["BaseAreaDef"]),
        "ConceptualObject" | "ConceptualConcept" => Meta::Entities(&["BaseConceptualClass"]),
        "ActiveInstance" | "ActiveConcept" => Meta::Entities(&["BaseGroup", "BaseClass"]),
        "Concept" | "Instance" => {
            Meta::Entities(&["BaseGroup", "BaseClass", "BaseAreaDef", "BaseConceptualClass"])
        }
        "Group" | "Class" | "AreaDef" | "ConceptualClass" | "ActiveClass" => Meta::Types,
        _ => return None,
    })
}

/// All names of [`meta`], for suggestions.
pub(crate) const META_NAMES: &[&str] = &[
    "Agent",
    "Object",
    "Area",
    "ConceptualObject",
    "Concept",
    "Group",
    "Class",
    "AreaDef",
    "ConceptualClass",
];

/// Activities of the base library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Native {
    /// Shows its arguments.
    Print,
    /// Shows beliefs.
    PrintBelief,
    /// Would read a file.
    Read,
    /// Forgets beliefs.
    Retract,
}

/// The activity of the base library with this name.
pub(crate) fn native(name: &str) -> Option<Native> {
    Some(match name {
        "print" | "println" | "println_c" | "println_n" => Native::Print,
        "printBelief" | "printBeliefs" => Native::PrintBelief,
        "readBeliefs" => Native::Read,
        "retractBelief" | "retractBeliefs" => Native::Retract,
        _ => return None,
    })
}

/// All names of [`native`], for suggestions.
pub(crate) const NATIVE_NAMES: &[&str] = &[
    "print",
    "println",
    "println_c",
    "println_n",
    "printBelief",
    "printBeliefs",
    "readBeliefs",
    "retractBelief",
    "retractBeliefs",
];
