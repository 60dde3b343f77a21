//! The auction of Bordini et al. 2003, section 5: sizes of its state graph.
//!
//! The expected numbers were measured with an independent prototype of the same semantics and, for ten auctions,
//! confirmed by Spin on a Promela encoding (1,980,490 and 1,874,977 states plus its start-up steps).

mod support;

use support::{explore, load_example};

#[test]
fn the_repaired_auction_has_the_measured_number_of_states_and_steps() {
    let expected = [(1, 5_401, 19_403), (2, 29_598, 109_406), (3, 54_252, 195_394)];
    for (last, states, steps) in expected {
        let system = load_example("auction-fixed", &[], &[("LAST", last)]);
        let graph = explore(&system);
        assert_eq!((graph.states.len(), graph.steps), (states, steps), "LAST={last}");
    }
}

#[test]
fn four_auctions_have_the_same_size_with_and_without_the_fault() {
    for folder in ["auction", "auction-fixed"] {
        let system = load_example(folder, &[], &[("LAST", 4)]);
        let graph = explore(&system);
        assert_eq!((graph.states.len(), graph.steps), (163_664, 600_674), "{folder}");
    }
}

#[test]
fn threads_that_share_a_model_see_the_same_graph() {
    let system = load_example("auction", &[], &[("LAST", 1)]);
    std::thread::scope(|scope| {
        let searches: Vec<_> = (0..4).map(|_| scope.spawn(|| explore(&system))).collect();
        for search in searches {
            let graph = search.join().expect("no thread panics");
            assert_eq!((graph.states.len(), graph.steps), (5_401, 19_403));
        }
    });
}
