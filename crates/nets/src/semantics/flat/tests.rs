//! Random expressions are the same as lists of nodes and as trees: in value, in trouble and in work.

use motet_model::Options;
use motet_source::fuzz::{Random, each_seed, rounds};
use motet_source::{FileId, Span};

use super::*;
use crate::program::DefinitionId;
use crate::semantics::create;
use crate::semantics::scope::{Bound, Budget, Environment, Instance, Scope};
use crate::value::Bag;

const TEXT: &str = "
    agent net K(k: int) { place t, u : int = { k, k, 5 }; cell d : int = k; }
    agent net L() { place u : int = { 7 }; }
    system net S() {
      place p, q : int = { 1, 1, 2 };
      place h : (x: int, n: agent) = { (1, new K(1)), (1, new K(1)), (2, new K(2)), (3, new L()) };
      cell c : int = 2;
      cell s : set of int = {1, 3};
    }
    def all = p union q;";

/// Numbers of places, as they are declared.
const P: u32 = 0;
const H: u32 = 2;
const C: u32 = 3;
const S: u32 = 4;

/// How many variables there are: a number, a token with an agent, and those of quantifiers.
const VARIABLES: usize = 8;

fn program() -> Program {
    let (text, mut problems) = crate::parse::parse(FileId(0), TEXT);
    let place = Span::new(FileId(0), 0, 0);
    let resolved = crate::resolve::resolve(&text, &Options::default(), place, &mut problems);
    assert!(!problems.has_errors(), "{problems:?}");
    resolved.expect("a text without errors").program
}

/// Makes expressions of one sort or another; variables of quantifiers have the numbers from 2.
struct Writer<'r> {
    random: &'r mut Random,
    /// Variables that hold numbers, and those that hold tokens with agents.
    numbers: Vec<u32>,
    bearers: Vec<u32>,
    within: [Arc<Vec<Option<PlaceId>>>; 2],
    next: u32,
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Writer<'_> {
    fn number(&mut self, depth: usize) -> Expr {
        let constant = Expr::Constant(Value::Int(self.random.pick(&[-1, 0, 1, 2, 3, i64::MAX])));
        match self.random.below(if depth == 0 { 4 } else { 11 }) {
            0 => constant,
            1 => Expr::Variable(VariableId(self.random.pick(&self.numbers))),
            2 => Expr::Cell(PlaceId(C)),
            3 => Expr::Field(boxed(Expr::Variable(VariableId(self.random.pick(&self.bearers)))), 0),
            4 | 5 => {
                use Operator::{Add, Divide, Modulo, Multiply, Subtract};
                let operator = self.random.pick(&[Add, Subtract, Multiply, Divide, Modulo]);
                Expr::Binary(operator, boxed(self.number(depth - 1)), boxed(self.number(depth - 1)))
            }
            6 => Expr::Negative(boxed(self.number(depth - 1))),
            7 => {
                let (then, otherwise) = (self.number(depth - 1), self.number(depth - 1));
                Expr::If(boxed(self.truth(depth - 1)), boxed(then), boxed(otherwise))
            }
            8 => Expr::Size(boxed(self.tokens(depth - 1))),
            9 => {
                let pattern = Pattern::Equal(self.number(depth - 1));
                Expr::Count(boxed(self.tokens(depth - 1)), Box::new(pattern))
            }
            _ => Expr::Ranged(boxed(self.number(depth - 1)), 0, 2, "x".into()),
        }
    }

    fn truth(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return Expr::Constant(Value::Bool(self.random.chance(50)));
        }
        match self.random.below(10) {
            0..=2 => {
                use Operator::{Equal, Less, LessEqual, NotEqual};
                let operator = self.random.pick(&[Equal, NotEqual, Less, LessEqual]);
                Expr::Binary(operator, boxed(self.number(depth - 1)), boxed(self.number(depth - 1)))
            }
            3 | 4 => {
                let operator = self.random.pick(&[Operator::And, Operator::Or, Operator::Implies]);
                Expr::Binary(operator, boxed(self.truth(depth - 1)), boxed(self.truth(depth - 1)))
            }
            5 => Expr::Not(boxed(self.truth(depth - 1))),
            6 => Expr::Binary(Operator::In, boxed(self.number(depth - 1)), boxed(self.tokens(depth - 1))),
            7 => {
                let one = VariableId(self.random.pick(&self.bearers));
                Expr::SameToken(one, VariableId(self.random.pick(&self.bearers)))
            }
            8 => {
                let (left, right) = (self.record(depth - 1), self.record(depth - 1));
                Expr::Binary(Operator::Equal, boxed(left), boxed(right))
            }
            _ => self.quantified(depth),
        }
    }

    fn quantified(&mut self, depth: usize) -> Expr {
        let quantifier = self.random.pick(&[Quantifier::All, Quantifier::Some]);
        if self.next as usize >= VARIABLES {
            return Expr::Constant(Value::Bool(true));
        }
        let over_agents = self.random.chance(50);
        let domain = if over_agents { Expr::Place(PlaceId(H)) } else { self.tokens(depth - 1) };
        let variable = self.next;
        self.next += 1;
        let holders = if over_agents { &mut self.bearers } else { &mut self.numbers };
        holders.push(variable);
        let body = self.truth(depth - 1);
        let holders = if over_agents { &mut self.bearers } else { &mut self.numbers };
        holders.pop();
        self.next -= 1;
        Expr::Quantified(quantifier, VariableId(variable), boxed(domain), boxed(body))
    }

    fn record(&mut self, depth: usize) -> Expr {
        let record = Expr::Record(vec![self.number(depth), self.number(depth)]);
        if self.random.chance(50) {
            return record;
        }
        Expr::With(boxed(record), vec![(self.random.below(2), self.number(depth))])
    }

    /// Tokens or sets of numbers.
    fn tokens(&mut self, depth: usize) -> Expr {
        match self.random.below(if depth == 0 { 5 } else { 8 }) {
            0 => Expr::Place(PlaceId(P)),
            1 => Expr::Cell(PlaceId(S)),
            2 => Expr::Call(DefinitionId(0), Vec::new()),
            3 => {
                let bearer = Expr::Variable(VariableId(self.random.pick(&self.bearers)));
                let places = Arc::clone(&self.within[self.random.below(2)]);
                Expr::Within(boxed(Expr::Field(boxed(bearer), 1)), places)
            }
            4 => Expr::Set(vec![Expr::Constant(Value::Int(2)), Expr::Constant(Value::Int(1))]),
            5 | 6 => {
                let (left, right) = (self.tokens(depth - 1), self.tokens(depth - 1));
                let operator = self.random.pick(&[Operator::Union, Operator::Union, Operator::Minus]);
                Expr::Binary(operator, boxed(left), boxed(right))
            }
            _ => Expr::Range(boxed(Expr::Constant(Value::Int(0))), boxed(Expr::Variable(VariableId(0)))),
        }
    }
}

