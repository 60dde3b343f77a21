//! The page on which a run is watched: events come as they happen, and who comes late is told the whole story.
//!
//! The run never waits for anybody. It puts events into a [`Story`] of bounded size; every browser that looks reads from there at
//! its own pace, and one that fell too far behind is told the story anew.

mod earlier;
mod story;

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use motet_live::{Receipt, Sink};
use motet_render::RunEvent;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use story::Story;

const PAGE: &str = include_str!("../assets/view.html");
const STYLE: &str = include_str!("../assets/view.css");
/// The scripts in the order in which they need each other.
const SCRIPT: &str = concat!(
    include_str!("../assets/story.js"),
    include_str!("../assets/shapes.js"),
    include_str!("../assets/chart.js"),
    include_str!("../assets/strips.js"),
    include_str!("../assets/panels.js"),
    include_str!("../assets/main.js"),
);
/// Everything comes from here, and nothing is carried out that a text contains.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// Browsers that may look at the same time.
const MOST_READERS: usize = 64;
/// Events on the way to one browser.
const ON_THE_WAY: usize = 16;

/// A run that is watched.
#[derive(Clone)]
pub struct View {
    story: Arc<Story>,
    readers: Arc<AtomicUsize>,
}

impl View {
    /// A run of which nothing is known yet. `run` tells it from other runs at the same address, for a browser that comes back.
    #[must_use]
    pub fn new(run: u64) -> Self {
        Self { story: Arc::new(Story::new(run)), readers: Arc::default() }
    }

    /// What is served: the page at `/`, and events at `/events`.
    pub fn routes(&self) -> Router {
        let file = |kind: &'static str, text: &'static str| {
            get(move || async move {
                let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)];
                (headers, text).into_response()
            })
        };
        Router::new()
            .route("/", file("text/html; charset=utf-8", PAGE))
            .route("/view.css", file("text/css; charset=utf-8", STYLE))
            .route("/view.js", file("text/javascript; charset=utf-8", SCRIPT))
            .route("/events", get(events))
            .with_state(self.clone())
    }

    /// Where the run tells its events.
    #[must_use]
    pub fn sink(&self) -> ViewSink {
        ViewSink { story: Arc::clone(&self.story) }
    }

    /// Lets everybody go who still listens.
    pub fn close(&self) {
        self.story.close();
    }
}

/// Puts events where browsers find them. It never waits.
pub struct ViewSink {
    story: Arc<Story>,
}

impl Sink for ViewSink {
    fn tell(&mut self, event: &RunEvent) -> Receipt {
        self.story.add(event);
        Receipt::Taken
    }
}

/// One who looks; gone when dropped.
struct Reader(Arc<AtomicUsize>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn events(State(view): State<View>, headers: HeaderMap) -> Response {
    let reader = Reader(Arc::clone(&view.readers));
    if view.readers.fetch_add(1, Ordering::Relaxed) >= MOST_READERS {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many pages look at this run").into_response();
    }
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let from = last.and_then(|last| view.story.place(last));
    let (send, receive) = mpsc::channel(ON_THE_WAY);
    tokio::spawn(async move {
        tell(&view.story, from, &send).await;
        drop(reader);
    });
    let stream = Sse::new(ReceiverStream::new(receive)).keep_alive(KeepAlive::default());
    stream.into_response()
}

/// Tells the story from a place on, or from its begin, until it is over or nobody listens.
async fn tell(story: &Story, from: Option<u64>, send: &mpsc::Sender<Result<Event, Infallible>>) {
    let mut news = story.news();
    let mut at = from;
    loop {
        news.borrow_and_update();
        let (next, events, over) = story.after(at);
        let nothing = events.is_empty();
        for (id, text) in events {
            if send.send(Ok(Event::default().id(id).data(&*text))).await.is_err() {
                return;
            }
        }
        at = Some(next);
        // Who is gone is found out at the next event, or by the sign of life that is sent in between.
        if nothing && (over || send.is_closed() || news.changed().await.is_err()) {
            return;
        }
    }
}
