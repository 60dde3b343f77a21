//! What claims may say about a marking.

mod resolving;

use motet_nets::parse::parse_expression;
use motet_nets::program::{Body, Expr, Operator};
use motet_nets::resolve::{Resolved, claim};
use motet_nets::syntax::Quantifier;
use motet_source::{FileId, Problems, Sources};
use resolving::resolved;

const BCIN: &str = include_str!("texts/bcin.npn");

fn read(model: &Resolved, text: &str) -> (Option<Body>, String) {
    let mut sources = Sources::new();
    sources.add("-e", text);
    let expression = parse_expression(FileId(0), 0, text).expect("an expression");
    let mut problems = Problems::new();
    let body = claim(model, &expression, &mut problems);
    (body, problems.lines(&sources))
}

fn expr(text: &str) -> Expr {
    let (body, problems) = read(&resolved(BCIN), text);
    body.unwrap_or_else(|| panic!("{text}: {problems}")).expr
}

fn refused(text: &str) -> String {
    let (body, problems) = read(&resolved(BCIN), text);
    assert!(body.is_none(), "{text} is accepted");
    problems
}

#[test]
fn tokens_are_counted() {
    assert!(
        matches!(expr("size(Users) = 3"), Expr::Binary(Operator::Equal, size, _) if matches!(*size, Expr::Size(_)))
    );
    let counted = expr("count(Actor, (emily, _)) = 0");
    assert!(matches!(counted, Expr::Binary(_, count, _) if matches!(*count, Expr::Count(..))));
}

#[test]
fn a_token_with_parts_that_do_not_matter_is_looked_for() {
    assert!(matches!(expr("(emily, _) in Actor"), Expr::Quantified(Quantifier::Some, ..)));
    assert!(matches!(expr("(emily, _) in RAs"), Expr::Quantified(Quantifier::Some, ..)));
    assert!(matches!(expr("(emily, contact) in RAs"), Expr::Binary(Operator::In, ..)));
}

#[test]
fn tokens_with_agents_are_compared_as_occurrences() {
    let text = "forall m in Activated, n in p1: m != n => m.user != n.user";
    let Expr::Quantified(_, _, _, inner) = expr(text) else { panic!("a quantifier") };
    let Expr::Quantified(_, _, _, inner) = *inner else { panic!("a quantifier") };
    let Expr::Binary(Operator::Implies, left, right) = *inner else { panic!("an implication") };
    assert!(matches!(*left, Expr::Not(same) if matches!(*same, Expr::SameToken(..))));
    assert!(matches!(*right, Expr::Not(equal) if matches!(*equal, Expr::Binary(Operator::Equal, ..))));
}

#[test]
fn places_of_agents_are_found_in_every_template() {
    let Expr::Quantified(_, _, _, body) = expr("exists m in Activated: size(m.net.start) = 1") else {
        panic!("a quantifier")
    };
    let Expr::Binary(_, size, _) = *body else { panic!("a comparison") };
    let Expr::Size(within) = *size else { panic!("a size") };
    let Expr::Within(_, table) = *within else { panic!("a place within") };
    // Four templates have the place, the system net has not.
    assert_eq!(table.iter().filter(|place| place.is_some()).count(), 4);
    assert!(table[resolved(BCIN).program.system.0 as usize].is_none());
}

#[test]
fn definitions_take_arguments_of_any_sort() {
    let text = format!(
        "{BCIN}\ndef pending(n) = exists m in p1 union p3: m.user = n; def same(x, y) = x = y;
         def twice = forall m in p1, n in p1: same(m, n);"
    );
    let model = resolved(&text);
    assert!(read(&model, "pending(emily)").0.is_some());
    assert!(read(&model, "same(1, 2) or same(emily, mary)").0.is_some());
    let wrong = read(&model, "pending(3)").1;
    assert!(wrong.contains("error[M1023]: ATOM and int are never equal"), "{wrong}");
    let wrong = read(&model, "pending(emily, 3)").1;
    assert!(wrong.contains("error[M1042]: `pending` takes 1 arguments, and here are 2"), "{wrong}");
    // Arguments stay what they are: tokens with agents are compared as occurrences.
    let Expr::Quantified(_, _, _, inner) = read(&model, "twice").0.unwrap().expr else {
        panic!("a quantifier")
    };
    assert!(matches!(*inner, Expr::Quantified(_, _, _, same) if matches!(*same, Expr::SameToken(..))));
}

#[test]
fn transitions_of_the_system_net_may_be_enabled() {
    assert!(matches!(expr("enabled(AssignRole)"), Expr::Enabled(_)));
    assert!(refused("enabled(AssignRolle)").contains("did you mean `AssignRole`"));
}

#[test]
fn what_a_claim_cannot_say_is_refused_with_a_way_out() {
    let all = [
        ("size(Usrs) = 1", "error[M1021]: there is no `Usrs` (help: did you mean `Users`?)"),
        ("size(Users)", "error[M1023]: a claim is true or false, and this is int"),
        ("Users = 3", "error[M1023]: places are not compared as wholes"),
        ("emmily in Sessions", "error[M1021]: there is no `emmily` (help: did you mean `emily`?)"),
        ("RAs' = RAs", "error[M1027]: `RAs'` has a meaning in transitions only"),
        ("exists m in Activated: m.net.strt = 1", "did you mean `start`?"),
        ("exists m in Activated: m.users = emily", "did you mean `user`?"),
        ("size(_) = 1", "error[M1047]: `_` is no value"),
        ("new O_NET(emily) = new O_NET(emily)", "error[M1030]: no agent can be created here"),
        ("(emily, _, _) in Actor", "error[M1043]: the tokens have 2 fields, and here are 3"),
        ("pendng(emily)", "error[M1021]: there is no definition `pendng`"),
    ];
    for (text, expected) in all {
        let found = refused(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn a_sort_stands_for_the_set_of_its_values() {
    assert!(matches!(expr("exists u in ATOM: u in Sessions"), Expr::Quantified(..)));
}
