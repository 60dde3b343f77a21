//! Conditions over the belief base as nested loops: left to right, beliefs in order, the first solution counts. This is
//! the matching of contexts of Bordini et al. 2003, 4.1, without their auxiliary channels.
//!
//! The beliefs stand in the arrays `_bp`, `_b0`, `_b1`, .., `_bs`, `_n` of them. Variables of the plan stand in `VAR(..)`.

use motet_machine::promela::{Branch, Statement, assign};
use motet_machine::{Binary, Expr, Place as Cell};

use crate::program::{Answer, Argument, Atom, Condition, Internal, Pattern, Program, VariableIndex};
use crate::promela::lack::Lack;
use crate::promela::names::Names;
use crate::promela::scope::{Computed, Match, Scope, arithmetic, cell, fits, is_number};
use crate::promela::world::{Local, Place, World};
use crate::syntax::{Direction, RelationOperator};

/// What happens at a solution.
#[derive(Clone, Debug, PartialEq)]
enum Target {
    /// The flag is set, and the search ends.
    Found(Cell),
    /// The solution is counted, and the search goes on.
    Counted(Cell),
}

/// Writes conditions of one agent.
pub(crate) struct Solver<'a> {
    pub(crate) program: &'a Program,
    pub(crate) names: &'a Names,
    pub(crate) agent: usize,
    /// Loop counters, flags and counts that were used, for their declarations.
    pub(crate) loops: usize,
    pub(crate) flags: usize,
    pub(crate) counts: usize,
    /// Whether a choice was written.
    pub(crate) chooses: bool,
    /// How many goals the present condition has.
    goals: usize,
}

/// More goals than these are not written for one condition.
const LIMIT_GOALS: usize = 30_000;

/// How deep loops and flags are nested at a point.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    loops: usize,
    flags: usize,
    counts: usize,
}

impl<'a> Solver<'a> {
    pub(crate) fn new(program: &'a Program, names: &'a Names, agent: usize) -> Self {
        Self { program, names, agent, loops: 0, flags: 0, counts: 0, chooses: false, goals: 0 }
    }

    /// Sets `flag` to 1 if the condition has a solution, and the variables to those of the first one; those that stay
    /// unbound are marked so. The flag must be 0 before.
    pub(crate) fn solve(
        &mut self,
        out: &mut Vec<Statement>,
        condition: &Condition,
        scope: &Scope,
        flag: &str,
    ) -> Result<(), Lack> {
        self.goals = 0;
        self.solve_all(out, &[condition], scope, &Target::Found(Cell::named(flag)), Level::default())
    }

    fn solve_all(
        &mut self,
        out: &mut Vec<Statement>,
        goals: &[&Condition],
        scope: &Scope,
        target: &Target,
        level: Level,
    ) -> Result<(), Lack> {
        self.goals += 1;
        if self.goals > LIMIT_GOALS {
            return Err(Lack::Size);
        }
        let Some((first, rest)) = goals.split_first() else {
            return self.solution(out, scope, target);
        };
        match first {
            Condition::True => self.solve_all(out, rest, scope, target, level),
            Condition::False => {
                out.push(Statement::Skip);
                Ok(())
            }
            Condition::And(all) => {
                let goals: Vec<_> = all.iter().chain(rest.iter().copied()).collect();
                self.solve_all(out, &goals, scope, target, level)
            }
            Condition::Or(all) => {
                for one in all {
                    let goals: Vec<_> = std::iter::once(one).chain(rest.iter().copied()).collect();
                    self.unless_found(out, target, |solver, out| {
                        solver.solve_all(out, &goals, scope, target, level)
                    })?;
                }
                Ok(())
            }
            Condition::Not(inner) => {
                let flag = self.flag(level);
                out.push(assign(&flag, 0));
                let deeper = Level { flags: level.flags + 1, ..level };
                self.solve_all(out, &[inner], scope, &Target::Found(flag.clone()), deeper)?;
                let test = Match { tests: vec![flag.equals(0)], ..Match::default() };
                self.after(out, &test, rest, scope, target, deeper)
            }
            Condition::Belief(atom) => self.belief(out, atom, rest, scope, target, level),
            Condition::Relation(operator, left, right) => {
                let found = self.relation(*operator, left, right, scope)?;
                self.after(out, &found, rest, scope, target, level)
            }
            Condition::Internal(internal, args) => {
                self.internal(out, *internal, args, rest, scope, target, level)
            }
            Condition::Stub(stub, args) => {
                let found = self.stub(out, *stub, args, scope)?;
                self.after(out, &found, rest, scope, target, level)
            }
        }
    }

