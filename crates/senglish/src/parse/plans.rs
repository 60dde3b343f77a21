//! `REASONING` and `EXECUTABLE PLANS` (Izzo 2016, section 3.4).

use motet_source::{Problem, Problems, Span, Spanned};

use super::formula::Line;
use super::tokens::Token;
use crate::syntax::{
    ActionKind, ActionTree, Condition, PlanTree, Relation, RuleTree, Sign, TriggerKind, TriggerTree,
};

const RULE: &str = "a rule is written: If ^[a] and ~^[b] then ^[c].";
const PLAN: &str =
    "a plan is written: If ^[event] while ^[context] then, its actions, and a dot behind the last one";

/// The rules of a section.
pub(crate) fn rules(tokens: &[(Token, Span)], problems: &mut Problems) -> Vec<RuleTree> {
    let mut line = Line::new(tokens, problems);
    let mut rules = Vec::new();
    while !matches!(line.peek(), Token::End) {
        if !line.is_word("if") {
            line.expected("`If`", RULE);
            line.take();
            line.recover();
            continue;
        }
        match rule(&mut line) {
            Some(rule) => rules.push(rule),
            None => line.recover(),
        }
    }
    rules
}

fn rule(line: &mut Line<'_>) -> Option<RuleTree> {
    let start = line.take().1;
    let condition = line.condition()?;
    if !line.eat_word("then") {
        line.expected("`then`", RULE);
        return None;
    }
    // `~^[b]` is how rules are printed; `-^[b]` and `+^[b]`, as plans write it, mean the same.
    let sign = if line.eat_sign('~') || line.eat_sign('-') {
        Sign::HoldsNot
    } else {
        line.eat_sign('+');
        Sign::Holds
    };
    let Token::Belief(conclusion) = line.peek() else {
        line.expected("a belief", RULE);
        return None;
    };
    let end = line.take().1;
    line.eat_sign('.');
    Some(RuleTree { condition, conclusion: conclusion.clone(), sign, span: start.to(end) })
}

/// The plans of a section.
pub(crate) fn plans(tokens: &[(Token, Span)], problems: &mut Problems) -> Vec<PlanTree> {
    let mut line = Line::new(tokens, problems);
    let mut plans = Vec::new();
    while !matches!(line.peek(), Token::End) {
        let place = line.span();
        let relation = if line.eat_word("or") { Relation::Alternative } else { Relation::Alone };
        if !line.is_word("if") {
            line.expected("`If`", PLAN);
            line.take();
            line.recover();
            continue;
        }
        if relation == Relation::Alternative && plans.is_empty() {
            let help = "write `If`: an alternative stands behind the plan it is an alternative to";
            line.problems.push(Problem::error("M0860", place, "there is no plan before this one", help));
        }
        match plan(&mut line, relation) {
            Some(plan) => plans.push(plan),
            None => line.recover(),
        }
    }
    plans
}

fn plan(line: &mut Line<'_>, relation: Relation) -> Option<PlanTree> {
    let start = line.take().1;
    let trigger = trigger(line)?;
    let context = if line.eat_word("while") { line.condition()? } else { Condition::True };
    if !line.eat_word("then") {
        line.expected("`then`", PLAN);
        return None;
    }
    let head = start.to(line.behind());
    let mut actions: Vec<Spanned<ActionTree>> = Vec::new();
    let mut ended = false;
    loop {
        let place = line.span();
        match line.peek() {
            Token::Action(sentence) => {
                line.take();
                let kind = ActionKind::External(sentence.clone());
                actions.push(Spanned::new(ActionTree { kind, rewards: Vec::new() }, place));
            }
            Token::Sign(sign @ ('+' | '-')) => {
                line.take();
                let Token::Belief(sentence) = line.peek() else {
                    line.expected("a belief", "write +^[note] or -^[note]");
                    return None;
                };
                let end = line.take().1;
                let make = if *sign == '+' { ActionKind::Add } else { ActionKind::Delete };
                let kind = make(sentence.clone());
                actions.push(Spanned::new(ActionTree { kind, rewards: Vec::new() }, place.to(end)));
            }
            Token::Rewards(rewards) if !actions.is_empty() => {
                line.take();
                let last = actions.last_mut().expect("the list is not empty");
                last.node.rewards.extend(rewards.iter().cloned());
            }
            Token::Sign('.') => {
                line.take();
                ended = true;
                // The published listing sets the last action's rewards behind the dot (B.1, line 39).
                if !matches!(line.peek(), Token::Rewards(_)) {
                    break;
                }
            }
            Token::Word(word) if word == "if" || word == "or" => break,
            Token::End => break,
            _ => {
                line.expected("an action", "actions are [sentence], +^[note] and -^[note]");
                return None;
            }
        }
    }
    if actions.is_empty() {
        let help = "write at least one action behind `then`: [sentence], +^[note] or -^[note]";
        line.problems.push(Problem::error("M0866", head, "the plan has no actions", help));
        return None;
    }
    if !ended {
        let end = line.behind();
        let place = Span { start: end.end, ..end };
        let help = "write a dot behind its last action";
        line.problems
            .push(Problem::hint("M0863", end, "the plan does not end with a dot", help).fix(place, "."));
    }
    Some(PlanTree { relation, trigger, context, actions, span: start.to(line.behind()), head })
}

fn trigger(line: &mut Line<'_>) -> Option<TriggerTree> {
    let kind = if line.eat_sign('~') || line.eat_word("not") {
        TriggerKind::HoldsNot
    } else if line.eat_sign('+') {
        TriggerKind::Added
    } else if line.eat_sign('-') {
        TriggerKind::Deleted
    } else {
        TriggerKind::Holds
    };
    let Token::Belief(sentence) = line.peek() else {
        line.expected(
            "one belief",
            "a plan is triggered by ^[b], ~^[b], +^[b] or -^[b]; the rest belongs behind `while`",
        );
        return None;
    };
    line.take();
    if !line.is_word("while") && !line.is_word("then") {
        let help = "a trigger is one belief; further conditions belong behind `while`";
        line.expected("`while`", help);
        return None;
    }
    Some(TriggerTree { sentence: sentence.clone(), kind })
}
