//! Tree to formula: names become what they stand for, quantifiers their instances, words their operators. What is left
//! speaks of atoms only, and equal atoms have one number.

mod atom;
mod claim;
mod collection;
mod connect;
mod constant;
mod expand;
mod expr;
mod group;
mod happening;
mod other_words;
mod path;
mod places;
mod requirement;
mod scope;
mod shall;
mod sorts;
mod start;
mod time;
mod unit;
mod value;

pub(crate) use happening::{Happens, counted};
use places::Places;
pub use requirement::each_time;
pub(crate) use start::INITIALLY;
use start::Start;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use motet_model::{AtomId, AtomText, Expr, Vocabulary};
use motet_source::{FileId, Problem, Problems, Severity, Span, Spanned};

use crate::claim::{Claim, Kind};
use crate::parse::{DEPTH, Parser};
use crate::syntax::{ClaimsFile, ConstItem, DefineItem, Dialect, ItemNode, Node};
use crate::token::tokens;

/// More parts than this are no formula that an engine could take; it is a quantifier gone wild.
const PARTS: usize = 300_000;

/// Definitions may nest formulas deeper than any single one is.
const DEPTH_EXPANDED: u32 = DEPTH + 100;

/// After so many problems the rest is not told.
const PROBLEMS: usize = 200;

/// Claims ready for engines, and the atoms they speak of: `atoms[i]` is `AtomId(i)`.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The claims without problems, in the order of the files.
    pub claims: Vec<Claim<AtomId>>,
    /// Each different atom once, where it occurs first.
    pub atoms: Vec<Spanned<AtomText>>,
    /// Those whose knowledge the claims speak of, by name.
    pub observers: Vec<String>,
    /// Claims of all runs that look at nothing but their start and do not say so: the item, and its formula.
    pub starts: BTreeMap<Span, Span>,
    /// Questions that have an answer only where the model has nothing to choose: `P=? [...]`.
    pub plain_questions: Vec<PlainQuestion>,
    /// The dialect of each file: what is advised about a claim is written as the claim is.
    pub dialects: BTreeMap<FileId, Dialect>,
}

/// A question for a number that says neither least nor greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainQuestion {
    /// The claim it is part of.
    pub claim: Span,
    /// Where it stands: `P=?`.
    pub span: Span,
    /// Its letter: `P`, `R` or `S`.
    pub letter: char,
}

/// Claims for several sets of options, which share their atoms.
#[derive(Clone, Debug, Default)]
pub struct LoweredEach {
    /// The claims of each set.
    pub claims: Vec<Vec<Claim<AtomId>>>,
    /// Each different atom once, where it occurs first.
    pub atoms: Vec<Spanned<AtomText>>,
    /// Those whose knowledge the claims speak of, by name.
    pub observers: Vec<String>,
    /// Questions that have an answer only where the model has nothing to choose, of each set.
    pub plain_questions: Vec<PlainQuestion>,
}

/// Lowers one file. `parameters` are the `-D` options: they override constants of the same name.
#[must_use]
pub fn lower(
    file: &ClaimsFile,
    vocabulary: &Vocabulary,
    parameters: &BTreeMap<String, String>,
    problems: &mut Problems,
) -> Lowered {
    lower_all(&[file], vocabulary, parameters, problems)
}

/// Lowers several files whose claims share their atoms. Definitions and constants are seen only in their own file.
#[must_use]
pub fn lower_all(
    files: &[&ClaimsFile],
    vocabulary: &Vocabulary,
    parameters: &BTreeMap<String, String>,
    problems: &mut Problems,
) -> Lowered {
    lower_given(files, vocabulary, &Given { parameters, places: &BTreeMap::new() }, problems)
}

/// What is given with `-D`.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Names and values.
    pub parameters: &'a BTreeMap<String, String>,
    /// Where the value of a name is given, as far as it is known: what is wrong with the value stands there.
    pub places: &'a BTreeMap<String, Span>,
}

/// The same for values whose places are known.
#[must_use]
pub fn lower_given(
    files: &[&ClaimsFile],
    vocabulary: &Vocabulary,
    given: &Given<'_>,
    problems: &mut Problems,
) -> Lowered {
    let mut table = Table::default();
    let claims = lower_into(&mut table, files, vocabulary, given, problems);
    let observers = table.observers.into_iter().collect();
    let (starts, plain_questions) = (table.starts, table.plain_questions);
    let dialects = files.iter().map(|file| (file.file, file.dialect)).collect();
    Lowered { claims, atoms: table.atoms, observers, starts, plain_questions, dialects }
}

