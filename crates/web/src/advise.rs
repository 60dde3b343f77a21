//! Advice over HTTP: a situation comes in, what each choice is worth goes out.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use motet_render::advice_error;
use motet_workbench::AdviceDesk;
use serde_json::json;

use crate::server::json as answer;

/// The page that explains the places.
const PAGE: &str = include_str!("advise.html");
const STYLE: &str = include_str!("advise.css");
/// A page without scripts, and with its own style.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The version of the form.
const SCHEMA: &str = "motet.advice/1";

struct Service {
    desk: Mutex<AdviceDesk>,
    /// What is served, as JSON.
    health: String,
}

/// What is served of advice: `POST /advise`, `GET /health` and a page at `/` that explains them.
pub fn advice(desk: AdviceDesk, model: &str) -> Router {
    let adviser = desk.adviser();
    let health = json!({
        "serves": SCHEMA,
        "model": model,
        "queries": adviser.queries(),
        "states": adviser.n_states(),
        "situations": adviser.n_situations(),
        "numbers_over": adviser.over().words(),
    });
    let explained = explained(adviser.over().words());
    let service = Arc::new(Service { health: health.to_string(), desk: Mutex::new(desk) });
    Router::new()
        .route("/", get(move || page("text/html; charset=utf-8", explained.clone())).fallback(|| only("GET")))
        .route(
            "/advise.css",
            get(|| page("text/css; charset=utf-8", STYLE.to_owned())).fallback(|| only("GET")),
        )
        .route("/health", get(health_of).fallback(|| only("GET")))
        .route("/advise", post(advise).fallback(|| only("POST")))
        .fallback(|| async { wrong(StatusCode::NOT_FOUND, "there is nothing at this place", PLACES) })
        .with_state(service)
}

/// The page, with what the numbers are over where somebody chooses.
fn explained(over: Option<&str>) -> String {
    let line = over.map_or(String::new(), |words| format!(" All values are numbers over {words}."));
    PAGE.replace("{{OVER}}", &line)
}

async fn page(kind: &'static str, text: String) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)], text).into_response()
}

const PLACES: &str = "the places are POST /advise, GET /health and GET /";

async fn health_of(State(service): State<Arc<Service>>) -> Response {
    answer(StatusCode::OK, service.health.clone())
}

async fn advise(State(service): State<Arc<Service>>, body: Result<Bytes, BytesRejection>) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            return wrong(
                rejection.status(),
                "the situation has more than 64 KiB",
                "send one situation at a time",
            );
        }
        Err(_) => {
            return wrong(StatusCode::BAD_REQUEST, "the body ended too early", "send the situation again");
        }
    };
    let Ok(text) = std::str::from_utf8(&body) else {
        return wrong(StatusCode::BAD_REQUEST, "the situation is no text in UTF-8", "send JSON in UTF-8");
    };
    // A question that made a thread panic leaves nothing behind: every question places the team anew.
    let mut desk = service.desk.lock().unwrap_or_else(PoisonError::into_inner);
    match desk.line(text) {
        Ok(line) => answer(StatusCode::OK, line),
        Err(line) => answer(StatusCode::UNPROCESSABLE_ENTITY, line),
    }
}

async fn only(method: &'static str) -> Response {
    let help = format!("use {method}; {PLACES}");
    let response = wrong(StatusCode::METHOD_NOT_ALLOWED, "this place does not take the method", &help);
    ([(header::ALLOW, method)], response).into_response()
}

fn wrong(status: StatusCode, message: &str, help: &str) -> Response {
    answer(status, advice_error("M0078", &[message.to_owned()], help))
}
