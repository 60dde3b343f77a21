//! Nets of black tokens as models.

mod plain_lab;

use motet_model::{AtomId, AtomText, Checked, Expr, Model, Operator, Steps, SubjectId};
use motet_nets::plain::{Family, PlainNet, Semantics};
use motet_source::fuzz::each_seed;
use motet_source::{FileId, Problems, Span, Spanned};
use plain_lab::{fired, net, random, reachable};

fn model(net: &PlainNet, atoms: &[Expr]) -> Checked<Semantics> {
    let mut problems = Problems::new();
    let atoms: Vec<Spanned<AtomText>> = atoms
        .iter()
        .map(|atom| Spanned::new(AtomText::Fact(atom.clone()), Span::new(FileId(0), 0, 0)))
        .collect();
    let semantics = Semantics::with_atoms(net.clone(), &atoms, &mut problems);
    Checked::new(semantics.unwrap_or_else(|| panic!("{:?}", problems.iter().collect::<Vec<_>>())))
}

fn name(name: &str) -> Expr {
    Expr::Call(name.to_owned(), Vec::new())
}

fn tokens(place: &str) -> Expr {
    Expr::Size(Box::new(name(place)))
}

fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
    Expr::Binary(operator, Box::new(left), Box::new(right))
}

#[test]
fn steps_are_the_firings_of_the_definition() {
    each_seed(300, |_, seed| {
        let (places, transitions) = (1 + seed.below(5), 1 + seed.below(6));
        let net = random(seed, places, transitions);
        let model = model(&net, &[]);
        for marking in reachable(&net, 200).0 {
            let mut steps = Steps::new(net.places.len());
            model.steps(&marking, &mut steps).unwrap();
            let found: Vec<(usize, Vec<u32>)> = steps
                .iter()
                .map(|step| (step.action.index(), step.branches().next().unwrap().target.to_vec()))
                .collect();
            let wanted: Vec<(usize, Vec<u32>)> = (0..net.transitions.len())
                .filter_map(|transition| Some((transition, fired(&net, transition, &marking)?)))
                .collect();
            assert_eq!(found, wanted, "{net:?} {marking:?}");
        }
    });
}

#[test]
fn too_many_tokens_are_a_fault_with_the_name_of_the_place() {
    let mut net = net(&[("full", u32::MAX)], &[("more", "", "full")]);
    let fault = model(&net, &[]).steps(&[u32::MAX], &mut Steps::new(1)).unwrap_err();
    assert!(fault.message.starts_with("bound exceeded: full"), "{fault}");
    net.places[0].capacity = Some(u32::MAX);
    let mut steps = Steps::new(1);
    model(&net, &[]).steps(&[u32::MAX], &mut steps).unwrap();
    assert!(steps.is_empty(), "a capacity stops the transition before");
}

#[test]
fn claims_compare_sums_of_tokens() {
    let mut net = net(&[("a", 2), ("b", 3)], &[("move", "a", "b")]);
    net.place_families.push(Family { name: "both".to_owned(), members: vec![0, 1], word: None });
    let twice = binary(Operator::Mul, Expr::Int(2), tokens("a"));
    let atoms = [
        binary(Operator::Eq, tokens("both"), Expr::Int(5)),
        binary(Operator::Gt, twice, tokens("b")),
        binary(Operator::Le, binary(Operator::Sub, tokens("a"), tokens("b")), Expr::Int(-1)),
        name("a"),
        Expr::Not(Box::new(binary(Operator::Or, name("a"), name("b")))),
        binary(Operator::Ne, Expr::Size(Box::new(Expr::Text("a".to_owned()))), Expr::Int(0)),
    ];
    let model = model(&net, &atoms);
    let holds =
        |marking: &[u32]| -> Vec<bool> { (0..6).map(|atom| model.holds(AtomId(atom), marking)).collect() };
    assert_eq!(holds(&[2, 3]), [true, true, true, true, false, true]);
    assert_eq!(holds(&[0, 5]), [true, false, true, false, false, false]);
    assert_eq!(holds(&[0, 0]), [false, false, false, false, true, false]);
}

#[test]
fn a_transition_is_enabled_where_it_may_fire_and_fires_where_it_was_the_last() {
    let mut net = net(&[("a", 1)], &[("there", "a", "b"), ("back", "b", "a")]);
    net.transition_families.push(Family { name: "any".to_owned(), members: vec![0, 1], word: None });
    let call = |function: &str, transition: &str| Expr::Call(function.to_owned(), vec![name(transition)]);
    let model = model(
        &net,
        &[call("enabled", "there"), call("enabled", "any"), call("fires", "back"), call("fires", "any")],
    );
    assert_eq!(model.signature().slots, ["a", "b", "last"]);
    let mut initial = Vec::new();
    model.initial(&mut initial);
    let holds =
        |state: &[u32]| -> Vec<bool> { (0..4).map(|atom| model.holds(AtomId(atom), state)).collect() };
    assert_eq!(holds(&initial[0]), [true, true, false, false]);
    let mut steps = Steps::new(3);
    model.steps(&initial[0], &mut steps).unwrap();
    let step = steps.get(0).unwrap();
    let there = step.branches().next().unwrap().target.to_vec();
    assert_eq!(holds(&there), [false, true, false, true]);
    assert_eq!(model.facets().subject(step.process, step.action), SubjectId(0));
    let mut steps = Steps::new(3);
    model.steps(&there, &mut steps).unwrap();
    let back = steps.get(0).unwrap().branches().next().unwrap().target.to_vec();
    assert_eq!(holds(&back), [true, true, true, true]);
}

#[test]
fn names_that_the_net_lacks_are_told_with_the_nearest() {
    let net = net(&[("idle", 1)], &[("take", "idle", "")]);
    for (atom, code, help) in [
        (binary(Operator::Ge, tokens("idel"), Expr::Int(1)), "M1096", "did you mean `idle`"),
        (binary(Operator::Ge, tokens("take"), Expr::Int(1)), "M1097", "name a place"),
        (tokens("idle"), "M1097", "compare it: `#idle >= 1`"),
        (name("take"), "M1097", "ask whether it may fire: `enabled(take)`"),
        (Expr::Call("enabled".to_owned(), vec![name("idle")]), "M1097", "name a transition of the net"),
        (
            binary(Operator::Gt, binary(Operator::Mul, tokens("idle"), tokens("idle")), Expr::Int(0)),
            "M1097",
            "multiply with numbers only: `2 * #Place`",
        ),
    ] {
        let mut problems = Problems::new();
        let span = Span::new(FileId(0), 0, 0);
        let atoms = [Spanned::new(AtomText::Fact(atom), span)];
        assert!(Semantics::with_atoms(net.clone(), &atoms, &mut problems).is_none());
        let problem = problems.iter().next().unwrap();
        assert_eq!((problem.code, problem.help.as_str()), (code, help));
    }
}

#[test]
fn the_most_tokens_are_those_of_the_markings_that_were_looked_at() {
    let net = net(&[("a", 2)], &[("split", "a", "b b")]);
    let mut problems = Problems::new();
    let mut semantics = Semantics::with_atoms(net, &[], &mut problems).unwrap();
    semantics.watch_sum(&[1]);
    for marking in [[2, 0], [1, 2], [0, 4]] {
        semantics.steps(&marking, &mut Steps::new(2)).unwrap();
    }
    assert_eq!((semantics.most_in_place(), semantics.most_in_all()), (4, 4));
    assert_eq!(semantics.most_in_sums(), [4]);
}
