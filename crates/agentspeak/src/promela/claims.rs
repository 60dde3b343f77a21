//! Atoms of claims as macros over the data structures, after Bordini et al. 2003, 4.2.

use crate::atoms::{Fact, MindTest, Predicate, matches};
use crate::program::{Audience, Condition, Pattern, Value};
use crate::promela::Context;
use crate::promela::lack::Lack;
use crate::promela::world::{Local, Place, World};

type Words = Result<String, Lack>;

impl Context<'_> {
    /// The expression of an atom.
    pub(crate) fn predicate(&self, predicate: &Predicate) -> Words {
        match predicate {
            Predicate::Mind(agent, test) => self.mind_test(*agent, test),
            Predicate::World(fact) => self.fact(fact),
            Predicate::Next(agent, pattern) => {
                let seat = if self.jason() { ",_" } else { "" };
                Ok(format!("(a?[{agent}{seat},{}])", self.poll(pattern)?))
            }
            Predicate::Sends(..) => Err(Lack::Claimed("what somebody sends")),
            Predicate::Reads(..) => Err(Lack::Claimed("what somebody reads")),
            Predicate::Last(agent, pattern) => {
                let columns: Vec<String> = (0..self.names.arity).map(|at| format!("last_x{at}")).collect();
                Ok(format!("(last_by == {} && {})", agent + 1, self.equal(pattern, "last_p", &columns)?))
            }
        }
    }

    fn mind_test(&self, agent: usize, test: &MindTest) -> Words {
        match test {
            MindTest::Believes(condition) => self.believes(agent, condition),
            MindTest::Intends(goal) => self.intends(agent, goal),
            MindTest::Desires(goal) => {
                let source = if self.jason() { ",_" } else { "" };
                let posted = format!("e[{agent}]??[ADD_GOAL,_,{}{source}]", self.poll(goal)?);
                let member = &self.program.agents[agent];
                let first =
                    self.jason() && member.goals.iter().any(|&term| matches(&self.names.terms, goal, term));
                let start = if first { " || !up" } else { "" };
                Ok(format!("({posted}{start} || {})", self.intends(agent, goal)?))
            }
            MindTest::WillDo(_) => Err(Lack::Claimed("ItD")),
            MindTest::Hears(from, content) => Ok(format!("(m[{agent}]?[{from},_,{}])", self.poll(content)?)),
        }
    }

    /// The first step puts the initial beliefs in place; what they make true is true before it too.
    fn believes(&self, agent: usize, condition: &Condition) -> Words {
        let member = &self.program.agents[agent];
        if !member.rules.is_empty() {
            return Err(Lack::Rules);
        }
        let all = |conditions: &[Condition], sign: &str| -> Words {
            let each =
                conditions.iter().map(|one| self.believes(agent, one)).collect::<Result<Vec<_>, _>>()?;
            Ok(format!("({})", each.join(sign)))
        };
        match condition {
            Condition::True => Ok("(1)".to_owned()),
            Condition::False => Ok("(0)".to_owned()),
            Condition::Not(of) => Ok(format!("(!{})", self.believes(agent, of)?)),
            Condition::And(conditions) => all(conditions, " && "),
            Condition::Or(conditions) => all(conditions, " || "),
            Condition::Belief(atom) => {
                let first =
                    member.beliefs.iter().any(|&term| matches(&self.names.terms, &atom.pattern, term));
                let start = if first { " || !up" } else { "" };
                Ok(format!("(b[{agent}]??[{},_]{start})", self.poll(&atom.pattern)?))
            }
            _ => Err(Lack::Construct("a condition of this kind inside a claim".to_owned())),
        }
    }

    fn intends(&self, agent: usize, goal: &Pattern) -> Words {
        let mut each = Vec::new();
        for seat in 0..self.capacities.intentions {
            let place = format!("i_data[{agent} * M_INT + {seat}]");
            let columns: Vec<String> = (0..self.names.arity).map(|at| format!("{place}.x{at}")).collect();
            let equal = self.equal(goal, &format!("{place}.p"), &columns)?;
            each.push(format!("({place}.te == ADD_GOAL && {equal})"));
        }
        Ok(format!("({})", each.join(" || ")))
    }

    fn fact(&self, fact: &Fact) -> Words {
        Ok(match fact {
            Fact::Not(of) => format!("(!{})", self.fact(of)?),
            Fact::And(left, right) => format!("({} && {})", self.fact(left)?, self.fact(right)?),
            Fact::Or(left, right) => format!("({} || {})", self.fact(left)?, self.fact(right)?),
            Fact::Expr(expr) => {
                let world =
                    World { environment: &self.program.environment, names: self.names, place: Place::Claim };
                let locals = vec![Local::Known(Value::None); 64];
                let mut parts = world.sound(expr, &locals)?;
                parts.push(world.condition(expr, &locals)?);
                format!("({})", parts.join(" && "))
            }
            Fact::Percept(pattern) => self.percept(pattern)?,
        })
    }

    /// Some agent perceives it.
    fn percept(&self, pattern: &Pattern) -> Words {
        let (program, names) = (self.program, self.names);
        let world = World { environment: &program.environment, names, place: Place::Claim };
        let mut each: Vec<String> = Vec::new();
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
                    let symbol = names.predicate((percept.name, percept.args.len()));
                    let Some(mut tests) = self.tests(pattern, (percept.name, values.len()), &values)? else {
                        continue;
                    };
                    if let Some(when) = &percept.when {
                        tests.insert(0, world.condition(when, &locals)?);
                    }
                    let words = if tests.is_empty() {
                        format!("({symbol} > 0)")
                    } else {
                        format!("({})", tests.join(" && "))
                    };
                    if !each.contains(&words) {
                        each.push(words);
                    }
                }
            }
        }
        Ok(if each.is_empty() { "(0)".to_owned() } else { format!("({})", each.join(" || ")) })
    }

    /// Conditions for an atom with this predicate and these values; `None` if it is another predicate.
    fn tests(
        &self,
        pattern: &Pattern,
        predicate: (crate::term::Symbol, usize),
        values: &[String],
    ) -> Result<Option<Vec<String>>, Lack> {
        let (shape, args) = self.parts(pattern)?;
        if shape != predicate {
            return Ok(None);
        }
        let tests = args.iter().zip(values).filter(|(arg, _)| *arg != "_");
        Ok(Some(tests.map(|(arg, value)| format!("{value} == {arg}")).collect()))
    }

    fn equal(&self, pattern: &Pattern, predicate: &str, columns: &[String]) -> Words {
        let (shape, args) = self.parts(pattern)?;
        let mut tests = vec![format!("{predicate} == {}", self.names.predicate(shape))];
        let args = args.iter().zip(columns).filter(|(arg, _)| *arg != "_");
        tests.extend(args.map(|(arg, column)| format!("{column} == {arg}")));
        Ok(tests.join(" && "))
    }

    /// Predicate and arguments for a poll of a channel.
    fn poll(&self, pattern: &Pattern) -> Words {
        let (shape, args) = self.parts(pattern)?;
        let mut all = vec![self.names.predicate(shape)];
        // A poll takes constants and no expressions in brackets.
        all.extend(args.iter().map(|arg| arg.trim_matches(['(', ')']).to_owned()));
        all.resize(self.names.arity + 1, "0".to_owned());
        Ok(all.join(","))
    }

    fn parts(&self, pattern: &Pattern) -> Result<((crate::term::Symbol, usize), Vec<String>), Lack> {
        let value = |pattern: &Pattern| match pattern {
            Pattern::Any => Ok("_".to_owned()),
            Pattern::Ground(term) => self.names.term(*term),
            Pattern::Structure(name, args) if args.is_empty() => {
                self.names.term(self.names.terms.structure(*name, &[]))
            }
            _ => Err(Lack::Structure),
        };
        match pattern {
            Pattern::Structure(name, args) => {
                Ok(((*name, args.len()), args.iter().map(value).collect::<Result<_, _>>()?))
            }
            Pattern::Ground(term) => {
                let flat = self.names.flat(*term)?;
                Ok((flat.predicate, flat.args))
            }
            _ => Err(Lack::Construct("a claim about everything".to_owned())),
        }
    }
}
