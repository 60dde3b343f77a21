//! The conversation with a skill process, cycle by cycle: what it may say, how long it is waited for, and what is told of one
//! that does not keep to it.

use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use motet_model::{Order, Trouble};
use motet_render::RunRemark;

use crate::beat::Beat;
use crate::lines::{Line, excerpt};
use crate::process::{Delivery, Process, Sound};
use crate::protocol::{Heard, Hello, Nonsense, Pace, Tick, hear, line, order_text};
use crate::skills::{Gathered, Skills, Standing};

/// Bytes of lines that are kept of one cycle.
const LIMIT_BYTES: usize = 1 << 20;
/// Lines of the error output that are kept of one cycle.
const LIMIT_COMPLAINTS: usize = 20;
/// Between two looks at whether the user wants to stop.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a process is given to end after it has closed its output, before it is told how it ended.
const LAST_BREATH: Duration = Duration::from_millis(300);

/// What holds between agents and skills.
#[derive(Clone, Debug)]
pub struct Terms {
    /// How time passes.
    pub pace: Pace,
    /// How much faster than the clock.
    pub speed: f64,
    /// How long is waited for an answer.
    pub timeout: Duration,
    /// Lines that may be said in one cycle.
    pub most: usize,
    /// How long the process may take to end when it is told to.
    pub grace: Duration,
    /// Set when the user wants to stop.
    pub interrupt: Arc<AtomicBool>,
}

/// Skills in a process.
pub struct Link {
    process: Process,
    terms: Terms,
    beat: Option<Beat>,
    closed: bool,
    last_heard: Instant,
    /// Whether silence was told since something was last heard.
    silence_told: bool,
    /// Lines of this cycle that could not be told.
    untold: usize,
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaited {
    Ready,
    Done(u64),
    Clock,
}

impl Link {
    /// Starts the skills: a command line for `sh -c`.
    ///
    /// # Errors
    /// When no process can be started at all. A command that does not exist is one that ends at once.
    pub fn start(command: &str, terms: Terms) -> std::io::Result<Self> {
        let process = Process::start(command)?;
        let last_heard = Instant::now();
        Ok(Self { process, terms, beat: None, closed: false, last_heard, silence_told: false, untold: 0 })
    }

    fn interrupted(&self) -> bool {
        self.terms.interrupt.load(Ordering::Relaxed)
    }

    /// Tells a line. One that does not listen is waited for until `deadline`, not longer.
    fn tell(&mut self, text: &str, deadline: Instant) {
        loop {
            match self.process.tell(text) {
                Delivery::Sent | Delivery::Closed => return,
                Delivery::Stuck if self.untold == 0 && Instant::now() < deadline && !self.interrupted() => {
                    std::thread::sleep(GLANCE);
                }
                Delivery::Stuck => {
                    self.untold += 1;
                    return;
                }
            }
        }
    }

