//! Texts are read, printed and read again; mutated texts and random tokens never break anything.

use motet_model::{Language as _, Options, Steps};
use motet_prism::parse::parse;
use motet_prism::{Prism, format};
use motet_source::fuzz::{Corpus, check_linear, check_problems, each_seed};
use motet_source::{FileId, Problems, Sources};

const EVERYTHING: &str = include_str!("corpus/everything.prism");
const CORPUS: &[&str] = &[EVERYTHING, include_str!("corpus/walk.pm"), include_str!("corpus/team.nm")];

/// The tree without places.
fn shape(text: &str) -> String {
    let (tree, problems) = parse(FileId(0), text);
    assert!(problems.is_empty(), "{problems:?}\n{text}");
    let shown = format!("{tree:?}");
    let mut parts = shown.split("Span {");
    let mut shape = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shape.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    shape
}

#[test]
fn what_is_printed_is_read_back_as_the_same_tree() {
    for text in CORPUS {
        let (tree, _) = parse(FileId(0), text);
        let printed = format(&tree);
        assert_eq!(shape(text), shape(&printed), "{printed}");
        let (again, _) = parse(FileId(0), &printed);
        assert_eq!(printed, format(&again));
    }
}

#[test]
fn parentheses_are_kept_where_they_matter_and_dropped_where_not() {
    let cases = [
        ("(a & b) | c", "a & b | c"),
        ("a & (b | c)", "a & (b | c)"),
        ("(a + b) * c", "(a + b)*c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a - b) - c", "a - b - c"),
        ("a / (b * c)", "a/(b*c)"),
        ("!(a = b)", "!(a = b)"),
        ("!a = b", "!(a = b)"),
        ("(!a) = b", "(!a) = b"),
        ("a = (!b)", "a = (!b)"),
        ("-(a + b)", "-(a + b)"),
        ("-a + b", "-a + b"),
        ("- -a", "-(-a)"),
        ("(a => b) <=> c", "(a => b) <=> c"),
        ("a => (b => c)", "a => (b => c)"),
        ("(a ? b : c) ? d : e", "(a ? b : c) ? d : e"),
        ("a ? b : (c ? d : e)", "a ? b : c ? d : e"),
        ("(a < b) = (c < d)", "a < b = c < d"),
        ("(a = b) < c", "(a = b) < c"),
        ("(a & b) & c", "(a & b) & c"),
        ("func(min, a, b + 1)", "min(a, b + 1)"),
    ];
    for (text, wanted) in cases {
        let model = format!("mdp\n\nformula f = {text};\n");
        let (tree, problems) = parse(FileId(0), &model);
        assert!(problems.is_empty(), "{text}: {problems:?}");
        assert_eq!(format(&tree), format!("mdp\n\nformula f = {wanted};\n"));
        assert_eq!(shape(&model), shape(&format(&tree)), "{text}");
    }
}

#[test]
fn operators_bind_as_in_the_manual() {
    // Weakest first: ?: => <=> | & ! = < + * -
    let same = [
        (
            "a => b <=> c | d & !e = f < g + h * -i",
            "a => (b <=> (c | (d & (!(e = (f < (g + (h * (-i)))))))))",
        ),
        ("a + b - c * d / e", "(a + b) - ((c * d) / e)"),
        ("a => b ? c : d", "(a => b) ? c : d"),
    ];
    for (bare, full) in same {
        let model = |text: &str| format!("mdp formula f = {text};");
        assert_eq!(shape(&model(bare)), shape(&model(full)), "{bare}");
    }
}

/// Pieces that matter to the grammar.
const PIECES: &str = "dtmc¦mdp¦ctmc¦const int¦const double¦const¦formula¦label¦\"l\"¦\"¦global¦module m¦endmodule¦rewards¦\
    endrewards¦init¦endinit¦system¦endsystem¦[a]¦[]¦[¦]¦->¦(x'=1)¦(x'=x+1)¦(y'=true)¦'¦:¦;¦+¦-¦*¦/¦=¦!=¦<¦<=¦>¦>=¦=>¦<=>¦<-¦!¦\
    &¦|¦||¦|||¦|[¦]|¦{¦}¦(¦)¦,¦..¦?¦x¦y¦z¦N¦p¦f¦true¦false¦bool¦0¦1¦7¦0.5¦1e400¦99999999999999999999¦2nd¦min(¦max(¦floor(¦\
    ceil(¦pow(¦mod(¦log(¦func(min,¦==¦&&¦^¦//¦/*¦*/¦\n¦é¦\u{0}¦= m [x=y]¦clock¦invariant¦observables¦player¦: [0..3] init 0;¦\
    : bool;¦0.5 : true + 0.5 : true;¦1/0¦-1¦|[a]| m¦/ {a}¦{a <- b}";

