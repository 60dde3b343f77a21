//! Why a step went as it did: which plans were relevant, which condition failed and since when.

use motet_model::{ActionId, State};

use crate::program::{Condition, Pattern, Plan};
use crate::semantics::Choices;
use crate::semantics::bindings::{canonical, is_ground, renumber};
use crate::semantics::condition::Reasoner;
use crate::semantics::deed::{Deed, Effect, Fate, Selection};
use crate::semantics::mind::{Event, Mind};
use crate::semantics::select;
use crate::semantics::team::{MINDS, WORLD};
use crate::semantics::world;
use crate::term::TermId;
use crate::words::Teller;
use crate::words::phrase::Writer;

/// A run as [`motet_model::Words::why`] gets it.
struct Run<'a> {
    teller: &'a Teller,
    states: &'a [Box<State>],
    at: usize,
}

impl Teller {
    /// See [`motet_model::Words::why`].
    pub(crate) fn explain(&self, states: &[Box<State>], actions: &[ActionId], at: usize) -> Vec<String> {
        let Some(&action) = actions.get(at) else { return Vec::new() };
        if at >= states.len() {
            return Vec::new();
        }
        let run = Run { teller: self, states, at };
        match self.team.deed(action) {
            Deed::Select { agent, selected: Some((event, Selection::Dropped(..))), .. } => {
                run.no_plan(*agent as usize, event)
            }
            Deed::Select { agent, selected: Some((event, Selection::Plan(plan))), .. } => {
                run.chosen(*agent as usize, event, *plan)
            }
            Deed::Execute { agent, executed: Some(execution) } => match &execution.effect {
                Effect::Failed(_) => run.failed(*agent as usize, execution.plan, execution.formula),
                _ => Vec::new(),
            },
            Deed::Act { agent, action, fate: Fate::Refused, .. } => run.refused(*agent as usize, *action),
            _ => Vec::new(),
        }
    }

    /// Plans whose trigger unifies with the event, with their numbers.
    pub(crate) fn relevant(&self, agent: usize, event: &Event) -> Vec<(usize, &Plan)> {
        let program = &self.team.program;
        let plans = program.agents[agent].plans.iter().enumerate();
        plans
            .filter(|(_, plan)| plan.sign == event.trigger.sign && plan.kind == event.trigger.kind)
            .filter(|(_, plan)| {
                let mind = empty();
                let mut choices = Choices::default();
                let (values, goal) = called(self, plan, event);
                let mut reasoner = Reasoner::new(program, agent, &mind, &mut choices, values);
                select::relevant(&mut reasoner, plan, event, goal).unwrap_or(false)
            })
            .collect()
    }
}

fn empty() -> Mind {
    Mind {
        phase: crate::semantics::mind::Phase::Mail,
        beliefs: Vec::new(),
        events: Vec::new(),
        seats: Vec::new(),
        runnable: Vec::new(),
        favoured: None,
        asleep: Vec::new(),
        mail: Vec::new(),
    }
}

/// Unbound values for a plan, and the event's term over them.
fn called(teller: &Teller, plan: &Plan, event: &Event) -> (Vec<Option<TermId>>, TermId) {
    let terms = teller.terms();
    let open = canonical(terms, event.trigger.term).1;
    let own = plan.variables.len();
    let shift = u32::try_from(own).expect("a plan has few variables");
    let goal = renumber(terms, event.trigger.term, &mut |variable| variable + shift);
    (vec![None; own + open], goal)
}

