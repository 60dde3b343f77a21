//! Nets of black tokens as PNML.

use std::fmt::Write;

use motet_nets::plain::{Arc, Family, PlainNet, Word};

use crate::ids::{Ids, Wanted};

/// The net as a PNML document that any reader of place/transition nets takes, as far as its arcs are plain: test arcs and
/// inhibitor arcs carry a type, and capacities a number, as PIPE and others write them. Ids are those of the file that the net
/// was read from; a net without ids gets its names as ids, wherever they can be ids, so that formulas keep their meaning.
#[must_use]
pub fn write(net: &PlainNet) -> String {
    let places = Naming::of(net.places.iter().map(|place| place.name.as_str()), &net.place_families);
    let names = net.transitions.iter().map(|transition| transition.name.as_str());
    let transitions = Naming::of(names, &net.transition_families);
    let mut ids = Ids::default();
    let mut place_ids =
        ids.all(places.iter().map(Naming::wanted).chain(transitions.iter().map(Naming::wanted)));
    let transition_ids = place_ids.split_off(places.len());
    let mut out = head(&ids.fresh("net"), "ptnet", &net.name);
    line(&mut out, 2, &format!("<page id=\"{}\">", ids.fresh("page")));
    for (place, (id, naming)) in net.places.iter().zip(place_ids.iter().zip(&places)) {
        line(&mut out, 3, &format!("<place id=\"{}\">", escaped(id)));
        line(&mut out, 4, &named(naming.written()));
        if place.initial > 0 {
            line(&mut out, 4, &format!("<initialMarking><text>{}</text></initialMarking>", place.initial));
        }
        if let Some(capacity) = place.capacity {
            line(&mut out, 4, &format!("<capacity><text>{capacity}</text></capacity>"));
        }
        line(&mut out, 3, "</place>");
    }
    for (id, naming) in transition_ids.iter().zip(&transitions) {
        line(&mut out, 3, &format!("<transition id=\"{}\">", escaped(id)));
        line(&mut out, 4, &named(naming.written()));
        line(&mut out, 3, "</transition>");
    }
    let mut arcs = Arcs { out: &mut out, ids: &mut ids };
    for (transition, id) in net.transitions.iter().zip(&transition_ids) {
        let there = |arc: &Arc| (escaped(&place_ids[arc.place]), escaped(id));
        let back = |arc: &Arc| (escaped(id), escaped(&place_ids[arc.place]));
        transition.inputs.iter().for_each(|arc| arcs.arc(there(arc), arc.weight, None));
        transition.reads.iter().for_each(|arc| arcs.arc(there(arc), arc.weight, Some("test")));
        transition.inhibitors.iter().for_each(|arc| arcs.arc(there(arc), arc.weight, Some("inhibitor")));
        transition.outputs.iter().for_each(|arc| arcs.arc(back(arc), arc.weight, None));
    }
    tail(&mut out);
    out
}

/// How the file of an element names it.
struct Naming<'n> {
    shown: &'n str,
    id: Option<&'n str>,
    name: Option<&'n str>,
}

impl<'n> Naming<'n> {
    fn of(shown: impl Iterator<Item = &'n str>, families: &'n [Family]) -> Vec<Self> {
        let mut all: Vec<Self> = shown.map(|shown| Self { shown, id: None, name: None }).collect();
        for family in families {
            if let ([only], Some(word)) = (family.members.as_slice(), family.word) {
                let own = match word {
                    Word::Id => &mut all[*only].id,
                    Word::Name => &mut all[*only].name,
                };
                *own = Some(family.name.as_str());
            }
        }
        all
    }

    /// What is shown by its id has a name that is not shown.
    fn wanted(&self) -> Wanted<'n> {
        match (self.id, self.name) {
            (Some(id), _) => Wanted::Kept(id),
            (None, Some(_)) => Wanted::Kept(self.shown),
            (None, None) => Wanted::Name(self.shown),
        }
    }

    fn written(&self) -> &'n str {
        self.name.unwrap_or(self.shown)
    }
}

/// A document up to the name of its net. `kind` is the last part of the address of its type.
pub(crate) fn head(id: &str, kind: &str, name: &str) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n");
    let kind = format!("http://www.pnml.org/version-2009/grammar/{kind}");
    line(&mut out, 1, &format!("<net id=\"{id}\" type=\"{kind}\">"));
    line(&mut out, 2, &named(name));
    out
}

/// The rest of a document after the last element of its page.
pub(crate) fn tail(out: &mut String) {
    line(out, 2, "</page>");
    line(out, 1, "</net>");
    out.push_str("</pnml>\n");
}

/// The name that people read.
pub(crate) fn named(name: &str) -> String {
    format!("<name><text>{}</text></name>", escaped(name))
}

struct Arcs<'o> {
    out: &'o mut String,
    ids: &'o mut Ids,
}

impl Arcs<'_> {
    fn arc(&mut self, (source, target): (String, String), weight: u32, kind: Option<&str>) {
        let id = self.ids.fresh("a");
        let head = format!("<arc id=\"{id}\" source=\"{source}\" target=\"{target}\"");
        if weight == 1 && kind.is_none() {
            return line(self.out, 3, &format!("{head}/>"));
        }
        line(self.out, 3, &format!("{head}>"));
        if weight != 1 {
            line(self.out, 4, &format!("<inscription><text>{weight}</text></inscription>"));
        }
        if let Some(kind) = kind {
            line(self.out, 4, &format!("<type value=\"{kind}\"/>"));
        }
        line(self.out, 3, "</arc>");
    }
}

pub(crate) fn line(out: &mut String, depth: usize, text: &str) {
    writeln!(out, "{:width$}{text}", "", width = 2 * depth).expect("writing to a string never fails");
}

/// Text that XML takes literally, also inside of an attribute; characters that it cannot hold at all become spaces.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                write!(out, "&#{};", u32::from(letter)).expect("writing to a string never fails")
            }
            letter if letter.is_control() || letter == '\u{FFFE}' || letter == '\u{FFFF}' => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
