//! Translations for other checkers: the text itself for Storm and PRISM, none for Spin.

use std::collections::BTreeMap;
use std::sync::Arc;

use motet_model::{AtomId, Explorer, Export, PrismText, PromelaClaim, State};
use motet_source::{Problem, Span};

use crate::atoms::Meant;
use crate::fold::Value;
use crate::print;
use crate::semantics::Semantics;
use crate::syntax::Text;

/// The model as text.
pub(crate) struct Printed {
    pub(crate) semantics: Arc<Semantics>,
    pub(crate) text: Arc<Text>,
    pub(crate) atoms: Vec<Meant>,
    /// Constants with values from outside; the others are printed as they are written.
    pub(crate) bound: Vec<(String, String)>,
    pub(crate) place: Span,
}

impl Printed {
    fn atom(&self, atom: &Meant) -> String {
        match atom {
            Meant::Expression(expression) => print::expression(expression, &BTreeMap::new()),
            Meant::Initial => {
                let states: Vec<String> =
                    self.semantics.program.initial.iter().map(|state| self.state(state)).collect();
                states.join(" | ")
            }
            Meant::Deadlock => self.deadlock(),
        }
    }

    /// `s = 0 & b = true`
    fn state(&self, state: &State) -> String {
        let variables = self.semantics.program.variables.iter().zip(state);
        let values: Vec<String> = variables
            .map(|(variable, value)| format!("{} = {}", variable.name, variable.shown(*value)))
            .collect();
        if values.is_empty() { "true".to_owned() } else { format!("({})", values.join(" & ")) }
    }

    /// No pattern has an enabled command for each of its parts.
    fn deadlock(&self) -> String {
        let guard = |command: &crate::program::CommandId| {
            let text = &self.semantics.program.commands[command.index()].text;
            let end = text.find(" -> ").unwrap_or(text.len());
            let start = text.find("] ").map_or(0, |at| at + 2);
            format!("({})", &text[start..end])
        };
        let ways: Vec<String> = self
            .semantics
            .plan
            .ways
            .iter()
            .map(|way| {
                let parts: Vec<String> = way
                    .parts
                    .iter()
                    .map(|seat| {
                        format!("({})", seat.commands.iter().map(guard).collect::<Vec<_>>().join(" | "))
                    })
                    .collect();
                format!("({})", parts.join(" & "))
            })
            .collect();
        if ways.is_empty() { "true".to_owned() } else { format!("!({})", ways.join(" | ")) }
    }
}

impl Export for Printed {
    fn promela_atom(&self, atom: AtomId) -> String {
        format!("atom_{}", atom.0)
    }

    fn promela(&self, _claims: &[PromelaClaim], _explorer: &dyn Explorer) -> Result<String, Box<Problem>> {
        Err(Box::new(Problem::error(
            "M0838",
            self.place,
            "a PRISM model has no translation to Promela",
            "Spin knows nothing of chances; ask Storm or PRISM, or the engines of Motet",
        )))
    }

    fn prism(&self) -> Option<Result<PrismText, Box<Problem>>> {
        let program = &self.semantics.program;
        let is_bound = |(name, _): &&(String, Value)| self.bound.iter().any(|(bound, _)| bound == name);
        let bound = program.constants.iter().filter(is_bound);
        let values = bound.map(|(name, value)| (name.as_str(), *value)).collect();
        Some(Ok(PrismText {
            text: print::text(&self.text, &values),
            atoms: self.atoms.iter().map(|atom| self.atom(atom)).collect(),
            steps: 1,
            stuck: Some(self.deadlock()),
            rewards: program.rewards.iter().map(|rewards| rewards.name.clone()).collect(),
            ..PrismText::default()
        }))
    }
}
