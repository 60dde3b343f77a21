//! Atoms of claims as macros over the data structures, after Bordini et al. 2003, 4.2.

use motet_machine::{Expr, Place as Variable};

use crate::atoms::{Fact, MindTest, Predicate, matches};
use crate::program::{Audience, Condition, Pattern, Value};
use crate::promela::Context;
use crate::promela::lack::Lack;
use crate::promela::layout::{event, instance, seat_of};
use crate::promela::names::Flat;
use crate::promela::world::{Local, Place, World};

type Coded = Result<Expr, Lack>;

impl Context<'_> {
    /// The expression of an atom.
    pub(crate) fn predicate(&self, predicate: &Predicate) -> Coded {
        match predicate {
            Predicate::Mind(agent, test) => self.mind_test(*agent, test),
            Predicate::World(fact) => self.fact(fact),
            Predicate::Next(agent, pattern) => {
                let mut message = vec![Some(Expr::count(*agent))];
                message.extend(self.jason().then_some(None));
                message.extend(self.poll(pattern)?);
                Ok(Expr::first_message(Variable::named("a"), message))
            }
            Predicate::Sends(..) => Err(Lack::Claimed("what somebody sends")),
            Predicate::Reads(..) => Err(Lack::Claimed("what somebody reads")),
            Predicate::Last(agent, pattern) => {
                let by = Expr::variable("last_by").equals(Expr::count(agent + 1));
                Ok(by.and(&self.equal(pattern, &Expr::variable("last_p"), &self.columns("last_x"))?))
            }
        }
    }

    fn mind_test(&self, agent: usize, test: &MindTest) -> Coded {
        match test {
            MindTest::Believes(condition) => self.believes(agent, condition),
            MindTest::Intends(goal) => self.intends(agent, goal),
            MindTest::Desires(goal) => {
                let mut message = vec![Some(event("ADD_GOAL")), None];
                message.extend(self.poll(goal)?);
                message.extend(self.jason().then_some(None));
                let posted = Expr::some_message(Variable::named("e").at(Expr::count(agent)), message);
                let member = &self.program.agents[agent];
                let first =
                    self.jason() && member.goals.iter().any(|&term| matches(&self.names.terms, goal, term));
                Ok(Expr::any([posted, start(first), self.intends(agent, goal)?]))
            }
            MindTest::WillDo(_) => Err(Lack::Claimed("ItD")),
            MindTest::Hears(from, content) => {
                let mut message = vec![Some(Expr::count(*from)), None];
                message.extend(self.poll(content)?);
                Ok(Expr::first_message(Variable::named("m").at(Expr::count(agent)), message))
            }
        }
    }

    /// The first step puts the initial beliefs in place; what they make true is true before it too.
    fn believes(&self, agent: usize, condition: &Condition) -> Coded {
        let member = &self.program.agents[agent];
        if !member.rules.is_empty() {
            return Err(Lack::Rules);
        }
        let each = |conditions: &[Condition]| {
            conditions.iter().map(|one| self.believes(agent, one)).collect::<Result<Vec<_>, _>>()
        };
        match condition {
            Condition::True => Ok(Expr::Truth(true)),
            Condition::False => Ok(Expr::Truth(false)),
            Condition::Not(of) => Ok(self.believes(agent, of)?.not()),
            Condition::And(conditions) => Ok(Expr::all(each(conditions)?)),
            Condition::Or(conditions) => Ok(Expr::any(each(conditions)?)),
            Condition::Belief(atom) => {
                let first =
                    member.beliefs.iter().any(|&term| matches(&self.names.terms, &atom.pattern, term));
                let mut message = self.poll(&atom.pattern)?;
                message.push(None);
                let believed = Expr::some_message(Variable::named("b").at(Expr::count(agent)), message);
                Ok(believed.or(&start(first)))
            }
            _ => Err(Lack::Construct("a condition of this kind inside a claim".to_owned())),
        }
    }

    fn intends(&self, agent: usize, goal: &Pattern) -> Coded {
        let mut each = Vec::new();
        for seat in 0..self.capacities.intentions {
            let place = instance(seat_of(agent, Expr::from(i64::from(seat))));
            let columns: Vec<Expr> =
                (0..self.names.arity).map(|at| place.field(&format!("x{at}")).into()).collect();
            let equal = self.equal(goal, &place.field("p").into(), &columns)?;
            each.push(place.field("te").equals(event("ADD_GOAL")).and(&equal));
        }
        Ok(Expr::any(each))
    }

    fn fact(&self, fact: &Fact) -> Coded {
        Ok(match fact {
            Fact::Not(of) => self.fact(of)?.not(),
            Fact::And(left, right) => self.fact(left)?.and(&self.fact(right)?),
            Fact::Or(left, right) => self.fact(left)?.or(&self.fact(right)?),
            Fact::Expr(expr) => {
                let world =
                    World { environment: &self.program.environment, names: self.names, place: Place::Claim };
                let locals = vec![Local::Known(Value::None); 64];
                let mut parts = world.sound(expr, &locals)?;
                parts.push(world.condition(expr, &locals)?);
                Expr::all(parts)
            }
            Fact::Percept(pattern) => self.percept(pattern)?,
        })
    }

    /// Some agent perceives it.
    fn percept(&self, pattern: &Pattern) -> Coded {
        let (program, names) = (self.program, self.names);
        let world = World { environment: &program.environment, names, place: Place::Claim };
        let mut each: Vec<Expr> = Vec::new();
        for agent in 0..program.agents.len() {
            for percept in &program.environment.percepts {
                let mut locals = vec![Local::Known(Value::None); percept.n_locals];
                match percept.to {
                    Audience::Agent(only) if only != agent => continue,
                    Audience::Each(local) => {
                        locals[local] = Local::Known(Value::Symbol(program.agents[agent].name))
                    }
                    Audience::Everyone | Audience::Agent(_) => {}
                }
                let members: &[Value] = match percept.each {
                    Some((sort, _)) => &program.environment.sorts[sort].1,
                    None => &[Value::None],
                };
                for &member in members {
                    if let Some((_, local)) = percept.each {
                        locals[local] = Local::Known(member);
                    }
                    let values = percept.args.iter().map(|arg| world.value(arg, &locals));
                    let values = values.collect::<Result<Vec<_>, _>>()?;
                    let Some(mut tests) = self.tests(pattern, (percept.name, values.len()), &values)? else {
                        continue;
                    };
                    if let Some(when) = &percept.when {
                        tests.insert(0, world.condition(when, &locals)?);
                    }
                    each.push(Expr::all(tests));
                }
            }
        }
        Ok(Expr::any(each))
    }

    /// Conditions for an atom with this predicate and these values; `None` if it is another predicate.
    fn tests(
        &self,
        pattern: &Pattern,
        predicate: (crate::term::Symbol, usize),
        values: &[Expr],
    ) -> Result<Option<Vec<Expr>>, Lack> {
        let Flat { predicate: shape, args } = self.parts(pattern)?;
        if shape != predicate {
            return Ok(None);
        }
        let tests = args.iter().zip(values);
        Ok(Some(tests.filter_map(|(arg, value)| Some(value.equals(arg.as_ref()?))).collect()))
    }

    fn equal(&self, pattern: &Pattern, predicate: &Expr, columns: &[Expr]) -> Coded {
        let Flat { predicate: shape, args } = self.parts(pattern)?;
        let args = args.iter().zip(columns).filter_map(|(arg, column)| Some(column.equals(arg.as_ref()?)));
        Ok(Expr::all([predicate.equals(self.names.predicate(shape))].into_iter().chain(args)))
    }

    /// Predicate and arguments for a poll of a channel.
    fn poll(&self, pattern: &Pattern) -> Result<Vec<Option<Expr>>, Lack> {
        let Flat { predicate: shape, args } = self.parts(pattern)?;
        let mut all = vec![Some(self.names.predicate(shape))];
        all.extend(args);
        all.resize(self.names.arity + 1, Some(Expr::Number(0)));
        Ok(all)
    }

    /// Predicate and arguments; none where anything will do.
    fn parts(&self, pattern: &Pattern) -> Result<Flat<Option<Expr>>, Lack> {
        let value = |pattern: &Pattern| match pattern {
            Pattern::Any => Ok(None),
            Pattern::Ground(term) => self.names.term(*term).map(Some),
            Pattern::Structure(name, args) if args.is_empty() => {
                self.names.term(self.names.terms.structure(*name, &[])).map(Some)
            }
            _ => Err(Lack::Structure),
        };
        match pattern {
            Pattern::Structure(name, args) => {
                let args: Vec<_> = args.iter().map(value).collect::<Result<_, _>>()?;
                Ok(Flat { predicate: (*name, args.len()), args })
            }
            Pattern::Ground(term) => {
                let flat = self.names.flat(*term)?;
                Ok(Flat { predicate: flat.predicate, args: flat.args.into_iter().map(Some).collect() })
            }
            _ => Err(Lack::Construct("a claim about everything".to_owned())),
        }
    }
}

/// Before the first step, if the initial beliefs and goals make something true.
fn start(first: bool) -> Expr {
    if first { Expr::variable("up").not() } else { Expr::Truth(false) }
}
