//! The page of `motet run --view`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use motet_web::{Address, Server, View, ViewSink};
use motet_workbench::{Problem, Sources, foreign_address, no_thread, taken_address};

use crate::deliver::words;
use crate::host::Host;

/// Between two looks at whether the user wants to stop.
const POLL: Duration = Duration::from_millis(50);

/// A page that is served beside the run.
pub(crate) struct Page {
    view: View,
    /// Its address, with the token of this session.
    address: String,
    stop: Arc<AtomicBool>,
    serving: JoinHandle<()>,
}

impl Page {
    /// Serves a page at an address of this machine.
    pub(crate) fn open(text: &str) -> Result<Self, Box<(Problem, Sources)>> {
        let mut sources = Sources::default();
        let Some(address) = Address::parse(text) else {
            return Err(Box::new((foreign_address(&mut sources, "--view", text), sources)));
        };
        let server = match Server::bind(address) {
            Ok(server) => server,
            Err(error) => {
                let problem = taken_address(&mut sources, "--view", text, &error.to_string());
                return Err(Box::new((problem, sources)));
            }
        };
        // Only tells this run from the one before at the same address.
        let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos() as u64;
        let view = View::new(started);
        let address = server.page();
        let stop = Arc::new(AtomicBool::new(false));
        let (routes, until) = (view.routes(), Arc::clone(&stop));
        let serve = move || {
            // A page that cannot be served is no reason to stop the agents.
            let _ = server.run(routes, until);
        };
        match std::thread::Builder::new().spawn(serve) {
            Ok(serving) => Ok(Self { view, address, stop, serving }),
            Err(error) => Err(Box::new((no_thread(&mut sources, "--view", &words(&error)), sources))),
        }
    }

    /// Says where the page is. What is told to the sink is seen there.
    pub(crate) fn begin(&self, host: &Host) -> ViewSink {
        host.hint(&format!("the run is shown at {}", self.address));
        self.view.sink()
    }

    /// Keeps the page until the user wants to stop; at once if that is why the run ended.
    pub(crate) fn stay(self, host: &Host) {
        if !host.interrupt.load(Ordering::Relaxed) {
            host.hint(&format!("the page stays at {} until Ctrl-C", self.address));
        }
        while !host.interrupt.load(Ordering::Relaxed) && !self.serving.is_finished() {
            std::thread::sleep(POLL);
        }
        self.view.close();
        self.stop.store(true, Ordering::Relaxed);
        let _ = self.serving.join();
    }
}
