//! The rules of `spec/prism` on small models.

#[path = "rules/claims.rs"]
mod claims;
#[path = "rules/composition.rs"]
mod composition;
#[path = "rules/lab.rs"]
mod lab;
#[path = "rules/observers.rs"]
mod observers;
#[path = "rules/random.rs"]
mod random;
#[path = "rules/reductions.rs"]
mod reductions;
#[path = "rules/rewards.rs"]
mod rewards;
#[path = "rules/steps.rs"]
mod steps;
#[path = "rules/telling.rs"]
mod telling;
#[path = "rules/wrong.rs"]
mod wrong;
