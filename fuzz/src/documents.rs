//! Documents that are read back, and what other programs say.

use std::io::{self, Cursor, Read};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use motet_live::{hear, read_log, told};
use motet_workbench::{
    AdviseOptions, AdviceDesk, Damage, Keeper, Keeping, Known, Limits, Loaded, Problems, Project,
    Settings, Sources, check, contest as answer_contest, load, open_trace, retrace, verify,
};

use crate::sheet;

const MODEL: &str = "mdp
module one x : [0..3] init 0; [] x<3 -> 0.5 : (x'=x+1) + 0.5 : true; [back] x=3 -> (x'=0); endmodule
module two y : [0..1] init 0; [back] true -> (y'=1-y); endmodule
";

fn model() -> Loaded {
    let mut sources = Sources::new();
    sources.add("model.prism", MODEL);
    sources.add("claims.props", "property back: always eventually x = 0\nproperty low: never x = 3\n");
    load(Project { path: "model.prism".to_owned(), sources, ..Project::default() })
}

/// A saved run, followed again in a model that may or may not be its own.
pub(crate) fn trace(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut loaded = model();
    let file = loaded.sources.add("run.itf.json", text.as_ref());
    let mut problems = Problems::new();
    if let Some(saved) = open_trace(file, &text, &mut problems)
        && let Some(ready) = &loaded.ready
    {
        let _ = retrace(ready, &loaded.sources, &saved);
    } else {
        assert!(!problems.lines(&loaded.sources).is_empty(), "refused without a reason");
    }
}

/// The log of a run.
pub(crate) fn log(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut sources = Sources::new();
    let file = sources.add("run.log", text.as_ref());
    if let Err(problem) = read_log(file, &text) {
        let mut problems = Problems::new();
        problems.push(*problem);
        assert!(!problems.lines(&sources).is_empty());
    }
}

/// Lines of skills and of agents.
pub(crate) fn messages(data: &[u8]) {
    for line in String::from_utf8_lossy(data).lines() {
        let _ = hear(line);
        let _ = told(line);
    }
}

/// Situations that somebody asks advice in.
pub(crate) fn situations(data: &[u8]) {
    thread_local! {
        static DESK: std::cell::RefCell<Option<AdviceDesk>> = std::cell::RefCell::new(desk());
    }
    DESK.with_borrow_mut(|desk| {
        let Some(desk) = desk else { panic!("the model gives advice") };
        for line in String::from_utf8_lossy(data).lines() {
            let _ = desk.line(line);
            let _ = desk.answer(line);
        }
    });
}

/// An agent with a choice, weather and a feedback to be asked about.
const AGENT: &str = "INITIAL BELIEFS AND GOALS\nGo.\nPERCEPTION PROCESS\nMonitor the following booleans:\n\
    Rain. {[],[0.5,1,0],[0,1,0]}\nEXECUTABLE PLANS\nIf ^[Go] while true then +^[Left] -^[Go].\n\
    If ^[Go] while true then +^[Right] -^[Go].\n";

fn desk() -> Option<AdviceDesk> {
    let mut sources = Sources::new();
    sources.add("agent.sej", AGENT);
    sources.add("claims.props", "query left: Pmax=? [F \"Left\"]\n");
    let mut loaded = load(Project { path: "agent.sej".to_owned(), sources, ..Project::default() });
    let options = AdviseOptions { threads: 1, ..AdviseOptions::default() };
    AdviceDesk::open(loaded.ready.as_ref()?, &mut loaded.sources, &options, &mut |_| {}).ok()
}

/// A net with questions of the Model Checking Contest.
pub(crate) fn contest(data: &[u8]) {
    let mut known = Known::default();
    let files = sheet::files(data);
    for (name, text) in &files {
        if name.ends_with(".csv") {
            known.add_answers(text);
            known.add_spaces(text);
        }
    }
    let sources = sheet::sources(files);
    let limits = Limits { states: Some(200), time: Some(Duration::from_secs(2)), ..Limits::default() };
    let mut problems = Problems::new();
    let answered = answer_contest("net", &sources, &known, &limits, &mut problems, &mut |_| {});
    if answered.refused.is_some() && sources.iter().any(|(_, file)| file.path.ends_with(".pnml")) {
        assert!(!problems.lines(&sources).is_empty(), "refused without a reason");
    }
}

/// The log of a search with some bytes changed and right checksums: a search goes on from it or refuses it. Four bytes of an input
/// are a change: where, what, and with which bits.
pub(crate) fn checkpoint(data: &[u8]) {
    let _ = verify(&mut Cursor::new(data));
    thread_local! {
        static GENUINE: Vec<Vec<u8>> = frames(&search(Vec::new(), 5).log);
    }
    let mut frames = GENUINE.with(Clone::clone);
    assert!(!frames.is_empty(), "a search writes a log");
    for change in data.chunks_exact(4) {
        let [which, high, low, bits] = *change else { continue };
        let number = usize::from(which) % frames.len();
        let at = usize::from(high) << 8 | usize::from(low);
        match at.checked_rem(frames[number].len()) {
            // The first bit of the place says whether the rest goes.
            Some(at) if high >= 0x80 => frames[number].truncate(at + 1),
            Some(at) => frames[number][at] ^= bits,
            None => {}
        }
    }
    let log = sealed(&frames);
    assert_eq!(verify(&mut Cursor::new(&log)), Ok(()));
    search(log, 1000);
}

/// A search that goes on from a log, up to so many states, and what it leaves.
fn search(log: Vec<u8>, states: u64) -> Shelf {
    // No claim asks for a run: the states of a forged log may have parents that do not lead to them.
    let mut sources = Sources::new();
    sources.add("model.prism", MODEL);
    let loaded = load(Project { path: "model.prism".to_owned(), sources, ..Project::default() });
    let keeper = Arc::new(Mutex::new(Shelf { log, refused: None }));
    let shared: Arc<Mutex<dyn Keeper>> = keeper.clone();
    let keeping = Keeping { keeper: shared, every: Duration::ZERO, search: String::new() };
    let limits = Limits { states: Some(states), time: Some(Duration::from_secs(2)), ..Limits::default() };
    let options = Settings { limits, threads: 1, keeping: Some(keeping), ..Settings::default() }.into();
    let report = check(&loaded, &options, &mut |_| {});
    assert!(report.internal.is_empty(), "{:?}", report.internal);
    drop(options);
    let mut shelf = keeper.lock().expect("nobody panicked");
    std::mem::replace(&mut *shelf, Shelf { log: Vec::new(), refused: None })
}

/// The payloads of a log: behind a length and a checksum of four bytes each.
fn frames(log: &[u8]) -> Vec<Vec<u8>> {
    let mut frames = Vec::new();
    let mut rest = log;
    while let Some((head, after)) = rest.split_at_checked(8) {
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let (payload, behind) = after.split_at(length.min(after.len()));
        frames.push(payload.to_vec());
        rest = behind;
    }
    frames
}

fn sealed(frames: &[Vec<u8>]) -> Vec<u8> {
    let mut log = Vec::new();
    for payload in frames.iter().filter(|payload| !payload.is_empty()) {
        let size = u32::try_from(payload.len()).expect("a frame is short");
        log.extend_from_slice(&size.to_le_bytes());
        log.extend_from_slice(&crc32fast::hash(payload).to_le_bytes());
        log.extend_from_slice(payload);
    }
    log
}

/// Keeps one log in memory.
struct Shelf {
    log: Vec<u8>,
    refused: Option<Damage>,
}

impl Keeper for Shelf {
    fn open(&mut self, _: &str) -> io::Result<Option<Box<dyn Read>>> {
        let log = (!self.log.is_empty()).then(|| Cursor::new(self.log.clone()));
        Ok(log.map(|log| Box::new(log) as Box<dyn Read>))
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.log.extend_from_slice(bytes);
        Ok(())
    }

    fn commit(&mut self, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn refuse(&mut self, damage: Damage) {
        self.refused = Some(damage);
    }

    fn abandon(&mut self, _: &str) {}
}
