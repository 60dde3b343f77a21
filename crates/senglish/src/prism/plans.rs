//! Modules of plans (figures 4.3 and 4.4) and of actions (figure 4.5, with the counting of appendix B.2).

use motet_model::Ratio;

use super::{declare, formula, line, stands};
use crate::formula::Formula;
use crate::number::{complement, printed};
use crate::program::{Action, Plan, Program};

/// One module for each plan; plans of a group share one, because a choice lies within a module.
pub(crate) fn modules(program: &Program, out: &mut String) {
    for (number, plan) in program.plans.iter().enumerate() {
        match plan.group {
            Some(group) if program.groups[group].plans[0] == number => {
                choice(program, &program.groups[group].plans, out);
            }
            Some(_) => {}
            None => single(program, plan, out),
        }
    }
}

fn single(program: &Program, plan: &Plan, out: &mut String) {
    let name = &program.slots[plan.slot].name;
    line(out, format_args!("// {}", plan.head));
    line(out, format_args!("module {name}"));
    declare(program, plan.slot, &format!("plan {}", plan.number), out);
    let condition = formula(program, &plan.condition);
    line(out, format_args!("\n  [t] {name}=0 & !({condition}) -> ({name}'=0);"));
    line(out, format_args!("  [t] {name}=0 & ({condition}) -> ({name}'=1);"));
    body(program, plan, out);
    out.push_str("endmodule\n\n");
}

fn choice(program: &Program, plans: &[usize], out: &mut String) {
    let plans: Vec<&Plan> = plans.iter().map(|plan| &program.plans[*plan]).collect();
    let names: Vec<&str> = plans.iter().map(|plan| program.slots[plan.slot].name.as_str()).collect();
    let numbers: Vec<String> = plans.iter().skip(1).map(|plan| plan.number.to_string()).collect();
    for plan in &plans {
        line(out, format_args!("// plan {}: {}", plan.number, plan.head));
    }
    line(out, format_args!("module {}_{}", names[0], numbers.join("_")));
    for plan in &plans {
        declare(program, plan.slot, &format!("plan {}", plan.number), out);
    }
    let idle = names.iter().map(|name| format!("{name}=0")).collect::<Vec<_>>().join(" & ");
    let stay = names.iter().map(|name| format!("({name}'=0)")).collect::<Vec<_>>().join(" & ");
    let mut conditions: Vec<Formula> = plans.iter().map(|plan| plan.condition.clone()).collect();
    conditions.dedup();
    let any = formula(program, &Formula::any(conditions));
    line(out, format_args!("\n  [t] ({idle}) & !({any}) -> {stay};"));
    for (plan, name) in plans.iter().zip(&names) {
        let condition = formula(program, &plan.condition);
        line(out, format_args!("  [t] ({idle}) & ({condition}) -> ({name}'=1);"));
    }
    for plan in plans {
        line(out, format_args!("\n  // plan {}", plan.number));
        body(program, plan, out);
    }
    out.push_str("endmodule\n\n");
}

/// The actions of a plan, one after the other.
fn body(program: &Program, plan: &Plan, out: &mut String) {
    let name = &program.slots[plan.slot].name;
    for (number, action) in plan.actions.iter().enumerate() {
        let index = number + 1;
        let next = if index == plan.actions.len() { 0 } else { index + 1 };
        line(out, format_args!("  // {}", action.text));
        if action.done == Formula::True {
            line(out, format_args!("  [t] {name}={index} -> ({name}'={next});"));
        } else {
            let done = formula(program, &action.done);
            line(out, format_args!("  [t] {name}={index} & !({done}) -> ({name}'={index});"));
            line(out, format_args!("  [t] {name}={index} & ({done}) -> ({name}'={next});"));
        }
    }
}