/// Lowers the same files once for each set of `-D` options. All claims share their atoms, so that one model answers them
/// all.
#[must_use]
pub fn lower_each(
    files: &[&ClaimsFile],
    vocabulary: &Vocabulary,
    parameters: &[BTreeMap<String, String>],
    problems: &mut Problems,
) -> LoweredEach {
    let mut table = Table::default();
    let mut claims = Vec::new();
    for parameters in parameters {
        let mut found = Problems::new();
        let given = Given { parameters, places: &BTreeMap::new() };
        claims.push(lower_into(&mut table, files, vocabulary, &given, &mut found));
        let failed = found.has_errors();
        problems.extend(found);
        // What is wrong with one value is mostly wrong with all of them.
        if failed {
            break;
        }
    }
    let observers = table.observers.into_iter().collect();
    LoweredEach { claims, atoms: table.atoms, observers, plain_questions: table.plain_questions }
}

/// The atoms so far, and their numbers; and who was named in `K[...]`.
#[derive(Default)]
struct Table {
    atoms: Vec<Spanned<AtomText>>,
    index: HashMap<AtomText, AtomId>,
    observers: BTreeSet<String>,
    starts: BTreeMap<Span, Span>,
    plain_questions: Vec<PlainQuestion>,
}

fn lower_into(
    table: &mut Table,
    files: &[&ClaimsFile],
    vocabulary: &Vocabulary,
    given: &Given<'_>,
    problems: &mut Problems,
) -> Vec<Claim<AtomId>> {
    let mut claims = Vec::new();
    for file in files {
        let overrides = overrides(file, vocabulary, given, problems);
        let mut lowering = Lowering {
            vocabulary,
            consts: BTreeMap::new(),
            defines: BTreeMap::new(),
            overrides: &overrides,
            problems: Problems::new(),
            failed: false,
            faults: Vec::new(),
            atoms: std::mem::take(&mut table.atoms),
            index: std::mem::take(&mut table.index),
            observers: std::mem::take(&mut table.observers),
            starts: std::mem::take(&mut table.starts),
            places: Places::default(),
            tokens: Vec::new(),
            parts: 0,
            depth: 0,
            kind: Kind::Property,
            whole: None,
            start: Start::Unsaid,
            later: 0,
            chances: 0,
            asked: Vec::new(),
            plain_questions: std::mem::take(&mut table.plain_questions),
        };
        lowering.collect(file);
        lowering.refuse_circles();
        lowering.check_constants();
        lowering.claims(file, &mut claims);
        (table.atoms, table.index) = (lowering.atoms, lowering.index);
        (table.observers, table.starts) = (lowering.observers, lowering.starts);
        table.plain_questions = lowering.plain_questions;
        problems.extend(lowering.problems);
    }
    claims
}

/// The values given with `-D` to this file's constants, and the model's parameters, as trees.
fn overrides(
    file: &ClaimsFile,
    vocabulary: &Vocabulary,
    given: &Given<'_>,
    problems: &mut Problems,
) -> BTreeMap<String, Node> {
    let mut overrides = BTreeMap::new();
    let start = Span::new(file.file, 0, 0);
    for (name, text) in &vocabulary.parameters {
        if let Some(node) = read_value(file, text, start) {
            overrides.insert(name.clone(), node);
        }
    }
    for item in &file.items {
        let ItemNode::Const(constant) = &item.node else { continue };
        let name = constant.name.node.as_str();
        if constant.value.is_some() {
            overrides.remove(name);
        }
        let Some(text) = given.parameters.get(name) else { continue };
        let place = given.places.get(name).copied().unwrap_or(constant.name.span);
        match read_value(file, text, place) {
            Some(node) => {
                overrides.insert(name.to_owned(), node);
            }
            None => {
                let message = format!("the value `{text}` given for `{name}` cannot be read");
                let help = "give a number, a length such as 4min, or a name";
                problems.push(Problem::error("M0232", place, message, help));
            }
        }
    }
    overrides
}

fn read_value(file: &ClaimsFile, text: &str, place: Span) -> Option<Node> {
    let (tokens, _) = tokens(text);
    Parser::new(file.file, text, &tokens, Dialect::Motet).whole_value(place)
}

