//! What the parser makes of texts, right and wrong ones.

use motet_nets::parse::{parse, parse_expression};
use motet_nets::print::{format, format_expression};
use motet_nets::syntax::{
    BinaryOperator, ExpressionNode, Initial, Item, Member, Partner, StatementNode, Symmetry, Text,
};
use motet_source::{FileId, Sources};

const STATION: &str = include_str!("texts/station.npn");
const BCIN: &str = include_str!("texts/bcin.npn");

fn tree(text: &str) -> Text {
    let mut sources = Sources::new();
    let file = sources.add("model.npn", text);
    let (tree, problems) = parse(file, text);
    assert!(problems.is_empty(), "{}", problems.lines(&sources));
    tree
}

/// Line, column, code and message of each problem.
fn told(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("m", text);
    let (_, problems) = parse(file, text);
    problems
        .iter()
        .map(|problem| format!("{} {} {}", sources.locate(problem.span), problem.code, problem.message))
        .collect()
}

/// The expression with all parentheses that show how it was read.
fn grouped(text: &str) -> String {
    fn show(node: &ExpressionNode) -> String {
        match node {
            ExpressionNode::Binary(operator, left, right) => {
                format!("({} {operator:?} {})", show(&left.node), show(&right.node))
            }
            ExpressionNode::Not(of) => format!("not({})", show(&of.node)),
            ExpressionNode::Negative(of) => format!("neg({})", show(&of.node)),
            ExpressionNode::Range(low, high) => format!("({}..{})", show(&low.node), show(&high.node)),
            ExpressionNode::Quantified(_, ranges, body) => {
                let ranges: Vec<String> =
                    ranges.iter().map(|(name, set)| format!("{}:{}", name.node, show(&set.node))).collect();
                format!("Q[{}]({})", ranges.join(" "), show(&body.node))
            }
            ExpressionNode::If(condition, yes, no) => {
                format!("if({}, {}, {})", show(&condition.node), show(&yes.node), show(&no.node))
            }
            ExpressionNode::Field(of, field) => format!("{}.{}", show(&of.node), field.node),
            ExpressionNode::With(of, _) => format!("with({})", show(&of.node)),
            ExpressionNode::Name(name) => name.clone(),
            ExpressionNode::Primed(name) => format!("{name}'"),
            ExpressionNode::Int(number) => number.to_string(),
            other => format!("{other:?}"),
        }
    }
    show(&parse_expression(FileId(0), 0, text).expect("it is right").node)
}

#[test]
fn the_worked_models_are_read_without_problems() {
    assert_eq!(tree(STATION).items.len(), 1 + 6 + 9 + 5 + 1);
    let bcin = tree(BCIN);
    let transitions: usize = bcin
        .items
        .iter()
        .filter_map(|item| if let Item::Net(net) = item { Some(net) } else { None })
        .map(|net| net.members.iter().filter(|member| matches!(member, Member::Transition(_))).count())
        .sum();
    // Chang 2011, table 8: 28 transitions; the boundary transitions and the four `Quit` are not counted there.
    assert_eq!(transitions, 28 + 3 + 4);
}

#[test]
fn operators_bind_as_the_grammar_says() {
    let cases = [
        ("a => b => c", "(a Implies (b Implies c))"),
        ("a or b and c", "(a Or (b And c))"),
        ("not a = b and c", "(not((a Equal b)) And c)"),
        ("a and not b or c", "((a And not(b)) Or c)"),
        ("x in 0..n - 1", "(x In (0..(n Subtract 1)))"),
        ("a - b - c * d % e", "((a Subtract b) Subtract ((c Multiply d) Modulo e))"),
        ("-a.b * c", "(neg(a.b) Multiply c)"),
        ("s union t minus u", "((s Union t) Minus u)"),
        ("forall x in s, y in t: a and b => c", "Q[x:s y:t](((a And b) Implies c))"),
        ("a and exists x in s: b or c", "(a And Q[x:s]((b Or c)))"),
        ("if a = b then c + 1 else d or e", "if((a Equal b), (c Add 1), (d Or e))"),
        ("r with {f = a = b}.g", "with(r).g"),
        ("r'.f = r.f + 1", "(r'.f Equal (r.f Add 1))"),
        ("a = not b", "(a Equal not(b))"),
        ("(a < b) = (c < d)", "((a Less b) Equal (c Less d))"),
    ];
    for (text, expected) in cases {
        assert_eq!(grouped(text), expected, "{text}");
    }
}

