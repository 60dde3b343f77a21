//! Trust lines and bounds of a team.

use std::collections::BTreeMap;

use motet_model::Options;
use motet_source::{Problem, Problems, Span, Spanned, suggest};

use crate::program::{Bounds, Force, Pattern, Ties, Trust};
use crate::syntax::{Literal, TeamTree, TermKind, TermTree, TrustTree, TrustedTree};
use crate::term::{Term, Terms};

use super::pattern::{functor, real};

/// All trust lines.
pub(crate) fn trust(
    trees: &[TrustTree],
    agents: &[String],
    terms: &Terms,
    problems: &mut Problems,
) -> Vec<Trust> {
    let mut lines = Vec::new();
    let mut places: BTreeMap<(bool, Option<usize>, Option<usize>), Span> = BTreeMap::new();
    for tree in trees {
        let force = match tree.force.node.as_str() {
            "tell" => Force::Tell,
            "achieve" => Force::Achieve,
            other => {
                let help = match other {
                    "untell" => "`trust tell` governs untell too".to_owned(),
                    "unachieve" => "`trust achieve` governs unachieve too".to_owned(),
                    _ => match suggest(other, ["tell", "achieve"]) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "write `trust tell ..` or `trust achieve ..`".to_owned(),
                    },
                };
                problems.push(Problem::error(
                    "M0508",
                    tree.force.span,
                    format!("no trust in `{other}`"),
                    help,
                ));
                continue;
            }
        };
        let (Some(sender), Some(receiver)) =
            (party(tree.sender.as_ref(), agents, problems), party(tree.receiver.as_ref(), agents, problems))
        else {
            continue;
        };
        if let Some(before) = places.insert((force == Force::Tell, sender, receiver), tree.span) {
            let problem = Problem::warning(
                "M0509",
                tree.span,
                "this line replaces an earlier one about the same agents",
                "keep one of them; several patterns go into one line: `only p(_), q(_)`",
            );
            problems.push(problem.also(before, "the earlier one"));
        }
        let only = match &tree.what {
            TrustedTree::All => None,
            TrustedTree::None => Some(Vec::new()),
            TrustedTree::Only(patterns) => {
                Some(patterns.iter().map(|literal| pattern(literal, terms, problems)).collect())
            }
        };
        lines.push(Trust { force, sender, receiver, only });
    }
    lines
}

/// `None` is a problem; `Some(None)` any agent.
fn party(
    name: Option<&Spanned<String>>,
    agents: &[String],
    problems: &mut Problems,
) -> Option<Option<usize>> {
    let Some(name) = name else { return Some(None) };
    if let Some(agent) = agents.iter().position(|agent| *agent == name.node) {
        return Some(Some(agent));
    }
    let help = match suggest(&name.node, agents.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the agents are {}; `*` is any of them", agents.join(", ")),
    };
    problems.push(Problem::error("M0508", name.span, format!("there is no agent `{}`", name.node), help));
    None
}

/// Variables of a trust pattern match anything.
fn pattern(literal: &Literal, terms: &Terms, problems: &mut Problems) -> Pattern {
    let args: Vec<Pattern> = literal.args.iter().map(|arg| argument(arg, terms, problems)).collect();
    structure(terms, &functor(literal), args)
}

fn structure(terms: &Terms, name: &str, args: Vec<Pattern>) -> Pattern {
    let ground: Option<Vec<_>> =
        args.iter().map(|arg| if let Pattern::Ground(id) = arg { Some(*id) } else { None }).collect();
    match ground {
        Some(args) => Pattern::Ground(terms.structure(terms.symbol(name), &args)),
        None => Pattern::Structure(terms.symbol(name), args),
    }
}

fn argument(tree: &TermTree, terms: &Terms, problems: &mut Problems) -> Pattern {
    match &tree.kind {
        TermKind::Variable(_) | TermKind::Anonymous => Pattern::Any,
        TermKind::Int(number) => Pattern::Ground(terms.int(*number)),
        TermKind::Real(text) => Pattern::Ground(real(terms, text.parse().unwrap_or(0.0))),
        TermKind::Text(text) => Pattern::Ground(terms.term(Term::Text(terms.symbol(text)))),
        TermKind::Structure(literal) => pattern(literal, terms, problems),
        TermKind::List(items, tail) => {
            let mut list = match tail {
                None => Pattern::Ground(terms.nil()),
                Some(tail) => argument(tail, terms, problems),
            };
            for item in items.iter().rev() {
                list = structure(terms, ".", vec![argument(item, terms, problems), list]);
            }
            list
        }
        TermKind::Binary(..) | TermKind::Negative(_) => {
            let help = "write the number, or `_` for any";
            problems.push(Problem::error("M0508", tree.span, "a trust pattern cannot compute", help));
            Pattern::Any
        }
    }
}

/// `--ties`: who decides what the language leaves open.
pub(crate) fn ties(options: &Options, place: Span, problems: &mut Problems) -> Ties {
    let mut ties = Ties::default();
    for (name, value) in &options.rules {
        let said = options.place_of("--rule", name, place);
        match (name.as_str(), value.as_str()) {
            ("ties", "choice") => ties = Ties::Choice,
            ("ties", "random") => ties = Ties::Random,
            ("ties", _) => {
                let message = format!("the rule `ties` cannot be `{value}`");
                problems.push(Problem::error("M0515", said.value, message, "write `choice` or `random`"));
            }
            _ => {
                let message = format!("AgentSpeak has no rule `{name}`");
                problems.push(Problem::error("M0515", said.name, message, "the rule is `ties`"));
            }
        }
    }
    ties
}

/// The names of the bounds.
const BOUNDS: [&str; 6] = ["beliefs", "events", "intentions", "actions", "messages", "terms"];

/// Bounds of the team file, then of the command line.
pub(crate) fn bounds(tree: &TeamTree, options: &Options, place: Span, problems: &mut Problems) -> Bounds {
    let mut bounds = Bounds::default();
    for (name, value) in &tree.bounds {
        match u32::try_from(value.node) {
            Ok(number) if number > 0 => set(&mut bounds, &name.node, number, name.span, problems),
            _ => problems.push(Problem::error(
                "M0507",
                value.span,
                format!("`{}` is no bound", value.node),
                "a bound is a whole number from 1 on",
            )),
        }
    }
    for (name, &value) in &options.bounds {
        let said = options.place_of("--bound", name, place);
        if value == 0 {
            let help = "a bound is a whole number from 1 on";
            problems.push(Problem::error(
                "M0507",
                said.value,
                format!("--bound {name}=0 allows nothing"),
                help,
            ));
        } else {
            set(&mut bounds, name, value, said.name, problems);
        }
    }
    bounds
}

fn set(bounds: &mut Bounds, name: &str, value: u32, span: Span, problems: &mut Problems) {
    let field = match name {
        "beliefs" => &mut bounds.beliefs,
        "events" => &mut bounds.events,
        "intentions" => &mut bounds.intentions,
        "actions" => &mut bounds.actions,
        "messages" => &mut bounds.messages,
        "terms" => &mut bounds.terms,
        _ => {
            let help = match suggest(name, BOUNDS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the bounds are {}", BOUNDS.join(", ")),
            };
            problems.push(Problem::error("M0507", span, format!("there is no bound `{name}`"), help));
            return;
        }
    };
    *field = value;
}
