//! How large the arrays have to be: the markings are explored natively as far as that is quick. Where it is not finished the
//! arrays get room to spare, and a marking that does not fit is an assertion.

use hashbrown::HashMap;
use motet_model::{Explorer, State};
use rustc_hash::FxBuildHasher;

use crate::semantics::Semantics;
use crate::value::{Agent, Bag, NetId, Value};

/// How many markings are looked at.
pub(crate) const LIMIT_STATES: u64 = 100_000;
/// Room in a place of a model whose markings are too many to look at.
const SPARE: usize = 4;

/// The most of everything.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    /// Per net, per place: the most tokens, or members of the set of a cell.
    places: Vec<Vec<usize>>,
    /// Per net: the most agents at a time.
    agents: Vec<usize>,
    /// The least and the greatest number in a set.
    pub(crate) members: Option<(i64, i64)>,
    complete: bool,
}

impl Bounds {
    pub(crate) fn of(semantics: &Semantics, explorer: &dyn Explorer) -> Self {
        let program = &semantics.program;
        let mut bounds = Self {
            places: program.nets.iter().map(|net| vec![0; net.places.len()]).collect(),
            agents: vec![0; program.nets.len()],
            members: None,
            complete: true,
        };
        let mut known: HashMap<(usize, u32), Vec<usize>, FxBuildHasher> = HashMap::default();
        let look = &mut |state: &State| bounds.look(semantics, state, &mut known);
        bounds.complete = explorer.every_state(semantics, LIMIT_STATES, look);
        bounds
    }

    /// Room for the tokens of a place.
    pub(crate) fn place(&self, net: NetId, place: usize) -> usize {
        self.room(self.places[net.0 as usize][place])
    }

    /// Room for the agents of a net.
    pub(crate) fn agents(&self, net: NetId) -> usize {
        let seen = self.agents[net.0 as usize];
        if self.complete { seen } else { self.room(seen) }
    }

    fn room(&self, seen: usize) -> usize {
        if self.complete { seen.max(1) } else { (2 * seen).max(SPARE) }
    }

    fn look(
        &mut self,
        semantics: &Semantics,
        state: &State,
        known: &mut HashMap<(usize, u32), Vec<usize>, FxBuildHasher>,
    ) {
        let system = semantics.program.system;
        let mut agents = vec![0; self.agents.len()];
        let marking = semantics.layout.width();
        for (slot, content) in state[..marking].iter().enumerate() {
            let inside = known.entry((slot, *content)).or_insert_with(|| {
                let place =
                    crate::program::PlaceId(u32::try_from(slot).expect("places are numbered with 32 bits"));
                let mut inside = vec![0; agents.len()];
                self.bag(system, slot, &semantics.layout.decode(place, *content), &mut inside);
                inside
            });
            agents.iter_mut().zip(inside).for_each(|(sum, here)| *sum += *here);
        }
        self.agents.iter_mut().zip(agents).for_each(|(most, now)| *most = (*most).max(now));
    }

    fn bag(&mut self, net: NetId, place: usize, bag: &Bag, agents: &mut Vec<usize>) {
        let tokens = usize::try_from(bag.size()).unwrap_or(usize::MAX);
        let members = bag.tokens().iter().map(|(token, _)| match token {
            Value::Set(members) => members.len(),
            _ => 0,
        });
        let most = members.max().unwrap_or(0).max(tokens);
        let here = &mut self.places[net.0 as usize][place];
        *here = (*here).max(most);
        for (token, count) in bag.tokens() {
            self.value(token, *count as usize, agents);
        }
    }

    fn value(&mut self, value: &Value, count: usize, agents: &mut Vec<usize>) {
        match value {
            Value::Record(fields) => fields.iter().for_each(|field| self.value(field, count, agents)),
            Value::Set(members) => members.iter().for_each(|member| self.member(member)),
            Value::Agent(agent) => {
                agents[agent.net.0 as usize] += count;
                self.agent(agent, agents);
            }
            _ => {}
        }
    }

    fn member(&mut self, member: &Value) {
        match member {
            Value::Int(number) => {
                let (low, high) = self.members.unwrap_or((*number, *number));
                self.members = Some((low.min(*number), high.max(*number)));
            }
            Value::Record(fields) | Value::Set(fields) => fields.iter().for_each(|field| self.member(field)),
            _ => {}
        }
    }

    fn agent(&mut self, agent: &Agent, agents: &mut Vec<usize>) {
        for argument in agent.arguments.iter() {
            self.value(argument, 1, agents);
        }
        for (place, bag) in agent.places.iter().enumerate() {
            self.bag(agent.net, place, bag, agents);
        }
    }
}
