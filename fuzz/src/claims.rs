//! Claims in each dialect, on models that have the words that claims may use.

use motet_workbench::{Project, Sources, format_claims, format_formulas, load};

use crate::projects::examine;

/// A model of chance, with labels, rewards and modules that see different things.
const PRISM: &str = "mdp
const double p = 0.5;
module one x : [0..3] init 0; b : bool init false;
  [] x<3 -> p : (x'=x+1) + 1-p : (b'=!b);
  [go] x=3 -> (x'=0);
endmodule
module two y : [0..1] init 0; [go] true -> (y'=1-y); [] y=1 -> true; endmodule
label \"end\" = x=3;
rewards \"steps\" true : 1; [go] true : 2; endrewards
";

/// A team with beliefs, goals and messages.
const TEAM: &str = "!start.\nlight(off).\n+!start : light(off) <- -light(off); +light(on); .send(bob, tell, hello); !start.\n\
                    +!start : light(on) <- +done.\n";
const OTHER: &str = "+hello[source(S)] <- +heard(S).\n";

/// Claims in a file with this extension, on both models.
pub(crate) fn claims(extension: &str, data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let name = format!("claims.{extension}");
    stay_canonical(&name, &text);
    let models: [&[(&str, &str)]; 2] =
        [&[("model.prism", PRISM)], &[("alice.asl", TEAM), ("bob.asl", OTHER)]];
    for model in models {
        let mut sources = Sources::new();
        for (path, text) in model {
            sources.add(*path, *text);
        }
        sources.add(name.as_str(), text.as_ref());
        examine(&load(Project { path: model[0].0.to_owned(), sources, ..Project::default() }));
    }
}

/// A file in canonical form is its own canonical form.
fn stay_canonical(name: &str, text: &str) {
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    let Ok((once, _)) = format_claims(id, sources.file(id)) else { return };
    let _ = format_formulas(id, sources.file(id));
    let id = sources.add("again.props", once.as_str());
    match format_claims(id, sources.file(id)) {
        Ok((twice, _)) => assert_eq!(once, twice, "the canonical form of `{text}` changes"),
        Err(problems) => panic!("the canonical form of `{text}` is refused: {}", problems.lines(&sources)),
    }
}
