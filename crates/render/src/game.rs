//! The token game: which steps a situation offers, by number, and what each step of a run had to choose from.

use crate::page::{Detail, Tone, View, plain};

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