/// Reads a text; if it is a model, takes a hundred steps.
fn check(text: &str) {
    let mut sources = Sources::new();
    sources.add("model.pm", text);
    let mut options = Options::default();
    options.parameters.insert("N".to_owned(), "2".to_owned());
    let mut problems = Problems::new();
    let draft = Prism.read(&sources, &options, &mut problems);
    check_problems(&problems, &sources);
    let (tree, wrong) = parse(FileId(0), text);
    if wrong.is_empty() {
        assert_eq!(shape(text), shape(&format(&tree)));
    }
    let Some(system) = draft.and_then(|draft| draft.system(&[], &mut problems)) else { return };
    let model = system.model;
    let mut waiting = Vec::new();
    model.initial(&mut waiting);
    waiting.truncate(10);
    let mut steps = Steps::new(model.signature().slots.len());
    for _ in 0..100 {
        let Some(state) = waiting.pop() else { break };
        steps.clear();
        if model.steps(&state, &mut steps).is_err() {
            continue;
        }
        for step in steps.iter().take(10) {
            system.words.action(step.action);
            waiting.extend(step.branches().take(10).map(|branch| branch.target.into()));
        }
    }
}

#[test]
fn mutated_texts_and_random_tokens_never_break_anything() {
    let pieces: Vec<&str> = PIECES.split('¦').collect();
    let corpus = Corpus { texts: CORPUS, pieces: &pieces };
    each_seed(1_500, |seed, random| {
        check(&if seed % 4 == 0 { corpus.soup(random) } else { corpus.mutant(random) });
    });
}

#[test]
fn hostile_shapes_take_a_few_steps_for_each_byte() {
    let formula =
        |text: String| format!("mdp module m x : [0..3]; [] true -> true; endmodule formula f = {text};");
    let shapes = [
        formula(format!("{}1", "(".repeat(50_000))),
        formula(format!("{}1", "- ".repeat(50_000))),
        formula(format!("{}true", "!".repeat(50_000))),
        formula(format!("{}1", "1 + ".repeat(100_000))),
        formula(format!("{}1", "true ? 1 : ".repeat(100_000))),
        formula(format!("{}1", "min(".repeat(50_000))),
        formula(format!("max({}1)", "1, ".repeat(100_000))),
        formula(format!("{}true", "x=1 & ".repeat(50_000))),
        formula(format!("{}true", "(x=1 | x=2) & ".repeat(20_000))),
        format!("mdp {}", "module m\n".repeat(50_000)),
        format!("mdp module m x : [0..1]; {} endmodule", "[] x=0 -> (x'=1);\n".repeat(5_000)),
        format!(
            "mdp module m x : [0..1]; [] x=0 -> {} (x'=1); endmodule",
            "0.0001 : (x'=1) + ".repeat(9_999)
        ),
        format!("mdp system {}", "(".repeat(50_000)),
        format!("mdp module m x : bool; endmodule system {}m endsystem", "m || ".repeat(5_000)),
        "\"\n".repeat(100_000),
        "a".repeat(1_000_000),
        "/*".repeat(100_000),
        "[".repeat(100_000),
        "endmodule ".repeat(100_000),
        "const int a = b; const int b = a;".repeat(2_000),
        // Every definition uses the next one and the first: as many circles as definitions.
        (0..20_000).map(|n| format!("const int c{n} = c{} + c0;\n", (n + 1) % 20_000)).collect(),
        (0..5_000).map(|n| format!("formula name{n} = nome{n} + nime{n};\n")).collect(),
        format!(
            "mdp module m x : [0..1000]; {} endmodule",
            "[] x>=1 -> x/1000 : true + 1-x/1000 : true;".repeat(5_000)
        ),
    ];
    check_linear(&shapes, 50, check);
}
