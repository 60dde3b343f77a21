//! What readers see: a folder of texts becomes a program, or problems that say why not.

use motet_agentspeak::program::{Domain, Instruction, Mode, Operation, Program, Value};
use motet_agentspeak::project::read;
use motet_model::Options;
use motet_source::work::steps;
use motet_source::{Problems, Severity, Sources};

fn sources(files: &[(&str, &str)]) -> Sources {
    let mut sources = Sources::new();
    for (path, text) in files {
        sources.add(*path, *text);
    }
    sources
}

fn auction() -> Sources {
    sources(&[
        ("auction/ag1.asl", include_str!("../../../examples/auction/ag1.asl")),
        ("auction/ag2.asl", include_str!("../../../examples/auction/ag2.asl")),
        ("auction/ag3.asl", include_str!("../../../examples/auction/ag3.asl")),
        ("auction/auction.team", include_str!("../../../examples/auction/auction.team")),
    ])
}

fn program(sources: &Sources, options: &Options) -> Program {
    let mut problems = Problems::new();
    let program = read(sources, options, &mut problems);
    assert_eq!(problems.lines(sources), "", "the text is in order");
    program.expect("no problems, so there is a program")
}

#[test]
fn the_auction_reads_without_a_problem() {
    let program = program(&auction(), &Options::default());
    assert_eq!(program.mode, Mode::Strict);
    let plans: Vec<usize> = program.agents.iter().map(|agent| agent.plans.len()).collect();
    assert_eq!(plans, [1, 3, 6], "counted in the text of the paper's section 5");
    let heads: Vec<&str> = program.agents[2].plans.iter().map(|plan| plan.head_text.as_str()).collect();
    assert_eq!(
        heads,
        [
            "+auction(N) : threshold(T) & .gte(T,N)",
            "+auction(N) : myself(Me) & winner(Me) & ally(Friend) & not(alliance(Me,Friend))",
            "+auction(N) : myself(Me) & not(winner(Me)) & ally(Friend) & not(alliance(Me,Friend))",
            "+auction(N) : alliance(Me,Friend)",
            "+!bid_normally(N)",
            "+!alliance(Me,Friend) : not(alliance(Me,Friend))",
        ]
    );
    let texts: Vec<&str> =
        program.agents[1].plans[2].body.iter().map(|instruction| instruction.text.as_str()).collect();
    assert_eq!(
        texts,
        ["?bid(Me,Amount)", ".send(Friend,tell,bid(Me,Amount))", ".send(Friend,tell,alliance(Friend,Me))"]
    );
    assert_eq!(program.environment.initial.len(), 5, "n, a bid for each of three agents, w");
    assert!(matches!(program.agents[0].plans[0].body[0].operation, Operation::Act(_)));
}

#[test]
fn a_parameter_replaces_a_constant_and_with_it_every_range() {
    let options = Options { parameters: [("LAST".to_owned(), "3".to_owned())].into(), ..Options::default() };
    let program = program(&auction(), &options);
    assert_eq!(program.environment.constants, [("LAST".to_owned(), Value::Int(3))]);
    assert_eq!(program.environment.variables[0].domain, Domain::Range(1, 3));
}

/// The code of the one plan of a Jason agent, an instruction per line.
fn code(body: &str) -> String {
    let text = format!("p(1). q(1). !go.\n+!go <- {body}.");
    let sources = sources(&[("bob.asl", &text)]);
    let mut problems = Problems::new();
    let options = Options { mode: Some("jason".to_owned()), ..Options::default() };
    let program = read(&sources, &options, &mut problems).expect("the body is in order");
    let plan = &program.agents[0].plans[0];
    let line = |(at, instruction): (usize, &Instruction)| {
        let what = match &instruction.operation {
            Operation::Jump(target) => format!("goto {target}"),
            Operation::Branch(_, target) => format!("{} else {target}", instruction.text),
            Operation::Each { bound, end, .. } => {
                format!("{} of {} end {end}", instruction.text, bound.len())
            }
            Operation::Forget(variables) => {
                let names: Vec<&str> = variables
                    .iter()
                    .map(|variable| plan.variables[usize::from(variable.0)].as_str())
                    .collect();
                format!("forget {}", names.join(" "))
            }
            _ => instruction.text.clone(),
        };
        format!("{at}: {what}\n")
    };
    plan.body.iter().enumerate().map(line).collect()
}

#[test]
fn branches_become_jumps() {
    assert_eq!(
        code("if (p(X)) { a(X) } elif (q(X) & X > 1) { b } else { c; d }; e"),
        "0: if (p(X)) else 3\n1: a(X)\n2: goto 8\n3: if (q(X) & X > 1) else 6\n4: b\n5: goto 8\n6: c\n7: d\n8: e\n"
    );
    assert_eq!(code("if (p(X)) { a(X) } e"), "0: if (p(X)) else 2\n1: a(X)\n2: e\n");
}

