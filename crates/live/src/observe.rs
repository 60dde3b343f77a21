//! Where a run is watched: claims and the model's chances are held against what really happens.

use motet_model::{ActionId, News, Order, Perceived, State, Trouble};
use motet_render::{RunRemark, RunStanding};

/// Somebody who watches a run and says something now and then. Claims and drift are watched this way.
pub trait Observer {
    /// The situation before the first cycle.
    fn begin(&mut self, state: &State) -> Observed;

    /// What a cycle came to.
    fn observe(&mut self, moment: &Moment<'_>) -> Observed;

    /// How things stand, for the end.
    fn standings(&self) -> Vec<RunStanding>;
}

/// A cycle that has just ended.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Its number, from 1.
    pub cycle: u64,
    /// The situation before it.
    pub before: &'a State,
    /// What was chosen in it.
    pub action: ActionId,
    /// What was ordered in it.
    pub orders: &'a [Order],
    /// What was heard in it.
    pub news: &'a [News],
    /// What the team made of that.
    pub perceived: &'a Perceived,
    /// The situation after it.
    pub state: &'a State,
}

/// What an observer says of a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// For the log.
    pub remarks: Vec<RunRemark>,
    /// For the agents, which hear of it in the next cycle.
    pub troubles: Vec<Trouble>,
    /// What the agents perceive in the next cycle besides what skills say.
    pub news: Vec<News>,
}