/// The feedbacks of an action. The first variable counts down to 1, which is true for one cycle.
pub(crate) fn action(program: &Program, action: &Action, out: &mut String) {
    if action.feedbacks.is_empty() {
        line(out, format_args!("// {} reports nothing\n", action.text));
        return;
    }
    let slots: Vec<usize> =
        action.feedbacks.iter().map(|(belief, _)| program.beliefs[*belief].slot).collect();
    let count = program.slots[slots[0]].name.as_str();
    line(out, format_args!("// {} [mu {}, sigma {}]", action.text, action.mean, action.spread));
    line(out, format_args!("module {}", action.name));
    for ((belief, weight), slot) in action.feedbacks.iter().zip(&slots) {
        let sentence = format!("{} [{}]", program.beliefs[*belief].text, printed(*weight));
        declare(program, *slot, &sentence, out);
    }
    let module = Module { program, action, count, slots: &slots };
    let called = stands(program, &action.callers);
    line(
        out,
        format_args!("\n  [b] !({}) & ({count}<=1) -> {};", formula(program, &called), module.all(None, "0")),
    );
    if called != Formula::False {
        let first = module.first_cycle();
        line(out, format_args!("  [b] ({}) & ({count}<=1) -> {first};", formula(program, &called)));
    }
    module.running(out);
    out.push_str("endmodule\n\n");
}

struct Module<'a> {
    program: &'a Program,
    action: &'a Action,
    count: &'a str,
    slots: &'a [usize],
}

impl Module<'_> {
    /// The update after which one feedback is true, or none and the count stands at `waiting`.
    fn all(&self, held: Option<usize>, waiting: &str) -> String {
        let value = |which: usize| match held {
            Some(held) => u32::from(held == which).to_string(),
            None if which == 0 => waiting.to_owned(),
            None => "0".to_owned(),
        };
        let names = self.slots.iter().map(|slot| &self.program.slots[*slot].name).enumerate();
        let parts: Vec<String> = names.map(|(which, name)| format!("({name}'={})", value(which))).collect();
        parts.join(" & ")
    }

    /// What the cycle after the call brings.
    fn first_cycle(&self) -> String {
        let waiting = (self.action.mean + self.action.spread).to_string();
        let Some(chance) = crate::semantics::reports(self.action, 1) else { return self.all(None, &waiting) };
        let missing = complement(chance).expect("no chance is above one");
        let mut parts: Vec<String> = Vec::new();
        for (which, (_, weight)) in self.action.feedbacks.iter().enumerate() {
            let held = self.all(Some(which), "");
            match chance.checked_mul(*weight) {
                Some(Ratio::ZERO) => {}
                Some(Ratio::ONE) => return held,
                Some(product) => parts.push(format!("{} : {held}", printed(product))),
                None => parts.push(format!("{}*{} : {held}", printed(chance), printed(*weight))),
            }
        }
        if missing != Ratio::ZERO {
            parts.push(format!("{} : {}", printed(missing), self.all(None, &waiting)));
        }
        parts.join(" + ")
    }

    /// What later cycles bring: nothing at first, then a growing chance, then certainty.
    fn running(&self, out: &mut String) {
        let (count, spread) = (self.count, self.action.spread);
        if self.program.slots[self.slots[0]].most < 2 {
            return;
        }
        let certain = 2 * spread + 2;
        let less = format!("{count}-1");
        line(out, format_args!("  [b] {count}>{certain} -> {};", self.all(None, &less)));
        let weights: Vec<(usize, Ratio)> = (0..self.slots.len())
            .map(|which| (which, self.action.feedbacks[which].1))
            .filter(|(_, weight)| *weight != Ratio::ZERO)
            .collect();
        if spread > 0 {
            let chance = format!("({}-{count})/{}", 2 * spread + 3, 2 * spread + 1);
            let mut parts: Vec<String> = weights
                .iter()
                .map(|(which, weight)| {
                    format!("{}*{chance} : {}", printed(*weight), self.all(Some(*which), ""))
                })
                .collect();
            parts.push(format!("1-{chance} : {}", self.all(None, &less)));
            line(out, format_args!("  [b] {count}>2 & {count}<={certain} -> {};", parts.join(" + ")));
        }
        let parts: Vec<String> = match &weights[..] {
            [(which, _)] => vec![self.all(Some(*which), "")],
            more => more
                .iter()
                .map(|(which, weight)| format!("{} : {}", printed(*weight), self.all(Some(*which), "")))
                .collect(),
        };
        line(out, format_args!("  [b] {count}=2 -> {};", parts.join(" + ")));
    }
}
