//! The token game: which steps a situation offers, by number, and what each step of a run had to choose from.

use std::collections::BTreeMap;

use motet_model::{MarkingPicture, NetPicture};

use crate::typesetting::page::{Detail, Tone, View, pad, plain};

/// A step that could be taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// Who takes it.
    pub who: String,
    /// What happens.
    pub text: String,
    /// A message to somebody: to whom, and what.
    pub to: Option<(String, String)>,
    /// What everybody who takes part has its variables bound to, where the text does not say it: `Station: st = 2`.
    pub bindings: Vec<String>,
}

/// One step of a run as a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// What could be taken.
    pub offers: Vec<Offer>,
    /// Which of them was, by index.
    pub taken: usize,
    /// What changed, as text.
    pub changes: String,
}

/// The steps of a run, each with what could have been taken instead and what it changed.
#[must_use]
pub fn turns(turns: &[Turn], view: &View) -> String {
    let mut page = String::new();
    for (number, turn) in (1..).zip(turns) {
        page.push_str(&format!("  {}\n", view.paint(Tone::Strong, &format!("Step {number}"))));
        for (at, offer) in turn.offers.iter().enumerate() {
            let sign = if at == turn.taken { "▶" } else { " " };
            page.push_str(&line(offer, at, sign, view));
        }
        page.push_str(&turn.changes);
    }
    view.finish(page)
}

/// What can be taken now, by number.
#[must_use]
pub fn offered(offers: &[Offer], view: &View) -> String {
    let mut page = match offers.len() {
        0 => "  nothing can happen any more\n".to_owned(),
        1 => "  1 step is enabled\n".to_owned(),
        many => format!("  {many} steps are enabled\n"),
    };
    for (at, offer) in offers.iter().enumerate() {
        page.push_str(&line(offer, at, " ", view));
    }
    view.finish(page)
}

fn line(offer: &Offer, at: usize, sign: &str, view: &View) -> String {
    let arrow = offer.to.as_ref().map(|(to, label)| format!(" ──{}──▶ {}", plain(label), plain(to)));
    let text = format!("{}: {}{}", plain(&offer.who), plain(&offer.text), arrow.unwrap_or_default());
    let mut page = format!("  {sign} {:>4}  {text}\n", at + 1);
    if view.detail != Detail::Quiet {
        for binding in &offer.bindings {
            page.push_str(&format!("          {}\n", view.paint(Tone::Quiet, &plain(binding))));
        }
    }
    page
}

/// What changed between two markings, agents apart: `Sedan(2).ToPump  + <sedan, 0, 1>`. Agents of one name count together.
#[must_use]
pub fn marking_changes(
    nets: &[NetPicture],
    before: &MarkingPicture,
    after: &MarkingPicture,
    view: &View,
) -> String {
    let mut tokens: BTreeMap<(String, String), i64> = BTreeMap::new();
    count(nets, before, -1, &mut tokens);
    count(nets, after, 1, &mut tokens);
    let width =
        tokens.iter().filter(|(_, sum)| **sum != 0).map(|((place, _), _)| place.chars().count()).max();
    let width = width.unwrap_or(0).min(40);
    let mut page = String::new();
    for ((place, token), sum) in tokens.iter().filter(|(_, sum)| **sum != 0) {
        let (sign, tone) = if *sum > 0 { ('+', Tone::Good) } else { ('-', Tone::Quiet) };
        let what = match (token.as_str(), sum.unsigned_abs()) {
            ("", many) => many.to_string(),
            (token, 1) => plain(token),
            (token, many) => format!("{many} × {}", plain(token)),
        };
        let place = plain(place);
        page.push_str(&format!(
            "          {}  {}\n",
            pad(&place, width),
            view.paint(tone, &format!("{sign} {what}"))
        ));
    }
    view.finish(page)
}

fn count(
    nets: &[NetPicture],
    marking: &MarkingPicture,
    times: i64,
    tokens: &mut BTreeMap<(String, String), i64>,
) {
    let Some(net) = nets.get(marking.net) else { return };
    for (place, held) in net.places.iter().zip(&marking.places) {
        for token in held {
            let times = times.saturating_mul(i64::from(token.count));
            let key = (format!("{}.{}", marking.title, place.name), token.text.clone());
            let sum = tokens.entry(key).or_insert(0);
            *sum = sum.saturating_add(times);
            token.agents.iter().for_each(|agent| count(nets, agent, times, tokens));
        }
    }
}
