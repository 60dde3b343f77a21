//! What role models and operations exchange: one record, through the ports `request` and `reply`.

use motet_source::{Problem, Problems, Span};

use super::sorts::Declared;
use crate::syntax::{Field, Item, Text, TypeText};

/// The record of requests.
pub(super) struct Requests {
    /// As the port names it.
    pub(super) sort: TypeText,
    /// Its fields.
    pub(super) fields: Vec<Field>,
}

impl Requests {
    /// Finds the record, or says at `span` what is missing.
    pub(super) fn find(
        text: &Text,
        declared: &Declared,
        span: Span,
        problems: &mut Problems,
    ) -> Option<Self> {
        let port = |wanted: &str| {
            text.items.iter().find_map(|item| match item {
                Item::Port(port) if port.name.node == wanted => Some(port),
                _ => None,
            })
        };
        let help = "declare `type Op = (user: NAME, action: ACTION, content: NAME);`, `port request(op: Op);` and \
                    `port reply(op: Op);`";
        let (Some(request), Some(_)) = (port("request"), port("reply")) else {
            let missing = if port("request").is_none() { "request" } else { "reply" };
            let message =
                format!("roles and operations speak through the port `{missing}`, which is missing");
            problems.push(Problem::error("M1070", span, message, help));
            return None;
        };
        let fields = match &request.fields[..] {
            [field] => declared.record(&field.sort).map(|fields| (field.sort.clone(), fields.to_vec())),
            _ => None,
        };
        let has = |fields: &[Field], name: &str| fields.iter().any(|field| field.name.node == name);
        match fields {
            Some((sort, fields)) if has(&fields, "action") && has(&fields, "content") => {
                Some(Self { sort, fields })
            }
            _ => {
                let message =
                    "the port `request` must carry one record with the fields `action` and `content`";
                let problem = Problem::error("M1070", span, message, help);
                problems.push(problem.also(request.name.span, "this port"));
                None
            }
        }
    }

    /// The sort of a field.
    pub(super) fn field(&self, name: &str) -> Option<&TypeText> {
        self.fields.iter().find(|field| field.name.node == name).map(|field| &field.sort)
    }
}
