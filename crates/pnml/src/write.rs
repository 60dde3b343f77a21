//! Nets of black tokens as PNML.

use std::fmt::Write;

use motet_nets::plain::{Arc, PlainNet};

/// The net as a PNML document that any reader of place/transition nets takes, as far as its arcs are plain: test arcs and
/// inhibitor arcs carry a type, and capacities a number, as PIPE and others write them.
#[must_use]
pub fn write(net: &PlainNet) -> String {
    let mut out = head("net", "ptnet", &net.name);
    line(&mut out, 2, "<page id=\"page\">");
    for (number, place) in net.places.iter().enumerate() {
        line(&mut out, 3, &format!("<place id=\"p{number}\">"));
        line(&mut out, 4, &named(&place.name));
        if place.initial > 0 {
            line(&mut out, 4, &format!("<initialMarking><text>{}</text></initialMarking>", place.initial));
        }
        if let Some(capacity) = place.capacity {
            line(&mut out, 4, &format!("<capacity><text>{capacity}</text></capacity>"));
        }
        line(&mut out, 3, "</place>");
    }
    for (number, transition) in net.transitions.iter().enumerate() {
        line(&mut out, 3, &format!("<transition id=\"t{number}\">"));
        line(&mut out, 4, &named(&transition.name));
        line(&mut out, 3, "</transition>");
    }
    let mut arcs = Arcs { out: &mut out, number: 0 };
    for (number, transition) in net.transitions.iter().enumerate() {
        let there = |arc: &Arc| (format!("p{}", arc.place), format!("t{number}"));
        let back = |arc: &Arc| (format!("t{number}"), format!("p{}", arc.place));
        transition.inputs.iter().for_each(|arc| arcs.arc(there(arc), arc.weight, None));
        transition.reads.iter().for_each(|arc| arcs.arc(there(arc), arc.weight, Some("test")));
        transition.inhibitors.iter().for_each(|arc| arcs.arc(there(arc), arc.weight, Some("inhibitor")));
        transition.outputs.iter().for_each(|arc| arcs.arc(back(arc), arc.weight, None));
    }
    tail(&mut out);
    out
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
    number: usize,
}

impl Arcs<'_> {
    fn arc(&mut self, (source, target): (String, String), weight: u32, kind: Option<&str>) {
        let head = format!("<arc id=\"a{}\" source=\"{source}\" target=\"{target}\"", self.number);
        self.number += 1;
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

/// Text that XML takes literally; characters that it cannot hold at all become spaces.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter.is_control() || letter == '\u{FFFE}' || letter == '\u{FFFF}' => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
