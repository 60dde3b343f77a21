//! The cycle of agents that act: show, choose, decide, order, gather, perceive, watch, log.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use motet_model::{Actor, Alternative, Fault, News, Order, Perceived, Trouble, Words};
use motet_render::{RunAlternative, RunCycle, RunEnd, RunEvent, RunHead, RunRemark};

use crate::clock::Clock;
use crate::goal::Goal;
use crate::inspect::{Mirror, believed};
use crate::observe::{Moment, Observed, Observer};
use crate::protocol::{Hello, Pace, news_text, order_text};
use crate::select::Select;
use crate::sink::{Receipt, Sink};
use crate::skills::{Gathered, Skills, Source, Standing};

/// Everybody who has a part in a run.
pub struct Run<'a> {
    /// The team.
    pub actor: &'a mut dyn Actor,
    /// The team's model, in words.
    pub words: &'a dyn Words,
    /// Who carries out what the team decides.
    pub skills: &'a mut dyn Skills,
    /// Who chooses where the team leaves a choice open.
    pub select: &'a mut dyn Select,
    /// Who watches.
    pub observers: Vec<&'a mut dyn Observer>,
    /// Who is told.
    pub sinks: Vec<&'a mut dyn Sink>,
    /// When it ends.
    pub limits: RunLimits<'a>,
    /// What it is a run of; what the skills say of themselves is filled in.
    pub head: RunHead,
}

/// When a run ends, besides the skills' bye.
pub struct RunLimits<'a> {
    /// After so many cycles.
    pub cycles: Option<u64>,
    /// When this is reached.
    pub until: Option<Goal<'a>>,
    /// So many cycles after the skills have died, or after so many in a row in which they were silent.
    pub grace: u64,
    /// When this is set.
    pub interrupt: &'a AtomicBool,
}

/// Why a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stop {
    Bye(String),
    Cycles,
    Until(String),
    Dead,
    Silent,
    Fault(String),
    Interrupted,
    Enough(String),
    Recorded(Box<RunEnd>),
}

impl Stop {
    /// As programs read it, and as people do.
    fn told(self) -> (String, String) {
        let (end, reason) = match self {
            Self::Bye(why) if why.is_empty() => ("bye", "the skills said bye".to_owned()),
            Self::Bye(why) => ("bye", format!("the skills said bye: {why}")),
            Self::Cycles => ("cycles", "all cycles were run".to_owned()),
            Self::Until(what) => ("until", format!("{what} is reached")),
            Self::Dead => ("dead", "the skills are dead".to_owned()),
            Self::Silent => ("silent", "the skills stay silent".to_owned()),
            Self::Fault(message) => ("fault", message),
            Self::Interrupted => ("interrupted", "interrupted".to_owned()),
            Self::Enough(why) => ("difference", why),
            Self::Recorded(end) => return (end.end, end.reason),
        };
        (end.to_owned(), reason)
    }
}

/// Runs until something ends it.
pub fn run(mut run: Run<'_>) -> RunEnd {
    let pace = run.head.rate.map_or(Pace::Lockstep, Pace::Rate);
    let hello = Hello::new(&run.actor.manifest(), pace, run.head.speed);
    let gathered = run.skills.begin(&hello);
    let mut course = Course::default();
    run.head.ready.clone_from(&gathered.ready);
    let mirror = Mirror::new(run.words, run.actor.state());
    run.head.minds = mirror.minds(run.words, run.actor.state(), &[]);
    run.head.agents = hello.agents;
    run.head.actions = hello.actions;
    run.head.percepts = hello.percepts;
    let head = RunEvent::Begin(Box::new(run.head.clone()));
    let stop = course.tell(&mut run.sinks, &head);
    let mut observed = Observed::default();
    for observer in &mut run.observers {
        let found = observer.begin(run.actor.state());
        observed.remarks.extend(found.remarks);
        observed.troubles.extend(found.troubles);
        observed.news.extend(found.news);
    }
    let reached = run.limits.until.as_mut().and_then(|goal| goal.read(run.actor.state()));
    // Skills that end before they are ready have never been skills: there is nothing to go on with.
    let stop = stop.or_else(|| match &gathered.standing {
        Standing::Dead => Some(Stop::Dead),
        Standing::Bye(why) => Some(Stop::Bye(why.clone())),
        Standing::Recorded(end) => Some(Stop::Recorded(end.clone())),
        Standing::Alive | Standing::Stalled => reached.map(Stop::Until),
    });
    course.count(&gathered.troubles);
    course.early = Some(gathered);
    course.keep(observed);
    let stop = match stop {
        Some(stop) => stop,
        None => course.cycles(&mut run, mirror),
    };
    course.end(&mut run, stop)
}

