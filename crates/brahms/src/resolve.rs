//! From trees to a [`Program`]: names become numbers, inheritance is flattened, activities stand where they are called, and
//! what is certainly wrong is said before anything runs.

mod activity;
mod attribute;
mod base;
mod body;
mod catalogue;
mod certainty;
mod check;
mod compare;
mod condition;
mod constant;
mod create;
mod entity;
mod expression;
mod fields;
mod frame;
mod initial;
mod java;
mod parameter;
mod scope;
mod sought;
mod ways;
mod writes;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use motet_source::{Problem, Problems, Sources, Span};

use crate::program::{ActorId, AttributeId, EntityId, Program, TextId, Value};
use crate::settings::Settings;
use crate::syntax::Unit;
use attribute::Property;
use catalogue::{Catalogue, ConceptId};
use scope::Level;

/// Activities and frames of all actors together.
const LIMIT_SIZE: usize = 200_000;
/// Keys that statements about many may bring.
const LIMIT_MENTIONS: usize = 1_000_000;

/// Resolves the files of a model. Without errors there is a program; warnings and hints come beside it.
pub(crate) fn resolve(
    units: &[Unit],
    sources: &Sources,
    settings: &Settings,
    place: Span,
) -> (Option<Program>, Problems) {
    let mut problems = Problems::new();
    let catalogue = Catalogue::new(units, &mut problems);
    let mut resolver = Resolver::new(catalogue, sources, settings, place, problems);
    resolver.entities();
    resolver.properties();
    resolver.durations();
    resolver.ways();
    resolver.initials();
    resolver.actors();
    resolver.attributes_set();
    resolver.templates();
    resolver.map_entries();
    resolver.finish()
}

/// Sets of entities, each with the sets it was related to.
type Partners = BTreeMap<Rc<[EntityId]>, BTreeSet<Rc<[EntityId]>>>;

/// Everything known while a model is resolved.
pub(crate) struct Resolver<'a> {
    catalogue: Catalogue<'a>,
    sources: &'a Sources,
    settings: &'a Settings,
    /// Where problems of the whole model are shown.
    place: Span,
    problems: Problems,
    program: Program,
    texts: BTreeMap<String, TextId>,
    attributes: BTreeMap<String, AttributeId>,
    /// The concepts whose texts count for an entity, nearest first.
    lineages: Vec<Rc<[ConceptId]>>,
    /// What each concept declares itself.
    properties: Vec<BTreeMap<String, Property>>,
    /// Attributes that initial beliefs or facts set although nobody declares them.
    loose: BTreeSet<(EntityId, String)>,
    /// The entities each `create_...` activity may take, by the place of the activity and the type.
    reserves: BTreeMap<(Span, ConceptId), Vec<EntityId>>,
    /// Composite activities that are open at this point of the text, outermost first.
    levels: Vec<Level<'a>>,
    /// Whose frames are being resolved.
    actor: ActorId,
    /// Activities that somebody calls, by place.
    used: BTreeSet<Span>,
    /// Maps that are written with a computed index: whose, which, what the index is.
    computed: Vec<(Rc<[EntityId]>, AttributeId, scope::Sort)>,
    /// Constant indices of maps.
    indices: BTreeMap<AttributeId, BTreeSet<Value>>,
    /// Durations that `-D` sets: by concept and activity.
    durations: BTreeMap<(ConceptId, String), i64>,
    /// A text that is not a file of its own, while it is resolved.
    quoted: Option<String>,
    /// How many keys statements about many have brought so far.
    mentions: usize,
    /// Which attributes of whom have been numbered, with which partners for relations.
    numbered: BTreeMap<AttributeId, Partners>,
    /// Whether a limit of the size was already complained about.
    overflown: bool,
}

impl<'a> Resolver<'a> {
    fn new(
        catalogue: Catalogue<'a>,
        sources: &'a Sources,
        settings: &'a Settings,
        place: Span,
        problems: Problems,
    ) -> Self {
        let program =
            Program { rules: settings.rules.clone(), bounds: settings.bounds.clone(), ..Program::default() };
        let mut resolver = Self {
            catalogue,
            sources,
            settings,
            place,
            problems,
            program,
            texts: BTreeMap::new(),
            attributes: BTreeMap::new(),
            lineages: Vec::new(),
            properties: Vec::new(),
            loose: BTreeSet::new(),
            reserves: BTreeMap::new(),
            levels: Vec::new(),
            actor: ActorId::default(),
            used: BTreeSet::new(),
            computed: Vec::new(),
            indices: BTreeMap::new(),
            durations: BTreeMap::new(),
            quoted: None,
            mentions: 0,
            numbered: BTreeMap::new(),
            overflown: false,
        };
        resolver.program.location = resolver.attribute_number("location");
        resolver.program.contains = resolver.attribute_number("contains");
        resolver
    }

    fn say(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// The number of a text.
    fn text(&mut self, text: &str) -> Value {
        if let Some(known) = self.texts.get(text) {
            return Value::Text(*known);
        }
        let number = TextId(number(self.program.texts.len()));
        self.program.texts.push(text.to_owned());
        self.texts.insert(text.to_owned(), number);
        Value::Text(number)
    }

    /// What the user wrote here.
    fn wrote(&self, span: Span) -> String {
        let text = match &self.quoted {
            Some(text) => text.get(span.start as usize..span.end as usize).unwrap_or(""),
            None => self.sources.text(span),
        };
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn full(&mut self, span: Span) -> bool {
        if self.program.activities.len() + self.program.frames.len() < LIMIT_SIZE {
            return false;
        }
        if !self.overflown {
            self.overflown = true;
            let message = "this model unfolds into too many frames and activities";
            let help =
                format!("use fewer agents or composite activities; {LIMIT_SIZE} frames and activities fit");
            self.say(Problem::error("M0749", span, message, help));
        }
        true
    }

    /// Counts keys that a statement mentions; whether there are too many by now.
    fn mentions_too_much(&mut self, count: usize) -> bool {
        self.mentions = self.mentions.saturating_add(count);
        if self.mentions < LIMIT_MENTIONS {
            return false;
        }
        if !self.overflown {
            self.overflown = true;
            let message = "this model speaks of too many pairs of agents, objects and areas";
            let help = "use fewer of them, or relations between smaller groups";
            self.say(Problem::error("M0749", self.place, message, help));
        }
        true
    }

    fn finish(mut self) -> (Option<Program>, Problems) {
        if !self.problems.has_errors() {
            self.parameters();
            self.certainties();
            self.check();
            self.differing();
        }
        self.problems.sort();
        let failed = self.problems.has_errors();
        (if failed { None } else { Some(self.program) }, self.problems)
    }
}

/// Programs are numbered with 32 bits.
fn number(length: usize) -> u32 {
    u32::try_from(length).expect("files are far smaller than 4 GiB")
}
