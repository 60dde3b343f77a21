//! A skill process: started, spoken to without ever waiting for it for ever, and always put away again.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use crate::lines::{Line, Lines, excerpt};

/// Lines that wait to be heard at most; a process that says more waits until it is listened to.
const WAITING_IN: usize = 256;
/// Lines that wait to be told at most.
const WAITING_OUT: usize = 256;
/// Between two looks at whether something ended.
const GLANCE: Duration = Duration::from_millis(5);

/// What comes from a process.
#[derive(Debug)]
pub(crate) enum Sound {
    /// A line of its output.
    Line(Line),
    /// A line of its error output.
    Complaint(String),
    /// Its output has ended.
    Closed,
}

/// What became of something told to a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// It will be written.
    Sent,
    /// There is no room: the process does not read.
    Stuck,
    /// Nobody reads any more.
    Closed,
}

/// A process that is always put away: told to go, given time, ended, and waited for.
pub struct Process {
    child: Child,
    input: Option<SyncSender<String>>,
    sounds: Receiver<Sound>,
    /// Complaints that nobody had room for.
    unheard: Arc<AtomicU64>,
    ended: Option<ExitStatus>,
}

impl Process {
    /// Starts a command line with `sh -c`, in a group of its own: Ctrl-C in the terminal is for the agents, who say goodbye.
    ///
    /// # Errors
    /// When there is no `sh`, or no process can be made.
    pub fn start(command: &str) -> std::io::Result<Self> {
        #[expect(clippy::disallowed_methods, reason = "skills are programs")]
        let mut child = Command::new("sh")
            .args(["-c", command])
            .env("PATH", path())
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (told, lines) = sync_channel(WAITING_OUT);
        let (heard, sounds) = sync_channel(WAITING_IN);
        let unheard = Arc::new(AtomicU64::new(0));
        let attend = |child: &mut Child| -> std::io::Result<()> {
            let thread = std::thread::Builder::new;
            if let Some(input) = child.stdin.take() {
                thread().spawn(move || write(input, &lines))?;
            }
            if let Some(output) = child.stdout.take() {
                let heard = heard.clone();
                thread().spawn(move || listen(output, &heard))?;
            }
            if let Some(errors) = child.stderr.take() {
                let unheard = Arc::clone(&unheard);
                thread().spawn(move || overhear(errors, &heard, &unheard))?;
            }
            Ok(())
        };
        let attended = attend(&mut child);
        if attended.is_err() {
            // A process that nobody listens to would wait for ever.
            let _ = child.kill().and_then(|()| child.wait());
        }
        attended?;
        Ok(Self { child, input: Some(told), sounds, unheard, ended: None })
    }

    /// Tells something, without waiting.
    pub(crate) fn tell(&self, text: &str) -> Delivery {
        let Some(input) = &self.input else { return Delivery::Closed };
        match input.try_send(text.to_owned()) {
            Ok(()) => Delivery::Sent,
            Err(TrySendError::Full(_)) => Delivery::Stuck,
            Err(TrySendError::Disconnected(_)) => Delivery::Closed,
        }
    }

    /// The next sound, if there is one within this time.
    pub(crate) fn hear(&self, time: Duration) -> Option<Sound> {
        match self.sounds.recv_timeout(time) {
            Ok(sound) => Some(sound),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Sound::Closed),
        }
    }

    /// Complaints that were not heard since this was last asked.
    pub(crate) fn unheard(&self) -> u64 {
        self.unheard.swap(0, Ordering::Relaxed)
    }

    /// How it ended, if it ends within this time.
    pub(crate) fn ended(&mut self, time: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        while self.ended.is_none() {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.ended = Some(status);
                    self.end_group();
                }
                Ok(None) if start.elapsed() < time => std::thread::sleep(GLANCE),
                Ok(None) | Err(_) => break,
            }
        }
        self.ended
    }

    /// Closes its input, gives it time to go, and ends it with everything that it has started. Whether it went by itself.
    pub(crate) fn put_away(&mut self, grace: Duration) -> bool {
        self.input = None;
        let start = Instant::now();
        let mut went = self.ended(Duration::ZERO).is_some();
        while !went && start.elapsed() < grace {
            // A process that still writes must not be kept from ending by a full pipe.
            let _ = self.sounds.try_iter().take(WAITING_IN).count();
            went = self.ended(GLANCE).is_some();
        }
        if self.ended.is_none() {
            self.end_group();
            let _ = self.child.kill();
            self.ended = self.child.wait().ok();
        }
        went
    }

    /// Ends what the shell has started and left behind, at once when the shell has ended: while a member lives, nobody else
    /// gets the group's number. That there is no such group any more is the usual case.
    fn end_group(&self) {
        let group = self.child.id();
        #[expect(clippy::disallowed_methods, reason = "the standard library ends processes, not groups")]
        let kill = Command::new("sh")
            .args(["-c", &format!("kill -9 -{group}")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = kill;
    }
}

impl Drop for Process {
    /// Also on the way out of a panic.
    fn drop(&mut self) {
        if self.ended.is_none() {
            self.put_away(Duration::ZERO);
        }
    }
}

/// Where programs are looked for: beside this one first, so that `motet world` is the same version.
fn path() -> OsString {
    let given = std::env::var_os("PATH").unwrap_or_default();
    let own = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.to_path_buf()));
    let folders = own.into_iter().chain(std::env::split_paths(&given));
    std::env::join_paths(folders).unwrap_or(given)
}

fn write(mut input: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn listen(output: impl Read, heard: &SyncSender<Sound>) {
    for line in Lines::new(output) {
        if heard.send(Sound::Line(line)).is_err() {
            return;
        }
    }
    let _ = heard.send(Sound::Closed);
}

/// Complaints never make a process wait: what there is no room for is counted.
fn overhear(errors: impl Read, heard: &SyncSender<Sound>, unheard: &AtomicU64) {
    for line in Lines::new(errors) {
        let (Line::Text(text) | Line::TooLong(text) | Line::NotText(text)) = line;
        match heard.try_send(Sound::Complaint(excerpt(&text))) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => {
                unheard.fetch_add(1, Ordering::Relaxed);
            }
            Err(TrySendError::Disconnected(_)) => return,
        }
    }
}