/// A number and a token with an agent.
fn bound(random: &mut Random, marking: &[Bag]) -> Environment {
    let mut env = Environment::room(VARIABLES);
    env.bind(VariableId(0), Bound::from(Value::Int(random.pick(&[0, 1, 2]))));
    let position = random.below(marking[H as usize].tokens().len());
    let occurrence = Some([H, u32::try_from(position).expect("few tokens"), 0].into());
    let (value, _) = marking[H as usize].tokens()[position].clone();
    env.bind(VariableId(1), Bound { value, occurrence });
    env
}

#[test]
fn random_expressions_have_the_same_value_trouble_and_work_as_nodes_and_as_trees() {
    let program = program();
    let marking = create::marking(&program, program.system, &[], &Budget::new(), 0).expect("a marking");
    let place = |name: &str| {
        let of = |net: &crate::program::Net| {
            let at = net.places.iter().position(|place| place.name == name)?;
            Some(PlaceId(u32::try_from(at).expect("few places")))
        };
        Arc::new(program.nets.iter().map(of).collect::<Vec<_>>())
    };
    let within = [place("t"), place("u")];
    let instance = Instance { net: program.system, arguments: &[], places: &marking };
    let found = std::sync::Mutex::new([0_usize; 3]);
    each_seed(4000, |_, random| {
        let (env, after) = (bound(random, &marking), bound(random, &marking));
        let mut writer =
            Writer { random, numbers: vec![0], bearers: vec![1], within: within.clone(), next: 2 };
        let expr = match writer.random.below(3) {
            0 => writer.number(3),
            1 => writer.truth(4),
            _ => writer.record(2),
        };
        let code = Code::of(&program, &expr, Memory::Kept);
        let computed = |as_tree: bool, moves: bool| {
            let budget = Budget::new();
            let scope = Scope { program: &program, instance, budget: &budget, depth: 0, enabled: None };
            let mut env = env.clone();
            let value = match (as_tree, moves) {
                (true, false) => scope.value(&expr, &mut env),
                (false, false) => scope.worth(&code, &mut env),
                (true, true) => scope.moving(&expr, &mut env, &after),
                (false, true) => scope.moving_at(&code, code.root(), &mut env, &after),
            };
            (value, budget.left())
        };
        for moves in [false, true] {
            assert_eq!(computed(true, moves), computed(false, moves), "{expr:?}\n{code:?}");
        }
        let mut found = found.lock().expect("no round failed");
        found[0] += usize::from(computed(false, false).0.is_ok());
        found[1] += usize::from(!matches!(code.nodes[..], [Node::Tree(_)]));
        found[2] += usize::from(matches!(code.nodes[..], [Node::Constant(_)]));
    });
    let [valued, flat, folded] = found.into_inner().expect("no round failed");
    let all = usize::try_from(rounds(4000)).expect("as many rounds as there is time for");
    assert!(valued * 4 > all && flat * 2 > all && folded * 80 > all, "{valued} {flat} {folded} of {all}");
}

#[test]
fn constants_are_folded_and_what_has_no_value_is_left_to_fault() {
    let program = program();
    let number = |number| boxed(Expr::Constant(Value::Int(number)));
    let sum = Expr::Binary(Operator::Add, number(1), number(2));
    let code = Code::of(&program, &sum, Memory::Kept);
    assert!(matches!(code.nodes[..], [Node::Constant(Value::Int(3))]));
    let quotient = Expr::Binary(Operator::Divide, number(1), number(0));
    let code = Code::of(&program, &quotient, Memory::Kept);
    assert!(matches!(code.nodes[..], [.., Node::Arithmetic(Operator::Divide, ..)]));
    let code = Code::of(&program, &sum, Memory::None);
    assert!(matches!(code.nodes[..], [Node::Tree(_)]), "the twin computes trees");
}
