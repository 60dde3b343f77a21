use super::*;
use crate::expr::Binary;

fn x() -> Expr {
    Expr::variable("x")
}

#[test]
fn brackets_stand_where_they_are_needed() {
    let sum = x().plus(1);
    assert_eq!(show(&sum.times(2)), "(x + 1) * 2");
    assert_eq!(show(&x().minus(sum.clone())), "x - (x + 1)");
    assert_eq!(show(&sum.minus(x())), "x + 1 - x");
    assert_eq!(show(&x().equals(-1)), "x == (-1)");
    assert_eq!(show(&x().bit_and(1).equals(0)), "(x & 1) == 0");
    assert_eq!(
        show(&Expr::all([x().less(1).or(&x().greater(2)), x().differs(0)])),
        "(x < 1 || x > 2) && x != 0"
    );
    assert_eq!(show(&x().less(1).not()), "!(x < 1)");
    assert_eq!(show(&Expr::choose(&x(), &sum, &Expr::from(-2))), "(x -> x + 1 : (-2))");
}

#[test]
fn messages_are_asked_for_by_their_fields() {
    let queue = Place::named("e").at(1);
    let asked =
        Expr::some_message(queue.clone(), vec![Some(Expr::named("GOAL", 3)), None, Some(Expr::from(-2))]);
    assert_eq!(show(&asked.not()), "!e[1]??[GOAL,_,-2]");
    assert_eq!(show(&Expr::first_message(queue, vec![None]).and(&x())), "e[1]?[_] && x");
}

#[test]
fn a_definition_stays_together_wherever_it_is_put() {
    let mut program = Program::new();
    program.push(Item::define("now_p", x().or(&x().less(2))));
    program.push(Item::check());
    let twice = Meaning::Expr(Expr::parameter("a").with(Binary::Multiply, &Expr::from(2)));
    program.push(Item::Define(Define { name: "TWICE".into(), parameters: vec!["a".into()], body: twice }));
    let lines = [
        "#define now_p (x || x < 2)",
        "#define CHECK(flag, condition) flag = ((condition) -> 1 : 0); assert(flag)",
        "#define TWICE(a) ((a) * 2)",
    ];
    assert_eq!(program.print().lines().collect::<Vec<_>>(), lines);
}

#[test]
fn blocks_stand_on_one_line_if_they_fit() {
    let mut program = Program::new();
    let short = Statement::when(x().greater(1), vec![assign("x", 0)]);
    let long =
        Statement::repeat(x().less(9), vec![Statement::Remark("on".into()), Statement::increment("x")]);
    let body = vec![Statement::Label("end".into()), short, long];
    program.push(Item::Process { name: "p".into(), active: true, body });
    let text = "active proctype p() {\n\
                end:\n  if :: x > 1 -> x = 0 :: else fi;\n  do\n  :: x < 9 ->\n    /* on */\n    x = x + 1\n  \
                :: else -> break\n  od\n}\n";
    assert_eq!(program.print(), text);
}

#[test]
fn statements_know_what_they_read_and_write() {
    let entry = Place::named("row").at(Expr::variable("i"));
    let inner = assign(&entry, x().plus(1));
    let statement =
        Statement::Step(vec![Statement::Wait(Expr::variable("p")), Statement::when(x(), vec![inner])]);
    let named = |names: &[&str]| names.iter().map(|&name| Place::named(name)).collect::<BTreeSet<_>>();
    assert_eq!(statement.reads(), named(&["i", "p", "x"]));
    assert_eq!(statement.writes(), BTreeSet::from([entry]));
}

#[test]
fn a_remark_cannot_end_itself() {
    let mut program = Program::new();
    program.remark("a */ b\n/* c \\");
    assert_eq!(program.print(), "/* a * / b / * c   */\n");
}
