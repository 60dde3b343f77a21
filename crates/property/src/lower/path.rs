//! Formulas.

use motet_model::{AtomId, AtomText};

use super::connect::{and, balanced, constant, iff, implies, not, or};
use super::scope::{Segment, reaches_out, scoped};
use super::start::looks_further;
use super::value::Measure;
use super::{Binding, Env, Lowering};
use crate::formula::{Extremum, Formula, Interval, Path, Quantifier, Query, RewardGoal, Until};
use crate::syntax::{
    Binary, Domain, Every, Goal, Join, Lasting, Node, Scope, Temporal, Threshold, Timing, Tree, When,
};

type Lowered = Path<AtomId>;

impl<'a> Lowering<'a> {
    /// The formula that a node stands for. Where that is none, a problem is reported and `true` returned.
    pub(super) fn path(&mut self, node: &'a Node, env: &Env<'a>) -> Lowered {
        if !self.enter(node.span) {
            return constant(true);
        }
        self.depth += 1;
        let later = u32::from(looks_further(&node.tree));
        self.later += later;
        let path = self.path_here(node, env);
        self.later -= later;
        self.depth -= 1;
        path
    }

    fn path_here(&mut self, node: &'a Node, env: &Env<'a>) -> Lowered {
        match &node.tree {
            Tree::Group(inner) => self.path(inner, env),
            Tree::Error => {
                self.failed = true;
                constant(true)
            }
            Tree::Name(name) => self.name(node, name, env),
            Tree::Call(name, arguments) => match self.defines.get(name.as_str()).copied() {
                Some(define) => match self.call(node, define, arguments, env) {
                    Some(inner) => self.path(&define.body, &inner),
                    None => constant(true),
                },
                None => {
                    let start = self.initially(node, name, arguments, env);
                    let said = start.or_else(|| self.past(name, arguments, env));
                    let said = said.or_else(|| self.other_words(node, name, arguments, env));
                    said.unwrap_or_else(|| self.fact(node, env))
                }
            },
            // PRISM's built-in label, in whatever dialect it is written.
            Tree::Text(label) if label == "deadlock" => Path::Now(Formula::Deadlock),
            Tree::Text(_) | Tree::Field(..) | Tree::Index(..) => self.fact(node, env),
            Tree::Compare(first, rest) => match self.compared_wait(node, first, rest, env) {
                Some(compared) => compared,
                None => self.comparisons(first, rest, env),
            },
            Tree::Wait(extremum, from, to) => self.wait(*extremum, from.as_deref(), to, env),
            Tree::Member(left, domain) => self.membership(node, left, domain, env),
            Tree::Mental(attitude, _, agent, content) => self.attitude(node, *attitude, agent, content, env),
            Tree::Says(_, from, to, content) => self.says(node, from, to, content, env),
            Tree::NoBelief(agent, about) => self.no_belief(node, agent, about, env),
            Tree::Number(_)
            | Tree::Length(_)
            | Tree::Tuple(_)
            | Tree::List(_)
            | Tree::Negative(_)
            | Tree::Size(_)
            | Tree::Arithmetic(..)
            | Tree::Clock(..) => {
                let help = "compare it with something, for example `... <= 1`";
                self.error("M0226", node.span, "this is a value where a formula is expected", help);
                constant(true)
            }
            Tree::Not(_, inner) => not(self.path(inner, env)),
            Tree::Implies(_, left, right) => {
                let left = self.path(left, env);
                implies(left, self.path(right, env))
            }
            Tree::Iff(_, left, right) => {
                let left = self.path(left, env);
                iff(left, self.path(right, env))
            }
            Tree::Join(join, _, parts) => {
                joined(*join, parts.iter().map(|part| self.path(part, env)).collect())
            }
            Tree::Quantified(every, variable, domain, body) => {
                self.quantified(node, *every, variable, domain, body, env)
            }
            Tree::Whenever(trigger, timing, response) => self.whenever(trigger, timing, response, env),
            Tree::Precedes(first, second) => {
                let first = self.path(first, env);
                let second = self.path(second, env);
                Path::Until(Until::Weak, Interval::default(), Box::new(not(second)), Box::new(first))
            }
            Tree::Scoped(scope, body) => self.scoped(node, scope, body, env),
            Tree::Shall(shall) => self.shall(node, shall, env),
            _ => self.operator(node, env),
        }
    }

