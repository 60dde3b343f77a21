//! Sorts, their values, and the functions that go along them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use motet_nets::syntax::{
    BinaryOperator, Definition, Enumeration, Expression, ExpressionNode, Field, Item, Pattern, PatternNode,
    Symmetry, TypeNode, TypeText,
};
use motet_source::Spanned;

use crate::symmetric::{Condition, Relation, Sort, SortId, SymmetricNet, Term};
use crate::text::names::Names;
use crate::text::terms::{binary, choice, equal, expression, name, number, parts_of, set, sort_of};
use crate::text::{Told, nowhere, untold};

/// The sorts of a net under their names in our language.
pub(crate) struct Sorts<'n> {
    net: &'n SymmetricNet,
    /// Per sort that is an enumeration: its name and those of its members.
    enumerations: BTreeMap<usize, (String, Vec<String>)>,
    /// Functions over enumerations, reserved ahead, and written down only if they are used.
    functions: BTreeMap<(Function, usize), String>,
    used: RefCell<BTreeMap<(Function, usize), ()>>,
}

/// What can be computed of a member of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Function {
    Next,
    Previous,
    Rank,
    /// The class in a partition, whose number comes with it.
    Class,
}

impl<'n> Sorts<'n> {
    pub(crate) fn new(net: &'n SymmetricNet, names: &mut Names) -> Told<Self> {
        let mut enumerations = BTreeMap::new();
        let mut functions = BTreeMap::new();
        for (number, sort) in net.sorts.iter().enumerate() {
            match sort {
                Sort::Enumeration { name, members, .. } => {
                    let own = names.fresh(name);
                    let members =
                        members.iter().map(|member| names.fresh(&format!("{own}_{member}"))).collect();
                    for (function, word) in
                        [(Function::Next, "next"), (Function::Previous, "previous"), (Function::Rank, "rank")]
                    {
                        functions.insert((function, number), names.fresh(&format!("{word}_{own}")));
                    }
                    enumerations.insert(number, (own, members));
                }
                Sort::Product(parts) if parts.iter().any(|part| net.sorts[part.0] == Sort::Dot) => {
                    return untold("black tokens inside records");
                }
                _ => {}
            }
        }
        for number in 0..net.partitions.len() {
            functions.insert((Function::Class, number), names.fresh(&format!("class_{number}")));
        }
        Ok(Self { net, enumerations, functions, used: RefCell::default() })
    }

    pub(crate) fn is_black(&self, sort: SortId) -> bool {
        self.net.sorts[sort.0] == Sort::Dot
    }

    pub(crate) fn sort_text(&self, sort: SortId) -> Told<TypeText> {
        let node = match &self.net.sorts[sort.0] {
            Sort::Dot => TypeNode::Token,
            Sort::Enumeration { .. } => TypeNode::Named(self.enumerations[&sort.0].0.clone()),
            Sort::Range(low, high) => TypeNode::Int(Some((Box::new(number(*low)), Box::new(number(*high))))),
            Sort::Product(parts) => {
                let field = |(number, &part): (usize, &SortId)| {
                    let name = Spanned::new(format!("c{}", number + 1), nowhere());
                    Ok(Field { name, sort: self.sort_text(part)? })
                };
                TypeNode::Record(parts.iter().enumerate().map(field).collect::<Told<Vec<_>>>()?)
            }
        };
        Ok(TypeText { node, span: nowhere() })
    }

    /// A value as an expression.
    pub(crate) fn constant(&self, sort: SortId, value: u32) -> Told<Expression> {
        match &self.net.sorts[sort.0] {
            Sort::Dot => untold("expressions for black tokens"),
            Sort::Enumeration { .. } => Ok(name(&self.enumerations[&sort.0].1[value as usize])),
            Sort::Range(low, _) => Ok(number(low + i64::from(value))),
            Sort::Product(_) => {
                let parts = parts_of(self.net, sort, value).unwrap_or_default();
                let parts = parts.iter().map(|part| self.value(part, &[])).collect::<Told<Vec<_>>>()?;
                Ok(expression(ExpressionNode::Tuple(parts)))
            }
        }
    }

