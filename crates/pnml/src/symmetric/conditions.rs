//! Conditions of transitions.

use roxmltree::Node;

use crate::symmetric::terms::{Terms, operands};
use crate::symmetric::value::is_multiset;
use crate::symmetric::{Condition, Relation};
use crate::xml::{LIMIT_DEPTH, tag};

impl<'d> Terms<'_, 'd, '_> {
    pub(crate) fn condition(&mut self, node: Node<'d, 'd>, depth: usize) -> Option<Condition> {
        if depth > LIMIT_DEPTH {
            let message = format!("this condition nests more than {LIMIT_DEPTH} levels deep");
            self.reader.error("M1091", node, message, "write it flatter");
            return None;
        }
        let relation = match tag(node) {
            "and" => return Some(Condition::All(self.conditions(node, depth)?)),
            "or" => return Some(Condition::Any(self.conditions(node, depth)?)),
            "not" => {
                let parts = self.conditions(node, depth)?;
                return Some(Condition::Not(Box::new(Condition::Any(parts))));
            }
            "imply" => {
                let parts = self.conditions(node, depth)?;
                let [premise, conclusion] = self.exact(node, parts)?;
                return Some(Condition::Any(vec![Condition::Not(Box::new(premise)), conclusion]));
            }
            "booleanconstant" => {
                let value = self.reader.attribute(node, "value")?;
                return Some(Condition::Constant(value == "true"));
            }
            "subterm" => {
                let [inner] = self.exact(node, operands(node))?;
                return self.condition(inner, depth + 1);
            }
            "equality" => Relation::Equal,
            "inequality" => Relation::NotEqual,
            "lessthan" | "ltp" => Relation::Less,
            "lessthanorequal" => Relation::LessEqual,
            "greaterthan" | "gtp" => Relation::Greater,
            "greaterthanorequal" => Relation::GreaterEqual,
            other => {
                let message = format!("`{other}` is no condition of a symmetric net");
                let help = "use comparisons joined with and, or, not and imply";
                self.reader.error("M1082", node, message, help);
                return None;
            }
        };
        self.comparison(node, relation, depth)
    }

    fn conditions(&mut self, node: Node<'d, 'd>, depth: usize) -> Option<Vec<Condition>> {
        let parts: Vec<_> = operands(node).into_iter().map(|part| self.condition(part, depth + 1)).collect();
        parts.into_iter().collect()
    }

    fn comparison(&mut self, node: Node<'d, 'd>, relation: Relation, depth: usize) -> Option<Condition> {
        let nodes: [Node<'d, 'd>; 2] = self.exact(node, operands(node))?;
        let left = self.term(nodes[0], depth + 1);
        let right = self.term(nodes[1], depth + 1);
        let ((left, one), (right, other)) = (left?, right?);
        if one != other {
            let message =
                format!("`{}` compares {} with {}", tag(node), self.sort_text(one), self.sort_text(other));
            self.reader.error("M1090", node, message, "compare values of one sort");
            return None;
        }
        if is_multiset(&left) || is_multiset(&right) {
            let message = format!("`{}` compares multisets", tag(node));
            self.reader.error("M1090", node, message, "compare single values: variables, constants, tuples");
            return None;
        }
        Some(Condition::Compare(relation, left, right))
    }

    /// As many as are needed.
    fn exact<T, const N: usize>(&mut self, node: Node<'d, 'd>, parts: Vec<T>) -> Option<[T; N]> {
        let found = parts.len();
        let exact = parts.try_into().ok();
        if exact.is_none() {
            let message = format!("`{}` has {found} operands, where {N} are needed", tag(node));
            self.reader.error("M1090", node, message, "each operand stands in a `subterm`");
        }
        exact
    }
}
