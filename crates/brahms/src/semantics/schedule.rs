//! The scheduler: the rules `Sch_*` and `Set_*` (Stocker 2013, 6.3.1 and 6.3.3).
//!
//! An instant begins with the ends of activities; then everybody has turns until nobody has anything to do. Where within
//! the instant a state is stands in its first slot, so that any such state can be taken up again. `spec/brahms/rules.md`
//! says how this departs from the published rules: actors take their turns one after the other, in the order of declaration,
//! and what one of them does reaches the others at the same instant.

use motet_model::Fault;

use super::Semantics;
use super::control::{Context, Scope};
use super::layout::{MOMENT, ROUND, THOUGHTS};
use super::oracle::Weight;
use super::work::Work;
use crate::program::{ActorId, Ties};

/// Nothing is left to do at this instant.
pub(crate) const QUIESCENT: u32 = 0;
/// Activities end.
const ENDS: u32 = 1;
/// The first turn; actor `a` has its turn at `TURN + a`.
const TURN: u32 = 2;

/// The longest time, in seconds, that one step lets pass: its milliseconds fit 32 bits.
const LONGEST: u32 = u32::MAX / 1000;

impl Semantics {
    /// The state before anything happened: everybody has to look what there is to do.
    pub(super) fn beginning(&self) -> Box<[u32]> {
        let mut cells = self.layout.initial.clone();
        if let Some(first) = self.order(0) {
            cells[MOMENT] = TURN + first.0;
            cells[ROUND] = 1;
        }
        cells.into_boxed_slice()
    }

    /// The actor at a position of the order of turns.
    fn order(&self, position: usize) -> Option<ActorId> {
        let count = self.program.actors.len();
        let actor =
            if self.program.rules.reverse_order { count.checked_sub(position + 1)? } else { position };
        (actor < count).then(|| ActorId(u32::try_from(actor).expect("actors are numbered with 32 bits")))
    }

    fn position(&self, actor: ActorId) -> usize {
        let count = self.program.actors.len();
        if self.program.rules.reverse_order { count - 1 - actor.index() } else { actor.index() }
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
            turn => self.set_act(work, ActorId(turn - TURN)),
        }
    }

    /// The next end of an activity at this instant, in the order of actors.
    fn ends(&self, work: &mut Work) -> Result<(), Fault> {
        for position in 0..self.program.actors.len() {
            let Some(actor) = self.order(position) else { break };
            let seat = &self.layout.seats[actor.index()];
            if work.cells[seat.remaining] == 0 && self.controls.is_running(work.cells[seat.control]) {
                let mut scope = self.scope(work, actor);
                work.wake(actor);
                return self.finish(work, actor, &mut scope);
            }
        }
        self.sch_run(work, 0)
    }

    /// Rule `Sch_run`: the next one who has to look again gets its turn; if there is none, the instant is over.
    fn sch_run(&self, work: &mut Work, from: usize) -> Result<(), Fault> {
        work.set(THOUGHTS, 0);
        let count = self.program.actors.len();
        let awake = |work: &Work, position: usize| self.order(position).filter(|actor| work.is_awake(*actor));
        if let Some(next) = (from..count).find_map(|position| awake(work, position)) {
            work.set(MOMENT, TURN + next.0);
            return Ok(());
        }
        let Some(next) = (0..from).find_map(|position| awake(work, position)) else {
            work.set(MOMENT, QUIESCENT);
            work.set(ROUND, 0);
            return Ok(());
        };
        let round = work.cells[ROUND] + 1;
        if round > self.program.bounds.rounds {
            let message = format!(
                "bound exceeded: more than {} rounds of turns without any time passing (rounds); it goes round \
                 through {}",
                self.program.bounds.rounds,
                self.cycle(work)
            );
            return Err(Fault { message });
        }
        work.set(ROUND, round);
        work.set(MOMENT, TURN + next.0);
        Ok(())
    }

    /// Rule `Set_Act`: an actor looks for something to do, in the order of Stocker 2013, 6.3.2: thoughtframes, then
    /// detectables, then workframes.
    fn set_act(&self, work: &mut Work, actor: ActorId) -> Result<(), Fault> {
        if !work.is_awake(actor) || !self.is_present(work, actor) {
            return self.set_idle(work, actor);
        }
        let mut scope = self.scope(work, actor);
        let seat = &self.layout.seats[actor.index()];
        if work.cells[seat.remaining] == 0 && self.controls.is_running(work.cells[seat.control]) {
            return self.finish(work, actor, &mut scope);
        }
        if self.tf_select(work, actor, &scope)?
            || self.detect(work, actor, &mut scope)?
            || self.wf_select(work, actor, &mut scope)?
            || self.pop(work, actor, &mut scope)?
        {
            return Ok(());
        }
        self.set_idle(work, actor)
    }

    /// Which of several equals comes first.
    pub(super) fn tie(&self, work: &mut Work, count: usize) -> Result<usize, Fault> {
        let count = if self.program.rules.ties == Ties::First { 1 } else { count };
        work.oracle.choose(count, self.tie_weight())
    }

    /// What decides where the language does not.
    pub(super) fn tie_weight(&self) -> Weight {
        if self.program.rules.ties == Ties::Random { Weight::Equal } else { Weight::Free }
    }

    /// Rule `Set_Idle`: an actor is busy, or has nothing to do until something changes.
    fn set_idle(&self, work: &mut Work, actor: ActorId) -> Result<(), Fault> {
        self.clear_due(work, actor);
        self.forget_blocks(work, actor);
        work.rest(actor);
        self.sch_run(work, self.position(actor) + 1)
    }
}

/// The second at which a percentage of a frame's time is done.
fn point(total: u32, percent: u32) -> u32 {
    let seconds = (u64::from(total) * u64::from(percent)).div_ceil(100);
    u32::try_from(seconds).unwrap_or(u32::MAX)
}
