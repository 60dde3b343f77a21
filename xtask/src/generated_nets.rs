//! Place/transition nets of the literature, generated at any size, as TINA's text and as Promela.

use std::fmt::Write as _;

use crate::bench::Extent;

/// A net of black tokens.
#[derive(Clone, Debug)]
pub struct Generated {
    /// What it is, with its size: `Kanban, 5 cards`.
    pub title: String,
    /// Names of the places and their tokens at the start.
    pub places: Vec<(String, u32)>,
    /// Names of the transitions, places they take a token from and places they give one to.
    pub transitions: Vec<(String, Vec<usize>, Vec<usize>)>,
    /// How many markings can be reached, where a proof or a paper says so.
    pub states: Option<u64>,
    /// How many firings there are between them, where a paper says so.
    pub firings: Option<u64>,
}

/// All nets that are measured.
#[must_use]
pub fn nets(extent: Extent) -> Vec<Generated> {
    match extent {
        Extent::Quick => vec![kanban(2), philosophers(6), manufacturing(2), token_ring(6)],
        Extent::Full => vec![kanban(5), philosophers(12), philosophers(13), manufacturing(4), token_ring(16)],
    }
}

/// Four stations, each with its cards (Ciardo and Tilgner 1996): 16 places, 16 transitions. The numbers of states for 1 to
/// 5 cards are in that report; the firings for 5 are those of the Model Checking Contest.
#[must_use]
pub fn kanban(cards: u32) -> Generated {
    let mut net = Generated::new(format!("Kanban, {cards} cards"));
    for station in 1..=4 {
        net.place(format!("free{station}"), cards);
        for place in ["making", "faulty", "made"] {
            net.place(format!("{place}{station}"), 0);
        }
    }
    for station in 1..=4 {
        let [making, faulty, made] = ["making", "faulty", "made"].map(|place| format!("{place}{station}"));
        net.transition(&format!("finish{station}"), &[&making], &[&made]);
        net.transition(&format!("reject{station}"), &[&making], &[&faulty]);
        net.transition(&format!("redo{station}"), &[&faulty], &[&making]);
    }
    net.transition("enter", &["free4"], &["making4"]);
    net.transition("split", &["made4", "free2", "free3"], &["free4", "making2", "making3"]);
    net.transition("join", &["made2", "made3", "free1"], &["free2", "free3", "making1"]);
    net.transition("leave", &["made1"], &["free1"]);
    net.states = match cards {
        1 => Some(160),
        2 => Some(4_600),
        3 => Some(58_400),
        4 => Some(454_475),
        5 => Some(2_546_432),
        _ => None,
    };
    net.firings = (cards == 5).then_some(24_460_016);
    net
}

/// Philosophers who take either fork first. Every fork lies on the table or is held by one of two, whatever the others are,
/// so there are 3^n markings.
#[must_use]
pub fn philosophers(count: u32) -> Generated {
    let mut net = Generated::new(format!("philosophers, {count}"));
    for seat in 0..count {
        net.place(format!("thinks{seat}"), 1);
        for place in ["left", "right", "eats"] {
            net.place(format!("{place}{seat}"), 0);
        }
        net.place(format!("fork{seat}"), 1);
    }
    for seat in 0..count {
        let name = |place: &str| format!("{place}{seat}");
        let (thinks, eats, one, two) = (name("thinks"), name("eats"), name("left"), name("right"));
        let (fork, other) = (name("fork"), format!("fork{}", (seat + 1) % count));
        net.transition(&name("takeleft"), &[&thinks, &fork], &[&one]);
        net.transition(&name("takeright"), &[&thinks, &other], &[&two]);
        net.transition(&name("thenright"), &[&one, &other], &[&eats]);
        net.transition(&name("thenleft"), &[&two, &fork], &[&eats]);
        net.transition(&name("stop"), &[&eats], &[&thinks, &fork, &other]);
    }
    net.states = Some(3_u64.pow(count));
    net
}

/// The flexible manufacturing system of Ciardo and Trivedi (1993) with its timing left out: parts of three kinds, of
/// which two are worked on by machines and may be put together by a third; 22 places, 20 transitions.
#[must_use]
pub fn manufacturing(parts: u32) -> Generated {
    let mut net = Generated::new(format!("manufacturing, {parts} parts"));
    for kind in 1..=2 {
        net.place(format!("raw{kind}"), parts);
        for place in ["waits", "works", "done", "ships", "pairs"] {
            net.place(format!("{place}{kind}"), 0);
        }
    }
    net.place("raw3".to_owned(), parts);
    for place in ["works3", "ships3", "joined", "waits12", "works12", "ships12"] {
        net.place(place.to_owned(), 0);
    }
    for (machine, count) in [("machine1", 3), ("machine2", 1), ("machine3", 2)] {
        net.place(machine.to_owned(), count);
    }
    for kind in 1..=2 {
        let name = |place: &str| format!("{place}{kind}");
        let (raw, waits, works, done) = (name("raw"), name("waits"), name("works"), name("done"));
        let (ships, pairs, machine) = (name("ships"), name("pairs"), name("machine"));
        net.transition(&name("fetch"), &[&raw], &[&waits]);
        net.transition(&name("begin"), &[&waits, &machine], &[&works]);
        net.transition(&name("end"), &[&works], &[&done, &machine]);
        net.transition(&name("alone"), &[&done], &[&ships]);
        net.transition(&name("together"), &[&done], &[&pairs]);
        net.transition(&name("ship"), &[&ships], &[&raw]);
    }
    net.transition("begin3", &["raw3"], &["works3"]);
    net.transition("end3", &["works3"], &["ships3"]);
    net.transition("ship3", &["ships3"], &["raw3"]);
    net.transition("join", &["pairs1", "pairs2"], &["joined"]);
    net.transition("fetch12", &["joined"], &["waits12"]);
    net.transition("begin12", &["waits12", "machine3"], &["works12"]);
    net.transition("end12", &["works12"], &["ships12", "machine3"]);
    net.transition("ship12", &["ships12"], &["raw1", "raw2"]);
    net.states = (parts == 2).then_some(3_444);
    net
}

