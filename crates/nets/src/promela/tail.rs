//! The end of every step: the acts that wait in the queue are done. Arrays stay sorted, so that equal markings are equal
//! states, and what is not used is 0.

use crate::program::PlaceId;
use crate::promela::shape::Store;
use crate::promela::term::Term;
use crate::promela::world::{Kept, World};
use crate::value::NetId;

/// Something that waits to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Act {
    /// The token at a position goes.
    Take(NetId, PlaceId),
    /// A token comes, or a member of a set unless it is there.
    Put(NetId, PlaceId),
    /// A set becomes empty.
    Clear(NetId, PlaceId),
    /// An agent is gone.
    Free,
}

/// The acts that some option needs, with their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Acts {
    acts: Vec<(Act, String)>,
    names: Vec<Vec<String>>,
}

impl Acts {
    pub(crate) fn new(world: &World) -> Self {
        let names = world.tables.iter().map(|table| {
            let prefix = if table.name.is_empty() { String::new() } else { format!("{}_", table.name) };
            table.places.iter().map(|place| format!("{prefix}{}", place.name)).collect()
        });
        Self { acts: Vec::new(), names: names.collect() }
    }

    /// The name of an act.
    pub(crate) fn number(&mut self, act: Act) -> String {
        if let Some((_, name)) = self.acts.iter().find(|(known, _)| *known == act) {
            return name.clone();
        }
        let place = |net: NetId, place: PlaceId| &self.names[net.0 as usize][place.0 as usize];
        let name = match act {
            Act::Take(net, at) => format!("TAKE_{}", place(net, at)),
            Act::Put(net, at) => format!("PUT_{}", place(net, at)),
            Act::Clear(net, at) => format!("CLEAR_{}", place(net, at)),
            Act::Free => "FREE".to_owned(),
        };
        self.acts.push((act, name.clone()));
        name
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.acts.is_empty()
    }

    /// `#define TAKE_Users 1`
    pub(crate) fn definitions(&self) -> impl Iterator<Item = String> {
        self.acts.iter().enumerate().map(|(number, (_, name))| format!("#define {name} {}", number + 1))
    }

    /// The lines that work off the queue.
    pub(crate) fn lines(&self, world: &World) -> Vec<String> {
        let mut lines =
            vec!["k = 0;".to_owned(), "do".to_owned(), ":: k < ops ->".to_owned(), "  if".to_owned()];
        for (act, name) in &self.acts {
            let body = match act {
                Act::Take(net, place) => At::new(world, *net, *place).take(),
                Act::Put(net, place) => At::new(world, *net, *place).put(),
                Act::Clear(net, place) => At::new(world, *net, *place).clear(),
                Act::Free => free(world),
            };
            lines.push(format!("  :: op[k] == {name} ->"));
            lines.extend(body.into_iter().map(|line| format!("     {line}")));
        }
        for line in ["  fi;", "  k++", ":: else -> break", "od;", "ops = 0; k = 0; i = 0;"] {
            lines.push(line.to_owned());
        }
        lines
    }
}

/// A place of the system net, or of the agent at position `who[k]`.
struct At<'w> {
    kept: &'w Kept,
    at: String,
}

impl<'w> At<'w> {
    fn new(world: &'w World, net: NetId, place: PlaceId) -> Self {
        let kept = world.kept(net, place);
        let prefix = if net == world.program.system {
            String::new()
        } else {
            world.table(net).at(&Term::text("who[k]"))
        };
        Self { kept, at: format!("{prefix}{}", kept.name) }
    }

    fn ways(&self) -> Vec<String> {
        self.kept.store.shape().leaves().into_iter().map(|(way, _)| way).collect()
    }

    /// `Users[i].a = Users[i + 1].a; ...`
    fn copy(&self, to: &str, from: &str) -> String {
        let at = &self.at;
        let copies = self.ways().into_iter().map(|way| format!("{at}[{to}]{way} = {at}[{from}]{way}"));
        copies.collect::<Vec<_>>().join("; ")
    }

