//! What a user should know before a team acts.

use motet_source::{Problem, Problems, Span};

use crate::program::{Answer, Program};

/// Says which stubs always give their first answer.
pub(crate) fn warn(program: &Program, problems: &mut Problems) {
    for stub in &program.stubs {
        let (several, first) = match &stub.answer {
            Answer::Either => (true, "success".to_owned()),
            Answer::OneOf(values) => {
                let first = values.first().map(|&value| program.terms.show(value));
                (values.len() > 1, first.unwrap_or_default())
            }
            Answer::Succeeds | Answer::Value(_) => (false, String::new()),
        };
        let Some(span) = used(program, &stub.name).filter(|_| several) else { continue };
        problems.push(Problem::warning(
            "M0650",
            span,
            format!("`{}` is a stub: while the team acts its answer is always {first}", stub.name),
            "make it an action that a skill carries out, or a percept",
        ));
    }
}

/// The first plan or formula whose text names a stub.
fn used(program: &Program, name: &str) -> Option<Span> {
    let plans = program.agents.iter().flat_map(|agent| &agent.plans);
    plans.into_iter().find_map(|plan| {
        let formula = plan.body.iter().find(|formula| formula.text.contains(name));
        let head = plan.head_text.contains(name).then_some(plan.span);
        head.or(formula.map(|formula| formula.span))
    })
}
