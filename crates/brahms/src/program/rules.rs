//! How a model is run: open questions settled, and limits.

/// How open questions of the language are settled (`spec/brahms/rules.md`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// `unknown=real`: reading what is not stored gives no value; `unknown=zero` gives 0 or false.
    pub unknown_is_zero: bool,
    /// `detect-at-start`: detectables are looked at when a frame starts or resumes, not only after a later change.
    pub detect_at_start: bool,
    /// `detect-on=beliefs`: detectables make the facts they look at beliefs, whatever these say, and test beliefs;
    /// `detect-on=facts` tests the facts, and only those that match become beliefs.
    pub detect_on_facts: bool,
    /// `resume=free`: an interrupted frame resumes without a new test of its guard.
    pub resume_tests_guard: bool,
    /// `ties`: which of several frames or bindings of equal priority comes first.
    pub ties: Ties,
    /// `order`: in which order actors take their turns.
    pub order: Order,
    /// `arrival-restates`: a move to where one is already states the location again.
    pub zero_move_asserts: bool,
    /// `aborted-counts`: a frame with `repeat: false` that was aborted counts as done.
    pub aborted_counts: bool,
    /// `complete-delivers`: `complete` lets the running activity have its effect.
    pub complete_delivers: bool,
    /// `location-awareness`: agents notice who comes to and leaves the area they are in.
    pub location_awareness: bool,
    /// `durations`: which values a random duration takes, and who decides.
    pub durations: Durations,
    /// `division=truncate`: `/` on whole numbers truncates; `division=exact` gives a fraction.
    pub exact_division: bool,
    /// `repeat=binding`: `repeat: false` counts for each binding; `repeat=frame` for the whole frame.
    pub repeat_per_frame: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            unknown_is_zero: false,
            detect_at_start: true,
            detect_on_facts: false,
            resume_tests_guard: false,
            ties: Ties::Choice,
            order: Order::Declared,
            zero_move_asserts: false,
            aborted_counts: true,
            complete_delivers: false,
            location_awareness: false,
            durations: Durations::All,
            exact_division: false,
            repeat_per_frame: false,
        }
    }
}

/// In which order actors that act at one instant take their turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The order of declaration.
    Declared,
    /// The reverse of it.
    Reverse,
    /// Any: all orders that make a difference are tried.
    Choice,
}

/// Which of several equals comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// Any: all are tried, and numbers have a least and a greatest value.
    Choice,
    /// The first in the order of the text.
    First,
    /// Each with the same chance.
    Random,
}

/// How long an activity with `random: true` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durations {
    /// Every value between its ends: any, or each with the same chance where ties are drawn.
    All,
    /// The shortest or the longest, decided in the same way.
    Ends,
    /// Every value, any of them.
    Choice,
    /// Every value, each with the same chance.
    Random,
}

impl Rules {
    /// Whether the length of an activity with `random: true` is a matter of chance.
    #[must_use]
    pub fn draws_durations(&self) -> bool {
        match self.durations {
            Durations::Random => true,
            Durations::Choice => false,
            Durations::All | Durations::Ends => self.ties == Ties::Random,
        }
    }
}

/// Limits that turn a runaway model into *unknown*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// `thoughts`: thoughtframes of one actor at one instant.
    pub thoughts: u32,
    /// `rounds`: turns of everybody at one instant.
    pub rounds: u32,
    /// `created`: entities in reserve for each `create_...` activity.
    pub created: u32,
    /// `indices`: whole numbers from 0 that a computed index of a map may be, beside those that texts mention.
    pub indices: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { thoughts: 10_000, rounds: 1_000, created: 3, indices: 32 }
    }
}