struct Lowering<'a> {
    vocabulary: &'a Vocabulary,
    consts: BTreeMap<&'a str, &'a ConstItem>,
    defines: BTreeMap<&'a str, &'a DefineItem>,
    overrides: &'a BTreeMap<String, Node>,
    problems: Problems,
    /// Whether the present claim has an error.
    failed: bool,
    /// Where in this claim something is wrong.
    faults: Vec<Span>,
    atoms: Vec<Spanned<AtomText>>,
    index: HashMap<AtomText, AtomId>,
    observers: BTreeSet<String>,
    /// See [`Lowered::starts`].
    starts: BTreeMap<Span, Span>,
    /// Where the parts of the present atom stand.
    places: Places,
    /// The variables over collections whose quantifiers are open.
    tokens: Vec<String>,
    /// Parts made for the present claim.
    parts: usize,
    depth: u32,
    /// What the present claim asks.
    kind: Kind,
    /// Where the formula of the present claim stands, without parentheses around it.
    whole: Option<Span>,
    /// Whether the present claim says `initially`.
    start: Start,
    /// How many operators that look further than the start are open.
    later: u32,
    /// How many operators of chance are open.
    chances: u32,
    /// The questions of the present claim that say neither least nor greatest.
    asked: Vec<(Span, char)>,
    /// See [`Lowered::plain_questions`].
    plain_questions: Vec<PlainQuestion>,
}

/// What local names stand for: variables of quantifiers, parameters of definitions.
#[derive(Clone, Default)]
struct Env<'a>(Option<Rc<Frame<'a>>>);

struct Frame<'a> {
    name: &'a str,
    binding: Binding<'a>,
    outer: Env<'a>,
}

#[derive(Clone)]
enum Binding<'a> {
    /// A member of a domain.
    Value(Expr),
    /// An argument and where its own names are looked up.
    Argument(&'a Node, Env<'a>),
}

impl<'a> Env<'a> {
    fn bind(&self, name: &'a str, binding: Binding<'a>) -> Self {
        Self(Some(Rc::new(Frame { name, binding, outer: self.clone() })))
    }

    fn get(&self, name: &str) -> Option<Binding<'a>> {
        let mut frame = self.0.as_deref();
        while let Some(here) = frame {
            if here.name == name {
                return Some(here.binding.clone());
            }
            frame = here.outer.0.as_deref();
        }
        None
    }
}

impl Lowering<'_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.report(Problem::error(code, span, message, help));
    }

    /// Reports an error once: a definition is lowered wherever it is used.
    fn report(&mut self, problem: Problem) {
        self.failed = true;
        self.faults.push(problem.span);
        if self.problems.len() < PROBLEMS && !self.problems.iter().any(|other| *other == problem) {
            self.problems.push(problem);
        }
    }

    /// Reports what is wrong with the sorts of an atom, each place once: a quantifier writes an atom out for each member.
    fn report_sorts(&mut self, found: Vec<Problem>) {
        for problem in found {
            let known = |other: &Problem| other.code == problem.code && other.span == problem.span;
            let told = self.problems.iter().any(known);
            if problem.severity == Severity::Error {
                self.failed = true;
                self.faults.push(problem.span);
            }
            if self.problems.len() < PROBLEMS && !told {
                self.problems.push(problem);
            }
        }
    }

    /// Counts a part; false when there are too many or they nest too deep.
    fn enter(&mut self, span: Span) -> bool {
        self.parts += 1;
        if self.parts > PARTS {
            if self.parts == PARTS + 1 {
                let message =
                    format!("the claim has more than {PARTS} parts when its quantifiers are written out");
                let help = "let the quantifiers range over smaller domains, or split the claim";
                self.error("M0228", span, message, help);
            }
            return false;
        }
        if self.depth >= DEPTH_EXPANDED {
            let message = format!(
                "the claim is nested deeper than {DEPTH_EXPANDED} levels when definitions are written out"
            );
            self.error("M0205", span, message, "use fewer definitions inside definitions");
            self.parts = PARTS + 1;
            return false;
        }
        true
    }

    /// Whether it makes no sense to go on with the claim.
    fn exhausted(&self) -> bool {
        self.parts > PARTS
    }

    fn atom(&mut self, atom: AtomText, span: Span) -> AtomId {
        if let Some(id) = self.index.get(&atom) {
            return *id;
        }
        let id = AtomId(u32::try_from(self.atoms.len()).expect("the number of parts is limited"));
        self.index.insert(atom.clone(), id);
        self.atoms.push(Spanned::new(atom, span));
        id
    }
}
