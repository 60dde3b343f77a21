//! Changes that do not mind each other, as rows of values for some slots.

/// Alternative values of some slots.
#[derive(Clone, Copy, Debug)]
pub struct Patch<'a> {
    /// The slots.
    pub slots: &'a [u32],
    /// Their values, one alternative after the other.
    pub values: &'a [u32],
    /// How many alternatives there are; at least one.
    pub alternatives: usize,
}

/// Appends what becomes of `base` under all combinations of alternatives, the last patch varying fastest. Patches of
/// different slots are taken; each combination costs a copy and a few words.
pub(crate) fn combine<'p>(
    base: &[u32],
    patches: impl DoubleEndedIterator<Item = Patch<'p>>,
    out: &mut Vec<u32>,
) {
    let (start, width) = (out.len(), base.len());
    out.extend_from_slice(base);
    // From the last patch to the first: what the later ones lead to is there as a block, and is repeated for each
    // alternative of this one.
    for patch in patches.rev() {
        let block = out.len() - start;
        (1..patch.alternatives).for_each(|_| out.extend_from_within(start..start + block));
        let n_slots = patch.slots.len();
        if n_slots == 0 || block == 0 {
            continue;
        }
        let rows = patch.values.chunks_exact(n_slots);
        for (block, values) in out[start..].chunks_exact_mut(block).zip(rows) {
            for target in block.chunks_exact_mut(width) {
                for (slot, value) in patch.slots.iter().zip(values) {
                    target[*slot as usize] = *value;
                }
            }
        }
    }
}
