//! Solving conditions over an agent's beliefs and rules: left to right, beliefs in order, with backtracking.
//!
//! The search keeps its goals and choice points on the heap, so that no program can overflow the stack, and counts
//! its inferences, so that none can run for ever.

use std::rc::Rc;

use crate::program::{Answer, Atom, Condition, Pattern, Program};
use crate::semantics::arithmetic::{self, Trouble};
use crate::semantics::bindings::{Bindings, Mark};
use crate::semantics::choices::Choices;
use crate::semantics::internal::Found;
use crate::semantics::mind::{Mind, Source};
use crate::semantics::world;
use crate::syntax::{Direction, RelationOperator};
use crate::term::{Term, TermId};

/// So many inferences may one condition take.
const MAX_INFERENCES: u32 = 1_000_000;
/// So deep may negations and collections nest.
const MAX_NESTING: u32 = 200;

/// One agent's view while it solves conditions.
pub(crate) struct Reasoner<'a> {
    pub(crate) program: &'a Program,
    pub(crate) agent: usize,
    pub(crate) mind: &'a Mind,
    pub(crate) choices: &'a mut Choices,
    pub(crate) bindings: Bindings<'a>,
    inferences: u32,
    nesting: u32,
}

/// A search for solutions of one condition.
pub(crate) struct Search<'a> {
    points: Vec<Point<'a>>,
    fresh: Option<Goals<'a>>,
}

type Goals<'a> = Option<Rc<Goal<'a>>>;

/// A condition to solve and what is left after it. `offset` is where its variables begin, `depth` how many rules deep.
struct Goal<'a> {
    condition: &'a Condition,
    offset: usize,
    depth: u32,
    rest: Goals<'a>,
}

/// Long lists of goals are taken apart one by one: dropping them must not recurse.
impl Drop for Goal<'_> {
    fn drop(&mut self) {
        let mut rest = self.rest.take();
        while let Some(goal) = rest {
            match Rc::try_unwrap(goal) {
                Ok(mut goal) => rest = goal.rest.take(),
                Err(_) => break,
            }
        }
    }
}

/// A point where another alternative is left.
struct Point<'a> {
    rest: Goals<'a>,
    mark: Mark,
    offset: usize,
    depth: u32,
    alternative: Alternative<'a>,
}

