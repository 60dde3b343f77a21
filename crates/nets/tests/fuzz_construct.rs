//! Whatever is constructed: what is wrong is told, what is made can be read again, and the tables have no surprises.

use motet_nets::construct::{construct, mediate, skeleton};
use motet_nets::parse::parse;
use motet_nets::print::format;
use motet_nets::syntax::{Item, Member};
use motet_nets::tables::{coordination, interactions, unanswered};
use motet_source::fuzz::{Corpus, check_linear, check_problems, each_seed};
use motet_source::{FileId, Problems, Sources};

const SMALL: &str = "enum W = {read_, quit, none, red}; type Op = (who: W, action: W, content: W); type Same = Op;
port request(op: Op); port reply(op: Op); port beep(); port two(x: int, y: W);
role R(me: W) permits read_, red starts (me, read_, none);
agent net A(a: int) { place p, q : Same; cell c : int = 0;
  transition t { in p(x); sync up ! two(c, x.who); out q(x); }
  transition u { in q(x); sync up ? beep(); c' = c + 1; } }
agent net B() { place p : token; transition t { in p; sync up ! two(1, red); } }
aspect Log { advice { pointcut place here : Op; pointcut cell n : int; pointcut transition go { when n < 3; out log(x); }
    place log : Op; transition clear { in log(y), here(z); n' = size(log) + n; out here(z); } }
  weave A { here -> p, n -> c, go -> t } weave A as two_ { here -> q, n -> c, go -> u } }
aspect More { advice { pointcut place all : Op; transition drop { in all(x); when exists log in all: log != x; } }
  weave A { all -> log } }
system net S() { place ready, busy : (who: W, net: agent); place asked, done : Op;
  operation look on read_ agents ready using busy, asked -> done { r'.content = none; }
  operation I, W_, O on red agents ready using busy, asked -> done { alt { out done(r); } } }
mediator M from A, B { A.t : T before -> after msg m also x, m; }
";

const CORPUS: Corpus<'_> = Corpus {
    texts: &[SMALL, SMALL, include_str!("texts/station_aspect.npn"), include_str!("texts/bcin_roles.npn")],
    pieces: &[
        "pointcut ",
        "place ",
        "cell ",
        "transition t { }",
        "weave A { }",
        "weave A as x_ { }",
        "p",
        "q",
        "c",
        "t",
        "u",
        "log",
        "here",
        "n",
        "go",
        "Op",
        "int",
        "token",
        "agent",
        "set of ",
        "here -> p",
        ", ",
        "A",
        "B",
        "S",
        "R",
        "red",
        "read_",
        "m",
        "limit 3 ",
        "capacity 2 ",
        "= { }",
        "in p(x);",
        "out p(x);",
        "let p = 1;",
        "type Op = Same;",
        "aspect A { }",
        "mediator N from A { }",
    ],
};

fn made(text: &str) {
    let mut sources = Sources::new();
    let file = sources.add("m.npn", text);
    let (tree, mut problems) = parse(file, text);
    let read = problems.is_empty();
    let made = construct(vec![tree], &mut problems);
    check_problems(&problems, &sources);
    for item in &made.items {
        match item {
            Item::Aspect(_) | Item::Role(_) => panic!("it is left: {item:?}"),
            Item::Net(net) => {
                assert!(!net.members.iter().any(|member| matches!(member, Member::Operation(_))));
            }
            Item::Mediator(mediator) => {
                let net = mediate(&made, mediator, &mut Problems::new());
                let (_, problems) = parse(FileId(0), &skeleton(&net));
                assert!(problems.is_empty() || !read, "{problems:?}\n{}", skeleton(&net));
            }
            _ => {}
        }
    }
    let printed = format(&made);
    let (again, problems) = parse(FileId(0), &printed);
    assert!(problems.is_empty() || !read, "{problems:?}\n{printed}");
    if read {
        assert_eq!(format(&again), printed);
    }
    let said = interactions(&made);
    for row in coordination(&made) {
        let known = said.iter().any(|one| (&one.net, &one.transition) == (&row.net, &row.transition));
        assert!(known, "nobody says it: {row:?}");
    }
    let _ = unanswered(&made);
}

#[test]
fn the_corpus_is_constructed_without_problems() {
    for text in CORPUS.texts {
        let (tree, mut problems) = parse(FileId(0), text);
        let _ = construct(vec![tree], &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
    }
}

#[test]
fn mutated_constructions_are_made_or_refused() {
    each_seed(1500, |_, random| made(&CORPUS.mutant(random)));
}

#[test]
fn large_constructions_take_a_few_steps_for_each_byte() {
    let many = |count: usize, part: fn(usize) -> String| (0..count).map(part).collect::<String>();
    let texts = [
        // Sorts that are defined by each other, and sorts that double at each step.
        "type A = B; type B = A; agent net N() { place p : A; }
         aspect X { advice { pointcut place h : B; } weave N { h -> p } }"
            .to_owned(),
        many(60, |n| format!("type A{} = (x: A{n}, y: A{n}); type B{} = (x: B{n}, y: B{n});", n + 1, n + 1))
            + "type A0 = int; type B0 = int; agent net N() { place p : A60; }
               aspect X { advice { pointcut place h : B60; } weave N { h -> p } }",
        many(2000, |n| format!("aspect A{n} {{ advice {{ place p{n} : int; }} weave N {{ }} }}"))
            + "agent net N() { }",
        "port go(); agent net N() {".to_owned()
            + &many(2000, |n| format!("transition t{n} {{ sync up ! go(); }}"))
            + "} mediator M from N { }",
    ];
    check_linear(&texts, 100, made);
}
