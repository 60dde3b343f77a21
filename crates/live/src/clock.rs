//! Waits that agents ask for: calls of `.wait(T)`, which the host carries out itself. Each is done with the first cycle that
//! ends `T` milliseconds later, as time goes in the run.

use std::time::{Duration, Instant};

use motet_model::{News, Order};

/// The longest pause in a cycle.
const GLANCE: Duration = Duration::from_millis(10);

/// The waits that are open.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    /// Call and end.
    open: Vec<(u64, Instant)>,
}

impl Clock {
    /// Takes the waits out of what the team asks for; what is left is for skills.
    pub(crate) fn take(&mut self, orders: &[Order], speed: f64) -> Vec<Order> {
        let now = Instant::now();
        let mut rest = Vec::with_capacity(orders.len());
        for order in orders {
            match wait(order) {
                Some((call, millis)) => {
                    let time = Duration::try_from_secs_f64(millis.max(0.0) / 1000.0 / speed);
                    let end = time.ok().and_then(|time| now.checked_add(time));
                    // A wait that is longer than clocks go is never over.
                    self.open.extend(end.map(|end| (call, end)));
                }
                None => rest.push(order.clone()),
            }
        }
        rest
    }

    /// What is over, the earliest first.
    pub(crate) fn rung(&mut self) -> Vec<News> {
        let now = Instant::now();
        let mut over: Vec<(u64, Instant)> =
            self.open.iter().copied().filter(|&(_, end)| end <= now).collect();
        self.open.retain(|&(_, end)| end > now);
        over.sort_by_key(|&(_, end)| end);
        let done = |(call, _)| News::Feedback { call: Some(call), what: "done".to_owned() };
        over.into_iter().map(done).collect()
    }

    /// Lets time pass while nobody has anything else to do.
    pub(crate) fn pause(&self) {
        if let Some(first) = self.open.iter().map(|&(_, end)| end).min() {
            std::thread::sleep(first.saturating_duration_since(Instant::now()).min(GLANCE));
        }
    }
}

/// The call and its milliseconds, if an order is a wait.
fn wait(order: &Order) -> Option<(u64, f64)> {
    match order {
        Order::Call { call, action, arguments, .. } if action.starts_with(".wait(") => {
            let millis = arguments.first().and_then(|(_, time)| time.parse().ok());
            Some((*call, millis.unwrap_or_default()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use motet_model::Repeat;

    use super::*;

    fn call(call: u64, action: &str, time: &str) -> Order {
        let (agent, action) = ("a".to_owned(), action.to_owned());
        let arguments = vec![("1".to_owned(), time.to_owned())];
        Order::Call { agent, call, action, arguments, repeat: Repeat::Once }
    }

    #[test]
    fn a_wait_is_kept_from_the_skills_and_is_over_after_its_time() {
        let mut clock = Clock::default();
        let day = "86400000";
        let orders = [call(1, ".wait(day)", day), call(2, "dig(3)", "3"), call(3, ".wait(0)", "0")];
        assert_eq!(clock.take(&orders, 1.0), [orders[1].clone()]);
        let done = |call| News::Feedback { call: Some(call), what: "done".to_owned() };
        assert_eq!(clock.rung(), [done(3)]);
        assert_eq!(clock.take(&[call(4, ".wait(5)", "5")], 1.0), []);
        let over = std::iter::from_fn(|| {
            clock.pause();
            Some(clock.rung())
        });
        assert_eq!(over.into_iter().find(|rung| !rung.is_empty()), Some(vec![done(4)]));
        assert_eq!(clock.rung(), []);
    }

    #[test]
    fn the_shorter_of_two_waits_is_over_first() {
        let mut clock = Clock::default();
        assert_eq!(clock.take(&[call(1, ".wait(20)", "20"), call(2, ".wait(10)", "10")], 10.0), []);
        std::thread::sleep(Duration::from_millis(10));
        let calls: Vec<_> = clock.rung().into_iter().map(|news| format!("{news:?}")).collect();
        assert!(calls[0].contains("Some(2)") && calls[1].contains("Some(1)"), "{calls:?}");
    }
}
