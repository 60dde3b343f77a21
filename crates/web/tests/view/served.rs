//! A page that is served until it is dropped, and bare sockets that ask for it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use motet_web::{Address, Server, View};

pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    /// The address of the page with the token.
    pub(crate) page: String,
    pub(crate) token: String,
    pub(crate) view: View,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Served {
    pub(crate) fn new(run: u64) -> Self {
        let here = Address::parse("127.0.0.1:0").expect("this is an address of this machine");
        let server = Server::bind(here).expect("some port is free");
        let (address, stop, view) = (server.address(), Arc::new(AtomicBool::new(false)), View::new(run));
        let (page, token) = (server.page(), server.token().to_string());
        let (routes, until) = (view.routes(), Arc::clone(&stop));
        let thread = std::thread::spawn(move || server.run(routes, until).expect("it serves"));
        Self { address, page, token, view, stop, thread: Some(thread) }
    }

    /// A connection on which something was asked for.
    pub(crate) fn ask(&self, path: &str, headers: &str) -> TcpStream {
        let bearer = format!("Authorization: Bearer {}\r\n{headers}", self.token);
        self.ask_as(&self.address.to_string(), path, &bearer)
    }

    fn ask_as(&self, host: &str, path: &str, headers: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("sockets can wait");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).expect("it hears");
        stream
    }

    /// The whole answer.
    pub(crate) fn get(&self, path: &str, headers: &str) -> String {
        whole(self.ask(path, headers))
    }

    /// The same without the token unless the headers show it.
    pub(crate) fn get_as(&self, host: &str, path: &str, headers: &str) -> String {
        whole(self.ask_as(host, path, headers))
    }
}

fn whole(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers and closes");
    String::from_utf8_lossy(&answer).into_owned()
}

impl Drop for Served {
    fn drop(&mut self) {
        self.view.close();
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(std::thread::JoinHandle::join);
        assert!(matches!(ended, Some(Ok(()))) || std::thread::panicking(), "it ends when it is asked to");
    }
}
