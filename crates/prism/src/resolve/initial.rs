//! The initial states.

use motet_source::{Problem, Problems, Span};

use super::compile::{Compiler, Renaming};
use crate::expr::Test;
use crate::program::Variable;
use crate::syntax::{Expression, Item, Text};

/// How many initial states a model may have.
const LIMIT_STATES: usize = 1_000_000;
/// How many values may be tried to find them.
const LIMIT_TRIED: u64 = 50_000_000;

/// All initial states, in lexicographic order.
pub(crate) fn initial(compiler: &mut Compiler<'_>, text: &Text) -> Vec<Box<[u32]>> {
    let mut conditions = text.items.iter().filter_map(|item| match item {
        Item::Init(condition) => Some(condition),
        _ => None,
    });
    let Some(condition) = conditions.next() else {
        return vec![compiler.scope.variables.iter().map(|variable| variable.initial).collect()];
    };
    if let Some(second) = conditions.next() {
        let problem = Problem::error(
            "M0812",
            second.span,
            "there are two `init ... endinit`",
            "join their conditions with `&`",
        )
        .also(condition.span, "here first");
        compiler.problems.push(problem);
    }
    declared_twice(text, condition, compiler.problems);
    let Some(test) = compiler.test(condition, &Renaming::new()) else { return Vec::new() };
    let mut search = Search::new(&compiler.scope.variables, test);
    let outcome = search.run();
    match outcome {
        Ok(()) if search.found.is_empty() => {
            let help = "weaken the condition";
            compiler.error("M0828", condition.span, "no state satisfies this condition".to_owned(), help);
        }
        Ok(()) => {}
        Err(message) => {
            compiler.error(
                "M0828",
                condition.span,
                message,
                "give most variables one initial value: `x = 0 & ...`",
            );
        }
    }
    search.found
}

/// Variables with an initial value of their own.
fn declared_twice(text: &Text, condition: &Expression, problems: &mut Problems) {
    let mut report = |span: Span, name: &str| {
        let message = format!("`{name}` has an initial value, and there is an `init ... endinit`");
        let problem = Problem::error("M0828", span, message, "say it in one place only")
            .also(condition.span, "this describes all initial states");
        problems.push(problem);
    };
    for item in &text.items {
        let declarations = match item {
            Item::Global(declaration) => std::slice::from_ref(declaration),
            Item::Module(module) => module.variables.as_slice(),
            _ => continue,
        };
        for declaration in declarations {
            if let Some(initial) = &declaration.initial {
                report(initial.span, &declaration.name.node);
            }
        }
    }
}

/// Variables get values one after the other; a condition is looked at as soon as all it reads is known.
struct Search {
    most: Vec<u32>,
    /// The conditions whose last variable is this one.
    tests: Vec<Vec<Test>>,
    tried: u64,
    found: Vec<Box<[u32]>>,
}

impl Search {
    fn new(variables: &[Variable], test: Test) -> Self {
        let conjuncts = match test {
            Test::And(parts) => parts,
            other => vec![other],
        };
        let mut tests = vec![Vec::new(); variables.len() + 1];
        for test in conjuncts {
            let mut slots = Vec::new();
            test.reads(&mut slots);
            let level = slots.iter().max().map_or(0, |last| *last as usize + 1);
            tests[level].push(test);
        }
        let most = variables.iter().map(|variable| variable.domain.most()).collect();
        Self { most, tests, tried: 0, found: Vec::new() }
    }

    fn holds(&self, level: usize, state: &[u32]) -> Result<bool, String> {
        for test in &self.tests[level] {
            let held = test.holds(state);
            match held {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(trouble) => return Err(format!("this condition meets {}", trouble.words())),
            }
        }
        Ok(true)
    }

    fn run(&mut self) -> Result<(), String> {
        let width = self.most.len();
        let mut state = vec![0_u32; width];
        if !self.holds(0, &state)? {
            return Ok(());
        }
        // `level` variables have a value; the search goes on with the next value of the last one.
        let mut level = 0;
        let mut fresh = true;
        loop {
            if fresh && level == width {
                if self.found.len() >= LIMIT_STATES {
                    return Err(format!("there are more than {LIMIT_STATES} initial states"));
                }
                self.found.push(state.clone().into_boxed_slice());
                fresh = false;
            }
            if fresh {
                state[level] = 0;
                level += 1;
            } else {
                while level > 0 && state[level - 1] == self.most[level - 1] {
                    level -= 1;
                }
                if level == 0 {
                    return Ok(());
                }
                state[level - 1] += 1;
            }
            self.tried += 1;
            if self.tried > LIMIT_TRIED {
                return Err("it takes too long to find the states that satisfy this condition".to_owned());
            }
            fresh = self.holds(level, &state)?;
        }
    }
}
