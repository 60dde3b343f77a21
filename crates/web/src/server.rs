//! A server for this machine alone, and on it for those who know the token of the session.
//!
//! It listens on a loopback address, so that no other machine reaches it. Other programs and other people of this machine do, and so
//! do pages of other sites that somebody here looks at: `door` keeps them out. Whoever is let in shares what there is of connections and
//! time with others (`visitors`).

mod door;
mod token;
mod visitors;

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use tokio::task::JoinSet;

use door::Door;
pub use token::Token;
use visitors::Visitors;

/// Bytes of a request's body at most.
pub const LIMIT_BODY: usize = 64 << 10;
/// Between two looks at whether the user wants to stop.
const POLL: Duration = Duration::from_millis(50);
/// How long open answers may take after that.
const GRACE: Duration = Duration::from_secs(2);
/// How long to wait when the system has no connection for us.
const PAUSE: Duration = Duration::from_millis(100);

/// An address of this machine alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address(SocketAddr);

impl Address {
    /// Reads `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`; `None` for everything that is not of this machine alone. Names are
    /// not looked up: what they stand for is somebody else's say.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let address = match text.trim().strip_prefix("localhost:") {
            Some(port) => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port.parse().ok()?),
            None => text.trim().parse().ok()?,
        };
        address.ip().is_loopback().then_some(Self(address))
    }
}

/// Why a server does not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address is taken, or not ours to take.
    #[error("{0}")]
    Bind(std::io::Error),
    /// The system gave no way to wait for requests.
    #[error("{0}")]
    Start(std::io::Error),
}

/// A server that listens, but does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Token,
}

impl Server {
    /// Listens. Port 0 is any that is free.
    ///
    /// # Errors
    /// When the system does not let us.
    pub fn bind(address: Address) -> Result<Self, ServerError> {
        let listener = TcpListener::bind(address.0).map_err(ServerError::Bind)?;
        listener.set_nonblocking(true).map_err(ServerError::Bind)?;
        let address = listener.local_addr().map_err(ServerError::Bind)?;
        Ok(Self { listener, address, token: Token::fresh() })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What every request has to show: as `Authorization: Bearer TOKEN`, behind the address as `?token=TOKEN`, or as the cookie that
    /// is the answer to the latter.
    #[must_use]
    pub fn token(&self) -> &Token {
        &self.token
    }

    /// The address of the page for a browser, with the token.
    #[must_use]
    pub fn page(&self) -> String {
        format!("http://{}/?token={}", self.address, self.token)
    }

    /// Answers requests until `stop` is set; then open answers are finished, for a short time.
    ///
    /// # Errors
    /// When the system gives no way to wait for requests.
    pub fn run(self, routes: Router, stop: Arc<AtomicBool>) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(ServerError::Start)?;
        let door = Arc::new(Door::new(self.address, self.token));
        let routes =
            routes.layer(DefaultBodyLimit::max(LIMIT_BODY)).layer(from_fn_with_state(door, door::enter));
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(ServerError::Start)?;
            let mut serving = JoinSet::new();
            receive(&listener, &routes, &stop, &mut serving).await;
            // A connection that stays open must not keep the program.
            let _ = tokio::time::timeout(GRACE, async { while serving.join_next().await.is_some() {} }).await;
            Ok(())
        })
    }
}

/// Takes connections until the user wants to stop.
async fn receive(
    listener: &tokio::net::TcpListener,
    routes: &Router,
    stop: &Arc<AtomicBool>,
    serving: &mut JoinSet<()>,
) {
    let visitors = Arc::new(Visitors::default());
    let mut stopped = pin!(stopped(Arc::clone(stop)));
    loop {
        tokio::select! {
            () = &mut stopped => return,
            Some(_) = serving.join_next() => {}
            taken = listener.accept() => match taken {
                Ok((stream, _)) => {
                    // Answers are short and nothing follows them, so that waiting for more to send would only delay them.
                    drop(stream.set_nodelay(true));
                    if let Some(present) = Visitors::welcome(&visitors) {
                        let stopped = self::stopped(Arc::clone(stop));
                        serving.spawn(visitors::serve(stream, routes.clone(), present, stopped));
                    }
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            },
        }
    }
}

async fn stopped(stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(POLL).await;
    }
}

/// An answer of JSON.
pub(crate) fn json(status: StatusCode, body: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_other_machines_are_refused() {
        for here in ["127.0.0.1:0", "localhost:8080", "[::1]:80", "127.8.0.1:9", " 127.0.0.1:1 "] {
            assert!(Address::parse(here).is_some(), "{here}");
        }
        for other in
            ["0.0.0.0:80", "[::]:80", "10.0.0.1:80", "example.org:80", "127.0.0.1", "localhost", ":80", ""]
        {
            assert_eq!(Address::parse(other), None, "{other}");
        }
    }
}
