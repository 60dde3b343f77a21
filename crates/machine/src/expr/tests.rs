use super::*;

fn x() -> Expr {
    Expr::variable("x")
}

#[test]
fn what_is_known_is_worked_out() {
    assert_eq!(Expr::all([Expr::Truth(true), x()]), x());
    assert!(Expr::all([x(), Expr::from(2).less(1)]).is(false));
    assert_eq!(x().plus(0), x());
    assert!(x().equals(x()).is(true));
    assert_eq!(Expr::any([x(), x()]), x());
    assert_eq!(Expr::choose(&Expr::from(3), &x(), &Expr::from(1)), x());
    assert_eq!(Expr::named("red", 2).equals(2), Expr::Truth(true));
}

#[test]
fn what_has_no_result_stays() {
    assert_eq!(Expr::from(1).over(0).known(), None);
    assert_eq!(Expr::from(i64::MAX).plus(1).known(), None);
}

#[test]
fn a_number_that_is_turned_twice_is_not_itself() {
    assert_ne!(x().not().not(), x());
    assert_eq!(x().less(2).not().not(), x().less(2));
}

#[test]
fn reads_are_places_and_those_of_their_indices() {
    let entry = Place::named("row").at(x()).field("user");
    let sum = entry.plus(Expr::named("red", 2));
    assert_eq!(sum.reads(), BTreeSet::from([entry, Place::named("x")]));
    let mut names = BTreeSet::new();
    sum.names(&mut names);
    assert_eq!(names.iter().map(|name| &**name).collect::<Vec<_>>(), ["red", "row", "x"]);
}

#[test]
fn what_is_substituted_is_worked_out_anew() {
    let entry = Place::named("row").at(x());
    let sum = entry.plus(1).greater(x());
    let held = |place: &Place| match &**place.name() {
        "x" => Some(4),
        _ if *place == Place::named("row").at(4) => Some(4),
        _ => None,
    };
    assert_eq!(sum.evaluate(&held), Some(1));
    assert_eq!(sum.substitute(&|place| (*place == Place::named("x")).then(|| Expr::from(4))).known(), None);
}

#[test]
fn shared_parts_are_counted_up_to_the_limit() {
    let mut sum = x();
    for _ in 0..200 {
        sum = Expr::Binary(Binary::Add, Arc::new(sum.clone()), Arc::new(sum));
    }
    assert!(sum.size(1_000) > 1_000);
    assert_eq!(x().plus(1).size(1_000), 3);
}

#[test]
fn kinds_follow_from_operators_and_declarations() {
    let declared = |_: &Place| Kind::Truth;
    assert_eq!(x().kind(&declared), Kind::Truth);
    assert_eq!(x().plus(1).kind(&declared), Kind::Number);
    assert_eq!(Expr::choose(&x(), &x().less(1), &Expr::Truth(true)).kind(&declared), Kind::Truth);
}
