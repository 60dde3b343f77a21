//! Where to put the nodes of a drawing: layers from left to right, as Sugiyama, Tagawa and Toda laid them out in 1981. Edges
//! that would go back are turned for the layering, long ones get bends, crossings are reduced by sweeping medians.

/// The room a node needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Where everything is.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Per node: its middle.
    pub(crate) middles: Vec<(f64, f64)>,
    /// Per edge: its way, from the middle of its first node to the middle of its second.
    pub(crate) ways: Vec<Vec<(f64, f64)>>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// Between two layers, room for the labels of edges.
const GAP_LAYERS: f64 = 96.0;
/// Between two nodes of a layer.
const GAP_NODES: f64 = 26.0;
/// Sweeps that reduce crossings, and those that straighten.
const SWEEPS: usize = 24;
const BEND: Size = Size { width: 0.0, height: 12.0 };

/// Lays out a graph.
pub(crate) fn layout(sizes: &[Size], edges: &[(usize, usize)]) -> Layout {
    let mut chart = Chart::new(sizes, edges);
    chart.order();
    chart.place();
    chart.finish(edges.len())
}

/// Nodes with bends, in layers.
struct Chart {
    n_nodes: usize,
    sizes: Vec<Size>,
    layer: Vec<usize>,
    /// Per layer: its nodes from top to bottom.
    layers: Vec<Vec<usize>>,
    /// Neighbours to the left and to the right.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    /// Per edge: the nodes it passes, and whether it was turned.
    routes: Vec<(Vec<usize>, bool)>,
    y: Vec<f64>,
}

impl Chart {
    fn new(sizes: &[Size], edges: &[(usize, usize)]) -> Self {
        let turned = turned(sizes.len(), edges);
        let forward: Vec<(usize, usize)> =
            edges.iter().zip(&turned).map(|(&(a, b), &turn)| if turn { (b, a) } else { (a, b) }).collect();
        let layer = longest_paths(sizes.len(), &forward);
        let mut chart = Self {
            n_nodes: sizes.len(),
            sizes: sizes.to_vec(),
            layers: vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)],
            layer,
            before: vec![Vec::new(); sizes.len()],
            after: vec![Vec::new(); sizes.len()],
            routes: Vec::new(),
            y: Vec::new(),
        };
        for (&(from, to), &turn) in forward.iter().zip(&turned) {
            let route = chart.route(from, to);
            chart.routes.push((route, turn));
        }
        for node in 0..chart.layer.len() {
            let layer = chart.layer[node];
            chart.layers[layer].push(node);
        }
        chart
    }

    /// The nodes an edge passes, with a bend in every layer between its ends.
    fn route(&mut self, from: usize, to: usize) -> Vec<usize> {
        let mut route = vec![from];
        for layer in self.layer[from] + 1..self.layer[to] {
            let bend = self.layer.len();
            self.layer.push(layer);
            self.sizes.push(BEND);
            self.before.push(Vec::new());
            self.after.push(Vec::new());
            route.push(bend);
        }
        route.push(to);
        for pair in route.windows(2) {
            self.after[pair[0]].push(pair[1]);
            self.before[pair[1]].push(pair[0]);
        }
        route
    }

    /// Sorts every layer by the medians of the neighbours, to and fro, and keeps the best order met.
    fn order(&mut self) {
        let mut best = (self.crossings(), self.layers.clone());
        for sweep in 0..SWEEPS {
            let rightwards = sweep % 2 == 0;
            let count = self.layers.len();
            for at in 1..count {
                let layer = if rightwards { at } else { count - 1 - at };
                let rank = self.ranks();
                let near = if rightwards { &self.before } else { &self.after };
                let mut keyed: Vec<(f64, usize)> = self.layers[layer]
                    .iter()
                    .enumerate()
                    .map(|(here, &node)| (median(&near[node], &rank).unwrap_or(here as f64), node))
                    .collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                self.layers[layer] = keyed.into_iter().map(|(_, node)| node).collect();
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    fn ranks(&self) -> Vec<f64> {
        let mut rank = vec![0.0; self.layer.len()];
        for layer in &self.layers {
            for (at, &node) in layer.iter().enumerate() {
                rank[node] = at as f64;
            }
        }
        rank
    }

    fn crossings(&self) -> usize {
        let rank = self.ranks();
        let mut crossings = 0;
        for layer in &self.layers {
            let pairs: Vec<(f64, f64)> = layer
                .iter()
                .flat_map(|&node| self.after[node].iter().map(move |&next| (node, next)))
                .map(|(node, next)| (rank[node], rank[next]))
                .collect();
            for (at, one) in pairs.iter().enumerate() {
                crossings += pairs[at + 1..].iter().filter(|two| one.0 < two.0 && one.1 > two.1).count();
            }
        }
        crossings
    }

    /// Heights: stacked first, then drawn to the neighbours as far as the nodes above and below allow.
    fn place(&mut self) {
        self.y = vec![0.0; self.layer.len()];
        for layer in &self.layers {
            let mut top = 0.0;
            for &node in layer {
                self.y[node] = top + self.sizes[node].height / 2.0;
                top += self.sizes[node].height + GAP_NODES;
            }
        }
        for _ in 0..SWEEPS {
            for layer in 0..self.layers.len() {
                self.straighten(layer);
            }
            for layer in (0..self.layers.len()).rev() {
                self.straighten(layer);
            }
        }
    }

    fn straighten(&mut self, layer: usize) {
        let nodes = self.layers[layer].clone();
        let wish: Vec<f64> = nodes
            .iter()
            .map(|&node| {
                let near: Vec<usize> = self.before[node].iter().chain(&self.after[node]).copied().collect();
                let sum: f64 = near.iter().map(|&other| self.y[other]).sum();
                if near.is_empty() { self.y[node] } else { sum / near.len() as f64 }
            })
            .collect();
        let apart = |above: usize, below: usize| {
            (self.sizes[above].height + self.sizes[below].height) / 2.0 + GAP_NODES
        };
        // The mean of the least and the greatest solution keeps the order and the distances.
        let mut low = wish.clone();
        for at in 1..nodes.len() {
            low[at] = low[at].max(low[at - 1] + apart(nodes[at - 1], nodes[at]));
        }
        let mut high = wish;
        for at in (1..nodes.len()).rev() {
            high[at - 1] = high[at - 1].min(high[at] - apart(nodes[at - 1], nodes[at]));
        }
        for (at, &node) in nodes.iter().enumerate() {
            self.y[node] = f64::midpoint(low[at], high[at]);
        }
    }

    fn finish(self, n_edges: usize) -> Layout {
        let widest =
            |layer: &Vec<usize>| layer.iter().map(|&node| self.sizes[node].width).fold(0.0, f64::max);
        let mut x = vec![0.0; self.layer.len()];
        let mut left = 0.0;
        for layer in &self.layers {
            let width = widest(layer);
            for &node in layer {
                x[node] = left + width / 2.0;
            }
            left += width + GAP_LAYERS;
        }
        let top = (0..self.y.len()).map(|node| self.y[node] - self.sizes[node].height / 2.0);
        let top = top.fold(f64::INFINITY, f64::min);
        let top = if top.is_finite() { top } else { 0.0 };
        let at = |node: usize| (x[node], self.y[node] - top);
        let bottom =
            (0..self.y.len()).map(|node| at(node).1 + self.sizes[node].height / 2.0).fold(0.0, f64::max);
        let ways = self.routes.iter().take(n_edges).map(|(route, turn)| {
            let way: Vec<(f64, f64)> = route.iter().map(|&node| at(node)).collect();
            if *turn { way.into_iter().rev().collect() } else { way }
        });
        Layout {
            ways: ways.collect(),
            middles: (0..self.n_nodes).map(at).collect(),
            width: (left - GAP_LAYERS).max(0.0),
            height: bottom,
        }
    }
}

fn median(near: &[usize], rank: &[f64]) -> Option<f64> {
    let mut ranks: Vec<f64> = near.iter().map(|&node| rank[node]).collect();
    ranks.sort_by(f64::total_cmp);
    match ranks.len() {
        0 => None,
        n if n % 2 == 1 => Some(ranks[n / 2]),
        n => Some(f64::midpoint(ranks[n / 2 - 1], ranks[n / 2])),
    }
}

/// Which edges close a circle in a walk that goes deep first, from the nodes in their order.
fn turned(n_nodes: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut out: Vec<Vec<(usize, usize)>> = vec![Vec::new(); n_nodes];
    for (edge, &(from, to)) in edges.iter().enumerate() {
        out[from].push((to, edge));
    }
    let mut turned = vec![false; edges.len()];
    let mut entered = vec![false; n_nodes];
    let mut left = vec![false; n_nodes];
    for root in 0..n_nodes {
        if entered[root] {
            continue;
        }
        entered[root] = true;
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.pop() {
            let Some(&(to, edge)) = out[node].get(next) else {
                left[node] = true;
                continue;
            };
            stack.push((node, next + 1));
            if !entered[to] {
                entered[to] = true;
                stack.push((to, 0));
            } else if !left[to] {
                turned[edge] = true;
            }
        }
    }
    turned
}

/// Per node of a graph without circles: the length of the longest way to it.
fn longest_paths(n_nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut layer = vec![0; n_nodes];
    let mut waiting = vec![0; n_nodes];
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
        waiting[to] += 1;
        out[from].push(to);
    }
    let mut ready: Vec<usize> = (0..n_nodes).filter(|&node| waiting[node] == 0).collect();
    while let Some(node) = ready.pop() {
        for &next in &out[node] {
            layer[next] = layer[next].max(layer[node] + 1);
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(next);
            }
        }
    }
    layer
}

