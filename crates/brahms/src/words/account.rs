//! Why a frame fires or does not fire: its conditions with what they read, how often it may be done, what it competes with.

use motet_model::{Account, AccountLine, State};

use crate::program::{ActorId, Condition, ConditionNode, Expr, Frame, FrameId, Repeat, Statement};
use crate::semantics::control::{Context, Instance, Scope};
use crate::semantics::value::UNKNOWN;
use crate::words::events::process;
use crate::words::guard::{Inspection, Inspector, reads};
use crate::words::readiness::{Level, with_parameters};
use crate::words::{Teller, naming};

/// How a frame stands in its scope.
enum Standing<'a> {
    Current(&'a Context),
    Interrupted(&'a Context),
    Impassed(u32),
    Pending,
    Away,
}

impl Teller {
    /// See [`motet_model::Words::account`].
    pub(crate) fn accounts(&self, state: &State, subject: &str) -> Vec<Account> {
        let frames = (0..).map(FrameId).zip(&self.program().frames);
        let named = frames.filter(|(_, frame)| {
            frame.name == subject || frame.name.split_once('~').is_some_and(|(name, _)| name == subject)
        });
        let mut accounts: Vec<Account> = named.map(|(id, frame)| self.account_of(state, id, frame)).collect();
        accounts.sort_by_key(|account| account.process);
        accounts
    }

    fn account_of(&self, state: &State, id: FrameId, frame: &Frame) -> Account {
        let mut account = Account {
            process: process(frame.actor),
            subject: frame.name.clone(),
            status: String::new(),
            active: false,
            lines: Vec::new(),
            origin: Some(frame.name_span),
        };
        if !self.semantics.layout.is_there(state, self.program().actors[frame.actor.index()].entity) {
            account.status = format!("{} does not exist", naming::actor(self.program(), frame.actor));
            return account;
        }
        let Some(level) = self.level(state, frame.actor, frame.inside) else {
            let around = frame.inside.map_or("", |inside| naming::activity(self.program(), inside));
            account.status = format!("not considered: {around} is not open");
            return account;
        };
        let inspection = self.inspect(state, frame, &level);
        account.lines = self.condition_lines(state, frame, &level, &inspection);
        let holds = inspection.holds;
        let thinks = self.thinks(id);
        self.limits(state, id, frame, &level, &mut account.lines);
        if thinks {
            account.status = self.thought_status(state, id, frame, &level, holds, &inspection);
            return account;
        }
        match standing(&level.scope, id) {
            Standing::Current(context) => {
                account.active = true;
                let left = state[self.semantics.layout.seats[frame.actor.index()].remaining];
                account.status = format!("is being done: {}", self.context(context, Some(left)));
            }
            Standing::Interrupted(context) => {
                account.status = format!(
                    "interrupted{}: {}",
                    self.rival_text(&level.scope, frame.priority + 2),
                    self.context(context, None)
                );
            }
            Standing::Impassed(detectable) => {
                let name = frame.detectables.get(detectable as usize).map_or("", |d| d.name.as_str());
                account.status = format!("at an impasse: goes on when detectable {name} no longer holds");
            }
            Standing::Pending => {
                account.status = "waits for its turn among the instances of `foreach`".to_owned()
            }
            Standing::Away => account.status = self.away_status(state, id, frame, &level, holds, &inspection),
        }
        if holds || !matches!(standing(&level.scope, id), Standing::Away) {
            self.rival_lines(state, id, frame, &level, &mut account.lines);
        }
        account
    }

    /// Why a workframe that is not under way has not begun.
    fn away_status(
        &self,
        state: &State,
        id: FrameId,
        frame: &Frame,
        level: &Level,
        holds: bool,
        inspection: &Inspection,
    ) -> String {
        if !holds {
            return format!("cannot begin: {}", lacking(frame, inspection));
        }
        let startable = self.startable(state, id, level);
        if startable.is_empty() {
            let seat = &self.semantics.layout.seats[frame.actor.index()];
            let blocked = seat.blocked.is_some_and(|slot| self.marks(state, id, Some(slot)).next().is_some());
            return if blocked {
                "its guard holds, but a detectable ended it; it begins again after a change".to_owned()
            } else {
                "done: its guard holds, but `repeat` does not allow it again".to_owned()
            };
        }
        match &level.scope.current {
            Some(current) => {
                let other = &self.program().frames[current.instance.frame.index()];
                if frame.priority > other.priority + 3 {
                    return format!("is about to begin and to interrupt {}", other.name);
                }
                format!(
                    "waits: {} has priority {}, {} {}",
                    other.name,
                    naming::priority(other.priority + 3),
                    frame.name,
                    naming::priority(frame.priority)
                )
            }
            None => "is about to begin".to_owned(),
        }
    }

    fn thought_status(
        &self,
        state: &State,
        id: FrameId,
        frame: &Frame,
        level: &Level,
        holds: bool,
        inspection: &Inspection,
    ) -> String {
        if !holds {
            return format!("does not fire: {}", lacking(frame, inspection));
        }
        let seat = &self.semantics.layout.seats[frame.actor.index()];
        if self.startable(state, id, level).is_empty() {
            return "done: its guard holds, but `repeat` does not allow it again".to_owned();
        }
        let spent = seat.spent.is_some_and(|slot| self.marks(state, id, Some(slot)).next().is_some());
        if spent {
            "fired; it fires again when a belief that its guard reads changes".to_owned()
        } else {
            "is about to fire".to_owned()
        }
    }

    /// What is under way in the scope, as the end of "interrupted".
    fn rival_text(&self, scope: &Scope, own: i64) -> String {
        match &scope.current {
            Some(current) => {
                let other = &self.program().frames[current.instance.frame.index()];
                format!(
                    " by {} (priority {} against {})",
                    other.name,
                    naming::priority(other.priority + 3),
                    naming::priority(own)
                )
            }
            None => String::new(),
        }
    }

    fn inspect(&self, state: &State, frame: &Frame, level: &Level) -> Inspection {
        with_parameters(&level.arguments, |parameters| {
            Inspector { semantics: &self.semantics, frame, cells: state, parameters }.inspect()
        })
    }

    fn condition_lines(
        &self,
        state: &State,
        frame: &Frame,
        level: &Level,
        inspection: &Inspection,
    ) -> Vec<AccountLine> {
        if frame.guard.is_empty() {
            return vec![AccountLine { met: Some(true), text: "no guard: always possible".to_owned() }];
        }
        let several = !frame.variables.is_empty();
        let mut lines = Vec::new();
        if several && inspection.tallies.iter().any(|tally| tally.tested > 1) {
            let best = self.best(frame, inspection);
            if !best.is_empty() {
                let text = format!("read with {best}, which gets farthest");
                lines.push(AccountLine { met: None, text });
            }
        }
        for (at, condition) in frame.guard.iter().enumerate() {
            let tally = inspection.tallies[at];
            let text = naming::quoted(&self.sources, condition.span);
            if tally.tested == 0 {
                lines.push(self.untested(state, frame, level, condition, &inspection.best));
                continue;
            }
            let mut reading = self.reading(state, frame, level, condition, &inspection.best);
            if several && tally.tested > 1 {
                let of = if inspection.cut { "at least " } else { "" };
                let share = format!("holds for {} of {of}{} candidates", tally.passed, tally.tested);
                reading = if reading.is_empty() { share } else { format!("{share}; {reading}") };
            }
            let text = if reading.is_empty() { text } else { format!("{text}: {reading}") };
            lines.push(AccountLine { met: Some(tally.passed > 0), text });
        }
        lines
    }

    /// A condition that no candidate gets to; the best one is shown if it has all values.
    fn untested(
        &self,
        state: &State,
        frame: &Frame,
        level: &Level,
        condition: &Condition,
        binding: &[u32],
    ) -> AccountLine {
        let text = naming::quoted(&self.sources, condition.span);
        let truth = with_parameters(&level.arguments, |parameters| {
            let inspector = Inspector { semantics: &self.semantics, frame, cells: state, parameters };
            let settled = inspector.is_settled(&condition.node, binding);
            settled.then(|| self.semantics.holds_condition(&inspector.env(binding), &condition.node))
        });
        match truth {
            None => AccountLine { met: None, text: format!("{text}: not reached by any candidate") },
            met => {
                let reading = self.reading(state, frame, level, condition, binding);
                AccountLine {
                    met,
                    text: if reading.is_empty() { text } else { format!("{text}: {reading}") },
                }
            }
        }
    }

    fn best(&self, frame: &Frame, inspection: &Inspection) -> String {
        let value = |word: u32| self.semantics.codec.decode(word).map(|of| naming::value(self.program(), of));
        let named = frame.variables.iter().zip(&inspection.best);
        let parts: Vec<String> = named
            .filter_map(|(variable, word)| Some(format!("{} = {}", variable.name, value(*word)?)))
            .collect();
        parts.join(", ")
    }

    /// What a condition reads: `Bob.missed is 0, needs > 1`.
    fn reading(
        &self,
        state: &State,
        frame: &Frame,
        level: &Level,
        condition: &Condition,
        binding: &[u32],
    ) -> String {
        with_parameters(&level.arguments, |parameters| {
            let inspector = Inspector { semantics: &self.semantics, frame, cells: state, parameters };
            let env = inspector.env(binding);
            let program = self.program();
            let mut parts = Vec::new();
            for reading in reads(&self.semantics, &env, &condition.node) {
                let Some(key) = reading.key else { continue };
                let value = match self.semantics.codec.decode(reading.word) {
                    Some(value) if reading.word != UNKNOWN => naming::value(program, value),
                    _ => "unknown".to_owned(),
                };
                parts.push(format!("{} is {value}", naming::key(program, key)));
            }
            if parts.is_empty()
                && matches!(condition.node, ConditionNode::Related { .. } | ConditionNode::Compare { .. })
            {
                let constant = match &condition.node {
                    ConditionNode::Compare { left, right, .. } => is_constant(left) && is_constant(right),
                    _ => false,
                };
                if !constant {
                    parts.push("nothing is known of it".to_owned());
                }
            }
            parts.join(", ")
        })
    }

    /// Lines about `repeat` and detectables.
    fn limits(&self, state: &State, id: FrameId, frame: &Frame, level: &Level, lines: &mut Vec<AccountLine>) {
        let seat = &self.semantics.layout.seats[frame.actor.index()];
        let shown = |instance: Instance| {
            let values = naming::binding(self.program(), id, &self.semantics.bound(instance.binding));
            if values.is_empty() { String::new() } else { format!(" for {values}") }
        };
        if frame.repeat != Repeat::Always {
            for done in self.marks(state, id, seat.done) {
                let live = level.scope.contexts().any(|context| context.instance == done);
                let text = format!("repeat: begun already{}", shown(done));
                lines.push(AccountLine { met: if live { None } else { Some(false) }, text });
            }
        }
        for blocked in self.marks(state, id, seat.blocked) {
            let text = format!("ended by a detectable{}; waits for a change", shown(blocked));
            lines.push(AccountLine { met: Some(false), text });
        }
    }

    /// Lines about what else could be done, and about the frame that is being done.
    fn rival_lines(
        &self,
        state: &State,
        id: FrameId,
        frame: &Frame,
        level: &Level,
        lines: &mut Vec<AccountLine>,
    ) {
        let program = self.program();
        if let Some(current) = level.scope.current.as_ref().filter(|current| current.instance.frame != id) {
            let other = &program.frames[current.instance.frame.index()];
            let text = format!(
                "priority {} against {} of {}, which is being done ({}, {})",
                naming::priority(frame.priority),
                naming::priority(other.priority + 3),
                other.name,
                self.running(state, frame.actor, current),
                naming::line(&self.sources, other.name_span)
            );
            lines.push(AccountLine { met: Some(frame.priority > other.priority + 3), text });
        }
        let rivals = self.frames_of(frame.actor, frame.inside).into_iter().filter(|other| {
            *other != id
                && program.frames[other.index()].priority >= frame.priority
                && !self.startable(state, *other, level).is_empty()
        });
        for other in rivals {
            let other = &program.frames[other.index()];
            let text = format!(
                "{} could begin too, with priority {} ({})",
                other.name,
                naming::priority(other.priority),
                naming::line(&self.sources, other.name_span)
            );
            lines.push(AccountLine { met: None, text });
        }
    }

    /// What a current frame is at: `in otherDuties, 2 h left`.
    fn running(&self, state: &State, actor: ActorId, current: &Context) -> String {
        let left = state[self.semantics.layout.seats[actor.index()].remaining];
        let innermost = current.innermost();
        let frame = &self.program().frames[innermost.instance.frame.index()];
        match frame.body.get(innermost.next as usize) {
            Some(Statement::Do(activity)) => {
                let name = naming::activity(self.program(), *activity);
                format!("in {name}, {} left", naming::length(left))
            }
            _ => "between two activities".to_owned(),
        }
    }
}

fn standing(scope: &Scope, id: FrameId) -> Standing<'_> {
    let is = |context: &&Context| context.instance.frame == id;
    if let Some(context) = scope.current.as_ref().filter(is) {
        return Standing::Current(context);
    }
    if let Some(context) = scope.interrupted.iter().find(is) {
        return Standing::Interrupted(context);
    }
    if let Some(impasse) = scope.impassed.iter().find(|impasse| impasse.context.instance.frame == id) {
        return Standing::Impassed(impasse.detectable);
    }
    if scope.pending.iter().any(|instance| instance.frame == id) {
        return Standing::Pending;
    }
    Standing::Away
}

/// `2 of 3 conditions hold`
fn lacking(frame: &Frame, inspection: &Inspection) -> String {
    let total = frame.guard.len();
    if frame.variables.is_empty() {
        let met = inspection.tallies.iter().filter(|tally| tally.passed > 0).count();
        return format!("{met} of {total} conditions hold");
    }
    let condition = inspection.reached + 1;
    format!("no candidate meets conditions 1 to {condition} of {total}")
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Value(_) | Expr::Unknown)
}