#[test]
fn everything_of_the_grammar_has_its_place_in_the_tree() {
    let text = tree(
        "interchangeable enum C = {c1, c2}; const N = 2; def both(a, b) = a union b;
         agent net A(me: C) {
           place p : int 0..N - 1 capacity N + 1 = { x * 2 | x in 0..3 where x != 1 };
           place q : token = 3;
           cell s : set of (a: int, b: bool) = { (1, true) };
           goal done : size(p) = 0;
           transition t limit N * 2 {
             in p(x) * 2, q * 3; read p(_); inhib p(-1);
             pick m in s where m.b; let y = x + 1;
             s' = s minus {m}; x'.a.b = 3;
             sync chan(me) ! go(y);
             out p(x'), q * N;
             alt { when true; } alt { }
           }
         }
         system net S() { transition u { in w(a, true); sync a.net ? go((x, _), 3); } }",
    );
    let Item::Enumeration(enumeration) = &text.items[0] else { panic!("an enumeration") };
    assert_eq!(enumeration.symmetry, Symmetry::Interchangeable);
    let Item::Net(net) = &text.items[3] else { panic!("a net") };
    let Member::Place(place) = &net.members[0] else { panic!("a place") };
    assert!(matches!(place.initial, Initial::Tokens(_)) && place.capacity.is_some());
    let Member::Place(place) = &net.members[2] else { panic!("a cell") };
    assert!(matches!(place.initial, Initial::Value(_)), "a cell has one value, even if that is a set");
    let Member::Transition(transition) = &net.members[4] else { panic!("a transition") };
    let StatementNode::Update(name, fields, _) = &transition.body[6].node else { panic!("an update") };
    assert_eq!((name.node.as_str(), fields.len()), ("x", 2));
    let StatementNode::Sync(sync) = &transition.body[7].node else { panic!("a command") };
    assert!(matches!(sync.partner, Partner::Channel(_)));
    assert_eq!(transition.body.len(), 11);
}

#[test]
fn words_of_one_position_are_free_elsewhere() {
    tree(
        "type T = (role: int, net: agent, goal: int, limit: int, msg: int);
         port on(as: int);
         agent net mediator() { place aspect, weave : T; place using : int capacity 2;
           transition operation { in aspect(from); goal' = 1; out weave(from.role); } }",
    );
}

#[test]
fn comments_of_both_kinds_are_skipped() {
    assert_eq!(tree("// one\nenum A = {a /* not b */}; /* over\n lines */ enum B = {b};").items.len(), 2);
}

#[test]
fn a_parsed_expression_knows_its_place_in_the_file() {
    let expression = parse_expression(FileId(3), 100, " a + b").expect("it is right");
    assert_eq!((expression.span.file, expression.span.start, expression.span.end), (FileId(3), 101, 106));
    let problems = parse_expression(FileId(3), 100, "a b").expect_err("two names");
    assert_eq!(problems.iter().next().map(|problem| problem.span.start), Some(102));
    assert!(matches!(
        parse_expression(FileId(0), 0, "fires(S.t)").map(|read| read.node),
        Ok(ExpressionNode::Call(..))
    ));
}

#[test]
fn all_problems_of_a_text_are_told_at_once() {
    let text = "enum A = {a, read};
port go(x int);
agent net N() {
  place p : ;
  place q : token
  transition t { in p(x; out q; when ; }
  transition u { in q; out q }
  transition v { sync up ! ; out p; }
}
property safe: always true;
system net S() { }
";
    assert_eq!(
        told(text),
        [
            "m:1:14 M1005 `read` is a word of the language and cannot be the name of a member",
            "m:2:11 M1001 expected `:` and a sort, found `int`",
            "m:4:13 M1001 expected a sort, found `;`",
            "m:5:18 M1001 expected `;` after the place",
            "m:6:24 M1001 expected `)` after the token, found `;`",
            "m:6:38 M1001 expected an expression, found `;`",
            "m:7:29 M1001 expected `;` after the statement",
            "m:8:28 M1001 expected a port, found `;`",
            "m:10:1 M1008 claims are not part of a net",
        ]
    );
}

#[test]
fn a_block_that_is_not_closed_is_named_and_the_next_one_is_read() {
    let text =
        "agent net N() {\n  transition t { in p;\n  place q : token;\nagent net M() {\n}\nport go();\n";
    assert_eq!(
        told(text),
        ["m:2:16 M1010 this transition is not closed", "m:1:15 M1010 this net is not closed"]
    );
    assert_eq!(parse(FileId(0), text).0.items.len(), 3);
    assert_eq!(told("}\nport go();"), ["m:1:1 M1001 expected a declaration, found `}`"]);
    assert_eq!(told("place p : token;"), ["m:1:1 M1001 a `place` belongs into a net"]);
}

#[test]
fn habits_of_other_languages_are_named() {
    let guard = |text: &str| {
        told(&format!("agent net N() {{ transition t {{ when {text}; }} }}"))
            .iter()
            .map(|line| line.split_once(' ').expect("a place").1.to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        guard("a == b && c || !d"),
        [
            "M1006 `==` is not an operator of nets",
            "M1006 `&&` is not an operator of nets",
            "M1006 `||` is not an operator of nets",
            "M1006 `!` is not an operator of nets",
        ]
    );
    assert_eq!(guard("a < b < c"), ["M1007 comparisons do not chain"]);
    assert_eq!(guard("(a) < (b) < (c)"), ["M1007 comparisons do not chain"]);
    assert_eq!(guard("x[1] = 2"), ["M1006 parts are not addressed with `[`"]);
    assert_eq!(guard("a = read"), ["M1005 `read` is a word of the language and cannot be a value"]);
    assert_eq!(guard("99999999999999999999 = x"), ["M1004 this number is too large"]);
    assert_eq!(guard("2nd = x"), ["M1004 `2nd` is neither a name nor a number"]);
    assert_eq!(told("agent net N() { cell c : int; }"), ["m:1:17 M1009 this cell has no first value"]);
    assert_eq!(told("aspect A { advice { pointcut cell c : int; } }"), Vec::<String>::new());
    assert_eq!(told("/* open"), ["m:1:1 M1002 this comment is not closed"]);
    assert_eq!(
        told("enum A = {a} §"),
        ["m:1:14 M1000 `§` is not part of the language", "m:1:13 M1001 expected `;` after the enumeration"]
    );
}

#[test]
fn nesting_and_chains_are_limited() {
    let deep = |levels: usize| format!("def d = {}1{};", "(".repeat(levels), ")".repeat(levels));
    assert_eq!(told(&deep(140)), Vec::<String>::new());
    assert_eq!(told(&deep(100_000)).len(), 1);
    let chain = |links: usize| format!("def d = {}1;", "1 + ".repeat(links));
    assert_eq!(told(&chain(400)), Vec::<String>::new());
    assert!(told(&chain(401))[0].contains("M1003 this expression is too long"));
    let many: Vec<String> = (0..5000).map(|number| format!("({number}, 1 + {number})")).collect();
    assert_eq!(
        told(&format!("def d = {{{}}};", many.join(", "))),
        Vec::<String>::new(),
        "members stand side by side"
    );
}

#[test]
fn binary_operators_print_as_they_are_read() {
    for operator in
        ["=>", "or", "and", "=", "!=", "<", "<=", ">", ">=", "in", "notin", "+", "-", "*", "/", "%"]
    {
        let text = format!("a {operator} b");
        let read = parse_expression(FileId(0), 0, &text).expect("an operator");
        assert!(matches!(read.node, ExpressionNode::Binary(..)));
        assert_eq!(format_expression(&read), text);
    }
    let read = parse_expression(FileId(0), 0, "a union b").expect("an operator");
    assert!(matches!(read.node, ExpressionNode::Binary(BinaryOperator::Union, ..)));
    assert_eq!(format(&Text::default()), "");
}
