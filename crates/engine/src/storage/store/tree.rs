//! How the words of a state are paired: two and two, then the pairs, until one pair is left.
//!
//! A pair that was seen before is a number, so that a state costs one pair, however many words it has: states that differ
//! in one place share all pairs but those above it (Blom, Lisser, van de Pol and Weber, tree compression, 2008).

/// The pairs over a row of words, children first. A *part* is a word or a pair: words come first, then the pairs in order.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    words: usize,
    /// The two parts of each pair but the last, which is the root.
    inner: Vec<(u32, u32)>,
    /// Per pair of these: how many pairs are below it at most, one above the other.
    heights: Vec<usize>,
    root: (u32, u32),
}

impl Tree {
    /// For states of so many words, at least one. The root of a single word is that word and nothing.
    pub(crate) fn new(words: usize) -> Self {
        let mut pairs = Vec::new();
        let last = pair_up(0, words, words, &mut pairs);
        debug_assert!(words < 2 || last + 1 == words + pairs.len(), "the root is the last pair");
        let root = pairs.pop().unwrap_or((0, 0));
        let mut heights: Vec<usize> = Vec::with_capacity(pairs.len());
        for &(left, right) in &pairs {
            let above = |part: u32| (part as usize).checked_sub(words).map_or(0, |pair| heights[pair] + 1);
            heights.push(above(left).max(above(right)));
        }
        Self { words, inner: pairs, heights, root }
    }

    /// Words of a row that stands for a whole state.
    pub(crate) fn row_width(&self) -> usize {
        self.words.clamp(1, 2)
    }

    /// The two parts of each pair but the root, children first.
    pub(crate) fn inner(&self) -> &[(u32, u32)] {
        &self.inner
    }

    /// How high a pair but the root is: it comes after those that are below it.
    pub(crate) fn height(&self, pair: usize) -> usize {
        self.heights[pair]
    }

    /// How many heights there are.
    pub(crate) fn n_heights(&self) -> usize {
        self.heights.iter().max().map_or(0, |highest| highest + 1)
    }

    /// Words and pairs but the root.
    pub(crate) fn n_parts(&self) -> usize {
        self.words + self.inner.len()
    }

    /// The row that stands for a state of these parts.
    pub(crate) fn root_of(&self, parts: &[u32]) -> [u32; 2] {
        if self.words == 1 {
            return [parts[0], 0];
        }
        [parts[self.root.0 as usize], parts[self.root.1 as usize]]
    }

    /// Puts the parts of a state into `parts`; `look` says which row a pair stands for.
    pub(crate) fn unfold(&self, row: [u32; 2], parts: &mut Vec<u32>, look: impl Fn(u32) -> [u32; 2]) {
        parts.clear();
        parts.resize(self.n_parts(), 0);
        parts[self.root.0 as usize] = row[0];
        if self.words > 1 {
            parts[self.root.1 as usize] = row[1];
        }
        for (pair, &(left, right)) in self.inner.iter().enumerate().rev() {
            let row = look(parts[self.words + pair]);
            parts[left as usize] = row[0];
            parts[right as usize] = row[1];
        }
    }
}

/// Pairs up `words[first..end]` and says which part stands for them.
fn pair_up(first: usize, end: usize, words: usize, pairs: &mut Vec<(u32, u32)>) -> usize {
    if end - first < 2 {
        return first;
    }
    let middle = first + (end - first).div_ceil(2);
    let left = pair_up(first, middle, words, pairs);
    let right = pair_up(middle, end, words, pairs);
    let part = |number: usize| u32::try_from(number).expect("a state has fewer than 2^31 words");
    pairs.push((part(left), part(right)));
    words + pairs.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_comes_apart_into_the_words_it_was_made_of() {
        for words in 1..40 {
            let tree = Tree::new(words);
            assert_eq!((tree.inner().len(), tree.row_width()), (words.saturating_sub(2), words.min(2)));
            let given: Vec<u32> = (0..words as u32).map(|word| word * 7 + 1).collect();
            let mut parts = given.clone();
            let mut known = Vec::new();
            for (pair, &(left, right)) in tree.inner().iter().enumerate() {
                let lower = |part: u32| {
                    let below = (part as usize).checked_sub(words);
                    below.is_none_or(|below| tree.height(below) < tree.height(pair))
                };
                assert!(lower(left) && lower(right) && tree.height(pair) < tree.n_heights());
                known.push([parts[left as usize], parts[right as usize]]);
                parts.push(known.len() as u32 - 1);
            }
            let mut back = Vec::new();
            tree.unfold(tree.root_of(&parts), &mut back, |pair| known[pair as usize]);
            assert_eq!(back, parts);
            assert_eq!(back[..words], given);
        }
    }
}