    fn blank(&self, position: &str) -> String {
        let copies = self.ways().into_iter().map(|way| format!("{}[{position}]{way} = 0", self.at));
        copies.collect::<Vec<_>>().join("; ")
    }

    fn take(&self) -> Vec<String> {
        let at = &self.at;
        vec![
            "i = at[k];".to_owned(),
            format!("do :: i < {at}_n - 1 -> {}; i++ :: else -> break od;", self.copy("i", "i + 1")),
            format!("{}; {at}_n = {at}_n - 1", self.blank("i")),
        ]
    }

    fn put(&self) -> Vec<String> {
        let at = &self.at;
        let (bound, is_set) = match &self.kept.store {
            Store::Rows { bound, .. } => (*bound, false),
            Store::Members { bound, .. } => (*bound, true),
            Store::Count | Store::Value { .. } => (0, false),
        };
        let row: Vec<(String, String)> = self
            .ways()
            .into_iter()
            .enumerate()
            .map(|(n, way)| (format!("row[k * ROW + {n}]"), way))
            .collect();
        // The first difference decides.
        let mut less = "0".to_owned();
        for (own, way) in row.iter().rev() {
            let other = format!("{at}[i - 1]{way}");
            less = format!("({own} < {other} || ({own} == {other} && {less}))");
        }
        let mut insert = vec![
            format!("CHECK(bound_{}, ({at}_n < {bound}));", self.kept.name),
            format!("i = {at}_n;"),
            format!("do :: i > 0 && {less} -> {}; i-- :: else -> break od;", self.copy("i", "i - 1")),
        ];
        let write: Vec<String> = row.iter().map(|(own, way)| format!("{at}[i]{way} = {own}")).collect();
        insert.push(format!("{}; {at}_n = {at}_n + 1", write.join("; ")));
        if !is_set {
            return insert;
        }
        let same: Vec<String> = row.iter().map(|(own, way)| format!("{own} == {at}[i]{way}")).collect();
        let mut lines = vec![
            "i = 0;".to_owned(),
            format!("do :: i < {at}_n && !({}) -> i++ :: else -> break od;", same.join(" && ")),
            format!("if :: i < {at}_n :: else ->"),
        ];
        lines.extend(insert);
        lines.push("fi".to_owned());
        lines
    }

    fn clear(&self) -> Vec<String> {
        let at = &self.at;
        vec![format!(
            "do :: {at}_n > 0 -> {at}_n = {at}_n - 1; {} :: else -> break od",
            self.blank(&format!("{at}_n"))
        )]
    }
}

/// The entry of an agent becomes free, and everything in it 0.
fn free(world: &World) -> Vec<String> {
    let mut lines = vec!["if".to_owned()];
    let agent = Term::text("who[k]");
    for (_, table) in world.templates() {
        let prefix = table.at(&Term::text(format!("(who[k] - {})", table.first)));
        let mut all = vec![format!("{prefix}alive = 0")];
        for (name, shape) in &table.parameters {
            all.extend(shape.leaves().into_iter().map(|(way, _)| format!("{prefix}{name}{way} = 0")));
        }
        for kept in &table.places {
            let at = format!("{prefix}{}", kept.name);
            match &kept.store {
                Store::Count => all.push(format!("{at} = 0")),
                Store::Value { shape } => {
                    all.extend(shape.leaves().into_iter().map(|(way, _)| format!("{at}{way} = 0")));
                }
                Store::Rows { .. } | Store::Members { .. } => {
                    let clear = At { kept, at }.clear();
                    all.extend(clear);
                }
            }
        }
        lines.push(format!(":: {} -> {}", table.has(&agent).show(), all.join("; ")));
    }
    lines.push(":: else".to_owned());
    lines.push("fi".to_owned());
    lines
}

impl Kept {
    /// The Promela type of a number of tokens, and the most it holds.
    pub(crate) fn counter(&self) -> &'static str {
        if self.most <= 255 { "byte" } else { "int" }
    }

    pub(crate) fn most_tokens(&self) -> i64 {
        if self.most <= 255 { 255 } else { 1_000_000_000 }
    }
}
