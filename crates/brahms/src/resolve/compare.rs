//! Whether two things can be compared, or one be assigned to the other.

use motet_source::{Problem, Span, suggest};

use super::Resolver;
use super::scope::{Sort, Typed, describe};
use crate::program::{EntityId, Expr, Value};
use crate::syntax::Comparison;

/// What two sides are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// They are compared.
    Compare(Comparison),
    /// The right one becomes the value of the left one.
    Assign,
}

impl Resolver<'_> {
    /// Says what is wrong with two sides; whether anything certainly is.
    pub(crate) fn compatible(&mut self, left: (&Typed, Span), right: (&Typed, Span), how: Use) -> bool {
        let ordering =
            matches!(how, Use::Compare(Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge));
        match (&left.0.sort, &right.0.sort) {
            (Sort::Any, _) | (_, Sort::Any) => return true,
            (Sort::Int | Sort::Double, Sort::Int | Sort::Double) => return true,
            (Sort::Entity(_), Sort::Symbol) if right.0.bare => {
                self.no_such_entity(&left.0.sort, right.1);
                return false;
            }
            (Sort::Symbol, Sort::Entity(_)) if left.0.bare => {
                self.no_such_entity(&right.0.sort, left.1);
                return false;
            }
            _ if ordering => {
                let (side, sort) = match left.0.sort {
                    Sort::Int | Sort::Double => (right.1, &right.0.sort),
                    _ => (left.1, &left.0.sort),
                };
                let message =
                    format!("`{}` is {}, and cannot be more or less", self.wrote(side), describe(sort));
                self.say(Problem::error("M0735", side, message, "compare it with `=` or `!=`"));
                return false;
            }
            (Sort::Bool, Sort::Bool) | (Sort::Symbol, Sort::Symbol) | (Sort::Text, Sort::Text) => {
                return true;
            }
            (Sort::Symbol, Sort::Text) | (Sort::Text, Sort::Symbol) => {
                let message = "a symbol and a text meet here; they are equal where their letters are";
                let help = "write both with quotes, or both without";
                self.say(Problem::warning("M0737", left.1.to(right.1), message, help));
                return true;
            }
            // A symbol may carry the name of an entity: `current.next = chair`.
            (Sort::Symbol, Sort::Entity(_)) | (Sort::Entity(_), Sort::Symbol) => return true,
            (Sort::Entity(one), Sort::Entity(other)) => {
                let (one, other) = (one.clone(), other.clone());
                self.disjoint((left, &one), (right, &other), how);
                return true;
            }
            _ => {}
        }
        self.mismatch(left, right, how);
        false
    }

    fn mismatch(&mut self, left: (&Typed, Span), right: (&Typed, Span), how: Use) {
        let (a, b) = (self.wrote(left.1), self.wrote(right.1));
        let (of_a, of_b) = (describe(&left.0.sort), describe(&right.0.sort));
        let (code, message) = match how {
            Use::Compare(_) => ("M0735", format!("`{a}` is {of_a}, `{b}` is {of_b}: they are never equal")),
            Use::Assign => ("M0738", format!("`{a}` is {of_a}, and cannot become `{b}`, which is {of_b}")),
        };
        let help = match left.0.sort {
            Sort::Bool => "write `true` or `false`".to_owned(),
            Sort::Entity(_) => "write the name of an agent, object or area".to_owned(),
            ref other => format!("write {} on the right side", describe(other)),
        };
        self.say(Problem::error(code, right.1, message, help).label(of_b));
    }

    fn no_such_entity(&mut self, wanted: &Sort, span: Span) {
        let Sort::Entity(domain) = wanted else { return };
        let name = self.wrote(span);
        let known = domain.iter().map(|entity| self.program.entities[entity.index()].name.as_str());
        let help = match suggest(&name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name an agent, object or area that is declared".to_owned(),
        };
        let message = format!("there is no `{name}` that this could be");
        self.say(Problem::error("M0722", span, message, help).label("not declared"));
    }

    /// A constant that the other side can never be.
    fn disjoint(
        &mut self,
        (left, one): ((&Typed, Span), &[EntityId]),
        (right, other): ((&Typed, Span), &[EntityId]),
        how: Use,
    ) {
        let odd = match (&left.0.expr, &right.0.expr) {
            (_, Expr::Value(Value::Entity(entity))) if !one.is_empty() && !one.contains(entity) => right.1,
            (Expr::Value(Value::Entity(entity)), _) if !other.is_empty() && !other.contains(entity) => left.1,
            _ => return,
        };
        let message = match how {
            Use::Compare(_) => format!("`{}` is of another type: the two are never equal", self.wrote(odd)),
            Use::Assign => format!("`{}` is not of the type that is declared here", self.wrote(odd)),
        };
        let help = "check the type that the attribute or variable is declared with";
        self.say(Problem::warning("M0735", odd, message, help));
    }
}
