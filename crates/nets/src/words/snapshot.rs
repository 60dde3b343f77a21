//! A marking, net by net.

use motet_model::{MarkingPicture, Mind, Section, Snapshot, State, TokenPicture};

use crate::program::{Net, PlaceKind};
use crate::semantics::effect::agent_at;
use crate::semantics::firing::AgentName;
use crate::semantics::instance::instance_of;
use crate::semantics::scope::{Budget, Instance, Scope};
use crate::semantics::show;
use crate::value::{Agent, Bag, NetId, Value};
use crate::words::Teller;

impl Teller {
    /// See [`motet_model::Words::snapshot`].
    pub(crate) fn told_snapshot(&self, state: &State) -> Snapshot {
        let marking = self.semantics.layout.marking(state);
        let system = self.program().system;
        let name = self.net(system).name.clone();
        let mut minds = vec![self.mind(name, system, &marking)];
        self.agents_of(system, &marking, "", &mut minds);
        Snapshot { minds }
    }

    fn mind(&self, name: String, net: NetId, places: &[Bag]) -> Mind {
        let shown = self.net(net).places.iter().zip(places);
        let shown = shown.filter(|(place, bag)| place.kind != PlaceKind::Limit && !bag.is_empty());
        let section = |(place, bag): (&crate::program::Place, &Bag)| Section {
            title: place.name.clone(),
            items: match bag.tokens() {
                [(Value::Token, count)] => vec![count.to_string()],
                _ => show::tokens(self.program(), bag),
            },
        };
        Mind { name, sections: shown.map(section).collect() }
    }

    /// The agents of a marking, each with the place it is in, and those inside them.
    fn agents_of(&self, net: NetId, places: &[Bag], around: &str, minds: &mut Vec<Mind>) {
        for (place, ways) in &self.semantics.plans.net(net).homes {
            let home = &self.net(net).places[place.0 as usize].name;
            for (token, count) in places[place.0 as usize].tokens() {
                for way in ways {
                    let agent: &Agent = agent_at(token, way);
                    let agent_name = show::agent_name(self.program(), &AgentName::of(agent));
                    let several = if *count > 1 { format!(", {count} of them") } else { String::new() };
                    let name = format!("{agent_name} in {around}{home}{several}");
                    minds.push(self.mind(name, agent.net, &agent.places));
                    self.agents_of(agent.net, &agent.places, &format!("{agent_name}."), minds);
                }
            }
        }
    }

    /// See [`motet_model::Words::marking`].
    pub(crate) fn marking_picture(&self, state: &State) -> MarkingPicture {
        let marking = self.semantics.layout.marking(state);
        let title = self.semantics.system().name.clone();
        self.instance_picture(title, self.semantics.root(&marking), state)
    }

    /// See [`motet_model::Words::tokens`].
    pub(crate) fn count_tokens(&self, instance: Instance<'_>, visit: &mut dyn FnMut(usize, usize, u64)) {
        let Instance { net, places, .. } = instance;
        let homes = &self.semantics.plans.net(net).homes;
        let shown = (0..).zip(&self.net(net).places).zip(places).filter(|((_, place), _)| is_shown(place));
        for (at, ((number, _), bag)) in shown.enumerate() {
            let count = bag.tokens().iter().map(|(_, count)| u64::from(*count)).sum();
            visit(self.picture_number(net), at, count);
            let ways = homes.iter().filter(|(place, _)| place.0 == number).flat_map(|(_, ways)| ways);
            for (way, (token, _)) in ways.flat_map(|way| bag.tokens().iter().map(move |token| (way, token))) {
                self.count_tokens(instance_of(agent_at(token, way)), visit);
            }
        }
    }

    fn instance_picture(&self, title: String, instance: Instance<'_>, state: &State) -> MarkingPicture {
        let Instance { net, places, .. } = instance;
        let homes = &self.semantics.plans.net(net).homes;
        let shown = (0..).zip(&self.net(net).places).zip(places).filter(|((_, place), _)| is_shown(place));
        let place = |((number, _), bag): ((u32, &crate::program::Place), &Bag)| {
            let home = homes.iter().find(|(place, _)| place.0 == number);
            let ways: &[Vec<usize>] = home.map_or(&[], |(_, ways)| ways);
            bag.tokens().iter().map(|(token, count)| self.token_picture(token, *count, ways, state)).collect()
        };
        MarkingPicture {
            net: self.picture_number(net),
            title,
            places: shown.map(place).collect(),
            goals: self.goals(instance, state),
        }
    }

    /// The goals that hold in an instance. One that has no truth there does not.
    fn goals(&self, instance: Instance<'_>, state: &State) -> Vec<String> {
        let budget = Budget::new();
        let enabled = |transition| self.semantics.enabled(transition, state);
        let program = self.program();
        let scope = Scope { program, instance, budget: &budget, depth: 0, enabled: Some(&enabled) };
        let declared = self.net(instance.net).goals.iter().enumerate();
        let reached = declared.filter(|(goal, _)| scope.reached(instance, *goal).unwrap_or(false));
        reached.map(|(_, (name, _))| name.clone()).collect()
    }

    fn token_picture(&self, token: &Value, count: u32, ways: &[Vec<usize>], state: &State) -> TokenPicture {
        let agent = |way: &Vec<usize>| {
            let agent: &Agent = agent_at(token, way);
            let title = show::agent_name(self.program(), &AgentName::of(agent));
            self.instance_picture(title, instance_of(agent), state)
        };
        let text = match token {
            Value::Token => String::new(),
            token => show::value(self.program(), token),
        };
        TokenPicture { text, count, agents: ways.iter().map(agent).collect() }
    }

    pub(crate) fn net(&self, net: NetId) -> &Net {
        &self.program().nets[net.0 as usize]
    }
}

/// Whether a place is drawn: hidden counters are not.
pub(crate) fn is_shown(place: &crate::program::Place) -> bool {
    place.kind != PlaceKind::Limit
}
