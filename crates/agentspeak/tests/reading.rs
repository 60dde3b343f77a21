//! What readers see: a folder of texts becomes a program, or problems that say why not.

use motet_agentspeak::program::{Mode, Operation, Program};
use motet_agentspeak::project::read;
use motet_model::Options;
use motet_source::{Problems, Sources};

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
