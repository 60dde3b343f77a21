//! Shortest ways between areas over the declared paths, walked in either direction.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use motet_source::{Problem, Span};

use super::Resolver;
use crate::program::{EntityId, EntityKind};
use crate::syntax::{Name, PathDeclaration};

/// Longer paths are not walked: 10^9 seconds are 31 years.
const LIMIT_DISTANCE: f64 = 1e9;
/// Areas on paths; all pairs of them are measured.
const LIMIT_AREAS: usize = 1_000;

type Neighbours = BTreeMap<EntityId, Vec<(EntityId, u32)>>;

impl Resolver<'_> {
    /// Measures all ways.
    pub(crate) fn ways(&mut self) {
        let mut neighbours: Neighbours = BTreeMap::new();
        for (unit, path) in std::mem::take(&mut self.catalogue.paths) {
            let ends = (self.end(unit, path, path.area1.as_ref()), self.end(unit, path, path.area2.as_ref()));
            let distance = self.distance(path);
            if let ((Some(one), Some(other)), Some(distance)) = (ends, distance) {
                neighbours.entry(one).or_default().push((other, distance));
                neighbours.entry(other).or_default().push((one, distance));
            }
        }
        if neighbours.len() > LIMIT_AREAS {
            let message = format!("{} areas are on paths", neighbours.len());
            let help = format!("use at most {LIMIT_AREAS}");
            self.say(Problem::error("M0766", self.place, message, help));
            return;
        }
        for &start in neighbours.keys() {
            for (end, distance) in shortest(&neighbours, start) {
                if end != start {
                    self.program.ways.insert((start, end), distance);
                }
            }
        }
    }

    fn end(&mut self, unit: usize, path: &PathDeclaration, name: Option<&Name>) -> Option<EntityId> {
        let Some(name) = name else {
            let message = format!("the path `{}` lacks an end", path.name.node);
            self.say(Problem::error(
                "M0766",
                path.name.span,
                message,
                "add `area1: NAME;` and `area2: NAME;`",
            ));
            return None;
        };
        let entity = self.entity_named(unit, name)?;
        if self.program.entities[entity.index()].kind != EntityKind::Area {
            let message = format!("`{}` is not an area", name.node);
            self.say(Problem::error("M0766", name.span, message, "a path connects two areas"));
            return None;
        }
        Some(entity)
    }

    fn distance(&mut self, path: &PathDeclaration) -> Option<u32> {
        let wrong = |span: Span, message: String| {
            Problem::error("M0766", span, message, "write seconds of walking: `distance: 10;`")
        };
        match &path.distance {
            None => {
                let message = format!("the path `{}` has no distance", path.name.node);
                self.say(wrong(path.name.span, message));
                None
            }
            Some(distance) if !(0.0..=LIMIT_DISTANCE).contains(&distance.node) => {
                self.say(wrong(distance.span, format!("{} is no distance", distance.node)));
                None
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "checked just before"
            )]
            Some(distance) => Some(distance.node.round() as u32),
        }
    }
}

/// The distances to all areas that can be reached (Dijkstra 1959).
fn shortest(neighbours: &Neighbours, start: EntityId) -> BTreeMap<EntityId, u32> {
    let mut distances = BTreeMap::new();
    let mut open = BinaryHeap::from([(Reverse(0_u32), start)]);
    while let Some((Reverse(distance), area)) = open.pop() {
        if distances.contains_key(&area) {
            continue;
        }
        distances.insert(area, distance);
        for (next, step) in neighbours.get(&area).into_iter().flatten() {
            if !distances.contains_key(next) {
                open.push((Reverse(distance.saturating_add(*step)), *next));
            }
        }
    }
    distances
}
