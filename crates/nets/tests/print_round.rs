//! What is printed is read back as the same tree.

use motet_nets::parse::{parse, parse_expression};
use motet_nets::print::{format, format_expression, format_source};
use motet_nets::syntax::{BinaryOperator, Expression, ExpressionNode, Name, Quantifier, Text};
use motet_source::fuzz::{Random, each_seed};
use motet_source::{FileId, Span, Spanned};

const TEXTS: &[&str] = &[
    include_str!("texts/station.npn"),
    include_str!("texts/station_aspect.npn"),
    include_str!("texts/bcin.npn"),
    include_str!("texts/bcin_roles.npn"),
    "mediator M from A, B { A.t : T before -> after msg m also x, y; B.u : U before -> after; }",
    "interchangeable enum E = {a}; const N = -3; def d(x) = {x + y | y in 1..N, z in {} where y != x};
     agent net A(a: int 0..N * 2) { goal g : not true; place p : bool capacity N + 1 = {false}; place q : token = 3;
     place none : int = {}; transition t limit N { } operation o on a agents p using p, q -> q { r'.x.y = r.x; } }",
];

fn tree(text: &str) -> Text {
    let (tree, problems) = parse(FileId(0), text);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    tree
}

/// A tree without its places in the text.
fn bare<T: std::fmt::Debug>(tree: &T) -> String {
    let shown = format!("{tree:?}");
    let mut parts = shown.split("Span {");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    out
}

#[test]
fn the_models_are_read_back_as_they_were() {
    for text in TEXTS {
        let first = tree(text);
        let printed = format(&first);
        let second = tree(&printed);
        assert_eq!(bare(&first), bare(&second), "{printed}");
        assert_eq!(format(&second), printed, "printing again changes nothing");
    }
}

#[test]
fn printing_with_comments_loses_none_and_changes_nothing_else() {
    for text in TEXTS {
        let printed = format_source(FileId(0), text).expect("it has no errors");
        assert_eq!(bare(&tree(text)), bare(&tree(&printed)), "{printed}");
        assert_eq!(format_source(FileId(0), &printed).as_ref().ok(), Some(&printed), "it is canonical");
        assert_eq!(printed.matches("//").count(), text.matches("//").count(), "{printed}");
    }
}

#[test]
fn comments_stay_where_they_were_written() {
    let text = "// of the text

enum A = {a};   // of the sort

// of the net
agent net N() { // behind the brace
  place p : A; // of the place
  // of the transition
  transition t { in p(x); /* inside */ out p(x); } // behind it

  transition u {
    // of the statement
    in p(x); // behind the statement
    // at the end
  }
}
// last
";
    let expected = "// of the text

enum A = {a};  // of the sort

// of the net
agent net N() {  // behind the brace
  place p : A;  // of the place
  // of the transition
  transition t {
    in p(x);  /* inside */
    out p(x);
  }  // behind it

  transition u {
    // of the statement
    in p(x);  // behind the statement
    // at the end
  }
}
// last
";
    assert_eq!(format_source(FileId(0), text).expect("no errors"), expected);
    assert!(format_source(FileId(0), "enum A = {").is_err(), "what was not understood would be lost");
}

#[test]
fn wide_lines_are_broken() {
    let text = "system net S() { place p, q : (aaaaaaaaaaaaaa: int 0..1, bbbbbbbbbbbbbbbbb: int 0..1) = \
                { (0, 1), (1, 0) }; transition t { in p(x); when x.aaaaaaaaaaaaaa = 1 and x.bbbbbbbbbbbbbbbbb = 1 \
                or x.aaaaaaaaaaaaaa = 0 and x.bbbbbbbbbbbbbbbbb = 0; out q(x); } }";
    let printed = format(&tree(text));
    assert_eq!(
        printed,
        "system net S() {
  place p, q : (aaaaaaaaaaaaaa: int 0..1, bbbbbbbbbbbbbbbbb: int 0..1) = { (0, 1), (1, 0) };

  transition t {
    in p(x);
    when x.aaaaaaaaaaaaaa = 1 and x.bbbbbbbbbbbbbbbbb = 1 or x.aaaaaaaaaaaaaa = 0
        and x.bbbbbbbbbbbbbbbbb = 0;
    out q(x);
  }
}
"
    );
}

fn name(random: &mut Random) -> Name {
    let text = random.pick(&["a", "x", "net", "chan", "goal", "limit", "capacity", "Diesel", "read_"]);
    Spanned::new(text.to_owned(), Span::new(FileId(0), 0, 0))
}

fn expressions(random: &mut Random, fuel: usize, most: usize) -> Vec<Expression> {
    (0..random.below(most + 1)).map(|_| expression(random, fuel)).collect()
}

fn ranges(random: &mut Random, fuel: usize) -> Vec<(Name, Expression)> {
    (0..=random.below(2)).map(|_| (name(random), expression(random, fuel))).collect()
}

const OPERATORS: &[BinaryOperator] = &[
    BinaryOperator::Implies,
    BinaryOperator::Or,
    BinaryOperator::And,
    BinaryOperator::Equal,
    BinaryOperator::Less,
    BinaryOperator::In,
    BinaryOperator::NotIn,
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::Modulo,
    BinaryOperator::Union,
    BinaryOperator::Minus,
];

/// Any expression that a text can have.
fn expression(random: &mut Random, fuel: usize) -> Expression {
    let choice = if fuel == 0 { random.below(5) } else { random.below(19) };
    let below = fuel.saturating_sub(1);
    let part = |random: &mut Random| Box::new(expression(random, below));
    let node = match choice {
        0 => ExpressionNode::Int(random.pick(&[0, 7, i64::MAX])),
        1 => ExpressionNode::Bool(random.below(2) == 0),
        2 => ExpressionNode::Any,
        3 => ExpressionNode::Primed(name(random).node),
        4 => ExpressionNode::Name(name(random).node),
        5 => ExpressionNode::Call(name(random), expressions(random, below, 2)),
        6 => ExpressionNode::Field(part(random), name(random)),
        7 => ExpressionNode::Tuple(vec![expression(random, below), expression(random, below)]),
        8 => ExpressionNode::Set(expressions(random, below, 3)),
        9 => {
            let condition = (random.below(2) == 0).then(|| part(random));
            ExpressionNode::Comprehension(part(random), ranges(random, below), condition)
        }
        10 => ExpressionNode::Range(part(random), part(random)),
        11 => ExpressionNode::Not(part(random)),
        12 => ExpressionNode::Negative(part(random)),
        13 => {
            let quantifier = random.pick(&[Quantifier::All, Quantifier::Some]);
            ExpressionNode::Quantified(quantifier, ranges(random, below), part(random))
        }
        14 => ExpressionNode::If(part(random), part(random), part(random)),
        15 => ExpressionNode::With(part(random), vec![(name(random), expression(random, below))]),
        16 => ExpressionNode::New(part(random), expressions(random, below, 2)),
        _ => ExpressionNode::Binary(random.pick(OPERATORS), part(random), part(random)),
    };
    Expression { node, span: Span::new(FileId(0), 0, 0) }
}

#[test]
fn any_expression_is_read_back_as_it_was() {
    each_seed(2000, |_, random| {
        let fuel = 1 + random.below(5);
        let made = expression(random, fuel);
        let printed = format_expression(&made);
        let read = parse_expression(FileId(0), 0, &printed)
            .unwrap_or_else(|problems| panic!("{printed}\n{problems:?}"));
        assert_eq!(bare(&made), bare(&read), "{printed}");
    });
}

#[test]
fn any_expression_is_read_back_in_each_of_its_positions() {
    each_seed(300, |_, random| {
        let mut some = || format_expression(&expression(random, 3));
        let (a, b, c, d) = (some(), some(), some(), some());
        // Parentheses put anything into any position; the printer takes away those that are not needed.
        let text = format!(
            "type T = int ({a})..({b}); agent net N() {{ place p : int capacity ({c}) = {d}; transition t limit ({a}) {{ \
             in p(x) * ({b}); pick y in ({c}) where {d}; sync ({a}) ! go({b}, {c}); out p({d}) * ({a}); }} }}"
        );
        let first = tree(&text);
        let printed = format(&first);
        assert_eq!(bare(&first), bare(&tree(&printed)), "{text}\n{printed}");
    });
}
