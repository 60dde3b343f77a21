//! What there is for nets alone: the text after construction, tables of who says what to whom, coordinators.

use motet_nets::construct::{construct, mediate, skeleton};
use motet_nets::parse::parse;
use motet_nets::print::format;
use motet_nets::syntax::{Item, Text};
use motet_nets::tables::{self, Direction, Side};
use motet_render::{Table, Tables};
use motet_source::{Problem, Problems, Sources, Span};

/// The nets of these texts, before anything is made of aspects, roles and operations. `None` when the problems say why.
fn written(sources: &Sources, problems: &mut Problems) -> Option<Vec<Text>> {
    let is_net =
        |path: &str| path.rsplit_once('.').is_some_and(|(_, ending)| ["npn", "prt"].contains(&ending));
    let mut texts = Vec::new();
    for (file, source) in sources.iter().filter(|(_, source)| is_net(&source.path)) {
        let (text, found) = parse(file, &source.text);
        problems.extend(found);
        texts.push(text);
    }
    if texts.is_empty() {
        let (file, _) = sources.iter().next()?;
        let help = "give a folder with a file NAME.npn";
        problems.push(Problem::error("M1046", Span::new(file, 0, 0), "there are no nets here", help));
    }
    (!problems.has_errors()).then_some(texts)
}

fn constructed(sources: &Sources, problems: &mut Problems) -> Option<Text> {
    let text = construct(written(sources, problems)?, problems);
    (!problems.has_errors()).then_some(text)
}

/// The text with aspects woven in, roles and operations written out. It loads again.
pub fn constructed_nets(sources: &Sources, problems: &mut Problems) -> Option<String> {
    constructed(sources, problems).map(|text| format(&text))
}

/// Who says what to whom: the interaction table, the coordination table, and commands that nobody answers.
pub fn net_tables(sources: &Sources, problems: &mut Problems) -> Option<Tables> {
    let text = constructed(sources, problems)?;
    let way = |direction: Direction| match direction {
        Direction::In => "in".to_owned(),
        Direction::Out => "out".to_owned(),
    };
    let interactions = tables::interactions(&text)
        .into_iter()
        .map(|row| vec![row.net, row.transition, way(row.direction), row.information, row.command, row.port]);
    let coordination = tables::coordination(&text).into_iter().map(|row| {
        let list = |names: Vec<String>| names.join(", ");
        vec![
            format!("{}.{}", row.net, row.transition),
            row.command,
            row.coordinator,
            row.answer,
            list(row.data),
            list(row.agents),
            list(row.preset),
            list(row.postset),
        ]
    });
    let unanswered = tables::unanswered(&text).into_iter().map(|row| {
        let side = match row.side {
            Side::Agent => "no transition of the system net",
            Side::Coordinator => "no agent",
        };
        vec![format!("{}.{}", row.net, row.transition), row.port, way(row.direction), side.to_owned()]
    });
    let table = |title: &str, head: &[&str], rows: Vec<Vec<String>>| Table {
        title: title.to_owned(),
        head: head.iter().map(|&word| word.to_owned()).collect(),
        rows,
    };
    Some(Tables(vec![
        table(
            "Interactions",
            &["net", "transition", "direction", "information", "command", "port"],
            interactions.collect(),
        ),
        table(
            "Coordination",
            &["agent", "command", "coordinator", "answers", "data", "agents", "preset", "postset"],
            coordination.collect(),
        ),
        table("Unanswered", &["transition", "port", "direction", "answered by"], unanswered.collect()),
    ]))
}

/// The system nets that the mediators of the text describe, each as a text to be refined.
pub fn mediated_nets(sources: &Sources, problems: &mut Problems) -> Option<String> {
    let text = constructed(sources, problems)?;
    let mut found = String::new();
    for item in &text.items {
        if let Item::Mediator(mediator) = item {
            let mediated = mediate(&text, mediator, problems);
            found.push_str(&skeleton(&mediated));
        }
    }
    if found.is_empty() && !problems.has_errors() {
        let (file, _) = sources.iter().next()?;
        let help =
            "describe one: `mediator Station from Truck, Bank { Truck.Park : Park arrived -> parked; }`";
        let message = "there is no mediator here to make a net of";
        problems.push(Problem::error("M1075", Span::new(file, 0, 0), message, help));
    }
    (!problems.has_errors()).then_some(found)
}
