//! What a firing changes: cells and output arcs, and where its agents go.

use std::collections::BTreeMap;

use motet_source::Span;

use super::Disjunct;
use super::arcs::Way;
use crate::program::{Expr, Operator, Output, PlaceId, PlaceKind, Sort};
use crate::resolve::compile::{Carried, Compiler, Origin, Typed, Want};
use crate::syntax::{ArcOut, Expression, ExpressionNode, Name};

impl<'a> Compiler<'a> {
    /// The new values of cells.
    pub(super) fn updates(&mut self, disjunct: &Disjunct<'a>) -> Vec<(PlaceId, Expr)> {
        let mut all: Vec<(PlaceId, Expr)> = Vec::new();
        let mut names: Vec<&Name> = Vec::new();
        for (name, ..) in &disjunct.updates {
            if !names.iter().any(|known| known.node == name.node) {
                names.push(name);
            }
        }
        for name in names {
            let Some((cell, expr)) = self.update(name) else { continue };
            if all.iter().any(|(known, _)| *known == cell) {
                let message = "a cell gets one new value in each disjunct, and this is the second";
                self.error("M1032", name.span, message, "put both into one `c' = e;`");
                continue;
            }
            all.push((cell, expr));
        }
        all
    }

    /// The cell that a primed name changes, if it does. A member picked from a set cell changes that cell: the new member takes
    /// the old one's place.
    fn update(&mut self, name: &Name) -> Option<(PlaceId, Expr)> {
        let bound = self.visible(&name.node);
        let net = self.scope.net(self.net?);
        let Some(bound) = bound else {
            let place = net.place(&name.node).filter(|(_, place)| place.kind == PlaceKind::Cell);
            let typed = self.primed(&name.node, name.span);
            return place.map(|(id, _)| (id, typed.expr));
        };
        let Expr::Variable(id) = bound.expr else { return None };
        let Origin::Member(cell) = self.variables[id.0 as usize].origin else {
            if self.variables[id.0 as usize].origin == Origin::Parameter {
                let message = format!("`{}` is a parameter, which never changes", name.node);
                self.error("M1027", name.span, message, "use a cell instead");
            }
            return None;
        };
        let Some(cell) = cell else {
            let message = format!("`{}` is no member of a cell, so nothing becomes of `{0}'`", name.node);
            self.error(
                "M1027",
                name.span,
                message,
                "pick it from a cell, or use it in an `out` arc as it is",
            );
            return None;
        };
        let after = self.primed(&name.node, name.span);
        let (cell_value, single) = (Box::new(Expr::Cell(cell)), |expr| Box::new(Expr::Set(vec![expr])));
        let without = Expr::Binary(Operator::Minus, cell_value, single(bound.expr));
        Some((cell, Expr::Binary(Operator::Union, Box::new(without), single(after.expr))))
    }

    /// The tokens that are produced. Each agent that was consumed goes to one place at most.
    pub(super) fn outputs(&mut self, arcs: &[(&ArcOut, u32)], inputs: usize) -> Vec<Output> {
        let mut all = Vec::new();
        let mut carried: BTreeMap<Carried, Span> = BTreeMap::new();
        for (arc, weight) in arcs {
            let known = self.arc_place(&arc.place, Way::Consumed);
            let (place, sort) = known.unwrap_or((PlaceId(0), Sort::Unknown));
            let whither = format!("place `{}`", arc.place.node);
            let Some(typed) = self.term(arc, &sort, &whither) else { continue };
            for agent in typed.agents.clone() {
                self.linear(agent, arc.span, *weight, inputs, &mut carried);
            }
            let term = self.flow(typed, &sort, arc.span, &whither);
            all.push(Output { place, term, weight: *weight });
        }
        all
    }

    /// The token of an output arc: one term, or one for each field.
    fn term(&mut self, arc: &ArcOut, sort: &Sort, whither: &str) -> Option<Typed> {
        match (arc.terms.as_slice(), sort) {
            ([], Sort::Token | Sort::Unknown) => {
                Some(Typed::value(Expr::Constant(crate::value::Value::Token), Sort::Token))
            }
            ([], sort) => {
                let message = format!("{whither} takes {}, and no value is given", self.shown(sort));
                self.error("M1043", arc.span, message, "write the value in parentheses");
                None
            }
            ([one], sort) => Some(self.expression(one, Want::Value(sort))),
            (several, Sort::Record(record)) if record.fields.len() == several.len() => {
                let tuple = Expression { node: ExpressionNode::Tuple(several.to_vec()), span: arc.span };
                Some(self.expression(&tuple, Want::Value(sort)))
            }
            (several, sort) => {
                for value in several {
                    self.expression(value, Want::Anything);
                }
                if *sort != Sort::Unknown {
                    let (shown, given) = (self.shown(sort), several.len());
                    let message = format!("{whither} takes {shown}, and here are {given} parts");
                    self.error("M1043", arc.span, message, "write one value, or one for each field");
                }
                None
            }
        }
    }

    /// An agent is referenced exactly once: what goes out came in, and goes to one place.
    fn linear(
        &mut self,
        agent: Carried,
        span: Span,
        weight: u32,
        inputs: usize,
        carried: &mut BTreeMap<Carried, Span>,
    ) {
        match agent {
            Carried::Borrowed => {
                let help = "consume its token with `in`, and put that out again";
                self.error("M1029", span, "this agent stays where it is, so it cannot go here too", help);
            }
            Carried::Arc(arc) if arc >= inputs => {
                let help = "consume the token with `in` instead of `read`";
                self.error("M1029", span, "an agent that is only read cannot be put elsewhere", help);
            }
            Carried::Arc(_) if weight > 1 => {
                let help = "create the others with `new`";
                self.error("M1029", span, "a weight would make several of one agent", help);
            }
            Carried::Arc(_) => {
                if let Some(first) = carried.insert(agent, span) {
                    let message = "this agent goes to two places, and there is only one of it";
                    let help = "put it into one place, or create another with `new`";
                    let problem = motet_source::Problem::error("M1029", span, message, help);
                    self.problems.push(problem.also(first, "it goes here already"));
                }
            }
        }
    }
}
