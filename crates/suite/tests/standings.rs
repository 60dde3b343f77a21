//! The standings in `spec/claims/standing.md` are those of the engine.

use motet_engine::{Standing, Watch};
use motet_suite::folder;
use motet_workbench::{Project, Sources, load};

const MODEL: &str = "dtmc\nmodule m\n  a : bool init false;\n  b : bool init false;\n  [] true -> (a'=!a) & (b'=!b);\nendmodule\n";

/// The lines of all blocks of standings, with their numbers.
fn lines(page: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut inside = false;
    for (number, line) in page.lines().enumerate() {
        match line.trim() {
            "```text standings" => inside = true,
            "```" => inside = false,
            _ if inside => found.push((number + 1, line)),
            _ => {}
        }
    }
    found
}

fn standing(claim: &str, states: &str) -> Result<Standing, String> {
    let mut sources = Sources::default();
    sources.add("m.prism".to_owned(), MODEL.to_owned());
    sources.add("m.props".to_owned(), format!("property C: {claim}\n"));
    let loaded = load(Project { path: "m".to_owned(), sources, ..Project::default() });
    let ready = loaded.ready.ok_or_else(|| format!("{:?}", loaded.problems))?;
    let unit = ready.system.model.signature().unit;
    let mut watch = Watch::new(&ready.claims[0], unit, &[0]).map_err(|refusal| refusal.reason)?;
    for letter in states.split_whitespace() {
        let text = |at: usize| ready.system.model.signature().atoms[at].clone();
        watch.step(&mut |atom| letter.contains(&text(atom.index())), 0);
    }
    Ok(watch.standing())
}

#[test]
#[expect(clippy::disallowed_methods, reason = "tests read the specification")]
fn the_standings_of_the_specification_are_the_engines() {
    let path = folder::root().join("spec/claims/standing.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let lines = lines(&page);
    assert!(lines.len() > 25, "{}", lines.len());
    let mut wrong = Vec::new();
    for (number, line) in lines {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [claim, states, expected] = parts[..] else { panic!("line {number}: {line}") };
        let found = standing(claim, states).map(|standing| format!("{standing:?}").to_lowercase());
        if found.as_deref() != Ok(expected) {
            wrong.push(format!("line {number}: {line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
