//! The store beside a map from whole states to numbers.

use super::widen::FEW;
use super::*;

#[test]
fn equal_states_share_a_number_and_different_ones_never_do() {
    for width in [1, 3, 5, 70_000] {
        let mut store = Arena::new(width);
        let state = |n: u32| (0..width as u32).map(|slot| (n >> (slot % 3)) & 7).collect::<Vec<u32>>();
        let mut seen = std::collections::BTreeMap::new();
        for n in (0..40).chain(0..40) {
            let expected = seen.len() as u32;
            let known = seen.contains_key(&state(n));
            let number = *seen.entry(state(n)).or_insert(expected);
            let arrival = if known { Arrival::Known } else { Arrival::New };
            assert_eq!(store.insert(&state(n)), Some((number, arrival)), "width {width}, state {n}");
        }
        let mut out = Vec::new();
        for (state, number) in &seen {
            store.load(*number, &mut out);
            assert!(out == *state && store.is(*number, state));
        }
    }
}

/// What an exploration does: look for all, then add those that were not found, making room where there is none.
fn seek_and_add(store: &mut Arena, batch: &[Vec<u32>], arrivals: &mut Vec<(u32, Arrival)>) {
    if store.is_empty() {
        arrivals.extend(batch.iter().map(|state| store.insert(state).unwrap()));
        return;
    }
    let (mut known, mut sought) = (Loaded::default(), Sought::default());
    for (index, state) in batch.iter().enumerate() {
        store.open((index * 7 % store.len()) as u32, &mut known);
        store.seek(&known, state, &mut sought);
    }
    store.find_all(&mut sought);
    for (index, state) in batch.iter().enumerate() {
        if let Some(number) = sought.number(index) {
            arrivals.push((number, Arrival::Known));
            continue;
        }
        if store.has_room(1) == Some(false) {
            store.reserve(1, 1);
        }
        arrivals.push(store.add(&mut sought, index, || state).unwrap_or_else(|| {
            if !store.grow(state) {
                store.widen(state, 2);
            }
            store.insert(state).unwrap()
        }));
    }
}

/// The naive twin is a map from whole states to numbers. Values grow on the way, some slots late and often, so that
/// states are packed anew at all sizes, also in the middle of what is staged together.
#[test]
fn packed_states_are_numbered_like_whole_ones() {
    for seed in [1, 2, 3, 4, 5, 6] {
        let mut random = seed;
        let mut next = |below: u64| {
            random =
                u64::wrapping_mul(random, 6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((random >> 33) % below).unwrap()
        };
        let width = [1, 2, 7, 16, 40, 150][seed as usize - 1];
        let (mut store, mut seen) = (Arena::new(width), std::collections::BTreeMap::<Vec<u32>, u32>::new());
        let mut arrivals = Vec::new();
        for round in 0..1500_u64 {
            let batch: Vec<Vec<u32>> = (0..next(5))
                .map(|_| {
                    let mut state = vec![0; width];
                    for slot in 0..width as u64 {
                        let late = round > 9 * slot;
                        let largest = if slot % 5 == 4 { 1 << (round / 50).min(31) } else { 3 };
                        state[slot as usize] = if late { next(largest) } else { 0 };
                    }
                    state
                })
                .collect();
            arrivals.clear();
            seek_and_add(&mut store, &batch, &mut arrivals);
            let expected = batch.iter().map(|state| {
                let new = seen.len() as u32;
                let number = *seen.entry(state.clone()).or_insert(new);
                (number, if number == new { Arrival::New } else { Arrival::Known })
            });
            assert_eq!(arrivals, expected.collect::<Vec<_>>(), "seed {seed}, round {round}");
        }
        let mut out = Vec::new();
        for (state, number) in &seen {
            store.load(*number, &mut out);
            assert!(out == *state && store.is(*number, state), "seed {seed}, state {number}");
            assert_eq!(store.insert(state), Some((*number, Arrival::Known)));
            out[0] ^= 1;
            assert!(!store.is(*number, &out));
        }
    }
}

/// When every slot grows late, packing anew each time would take the square of the time: patience ends.
#[test]
fn states_are_not_packed_anew_all_the_time() {
    let (slots, states) = (200, 30_000);
    let mut store = Arena::new(slots + 1);
    let mut state = vec![0; slots + 1];
    for number in 0..states {
        state[0] = number;
        state[1 + number as usize * slots / states as usize] = 1;
        store.insert(&state).unwrap();
    }
    assert_eq!(store.len(), states as usize);
    assert!(store.repacked <= 12 * store.len() + FEW, "{}", store.repacked);
}

#[test]
fn a_store_that_was_thawed_finds_its_states_and_no_others() {
    let mut store = Arena::new(3);
    let state = |n: u32| [n % 7, n / 7, 1];
    (0..500).for_each(|n| assert_eq!(store.insert(&state(n)), Some((n, Arrival::New))));
    store.freeze();
    store.thaw();
    (0..500).for_each(|n| assert_eq!(store.find(&state(n)), Some(n)));
    assert_eq!([store.find(&state(500)), store.find(&[0, 0, 0]), store.find(&[0, 0, 7])], [None; 3]);
    assert_eq!([store.find(&[u32::MAX, 0, 1]), store.find(&[0, 0]), store.find(&[0, 0, 1, 0])], [None; 3]);
}

#[test]
fn a_model_without_slots_has_one_state() {
    let mut store = Arena::new(0);
    assert_eq!(store.insert(&[]), Some((0, Arrival::New)));
    assert_eq!(store.insert(&[]), Some((0, Arrival::Known)));
}