enum Alternative<'a> {
    /// From this belief and this source of it on.
    Belief(&'a Atom, usize, usize),
    /// From this rule on.
    Rule(&'a Atom, usize),
    /// These conditions.
    Or(&'a [Condition]),
    /// From this candidate on.
    Among(&'a Pattern, Rc<[TermId]>, usize),
}

impl<'a> Reasoner<'a> {
    /// A view with these values.
    pub(crate) fn new(
        program: &'a Program,
        agent: usize,
        mind: &'a Mind,
        choices: &'a mut Choices,
        values: Vec<Option<TermId>>,
    ) -> Self {
        let bindings = Bindings::new(&program.terms, program.bounds.terms, values);
        Self { program, agent, mind, choices, bindings, inferences: 0, nesting: 0 }
    }

    /// Whether the condition has a solution; its variables are then bound by the first one.
    pub(crate) fn solve(&mut self, condition: &'a Condition) -> Result<bool, Trouble> {
        let mut search = self.search(condition, 0, 0);
        self.next(&mut search)
    }

    /// A search for all solutions.
    #[expect(clippy::unused_self, reason = "a search belongs to the bindings of its reasoner")]
    pub(crate) fn search(&self, condition: &'a Condition, offset: usize, depth: u32) -> Search<'a> {
        let goal = Goal { condition, offset, depth, rest: None };
        Search { points: Vec::new(), fresh: Some(Some(Rc::new(goal))) }
    }

    /// The next solution, in the bindings; false after the last one, and then the bindings are as before.
    pub(crate) fn next(&mut self, search: &mut Search<'a>) -> Result<bool, Trouble> {
        let mut goals = match search.fresh.take() {
            Some(goals) => goals,
            None => match self.backtrack(search)? {
                Some(goals) => goals,
                None => return Ok(false),
            },
        };
        while let Some(goal) = goals {
            self.infer()?;
            goals = match self.reduce(&goal, search) {
                Ok(Some(rest)) => rest,
                Ok(None) | Err(Trouble::Fails) => match self.backtrack(search)? {
                    Some(rest) => rest,
                    None => return Ok(false),
                },
                Err(trouble) => return Err(trouble),
            };
        }
        Ok(true)
    }

    fn infer(&mut self) -> Result<(), Trouble> {
        self.inferences += 1;
        if self.inferences > MAX_INFERENCES {
            return Err(Trouble::Fault(format!("a condition takes more than {MAX_INFERENCES} inferences")));
        }
        Ok(())
    }

    /// The goals that are left after the first; `None` if it has no solution.
    fn reduce(&mut self, goal: &Rc<Goal<'a>>, search: &mut Search<'a>) -> Result<Option<Goals<'a>>, Trouble> {
        let Goal { condition, offset, depth, ref rest } = **goal;
        let done = |holds: bool| holds.then(|| rest.clone());
        Ok(match condition {
            Condition::True => done(true),
            Condition::False => done(false),
            Condition::And(all) => Some(all.iter().rev().fold(rest.clone(), |rest, condition| {
                Some(Rc::new(Goal { condition, offset, depth, rest }))
            })),
            Condition::Or(all) => self.resume(search, rest, offset, depth, Alternative::Or(all))?,
            Condition::Belief(atom) => {
                self.resume(search, rest, offset, depth, Alternative::Belief(atom, 0, 0))?
            }
            Condition::Not(inner) => {
                self.nest()?;
                let mark = self.bindings.mark();
                let mut inner = self.search(inner, offset, depth);
                let found = self.next(&mut inner)?;
                self.bindings.undo(mark);
                self.unnest();
                done(!found)
            }
            Condition::Relation(operator, left, right) => done(self.relate(*operator, left, right, offset)?),
            Condition::Stub(stub, args) => done(self.stub(*stub, args, offset)?),
            Condition::Internal(internal, args) => match self.internal(*internal, args, offset, depth)? {
                Found::Holds(holds) => done(holds),
                Found::Is(pattern, term) => done(self.bindings.unify_pattern(pattern, offset, term)?),
                Found::Among(pattern, candidates) => {
                    let candidates = Alternative::Among(pattern, candidates.into(), 0);
                    self.resume(search, rest, offset, depth, candidates)?
                }
            },
        })
    }

    /// Takes up the latest choice point.
    fn backtrack(&mut self, search: &mut Search<'a>) -> Result<Option<Goals<'a>>, Trouble> {
        while let Some(Point { rest, mark, offset, depth, alternative }) = search.points.pop() {
            self.bindings.undo(mark);
            if let Some(goals) = self.resume(search, &rest, offset, depth, alternative)? {
                return Ok(Some(goals));
            }
        }
        Ok(None)
    }

    /// Tries alternatives until one fits; leaves a choice point if more are left.
    fn resume(
        &mut self,
        search: &mut Search<'a>,
        rest: &Goals<'a>,
        offset: usize,
        depth: u32,
        mut alternative: Alternative<'a>,
    ) -> Result<Option<Goals<'a>>, Trouble> {
        let mark = self.bindings.mark();
        loop {
            self.infer()?;
            let Attempt { goals, left } = self.attempt(alternative, rest, offset, depth)?;
            if let Some(goals) = goals {
                if let Some(alternative) = left {
                    search.points.push(Point { rest: rest.clone(), mark, offset, depth, alternative });
                }
                return Ok(Some(goals));
            }
            self.bindings.undo(mark);
            match left {
                Some(next) => alternative = next,
                None => return Ok(None),
            }
        }
    }

    /// The first of the alternatives: what is left to solve if it fits, and the alternatives after it.
    fn attempt(
        &mut self,
        alternative: Alternative<'a>,
        rest: &Goals<'a>,
        offset: usize,
        depth: u32,
    ) -> Result<Attempt<'a>, Trouble> {
        match alternative {
            Alternative::Or(conditions) => {
                let Some((condition, others)) = conditions.split_first() else {
                    return Ok(Attempt { goals: None, left: None });
                };
                let goal = Goal { condition, offset, depth, rest: rest.clone() };
                let left = (!others.is_empty()).then_some(Alternative::Or(others));
                Ok(Attempt { goals: Some(Some(Rc::new(goal))), left })
            }
            Alternative::Among(pattern, candidates, at) => {
                let Some(&candidate) = candidates.get(at) else {
                    return Ok(Attempt { goals: None, left: None });
                };
                let fits = fits(self.bindings.unify_pattern(pattern, offset, candidate))?;
                let left = (at + 1 < candidates.len())
                    .then(|| Alternative::Among(pattern, Rc::clone(&candidates), at + 1));
                Ok(Attempt { goals: fits.then(|| rest.clone()), left })
            }
            Alternative::Belief(atom, at, source) => self.attempt_belief(atom, at, source, rest, offset),
            Alternative::Rule(atom, at) => self.attempt_rule(atom, at, rest, offset, depth),
        }
    }

    fn attempt_belief(
        &mut self,
        atom: &'a Atom,
        at: usize,
        source: usize,
        rest: &Goals<'a>,
        offset: usize,
    ) -> Result<Attempt<'a>, Trouble> {
        let Some(belief) = self.mind.beliefs.get(at) else {
            let rules = &self.program.agents[self.agent].rules;
            if rules.is_empty() {
                return Ok(Attempt { goals: None, left: None });
            }
            return Ok(Attempt { goals: None, left: Some(Alternative::Rule(atom, 0)) });
        };
        let (next, fits) = match &atom.source {
            None => ((at + 1, 0), fits(self.bindings.unify_pattern(&atom.pattern, offset, belief.term))?),
            Some(pattern) => match belief.sources.iter().nth(source) {
                None => ((at + 1, 0), false),
                Some(from) => {
                    let from = self.source_term(from);
                    let fits = fits(self.bindings.unify_pattern(&atom.pattern, offset, belief.term))?
                        && fits(self.bindings.unify_pattern(pattern, offset, from))?;
                    ((at, source + 1), fits)
                }
            },
        };
        // The end of the list is an alternative of its own only where rules may follow.
        let more = next.0 < self.mind.beliefs.len() || !self.program.agents[self.agent].rules.is_empty();
        let left = more.then_some(Alternative::Belief(atom, next.0, next.1));
        Ok(Attempt { goals: fits.then(|| rest.clone()), left })
    }

    fn attempt_rule(
        &mut self,
        atom: &'a Atom,
        at: usize,
        rest: &Goals<'a>,
        offset: usize,
        depth: u32,
    ) -> Result<Attempt<'a>, Trouble> {
        let rules = &self.program.agents[self.agent].rules;
        let Some(rule) = rules.get(at) else {
            return Ok(Attempt { goals: None, left: None });
        };
        let left = (at + 1 < rules.len()).then_some(Alternative::Rule(atom, at + 1));
        let own = self.source_term(Source::Own);
        let goal = match self.bindings.build_open(&atom.pattern, offset) {
            Err(Trouble::Fails) => return Ok(Attempt { goals: None, left }),
            goal => goal?,
        };
        let fresh = self.bindings.extend(usize::from(rule.n_variables));
        let mut fit = fits(self.bindings.unify_pattern(&rule.head, fresh, goal))?;
        if let (true, Some(source)) = (fit, &atom.source) {
            fit = fits(self.bindings.unify_pattern(source, offset, own))?;
        }
        if !fit {
            return Ok(Attempt { goals: None, left });
        }
        let depth = self.deeper(depth)?;
        let goal = Goal { condition: &rule.condition, offset: fresh, depth, rest: rest.clone() };
        Ok(Attempt { goals: Some(Some(Rc::new(goal))), left })
    }

    /// Enters a search inside a search. These nest on the stack, so their number is limited.
    pub(crate) fn nest(&mut self) -> Result<(), Trouble> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(Trouble::Fault(format!(
                "negations nest more than {MAX_NESTING} deep in a derivation"
            )));
        }
        Ok(())
    }

    /// Leaves a search inside a search.
    pub(crate) fn unnest(&mut self) {
        self.nesting -= 1;
    }

    fn deeper(&self, depth: u32) -> Result<u32, Trouble> {
        if depth >= self.program.bounds.terms {
            let name = self.program.terms.name(self.program.agents[self.agent].name);
            let bound = self.program.bounds.terms;
            return Err(Trouble::Fault(format!("bound exceeded: {name} derivation > {bound}")));
        }
        Ok(depth + 1)
    }

    /// Both sides evaluated, then the relation.
    pub(crate) fn relate(
        &mut self,
        operator: RelationOperator,
        left: &'a Pattern,
        right: &'a Pattern,
        offset: usize,
    ) -> Result<bool, Trouble> {
        match operator {
            RelationOperator::Unify => {
                let right = self.bindings.build_open(right, offset)?;
                self.bindings.unify_pattern(left, offset, right)
            }
            RelationOperator::Decompose => self.decompose(left, right, offset),
            _ => {
                let left = self.bindings.build(left, offset)?;
                let right = self.bindings.build(right, offset)?;
                Ok(arithmetic::related(&self.program.terms, operator, left, right))
            }
        }
    }

    /// `p(a) =.. [p,[a],[]]`, in both directions.
    fn decompose(&mut self, left: &Pattern, right: &Pattern, offset: usize) -> Result<bool, Trouble> {
        let terms = &self.program.terms;
        let whole = self.bindings.build_open(left, offset)?;
        if let Term::Structure(functor, args) = terms.get(whole) {
            let parts = [terms.structure(*functor, &[]), terms.list(args), terms.nil()];
            return self.bindings.unify_pattern(right, offset, terms.list(&parts));
        }
        let parts = self.bindings.build_open(right, offset)?;
        let Some(parts) = terms.items(parts) else { return Ok(false) };
        let [functor, args, ..] = parts[..] else { return Ok(false) };
        match (terms.get(functor), terms.items(args)) {
            (Term::Structure(functor, none), Some(args)) if none.is_empty() => {
                self.bindings.unify(whole, terms.structure(*functor, &args))
            }
            _ => Ok(false),
        }
    }

    /// A stand-in for a user's internal action; several answers are a choice.
    pub(crate) fn stub(&mut self, stub: usize, args: &'a [Pattern], offset: usize) -> Result<bool, Trouble> {
        let stub = &self.program.stubs[stub];
        let answer = match &stub.answer {
            Answer::Succeeds => return Ok(true),
            Answer::Either => return Ok(self.choices.choose(2) == 0),
            Answer::OneOf(values) if values.is_empty() => return Ok(false),
            Answer::OneOf(values) => values[self.choices.choose(values.len())],
            Answer::Value(value) => {
                let terms = &self.program.terms;
                let mut locals = Vec::with_capacity(args.len());
                for (arg, direction) in args.iter().zip(&stub.params) {
                    locals.push(match direction {
                        Direction::Out => crate::program::Value::None,
                        Direction::In => {
                            let term = self.bindings.build(arg, offset)?;
                            world::value_of(terms, term).ok_or(Trouble::Fails)?
                        }
                    });
                }
                let value = world::evaluate(&self.program.environment, &[], &mut locals, value);
                world::term_of(terms, value.map_err(Trouble::Fault)?)
            }
        };
        let out = stub.params.iter().position(|direction| *direction == Direction::Out);
        match out.and_then(|out| args.get(out)) {
            Some(pattern) => self.bindings.unify_pattern(pattern, offset, answer),
            None => Ok(true),
        }
    }

    /// The term that stands for a source in `[source(S)]`.
    pub(crate) fn source_term(&self, source: Source) -> TermId {
        source_term(self.program, source)
    }
}

struct Attempt<'a> {
    goals: Option<Goals<'a>>,
    left: Option<Alternative<'a>>,
}

/// A term without value does not fit; faults go on.
fn fits(result: Result<bool, Trouble>) -> Result<bool, Trouble> {
    match result {
        Err(Trouble::Fails) => Ok(false),
        other => other,
    }
}

/// The term that stands for a source in `[source(S)]`.
pub(crate) fn source_term(program: &Program, source: Source) -> TermId {
    match source {
        Source::Own => program.terms.constant("self"),
        Source::Percept => program.terms.constant("percept"),
        Source::Agent(agent) => program.terms.structure(program.speaker(agent), &[]),
    }
}