    /// Operators of time, knowledge and chance.
    fn operator(&mut self, node: &'a Node, env: &Env<'a>) -> Lowered {
        match &node.tree {
            Tree::Temporal(temporal, _, when, inner) => {
                self.temporal(node, *temporal, when.as_ref(), inner, env)
            }
            Tree::Branching(quantifier, temporal, when, inner) => {
                let path = self.temporal(node, *temporal, when.as_ref(), inner, env);
                Path::Now(Formula::Runs(*quantifier, Box::new(path)))
            }
            Tree::Timed(lasting, length, inner) => {
                let interval = self.up_to(length, env);
                let inner = Box::new(self.path(inner, env));
                match lasting {
                    Lasting::Within => Path::Eventually(interval, inner),
                    Lasting::For => Path::Always(interval, inner),
                }
            }
            Tree::Runs(quantifier, inner) => self.runs(*quantifier, inner, env),
            Tree::Until(Binary::Since, _, when, left, right) => {
                if when.is_some() {
                    let help = "take the bound away, or compare the clock: `since(q) <= 4 min`";
                    self.error("M0230", node.span, "`since` between two formulas takes no bound", help);
                }
                self.ever_since(left, right, env)
            }
            Tree::Until(Binary::Until(until), _, when, left, right) => {
                let interval = self.interval(when.as_ref(), env);
                let left = Box::new(self.path(left, env));
                let right = Box::new(self.path(right, env));
                Path::Until(*until, interval, left, right)
            }
            Tree::Knows(knowledge, _, group, inner) => {
                let group = self.group(node, *knowledge, group, env);
                let inner = self.state(inner, env, "what an agent knows");
                Path::Now(Formula::Knows(*knowledge, group, Box::new(inner)))
            }
            Tree::Chance(extremum, threshold, inner) => {
                self.asks(node, *extremum, threshold, 'P');
                let query = self.query(threshold, env, Measure::Probability);
                self.chances += 1;
                let inner = Box::new(self.path(inner, env));
                self.chances -= 1;
                Path::Now(Formula::Chance(*extremum, query, inner))
            }
            Tree::Filter(filter, value, states) => {
                let value = Box::new(self.state(value, env, "what a filter gathers"));
                let states = Box::new(self.state(states, env, "where a filter looks"));
                Path::Now(Formula::Filter(*filter, value, states))
            }
            Tree::Steady(extremum, threshold, inner) => {
                self.asks(node, *extremum, threshold, 'S');
                let query = self.query(threshold, env, Measure::Probability);
                let inner = Box::new(self.state(inner, env, "a long-run share"));
                Path::Now(Formula::Steady(*extremum, query, inner))
            }
            Tree::Reward(name, extremum, threshold, goal) => {
                self.asks(node, *extremum, threshold, 'R');
                let query = self.query(threshold, env, Measure::Reward);
                self.chances += 1;
                let goal = Box::new(self.goal(goal, env));
                self.chances -= 1;
                Path::Now(Formula::Reward(name.clone(), *extremum, query, goal))
            }
            _ => self.happening(node, env),
        }
    }

    fn runs(&mut self, quantifier: Quantifier, inner: &'a Node, env: &Env<'a>) -> Lowered {
        let inner = Box::new(self.path(inner, env));
        Path::Now(Formula::Runs(quantifier, inner))
    }

    fn goal(&mut self, goal: &'a Goal, env: &Env<'a>) -> RewardGoal<AtomId> {
        match goal {
            Goal::Cumulative(None) => RewardGoal::Cumulative(None),
            Goal::Cumulative(Some(bound)) => RewardGoal::Cumulative(self.bound(bound, env)),
            Goal::Instant(at) => match self.bound(at, env) {
                Some(at) => RewardGoal::Instant(at),
                None => RewardGoal::Average,
            },
            Goal::Average => RewardGoal::Average,
            Goal::Path(path) => RewardGoal::Until(self.path(path, env)),
        }
    }

    /// Notes a question that says neither least nor greatest.
    fn asks(&mut self, node: &Node, extremum: Option<Extremum>, threshold: &Threshold, letter: char) {
        if extremum.is_none() && matches!(threshold, Threshold::Ask) {
            self.asked.push((node.span, letter));
        }
    }

    fn query(&mut self, threshold: &'a Threshold, env: &Env<'a>, measure: Measure) -> Query {
        match threshold {
            Threshold::Ask => Query::Value,
            Threshold::Compare(relation, value) => {
                let text = self.threshold(value, env, measure);
                Query::Compare(*relation, text)
            }
        }
    }

    /// A formula about a single state.
    pub(super) fn state(&mut self, node: &'a Node, env: &Env<'a>, what: &str) -> Formula<AtomId> {
        match self.path(node, env) {
            Path::Now(formula) => formula,
            _ => {
                let message = format!("{what} must be about one state, and this is about a run");
                let help = "say about which runs, with `A [ ... ]` or `E [ ... ]`, or take the temporal operator out";
                self.error("M0227", node.span, message, help);
                Formula::True
            }
        }
    }

    fn name(&mut self, node: &'a Node, name: &'a str, env: &Env<'a>) -> Lowered {
        match env.get(name) {
            Some(Binding::Argument(argument, outer)) => return self.path(argument, &outer),
            Some(Binding::Value(_)) => return self.fact(node, env),
            None => {}
        }
        match name {
            "true" => return constant(true),
            "false" => return constant(false),
            "deadlock" => return Path::Now(Formula::Deadlock),
            "now" => {
                let help = "compare it with a length of time, for example `now <= 9 h`";
                self.error("M0226", node.span, "`now` is a clock where a formula is expected", help);
                return constant(true);
            }
            _ => {}
        }
        if let Some(value) = self.constant_value(node, name) {
            return match value {
                Some(value) => self.path(value, &Env::default()),
                None => constant(true),
            };
        }
        match self.defines.get(name).copied() {
            Some(define) => match self.call(node, define, &[], env) {
                Some(inner) => self.path(&define.body, &inner),
                None => constant(true),
            },
            None => self.fact(node, env),
        }
    }