    /// A value as a pattern.
    pub(crate) fn constant_pattern(&self, sort: SortId, value: u32) -> Told<PatternNode> {
        Ok(match &self.net.sorts[sort.0] {
            Sort::Dot => PatternNode::Any,
            Sort::Enumeration { .. } => {
                PatternNode::Name(self.enumerations[&sort.0].1[value as usize].clone())
            }
            Sort::Range(low, _) => PatternNode::Int(low + i64::from(value)),
            Sort::Product(parts) => {
                let digits = self.net.digits(parts, value);
                let part = |(&sort, digit)| {
                    let node = self.constant_pattern(sort, digit)?;
                    Ok(Pattern { node, span: nowhere() })
                };
                PatternNode::Tuple(parts.iter().zip(digits).map(part).collect::<Told<Vec<_>>>()?)
            }
        })
    }

    /// All values of a sort, as a set to pick from.
    pub(crate) fn domain(&self, sort: SortId) -> Told<Expression> {
        if let Sort::Range(low, high) = &self.net.sorts[sort.0] {
            return Ok(expression(ExpressionNode::Range(Box::new(number(*low)), Box::new(number(*high)))));
        }
        let size = self.net.size(sort).unwrap_or(u32::MAX);
        if size > 10_000 {
            return untold("room for so many values");
        }
        let members = (0..size).map(|value| self.constant(sort, value)).collect::<Told<Vec<_>>>()?;
        Ok(set(members))
    }

    /// A single term as an expression.
    pub(crate) fn value(&self, term: &Term, variables: &[String]) -> Told<Expression> {
        match term {
            Term::Constant(sort, value) => self.constant(*sort, *value),
            Term::Variable(variable) => match variables.get(*variable) {
                Some(variable) => Ok(name(variable)),
                None => untold("variables here"),
            },
            Term::Successor(sort, inner) => {
                self.neighbour(Function::Next, *sort, self.value(inner, variables)?)
            }
            Term::Predecessor(sort, inner) => {
                self.neighbour(Function::Previous, *sort, self.value(inner, variables)?)
            }
            Term::Class(partition, inner) => {
                Ok(self.call(Function::Class, *partition, self.value(inner, variables)?))
            }
            Term::Tuple(_, parts) => {
                let parts = parts.iter().map(|part| self.value(part, variables));
                Ok(expression(ExpressionNode::Tuple(parts.collect::<Told<Vec<_>>>()?)))
            }
            Term::Nothing | Term::All(_) | Term::Number(..) | Term::Add(_) | Term::Subtract(..) => {
                untold("multisets as values")
            }
        }
    }

    fn call(&self, function: Function, of: usize, argument: Expression) -> Expression {
        self.used.borrow_mut().insert((function, of), ());
        let called = Spanned::new(self.functions[&(function, of)].clone(), nowhere());
        expression(ExpressionNode::Call(called, vec![argument]))
    }

    fn neighbour(&self, function: Function, sort: SortId, of: Expression) -> Told<Expression> {
        match &self.net.sorts[sort.0] {
            Sort::Enumeration { .. } => Ok(self.call(function, sort.0, of)),
            Sort::Range(low, high) => Ok(match function {
                Function::Previous => choice(
                    equal(of.clone(), number(*low)),
                    number(*high),
                    binary(BinaryOperator::Subtract, of, number(1)),
                ),
                _ => choice(
                    equal(of.clone(), number(*high)),
                    number(*low),
                    binary(BinaryOperator::Add, of, number(1)),
                ),
            }),
            Sort::Dot | Sort::Product(_) => untold("neighbours of tuples"),
        }
    }

