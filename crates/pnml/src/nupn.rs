//! Nested units, a remark of other tools about how places exclude each other (Garavel 2019). They are kept and never believed:
//! what the file says about them is not checked.

use roxmltree::Node;

use crate::xml::{child, elements, tag};

/// The units of a net, as its file declares them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nupn {
    /// The id of the outermost unit.
    pub root: String,
    /// Whether the file says that no unit ever holds more than one token.
    pub unit_safe: bool,
    /// All units, in order.
    pub units: Vec<Unit>,
}

/// A unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// What it is called.
    pub id: String,
    /// Ids of its own places.
    pub places: Vec<String>,
    /// Ids of the units inside it.
    pub units: Vec<String>,
}

/// The units that a net or one of its pages declares.
pub(crate) fn nupn(net: Node<'_, '_>) -> Option<Nupn> {
    let is_nupn =
        |node: &Node<'_, '_>| tag(*node) == "toolspecific" && node.attribute("tool") == Some("nupn");
    let pages = elements(net).filter(|node| tag(*node) == "page");
    let mut holders = std::iter::once(net).chain(pages);
    let structure = holders.find_map(|node| child(elements(node).find(is_nupn)?, "structure"))?;
    let ids = |node: Node<'_, '_>, name: &str| -> Vec<String> {
        let text = child(node, name).and_then(|inner| inner.text()).unwrap_or_default();
        text.split_whitespace().map(str::to_owned).collect()
    };
    let units = elements(structure).filter(|node| tag(*node) == "unit").map(|node| Unit {
        id: node.attribute("id").unwrap_or_default().to_owned(),
        places: ids(node, "places"),
        units: ids(node, "subunits"),
    });
    Some(Nupn {
        root: structure.attribute("root").unwrap_or_default().to_owned(),
        unit_safe: structure.attribute("safe") == Some("true"),
        units: units.collect(),
    })
}
