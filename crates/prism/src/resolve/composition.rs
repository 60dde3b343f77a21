//! How modules are put together: which labels of which modules happen at once.
//!
//! A composition is unfolded into patterns. A pattern names one label for each module that takes part; a step of the model is
//! a pattern with one enabled command for each part (PRISM manual, "Process algebra operators").

use std::collections::{BTreeMap, BTreeSet};

use motet_source::{Problem, Problems, Span, Spanned};

use super::commands::Labels;
use crate::nearest::nearest;
use crate::program::{Command, LabelId, Module, ModuleId, Part, Pattern};
use crate::syntax::{Composition, CompositionNode};

/// How many patterns a model may have.
const LIMIT_PATTERNS: usize = 100_000;

/// The patterns by what the outside sees of them.
type Patterns = BTreeMap<Option<LabelId>, Vec<Vec<Part>>>;

/// The patterns of a model.
pub(crate) fn patterns(
    composition: Option<&Composition>,
    modules: &[Module],
    commands: &[Command],
    labels: &mut Labels,
    problems: &mut Problems,
) -> Vec<Pattern> {
    let mut alphabets = vec![BTreeSet::new(); modules.len()];
    for command in commands {
        alphabets[command.module.index()].insert(command.label);
    }
    let mut composer = Composer { modules, alphabets, labels, problems, used: BTreeMap::new(), full: false };
    let found = match composition {
        Some(composition) => {
            let found = composer.composed(composition);
            composer.missing(composition.span);
            found
        }
        None => {
            let parts = (0..modules.len()).map(|module| composer.module(ModuleId::of(module))).collect();
            composer.parallel(parts)
        }
    };
    let mut patterns = Vec::new();
    for (label, ways) in found {
        for mut parts in ways {
            parts.sort_unstable();
            patterns.push(Pattern { label, parts });
        }
    }
    patterns
}

struct Composer<'a> {
    modules: &'a [Module],
    /// The labels of each module's commands.
    alphabets: Vec<BTreeSet<Option<LabelId>>>,
    labels: &'a mut Labels,
    problems: &'a mut Problems,
    /// Where each module was named.
    used: BTreeMap<ModuleId, Span>,
    full: bool,
}

