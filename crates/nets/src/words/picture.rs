//! The nets of a program, for drawing.

use motet_model::{ArcKind, ArcPicture, NetPicture, PlacePicture, TransitionPicture};

use crate::program::{
    Alternative, Binding, Exchange, Expr, Input, Net, Partner, Pattern, PlaceId, PlaceKind, Program, Sort,
    Sync, Transition,
};
use crate::semantics::parts::Reads;
use crate::value::{NetId, Value};
use crate::words::Teller;
use crate::words::print;
use crate::words::snapshot::is_shown;
use crate::words::typing::Variables;

impl Teller {
    /// Pictures come in the order of the program, except that the system net is first.
    pub(crate) fn picture_number(&self, net: NetId) -> usize {
        let (net, system) = (net.0 as usize, self.program().system.0 as usize);
        match net.cmp(&system) {
            std::cmp::Ordering::Equal => 0,
            std::cmp::Ordering::Less => net + 1,
            std::cmp::Ordering::Greater => net,
        }
    }

    /// See [`motet_model::Words::nets`].
    pub(crate) fn pictures(&self) -> Vec<NetPicture> {
        let program = self.program();
        let system = &program.nets[program.system.0 as usize];
        let others = (0..).map(NetId).zip(&program.nets).filter(|(id, _)| *id != program.system);
        std::iter::once(system).chain(others.map(|(_, net)| net)).map(|net| picture(program, net)).collect()
    }
}

fn picture(program: &Program, net: &Net) -> NetPicture {
    let parameters: Vec<&str> = net.parameters.iter().map(|(name, _)| name.as_str()).collect();
    let name = if parameters.is_empty() {
        net.name.clone()
    } else {
        format!("{}({})", net.name, parameters.join(", "))
    };
    let mut arcs = Vec::new();
    for (transition, declared) in net.transitions.iter().enumerate() {
        for alternative in &declared.alternatives {
            let mut found = arcs_of(program, net, transition, alternative);
            found.retain(|arc| !arcs.contains(arc));
            arcs.append(&mut found);
        }
    }
    NetPicture {
        name,
        places: net
            .places
            .iter()
            .filter(|place| is_shown(place))
            .map(|place| PlacePicture {
                name: place.name.clone(),
                sort: print::sort(program, &place.sort),
                cell: place.kind == PlaceKind::Cell,
            })
            .collect(),
        transitions: net.transitions.iter().map(|one| transition(program, net, one)).collect(),
        arcs,
        goals: net.goals.iter().map(|(name, _)| name.clone()).collect(),
    }
}

/// The place as numbered in the picture; hidden counters are not drawn.
fn shown(net: &Net, place: PlaceId) -> Option<usize> {
    is_shown(&net.places[place.0 as usize])
        .then(|| net.places[..place.0 as usize].iter().filter(|place| is_shown(place)).count())
}

fn arcs_of(program: &Program, net: &Net, transition: usize, alternative: &Alternative) -> Vec<ArcPicture> {
    let variables = Variables::of(program, net, alternative);
    let weighed = |label: String, weight: u32| match (label.as_str(), weight) {
        (_, 1) => label,
        ("", weight) => weight.to_string(),
        (label, weight) => format!("{weight} * {label}"),
    };
    let incoming = |kind: ArcKind| {
        let variables = &variables;
        move |arc: &Input| {
            let black = net.places[arc.place.0 as usize].sort == Sort::Token;
            let label = if black { String::new() } else { print::pattern(&arc.pattern, variables) };
            Some(ArcPicture {
                place: shown(net, arc.place)?,
                transition,
                kind,
                label: weighed(label, arc.weight),
            })
        }
    };
    let mut arcs: Vec<ArcPicture> = Vec::new();
    arcs.extend(alternative.inputs.iter().filter_map(incoming(ArcKind::In)));
    arcs.extend(alternative.reads.iter().filter_map(incoming(ArcKind::Read)));
    arcs.extend(alternative.inhibitors.iter().filter_map(incoming(ArcKind::Inhibit)));
    arcs.extend(alternative.updates.iter().filter_map(|(place, value)| {
        let label = print::expr(value, &variables);
        Some(ArcPicture { place: shown(net, *place)?, transition, kind: ArcKind::Update, label })
    }));
    arcs.extend(alternative.outputs.iter().filter_map(|output| {
        let black = matches!(output.term, Expr::Constant(Value::Token));
        let label = if black { String::new() } else { print::expr(&output.term, &variables) };
        let label = weighed(label, output.weight);
        Some(ArcPicture { place: shown(net, output.place)?, transition, kind: ArcKind::Out, label })
    }));
    arcs
}