/// How far a run is.
#[derive(Default)]
struct Course {
    cycle: u64,
    /// What was said before the first cycle.
    early: Option<Gathered>,
    /// What the agents hear next.
    troubles: Vec<Trouble>,
    insights: Vec<News>,
    remarks: Vec<RunRemark>,
    counts: BTreeMap<Trouble, u64>,
    calls: u64,
    news: u64,
    choices: u64,
    /// Cycles since the skills died.
    dead: Option<u64>,
    /// Cycles in a row in which they were silent.
    silent: u64,
    /// What agents wait for.
    clock: Clock,
    /// Whether nothing happened in the last cycle: in lockstep time would pass for nothing.
    idle: bool,
}

impl Course {
    fn count(&mut self, troubles: &[Trouble]) {
        for trouble in troubles {
            *self.counts.entry(*trouble).or_default() += 1;
        }
    }

    fn keep(&mut self, observed: Observed) {
        self.count(&observed.troubles);
        self.remarks.extend(observed.remarks);
        self.insights.extend(observed.news);
        for trouble in observed.troubles {
            if !self.troubles.contains(&trouble) {
                self.troubles.push(trouble);
            }
        }
    }

    /// Tells an event to everybody; a log that is lost becomes news.
    fn tell(&mut self, sinks: &mut [&mut dyn Sink], event: &RunEvent) -> Option<Stop> {
        let mut stop = None;
        for sink in sinks {
            match sink.tell(event) {
                Receipt::Taken => {}
                Receipt::Lost(why) => {
                    let text = format!("the log cannot be written: {why}");
                    let about = Trouble::LogLost.sentence().to_owned();
                    let remarks = vec![RunRemark { about, text }];
                    self.keep(Observed { remarks, troubles: vec![Trouble::LogLost], news: Vec::new() });
                }
                Receipt::Enough(why) => stop = Some(Stop::Enough(why)),
            }
        }
        stop
    }

    fn cycles(&mut self, run: &mut Run<'_>, mut mirror: Mirror) -> Stop {
        loop {
            if run.limits.cycles.is_some_and(|most| self.cycle >= most) {
                return Stop::Cycles;
            }
            if run.limits.interrupt.load(Ordering::Relaxed) {
                return Stop::Interrupted;
            }
            match self.one(run, &mut mirror) {
                Ok(None) => {}
                Ok(Some(stop)) => return stop,
                Err(fault) => return Stop::Fault(fault.message),
            }
        }
    }

    /// One cycle. It is told as far as it came.
    fn one(&mut self, run: &mut Run<'_>, mirror: &mut Mirror) -> Result<Option<Stop>, Fault> {
        self.cycle += 1;
        let mut told = RunCycle { cycle: self.cycle, ..RunCycle::default() };
        let advanced = self.advance(run, &mut told);
        if let Err(fault) = &advanced {
            told.remarks.push(RunRemark { about: "fault".to_owned(), text: fault.message.clone() });
        }
        let state = run.actor.state();
        told.changes = mirror.look(run.words, state);
        told.minds = mirror.minds(run.words, state, &told.changes);
        let reached = run.limits.until.as_mut().and_then(|goal| goal.read(state));
        let stop = self.tell(&mut run.sinks, &RunEvent::Cycle(Box::new(told)));
        let standing = advanced?;
        Ok(stop.or(reached.map(Stop::Until)).or_else(|| self.standing(standing, run.limits.grace)))
    }

    /// Choose, decide, order, gather, perceive, watch.
    fn advance(&mut self, run: &mut Run<'_>, told: &mut RunCycle) -> Result<Standing, Fault> {
        let before = run.actor.state().to_vec();
        let alternatives = run.actor.alternatives();
        let choice = self.choose(run, &alternatives, told);
        let orders = run.actor.decide(choice)?;
        told.orders = orders.iter().map(order_text).collect();
        self.calls += orders.iter().filter(|order| matches!(order, Order::Call { .. })).count() as u64;
        let for_skills = self.clock.take(&orders, run.head.speed);
        run.skills.order(self.cycle, &for_skills, &believed(run.words, run.actor.state()));
        if self.idle && run.head.rate.is_none() && run.skills.source() != Source::Log {
            self.clock.pause();
        }
        let (news, standing) = self.gather(run, told);
        told.news = news.iter().map(news_text).collect();
        let perceived = run.actor.perceive(&news)?;
        self.judge(&perceived, told);
        let action = alternatives.get(choice).map_or(motet_model::ActionId(0), |chosen| chosen.action);
        let (cycle, state) = (self.cycle, run.actor.state());
        self.idle = orders.is_empty() && before[..] == *state;
        let (before, orders, news, perceived) = (&before[..], &orders[..], &news[..], &perceived);
        let moment = Moment { cycle, before, action, orders, news, perceived, state };
        for observer in &mut run.observers {
            let observed = observer.observe(&moment);
            told.remarks.extend(observed.remarks.iter().cloned());
            self.keep(Observed { remarks: Vec::new(), ..observed });
        }
        Ok(standing)
    }