#[test]
fn every_round_of_a_loop_starts_with_the_same_bindings() {
    assert_eq!(
        code("?q(Y); while (p(X) & X < Y) { -+p(X + 1); ?q(Z) }; e"),
        "0: ?q(Y)\n1: while (p(X) & X < Y) else 6\n2: -+p(X + 1)\n3: ?q(Z)\n4: forget X Z\n5: goto 1\n6: e\n"
    );
    assert_eq!(
        code("for (p(X)) { ?q(Z); a(Z, X) }; e"),
        "0: for (p(X)) of 1 end 5\n1: ?q(Z)\n2: a(Z,X)\n3: forget Z\n4: goto 0\n5: e\n"
    );
}

#[test]
fn the_grammar_reads_what_it_prints() {
    for text in [
        "X = (1 + 2) * 3 - (-Y) ** 2",
        "?(p(X) & (q(X) | not(p(1))) & X \\== 2)",
        ".findall(f(X,Y),p(X) & q(Y),L)",
        "+~b([1,2|T],\"a\\\"b\")[source(self)]",
        "X = 1 - (2 - 3)",
        "X = (2 ** 3) ** 2",
        "!!g(_,a)",
    ] {
        let body = format!("T = [3]; Y = 1; L = []; {text}");
        let shown = code(&body);
        let last = shown.lines().last().unwrap().split_once(": ").unwrap().1.to_owned();
        assert_eq!(last, text);
    }
}

#[test]
fn a_project_and_a_team_file_together_make_one_team() {
    let sources = sources(&[
        ("house/porter.asl", include_str!("corpus/porter.asl")),
        ("house/guard.asl", include_str!("corpus/guard.asl")),
        ("house/house.mas2j", include_str!("corpus/house.mas2j")),
        (
            "house/house.team",
            "mode strict\nbound events = 9\nstub jia.near(+X)\nstub jia.dist(+X, +Y, -D) in 1..2\n",
        ),
    ]);
    let mut problems = Problems::new();
    // The mode of the team file wins over the habit of projects, so Jason's features are refused.
    assert!(read(&sources, &Options::default(), &mut problems).is_none());
    assert!(problems.iter().any(|problem| problem.code == "M0418"));
    let options = Options { mode: Some("jason".to_owned()), ..Options::default() };
    let program = read(&sources, &options, &mut Problems::new()).expect("the command line wins");
    let names: Vec<String> =
        program.agents.iter().map(|agent| program.terms.name(agent.name).to_string()).collect();
    assert_eq!(names, ["porter", "guard", "helper1", "helper2"]);
    assert_eq!(program.bounds.events, 9);
    assert_eq!(program.agents[0].goals.len(), 3, "two of the program, one of the project");
}

#[test]
fn the_whole_environment_language_resolves() {
    let sources = sources(&[
        ("porter.asl", include_str!("corpus/porter.asl")),
        ("guard.asl", include_str!("corpus/guard.asl")),
        ("house.team", include_str!("corpus/house.team")),
    ]);
    let mut problems = Problems::new();
    let program = read(&sources, &Options::default(), &mut problems);
    let errors: Vec<_> = problems.iter().filter(|problem| problem.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{}", problems.lines(&sources));
    let program = program.expect("no errors");
    assert_eq!(program.mode, Mode::Jason);
    assert_eq!(program.agents.len(), 4, "porter, guard, helper1, helper2");
    let world = &program.environment;
    assert_eq!(world.initial.len(), 4 + 4 + 3 + 3, "at, taken, weight and three plain variables");
    assert_eq!(world.actions.len(), 4);
    assert_eq!((world.steps.len(), world.reactions.len(), world.percepts.len()), (1, 1, 5));
}

#[test]
fn a_megabyte_is_read_in_a_few_looks_at_each_token() {
    let mut text = String::new();
    for i in 0.. {
        text += &format!(
            "fact({i}, [a, b{i}, \"c\"]).\n+event{i}(X) : fact(X, L) & X > {i} & not done(X) <- !g(X); +done(X).\n"
        );
        if text.len() > 1_000_000 {
            break;
        }
    }
    let (looks, (tree, problems)) =
        steps(|| motet_agentspeak::parse::parse_agent(motet_source::FileId(0), &text));
    assert!(problems.is_empty());
    assert!(tree.plans.len() > 8_000);
    assert!(looks < 10 * text.len() as u64, "{looks} looks");
}
