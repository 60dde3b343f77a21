//! What can be said about a model without any claim: transitions that never fire, ports through which nothing passes.

use motet_model::{ActionId, Notice, Review};
use motet_source::Severity;

use crate::program::{Net, PortId, TransitionId};
use crate::semantics::firing::Firing;
use crate::value::NetId;
use crate::words::Teller;

/// How many transitions that never fire are told one by one.
const LIMIT_NOTICES: usize = 30;

impl Review for Teller {
    fn happened(&self, _action: ActionId) -> Option<Notice> {
        None
    }

    fn missing(&self, seen: &[ActionId]) -> Vec<Notice> {
        let program = self.program();
        let mut fired: Vec<(NetId, TransitionId)> = Vec::new();
        let mut used: Vec<PortId> = Vec::new();
        for action in seen {
            let firing = self.semantics.firings.get(action.0);
            fired.extend(firing.halves().map(|half| (half.net(program), half.transition)));
            if let Firing::Together { port, .. } = &*firing {
                used.push(*port);
            }
        }
        fired.sort_unstable();
        fired.dedup();
        let mut notices: Vec<Notice> = Vec::new();
        for (id, net) in (0..).map(NetId).zip(&program.nets) {
            notices.extend(idle(net, |transition| fired.binary_search(&(id, transition)).is_ok()));
        }
        notices.truncate(LIMIT_NOTICES);
        let ports = (0..).map(PortId).zip(&program.ports).filter(|(id, _)| !used.contains(id));
        notices.extend(ports.take(LIMIT_NOTICES).map(|(_, port)| Notice {
            code: "M1053",
            severity: Severity::Hint,
            message: format!("nothing ever passes through port {}", port.name),
            span: Some(port.span),
            help: "its two sides are never enabled together; `motet explain MODEL --frame TRANSITION` says why"
                .to_owned(),
        }));
        notices
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The transitions of a net that never fire; one notice if none ever does.
fn idle(net: &Net, fired: impl Fn(TransitionId) -> bool) -> Vec<Notice> {
    let transitions = || (0..).map(TransitionId).zip(&net.transitions);
    let notice = |message, span| Notice {
        code: "M1052",
        severity: Severity::Hint,
        message,
        span: Some(span),
        help: "`motet explain MODEL --frame TRANSITION` says what it lacks".to_owned(),
    };
    if net.transitions.len() > 1 && transitions().all(|(id, _)| !fired(id)) {
        return vec![notice(format!("no transition of {} ever fires", net.name), net.span)];
    }
    let idle = transitions().filter(|(id, _)| !fired(*id));
    idle.map(|(_, one)| notice(format!("{}.{} never fires", net.name, one.name), one.span)).collect()
}