    fn temporal(
        &mut self,
        node: &'a Node,
        temporal: Temporal,
        when: Option<&'a When>,
        inner: &'a Node,
        env: &Env<'a>,
    ) -> Lowered {
        let interval = self.interval(when, env);
        let inner = self.path(inner, env);
        match temporal {
            Temporal::Next => {
                if !interval.is_unbounded() {
                    let help = "take the bound away, or write `F<=...`";
                    self.error("M0230", node.span, "`X` takes no bound: it looks one step ahead", help);
                }
                Path::Next(Box::new(inner))
            }
            Temporal::Eventually => Path::Eventually(interval, Box::new(inner)),
            Temporal::Always => Path::Always(interval, Box::new(inner)),
            Temporal::Never => Path::Always(interval, Box::new(not(inner))),
        }
    }

    fn whenever(
        &mut self,
        trigger: &'a Node,
        timing: &'a Timing,
        response: &'a Node,
        env: &Env<'a>,
    ) -> Lowered {
        let trigger = self.path(trigger, env);
        let answer = self.answer(timing, response, env);
        Path::Always(Interval::default(), Box::new(implies(trigger, answer)))
    }

    /// What `whenever` and `each time` ask for from a moment on.
    pub(super) fn answer(&mut self, timing: &'a Timing, response: &'a Node, env: &Env<'a>) -> Lowered {
        let response = self.path(response, env);
        match timing {
            Timing::Immediately => response,
            Timing::Eventually => Path::Eventually(Interval::default(), Box::new(response)),
            Timing::Within(length) => Path::Eventually(self.up_to(length, env), Box::new(response)),
            Timing::For(length) => Path::Always(self.up_to(length, env), Box::new(response)),
            Timing::After(length) => {
                let at = self.bound(length, env);
                Path::Eventually(Interval { low: at.clone(), high: at }, Box::new(response))
            }
        }
    }

    fn quantified(
        &mut self,
        node: &'a Node,
        every: Every,
        variable: &'a str,
        domain: &'a Domain,
        body: &'a Node,
        env: &Env<'a>,
    ) -> Lowered {
        if let Some(collection) = self.collection(domain, env) {
            let expr = self.quantified_expr(every, variable, collection, body, env);
            return self.holds(AtomText::Fact(expr), node.span);
        }
        let mut parts = Vec::new();
        for member in self.members(node, domain, env) {
            if self.exhausted() {
                break;
            }
            let inner = env.bind(variable, Binding::Value(member));
            parts.push(self.path(body, &inner));
        }
        joined(if every == Every::All { Join::And } else { Join::Or }, parts)
    }

    fn scoped(&mut self, node: &'a Node, scope: &'a Scope, body: &'a Node, env: &Env<'a>) -> Lowered {
        let mut path = self.path(body, env);
        if !matches!(scope, Scope::Globally) && matches!(path, Path::Now(_)) && !self.failed {
            self.opening_only(scope, body);
        }
        if let Some(what) = reaches_out(&path) {
            let message = format!("a scope cannot hold {what}");
            let help = "scopes cut a run into parts; write what you mean with `->` and `U` instead";
            self.error("M0227", node.span, message, help);
        }
        let segment = match scope {
            Scope::Globally => return path,
            Scope::Before(end) => Segment::Before(self.path(end, env)),
            Scope::While(during) => Segment::While(self.path(during, env)),
            Scope::After(start) => {
                let start = self.path(start, env);
                path = self.behind(scope, body, path, (&start, None));
                Segment::After(start)
            }
            Scope::AfterUntil(start, end) => {
                let (start, end) = (self.path(start, env), self.path(end, env));
                path = self.behind(scope, body, path, (&start, Some(&end)));
                Segment::AfterUntil(start, end)
            }
            Scope::Between(start, end) => {
                let (start, end) = (self.path(start, env), self.path(end, env));
                path = self.behind(scope, body, path, (&start, Some(&end)));
                Segment::Between(start, end)
            }
        };
        // The end of the scope is written into every operator inside.
        let ends = match scope {
            Scope::Globally => 0,
            Scope::Before(end) | Scope::While(end) | Scope::After(end) => size(end),
            Scope::AfterUntil(_, end) | Scope::Between(_, end) => size(end),
        };
        self.parts = self.parts.saturating_add(ends.saturating_mul(4 * size(body)));
        if !self.enter(node.span) {
            return constant(true);
        }
        scoped(segment, path)
    }
}

fn joined(join: Join, parts: Vec<Lowered>) -> Lowered {
    match join {
        Join::And => balanced(parts, constant(true), &and),
        Join::Or => balanced(parts, constant(false), &or),
        Join::Xor => balanced(parts, constant(false), &|left, right| not(iff(left, right))),
    }
}

fn size(node: &Node) -> usize {
    let mut total = 1usize;
    node.each_child(&mut |child| total = total.saturating_add(size(child)));
    total
}