    fn solution(&mut self, out: &mut Vec<Statement>, scope: &Scope, target: &Target) -> Result<(), Lack> {
        match target {
            Target::Found(flag) => {
                if *flag == Cell::named("_ok") {
                    out.extend(scope.open().map(|variable| assign(cell(variable), self.names.unbound())));
                }
                out.push(assign(flag, 1));
            }
            Target::Counted(count) => out.push(Statement::increment(count)),
        }
        Ok(())
    }

    fn unless_found(
        &mut self,
        out: &mut Vec<Statement>,
        target: &Target,
        block: impl FnOnce(&mut Self, &mut Vec<Statement>) -> Result<(), Lack>,
    ) -> Result<(), Lack> {
        let mut body = Vec::new();
        block(self, &mut body)?;
        out.push(Statement::when(target.searching(), body));
        Ok(())
    }

    /// The rest, where the tests hold and with the new values.
    fn after(
        &mut self,
        out: &mut Vec<Statement>,
        found: &Match,
        rest: &[&Condition],
        scope: &Scope,
        target: &Target,
        level: Level,
    ) -> Result<(), Lack> {
        let mut scope = scope.clone();
        let mut body = check_numbers(&found.checks);
        body.extend(bound(&found.binds));
        found.binds.iter().for_each(|(variable, _)| scope.bind(*variable));
        self.solve_all(&mut body, rest, &scope, target, level)?;
        if found.tests.is_empty() {
            out.append(&mut body);
        } else {
            out.push(Statement::when(Expr::all(found.tests.iter().cloned()), body));
        }
        Ok(())
    }

    fn belief<'c>(
        &mut self,
        out: &mut Vec<Statement>,
        atom: &'c Atom,
        rest: &[&'c Condition],
        scope: &Scope,
        target: &Target,
        level: Level,
    ) -> Result<(), Lack> {
        if !self.program.agents[self.agent].rules.is_empty() {
            return Err(Lack::Rules);
        }
        let counter = self.counter(level);
        let column = |name: &str| Expr::from(Cell::named(name).at(&counter));
        let columns: Vec<Expr> = (0..self.names.arity).map(|at| column(&format!("_b{at}"))).collect();
        let mut found = scope.matching(self.names, &atom.pattern, &column("_bp"), &columns)?;
        let mut body = Vec::new();
        let mut deeper = Level { loops: level.loops + 1, ..level };
        match &atom.source {
            None => self.after(&mut body, &found, rest, scope, target, deeper)?,
            Some(source) => {
                let which = self.counter(deeper);
                deeper.loops += 1;
                let mut inner = scope.clone();
                found.binds.iter().for_each(|(variable, _)| inner.bind(*variable));
                let bit = Expr::Number(1).with(Binary::ShiftLeft, &Expr::from(&which));
                let mut from = Match { tests: vec![column("_bs").bit_and(bit)], ..Match::default() };
                let named = Expr::call("source_of", [Expr::from(&which)]);
                inner.clone().match_value(self.names, source, &named, &mut from)?;
                // Values of the atom are put in once, before its sources are gone through.
                let binds = std::mem::take(&mut found.binds);
                let mut each = check_numbers(&found.checks);
                each.extend(bound(&binds));
                each.push(assign(&which, 0));
                let mut search = Vec::new();
                self.after(&mut search, &from, rest, &inner, target, deeper)?;
                search.push(Statement::increment(&which));
                let more = target.searching().and(&which.less(Expr::call("SOURCES", [])));
                each.push(Statement::repeat(more, search));
                body.push(Statement::when(Expr::all(found.tests), each));
            }
        }
        body.push(Statement::increment(&counter));
        let more = target.searching().and(&counter.less(Expr::variable("_n")));
        out.extend([assign(&counter, 0), Statement::repeat(more, body)]);
        Ok(())
    }

    /// A relation between two terms.
    pub(crate) fn relation(
        &self,
        operator: RelationOperator,
        left: &Pattern,
        right: &Pattern,
        scope: &Scope,
    ) -> Result<Match, Lack> {
        let free =
            |pattern: &Pattern| matches!(pattern, Pattern::Variable(variable) if !scope.is_bound(*variable));
        let compared = match operator {
            RelationOperator::Unify => {
                let (pattern, value) = if free(right) { (right, left) } else { (left, right) };
                if matches!(left, Pattern::Any) || matches!(right, Pattern::Any) {
                    return Ok(Match::default());
                }
                let value = scope.compute(self.names, value)?;
                return self.is(pattern, value, scope);
            }
            RelationOperator::Equal => Binary::Equal,
            RelationOperator::Different => Binary::NotEqual,
            RelationOperator::Less => Binary::Less,
            RelationOperator::LessEqual => Binary::LessEqual,
            RelationOperator::Greater => Binary::Greater,
            RelationOperator::GreaterEqual => Binary::GreaterEqual,
            RelationOperator::Decompose => return Err(Lack::Construct("`=..`".to_owned())),
        };
        let (left, right) = (scope.compute(self.names, left)?, scope.compute(self.names, right)?);
        let mut tests: Vec<Expr> = left.guards.into_iter().chain(right.guards).collect();
        tests.push(left.expr.with(compared, &right.expr));
        // Sums are compared as C computes them, which is exact below the limits.
        let checks = Vec::new();
        Ok(Match { tests, checks, binds: Vec::new() })
    }