#[cfg(test)]
mod tests {
    use super::*;

    const NODE: Size = Size { width: 40.0, height: 40.0 };

    #[test]
    fn a_chain_goes_from_left_to_right_on_one_height() {
        let laid = layout(&[NODE; 4], &[(0, 1), (1, 2), (2, 3)]);
        assert!(laid.middles.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(laid.middles.iter().all(|middle| (middle.1 - laid.middles[0].1).abs() < 0.1));
    }

    #[test]
    fn no_two_nodes_overlap() {
        for seed in 0..40_u64 {
            let n_nodes = 12;
            let mut state = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            let mut draw = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % n_nodes
            };
            let edges: Vec<(usize, usize)> =
                (0..20).map(|_| (draw(), draw())).filter(|(a, b)| a != b).collect();
            let laid = layout(&[NODE; 12], &edges);
            for (at, one) in laid.middles.iter().enumerate() {
                let apart = |two: &(f64, f64)| (one.0 - two.0).abs() >= 39.9 || (one.1 - two.1).abs() >= 39.9;
                assert!(laid.middles[at + 1..].iter().all(apart), "seed {seed}");
            }
            assert_eq!(laid.ways.len(), edges.len(), "seed {seed}");
            for (way, &(from, to)) in laid.ways.iter().zip(&edges) {
                let ends = (way.first().copied(), way.last().copied());
                assert_eq!(ends, (Some(laid.middles[from]), Some(laid.middles[to])), "seed {seed}");
            }
        }
    }

    #[test]
    fn nothing_to_draw_takes_no_room() {
        let laid = layout(&[], &[]);
        assert!(laid.middles.is_empty() && laid.width == 0.0 && laid.height == 0.0);
    }
}
