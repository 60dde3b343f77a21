//! What there is for nets alone: the text after construction, tables of who says what to whom, coordinators.

use motet_model::Options;
use motet_nets::construct::{construct, construct_agents, mediate, skeleton as skeleton_text};
use motet_nets::parse::parse;
use motet_nets::plain::PlainNet;
use motet_nets::print::format;
use motet_nets::program::Program;
use motet_nets::resolve::resolve;
use motet_nets::skeleton::{plain, skeleton};
use motet_nets::syntax::{Item, Text};
use motet_nets::tables::{self, Direction, Side};
use motet_nets::value::NetId;
use motet_pnml::Imported;
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

/// The text with aspects woven in, roles and operations written out; a net of PNML or TINA in the same language. It loads
/// again.
pub fn constructed_nets(sources: &Sources, problems: &mut Problems) -> Option<String> {
    if let Some(net) = imported(sources, problems) {
        return translated(&net?, problems);
    }
    constructed(sources, problems).map(|text| format(&text))
}

/// A net of PNML or TINA in our own language.
fn translated(net: &Imported, problems: &mut Problems) -> Option<String> {
    let mut refused = |why: String, help: &str| {
        let message = format!("this net cannot be written as nested nets: {why}");
        problems.push(Problem::error("M1099", net.span, message, help));
    };
    let text = match &net.symmetric {
        None => motet_pnml::plain_text(&net.net),
        Some(symmetric) => match motet_pnml::to_text(symmetric) {
            Ok(text) => text,
            Err(untold) => {
                refused(untold.to_string(), "export its unfolding: `--to tina`");
                return None;
            }
        },
    };
    let printed = format(&text);
    // What is written must be a model again. A transition that takes nothing, for one, needs a limit there.
    let mut found = Problems::new();
    let (text, unread) = parse(net.span.file, &printed);
    found.extend(unread);
    let _ = resolve(&text, &Options::default(), net.span, &mut found);
    match found.iter().find(|problem| problem.severity == motet_source::Severity::Error) {
        None => Some(printed),
        Some(problem) => {
            refused(problem.message.clone(), "export it to PNML or TINA, which have no such rule");
            None
        }
    }
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
    let text = construct_agents(written(sources, problems)?, problems);
    if problems.has_errors() {
        return None;
    }
    let mut found = String::new();
    for item in &text.items {
        if let Item::Mediator(mediator) = item {
            let mediated = mediate(&text, mediator, problems);
            found.push_str(&skeleton_text(&mediated));
        }
    }
    if found.is_empty() && !problems.has_errors() {
        let (file, _) = sources.iter().next()?;
        let help =
            "describe one: `mediator Station from Truck, Bank { Truck.Park : Park arrived -> parked; }`";
        let message = "there is no mediator here to make a net of";
        problems.push(Problem::error("M0987", Span::new(file, 0, 0), message, help));
    }
    (!problems.has_errors()).then_some(found)
}

/// The nets of a model without their colours, the system net first; for a net of PNML or TINA the net itself.
pub fn skeletons(sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Vec<PlainNet>> {
    if let Some(net) = imported(sources, problems) {
        return net.map(|net| vec![net.net]);
    }
    let program = resolved(sources, options, problems)?;
    let others = (0..program.nets.len()).map(|net| NetId(net as u32)).filter(|net| *net != program.system);
    Some(std::iter::once(program.system).chain(others).filter_map(|net| skeleton(&program, net)).collect())
}

/// The model as a place/transition net, if it is one.
pub fn plain_net(sources: &Sources, options: &Options, problems: &mut Problems) -> Option<PlainNet> {
    if let Some(net) = imported(sources, problems) {
        return net.map(|net| net.net);
    }
    let program = resolved(sources, options, problems)?;
    let net = plain(&program);
    if net.is_none() {
        let place = program.nets[program.system.0 as usize].span;
        let message = "the net has data, agents, guards or limits, and the format has black tokens only";
        problems.push(Problem::error("M0986", place, message, "export it with --to nets or --to promela"));
    }
    net
}

/// The model in the exchange format: a net of PNML or TINA as it was written, coloured or not; a net of our own language as a
/// place/transition net or a symmetric net, whichever it is.
pub fn pnml_export(sources: &Sources, options: &Options, problems: &mut Problems) -> Option<String> {
    if let Some(net) = imported(sources, problems) {
        return net.map(|net| match &net.symmetric {
            Some(symmetric) => motet_pnml::write_symmetric(symmetric),
            None => motet_pnml::write(&net.net),
        });
    }
    let program = resolved(sources, options, problems)?;
    if let Some(net) = plain(&program) {
        return Some(motet_pnml::write(&net));
    }
    match motet_pnml::symmetric_net(&program) {
        Ok(net) => Some(motet_pnml::write_symmetric(&net)),
        Err(problem) => {
            problems.push(*problem);
            None
        }
    }
}

/// The place/transition net as TINA writes it.
#[must_use]
pub fn tina_text(net: &PlainNet) -> String {
    motet_pnml::tina::write(net)
}

fn resolved(sources: &Sources, options: &Options, problems: &mut Problems) -> Option<Program> {
    let text = constructed(sources, problems)?;
    let (file, _) = sources.iter().next()?;
    resolve(&text, options, Span::new(file, 0, 0), problems).map(|resolved| resolved.program)
}

/// The net of a file of PNML or TINA, if there is one.
fn imported(sources: &Sources, problems: &mut Problems) -> Option<Option<Imported>> {
    let ends = |path: &str, ending: &str| path.to_ascii_lowercase().ends_with(ending);
    let (file, source) =
        sources.iter().find(|(_, source)| ends(&source.path, ".pnml") || ends(&source.path, ".net"))?;
    if ends(&source.path, ".net") {
        return Some(motet_pnml::tina::read(file, &source.text, problems));
    }
    Some(motet_pnml::read(file, &source.text, problems))
}