    pub(crate) fn condition(&self, condition: &Condition, variables: &[String]) -> Told<Expression> {
        let joined = |parts: &[Condition], operator: BinaryOperator, none: bool| {
            let mut parts = parts.iter().map(|part| self.condition(part, variables));
            let Some(first) = parts.next() else { return Ok(expression(ExpressionNode::Bool(none))) };
            parts.try_fold(first?, |left, right| Ok(binary(operator, left, right?)))
        };
        match condition {
            Condition::Constant(value) => Ok(expression(ExpressionNode::Bool(*value))),
            Condition::Not(inner) => {
                Ok(expression(ExpressionNode::Not(Box::new(self.condition(inner, variables)?))))
            }
            Condition::All(parts) => joined(parts, BinaryOperator::And, true),
            Condition::Any(parts) => joined(parts, BinaryOperator::Or, false),
            Condition::Compare(relation, left, right) => self.comparison(*relation, left, right, variables),
        }
    }

    fn comparison(
        &self,
        relation: Relation,
        left: &Term,
        right: &Term,
        variables: &[String],
    ) -> Told<Expression> {
        let operator = match relation {
            Relation::Equal => BinaryOperator::Equal,
            Relation::NotEqual => BinaryOperator::NotEqual,
            Relation::Less => BinaryOperator::Less,
            Relation::LessEqual => BinaryOperator::LessEqual,
            Relation::Greater => BinaryOperator::Greater,
            Relation::GreaterEqual => BinaryOperator::GreaterEqual,
        };
        let side = |term: &Term| {
            let value = self.value(term, variables)?;
            let ordered = !matches!(relation, Relation::Equal | Relation::NotEqual);
            let sort = sort_of(self.net, term).filter(|_| ordered);
            match sort.map(|sort| (sort, &self.net.sorts[sort.0])) {
                Some((sort, Sort::Enumeration { .. })) => Ok(self.call(Function::Rank, sort.0, value)),
                Some((_, Sort::Product(_) | Sort::Dot)) => untold("order between tuples"),
                None if ordered => untold("order between classes"),
                _ => Ok(value),
            }
        };
        Ok(binary(operator, side(left)?, side(right)?))
    }

    /// The declarations: enumerations, and the functions that were used.
    pub(crate) fn items(&self) -> Vec<Item> {
        let at = |name: &String| Spanned::new(name.clone(), nowhere());
        let mut items: Vec<Item> = self
            .enumerations
            .values()
            .map(|(own, members)| {
                let members = members.iter().map(at).collect();
                Item::Enumeration(Enumeration { name: at(own), members, symmetry: Symmetry::Distinct })
            })
            .collect();
        for &(function, of) in self.used.borrow().keys() {
            let parameter = "member".to_owned();
            let results = self.results(function, of);
            let body = decision(&name(&parameter), &results);
            let called = at(&self.functions[&(function, of)]);
            items.push(Item::Definition(Definition { name: called, parameters: vec![at(&parameter)], body }));
        }
        items
    }

    /// Per member what a function gives.
    fn results(&self, function: Function, of: usize) -> Vec<(Expression, Expression)> {
        let constant = |sort: SortId, value: u32| {
            self.constant(sort, value).expect("functions are over sorts whose values have names")
        };
        let base = match function {
            Function::Class => self.net.partition_sorts[of].0,
            _ => SortId(of),
        };
        let size = self.net.size(base).expect("the sort was counted when it was read");
        let result = |at: u32| match function {
            Function::Next => constant(base, if at + 1 == size { 0 } else { at + 1 }),
            Function::Previous => constant(base, if at == 0 { size - 1 } else { at - 1 }),
            Function::Rank => number(i64::from(at)),
            Function::Class => constant(self.net.partition_sorts[of].1, self.net.partitions[of][at as usize]),
        };
        (0..size).map(|at| (constant(base, at), result(at))).collect()
    }
}

/// What a function gives for each value, by halves, so that it does not nest as deep as there are values.
fn decision(of: &Expression, results: &[(Expression, Expression)]) -> Expression {
    match results {
        [] => number(0),
        [(_, only)] => only.clone(),
        more => {
            let (first, second) = more.split_at(more.len() / 2);
            let condition = match first {
                [(value, _)] => equal(of.clone(), value.clone()),
                values => {
                    let values = values.iter().map(|(value, _)| value.clone()).collect();
                    binary(BinaryOperator::In, of.clone(), set(values))
                }
            };
            choice(condition, decision(of, first), decision(of, second))
        }
    }
}
