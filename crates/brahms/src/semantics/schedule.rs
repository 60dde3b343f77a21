//! The scheduler: the rules `Sch_*` and `Set_*` (Stocker 2013, 6.3.1 and 6.3.3).
//!
//! An instant begins with the ends of activities; then everybody has turns until nobody has anything to do. Where within
//! the instant a state is stands in its first slot, so that any such state can be taken up again. `spec/brahms/rules.md`
//! says how this departs from the published rules: actors take their turns one after the other, in the order of declaration
//! unless a rule says otherwise ([`super::order`]), and what one of them does reaches the others at the same instant.

use motet_model::Fault;

use super::Semantics;
use super::control::{Context, Scope};
use super::layout::{MOMENT, ROUND, THOUGHTS};
use super::oracle::Weight;
use super::work::Work;
use crate::program::{ActorId, Order, Ties};

/// Nothing is left to do at this instant.
pub(crate) const QUIESCENT: u32 = 0;
/// Activities end.
const ENDS: u32 = 1;
/// The first turn; actor `a` has its turn at `TURN + a`.
pub(super) const TURN: u32 = 2;

/// The longest time, in seconds, that one step lets pass: its milliseconds fit 32 bits.
const LONGEST: u32 = u32::MAX / 1000;

impl Semantics {
    /// The state before anything happened: everybody has to look what there is to do.
    pub(super) fn beginning(&self) -> Box<[u32]> {
        let mut cells = self.layout.initial.clone();
        if let Some(first) = self.order(0) {
            cells[MOMENT] = if self.is_open() { self.pick_moment() } else { TURN + first.0 };
            cells[ROUND] = 1;
        }
        cells.into_boxed_slice()
    }

    /// Whether nobody says in which order actors take their turns.
    pub(super) fn is_open(&self) -> bool {
        self.program.rules.order == Order::Choice
    }

    /// The moment at which it is decided whose turn is next, where the order is open.
    pub(super) fn pick_moment(&self) -> u32 {
        TURN + u32::try_from(self.program.actors.len()).expect("actors are numbered with 32 bits")
    }

    /// The actor at a position of the order of turns.
    fn order(&self, position: usize) -> Option<ActorId> {
        let count = self.program.actors.len();
        let actor = match self.program.rules.order {
            Order::Reverse => count.checked_sub(position + 1)?,
            Order::Declared | Order::Choice => position,
        };
        (actor < count).then(|| ActorId(u32::try_from(actor).expect("actors are numbered with 32 bits")))
    }

    fn position(&self, actor: ActorId) -> usize {
        match self.program.rules.order {
            Order::Reverse => self.program.actors.len() - 1 - actor.index(),
            Order::Declared | Order::Choice => actor.index(),
        }
    }

    /// Rule `Sch_rcvd`: the clock goes on to the next end of an activity. The seconds that pass, or `None` (`Sch_Term`)
    /// if nothing is running, so that nothing will ever happen again.
    pub(super) fn sch_rcvd(&self, work: &mut Work) -> Option<u32> {
        let mut least = u32::MAX;
        for (number, seat) in (0..).zip(&self.layout.seats) {
            let remaining = work.cells[seat.remaining];
            if remaining > 0 {
                least = least.min(remaining);
                if self.timed[number as usize] {
                    least = least.min(self.next_point(&self.scope(work, ActorId(number)), number));
                }
            }
        }
        if least == u32::MAX {
            return None;
        }
        let passed = least.min(LONGEST);
        for (number, seat) in (0..).zip(&self.layout.seats) {
            let remaining = work.cells[seat.remaining];
            if remaining > 0 {
                work.set(seat.remaining, remaining - passed);
                if self.timed[number as usize] {
                    self.pass(work, ActorId(number), passed);
                }
            }
        }
        work.set(MOMENT, ENDS);
        work.set(ROUND, 1);
        Some(passed)
    }