fn transition(program: &Program, net: &Net, transition: &Transition) -> TransitionPicture {
    let several = transition.alternatives.len() > 1;
    let mut notes = Vec::new();
    let mut channel = None;
    for (number, alternative) in transition.alternatives.iter().enumerate() {
        let variables = Variables::of(program, net, alternative);
        let before = if several { format!("{}: ", number + 1) } else { String::new() };
        let lines = bindings(alternative, &variables).into_iter().chain(guards(alternative, &variables));
        notes.extend(lines.map(|line| format!("{before}{line}")));
        let command = alternative.sync.as_ref().map(|sync| command(program, net, sync, alternative));
        channel = channel.or(command);
    }
    TransitionPicture { name: transition.name.clone(), notes, channel }
}

/// `pick d in Database where d.category = r.category`
pub(crate) fn bindings(alternative: &Alternative, variables: &Variables<'_>) -> Vec<String> {
    let line = |binding: &Binding| match binding {
        Binding::Pick(variable, domain, condition) => {
            let condition = condition.as_ref().map(|one| format!(" where {}", print::expr(one, variables)));
            let (name, domain) = (variables.name(*variable), print::expr(domain, variables));
            format!("pick {name} in {domain}{}", condition.unwrap_or_default())
        }
        Binding::Let(variable, value) => {
            format!("let {} = {}", variables.name(*variable), print::expr(value, variables))
        }
    };
    alternative.bindings.iter().map(line).collect()
}

/// The guards, except those that ask whether a limit is reached.
pub(crate) fn guards(alternative: &Alternative, variables: &Variables<'_>) -> Vec<String> {
    let written = alternative.guards.iter().filter(|guard| !is_limit(guard, variables));
    written.map(|guard| print::expr(guard, variables)).collect()
}

/// Whether a guard asks whether a limit is reached.
pub(crate) fn is_limit(guard: &Expr, variables: &Variables<'_>) -> bool {
    let read = Reads::of(variables.program, guard).places;
    read.iter().any(|place| !is_shown(&variables.net.places[place.0 as usize]))
}

/// `up ? park(st)`, `a.net ! pump(1)`
pub(crate) fn command(program: &Program, net: &Net, sync: &Sync, alternative: &Alternative) -> String {
    let variables = Variables::of(program, net, alternative);
    let partner = match &sync.partner {
        Partner::Up => "up".to_owned(),
        Partner::Agent { arc, fields } => {
            let arcs = alternative.inputs.iter().chain(&alternative.reads);
            let arc = arcs.clone().nth(*arc).expect("a partner is bound by an arc");
            partner_text(net, arc, fields, &variables)
        }
        Partner::Channel(value) => format!("chan({})", print::expr(value, &variables)),
    };
    let port = &program.ports[sync.port.0 as usize].name;
    match &sync.exchange {
        Exchange::Send(values) => {
            let values: Vec<String> = values.iter().map(|value| print::expr(value, &variables)).collect();
            format!("{partner} ! {port}({})", values.join(", "))
        }
        Exchange::Receive(patterns) => {
            let patterns: Vec<String> = patterns.iter().map(|one| print::pattern(one, &variables)).collect();
            format!("{partner} ? {port}({})", patterns.join(", "))
        }
    }
}

/// How the text names the agent at the end of a way from an arc's token.
fn partner_text(net: &Net, arc: &Input, fields: &[usize], variables: &Variables<'_>) -> String {
    let step = |sort: &Sort, field: usize| match sort {
        Sort::Record(record) => record.fields.get(field).cloned(),
        _ => None,
    };
    let mut pattern = &arc.pattern;
    let mut sort = net.places[arc.place.0 as usize].sort.clone();
    let mut names = Vec::new();
    for field in fields {
        let (name, inner) = step(&sort, *field).unwrap_or((String::new(), Sort::Unknown));
        sort = inner;
        match pattern {
            Pattern::Record(patterns) => pattern = &patterns[*field],
            _ => names.push(name),
        }
    }
    std::iter::once(print::pattern(pattern, variables)).chain(names).collect::<Vec<_>>().join(".")
}
