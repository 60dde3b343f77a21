//! Arcs and patterns.

use motet_source::Span;

use crate::program::{Expr, Input, Pattern, PlaceId, PlaceKind, Sort};
use crate::resolve::compile::{Compiler, Kind, Origin, Typed};
use crate::resolve::scope::meant;
use crate::resolve::sorts::fits;
use crate::syntax::{self, ArcIn, Name, PatternNode};
use crate::value::Value;

/// What an arc does with tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Consumed,
    Tested,
    Inhibited,
}

impl Way {
    /// What binds variables of its patterns: the arc with this number, and the way into its token.
    fn origin(self, arc: usize, fields: &[usize]) -> Origin {
        if self == Self::Inhibited { Origin::Message } else { Origin::Arc(arc, fields.to_vec()) }
    }
}

impl Compiler<'_> {
    /// Arcs from places, numbered from `first` on.
    pub(super) fn arcs(&mut self, arcs: &[(&ArcIn, u32)], first: usize, way: Way) -> Vec<Input> {
        let mut all = Vec::new();
        for (number, (arc, weight)) in arcs.iter().enumerate() {
            let seen = self.visible.len();
            let Some((place, sort)) = self.arc_place(&arc.place, way) else {
                // The names are bound nevertheless, so that they are not complained about.
                for pattern in &arc.patterns {
                    self.pattern(pattern, &Sort::Unknown, &way.origin(first + number, &[]));
                }
                all.push(Input { place: PlaceId(0), pattern: Pattern::Any, weight: *weight });
                continue;
            };
            let origin = way.origin(first + number, &[]);
            let pattern = self.token_pattern(&arc.patterns, &sort, arc.span, &arc.place, &origin);
            if way == Way::Inhibited {
                // A variable that only an inhibitor arc mentions stands for anything there and for nothing elsewhere.
                self.visible.truncate(seen);
            }
            if *weight > 1 && sort.bears_agents() && way != Way::Inhibited {
                let help = "write an arc for each agent";
                self.error("M1029", arc.span, "an arc with a weight takes several agents as one", help);
            }
            all.push(Input { place, pattern, weight: *weight });
        }
        all
    }

    /// The place of an arc.
    pub(super) fn arc_place(&mut self, name: &Name, way: Way) -> Option<(PlaceId, Sort)> {
        let net = self.scope.net(self.net.expect("transitions belong to a net"));
        let Some((id, place)) = net.place(&name.node) else {
            let known = net.places.iter().filter(|place| place.kind != PlaceKind::Limit);
            let help = meant(&name.node, known.map(|place| place.name.as_str()), "declare it with `place`");
            let message = format!("`{}` has no place `{}`", net.name, name.node);
            self.error("M1021", name.span, message, help);
            return None;
        };
        let found = (id, place.sort.clone());
        if place.kind == PlaceKind::Cell && way != Way::Tested {
            let message = format!("`{}` is a cell: its one token is never taken or added", name.node);
            let help = format!("write `{0}` for its value and `{0}' = e;` for its new value", name.node);
            self.error("M1032", name.span, message, help);
        }
        Some(found)
    }

    /// One pattern for the whole token, or one for each field.
    pub(super) fn token_pattern(
        &mut self,
        patterns: &[syntax::Pattern],
        sort: &Sort,
        span: Span,
        place: &Name,
        origin: &Origin,
    ) -> Pattern {
        match (patterns, sort) {
            ([], _) => Pattern::Any,
            ([one], _) => self.pattern(one, sort, origin),
            (several, Sort::Record(record)) if record.fields.len() == several.len() => {
                self.fields_pattern(several, sort, origin)
            }
            (several, _) => {
                let takes = match sort {
                    Sort::Record(record) => format!("{} fields", record.fields.len()),
                    sort => format!("sort {}", self.shown(sort)),
                };
                let message =
                    format!("tokens of `{}` have {takes}, and here are {} parts", place.node, several.len());
                self.error(
                    "M1043",
                    span,
                    message,
                    "write one variable for the whole token, or one for each field",
                );
                for pattern in several {
                    self.pattern(pattern, &Sort::Unknown, origin);
                }
                Pattern::Any
            }
        }
    }

    fn fields_pattern(&mut self, patterns: &[syntax::Pattern], sort: &Sort, origin: &Origin) -> Pattern {
        let Sort::Record(record) = sort else { return Pattern::Any };
        let mut parts = Vec::new();
        for (number, (pattern, (_, sort))) in patterns.iter().zip(&record.fields).enumerate() {
            let deeper = match origin {
                Origin::Arc(arc, fields) => {
                    let mut fields = fields.clone();
                    fields.push(number);
                    Origin::Arc(*arc, fields)
                }
                other => other.clone(),
            };
            parts.push(self.pattern(pattern, sort, &deeper));
        }
        Pattern::Record(parts)
    }

    /// A pattern of this sort. A name that has a value already is compared; another one is bound.
    pub(super) fn pattern(&mut self, pattern: &syntax::Pattern, sort: &Sort, origin: &Origin) -> Pattern {
        match &pattern.node {
            PatternNode::Any => Pattern::Any,
            PatternNode::Int(number) => {
                let typed = Typed::value(Expr::Constant(Value::Int(*number)), Sort::Int(None));
                self.equals(typed, sort, pattern.span)
            }
            PatternNode::Bool(truth) => {
                let typed = Typed::value(Expr::Constant(Value::Bool(*truth)), Sort::Bool);
                self.equals(typed, sort, pattern.span)
            }
            PatternNode::Tuple(items) => match sort {
                Sort::Record(record) if record.fields.len() == items.len() => {
                    self.fields_pattern(items, sort, origin)
                }
                _ => {
                    if *sort != Sort::Unknown {
                        let message =
                            format!("a pattern with {} parts does not fit {}", items.len(), self.shown(sort));
                        self.error(
                            "M1043",
                            pattern.span,
                            message,
                            "write as many parts as the sort has fields",
                        );
                    }
                    for item in items {
                        self.pattern(item, &Sort::Unknown, origin);
                    }
                    Pattern::Any
                }
            },
            PatternNode::Name(name) => self.name_pattern(name, pattern.span, sort, origin),
        }
    }

    fn name_pattern(&mut self, name: &str, span: Span, sort: &Sort, origin: &Origin) -> Pattern {
        if let Some(known) = self.visible(name) {
            if sort.bears_agents() && !known.agents.is_empty() && *origin != Origin::Message {
                let message =
                    format!("`{name}` is bound by another arc already, and an agent is in one place only");
                self.error("M1029", span, message, "choose another name for the second agent");
            }
            return self.equals(known, sort, span);
        }
        // Enumerators and constants are never variables: `in p(emily)` means Emily.
        if let Some(known) = self.fixed(name) {
            return self.equals(known, sort, span);
        }
        let net = self.net.map(|net| self.scope.net(net));
        let cell = net.and_then(|net| net.place(name)).filter(|(_, place)| place.kind == PlaceKind::Cell);
        if let Some((id, place)) = cell {
            let known = Typed::value(Expr::Cell(id), place.sort.clone());
            self.looked.insert(id);
            return self.equals(known, sort, span);
        }
        let name = Name::new(name.to_owned(), span);
        Pattern::Bind(self.bind(&name, sort.clone(), origin.clone()))
    }

    fn equals(&mut self, known: Typed, sort: &Sort, span: Span) -> Pattern {
        if let Kind::Value(found) = &known.kind
            && !fits(found, sort)
        {
            let message =
                format!("the label is {}, and {} is meant here", self.shown(found), self.shown(sort));
            self.error("M1023", span, message, "choose another name, or a value of that sort");
        }
        Pattern::Equal(known.expr)
    }
}
