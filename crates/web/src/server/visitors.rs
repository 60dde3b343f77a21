//! Who is connected. There is room for so many at most, and whoever has not shown the token yet has little time and goes first.
//!
//! Half-open connections cost whoever opens them nothing. Without a limit they would cost the program memory and files, and with a limit
//! alone they would keep everybody else out; so when there is no room, the stranger who came first leaves.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::Notify;

/// Connections at the same time.
pub(super) const MOST: usize = 128;
/// How long a stranger has until the head of a request with the token is there.
const STRANGER: Duration = Duration::from_secs(5);
/// How long anybody has for the head of the next request.
const HEAD: Duration = Duration::from_secs(60);
/// Bytes of a request's head at most.
const LIMIT_HEAD: usize = 16 << 10;

/// Somebody at the other end of a connection.
#[derive(Default)]
pub(crate) struct Visitor {
    /// Whether a request with the token came.
    is_guest: AtomicBool,
    leave: Notify,
}

impl Visitor {
    /// Says that a request with the token came.
    pub(crate) fn admit(&self) {
        self.is_guest.store(true, Ordering::Relaxed);
    }

    fn is_guest(&self) -> bool {
        self.is_guest.load(Ordering::Relaxed)
    }
}

/// Everybody, in the order in which they came.
#[derive(Default)]
pub(crate) struct Visitors(Mutex<Present>);

#[derive(Default)]
struct Present {
    by_number: BTreeMap<u64, Arc<Visitor>>,
    next: u64,
}

/// One who is there; gone when dropped.
pub(crate) struct Here {
    visitors: Arc<Visitors>,
    number: u64,
    visitor: Arc<Visitor>,
}

impl Drop for Here {
    fn drop(&mut self) {
        self.visitors.present().by_number.remove(&self.number);
    }
}

impl Visitors {
    fn present(&self) -> MutexGuard<'_, Present> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for one more, if need be in the place of the stranger who came first; `None` if all are guests.
    pub(crate) fn welcome(visitors: &Arc<Self>) -> Option<Here> {
        let mut present = visitors.present();
        if present.by_number.len() >= MOST {
            let stranger = present.by_number.iter().find(|(_, visitor)| !visitor.is_guest());
            let number = stranger.map(|(number, _)| *number)?;
            present.by_number.remove(&number)?.leave.notify_one();
        }
        let (number, visitor) = (present.next, Arc::new(Visitor::default()));
        present.next += 1;
        present.by_number.insert(number, Arc::clone(&visitor));
        drop(present);
        Some(Here { visitors: Arc::clone(visitors), number, visitor })
    }
}

/// Answers the requests on a connection, until either side has enough.
pub(crate) async fn serve(stream: TcpStream, routes: Router, here: Here, stopped: impl Future<Output = ()>) {
    let (visitor, routes) = (Arc::clone(&here.visitor), TowerToHyperService::new(routes));
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(Arc::clone(&visitor));
        routes.call(request)
    });
    let mut protocol = http1::Builder::new();
    protocol.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(LIMIT_HEAD);
    let mut connection = pin!(protocol.serve_connection(TokioIo::new(stream), service));
    let (mut deadline, mut stopped) = (pin!(tokio::time::sleep(STRANGER)), pin!(stopped));
    let (mut is_asked, mut is_ending) = (false, false);
    loop {
        tokio::select! {
            // That a connection breaks is the end of it, and nobody else's concern.
            _ = connection.as_mut() => return,
            () = here.visitor.leave.notified() => return,
            () = &mut deadline, if !is_asked => {
                is_asked = true;
                if !here.visitor.is_guest() {
                    return;
                }
            }
            () = &mut stopped, if !is_ending => {
                is_ending = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_make_room_in_the_order_in_which_they_came_and_guests_stay() {
        let visitors = Arc::new(Visitors::default());
        let mut here: Vec<Here> = (0..MOST).filter_map(|_| Visitors::welcome(&visitors)).collect();
        assert_eq!(here.len(), MOST);
        here[0].visitor.admit();
        let one = Visitors::welcome(&visitors).expect("the second made room");
        assert_eq!(visitors.present().by_number.len(), MOST);
        assert!(
            visitors.present().by_number.contains_key(&0) && !visitors.present().by_number.contains_key(&1)
        );
        here.push(one);
        here.iter().for_each(|here| here.visitor.admit());
        assert!(Visitors::welcome(&visitors).is_none(), "nobody is a stranger any more");
        here.pop();
        assert!(Visitors::welcome(&visitors).is_some(), "whoever goes leaves room");
    }
}
