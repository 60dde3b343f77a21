//! Who is let in: requests for this machine by its own name, from nowhere else, with the token of the session.
//!
//! A page of another site that somebody of this machine looks at could send requests here in that person's name, if its own name is made
//! to point here (DNS rebinding); so the `Host` of a request has to be the very address where the server listens, and its `Origin`, if it
//! has one, the page that is served there. Other people of this machine can send what they like; they do not know the token.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use motet_render::advice_error;

use super::json;
use super::token::Token;
use super::visitors::Visitor;

/// What every answer says unless it says something else: nothing may be loaded or carried out, and nobody may show it inside of a
/// page of their own.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// How long a request may take until all of it is there and its answer begins.
const REQUEST: Duration = Duration::from_secs(30);

/// Whom a server lets in.
pub(crate) struct Door {
    /// The addresses of this server as a `Host` names them.
    names: Vec<String>,
    token: Token,
    /// Cookies do not know ports, so that their name has to.
    cookie: String,
}

/// How somebody showed the token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// Behind the address, as people do: they get a cookie.
    Address,
    Otherwise,
}

/// Why somebody is not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Elsewhere,
    Unknown,
}

impl Door {
    pub(crate) fn new(address: SocketAddr, token: Token) -> Self {
        let mut names = vec![address.to_string()];
        let usual = [IpAddr::from([127, 0, 0, 1]), IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])];
        if usual.contains(&address.ip()) {
            names.push(format!("localhost:{}", address.port()));
        }
        if address.port() == 80 {
            // Browsers leave the usual port out.
            let bare = names.iter().filter_map(|name| Some(name.strip_suffix(":80")?.to_owned()));
            names.extend(bare.collect::<Vec<_>>());
        }
        Self { names, token, cookie: format!("motet-{}", address.port()) }
    }

    /// Whether a request is let in, and how it showed the token.
    fn look(&self, request: &Request) -> Result<Shown, Refusal> {
        let headers = request.headers();
        let host = one(headers, &header::HOST).map_err(|()| Refusal::Elsewhere)?.ok_or(Refusal::Elsewhere)?;
        let is_here = |name: &str| self.names.iter().any(|own| own.eq_ignore_ascii_case(name));
        let authority = request.uri().authority().map(|authority| authority.as_str());
        if !is_here(host) || authority.is_some_and(|authority| !is_here(authority)) {
            return Err(Refusal::Elsewhere);
        }
        let origin = one(headers, &header::ORIGIN).map_err(|()| Refusal::Elsewhere)?;
        if origin.is_some_and(|origin| !origin.eq_ignore_ascii_case(&format!("http://{host}"))) {
            return Err(Refusal::Elsewhere);
        }
        self.token_of(request).ok_or(Refusal::Unknown)
    }

    fn token_of(&self, request: &Request) -> Option<Shown> {
        let headers = request.headers();
        if let Ok(Some(words)) = one(headers, &header::AUTHORIZATION) {
            let (scheme, token) = words.split_once(' ')?;
            return (scheme.eq_ignore_ascii_case("bearer") && self.token.is(token.trim()))
                .then_some(Shown::Otherwise);
        }
        let pairs = request.uri().query().unwrap_or_default().split('&');
        if let Some(token) = pairs.filter_map(|pair| pair.strip_prefix("token=")).next() {
            return self.token.is(token).then_some(Shown::Address);
        }
        // A browser sends cookies for whoever asks it to; who that was it says here.
        let by_itself = match one(headers, &HeaderName::from_static("sec-fetch-site")) {
            Ok(site) => site.is_none_or(|site| ["same-origin", "none"].contains(&site)),
            Err(()) => false,
        };
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let known = pairs.any(|(name, token)| name == self.cookie && self.token.is(token));
        (by_itself && known).then_some(Shown::Otherwise)
    }
}

/// The only value of a header; `Err` when there are several, or one that is no text.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    let first = values.next().map(|value| value.to_str().map_err(drop)).transpose()?;
    if values.next().is_some() { Err(()) } else { Ok(first) }
}

