//! A run of nets as one page for a browser: the net of each moment, with what fires, and the agents beside it. The page loads
//! nothing.

use motet_model::{MarkingPicture, NetPicture};

use super::arcs::HEADS;
use super::nodes::shown;
use super::{Brush, Room, Rooms, whole, words};
use crate::drawings::viewer::filled;
use crate::typesetting::page::marked_up;

/// Moments that an album holds; a longer run is cut.
pub(crate) const FRAMES: usize = 400;

/// A run as pictures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Album {
    /// The nets.
    pub nets: Vec<NetPicture>,
    /// The moments, the first before any firing.
    pub frames: Vec<Frame>,
    /// Moments after these that are not kept.
    pub more: usize,
}

/// One moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// What lies where.
    pub marking: MarkingPicture,
    /// What has just fired.
    pub fired: Vec<(usize, usize)>,
    /// The same in words; empty at the start.
    pub text: String,
}

const PAGE: &str = include_str!("album.html");

/// The page of a run. `heading` stands above it, `about` below that.
#[must_use]
pub fn album_page(album: &Album, heading: &str, about: &str) -> String {
    album_page_with(album, heading, about, ("", ""))
}

/// The page, with more in its head and below the pictures.
pub(crate) fn album_page_with(
    album: &Album,
    heading: &str,
    about: &str,
    (head, below): (&str, &str),
) -> String {
    let rooms = rooms(album);
    let (mut pictures, mut steps) = (String::new(), String::new());
    for (number, frame) in album.frames.iter().enumerate() {
        let brush = Brush { nets: &album.nets, fired: &frame.fired, rooms: Some(&rooms) };
        pictures.push_str("<section class=\"frame\">");
        pictures.push_str(&whole(&brush.instance(&frame.marking, 0), ""));
        let mut agents = Vec::new();
        inside(&frame.marking, &mut agents);
        for agent in agents {
            pictures.push_str(&whole(&brush.instance(agent, 0), ""));
        }
        pictures.push_str("</section>\n");
        let text = if number == 0 { "start" } else { frame.text.as_str() };
        steps.push_str(&format!("<li>{}</li>\n", marked_up(text)));
    }
    if album.more > 0 {
        let more = album.more;
        steps.push_str(&format!("<li class=\"cut\">{more} more steps are not drawn</li>\n"));
    }
    filled(PAGE, &|name| match name {
        "TITLE" => marked_up(heading),
        "ABOUT" => marked_up(about),
        "HEAD" => head.to_owned(),
        "HEADS" => HEADS.to_owned(),
        "STEPS" => steps.clone(),
        "FRAMES" => pictures.clone(),
        "BELOW" => below.to_owned(),
        other => unreachable!("the page has no place called {other}; this is a bug in the tool"),
    })
}

/// The agents in a marking, and those inside them.
fn inside<'m>(marking: &'m MarkingPicture, out: &mut Vec<&'m MarkingPicture>) {
    for agent in marking.places.iter().flatten().flat_map(|token| &token.agents) {
        out.push(agent);
        inside(agent, out);
    }
    out.sort_by(|one, other| one.title.cmp(&other.title));
}

/// The most that each place holds in any moment.
fn rooms(album: &Album) -> Rooms {
    let mut rooms: Rooms = album.nets.iter().map(|net| vec![Room::default(); net.places.len()]).collect();
    for frame in album.frames.iter() {
        let mut all = vec![&frame.marking];
        inside(&frame.marking, &mut all);
        for marking in all {
            for (place, tokens) in marking.places.iter().enumerate() {
                let Some(room) = rooms.get_mut(marking.net).and_then(|net| net.get_mut(place)) else {
                    continue;
                };
                let lines = shown(tokens, true);
                room.lines = room.lines.max(lines.len());
                room.width = lines.iter().map(|line| words::width(line)).fold(room.width, f64::max);
            }
        }
    }
    rooms
}
