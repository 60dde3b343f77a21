//! A server for this machine alone.
//!
//! It listens on a loopback address. A page of another site that a visitor of this machine looks at could still send requests
//! here, in that visitor's name, if its own name is made to point here (DNS rebinding); so the `Host` of a request has to be a
//! name of this machine, and its `Origin`, if it has one, too.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt as _;
use motet_render::advice_error;

/// Bytes of a request's body at most.
pub const LIMIT_BODY: usize = 64 << 10;
/// Between two looks at whether the user wants to stop.
const POLL: Duration = Duration::from_millis(50);
/// How long open answers may take after that.
const GRACE: Duration = Duration::from_secs(2);

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
        Ok(Self { listener, address })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` is set; then open answers are finished, for a short time.
    ///
    /// # Errors
    /// When the system gives no way to wait for requests.
    pub fn run(self, routes: Router, stop: Arc<AtomicBool>) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(ServerError::Start)?;
        let routes = routes.layer(DefaultBodyLimit::max(LIMIT_BODY)).layer(from_fn(only_from_here));
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(ServerError::Start)?;
            // Answers are short and nothing follows them, so that waiting for more to send would only delay them.
            let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
            let serving = axum::serve(listener, routes).with_graceful_shutdown(stopped(Arc::clone(&stop)));
            let serving = tokio::spawn(std::future::IntoFuture::into_future(serving));
            stopped(stop).await;
            // A connection that stays open must not keep the program.
            let _ = tokio::time::timeout(GRACE, serving).await;
            Ok(())
        })
    }
}

async fn stopped(stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(POLL).await;
    }
}

/// Lets requests through whose `Host` and `Origin` are this machine.
async fn only_from_here(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let host = text(headers, header::HOST).is_some_and(is_here);
    let origin = match text(headers, header::ORIGIN) {
        Some(origin) => origin.split_once("://").is_some_and(|(_, host)| is_here(host)),
        None => !headers.contains_key(header::ORIGIN),
    };
    if host && origin {
        return next.run(request).await;
    }
    let messages = vec!["the request is not for this machine by one of its own names".to_owned()];
    let help = "ask for http://127.0.0.1:PORT or http://localhost:PORT";
    json(StatusCode::FORBIDDEN, advice_error("M0078", &messages, help))
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether a host, with or without a port, is a name of this machine.
fn is_here(host: &str) -> bool {
    let bare = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(address, _)| address),
        None => host.split_once(':').map_or(host, |(name, _)| name),
    };
    bare.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// An answer of JSON.
pub(crate) fn json(status: StatusCode, body: String) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, kind, body).into_response()
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

    #[test]
    fn a_name_that_begins_like_this_machine_is_another_one() {
        for here in ["localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]", "[::1]:80"] {
            assert!(is_here(here), "{here}");
        }
        for other in
            ["localhost.example.org", "127.0.0.1.example.org:80", "example.org", "", "[", "[::2]:80", "null"]
        {
            assert!(!is_here(other), "{other}");
        }
    }
}
