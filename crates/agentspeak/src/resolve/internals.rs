//! The internal actions that are built in: names, arities and what each argument is.

use crate::program::{Force, Internal};
use crate::syntax::{ArithmeticOperator, RelationOperator};

/// What an argument of an internal action is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Read: it must have a value.
    In,
    /// Written, or compared with the result.
    Out,
    /// Taken as it is, with or without values.
    Any,
    /// A pattern of goals or beliefs; may bind.
    Pattern,
    /// A condition whose solutions are collected; binds nothing outside.
    Query,
}

/// Where an internal action may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// In conditions and bodies, in both modes.
    Test,
    /// In bodies only, in both modes.
    Body,
    /// In conditions and bodies of Jason programs.
    JasonTest,
    /// In bodies of Jason programs.
    JasonBody,
}

/// One built-in.
pub(crate) struct Builtin {
    /// With its dot.
    pub(crate) name: &'static str,
    /// What it is.
    pub(crate) internal: Internal,
    /// Its arguments.
    pub(crate) roles: &'static [Role],
    /// Whether the last but one role may repeat.
    pub(crate) variadic: bool,
    /// Where it may stand.
    pub(crate) place: Use,
}

const fn builtin(name: &'static str, internal: Internal, roles: &'static [Role], place: Use) -> Builtin {
    Builtin { name, internal, roles, variadic: false, place }
}

use Role::{Any, In, Out, Pattern, Query};
use Use::{Body, JasonBody, JasonTest, Test};

/// All built-ins but `.send` and `.broadcast`, which are formulas of their own.
pub(crate) const BUILTINS: &[Builtin] = &[
    Builtin { name: ".print", internal: Internal::Print, roles: &[Any, Any], variadic: true, place: Test },
    Builtin { name: ".println", internal: Internal::Print, roles: &[Any, Any], variadic: true, place: Test },
    builtin(".gt", Internal::Compare(RelationOperator::Greater), &[In, In], Test),
    builtin(".gte", Internal::Compare(RelationOperator::GreaterEqual), &[In, In], Test),
    builtin(".lt", Internal::Compare(RelationOperator::Less), &[In, In], Test),
    builtin(".lte", Internal::Compare(RelationOperator::LessEqual), &[In, In], Test),
    builtin(".eq", Internal::Compare(RelationOperator::Equal), &[In, In], Test),
    builtin(".neq", Internal::Compare(RelationOperator::Different), &[In, In], Test),
    builtin(".plus", Internal::Compute(ArithmeticOperator::Add), &[In, In, Out], Test),
    builtin(".minus", Internal::Compute(ArithmeticOperator::Subtract), &[In, In, Out], Test),
    builtin(".times", Internal::Compute(ArithmeticOperator::Multiply), &[In, In, Out], Test),
    builtin(".div", Internal::Compute(ArithmeticOperator::IntegerDivide), &[In, In, Out], Test),
    builtin(".mod", Internal::Compute(ArithmeticOperator::Modulo), &[In, In, Out], Test),
    builtin(".my_name", Internal::MyName, &[Out], Test),
    builtin(".findall", Internal::FindAll, &[Any, Query, Out], Test),
    builtin(".setof", Internal::SetOf, &[Any, Query, Out], Test),
    builtin(".count", Internal::Count, &[Query, Out], Test),
    builtin(".length", Internal::Length, &[In, Out], Test),
    builtin(".member", Internal::Member, &[Out, In], Test),
    Builtin {
        name: ".concat",
        internal: Internal::Concat,
        roles: &[In, In, Out],
        variadic: true,
        place: Test,
    },
    builtin(".nth", Internal::Nth, &[In, In, Out], Test),
    builtin(".max", Internal::Max, &[In, Out], Test),
    builtin(".min", Internal::Min, &[In, Out], Test),
    builtin(".sort", Internal::Sort, &[In, Out], Test),
    builtin(".reverse", Internal::Reverse, &[In, Out], Test),
    builtin(".delete", Internal::Remove, &[In, In, Out], Test),
    builtin(".union", Internal::Union, &[In, In, Out], Test),
    builtin(".intersection", Internal::Intersection, &[In, In, Out], Test),
    builtin(".difference", Internal::Difference, &[In, In, Out], Test),
    builtin(".empty", Internal::Empty, &[In], Test),
    builtin(".ground", Internal::Ground, &[Any], Test),
    builtin(".number", Internal::IsNumber, &[Any], Test),
    builtin(".atom", Internal::IsAtom, &[Any], Test),
    builtin(".list", Internal::IsList, &[Any], Test),
    builtin(".string", Internal::IsText, &[Any], Test),
    builtin(".structure", Internal::IsStructure, &[Any], Test),
    builtin(".desire", Internal::Desire, &[Pattern], JasonTest),
    builtin(".intend", Internal::Intend, &[Pattern], JasonTest),
    builtin(".drop_desire", Internal::DropDesire, &[Pattern], JasonBody),
    builtin(".drop_intention", Internal::DropIntention, &[Pattern], JasonBody),
    builtin(".drop_all_desires", Internal::DropAllDesires, &[], JasonBody),
    builtin(".drop_all_intentions", Internal::DropAllIntentions, &[], JasonBody),
    builtin(".drop_event", Internal::DropEvent, &[Pattern], JasonBody),
    builtin(".succeed_goal", Internal::SucceedGoal, &[Pattern], JasonBody),
    builtin(".fail_goal", Internal::FailGoal, &[Pattern], JasonBody),
    builtin(".abolish", Internal::Abolish, &[Pattern], Body),
    builtin(".fail", Internal::Fail, &[], JasonTest),
    builtin(".wait", Internal::Wait, &[In], JasonBody),
];

/// Looks up a built-in by its name with the dot.
pub(crate) fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

/// All names, for did-you-mean.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    BUILTINS.iter().map(|builtin| builtin.name).chain([".send", ".broadcast"])
}

impl Builtin {
    /// The role of argument `i` of `n`, if that many are possible.
    pub(crate) fn role(&self, i: usize, n: usize) -> Role {
        if !self.variadic {
            return self.roles[i];
        }
        if i + 1 == n { self.roles[self.roles.len() - 1] } else { self.roles[0] }
    }

    /// Whether it takes `n` arguments.
    pub(crate) fn accepts(&self, n: usize) -> bool {
        match self.internal {
            Internal::Print => true,
            _ if self.variadic => n >= self.roles.len(),
            _ => n == self.roles.len(),
        }
    }

    /// How many arguments it takes, in words.
    pub(crate) fn arity(&self) -> String {
        let n = self.roles.len();
        let more = if self.variadic { " or more" } else { "" };
        format!("{n}{more} {}", if n == 1 && !self.variadic { "argument" } else { "arguments" })
    }
}

/// The performatives.
pub(crate) const FORCES: [(&str, Force); 4] = [
    ("tell", Force::Tell),
    ("untell", Force::Untell),
    ("achieve", Force::Achieve),
    ("unachieve", Force::Unachieve),
];
