//! Spin finds the values of printed expressions that the tree has: brackets, signs and precedence are as Promela reads them.
//! Needs `spin` and `gcc`.

use motet_evidence::Verdict;
use motet_external::{Effort, Search, Spin};
use motet_machine::promela::{Item, Program, Statement, Variable, show};
use motet_machine::{Binary, Expr, Place};

/// Expressions in one program.
const EXPRESSIONS: usize = 300;
/// What the variables hold; `row` has one entry for each of them.
const HELD: [(&str, i64); 3] = [("x", 5), ("y", -3), ("z", 1)];
const ROW: [i64; 4] = [2, 7, 0, 1];

const OPERATORS: [Binary; 16] = [
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Remainder,
    Binary::ShiftLeft,
    Binary::ShiftRight,
    Binary::BitAnd,
    Binary::BitXor,
    Binary::BitOr,
    Binary::Less,
    Binary::LessEqual,
    Binary::Greater,
    Binary::GreaterEqual,
    Binary::Equal,
    Binary::NotEqual,
];

/// Numbers that are the same in every run (Knuth's multiplier).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % sides
    }

    fn leaf(&mut self) -> Expr {
        match self.roll(5) {
            0 => Expr::from(i64::try_from(self.roll(9)).expect("small") - 4),
            1 => Expr::Truth(self.roll(2) == 1),
            2 => Place::named("row").at(Expr::variable("z").plus(Expr::count(self.roll(3)))).into(),
            _ => Expr::variable(HELD[self.roll(HELD.len())].0),
        }
    }

    fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let mut inner = || self.expr(depth - 1);
        let parts = [inner(), inner(), inner()];
        match self.roll(9) {
            0 => parts[0].not(),
            1 => parts[0].negative(),
            2 => parts[0].complement(),
            3 => Expr::all(parts),
            4 => Expr::any(parts),
            5 => Expr::choose(&parts[0], &parts[1], &parts[2]),
            _ => parts[0].with(OPERATORS[self.roll(OPERATORS.len())], &parts[1]),
        }
    }
}

fn held(place: &Place) -> Option<i64> {
    let index = place.indices().next();
    match index {
        Some(index) => ROW.get(usize::try_from(index.known()?).ok()?).copied(),
        None => HELD.iter().find(|(name, _)| **name == **place.name()).map(|(_, number)| *number),
    }
}

/// Its value, if everything in it is defined and fits the numbers of Promela.
fn value(expr: &Expr) -> Option<i64> {
    let mut fits = true;
    expr.each(&mut |part| fits &= part.evaluate(&held).is_some_and(|number| number.abs() < 1 << 30));
    if fits { expr.evaluate(&held) } else { None }
}

fn verdict(asserted: impl Iterator<Item = Expr>) -> Verdict {
    let mut program = Program::new();
    for (name, number) in HELD {
        program.push(Variable::new("int", name).starting(number));
    }
    program.push(Variable::new("int", "row").with_room(Expr::count(ROW.len())));
    let fill = ROW
        .iter()
        .enumerate()
        .map(|(at, number)| Statement::Assign(Place::named("row").at(Expr::count(at)), Expr::from(*number)));
    let body = fill.chain(asserted.map(Statement::Assert)).collect();
    program.push(Item::Process { name: "all".to_owned(), active: true, body });
    let spin = Spin::find().expect("these tests need spin and gcc: apt-get install spin gcc");
    let search = Search { effort: Effort::FastCompilation, ..Search::default() };
    let text = program.print();
    let verifier = spin.compile(&text, &search, &std::env::temp_dir());
    verifier.unwrap_or_else(|error| panic!("{error}\n{text}")).explore(&search).expect("Spin answers").verdict
}

#[test]
fn spin_and_the_tree_agree_on_random_expressions() {
    for seed in [1, 2] {
        let mut dice = Dice(seed);
        let mut all: Vec<(Expr, i64)> = Vec::new();
        while all.len() < EXPRESSIONS {
            let depth = 1 + dice.roll(4);
            let expr = dice.expr(depth);
            all.extend(value(&expr).filter(|_| expr.known().is_none()).map(|number| (expr, number)));
        }
        let right = all.iter().map(|(expr, number)| asked(expr, *number));
        assert_eq!(verdict(right), Verdict::Holds, "seed {seed}: {}", list(&all));
        let wrong = all.iter().take(1).map(|(expr, number)| asked(expr, number + 1));
        assert_ne!(verdict(wrong), Verdict::Holds, "seed {seed}");
    }
}

/// That it has this value.
fn asked(expr: &Expr, number: i64) -> Expr {
    expr.equals(number)
}

fn list(all: &[(Expr, i64)]) -> String {
    all.iter().map(|(expr, number)| format!("{} is {number}\n", show(expr))).collect()
}