    /// Seconds to the next point of a frame's time that a detectable of it waits for.
    fn next_point(&self, scope: &Scope, actor: u32) -> u32 {
        debug_assert!(self.timed[actor as usize]);
        let mut least = u32::MAX;
        let mut context = scope.current.as_ref();
        while let Some(at) = context {
            if let Some(timing) = at.timing {
                for (bit, percent) in self.points(at) {
                    let point = point(timing.total, percent);
                    if timing.reached >> bit & 1 == 0 && point > timing.elapsed {
                        least = least.min(point - timing.elapsed);
                    }
                }
            }
            context = at.inside.as_ref().and_then(|opened| opened.scope.current.as_ref());
        }
        least
    }

    /// The detectables of a frame that wait for a point of its time, with the percentage.
    fn points(&self, context: &Context) -> impl Iterator<Item = (u32, u32)> {
        let detectables = &self.program.frames[context.instance.frame.index()].detectables;
        (0..32).zip(detectables).filter_map(|(bit, detectable)| Some((bit, detectable.percent?)))
    }

    /// Time passes for frames that watch it: points are reached.
    fn pass(&self, work: &mut Work, actor: ActorId, passed: u32) {
        let mut scope = self.scope(work, actor);
        let mut context = scope.current.as_mut();
        while let Some(at) = context {
            if let Some(timing) = &mut at.timing {
                timing.elapsed += passed;
            }
            self.reach_points(work, actor, at);
            context = at.inside.as_mut().and_then(|opened| opened.scope.current.as_mut());
        }
        self.set_scope(work, actor, &mut scope);
    }

    /// Detectables whose point is reached have to be looked at, once.
    pub(super) fn reach_points(&self, work: &mut Work, actor: ActorId, context: &mut Context) {
        let Some(mut timing) = context.timing else { return };
        let first = self.layout.frame_bits[context.instance.frame.index()];
        let points: Vec<(u32, u32)> = self.points(context).collect();
        for (bit, percent) in points {
            if timing.reached >> bit & 1 == 0
                && percent <= 100
                && timing.elapsed >= point(timing.total, percent)
            {
                timing.reached |= 1 << bit;
                self.set_due(work, actor, first + bit);
                work.wake(actor);
            }
        }
        context.timing = Some(timing);
    }

    /// One atomic step within an instant.
    pub(super) fn micro(&self, work: &mut Work) -> Result<(), Fault> {
        match work.cells[MOMENT] {
            QUIESCENT => Ok(()),
            ENDS => self.ends(work),
            turn if turn == self.pick_moment() => self.pick(work),
            turn => self.set_act(work, ActorId(turn - TURN)),
        }
    }

    /// The next end of an activity at this instant, in the order of actors.
    fn ends(&self, work: &mut Work) -> Result<(), Fault> {
        let mut ending = Vec::new();
        for position in 0..self.program.actors.len() {
            let Some(actor) = self.order(position) else { break };
            if self.is_over(work, actor) {
                ending.push(actor);
                if !self.is_open() {
                    break;
                }
            }
        }
        if ending.is_empty() {
            return self.sch_run(work, 0);
        }
        let actor = self.next_of(work, &ending)?;
        let mut scope = self.scope(work, actor);
        work.wake(actor);
        self.finish(work, actor, &mut scope)
    }

    /// Whether the time of the activity that an actor does is over.
    pub(super) fn is_over(&self, work: &Work, actor: ActorId) -> bool {
        let seat = &self.layout.seats[actor.index()];
        work.cells[seat.remaining] == 0 && self.controls.is_running(work.cells[seat.control])
    }

