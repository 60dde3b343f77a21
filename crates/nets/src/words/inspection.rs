//! The bindings of an alternative when no guard is asked, and what each guard says of them.

use std::sync::Arc;

use crate::program::{Alternative, Exchange, Expr, Partner};
use crate::semantics::effect::agent_at;
use crate::semantics::firing::AgentName;
use crate::semantics::modes::Mode;
use crate::semantics::plan::Plan;
use crate::semantics::scope::{Budget, Instance, Scope, Trouble};
use crate::semantics::show;
use crate::words::Teller;
use crate::words::picture::is_limit;
use crate::words::print;
use crate::words::typing::Variables;

/// How many bindings are looked at.
const LIMIT_BINDINGS: usize = 2000;

/// What became of the guards.
pub(crate) struct Inspection {
    /// How many bindings were looked at.
    pub(crate) tried: usize,
    /// Guard by guard.
    pub(crate) guards: Vec<Met>,
    /// The guard that refutes the binding that meets most of them; `None` if some binding meets all.
    pub(crate) nearest: Option<String>,
    /// Agents that a command addresses.
    pub(crate) partners: Vec<String>,
    /// How many guards the best binding meets.
    most: Option<usize>,
}

/// What became of a guard.
#[derive(Clone, Default)]
pub(crate) struct Met {
    /// Whether it could be asked: what is received is not known beforehand.
    pub(crate) asked: bool,
    /// Some binding satisfies it.
    pub(crate) some: bool,
    /// The first binding that does not.
    refuted: Option<String>,
}

impl Inspection {
    pub(crate) fn of(
        teller: &Teller,
        instance: Instance<'_>,
        alternative: &Alternative,
        plan: &Plan,
        variables: &Variables<'_>,
    ) -> Self {
        let unguarded = Plan {
            bound: plan.bound.clone(),
            guards: vec![Vec::new(); plan.guards.len()],
            ignores: plan.ignores,
            places: Vec::new(),
            compares: plan.compares,
            needs: Vec::new(),
            terms: Arc::clone(&plan.terms),
        };
        let budget = Budget::new();
        let program = teller.program();
        let scope = Scope { program, instance, budget: &budget, depth: 0, enabled: None };
        let exchange = alternative.sync.as_ref().map(|sync| &sync.exchange);
        let receives = matches!(exchange, Some(Exchange::Receive(_)));
        let arcs = alternative.inputs.len() + alternative.reads.len();
        let met = |guard: usize| Met {
            asked: !receives || plan.guards[..=arcs].iter().flatten().any(|early| *early == guard),
            ..Met::default()
        };
        let guards = (0..alternative.guards.len()).map(met).collect();
        let mut inspection = Self { tried: 0, guards, nearest: None, partners: Vec::new(), most: None };
        let mut look = |mode: &mut Mode<'_>| inspection.look(teller, mode, variables);
        let mut mode = Mode::new(scope, alternative, &unguarded);
        // A fault, or enough bindings, ends the look; what was seen until then is told.
        let _ = if receives {
            mode.match_arcs(&mut look)
        } else {
            mode.match_arcs(&mut |mode| mode.finish(&mut look))
        };
        inspection
    }

    fn look(
        &mut self,
        teller: &Teller,
        mode: &mut Mode<'_>,
        variables: &Variables<'_>,
    ) -> Result<(), Trouble> {
        self.tried += 1;
        if self.tried > LIMIT_BINDINGS {
            return Trouble::new("enough bindings were looked at");
        }
        let alternative = mode.alternative;
        let mut met_here = 0;
        let mut refuted_here = None;
        let guards = alternative.guards.iter().zip(&mode.plan.terms.guards).zip(&mut self.guards);
        for ((guard, code), met) in guards.filter(|(_, met)| met.asked) {
            if mode.scope.test(code, &mut mode.env).unwrap_or(false) {
                met.some = true;
                met_here += 1;
                continue;
            }
            refuted_here = refuted_here.or(Some(guard));
            met.refuted.get_or_insert_with(|| binding(teller, mode, variables));
        }
        if self.most.is_none_or(|most| met_here > most) {
            self.most = Some(met_here);
            self.nearest = refuted_here.map(|guard| {
                let met = Met { asked: true, some: false, refuted: Some(binding(teller, mode, variables)) };
                guard_text(guard, &met, variables)
            });
        }
        if let Some(Partner::Agent { arc, fields }) = alternative.sync.as_ref().map(|sync| &sync.partner) {
            let name = AgentName::of(agent_at(&mode.tokens[*arc], fields));
            let name = show::agent_name(teller.program(), &name);
            if !self.partners.contains(&name) {
                self.partners.push(name);
            }
        }
        Ok(())
    }
}

/// `when c.tank = 1: false with c = <truck, 0>`
pub(crate) fn guard_text(guard: &Expr, met: &Met, variables: &Variables<'_>) -> String {
    if is_limit(guard, variables) {
        let word = if met.some { "is not reached" } else { "is reached" };
        return format!("its limit {word}");
    }
    let text = format!("when {}", print::expr(guard, variables));
    match &met.refuted {
        Some(binding) if !met.some && !binding.is_empty() => format!("{text}: false with {binding}"),
        _ => text,
    }
}

fn binding(teller: &Teller, mode: &Mode<'_>, variables: &Variables<'_>) -> String {
    let bound = mode.plan.bound.iter().zip(mode.binding_values());
    let text = bound.map(|(variable, value)| {
        format!("{} = {}", variables.name(*variable), show::value(teller.program(), &value))
    });
    text.collect::<Vec<_>>().join(", ")
}
