//! Nets as pictures that scale: places as circles with their tokens, agents as framed nets inside the places that hold them.

mod album;
mod arcs;
mod dot;
mod nodes;
mod words;

use motet_model::{MarkingPicture, NetPicture};

pub(crate) use album::FRAMES;
pub(crate) use album::album_page_with;
pub use album::{Album, Frame, album_page};
pub use dot::net_dot;

use crate::drawings::layers::{Size, layout};

/// Around a picture, and inside a frame.
const MARGIN: f64 = 24.0;
/// The line with the name of a net.
const TITLE: f64 = 26.0;
/// Nets inside nets are drawn smaller, down to where nothing could be read.
const INNER: f64 = 0.75;
const DEPTH_MAX: usize = 6;

/// The nets of a model as one picture. With a marking the outermost net is drawn with its tokens and the agents inside them,
/// without one every net is drawn empty, one below the other. `fired` are the transitions to highlight.
#[must_use]
pub fn net_svg(nets: &[NetPicture], marking: Option<&MarkingPicture>, fired: &[(usize, usize)]) -> String {
    let brush = Brush { nets, fired, rooms: None };
    let drawing = match marking {
        Some(marking) => brush.instance(marking, 0),
        None => brush.stacked(),
    };
    whole(&drawing, arcs::HEADS)
}

/// A picture for itself. The heads of its arcs may be defined elsewhere on the same page.
fn whole(drawing: &Drawing, heads: &str) -> String {
    let (width, height) = (drawing.size.width + 2.0 * MARGIN, drawing.size.height + 2.0 * MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} \
         {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n{heads}<rect width=\"100%\" height=\"100%\" \
         fill=\"#ffffff\"/>\n<g transform=\"translate({MARGIN} {MARGIN})\">\n{}</g>\n</svg>\n",
        drawing.body
    )
}

/// A part of a picture: its text, and the room it takes from its upper left corner.
struct Drawing {
    body: String,
    size: Size,
}

/// Room that is kept in a place, so that pictures of a run have everything in the same spot.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    lines: usize,
    width: f64,
}

/// Per net and place.
type Rooms = Vec<Vec<Room>>;

/// What all parts of a picture share.
struct Brush<'a> {
    nets: &'a [NetPicture],
    fired: &'a [(usize, usize)],
    /// With rooms, agents are named where they are and drawn elsewhere.
    rooms: Option<&'a Rooms>,
}

impl Brush<'_> {
    fn stacked(&self) -> Drawing {
        let (mut body, mut width, mut top) = (String::new(), 0.0_f64, 0.0);
        for (number, net) in self.nets.iter().enumerate() {
            let places = vec![Vec::new(); net.places.len()];
            let title = net.name.clone();
            let part = self.instance(&MarkingPicture { net: number, title, places, goals: Vec::new() }, 0);
            body.push_str(&format!("<g transform=\"translate(0 {top:.1})\">\n{}</g>\n", part.body));
            top += part.size.height + 2.0 * MARGIN;
            width = width.max(part.size.width);
        }
        Drawing { body, size: Size { width, height: (top - 2.0 * MARGIN).max(0.0) } }
    }

    /// A net with its tokens, in a frame with its name.
    fn instance(&self, marking: &MarkingPicture, depth: usize) -> Drawing {
        let title = words::escaped(&marking.title);
        let Some(net) = self.nets.get(marking.net).filter(|_| depth < DEPTH_MAX) else {
            let size = Size { width: words::width(&marking.title) + MARGIN, height: TITLE };
            return Drawing { body: framed(&title, size, ""), size };
        };
        let boxes = self.nodes(net, marking, depth);
        let sizes: Vec<Size> = boxes.iter().map(|node| node.size).collect();
        let laid = layout(&sizes, &arcs::edges(net));
        let mut inside = arcs::draw(net, &boxes, &laid);
        for (node, middle) in boxes.iter().zip(&laid.middles) {
            let corner = (middle.0 - node.size.width / 2.0, middle.1 - node.size.height / 2.0);
            inside.push_str(&format!(
                "<g transform=\"translate({:.1} {:.1})\">\n{}</g>\n",
                corner.0, corner.1, node.body
            ));
        }
        let width = (laid.width + 2.0 * MARGIN).max(words::width(&marking.title) + MARGIN);
        let size = Size { width, height: laid.height + TITLE + 2.0 * MARGIN };
        let shifted = format!("<g transform=\"translate({MARGIN} {:.1})\">\n{inside}</g>\n", TITLE + MARGIN);
        Drawing { body: framed(&title, size, &shifted), size }
    }

    /// Places first, then transitions.
    fn nodes(&self, net: &NetPicture, marking: &MarkingPicture, depth: usize) -> Vec<nodes::Node> {
        let mut boxes = Vec::with_capacity(net.places.len() + net.transitions.len());
        for (number, place) in net.places.iter().enumerate() {
            let tokens = marking.places.get(number).map_or(&[][..], Vec::as_slice);
            let room = self.rooms.and_then(|rooms| rooms.get(marking.net)?.get(number).copied());
            let agents = tokens.iter().filter(|_| room.is_none()).flat_map(|token| &token.agents);
            let agents = agents.map(|agent| self.instance(agent, depth + 1)).collect();
            boxes.push(nodes::place(place, tokens, agents, room.unwrap_or_default()));
        }
        for (number, transition) in net.transitions.iter().enumerate() {
            boxes.push(nodes::transition(transition, self.fired.contains(&(marking.net, number))));
        }
        boxes
    }
}

fn framed(title: &str, size: Size, inside: &str) -> String {
    format!(
        "<rect width=\"{:.1}\" height=\"{:.1}\" rx=\"6\" fill=\"#fbfbfd\" stroke=\"#8a8fa3\"/>\n<text x=\"10\" y=\"18\" \
         font-weight=\"bold\" fill=\"#333a56\">{title}</text>\n{inside}",
        size.width, size.height
    )
}
