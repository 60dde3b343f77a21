//! Strongly connected components (Tarjan 1972, without recursion) of small graphs: automata, parts of components that are
//! taken apart, graphs of markings that a report looks at.

/// Per node the number of its strongly connected component, and how many there are. An edge never leads to a component
/// with a higher number. `successor` names the successors of a node one by one.
#[must_use]
pub fn components(n: usize, successor: impl Fn(usize, usize) -> Option<usize>) -> (Vec<u32>, u32) {
    let mut search =
        Components { number: vec![0; n], low: vec![0; n], component: vec![u32::MAX; n], found: 0 };
    let (mut counter, mut stack, mut frames) = (0, Vec::new(), Vec::new());
    for root in 0..n {
        if search.number[root] == 0 {
            frames.push((root, 0));
        }
        while let Some((node, cursor)) = frames.pop() {
            if cursor == 0 {
                counter += 1;
                (search.number[node], search.low[node]) = (counter, counter);
                stack.push(node);
            }
            match successor(node, cursor) {
                Some(target) => {
                    frames.push((node, cursor + 1));
                    if search.number[target] == 0 {
                        frames.push((target, 0));
                    } else if search.component[target] == u32::MAX {
                        search.low[node] = search.low[node].min(search.number[target]);
                    }
                }
                None => search.leave(node, frames.last().map(|frame| frame.0), &mut stack),
            }
        }
    }
    (search.component, search.found)
}

/// Tarjan's bookkeeping.
struct Components {
    number: Vec<u32>,
    low: Vec<u32>,
    component: Vec<u32>,
    found: u32,
}

impl Components {
    fn leave(&mut self, node: usize, parent: Option<usize>, stack: &mut Vec<usize>) {
        if let Some(parent) = parent {
            self.low[parent] = self.low[parent].min(self.low[node]);
        }
        if self.low[node] != self.number[node] {
            return;
        }
        while let Some(member) = stack.pop() {
            self.component[member] = self.found;
            if member == node {
                break;
            }
        }
        self.found += 1;
    }
}