    /// The pattern equals the value.
    fn is(&self, pattern: &Pattern, value: Computed, scope: &Scope) -> Result<Match, Lack> {
        let mut found = Match { tests: value.guards, checks: value.checks, binds: Vec::new() };
        scope.clone().match_value(self.names, pattern, &value.expr, &mut found)?;
        Ok(found)
    }

    #[expect(clippy::too_many_arguments, reason = "the point of the text, and what follows it")]
    fn internal<'c>(
        &mut self,
        out: &mut Vec<Statement>,
        internal: Internal,
        args: &'c [Argument],
        rest: &[&'c Condition],
        scope: &Scope,
        target: &Target,
        level: Level,
    ) -> Result<(), Lack> {
        if internal == Internal::Count {
            let Some(Argument::Condition(condition)) = args.first() else {
                return Err(Lack::Construct("`.count` without a condition".to_owned()));
            };
            let count = Cell::named(&format!("_c{}", level.counts));
            self.counts = self.counts.max(level.counts + 1);
            let deeper = Level { counts: level.counts + 1, ..level };
            out.push(assign(&count, 0));
            self.solve_all(out, &[condition], scope, &Target::Counted(count.clone()), deeper)?;
            let value = Computed { number: true, ..Computed::of(count.into()) };
            let found = self.is(term(args, 1)?, value, scope)?;
            return self.after(out, &found, rest, scope, target, deeper);
        }
        let found = self.simple(internal, args, scope)?;
        self.after(out, &found, rest, scope, target, level)
    }

    /// An internal action that looks at its arguments only.
    pub(crate) fn simple(&self, internal: Internal, args: &[Argument], scope: &Scope) -> Result<Match, Lack> {
        match internal {
            Internal::Print => Ok(Match::default()),
            Internal::Compare(operator) => self.relation(operator, term(args, 0)?, term(args, 1)?, scope),
            Internal::Compute(operator) => {
                let left = scope.compute(self.names, term(args, 0)?)?;
                let right = scope.compute(self.names, term(args, 1)?)?;
                self.is(term(args, 2)?, arithmetic(operator, &left, &right)?, scope)
            }
            Internal::MyName => {
                let own = self.names.terms.structure(self.program.agents[self.agent].name, &[]);
                let value = Computed::of(self.names.term(own)?);
                self.is(term(args, 0)?, value, scope)
            }
            Internal::IsNumber => {
                let value = scope.compute(self.names, term(args, 0)?)?;
                let mut tests = value.guards;
                tests.push(is_number(&value.expr));
                Ok(Match { tests, ..Match::default() })
            }
            Internal::Fail => Ok(Match { tests: vec![Expr::Truth(false)], ..Match::default() }),
            other => Err(Lack::Construct(format!("`.{}`", spelling(other)))),
        }
    }

    /// A stand-in: writes its choice, and says what follows from the answer.
    pub(crate) fn stub(
        &mut self,
        out: &mut Vec<Statement>,
        stub: usize,
        args: &[Pattern],
        scope: &Scope,
    ) -> Result<Match, Lack> {
        let stub = &self.program.stubs[stub];
        let output = stub.params.iter().position(|direction| *direction == Direction::Out);
        let output = output.and_then(|at| args.get(at));
        let value = match &stub.answer {
            Answer::Succeeds => return Ok(Match::default()),
            Answer::Either => {
                self.choose(out, &[Expr::Number(1), Expr::Number(0)]);
                return Ok(Match { tests: vec![Expr::variable("_t").equals(1)], ..Match::default() });
            }
            Answer::OneOf(values) if values.is_empty() => {
                return Ok(Match { tests: vec![Expr::Truth(false)], ..Match::default() });
            }
            Answer::OneOf(values) => {
                let codes =
                    values.iter().map(|value| self.names.term(*value)).collect::<Result<Vec<_>, _>>()?;
                self.choose(out, &codes);
                Computed::of(Expr::variable("_t"))
            }
            Answer::Value(expr) => {
                let mut locals = Vec::new();
                let mut guards = Vec::new();
                for (arg, direction) in args.iter().zip(&stub.params) {
                    if *direction == Direction::Out {
                        locals.push(Local::Known(crate::program::Value::None));
                        continue;
                    }
                    let value = scope.compute(self.names, arg)?;
                    guards.extend(value.guards);
                    guards.push(Expr::call("plain", [value.expr.clone()]));
                    locals.push(Local::Named(value.expr));
                }
                // Quantifiers inside the expression have their locals after the parameters.
                locals.resize(64.max(locals.len()), Local::Known(crate::program::Value::None));
                let world =
                    World { environment: &self.program.environment, names: self.names, place: Place::Code };
                let mut checks = world.sound(expr, &locals)?;
                let value = world.value(expr, &locals)?;
                checks.push(is_number(&value).not().or(&fits(&value)));
                Computed { expr: value, guards, checks, number: false }
            }
        };
        match output {
            Some(pattern) => self.is(pattern, value, scope),
            None => Ok(Match { tests: value.guards, checks: value.checks, binds: Vec::new() }),
        }
    }