    fn choose(&mut self, run: &mut Run<'_>, alternatives: &[Alternative], told: &mut RunCycle) -> usize {
        if alternatives.len() < 2 {
            return 0;
        }
        self.choices += 1;
        let chosen = run.select.select(run.actor.state(), alternatives);
        let mut values = chosen.values.into_iter();
        told.alternatives = alternatives
            .iter()
            .map(|alternative| RunAlternative {
                text: alternative.text.clone(),
                values: values.next().unwrap_or_default(),
            })
            .collect();
        let at = chosen.at.min(alternatives.len() - 1);
        told.choice = Some(at);
        told.reason = chosen.reason;
        at
    }

    /// What the agents hear in this cycle: the troubles of the last one, what the skills said, and what is wrong with that.
    fn gather(&mut self, run: &mut Run<'_>, told: &mut RunCycle) -> (Vec<News>, Standing) {
        let gathered = run.skills.gather(self.cycle);
        let troubles = std::mem::take(&mut self.troubles).into_iter().map(News::Trouble);
        let mut news: Vec<News> = std::mem::take(&mut self.insights).into_iter().chain(troubles).collect();
        if run.skills.source() == Source::Log {
            news.clear();
        } else {
            news.extend(self.clock.rung());
        }
        let standing = gathered.standing.clone();
        self.count(&gathered.troubles);
        told.millis = gathered.millis;
        told.remarks.append(&mut self.remarks);
        for part in self.early.take().into_iter().chain([gathered]) {
            self.news += part.news.len() as u64;
            news.extend(part.news);
            news.extend(part.troubles.into_iter().map(News::Trouble));
            told.remarks.extend(part.remarks);
            told.objects.extend(part.objects);
            told.shown.extend(part.shown);
            told.said.extend(part.said);
        }
        (news, standing)
    }

    /// What the team could not make sense of.
    fn judge(&mut self, perceived: &Perceived, told: &mut RunCycle) {
        if !perceived.unknown.is_empty() {
            self.count(&[Trouble::UnknownMessage]);
        }
        let unknown = Trouble::UnknownMessage.sentence();
        let lines = perceived.unknown.iter().map(|text| (unknown, text));
        let lines = lines.chain(perceived.impossible.iter().map(|text| ("impossible", text)));
        told.remarks
            .extend(lines.map(|(about, text)| RunRemark { about: about.to_owned(), text: text.clone() }));
    }

    /// Whether the skills' standing ends the run.
    fn standing(&mut self, standing: Standing, grace: u64) -> Option<Stop> {
        match standing {
            Standing::Alive => {
                self.silent = 0;
                None
            }
            Standing::Stalled => {
                self.silent += 1;
                (self.silent > grace).then_some(Stop::Silent)
            }
            Standing::Dead => {
                let since = self.dead.map_or(0, |since| since + 1);
                self.dead = Some(since);
                (since >= grace).then_some(Stop::Dead)
            }
            Standing::Bye(why) => Some(Stop::Bye(why)),
            Standing::Recorded(end) => Some(Stop::Recorded(end)),
        }
    }

    fn end(&mut self, run: &mut Run<'_>, stop: Stop) -> RunEnd {
        let (end, reason) = stop.told();
        let mut remarks = std::mem::take(&mut self.remarks);
        if let Some(early) = self.early.take() {
            // What skills said that were never ready says why.
            let said = early.said.into_iter().map(|text| RunRemark { about: "skills".to_owned(), text });
            remarks.extend(early.remarks.into_iter().chain(said));
        }
        remarks.extend(run.skills.end(&reason));
        let standings = run.observers.iter().flat_map(|observer| observer.standings()).collect();
        let troubles =
            self.counts.iter().map(|(trouble, count)| (trouble.sentence().to_owned(), *count)).collect();
        let (cycles, calls, news, choices) = (self.cycle, self.calls, self.news, self.choices);
        let mut told = RunEnd { cycles, end, reason, standings, troubles, calls, news, choices, remarks };
        let _ = self.tell(&mut run.sinks, &RunEvent::End(Box::new(told.clone())));
        // A log that was lost at the last moment.
        told.remarks.append(&mut self.remarks);
        told
    }
}