/// Stations in a ring that pass a token on, and send while they have it. The one with the token is idle, waits or sends,
/// each other one is idle or waits: 3 n 2^(n-1) markings.
#[must_use]
pub fn token_ring(stations: u32) -> Generated {
    let mut net = Generated::new(format!("token ring, {stations} stations"));
    for station in 0..stations {
        net.place(format!("idle{station}"), 1);
        net.place(format!("waits{station}"), 0);
        net.place(format!("sends{station}"), 0);
        net.place(format!("token{station}"), u32::from(station == 0));
    }
    for station in 0..stations {
        let name = |place: &str| format!("{place}{station}");
        let (idle, waits, sends, token) = (name("idle"), name("waits"), name("sends"), name("token"));
        let next = format!("token{}", (station + 1) % stations);
        net.transition(&name("want"), &[&idle], &[&waits]);
        net.transition(&name("begin"), &[&waits, &token], &[&sends]);
        net.transition(&name("end"), &[&sends], &[&idle, &next]);
        net.transition(&name("pass"), &[&idle, &token], &[&idle, &next]);
    }
    net.states = Some((3 * u64::from(stations)) << (stations - 1));
    net
}

impl Generated {
    fn new(title: String) -> Self {
        Self { title, places: Vec::new(), transitions: Vec::new(), states: None, firings: None }
    }

    fn place(&mut self, name: String, tokens: u32) {
        self.places.push((name, tokens));
    }

    fn transition(&mut self, name: &str, inputs: &[&str], outputs: &[&str]) {
        let number = |name: &&str| {
            let found = self.places.iter().position(|(place, _)| place == name);
            found.expect("places come before transitions")
        };
        let [inputs, outputs] = [inputs, outputs].map(|names| names.iter().map(number).collect());
        self.transitions.push((name.to_owned(), inputs, outputs));
    }

    /// As TINA writes nets.
    #[must_use]
    pub fn tina(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        for (name, tokens) in &self.places {
            let _ = writeln!(text, "pl {name} ({tokens})");
        }
        let names = |places: &[usize]| -> String {
            places.iter().map(|&place| format!(" {}", self.places[place].0)).collect()
        };
        for (name, inputs, outputs) in &self.transitions {
            let _ = writeln!(text, "tr {name}{} ->{}", names(inputs), names(outputs));
        }
        text
    }

    /// A byte per place and an option per transition. `d_step` makes a firing one step of Spin, which is faster than
    /// `atomic`.
    #[must_use]
    pub fn promela(&self) -> String {
        let mut text = format!("/* {} */\n", self.title);
        for (name, tokens) in &self.places {
            let _ = writeln!(text, "byte {name} = {tokens};");
        }
        text.push_str("active proctype net() {\n  do\n");
        for (_, inputs, outputs) in &self.transitions {
            let guard: Vec<String> =
                inputs.iter().map(|&place| format!("{} > 0", self.places[place].0)).collect();
            let mut change = String::new();
            for place in inputs.iter().filter(|place| !outputs.contains(place)) {
                let _ = write!(change, " {}--;", self.places[*place].0);
            }
            for place in outputs.iter().filter(|place| !inputs.contains(place)) {
                let _ = write!(change, " {}++;", self.places[*place].0);
            }
            let _ = writeln!(text, "  :: d_step {{ {} ->{change} }}", guard.join(" && "));
        }
        text.push_str("  od\n}\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Counts markings and firings in the most obvious way.
    fn count(net: &Generated) -> (u64, u64) {
        let start: Vec<u32> = net.places.iter().map(|(_, tokens)| *tokens).collect();
        let (mut seen, mut open, mut firings) = (BTreeSet::from([start.clone()]), vec![start], 0);
        while let Some(marking) = open.pop() {
            for (_, inputs, outputs) in &net.transitions {
                if inputs.iter().any(|&place| marking[place] == 0) {
                    continue;
                }
                firings += 1;
                let mut target = marking.clone();
                inputs.iter().for_each(|&place| target[place] -= 1);
                outputs.iter().for_each(|&place| target[place] += 1);
                if seen.insert(target.clone()) {
                    open.push(target);
                }
            }
        }
        (seen.len() as u64, firings)
    }

    /// Origins: Ciardo and Tilgner for Kanban, the Model Checking Contest for FMS-PT-00002 and Philosophers-PT-000005, proofs
    /// beside the generators for the others.
    #[test]
    fn generated_nets_have_the_published_numbers_of_markings() {
        for net in [kanban(1), kanban(2), philosophers(5), philosophers(2), manufacturing(2), token_ring(5)] {
            assert_eq!(Some(count(&net).0), net.states, "{}", net.title);
        }
        assert_eq!(count(&philosophers(5)).0, 243);
        let net = manufacturing(2);
        assert_eq!((net.places.len(), net.transitions.len()), (22, 20));
        let net = kanban(5);
        assert_eq!((net.places.len(), net.transitions.len()), (16, 16));
    }

    #[test]
    fn a_token_that_is_only_looked_at_stays_in_both_texts() {
        let net = token_ring(2);
        assert!(net.tina().contains("tr pass0 idle0 token0 -> idle0 token1\n"));
        assert!(net.promela().contains(":: d_step { idle0 > 0 && token0 > 0 -> token0--; token1++; }\n"));
    }
}