impl Run<'_> {
    fn mind(&self, agent: usize, at: usize) -> &Mind {
        self.teller.team.mind(agent, self.states[at][MINDS + agent])
    }

    /// The number of the step since which something holds without a break, counted from 1; `None` if from the start.
    fn since(&self, holds: impl Fn(usize) -> bool) -> Option<usize> {
        let first = (0..=self.at).rev().take_while(|&at| holds(at)).last().unwrap_or(self.at);
        (first > 0).then_some(first)
    }

    fn since_text(&self, holds: impl Fn(usize) -> bool) -> String {
        match self.since(holds) {
            Some(step) => format!("since step {step}"),
            None => "from the start".to_owned(),
        }
    }

    fn no_plan(&self, agent: usize, event: &Event) -> Vec<String> {
        let teller = self.teller;
        let name = teller.trigger(event.trigger);
        let posted = self.since_text(|at| self.mind(agent, at).events.contains(event));
        let relevant = teller.relevant(agent, event);
        if relevant.is_empty() {
            let owner = teller.agent(u32::try_from(agent).unwrap_or(0));
            return vec![format!("no plan of {owner} is relevant for {name}, which waited {posted}")];
        }
        let mut lines = vec![format!("{name} waited {posted}, and {}", none_of(relevant.len()))];
        for (number, (_, plan)) in relevant.iter().enumerate() {
            let place = teller.line(plan.span);
            let count = format!("relevant, {} of {}", number + 1, relevant.len());
            lines.push(format!("plan {place}  {}  ({count})", plan.head_text));
            lines.push(format!("  {}", self.failing(agent, plan, event)));
        }
        lines
    }

    fn chosen(&self, agent: usize, event: &Event, chosen: u32) -> Vec<String> {
        let relevant = self.teller.relevant(agent, event);
        let mut lines = Vec::new();
        for (number, plan) in relevant {
            let place = self.teller.line(plan.span);
            if number == chosen as usize {
                lines.push(format!("plan {place}  {}  applies", plan.head_text));
                break;
            }
            lines.push(format!("plan {place}  {}  does not apply", plan.head_text));
            lines.push(format!("  {}", self.failing(agent, plan, event)));
        }
        lines
    }

    /// The first part of the context that has no solution, with the values found up to there.
    fn failing(&self, agent: usize, plan: &Plan, event: &Event) -> String {
        let program = &self.teller.team.program;
        let mind = self.mind(agent, self.at);
        let (values, goal) = called(self.teller, plan, event);
        let parts = match &plan.context {
            Condition::And(parts) => &parts[..],
            single => std::slice::from_ref(single),
        };
        for (at, part) in parts.iter().enumerate() {
            let upto = Condition::And(parts[..=at].to_vec());
            let before = Condition::And(parts[..at].to_vec());
            let mut choices = Choices::default();
            let mut reasoner = Reasoner::new(program, agent, mind, &mut choices, values.clone());
            if !select::relevant(&mut reasoner, plan, event, goal).unwrap_or(false)
                || reasoner.solve(&upto).unwrap_or(false)
            {
                continue;
            }
            let mut choices = Choices::default();
            let mut reasoner = Reasoner::new(program, agent, mind, &mut choices, values.clone());
            let solved = select::relevant(&mut reasoner, plan, event, goal).unwrap_or(false)
                && reasoner.solve(&before).unwrap_or(false);
            if !solved {
                return "its context has no solution".to_owned();
            }
            let writer =
                Writer { terms: &program.terms, names: &plan.variables, bindings: &reasoner.bindings };
            let known = known_values(&writer, plan);
            return format!("{known}{}", self.verdict(agent, part, &writer));
        }
        "its context holds, but an earlier plan was taken".to_owned()
    }

    /// What is wrong with a part of a context, and since when.
    fn verdict(&self, agent: usize, part: &Condition, writer: &Writer<'_>) -> String {
        let ground = |pattern: &Pattern| {
            let built = writer.bindings.build(pattern, 0).ok()?;
            is_ground(writer.terms, built).then_some(built)
        };
        match part {
            Condition::Not(inner) => match &**inner {
                Condition::Belief(atom) => {
                    let text = writer.pattern(&atom.pattern);
                    let term = ground(&atom.pattern).or_else(|| {
                        let mut bindings = writer.bindings.clone();
                        let beliefs = &self.mind(agent, self.at).beliefs;
                        let found = beliefs.iter().find(|belief| {
                            let mark = bindings.mark();
                            let fits = bindings.unify_pattern(&atom.pattern, 0, belief.term);
                            bindings.undo(mark);
                            fits.unwrap_or(false)
                        });
                        found.map(|belief| belief.term)
                    });
                    match term.filter(|&term| self.mind(agent, self.at).believed(term).is_some()) {
                        Some(term) => {
                            let since = self.since_text(|at| self.mind(agent, at).believed(term).is_some());
                            format!("{} is believed {since}", writer.terms.show(term))
                        }
                        None => format!("{text} follows from the beliefs"),
                    }
                }
                _ => format!("{} holds", writer.condition(inner)),
            },
            Condition::Belief(atom) => {
                let text = writer.pattern(&atom.pattern);
                match ground(&atom.pattern) {
                    Some(term) => {
                        let since = self.since(|at| self.mind(agent, at).believed(term).is_none());
                        match since {
                            Some(step) => format!("{text} is no longer believed since step {step}"),
                            None => format!("{text} was never believed"),
                        }
                    }
                    None => format!("no belief matches {text}"),
                }
            }
            _ => format!("{} does not hold", writer.condition(part)),
        }
    }

    fn failed(&self, agent: usize, plan: u32, formula: u32) -> Vec<String> {
        let plan = &self.teller.team.program.agents[agent].plans[plan as usize];
        let Some(formula) = plan.body.get(formula as usize) else { return Vec::new() };
        let place = self.teller.line(formula.span);
        let reason = match &formula.operation {
            crate::program::Operation::Test(_) => "no belief answers the test",
            crate::program::Operation::Relation(..) => "the relation does not hold",
            _ => "it has no value here",
        };
        vec![format!("formula {place}  {}  fails: {reason}", formula.text)]
    }

    fn refused(&self, agent: usize, action: TermId) -> Vec<String> {
        let program = &self.teller.team.program;
        let terms = &program.terms;
        let crate::term::Term::Structure(name, args) = terms.get(action) else { return Vec::new() };
        let cells = self.teller.team.world(self.states[self.at][WORLD]);
        let mut lines = Vec::new();
        for rule in program.environment.actions.iter().filter(|rule| rule.name == *name) {
            let place = self.teller.line(rule.span);
            let reason = if rule.params.len() == args.len() {
                let open = crate::program::Environment {
                    actions: vec![crate::program::ActionRule { when: None, ..rule.clone() }],
                    ..program.environment.clone()
                };
                match world::action_rule_of(&open, terms, program.agents[agent].name, cells, action) {
                    Ok(Some(_)) => "its condition does not hold",
                    _ => "its parameters do not fit",
                }
            } else {
                "it takes another number of arguments"
            };
            lines.push(format!("rule {place}  {reason}"));
        }
        if lines.is_empty() {
            lines.push(format!("the environment has no rule for {}", terms.show(action)));
        }
        lines
    }
}

fn none_of(count: usize) -> String {
    match count {
        1 => "the only relevant plan does not apply".to_owned(),
        _ => format!("none of the {count} relevant plans applies"),
    }
}

/// `with N=5, Me=ag3: `, or nothing.
fn known_values(writer: &Writer<'_>, plan: &Plan) -> String {
    let mut known = Vec::new();
    for (number, name) in (0u16..).zip(&plan.variables) {
        let value = writer.bindings.build(&Pattern::Variable(crate::program::VariableIndex(number)), 0);
        if let Ok(value) = value
            && is_ground(writer.terms, value)
            && !name.starts_with('$')
        {
            known.push(format!("{name}={}", writer.terms.show(value)));
        }
    }
    if known.is_empty() { String::new() } else { format!("with {}: ", known.join(", ")) }
}
