//! Whole missions, sailed by a small agent.
mod agent;
use agent::{Missed, PACE, mission, sail};
use motet_vessel::weather::Forecast;
#[test]
fn probe() {
    use std::io::Write;
    let mut err = std::io::stderr();
    for forecast in [Forecast::Calm, Forecast::Changing, Forecast::Rough] {
        for seed in 1..13 {
            for missed in [Missed::Wait, Missed::GoBack] {
                let tale = sail(&mission(seed, forecast), PACE, missed, 600);
                writeln!(err, "{forecast:?} {seed} {missed:?} ticks {} end {:?} missed {} rough {} ", tale.n_ticks, tale.end, tale.n_missed, tale.n_rough).unwrap();
                if seed < 6 { writeln!(err, "   turns {:?} waits {:?}", tale.turns, tale.waits).unwrap();
                }
            }
        }
    }
}
