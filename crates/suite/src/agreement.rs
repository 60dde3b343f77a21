//! Comparing two engines on random models, seed after seed.

/// How many claims hold and how many fail on a model, when both engines say so; a message when they differ; `None` for a
/// model that is passed over.
pub type Compared = Option<Result<(usize, usize), String>>;

/// A number from the environment: `MOTET_ROUNDS` widens a test, `MOTET_SEED` continues a wide run elsewhere.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the environment widens the test")]
pub fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Compares random models, half of them in a thread of its own: so many as usual, or as `MOTET_ROUNDS` says.
///
/// # Panics
/// When the engines differ on one, or when no claim holds or none fails: then nothing was compared.
pub fn compare_random(usual: u64, one: impl Fn(u64) -> Compared + Sync) {
    let rounds = setting("MOTET_ROUNDS").unwrap_or(0).max(usual);
    let from = setting("MOTET_SEED").unwrap_or(0);
    let half = |first: u64, rounds: u64| {
        let (mut compared, mut holds, mut fails, mut wrong) = (0, 0, 0, Vec::new());
        for seed in (0..).map(|at| from + first + 2 * at) {
            if compared == rounds {
                break;
            }
            match one(seed) {
                None => continue,
                Some(Ok((held, failed))) => {
                    holds += held;
                    fails += failed;
                }
                Some(Err(message)) => wrong.push(format!("seed {seed}: {message}")),
            }
            compared += 1;
        }
        (holds, fails, wrong)
    };
    let (even, odd) = std::thread::scope(|scope| {
        let odd = scope.spawn(|| half(1, rounds / 2));
        (half(0, rounds.div_ceil(2)), odd.join().expect("the other half does not panic"))
    });
    let wrong: Vec<String> = even.2.into_iter().chain(odd.2).collect();
    let (holds, fails) = (even.0 + odd.0, even.1 + odd.1);
    assert!(wrong.is_empty(), "{}\n{holds} hold, {fails} fail", wrong.join("\n"));
    assert!(holds > 0 && fails > 0, "{holds} verdicts hold and {fails} fail: both kinds must occur");
}