    /// Rule `Sch_run`: the next one who has to look again gets its turn; if there is none, the instant is over.
    fn sch_run(&self, work: &mut Work, from: usize) -> Result<(), Fault> {
        work.set(THOUGHTS, 0);
        if self.is_open() {
            work.set(MOMENT, self.pick_moment());
            return Ok(());
        }
        let count = self.program.actors.len();
        let awake = |work: &Work, position: usize| self.order(position).filter(|actor| work.is_awake(*actor));
        if let Some(next) = (from..count).find_map(|position| awake(work, position)) {
            work.set(MOMENT, TURN + next.0);
            return Ok(());
        }
        let Some(next) = (0..from).find_map(|position| awake(work, position)) else {
            self.rest_all(work);
            return Ok(());
        };
        let round = work.cells[ROUND] + 1;
        if round > self.program.bounds.rounds {
            return Err(self.goes_round(work));
        }
        work.set(ROUND, round);
        work.set(MOMENT, TURN + next.0);
        Ok(())
    }

    /// Nobody has anything left to do: the instant is over.
    pub(super) fn rest_all(&self, work: &mut Work) {
        work.set(MOMENT, QUIESCENT);
        work.set(ROUND, 0);
        self.forget_writers(work);
    }

    /// The fault of a circle of reactions that takes no time.
    pub(super) fn goes_round(&self, work: &Work) -> Fault {
        let message = format!(
            "bound exceeded: more than {} rounds of turns without any time passing (rounds); it goes round through {}",
            self.program.bounds.rounds,
            self.cycle(work)
        );
        Fault { message }
    }

    /// Rule `Set_Act`: an actor looks for something to do, in the order of Stocker 2013, 6.3.2: thoughtframes, then
    /// detectables, then workframes.
    fn set_act(&self, work: &mut Work, actor: ActorId) -> Result<(), Fault> {
        if self.does_something(work, actor)? { Ok(()) } else { self.set_idle(work, actor) }
    }

    /// The next thing that an actor does in its turn; false if there is nothing.
    pub(super) fn does_something(&self, work: &mut Work, actor: ActorId) -> Result<bool, Fault> {
        if !work.is_awake(actor) || !self.is_present(work, actor) {
            return Ok(false);
        }
        let mut scope = self.scope(work, actor);
        if self.is_over(work, actor) {
            return self.finish(work, actor, &mut scope).map(|()| true);
        }
        Ok(self.tf_select(work, actor, &scope)?
            || self.detect(work, actor, &mut scope)?
            || self.wf_select(work, actor, &mut scope)?
            || self.pop(work, actor, &mut scope)?)
    }

    /// Which of several equals comes first.
    pub(super) fn tie(&self, work: &mut Work, count: usize) -> Result<usize, Fault> {
        if self.program.rules.ties == Ties::First {
            if count > 1 {
                self.narrowed.tie();
            }
            return Ok(0);
        }
        self.draws(count);
        work.oracle.choose(count, self.tie_weight())
    }

    /// One of so many is taken by chance, where ties are drawn.
    pub(super) fn draws(&self, count: usize) {
        if count > 1 && self.program.rules.ties == Ties::Random {
            self.narrowed.tie();
        }
    }

    /// What decides where the language does not.
    pub(super) fn tie_weight(&self) -> Weight {
        if self.program.rules.ties == Ties::Random { Weight::Equal } else { Weight::Free }
    }

    /// Rule `Set_Idle`: an actor is busy, or has nothing to do until something changes.
    fn set_idle(&self, work: &mut Work, actor: ActorId) -> Result<(), Fault> {
        self.rest(work, actor);
        self.sch_run(work, self.position(actor) + 1)
    }

    /// An actor need not look again before something changes.
    pub(super) fn rest(&self, work: &mut Work, actor: ActorId) {
        self.clear_due(work, actor);
        self.forget_blocks(work, actor);
        work.rest(actor);
    }
}

/// The second at which a percentage of a frame's time is done.
fn point(total: u32, percent: u32) -> u32 {
    let seconds = (u64::from(total) * u64::from(percent)).div_ceil(100);
    u32::try_from(seconds).unwrap_or(u32::MAX)
}
