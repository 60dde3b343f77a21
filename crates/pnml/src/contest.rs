//! The formulas of the Model Checking Contest, as claims about the net they belong to.
//!
//! What a formula says about single markings becomes one atom, however large, because a marking is looked at once for each
//! atom. At dead markings the two logics differ: a run of linear time repeats its last marking, so `X f` is `f` there, while in
//! branching time nothing comes next, so `EX f` is false and `AX f` is true.

mod formula;

use std::collections::HashMap;

use motet_model::{AtomId, AtomText};
use motet_property::{Change, Formula, Path, Quantifier};
use motet_source::{FileId, Problems, Span, Spanned};
use roxmltree::Node;

use crate::contest::formula::Formulas;
use crate::imported::Imported;
use crate::xml::{Reader, child, elements, parse, tag};

/// One question of a contest file.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its id.
    pub id: String,
    /// What is asked.
    pub question: Question,
    /// Where it stands.
    pub span: Span,
}

/// What is asked about a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether this holds at the start.
    Holds(Formula<AtomId>),
    /// The most tokens that these places hold together, by number.
    Most(Vec<usize>),
}

/// What time is like where a formula does not tell: `AX p` alone may be of either logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    /// LTL: about whole runs.
    Linear,
    /// CTL: about what may come next.
    Branching,
}

/// The atoms of all formulas about a net, each once: `list()[i]` is `AtomId(i)`.
#[derive(Clone, Debug, Default)]
pub struct Atoms {
    list: Vec<Spanned<AtomText>>,
    numbers: HashMap<AtomText, AtomId>,
}

impl Atoms {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All of them, in the order of their numbers.
    #[must_use]
    pub fn list(&self) -> &[Spanned<AtomText>] {
        &self.list
    }

    fn number(&mut self, atom: AtomText, span: Span) -> AtomId {
        if let Some(&known) = self.numbers.get(&atom) {
            return known;
        }
        let number = AtomId(u32::try_from(self.list.len()).expect("fewer than 2^32 atoms"));
        self.list.push(Spanned::new(atom.clone(), span));
        self.numbers.insert(atom, number);
        number
    }
}

/// Whether some marking that can be reached is dead.
#[must_use]
pub fn deadlock() -> Question {
    let dead = Path::Eventually(Default::default(), Box::new(Path::Now(Formula::Deadlock)));
    Question::Holds(Formula::Runs(Quantifier::Some, Box::new(dead)))
}

/// Reads the properties of a file about this net. `None` when the problems say why.
#[must_use]
pub fn read_properties(
    file: FileId,
    text: &str,
    net: &Imported,
    logic: Logic,
    atoms: &mut Atoms,
    problems: &mut Problems,
) -> Option<Vec<Property>> {
    let document = parse(file, text, "M1093", problems)?;
    let mut reader = Reader::new(file, text, problems);
    let root = document.root_element();
    if tag(root) != "property-set" {
        let message = format!("this is a document of kind `{}`, not a set of properties", tag(root));
        reader.error("M1093", root, message, "the outermost element is `property-set`");
        return None;
    }
    let mut properties = Vec::new();
    for node in elements(root).filter(|node| tag(*node) == "property") {
        properties.extend(property(node, net, logic, atoms, &mut reader));
    }
    (!reader.has_failed()).then_some(properties)
}

fn property(
    node: Node<'_, '_>,
    net: &Imported,
    logic: Logic,
    atoms: &mut Atoms,
    reader: &mut Reader<'_>,
) -> Option<Property> {
    let id = child(node, "id").and_then(|id| id.text()).map(str::trim).filter(|id| !id.is_empty());
    let formula = child(node, "formula").and_then(|formula| elements(formula).next());
    let (Some(id), Some(formula)) = (id, formula) else {
        let message = "this property has no id or no formula";
        reader.error("M1093", node, message, "a property has an `id` and a `formula`");
        return None;
    };
    let span = reader.span(node);
    let mut formulas = Formulas { net, atoms, reader };
    let question = match tag(formula) {
        "place-bound" => Question::Most(formulas.places(formula)?),
        _ => {
            let meaning = formulas.formula(formula, 0)?;
            let Some(holds) = formulas.settle(meaning, formula) else {
                let message = "this formula speaks of runs, but not of which ones";
                reader.error("M1093", formula, message, "put it inside `all-paths` or `exists-path`");
                return None;
            };
            Question::Holds(settled(holds, logic))
        }
    };
    Some(Property { id: id.to_owned(), question, span })
}

/// Gives `X` its meaning at dead markings where a formula is one of branching time.
fn settled(formula: Formula<AtomId>, logic: Logic) -> Formula<AtomId> {
    if logic == Logic::Linear || !formula.is_ctl() { formula } else { with_ends(&formula) }
}

/// `EX f` becomes `EX f` where something comes next, `AX f` holds where nothing does.
fn with_ends(formula: &Formula<AtomId>) -> Formula<AtomId> {
    let settled = formula.with_children(&mut Ends);
    let ends = || Box::new(Formula::Deadlock);
    match &settled {
        Formula::Runs(quantifier, path) if matches!(**path, Path::Next(_)) => match quantifier {
            Quantifier::Some => Formula::And(Box::new(Formula::Not(ends())), Box::new(settled)),
            Quantifier::All => Formula::Or(ends(), Box::new(settled)),
        },
        _ => settled,
    }
}

/// The same of what is inside of a formula.
struct Ends;

impl Change<AtomId> for Ends {
    fn path(&mut self, _: usize, path: &Path<AtomId>) -> Path<AtomId> {
        path.with_children(self)
    }

    fn state(&mut self, _: usize, formula: &Formula<AtomId>) -> Formula<AtomId> {
        with_ends(formula)
    }
}
