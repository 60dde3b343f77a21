//! Channel commands.

use motet_source::Span;

use super::Disjunct;
use crate::program::{Exchange, Expr, Input, Partner, PortId, Sort, Sync};
use crate::resolve::compile::{Compiler, Origin, Typed, Want};
use crate::resolve::ports::{Side, Use};
use crate::resolve::scope::meant;
use crate::syntax::{self, Expression, ExpressionNode, Level, Name};

impl<'a> Compiler<'a> {
    /// The command of a disjunct, with the variables of what is received bound. What is sent is computed later.
    pub(super) fn first_sync(
        &mut self,
        disjunct: &Disjunct<'a>,
        level: Level,
        ports: &mut Vec<Use>,
        inputs: &[Input],
        reads: &[Input],
    ) -> Option<Sync> {
        if let Some((_, second)) = disjunct.syncs.get(1) {
            let help = "a step is one communication: write a transition for each";
            self.error("M1028", *second, "a second channel command in one disjunct", help);
        }
        let (sync, span) = disjunct.syncs.first()?;
        let port = self.port(&sync.port);
        let partner = self.partner(&sync.partner, level, *span, inputs.len() + reads.len());
        let side = match &sync.partner {
            syntax::Partner::Up => Side::Agent,
            syntax::Partner::Agent(_) => Side::Host,
            syntax::Partner::Channel(_) => Side::Peer,
        };
        if let Some(port) = port {
            let sends = matches!(sync.exchange, syntax::Exchange::Send(_));
            ports.push(Use { port, side, sends, span: sync.port.span });
        }
        let exchange = match &sync.exchange {
            syntax::Exchange::Send(_) => Exchange::Send(Vec::new()),
            syntax::Exchange::Receive(patterns) => Exchange::Receive(self.received(patterns, port, sync)),
        };
        Some(Sync { partner: partner?, port: port?, exchange })
    }

    /// The values that are sent.
    pub(super) fn last_sync(&mut self, disjunct: &Disjunct<'a>, sync: &mut Option<Sync>) {
        let Some((written, _)) = disjunct.syncs.first() else { return };
        let syntax::Exchange::Send(values) = &written.exchange else { return };
        let fields = self.port_fields(&written.port);
        if fields.len() != values.len() && self.scope.port(&written.port.node).is_some() {
            self.wrong_count(&written.port, fields.len(), values.len());
        }
        let unknown = (String::new(), Sort::Unknown);
        let mut sent = Vec::new();
        for (number, value) in values.iter().enumerate() {
            let (name, sort) = fields.get(number).unwrap_or(&unknown);
            let typed = self.expression(value, Want::Value(sort));
            sent.push(self.flow(
                typed,
                sort,
                value.span,
                &format!("`{name}` of port `{}`", written.port.node),
            ));
        }
        if let Some(sync) = sync {
            sync.exchange = Exchange::Send(sent);
        }
    }

    fn port(&mut self, name: &Name) -> Option<PortId> {
        let port = self.scope.port(&name.node);
        if port.is_none() {
            let known = self.scope.ports.iter().map(|port| port.name.as_str());
            let help = meant(&name.node, known, "declare it with `port`");
            self.error("M1021", name.span, format!("there is no port `{}`", name.node), help);
        }
        port
    }

    fn port_fields(&self, name: &Name) -> Vec<(String, Sort)> {
        let port = self.scope.port(&name.node);
        port.map_or_else(Vec::new, |port| self.scope.ports[port.0 as usize].fields.clone())
    }

    fn wrong_count(&mut self, port: &Name, takes: usize, given: usize) {
        let message = format!("port `{}` carries {takes} values, and here are {given}", port.node);
        self.error("M1043", port.span, message, "give one for each field of the port");
    }

    fn received(
        &mut self,
        patterns: &[syntax::Pattern],
        port: Option<PortId>,
        sync: &syntax::Sync,
    ) -> Vec<crate::program::Pattern> {
        let fields = self.port_fields(&sync.port);
        if port.is_some() && fields.len() != patterns.len() {
            self.wrong_count(&sync.port, fields.len(), patterns.len());
        }
        let mut all = Vec::new();
        for (number, pattern) in patterns.iter().enumerate() {
            let sort = fields.get(number).map_or(Sort::Unknown, |(_, sort)| sort.clone());
            all.push(self.pattern(pattern, &sort, &Origin::Message));
        }
        all
    }

    fn partner(
        &mut self,
        partner: &syntax::Partner,
        level: Level,
        span: Span,
        arcs: usize,
    ) -> Option<Partner> {
        match (partner, level) {
            (syntax::Partner::Up, Level::Agent) => Some(Partner::Up),
            (syntax::Partner::Up, Level::System) => {
                let help = "name the agent: `sync a.net ! port(e);`";
                self.error("M1031", span, "there is nothing above the system net", help);
                None
            }
            (syntax::Partner::Channel(_), Level::System) => {
                let help = "name the agent: `sync a.net ! port(e);`";
                self.error("M1031", span, "the system net has no other agents beside it", help);
                None
            }
            (syntax::Partner::Channel(value), Level::Agent) => {
                let typed = self.expression(value, Want::Anything);
                let expr = self.flow(typed, &Sort::Unknown, value.span, "a channel");
                Some(Partner::Channel(expr))
            }
            (syntax::Partner::Agent(agent), _) => self.agent(agent, arcs),
        }
    }

    /// The agent of a token that an arc of this transition binds.
    fn agent(&mut self, agent: &Expression, arcs: usize) -> Option<Partner> {
        let bound = self.is_visible(root(agent));
        let typed = if bound { self.expression(agent, Want::Value(&Sort::Agent)) } else { Typed::unknown() };
        if bound && typed.is_unknown() {
            return None;
        }
        let way = self.way(&typed);
        self.flow(typed, &Sort::Agent, agent.span, "`sync`");
        if let Some((arc, fields)) = way.filter(|(arc, _)| *arc < arcs) {
            return Some(Partner::Agent { arc, fields });
        }
        let help = "bind the token that holds it: `in p(a); sync a.net ! port(e);`";
        let message = "the partner has to be bound by an input or read arc of this transition";
        self.error("M1031", agent.span, message, help);
        None
    }

    /// The arc that binds a token, and the fields from there to a part of it.
    fn way(&self, typed: &Typed) -> Option<(usize, Vec<usize>)> {
        let mut path = Vec::new();
        let mut expr = &typed.expr;
        while let Expr::Field(of, field) = expr {
            path.push(*field);
            expr = of;
        }
        let Expr::Variable(id) = expr else { return None };
        let Origin::Arc(arc, fields) = &self.variables[id.0 as usize].origin else { return None };
        Some((*arc, fields.iter().copied().chain(path.into_iter().rev()).collect()))
    }
}

/// The name that a path of fields starts with.
fn root(mut expression: &Expression) -> &str {
    loop {
        match &expression.node {
            ExpressionNode::Field(of, _) => expression = of,
            ExpressionNode::Name(name) => return name,
            _ => return "",
        }
    }
}