    /// Listens until what is awaited has come, or the time is over.
    fn listen(&mut self, awaited: Awaited, deadline: Instant) -> Gathered {
        let mut ear = Ear { gathered: Gathered::default(), lines: 0, bytes: 0, dropped: 0, complaints: 0 };
        let mut kinds: Vec<&'static str> = Vec::new();
        // What had arrived before the end of a cycle counts, however late we come to hear it.
        let mut arrived = self.terms.most.saturating_add(LIMIT_COMPLAINTS);
        while !self.closed && !self.interrupted() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                if arrived == 0 {
                    break;
                }
                arrived -= 1;
            }
            let Some(sound) = self.process.hear(left.min(GLANCE)) else {
                if left.is_zero() { break } else { continue }
            };
            match self.take(sound, awaited, &mut ear, &mut kinds) {
                Progress::On => {}
                Progress::Come => return ear.finish(&self.process),
            }
        }
        if !self.closed && !self.interrupted() && awaited != Awaited::Clock {
            ear.gathered.standing = Standing::Stalled;
        }
        ear.finish(&self.process)
    }

    fn take(
        &mut self,
        sound: Sound,
        awaited: Awaited,
        ear: &mut Ear,
        kinds: &mut Vec<&'static str>,
    ) -> Progress {
        let found = match sound {
            Sound::Closed => {
                self.closed = true;
                ear.gathered.standing = Standing::Dead;
                let how = self.process.ended(LAST_BREATH);
                self.last_words(ear);
                ear.gathered.trouble(Trouble::Dead, death(how));
                return Progress::Come;
            }
            Sound::Complaint(text) => {
                ear.complain(text);
                return Progress::On;
            }
            Sound::Line(Line::Text(text)) => {
                ear.lines += 1;
                ear.bytes += text.len();
                hear(&text)
            }
            Sound::Line(Line::TooLong(text)) => {
                ear.lines += 1;
                Err(nonsense("a line of more than 64 KiB", &text))
            }
            Sound::Line(Line::NotText(text)) => {
                ear.lines += 1;
                Err(nonsense("not UTF-8", &text))
            }
        };
        self.last_heard = Instant::now();
        self.silence_told = false;
        let found = found.and_then(|heard| match (heard, awaited) {
            (Heard::Done(done), Awaited::Done(cycle)) if done > cycle => {
                Err(nonsense("the end of a cycle that has not begun", &format!("{{\"done\":{done}}}")))
            }
            (heard, _) => Ok(heard),
        });
        match found {
            Ok(heard) => ear.take(heard, awaited, self.terms.most),
            Err(nonsense) => {
                if !kinds.contains(&nonsense.kind) {
                    kinds.push(nonsense.kind);
                    ear.gathered.trouble(Trouble::Nonsense, nonsense.text);
                }
                Progress::On
            }
        }
    }

    /// What was said last on the error output says why.
    fn last_words(&self, ear: &mut Ear) {
        let end = Instant::now() + GLANCE;
        while Instant::now() < end {
            match self.process.hear(GLANCE) {
                Some(Sound::Complaint(text)) => ear.complain(text),
                // The error output has ended too, or there is nothing more.
                _ => return,
            }
        }
    }

    /// What is said of lines that found no room.
    fn tell_untold(&mut self, gathered: &mut Gathered) {
        if self.untold > 0 {
            let text = format!("the skills do not listen; {} could not be told", lines_text(self.untold));
            gathered.trouble(Trouble::Silent, text);
            self.untold = 0;
        }
    }
}

impl Skills for Link {
    fn begin(&mut self, hello: &Hello) -> Gathered {
        let deadline = Instant::now() + self.terms.timeout;
        self.tell(&line(hello), deadline);
        let mut gathered = self.listen(Awaited::Ready, deadline);
        if gathered.standing == Standing::Stalled {
            let text = format!("the skills did not say in {:?} that they are ready", self.terms.timeout);
            gathered.trouble(Trouble::Silent, text);
        }
        self.beat = Beat::new(self.terms.pace, self.terms.speed);
        gathered
    }

    fn order(&mut self, cycle: u64, orders: &[Order], beliefs: &[String]) {
        let deadline = match &self.beat {
            Some(beat) => beat.next(),
            None => Instant::now() + self.terms.timeout,
        };
        for order in orders {
            self.tell(&line(&order_text(order)), deadline);
        }
        self.tell(&line(&Tick { tick: cycle, beliefs }), deadline);
    }

    fn gather(&mut self, cycle: u64) -> Gathered {
        if self.beat.is_some() {
            return self.gather_by_clock();
        }
        let deaf = self.untold > 0;
        let deadline = if deaf { Instant::now() } else { Instant::now() + self.terms.timeout };
        let mut gathered = self.listen(Awaited::Done(cycle), deadline);
        if self.closed {
            gathered.standing = Standing::Dead;
        } else if gathered.standing == Standing::Stalled && !deaf {
            let text = format!("the skills did not end cycle {cycle} in {:?}", self.terms.timeout);
            gathered.trouble(Trouble::Silent, text);
        }
        self.tell_untold(&mut gathered);
        gathered
    }

