//! Expressions as texts in which slots and labels have changed places, and in which order does not count where it makes no
//! difference: equal texts mean the same.

use crate::expr::{Real, Test, Whole};
use crate::program::{Assigned, Command, Earned, LabelId, ModuleId, Pattern, RewardItem};

/// What takes the place of what.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    pub(super) slots: Vec<u32>,
    pub(super) labels: Vec<LabelId>,
    pub(super) modules: (ModuleId, ModuleId),
}

impl Exchange {
    /// Everything stays where it is.
    pub(super) fn nothing(slots: usize, labels: usize) -> Self {
        let slots = (0..).take(slots).collect();
        let nobody = ModuleId(u32::MAX);
        Self { slots, labels: (0..labels).map(LabelId::of).collect(), modules: (nobody, nobody) }
    }

    fn slot(&self, slot: u32) -> u32 {
        self.slots[slot as usize]
    }

    fn module(&self, module: ModuleId) -> ModuleId {
        match module {
            one if one == self.modules.0 => self.modules.1,
            two if two == self.modules.1 => self.modules.0,
            other => other,
        }
    }

    fn label(&self, label: Option<LabelId>) -> String {
        label.map_or_else(String::new, |label| self.labels[label.index()].0.to_string())
    }

    pub(super) fn test(&self, test: &Test) -> String {
        match test {
            Test::Constant(value) => value.to_string(),
            Test::Within { slot, low, width } => format!("{}in{low}+{width}", self.slot(*slot)),
            Test::Outside { slot, low, width } => format!("{}out{low}+{width}", self.slot(*slot)),
            Test::Not(of) => format!("!({})", self.test(of)),
            Test::And(parts) => format!("and{}", sorted(parts.iter().map(|part| self.test(part)))),
            Test::Or(parts) => format!("or{}", sorted(parts.iter().map(|part| self.test(part)))),
            Test::Iff(sides) => format!("iff{}", sorted([self.test(&sides.0), self.test(&sides.1)])),
            Test::Conditional(parts) => {
                format!("if({},{},{})", self.test(&parts.0), self.test(&parts.1), self.test(&parts.2))
            }
            Test::Compare(relation, sides) => {
                format!("{relation:?}({},{})", self.whole(&sides.0), self.whole(&sides.1))
            }
            Test::CompareReal(relation, sides) => {
                format!("{relation:?}({},{})", self.real(&sides.0), self.real(&sides.1))
            }
        }
    }

    fn whole(&self, whole: &Whole) -> String {
        let two = |sides: &(Whole, Whole)| [self.whole(&sides.0), self.whole(&sides.1)];
        match whole {
            Whole::Constant(value) => value.to_string(),
            Whole::Variable { slot, base } => format!("x{}+{base}", self.slot(*slot)),
            Whole::Add(_) => format!("add{}", sorted(self.summands(whole))),
            Whole::Subtract(sides) => format!("sub({})", two(sides).join(",")),
            Whole::Multiply(sides) => format!("mul{}", sorted(two(sides))),
            Whole::Minimum(parts) => format!("min{}", sorted(parts.iter().map(|part| self.whole(part)))),
            Whole::Maximum(parts) => format!("max{}", sorted(parts.iter().map(|part| self.whole(part)))),
            Whole::Modulo(sides) => format!("mod({})", two(sides).join(",")),
            Whole::Power(sides) => format!("pow({})", two(sides).join(",")),
            Whole::Conditional(parts) => {
                format!("if({},{},{})", self.test(&parts.0), self.whole(&parts.1), self.whole(&parts.2))
            }
            Whole::Floor(of) => format!("floor({})", self.real(of)),
            Whole::Ceiling(of) => format!("ceil({})", self.real(of)),
            Whole::Nearest(of) => format!("round({})", self.real(of)),
        }
    }

    /// Sums of whole numbers are the same in any order; only numbers near the largest could overflow in one and not in another.
    fn summands(&self, whole: &Whole) -> Vec<String> {
        match whole {
            Whole::Add(sides) => [self.summands(&sides.0), self.summands(&sides.1)].concat(),
            other => vec![self.whole(other)],
        }
    }

    pub(super) fn real(&self, real: &Real) -> String {
        let two = |sides: &(Real, Real)| [self.real(&sides.0), self.real(&sides.1)];
        match real {
            Real::Constant(value) => format!("{value:?}"),
            Real::Whole(of) => self.whole(of),
            Real::Add(sides) => format!("add{}", sorted(two(sides))),
            Real::Subtract(sides) => format!("sub({})", two(sides).join(",")),
            Real::Multiply(sides) => format!("mul{}", sorted(two(sides))),
            Real::Divide(sides) => format!("div({})", two(sides).join(",")),
            Real::Minimum(parts) => format!("min{}", sorted(parts.iter().map(|part| self.real(part)))),
            Real::Maximum(parts) => format!("max{}", sorted(parts.iter().map(|part| self.real(part)))),
            Real::Power(sides) => format!("pow({})", two(sides).join(",")),
            Real::Logarithm(sides) => format!("log({})", two(sides).join(",")),
            Real::Conditional(parts) => {
                format!("if({},{},{})", self.test(&parts.0), self.real(&parts.1), self.real(&parts.2))
            }
        }
    }

    pub(super) fn command(&self, command: &Command) -> String {
        let updates = command.updates.iter().map(|update| {
            let assignments = update.assignments.iter().map(|assignment| {
                let value = match &assignment.value {
                    Assigned::Test(test) => self.test(test),
                    Assigned::Whole(whole) => self.whole(whole),
                };
                format!("{}:={value}", self.slot(assignment.slot))
            });
            format!("{}:{}", self.real(&update.chance), sorted(assignments))
        });
        let (module, label) = (self.module(command.module), self.label(command.label));
        format!("{} [{label}] {} -> {}", module.0, self.test(&command.guard), sorted(updates))
    }

    pub(super) fn pattern(&self, pattern: &Pattern) -> String {
        let parts = pattern.parts.iter();
        let parts = parts.map(|part| format!("{}.{}", self.module(part.module).0, self.label(part.label)));
        format!("{} {}", self.label(pattern.label), sorted(parts))
    }

    pub(super) fn reward(&self, item: &RewardItem) -> String {
        let earned = match item.earned {
            Earned::State => "state".to_owned(),
            Earned::Step(label) => format!("[{}]", self.label(label)),
        };
        format!("{earned} {} : {}", self.test(&item.guard), self.real(&item.value))
    }
}

/// All of them, in an order that depends on what they are alone.
pub(super) fn sorted(parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().collect();
    parts.sort_unstable();
    format!("({})", parts.join(";"))
}
