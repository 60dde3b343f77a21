//! `motet.toml` beside a model: rules, bounds, parameters, and what Java activities do.

use std::collections::BTreeMap;

use motet_source::{FileId, Problem, Problems, Span, Spanned, suggest};
use toml::de::{DeTable, DeValue};

use crate::parse::parse;
use crate::settings::seconds;
use crate::syntax::{Action, Conclude, Declaration};

/// What the sidecar says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sidecar {
    /// `mode = "thesis"`
    pub(crate) mode: Option<Spanned<String>>,
    /// `[rules]`
    pub(crate) rules: Vec<(Spanned<String>, Spanned<String>)>,
    /// `[bounds]`
    pub(crate) bounds: Vec<(Spanned<String>, Spanned<u32>)>,
    /// `[parameters]`
    pub(crate) parameters: Vec<(Spanned<String>, Spanned<String>)>,
    /// `[java."activity"]`
    pub(crate) stubs: BTreeMap<String, Stub>,
}

/// What a Java activity does.
#[derive(Clone, Debug)]
pub(crate) struct Stub {
    /// How long it takes, in seconds.
    pub(crate) duration: Option<i64>,
    /// Parameters that get one of these values.
    pub(crate) outputs: Vec<(String, Vec<Constant>, Span)>,
    /// What is concluded at the end, with the text it was read from.
    pub(crate) concludes: Vec<(Conclude, String, Span)>,
    /// Where its name stands.
    pub(crate) span: Span,
}

/// A value in the sidecar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Double(f64),
    /// A truth value.
    Bool(bool),
    /// A symbol, a text or the name of an entity.
    Text(String),
}

type Key<'i> = toml::Spanned<std::borrow::Cow<'i, str>>;
type Item<'i> = toml::Spanned<DeValue<'i>>;

/// Reads a sidecar.
pub(crate) fn read(file: FileId, text: &str, problems: &mut Problems) -> Sidecar {
    let mut reader = Reader { file, problems, sidecar: Sidecar::default() };
    match DeTable::parse(text) {
        Ok(table) => reader.top(table.get_ref()),
        Err(error) => {
            let at = error.span().unwrap_or(0..0);
            let message = format!("this is not TOML: {}", error.message().trim_end_matches('.'));
            let help = "write tables and values: `[rules]`, `ties = \"first\"`";
            reader.problems.push(Problem::error("M0776", Span::new(file, at.start, at.end), message, help));
        }
    }
    reader.sidecar
}

struct Reader<'p> {
    file: FileId,
    problems: &'p mut Problems,
    sidecar: Sidecar,
}

