//! What can be said about a model without any claim: transitions that never fire, ports through which nothing passes.

use motet_model::{ActionId, Notice, Occurrence, Part, PartId, Review, State};
use motet_source::Severity;

use crate::program::{Net, PortId, Transition, TransitionId};
use crate::semantics::firing::{Firing, Half};
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
            if let Firing::Together { port, .. } = firing {
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

    fn parts(&self) -> Vec<Part> {
        let transitions = |net: &Net| {
            let part = |one: &Transition| Part {
                name: one.name.clone(),
                kind: "transition",
                owner: net.name.clone(),
                span: one.span,
            };
            net.transitions.iter().map(part).collect::<Vec<Part>>()
        };
        self.program().nets.iter().flat_map(transitions).collect()
    }

    fn parts_of(&self, _state: &State, taken: Occurrence<'_>) -> Vec<PartId> {
        let program = self.program();
        let number = |half: &Half| {
            let before = &program.nets[..half.net(program).0 as usize];
            let before: usize = before.iter().map(|net| net.transitions.len()).sum();
            PartId(u32::try_from(before).expect("parts are numbered with 32 bits") + half.transition.0)
        };
        self.semantics.firings.get(taken.action.0).halves().map(number).collect()
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