    /// `_t` becomes one of the values, in this order.
    fn choose(&mut self, out: &mut Vec<Statement>, codes: &[Expr]) {
        if let [only] = codes {
            out.push(assign("_t", only));
            return;
        }
        self.chooses = true;
        let choice = Cell::named("_choice");
        let option = |(number, code): (usize, &Expr)| {
            let chosen = choice.times(Expr::count(codes.len())).plus(Expr::count(number));
            Branch::when(Expr::Truth(true), vec![assign("_t", code), assign(&choice, chosen)])
        };
        out.push(Statement::If(codes.iter().enumerate().map(option).collect()));
    }

    fn counter(&mut self, level: Level) -> Cell {
        self.loops = self.loops.max(level.loops + 1);
        Cell::named(&format!("_k{}", level.loops))
    }

    fn flag(&mut self, level: Level) -> Cell {
        self.flags = self.flags.max(level.flags + 1);
        Cell::named(&format!("_f{}", level.flags))
    }
}

impl Target {
    /// Whether the search goes on.
    fn searching(&self) -> Expr {
        match self {
            Self::Found(flag) => flag.equals(0),
            Self::Counted(_) => Expr::Truth(true),
        }
    }
}

/// Variables get these values.
pub(crate) fn bound(binds: &[(VariableIndex, Expr)]) -> impl Iterator<Item = Statement> {
    binds.iter().map(|(variable, value)| assign(cell(*variable), value))
}

/// Numbers that do not fit end the search as an exceeded bound.
pub(crate) fn check_numbers(checks: &[Expr]) -> Vec<Statement> {
    let all = (!checks.is_empty()).then(|| Expr::all(checks.iter().cloned()));
    all.map(|all| Statement::check("bound_numbers", all)).into_iter().collect()
}

/// The argument as a term.
pub(crate) fn term(args: &[Argument], at: usize) -> Result<&Pattern, Lack> {
    match args.get(at) {
        Some(Argument::Term(pattern)) => Ok(pattern),
        _ => Err(Lack::Construct("a condition in place of a term".to_owned())),
    }
}

fn spelling(internal: Internal) -> String {
    // `DropAllDesires` as `drop_all_desires`.
    let mut out = String::new();
    for c in format!("{internal:?}").chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Variables that a condition mentions.
pub(crate) fn mentioned(condition: &Condition, out: &mut Vec<VariableIndex>) {
    match condition {
        Condition::True | Condition::False => {}
        Condition::Belief(atom) => {
            mentioned_in(&atom.pattern, out);
            atom.source.iter().for_each(|source| mentioned_in(source, out));
        }
        Condition::Not(inner) => mentioned(inner, out),
        Condition::And(all) | Condition::Or(all) => all.iter().for_each(|one| mentioned(one, out)),
        Condition::Relation(_, left, right) => {
            mentioned_in(left, out);
            mentioned_in(right, out);
        }
        Condition::Internal(_, args) => mentioned_in_arguments(args, out),
        Condition::Stub(_, args) => args.iter().for_each(|arg| mentioned_in(arg, out)),
    }
}

/// Variables that arguments of an internal action mention.
pub(crate) fn mentioned_in_arguments(args: &[Argument], out: &mut Vec<VariableIndex>) {
    for arg in args {
        match arg {
            Argument::Term(pattern) => mentioned_in(pattern, out),
            Argument::Condition(condition) => mentioned(condition, out),
        }
    }
}

/// Variables that a pattern mentions.
pub(crate) fn mentioned_in(pattern: &Pattern, out: &mut Vec<VariableIndex>) {
    match pattern {
        Pattern::Variable(variable) => out.push(*variable),
        Pattern::Structure(_, args) => args.iter().for_each(|arg| mentioned_in(arg, out)),
        Pattern::Arithmetic(_, left, right) => {
            mentioned_in(left, out);
            mentioned_in(right, out);
        }
        Pattern::Ground(_) | Pattern::Any => {}
    }
}
