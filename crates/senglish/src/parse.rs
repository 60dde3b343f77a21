//! Texts to trees. Reading never fails: what cannot be read becomes a problem, and reading goes on behind it.

mod cursor;
mod formula;
mod numbers;
mod ontology;
mod perception;
mod plans;
mod procedure;
mod sections;
mod tokens;

use motet_source::{FileId, Problems};

use crate::syntax::{OntologyTree, ProcedureTree, ReasoningTree};

/// Reads a reasoning file.
#[must_use]
pub fn parse_reasoning(file: FileId, text: &str) -> (ReasoningTree, Problems) {
    sections::read(file, text)
}

/// Reads an action file.
#[must_use]
pub fn parse_procedure(file: FileId, text: &str) -> (ProcedureTree, Problems) {
    procedure::read(file, text)
}

/// Reads an ontology.
#[must_use]
pub fn parse_ontology(file: FileId, text: &str) -> (OntologyTree, Problems) {
    ontology::read(file, text)
}
