//! The classical method of Runge and Kutta of order four, with a fixed step: no clock, no tolerance, the same numbers every time.

/// What is integrated: place, heading and the three speeds.
pub type Vector = [f64; 6];

fn moved(from: &Vector, rates: &Vector, by: f64) -> Vector {
    std::array::from_fn(|at| from[at] + by * rates[at])
}

/// One step of `seconds` from `time`, with the rates that `rates(time, state)` gives.
pub fn runge_kutta(
    state: &Vector,
    time: f64,
    seconds: f64,
    mut rates: impl FnMut(f64, &Vector) -> Vector,
) -> Vector {
    let half = seconds / 2.0;
    let first = rates(time, state);
    let second = rates(time + half, &moved(state, &first, half));
    let third = rates(time + half, &moved(state, &second, half));
    let fourth = rates(time + seconds, &moved(state, &third, seconds));
    std::array::from_fn(|at| {
        state[at] + seconds / 6.0 * (first[at] + 2.0 * (second[at] + third[at]) + fourth[at])
    })
}
