//! What the environment of a team waits for when nothing is asked of it.

use motet_model::State;

use crate::program::{Expr, Reaction, Value};
use crate::semantics::team::{QUEUE, WORLD};
use crate::semantics::world;
use crate::syntax::Fold;
use crate::words::Teller;

impl Teller {
    /// The cells that keep a reaction of the form `all x in sort: ..` from happening: `bid[ag3]`. Such a reaction is how an
    /// environment says that everybody has to do something first.
    pub(super) fn environment_waits(&self, state: &State) -> Option<String> {
        if !self.team.queue(state[QUEUE]).is_empty() {
            return None;
        }
        let cells = self.team.world(state[WORLD]);
        let reactions = &self.team.program.environment.reactions;
        let missing = reactions.iter().map(|reaction| self.missing(reaction, cells));
        missing.into_iter().find(|cells| !cells.is_empty()).map(|cells| cells.join(", "))
    }

    fn missing(&self, reaction: &Reaction, cells: &[Value]) -> Vec<String> {
        let environment = &self.team.program.environment;
        let Expr::Fold(Fold::All, local, sort, body) = &reaction.when else { return Vec::new() };
        let mut missing = Vec::new();
        for &member in &environment.sorts[*sort].1 {
            let mut locals = vec![Value::None; reaction.n_locals.max(*local + 1)];
            locals[*local] = member;
            if world::evaluate(environment, cells, &mut locals, body) == Ok(Value::Bool(false)) {
                let mut variables = Vec::new();
                indexed_by(*local, body, &mut variables);
                let name = world::show(self.terms(), member);
                let cell = |variable: &usize| format!("{}[{name}]", environment.variables[*variable].name);
                missing.extend(variables.iter().map(cell));
            }
        }
        missing
    }
}

/// The variables that an expression indexes by a local.
fn indexed_by(local: usize, expr: &Expr, out: &mut Vec<usize>) {
    match expr {
        Expr::At(variable, index) => {
            if **index == Expr::Local(local) && !out.contains(variable) {
                out.push(*variable);
            }
        }
        Expr::Negative(a) | Expr::Not(a) | Expr::Absolute(a) | Expr::Fold(.., a) => indexed_by(local, a, out),
        Expr::Lesser(a, b) | Expr::Larger(a, b) | Expr::Binary(_, a, b) => {
            indexed_by(local, a, out);
            indexed_by(local, b, out);
        }
        Expr::Value(_) | Expr::Variable(_) | Expr::Local(_) => {}
    }
}