    fn end(&mut self, why: &str) -> Vec<RunRemark> {
        let mut remarks = Vec::new();
        if let Some(late) = self.beat.as_ref().map(Beat::late).filter(|late| *late > 0) {
            let text = format!("{late} cycles took longer than the rate allows");
            remarks.push(RunRemark { about: "clock".to_owned(), text });
        }
        // A process that never listened does not hear this either; its input is closed all the same.
        let _ = self.process.tell(&line(&serde_json::json!({ "bye": why })));
        if !self.process.put_away(self.terms.grace) {
            let text = format!("the skills did not end in {:?} and were ended", self.terms.grace);
            remarks.push(RunRemark { about: "skills".to_owned(), text });
        }
        remarks
    }
}

impl Link {
    fn gather_by_clock(&mut self) -> Gathered {
        let now = Instant::now();
        let deadline = self.beat.as_mut().map_or(now, Beat::step);
        let mut gathered = self.listen(Awaited::Clock, deadline);
        if self.closed {
            gathered.standing = Standing::Dead;
            while Instant::now() < deadline && !self.interrupted() {
                std::thread::sleep(deadline.saturating_duration_since(Instant::now()).min(GLANCE));
            }
        } else if self.last_heard.elapsed() > self.terms.timeout && !self.silence_told {
            self.silence_told = true;
            gathered.trouble(
                Trouble::Silent,
                format!("nothing was heard for more than {:?}", self.terms.timeout),
            );
        }
        self.tell_untold(&mut gathered);
        gathered.millis = self.beat.as_ref().map(Beat::millis);
        gathered
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    On,
    Come,
}

/// What was heard in a cycle.
struct Ear {
    gathered: Gathered,
    lines: usize,
    bytes: usize,
    dropped: u64,
    complaints: u64,
}

impl Ear {
    fn take(&mut self, heard: Heard, awaited: Awaited, most: usize) -> Progress {
        let gathered = &mut self.gathered;
        match heard {
            Heard::Bye(why) => {
                gathered.standing = Standing::Bye(why);
                return Progress::Come;
            }
            Heard::Ready(name) => {
                gathered.ready = Some(name);
                if awaited == Awaited::Ready {
                    return Progress::Come;
                }
            }
            Heard::Done(done) => {
                // The late end of an earlier cycle says nothing.
                if awaited == Awaited::Done(done) {
                    return Progress::Come;
                }
            }
            _ if self.lines > most || self.bytes > LIMIT_BYTES => self.dropped += 1,
            Heard::News(news) => gathered.news.push(news),
            Heard::Object(object) => match gathered.objects.iter_mut().find(|old| old.name == object.name) {
                Some(old) => old.value = object.value,
                None => gathered.objects.push(object),
            },
            Heard::Show(value) => gathered.shown.push(value),
            Heard::Log(text) => gathered.said.push(excerpt(&text)),
        }
        Progress::On
    }

    fn complain(&mut self, text: String) {
        self.complaints += 1;
        if self.complaints <= LIMIT_COMPLAINTS as u64 {
            self.gathered.said.push(text);
        }
    }

    fn finish(mut self, process: &Process) -> Gathered {
        if self.dropped > 0 {
            let text = format!("{} were dropped: too many in one cycle", lines_text_of(self.dropped));
            self.gathered.trouble(Trouble::Flood, text);
        }
        let unheard = self.complaints.saturating_sub(LIMIT_COMPLAINTS as u64) + process.unheard();
        if unheard > 0 {
            self.gathered.said.push(format!("({unheard} more lines)"));
        }
        self.gathered
    }
}

fn nonsense(kind: &'static str, line: &str) -> Nonsense {
    Nonsense { kind, text: format!("{kind}: {}", excerpt(line)) }
}

fn lines_text(count: usize) -> String {
    lines_text_of(u64::try_from(count).unwrap_or(u64::MAX))
}

fn lines_text_of(count: u64) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

/// How the skills ended, in words.
fn death(how: Option<ExitStatus>) -> String {
    use std::os::unix::process::ExitStatusExt as _;
    match how.map(|status| (status.code(), status.signal())) {
        Some((Some(0), _)) => "the skills ended without a bye".to_owned(),
        Some((Some(code), _)) => format!("the skills ended with exit code {code}"),
        Some((None, Some(signal))) => format!("the skills were ended by signal {signal}"),
        Some((None, None)) => "the skills ended".to_owned(),
        None => "the skills closed their output".to_owned(),
    }
}
