//! Which models this interpreter understands.

use motet_brahms::program::{ActivityNode, Attribute, AttributeKind, Frame, Program, Statement};

/// Whether a model keeps to what the slow interpreter knows.
#[must_use]
pub fn covers(program: &Program) -> bool {
    let activity = |node: &ActivityNode| match node {
        ActivityNode::Primitive
        | ActivityNode::Communicate { .. }
        | ActivityNode::Broadcast { .. }
        | ActivityNode::Print(_) => true,
        ActivityNode::Move { arrival, departure, .. } => arrival.is_empty() && departure.is_empty(),
        _ => false,
    };
    let frame = |frame: &Frame| {
        // How often an uncertain look is repeated within an instant is the interpreter's own affair.
        let plain = frame
            .detectables
            .iter()
            .all(|detectable| detectable.percent.is_none() && matches!(detectable.certainty, 0 | 100));
        plain && !frame.body.iter().any(|statement| matches!(statement, Statement::Delete(..)))
    };
    let no_maps = |attribute: &Attribute| attribute.kind != AttributeKind::Map;
    program.activities.iter().all(|called| activity(&called.node))
        && program.frames.iter().all(frame)
        && program.attributes.iter().all(no_maps)
}