/// Lets a request in, or says why not.
pub(crate) async fn enter(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    let visitor = request.extensions().get::<Arc<Visitor>>().cloned();
    let looked = door.look(&request);
    let is_page = request.method() == Method::GET;
    let mut response = match looked {
        Ok(_) => {
            visitor.iter().for_each(|visitor| visitor.admit());
            let answered = tokio::time::timeout(REQUEST, next.run(request)).await;
            answered.unwrap_or_else(|_| {
                refused(
                    StatusCode::REQUEST_TIMEOUT,
                    "the request did not come to its end",
                    "send the situation again",
                )
            })
        }
        Err(Refusal::Elsewhere) => {
            let help = format!("ask for http://{}, from no other page", door.names[0]);
            refused(
                StatusCode::FORBIDDEN,
                "the request is not for this machine by one of its own names",
                &help,
            )
        }
        Err(Refusal::Unknown) => refused(
            StatusCode::UNAUTHORIZED,
            "the request does not show the token of this session",
            "send the header `Authorization: Bearer TOKEN`, or open the address with the token that was printed at the start",
        ),
    };
    let headers = response.headers_mut();
    for (name, words) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(words));
    }
    match looked {
        Ok(Shown::Address) if is_page => {
            let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", door.cookie, door.token);
            let cookie = HeaderValue::from_str(&cookie).expect("a token is made of digits");
            headers.append(header::SET_COOKIE, cookie);
        }
        Ok(_) => {}
        // Whoever was refused has no reason to stay.
        Err(_) => drop(headers.insert(header::CONNECTION, HeaderValue::from_static("close"))),
    }
    if response.status() == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

fn refused(status: StatusCode, message: &str, help: &str) -> Response {
    json(status, advice_error("M0078", &[message.to_owned()], help))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn door(address: &str) -> Door {
        Door::new(address.parse().expect("an address"), Token::fresh())
    }

    fn look(door: &Door, headers: &[(&str, &str)]) -> Option<Refusal> {
        let mut request = axum::http::Request::builder().uri("/");
        let bearer = format!("Bearer {}", door.token);
        for (name, value) in headers.iter().chain(&[("authorization", bearer.as_str())]) {
            request = request.header(*name, *value);
        }
        door.look(&request.body(Body::empty()).expect("a request")).err()
    }

    #[test]
    fn a_host_is_the_very_address_or_a_name_of_it() {
        let door = door("127.0.0.1:8080");
        for here in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080"] {
            assert_eq!(look(&door, &[("host", here)]), None, "{here}");
        }
        for other in [
            "localhost",
            "127.0.0.1",
            "localhost:80",
            "127.0.0.2:8080",
            "[::1]:8080",
            "localhost.example.org:8080",
            "",
        ] {
            assert_eq!(look(&door, &[("host", other)]), Some(Refusal::Elsewhere), "{other}");
        }
        let twice = [("host", "localhost:8080"), ("host", "localhost:8080")];
        assert_eq!(
            look(&door, &twice),
            Some(Refusal::Elsewhere),
            "which of them was meant is anybody's guess"
        );
        assert_eq!(look(&door, &[]), Some(Refusal::Elsewhere));
    }

    #[test]
    fn browsers_leave_the_usual_port_out() {
        let door = door("[::1]:80");
        for here in ["[::1]", "[::1]:80", "localhost", "localhost:80"] {
            assert_eq!(look(&door, &[("host", here)]), None, "{here}");
        }
        assert_eq!(look(&door, &[("host", "127.0.0.1")]), Some(Refusal::Elsewhere));
    }

    #[test]
    fn an_origin_is_the_page_that_is_served_here() {
        let door = door("127.0.0.1:8080");
        let from = |origin: &str| look(&door, &[("host", "127.0.0.1:8080"), ("origin", origin)]);
        assert_eq!(from("http://127.0.0.1:8080"), None);
        for other in [
            "http://localhost:8080",
            "http://127.0.0.1",
            "http://127.0.0.1:5000",
            "https://127.0.0.1:8080",
            "null",
        ] {
            assert_eq!(from(other), Some(Refusal::Elsewhere), "{other}");
        }
    }

    #[test]
    fn a_cookie_counts_only_when_the_page_itself_asks() {
        let door = door("127.0.0.1:8080");
        let with = |name: &str, site: Option<&str>| {
            let mut request = axum::http::Request::builder().uri("/events").header("host", "127.0.0.1:8080");
            request = request.header("cookie", format!("a=b; {name}={}", door.token));
            if let Some(site) = site {
                request = request.header("sec-fetch-site", site);
            }
            door.look(&request.body(Body::empty()).expect("a request")).is_ok()
        };
        assert!(
            with("motet-8080", None)
                && with("motet-8080", Some("same-origin"))
                && with("motet-8080", Some("none"))
        );
        assert!(
            !with("motet-8081", None)
                && !with("motet-8080", Some("same-site"))
                && !with("motet-8080", Some("cross-site"))
        );
    }
}
