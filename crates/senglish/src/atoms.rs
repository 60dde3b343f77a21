//! What a claim's atoms mean: sentences in quotes, their names with underscores, plan indices, and what agents believe, desire,
//! intend and do.

use motet_model::{AtomText, Expr, Operator};
use motet_source::{Problem, Problems, Span, Spanned};

use crate::formula::{Comparison, Formula};
use crate::program::{Program, UNKNOWN};
use crate::sentence::{fold, identifier, nearest};

/// The formulas of the atoms. `None` means that the problems say why.
pub(crate) fn resolve(
    program: &Program,
    atoms: &[Spanned<AtomText>],
    problems: &mut Problems,
) -> Option<Vec<Formula>> {
    let mut found = Vec::with_capacity(atoms.len());
    for atom in atoms {
        let mut reader = Reader { program, span: atom.span, problems };
        found.push(reader.atom(&atom.node));
    }
    found.into_iter().collect()
}

/// A number of a state that can be compared.
enum Quantity {
    Belief(usize),
    Slot(usize),
}

struct Reader<'a> {
    program: &'a Program,
    span: Span,
    problems: &'a mut Problems,
}

impl Reader<'_> {
    fn problem<T>(&mut self, code: &'static str, message: String, help: impl Into<String>) -> Option<T> {
        self.problems.push(Problem::error(code, self.span, message, help));
        None
    }

    fn atom(&mut self, atom: &AtomText) -> Option<Formula> {
        match atom {
            AtomText::Fact(fact) => self.fact(None, fact),
            AtomText::Believes(agent, content) => {
                let agent = self.agent(agent)?;
                self.fact(Some(agent), content)
            }
            AtomText::Desires(agent, content) => {
                let agent = self.agent(agent)?;
                let plan = self.wanted_plan(agent, content, "desires")?;
                Some(self.program.plans[plan].condition.clone())
            }
            AtomText::Intends(agent, content) => {
                let agent = self.agent(agent)?;
                let plan = self.wanted_plan(agent, content, "intends")?;
                Some(Formula::Test(self.program.plans[plan].slot, Comparison::More, 0))
            }
            AtomText::Does(agent, act) => {
                let agent = self.agent(agent)?;
                self.does(agent, act)
            }
            AtomText::WillDo(agent, act) => {
                let agent = self.agent(agent)?;
                self.will_do(agent, act)
            }
            AtomText::Sends(..) | AtomText::Reads(..) => {
                let help = "ask what an agent believes of it: Bel(agent, \"sentence\"), or `becomes (Bel(agent, ...))`";
                self.problem("M0891", format!("`{atom}`: agents in sEnglish send no messages"), help)
            }
            AtomText::Did(..) | AtomText::Says(..) => {
                let help =
                    "ask what an agent believes, or what it does now: Does(agent, \"sentence of an action\")";
                self.problem("M0891", format!("`{atom}` has no meaning for agents in sEnglish"), help)
            }
        }
    }

    fn agent(&mut self, name: &str) -> Option<usize> {
        let agents = &self.program.agents;
        let key = identifier(&fold(name));
        if let Some(found) = agents.iter().position(|agent| agent.name == key) {
            return Some(found);
        }
        let known: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
        let help = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the agents are {}", crate::words::listed(known)),
        };
        self.problem("M0890", format!("there is no agent `{name}`"), help)
    }

    /// Something that holds or does not, of one agent or of all.
    fn fact(&mut self, agent: Option<usize>, expr: &Expr) -> Option<Formula> {
        match expr {
            Expr::Not(inner) => self.fact(agent, inner).map(|formula| formula.negated()),
            Expr::Binary(Operator::And, left, right) => {
                let (left, right) = (self.fact(agent, left), self.fact(agent, right));
                Some(Formula::all([left?, right?]))
            }
            Expr::Binary(Operator::Or, left, right) => {
                let (left, right) = (self.fact(agent, left), self.fact(agent, right));
                Some(Formula::any([left?, right?]))
            }
            Expr::Binary(operator, left, right) => self.comparison(agent, *operator, left, right),
            Expr::Call(name, args) if args.is_empty() && name == "true" => Some(Formula::True),
            Expr::Call(name, args) if args.is_empty() && name == "false" => Some(Formula::False),
            other => match self.quantity(agent, other)? {
                Quantity::Belief(belief) => Some(self.program.beliefs[belief].holds()),
                Quantity::Slot(_) => {
                    let help = "compare it with a number: plan[7] = 2";
                    self.problem("M0891", format!("`{other}` is a number, not something that holds"), help)
                }
            },
        }
    }

    fn comparison(
        &mut self,
        agent: Option<usize>,
        operator: Operator,
        left: &Expr,
        right: &Expr,
    ) -> Option<Formula> {
        let is_value = |expr: &Expr| match expr {
            Expr::Int(_) => true,
            Expr::Call(name, args) => {
                args.is_empty() && matches!(name.as_str(), "true" | "false" | "unknown")
            }
            _ => false,
        };
        let (left, right, operator) = if is_value(left) && !is_value(right) {
            (right, left, mirrored(operator))
        } else {
            (left, right, operator)
        };
        let comparison = match operator {
            Operator::Eq => Comparison::Equal,
            Operator::Ne => Comparison::Unequal,
            Operator::Lt => Comparison::Less,
            Operator::Le => Comparison::AtMost,
            Operator::Gt => Comparison::More,
            Operator::Ge => Comparison::AtLeast,
            _ => {
                let message = format!("`{}` has no meaning between beliefs", operator.symbol());
                return self.problem("M0891", message, "compare a belief or plan index with one number");
            }
        };
        match self.quantity(agent, left)? {
            Quantity::Belief(belief) => self.belief_is(belief, comparison, right),
            Quantity::Slot(slot) => {
                let Expr::Int(number) = right else {
                    let message = format!("`{right}` is not a number");
                    return self.problem("M0891", message, "compare plan indices and counters with numbers");
                };
                let most = i64::from(self.program.slots[slot].most);
                // What lies outside of the range is so in every state.
                if !(0..=most).contains(number) {
                    let always = match comparison {
                        Comparison::Equal => false,
                        Comparison::Unequal => true,
                        Comparison::Less | Comparison::AtMost => *number > most,
                        Comparison::More | Comparison::AtLeast => *number < 0,
                    };
                    return Some(if always { Formula::True } else { Formula::False });
                }
                let number = u32::try_from(*number).expect("the range is one of slots");
                Some(Formula::Test(slot, comparison, number))
            }
        }
    }

    fn belief_is(&mut self, belief: usize, comparison: Comparison, value: &Expr) -> Option<Formula> {
        let belief = &self.program.beliefs[belief];
        let three = self.program.logic == crate::program::Logic::ThreeValued;
        let formula = match value {
            Expr::Int(1) => Some(belief.holds()),
            Expr::Int(0) => Some(belief.fails()),
            Expr::Call(name, _) if name == "true" => Some(belief.holds()),
            Expr::Call(name, _) if name == "false" => Some(belief.fails()),
            Expr::Call(name, _) if name == "unknown" && three => {
                Some(Formula::Test(belief.slot, Comparison::Equal, UNKNOWN))
            }
            _ => None,
        };
        match (formula, comparison) {
            (Some(formula), Comparison::Equal) => Some(formula),
            (Some(formula), Comparison::Unequal) => Some(formula.negated()),
            _ => {
                let message = format!("`{}` cannot be compared like this", belief.text);
                self.problem("M0891", message, "a belief is = 1 when it holds and = 0 when it does not")
            }
        }
    }

    /// A belief, a plan's index or a counter.
    fn quantity(&mut self, agent: Option<usize>, expr: &Expr) -> Option<Quantity> {
        match expr {
            Expr::Text(text) => self.belief(agent, text).map(Quantity::Belief),
            Expr::Call(name, args) if args.is_empty() => {
                if let Some(plan) = self.plan_name(agent, name) {
                    return Some(Quantity::Slot(self.program.plans[plan].slot));
                }
                self.belief(agent, name).map(Quantity::Belief)
            }
            Expr::Field(of, name) => {
                let owner = self.owner(of)?;
                self.quantity(Some(owner), &Expr::Call(name.clone(), Vec::new()))
            }
            Expr::Index(of, at) => self.indexed(agent, of, at),
            other => {
                let help = "name a sentence in quotes, its name with underscores, or plan[N]";
                self.problem("M0891", format!("`{other}` has no meaning for agents in sEnglish"), help)
            }
        }
    }

    fn owner(&mut self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::Call(name, args) if args.is_empty() => self.agent(name),
            other => self.problem("M0891", format!("`{other}` is not an agent"), "write agent.sentence_name"),
        }
    }

    /// `plan[7]`, `scout.plan[7]`, `counter[sea_state_is_too_high]`
    fn indexed(&mut self, agent: Option<usize>, of: &Expr, at: &Expr) -> Option<Quantity> {
        let (agent, name) = match of {
            Expr::Field(owner, name) => (Some(self.owner(owner)?), name.as_str()),
            Expr::Call(name, args) if args.is_empty() => (agent, name.as_str()),
            _ => (agent, ""),
        };
        match (name, at) {
            ("plan", Expr::Int(number)) => {
                let plan = self.plan(agent, *number)?;
                Some(Quantity::Slot(self.program.plans[plan].slot))
            }
            ("counter", Expr::Call(sentence, _) | Expr::Text(sentence)) => {
                let belief = self.belief(agent, sentence)?;
                let percept = self.program.percepts.iter().find(|percept| percept.belief == belief);
                match percept.and_then(|percept| percept.counter) {
                    Some(counter) => Some(Quantity::Slot(counter)),
                    None => {
                        let help = "percepts with a mean other than 1 or a spread have counters";
                        self.problem("M0891", format!("`{sentence}` has no counter"), help)
                    }
                }
            }
            _ => {
                let help = "write plan[7], or counter[name_of_a_percept]";
                self.problem("M0891", format!("`{of}[{at}]` has no meaning for agents in sEnglish"), help)
            }
        }
    }

    /// The plan called `plan_7`, unless a sentence is.
    fn plan_name(&mut self, agent: Option<usize>, name: &str) -> Option<usize> {
        let number: u32 = name.strip_prefix("plan_")?.parse().ok()?;
        let fits = |plan: &usize| {
            let plan = &self.program.plans[*plan];
            plan.number == number && agent.is_none_or(|agent| plan.agent == agent)
        };
        let mut plans = (0..self.program.plans.len()).filter(fits);
        plans.next().filter(|_| plans.next().is_none())
    }

    fn plan(&mut self, agent: Option<usize>, number: i64) -> Option<usize> {
        let agent = match agent {
            Some(agent) => agent,
            None if self.program.agents.len() == 1 => 0,
            None => {
                let name = &self.program.agents[0].name;
                let help = format!("say whose plan: {name}.plan[{number}]");
                return self.problem("M0892", format!("several agents may have plan {number}"), help);
            }
        };
        let plans = &self.program.agents[agent].plans;
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        if let Some(plan) = index.and_then(|index| plans.get(index)) {
            return Some(*plan);
        }
        let message = format!("{} has no plan {number}", self.program.agents[agent].name);
        self.problem("M0890", message, format!("its plans are 1 to {}", plans.len()))
    }

    /// `plan[4]`, `plan_4` or `4`.
    fn wanted_plan(&mut self, agent: usize, content: &Expr, verb: &str) -> Option<usize> {
        match content {
            Expr::Int(number) => self.plan(Some(agent), *number),
            Expr::Index(of, at) => match (&**of, &**at) {
                (Expr::Call(name, _), Expr::Int(number)) if name == "plan" => self.plan(Some(agent), *number),
                _ => self.not_a_plan(content, verb),
            },
            Expr::Call(name, _) => match self.plan_name(Some(agent), name) {
                Some(plan) => Some(plan),
                None => self.not_a_plan(content, verb),
            },
            _ => self.not_a_plan(content, verb),
        }
    }

    fn not_a_plan<T>(&mut self, content: &Expr, verb: &str) -> Option<T> {
        let message = format!("an agent {verb} plans, and `{content}` is none");
        self.problem("M0891", message, "write plan[4]")
    }

    /// Some plan stands on the action.
    fn does(&mut self, agent: usize, act: &Expr) -> Option<Formula> {
        if matches!(act, Expr::Int(_) | Expr::Index(..)) {
            let plan = self.wanted_plan(agent, act, "does")?;
            return Some(Formula::Test(self.program.plans[plan].slot, Comparison::More, 0));
        }
        let action = self.action(agent, act)?;
        Some(Formula::any(
            self.places(action)
                .into_iter()
                .map(|(slot, index)| Formula::Test(slot, Comparison::Equal, index)),
        ))
    }

    /// The action lies ahead in a plan that runs, or is being done.
    fn will_do(&mut self, agent: usize, act: &Expr) -> Option<Formula> {
        let action = self.action(agent, act)?;
        Some(Formula::any(self.places(action).into_iter().map(|(slot, index)| {
            Formula::all([
                Formula::Test(slot, Comparison::More, 0),
                Formula::Test(slot, Comparison::AtMost, index),
            ])
        })))
    }

    fn places(&self, action: usize) -> Vec<(usize, u32)> {
        let callers = &self.program.actions[action].callers;
        callers.iter().map(|(plan, index)| (self.program.plans[*plan].slot, *index)).collect()
    }

    fn action(&mut self, agent: usize, act: &Expr) -> Option<usize> {
        let (Expr::Text(name) | Expr::Call(name, _)) = act else {
            let help = "name the sentence of an action file: Does(agent, \"Open the gate\")";
            return self.problem("M0891", format!("`{act}` is not an action"), help);
        };
        let key = fold(name);
        let program = self.program;
        let mine = || program.actions.iter().enumerate().filter(|(_, action)| action.agent == agent);
        if let Some((found, _)) = mine().find(|(_, action)| action.keys.contains(&key)) {
            return Some(found);
        }
        let help = match nearest(name, mine().map(|(_, action)| action.text.as_str())) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => {
                let texts = mine().map(|(_, action)| action.text.as_str());
                format!("the actions are {}", crate::words::listed(texts))
            }
        };
        self.problem("M0890", format!("there is no action `{name}`"), help)
    }

    /// The belief with this sentence or name. Without an agent it must be clear whose it is.
    fn belief(&mut self, agent: Option<usize>, text: &str) -> Option<usize> {
        let program = self.program;
        let key = fold(text);
        let all: Vec<usize> = match agent {
            Some(agent) => program.agents[agent].beliefs.clone(),
            None => (0..program.beliefs.len()).collect(),
        };
        let fits = |belief: &usize| {
            let belief = &program.beliefs[*belief];
            belief.key == key || program.slots[belief.slot].name == text
        };
        let found: Vec<usize> = all.iter().copied().filter(fits).collect();
        match found[..] {
            [belief] => Some(belief),
            [] => {
                let texts = all.iter().map(|belief| program.beliefs[*belief].text.as_str());
                let help = match nearest(text, texts) {
                    Some(near) => format!("did you mean \"{near}\" ({})?", identifier(&fold(near))),
                    None => "motet vocab lists the sentences of the model".to_owned(),
                };
                self.problem("M0890", format!("there is no belief `{text}`"), help)
            }
            [first, ..] => {
                let owner = program.beliefs[first].agent.map_or("agent", |agent| &program.agents[agent].name);
                let help = format!("say whose: Bel({owner}, \"{}\")", program.beliefs[first].text);
                self.problem("M0892", format!("several agents may believe `{text}`"), help)
            }
        }
    }
}

fn mirrored(operator: Operator) -> Operator {
    match operator {
        Operator::Lt => Operator::Gt,
        Operator::Le => Operator::Ge,
        Operator::Gt => Operator::Lt,
        Operator::Ge => Operator::Le,
        other => other,
    }
}
