//! What rules of the environment do.

use motet_model::Ratio;
use motet_source::{Span, Spanned};

use crate::program::{Effect, Expr, Value};
use crate::syntax::{EffectTree, WorldExpr};

use super::kind::{Base, Kind, contains};
use super::world::World;

impl World<'_> {
    /// The effects of a rule, in order.
    pub(crate) fn effects(&mut self, trees: &[EffectTree]) -> Vec<Effect> {
        trees.iter().filter_map(|tree| self.effect(tree)).collect()
    }

    fn effect(&mut self, tree: &EffectTree) -> Option<Effect> {
        match tree {
            EffectTree::Assign(name, index, value) => self.assignment(name, index.as_ref(), value),
            EffectTree::If(condition, then, otherwise) => {
                Some(Effect::If(self.condition(condition), self.effects(then), self.effects(otherwise)))
            }
            EffectTree::Either(branches) => {
                Some(Effect::Either(branches.iter().map(|branch| self.effects(branch)).collect()))
            }
            EffectTree::Chance(branches) => self.chance(branches),
        }
    }

    fn assignment(
        &mut self,
        name: &Spanned<String>,
        index: Option<&WorldExpr>,
        value: &WorldExpr,
    ) -> Option<Effect> {
        let Some(variable) = self.variable(&name.node) else {
            self.not_assignable(name);
            self.expression(value);
            return None;
        };
        let (expr, kind) = self.expression(value);
        self.check_fits(variable, &expr, &kind, value.span);
        match index {
            Some(index) => {
                let index = self.index_of(variable, index, name.span)?;
                Some(Effect::Assign(variable, Some(index), expr))
            }
            None if self.environment.variables[variable].index.is_some() => {
                Some(Effect::AssignAll(variable, expr))
            }
            None => Some(Effect::Assign(variable, None, expr)),
        }
    }

    fn not_assignable(&mut self, name: &Spanned<String>) {
        let what = if self.is_local(&name.node) {
            "a name of this rule"
        } else if self.constants.contains_key(&name.node) {
            "a constant"
        } else if self.symbols.contains_key(&name.node) {
            "a plain word"
        } else {
            self.unknown(&name.node, name.span);
            return;
        };
        let message = format!("`{}` is {what} and cannot be assigned to", name.node);
        self.error("M0545", name.span, message, format!("declare a variable: `var {} : 0..9`", name.node));
    }

    /// Whether a variable can take an expression's value.
    pub(crate) fn check_fits(&mut self, variable: usize, expr: &Expr, kind: &Kind, span: Span) {
        let (name, domain) = (
            self.environment.variables[variable].name.clone(),
            self.environment.variables[variable].domain.clone(),
        );
        let wanted = Kind::of_domain(&domain);
        if let Expr::Value(value) = expr
            && !matches!(kind.base, Base::Any)
        {
            if !contains(&domain, *value) {
                let help = match value {
                    Value::None => format!("declare it `var {name} : opt ..` if it may have no value"),
                    _ => "widen the declaration, or assign another value".to_owned(),
                };
                let message = format!("`{}` is not among the values of `{name}`", self.show(*value));
                self.error("M0535", span, message, help);
            }
        } else if !kind.meets(&wanted) {
            let message = match (&wanted.base, &kind.base) {
                (Base::Members(_), Base::Members(_)) => format!("`{name}` takes none of these names"),
                _ => format!("`{name}` takes {}, but this is {}", wanted.words(), kind.words()),
            };
            self.error("M0531", span, message, "assign a value of the declared kind");
        }
    }

    fn chance(&mut self, branches: &[(Spanned<String>, Vec<EffectTree>)]) -> Option<Effect> {
        let mut resolved = Vec::new();
        let mut sum = Ratio::new(0, 1);
        for (chance, effects) in branches {
            let effects = self.effects(effects);
            match Ratio::read(&chance.node) {
                Some(ratio) if !ratio.is_zero() => {
                    sum = sum.and_then(|sum| sum.checked_add(ratio));
                    resolved.push((ratio, effects));
                }
                Some(_) => {
                    self.error("M0536", chance.span, "a branch of probability zero", "leave the branch out");
                    return None;
                }
                None => {
                    let message = format!("`{}` cannot be kept exactly", chance.node);
                    self.error("M0536", chance.span, message, "use fewer digits, or a fraction `1/3`");
                    return None;
                }
            }
        }
        if sum == Some(Ratio::ONE) {
            return Some(Effect::Chance(resolved));
        }
        let span = branches.first()?.0.span.to(branches.last()?.0.span);
        let total = sum.map_or("something else".to_owned(), Ratio::quotient);
        let message = format!("these probabilities sum to {total}, not to 1");
        self.error(
            "M0536",
            span,
            message,
            "sums are exact: write thirds as `1/3`, and cover what is left by a branch",
        );
        None
    }
}