impl Reader<'_> {
    fn span<T>(&self, of: &toml::Spanned<T>) -> Span {
        Span::new(self.file, of.span().start, of.span().end)
    }

    fn name(&self, key: &Key<'_>) -> Spanned<String> {
        Spanned::new(key.get_ref().to_string(), self.span(key))
    }

    fn top(&mut self, table: &DeTable<'_>) {
        const KNOWN: [&str; 5] = ["mode", "rules", "bounds", "parameters", "java"];
        for (key, item) in table {
            match (key.get_ref().as_ref(), item.get_ref()) {
                ("mode", DeValue::String(mode)) => {
                    self.sidecar.mode = Some(Spanned::new(mode.to_string(), self.span(item)));
                }
                ("rules", DeValue::Table(rules)) => self.rules(rules),
                ("bounds", DeValue::Table(bounds)) => self.bounds(bounds),
                ("parameters", DeValue::Table(parameters)) => self.parameters("", parameters),
                ("java", DeValue::Table(stubs)) => self.stubs("", stubs),
                (known, _) if KNOWN.contains(&known) => {
                    let help = if known == "mode" { "write a text" } else { "write a table" };
                    self.wrong(item, &format!("`{known}` is of the wrong kind"), help);
                }
                _ => self.unknown(key, &KNOWN),
            }
        }
    }

    fn unknown(&mut self, key: &Key<'_>, known: &[&str]) {
        let help = match suggest(key.get_ref(), known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known here: {}", known.join(", ")),
        };
        let message = format!("`{}` means nothing here", key.get_ref());
        self.problems.push(Problem::error("M0777", self.span(key), message, help));
    }

    fn wrong(&mut self, item: &Item<'_>, message: &str, help: &str) {
        self.problems.push(Problem::error("M0777", self.span(item), message, help));
    }

    fn rules(&mut self, table: &DeTable<'_>) {
        for (key, item) in table {
            let value = match item.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Boolean(truth) => truth.to_string(),
                _ => {
                    self.wrong(item, "a rule is settled by a word", "write a text or true, false");
                    continue;
                }
            };
            self.sidecar.rules.push((self.name(key), Spanned::new(value, self.span(item))));
        }
    }

    fn bounds(&mut self, table: &DeTable<'_>) {
        for (key, item) in table {
            let number = match item.get_ref() {
                DeValue::Integer(number) => u32::from_str_radix(number.as_str(), number.radix()).ok(),
                _ => None,
            };
            match number {
                Some(number) => {
                    self.sidecar.bounds.push((self.name(key), Spanned::new(number, self.span(item))));
                }
                None => self.wrong(item, "a bound is a whole number", "write a number"),
            }
        }
    }

    /// `"careWorker.stuff" = "2 h"`, also written `careWorker.stuff = "2 h"`, which TOML reads as a table in a table.
    fn parameters(&mut self, front: &str, table: &DeTable<'_>) {
        for (key, item) in table {
            let name = join(front, key.get_ref());
            let value = match item.get_ref() {
                DeValue::Table(inner) => {
                    self.parameters(&name, inner);
                    continue;
                }
                other => plain(other),
            };
            match value {
                Some(value) => {
                    let name = Spanned::new(name, self.span(key));
                    self.sidecar.parameters.push((name, Spanned::new(value, self.span(item))));
                }
                None => {
                    self.wrong(item, "a parameter has one value", "write a number, a text or true, false")
                }
            }
        }
    }

    fn stubs(&mut self, front: &str, table: &DeTable<'_>) {
        const FIELDS: [&str; 3] = ["duration", "outputs", "concludes"];
        for (key, item) in table {
            let name = join(front, key.get_ref());
            let DeValue::Table(fields) = item.get_ref() else {
                self.wrong(item, "a Java activity is described by a table", "write `[java.\"name\"]`");
                continue;
            };
            let is_stub =
                fields.is_empty() || fields.keys().any(|field| FIELDS.contains(&field.get_ref().as_ref()));
            if !is_stub
                && front.is_empty()
                && fields.values().all(|inner| matches!(inner.get_ref(), DeValue::Table(_)))
            {
                self.stubs(&name, fields);
                continue;
            }
            let mut stub =
                Stub { duration: None, outputs: Vec::new(), concludes: Vec::new(), span: self.span(key) };
            for (field, value) in fields {
                match field.get_ref().as_ref() {
                    "duration" => stub.duration = self.duration(value),
                    "outputs" => self.outputs(value, &mut stub),
                    "concludes" => self.concludes(value, &mut stub),
                    _ => self.unknown(field, &FIELDS),
                }
            }
            self.sidecar.stubs.insert(name, stub);
        }
    }

    fn duration(&mut self, item: &Item<'_>) -> Option<i64> {
        let found = plain(item.get_ref()).as_deref().and_then(seconds);
        if found.is_none() {
            self.wrong(item, "this is no duration", "write seconds, or a text such as \"2 h\" or \"150min\"");
        }
        found
    }

    fn outputs(&mut self, item: &Item<'_>, stub: &mut Stub) {
        let DeValue::Table(table) = item.get_ref() else {
            self.wrong(item, "`outputs` is a table", "write `outputs = { name = [1, 2] }`");
            return;
        };
        for (key, values) in table {
            let constants: Option<Vec<Constant>> = match values.get_ref() {
                DeValue::Array(values) => values.iter().map(|value| constant(value.get_ref())).collect(),
                single => constant(single).map(|constant| vec![constant]),
            };
            match constants {
                Some(constants) if !constants.is_empty() => {
                    stub.outputs.push((key.get_ref().to_string(), constants, self.span(key)));
                }
                _ => self.wrong(
                    values,
                    "an output has one of several values",
                    "list them: `[1, 2, \"chair\"]`",
                ),
            }
        }
    }

    fn concludes(&mut self, item: &Item<'_>, stub: &mut Stub) {
        let DeValue::Array(lines) = item.get_ref() else {
            self.wrong(item, "`concludes` is a list of texts", "write `concludes = [\"(x.a = 1)\"]`");
            return;
        };
        for line in lines {
            let DeValue::String(text) = line.get_ref() else {
                self.wrong(line, "a conclusion is a text", "write `\"(x.a = 1), fc:0\"`");
                continue;
            };
            let span = self.span(line);
            let (conclude, whole, found) = conclusion(self.file, text);
            let faulty = !found.is_empty();
            for problem in &found {
                self.problems.push(Problem { span, also: Vec::new(), fix: None, ..problem.clone() });
            }
            match conclude {
                Some(conclude) => stub.concludes.push((conclude, whole, span)),
                None if faulty => {}
                None => self.wrong(line, "this is no conclusion", "write `\"(x.a = 1), bc:100, fc:0\"`"),
            }
        }
    }
}

/// Reads a conclusion the way it is read in a workframe.
fn conclusion(file: FileId, text: &str) -> (Option<Conclude>, String, Problems) {
    let whole = format!("agent a {{ workframes: workframe w {{ do {{ conclude({text}); }} }} }}");
    let (unit, problems) = parse(file, &whole);
    let mut actions = unit.declarations.into_iter().flat_map(|declaration| match declaration {
        Declaration::Concept(concept) => concept.body.workframes,
        Declaration::Path(_) => Vec::new(),
    });
    let action = actions.next().and_then(|frame| match frame.body.as_slice() {
        [Action::Conclude(conclude)] => Some(conclude.clone()),
        _ => None,
    });
    (action, whole, problems)
}

fn join(front: &str, name: &str) -> String {
    if front.is_empty() { name.to_owned() } else { format!("{front}.{name}") }
}

fn plain(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => {
            Some(i64::from_str_radix(number.as_str(), number.radix()).ok()?.to_string())
        }
        DeValue::Float(number) => Some(number.as_str().to_owned()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        _ => None,
    }
}

fn constant(value: &DeValue<'_>) -> Option<Constant> {
    match value {
        DeValue::String(text) => Some(Constant::Text(text.to_string())),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(Constant::Int)
        }
        DeValue::Float(number) => {
            number.as_str().parse().ok().filter(|number: &f64| number.is_finite()).map(Constant::Double)
        }
        DeValue::Boolean(truth) => Some(Constant::Bool(*truth)),
        _ => None,
    }
}