impl Composer<'_> {
    fn error(&mut self, span: Span, message: String, help: impl Into<String>) {
        self.problems.push(Problem::error("M0825", span, message, help));
    }

    fn module(&self, module: ModuleId) -> Patterns {
        let one = |label: &Option<LabelId>| (*label, vec![vec![Part { module, label: *label }]]);
        self.alphabets[module.index()].iter().map(one).collect()
    }

    fn composed(&mut self, composition: &Composition) -> Patterns {
        match &composition.node {
            CompositionNode::Module(name) => self.named(name, composition.span),
            CompositionNode::Parallel(parts) => {
                let parts = parts.iter().map(|part| self.composed(part)).collect();
                self.parallel(parts)
            }
            CompositionNode::Interleaved(parts) => {
                let parts: Vec<Patterns> = parts.iter().map(|part| self.composed(part)).collect();
                parts.into_iter().reduce(|left, right| self.pair(left, right, &[])).unwrap_or_default()
            }
            CompositionNode::Synchronised(left, labels, right) => {
                let (left, right) = (self.composed(left), self.composed(right));
                let labels = self.numbers(labels);
                self.pair(left, right, &labels)
            }
            CompositionNode::Hidden(inner, labels) => {
                let mut inner = self.composed(inner);
                for label in self.numbers(labels) {
                    let hidden = inner.remove(&Some(label)).unwrap_or_default();
                    inner.entry(None).or_default().extend(hidden);
                }
                inner
            }
            CompositionNode::Renamed(inner, pairs) => {
                let inner = self.composed(inner);
                self.renamed(inner, pairs)
            }
        }
    }

    fn named(&mut self, name: &str, span: Span) -> Patterns {
        let Some(number) = self.modules.iter().position(|module| module.name == name) else {
            let help = match nearest(name, self.modules.iter().map(|module| module.name.as_str())) {
                Some(near) => format!("did you mean `{near}`"),
                None => "name the modules of this file".to_owned(),
            };
            self.error(span, format!("there is no module `{name}`"), help);
            return Patterns::new();
        };
        let module = ModuleId::of(number);
        if let Some(first) = self.used.insert(module, span) {
            let message = format!("module `{name}` is composed twice");
            let problem =
                Problem::error("M0825", span, message, "make a copy: `module M2 = M1 [x=y] endmodule`")
                    .also(first, "here first");
            self.problems.push(problem);
            return Patterns::new();
        }
        self.module(module)
    }

    /// Modules that a `system` leaves out.
    fn missing(&mut self, span: Span) {
        for number in 0..self.modules.len() {
            if !self.used.contains_key(&ModuleId::of(number)) {
                let message = format!("module `{}` has no place in the system", self.modules[number].name);
                self.error(span, message, "every module appears exactly once");
            }
        }
    }

    /// They synchronise on the labels they share.
    fn parallel(&mut self, parts: Vec<Patterns>) -> Patterns {
        let mut all = parts.into_iter();
        let Some(mut left) = all.next() else { return Patterns::new() };
        for right in all {
            let shared: Vec<LabelId> =
                left.keys().filter_map(|label| label.filter(|_| right.contains_key(label))).collect();
            left = self.pair(left, right, &shared);
        }
        left
    }

    fn pair(&mut self, mut left: Patterns, right: Patterns, shared: &[LabelId]) -> Patterns {
        let mut both = Patterns::new();
        let mut right = right;
        for label in shared {
            let (one, two) = (left.remove(&Some(*label)), right.remove(&Some(*label)));
            let (Some(one), Some(two)) = (one, two) else {
                // A label that one side does not have is never done.
                continue;
            };
            let ways = both.entry(Some(*label)).or_default();
            if one.len().saturating_mul(two.len()) > LIMIT_PATTERNS {
                self.full = true;
                continue;
            }
            for one in &one {
                ways.extend(two.iter().map(|two| [one.as_slice(), two.as_slice()].concat()));
            }
        }
        for (label, ways) in left.into_iter().chain(right) {
            both.entry(label).or_default().extend(ways);
        }
        if std::mem::take(&mut self.full) || both.values().map(Vec::len).sum::<usize>() > LIMIT_PATTERNS {
            let place = self.used.values().next().copied();
            if let Some(span) = place {
                let message = "the modules can synchronise in too many ways".to_owned();
                self.problems.push(Problem::error(
                    "M0826",
                    span,
                    message,
                    "rename fewer labels to the same one",
                ));
            }
            return Patterns::new();
        }
        both
    }

    fn numbers(&mut self, labels: &[Spanned<String>]) -> Vec<LabelId> {
        let mut numbers = Vec::with_capacity(labels.len());
        for label in labels {
            match self.labels.get(&label.node) {
                Some(number) if !numbers.contains(&number) => numbers.push(number),
                Some(_) => {}
                None => self.unknown(label),
            }
        }
        numbers
    }

    fn unknown(&mut self, label: &Spanned<String>) {
        let help = match nearest(&label.node, self.labels.names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`"),
            None => "use a label of a command".to_owned(),
        };
        self.error(label.span, format!("no command has the label `{}`", label.node), help);
    }

    fn renamed(&mut self, inner: Patterns, pairs: &[(Spanned<String>, Spanned<String>)]) -> Patterns {
        let mut map = BTreeMap::new();
        for (old, new) in pairs {
            let Some(number) = self.labels.get(&old.node) else {
                self.unknown(old);
                continue;
            };
            let new = self.labels.introduce(&new.node);
            map.insert(Some(number), Some(new));
        }
        let mut renamed = Patterns::new();
        for (label, ways) in inner {
            renamed.entry(map.get(&label).copied().unwrap_or(label)).or_default().extend(ways);
        }
        renamed
    }
}
