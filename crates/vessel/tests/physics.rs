//! The hull and the integrator, held against what can be worked out by hand.

use motet_vessel::geometry::Point;
use motet_vessel::hull::{Forces, Helm, Hull, Motion};
use motet_vessel::integrate::{Vector, runge_kutta};

fn driven(hull: &Hull, from: Motion, helm: Helm, seconds: f64, step: f64) -> Motion {
    let n_steps = (seconds / step).round() as u32;
    let mut state = from.vector();
    for at in 0..n_steps {
        state = runge_kutta(&state, f64::from(at) * step, step, |_, state| {
            let motion = Motion::of(state);
            hull.rates(&motion, hull.steering(&motion, helm))
        });
    }
    Motion::of(&state)
}

#[test]
fn a_steady_speed_is_where_thrust_and_drag_balance() {
    let hull = Hull::default();
    for thrust in [400.0, 1215.0, 2600.0] {
        let motion = driven(&hull, Motion::default(), Helm { thrust, rudder: 0.0 }, 300.0, 0.2);
        // The positive root of quadratic * u^2 + linear * u = thrust.
        let (linear, quadratic) = hull.surge_drag;
        let balance = (-linear + (linear * linear + 4.0 * quadratic * thrust).sqrt()) / (2.0 * quadratic);
        assert!((motion.surge - balance).abs() < 1e-9, "{} {balance}", motion.surge);
        assert!((hull.balance(balance) - thrust).abs() < 1e-9);
        assert_eq!((motion.sway, motion.yaw), (0.0, 0.0));
    }
}

#[test]
fn thrust_and_rudder_give_no_more_than_they_can() {
    let hull = Hull::default();
    let motion = Motion { surge: 2.0, ..Motion::default() };
    let most = hull.steering(&motion, Helm { thrust: hull.thrust.0, rudder: hull.rudder });
    assert_eq!(hull.steering(&motion, Helm { thrust: 1e9, rudder: 40.0 }), most);
}

#[test]
fn rudder_to_starboard_turns_to_starboard_and_drifts_to_port() {
    let hull = Hull::default();
    let ahead = Motion { surge: 3.0, ..Motion::default() };
    let motion = driven(&hull, ahead, Helm { thrust: 1215.0, rudder: 0.4 }, 5.0, 0.1);
    assert!(motion.yaw > 0.05 && motion.heading > 0.2, "{motion:?}");
    assert!(motion.sway < 0.0 && motion.place.east > 0.0, "{motion:?}");
    let mirror = driven(&hull, ahead, Helm { thrust: 1215.0, rudder: -0.4 }, 5.0, 0.1);
    assert!((motion.yaw + mirror.yaw).abs() < 1e-12 && (motion.place.east + mirror.place.east).abs() < 1e-9);
}

#[test]
fn the_hull_keeps_its_course_by_itself_at_cruising_speed() {
    let hull = Hull::default();
    let pushed = Motion { surge: 3.0, yaw: 0.1, ..Motion::default() };
    let motion = driven(&hull, pushed, Helm { thrust: hull.balance(3.0), rudder: 0.0 }, 60.0, 0.1);
    assert!(motion.yaw.abs() < 1e-6 && motion.sway.abs() < 1e-6, "{motion:?}");
    // The criterion for the linear part, at the fastest the vessel ever goes.
    let (sway, yaw) = (hull.sway_drag.0, hull.yaw_drag.0);
    assert!(sway * yaw > hull.surge_mass * (hull.sway_mass - hull.surge_mass) * 4.0 * 4.0);
}

#[test]
fn energy_decays_without_thrust_and_the_terms_of_coriolis_do_no_work() {
    let hull = Hull::default();
    let mut motion = Motion { surge: 3.0, sway: 1.0, yaw: 0.4, ..Motion::default() };
    for _ in 0..400 {
        let next = driven(&hull, motion, Helm::default(), 0.1, 0.1);
        assert!(hull.energy(&next) < hull.energy(&motion), "{motion:?}");
        motion = next;
    }
    assert!(hull.energy(&motion) < 0.2 * hull.energy(&Motion { surge: 3.0, ..Motion::default() }));
    // Without drag nothing is lost.
    let free = Hull { surge_drag: (0.0, 0.0), sway_drag: (0.0, 0.0), yaw_drag: (0.0, 0.0), ..hull };
    let spun = Motion { surge: 1.0, sway: 0.5, yaw: 0.3, ..Motion::default() };
    let later = driven(&free, spun, Helm::default(), 20.0, 0.01);
    assert!((free.energy(&later) / free.energy(&spun) - 1.0).abs() < 1e-8);
    assert!((later.surge - spun.surge).abs() > 0.1, "though speeds change");
}

#[test]
fn halving_the_step_divides_the_error_by_sixteen() {
    let hull = Hull::default();
    let helm = Helm { thrust: 1500.0, rudder: 0.3 };
    // No speed changes its sign on the way: where it does, quadratic drag is not smooth enough for order four.
    let from = Motion { surge: 2.0, sway: -0.1, yaw: 0.05, ..Motion::default() };
    let exact = driven(&hull, from, helm, 6.4, 0.001);
    let error = |step: f64| {
        let motion = driven(&hull, from, helm, 6.4, step);
        motion.place.distance(exact.place) + (motion.heading - exact.heading).abs()
    };
    for step in [0.4, 0.2] {
        let ratio = error(step) / error(step / 2.0);
        // Order four: 2^4, up to terms of the next order.
        assert!((11.0..22.0).contains(&ratio), "{ratio} at {step}");
    }
}

#[test]
fn an_integral_over_time_alone_is_the_rule_of_simpson() {
    let rates = |time: f64, _: &Vector| [time.powi(3), 0.0, 0.0, 0.0, 0.0, 0.0];
    let state = runge_kutta(&[0.0; 6], 1.0, 2.0, rates);
    // Cubics are integrated exactly: (3^4 - 1^4) / 4.
    assert!((state[0] - 20.0).abs() < 1e-12, "{}", state[0]);
}

#[test]
fn a_force_of_the_world_is_felt_according_to_the_heading() {
    let east = Forces::of_world(100.0, 0.0, std::f64::consts::FRAC_PI_2);
    assert!((east.surge - 100.0).abs() < 1e-9 && east.sway.abs() < 1e-9);
    let abeam = Forces::of_world(100.0, 0.0, 0.0);
    assert!((abeam.sway - 100.0).abs() < 1e-9 && abeam.surge.abs() < 1e-9);
    let hull = Hull::default();
    let pushed = hull.rates(&Motion { place: Point::default(), ..Motion::default() }, abeam);
    assert!(pushed[4] > 0.0 && pushed[3] == 0.0);
}
