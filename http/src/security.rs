//! Headers every answer carries. (A 304 has none of them: its client has them with what was sent before, RFC 9111, 3.2.)

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use lantern_config::Config;

/// Only our own origin, plus what a player needs: blob workers and sources for media, inline
/// styles of its shadow DOM. Scripts are never inline; the page's start values are data, not code.
macro_rules! csp {
    ($ancestors:literal) => {
        concat!(
            "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; ",
            "img-src 'self' data: blob:; media-src 'self' blob:; worker-src 'self' blob:; ",
            "connect-src 'self'; font-src 'self' data:; object-src 'none'; base-uri 'none'; ",
            "form-action 'self'; frame-ancestors ",
            $ancestors
        )
    };
}

/// The policy of the one page that other sites may frame.
const FRAMED_CSP: &str = csp!("*");
/// The policy of our own pages.
const PAGE_CSP: &str = csp!("'none'");
/// Who may load an answer.
pub const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, PAGE_CSP),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (RESOURCE_POLICY, "same-site"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    // The label parental filters look for (Restricted To Adults).
    (HeaderName::from_static("rating"), "RTA-5042-1996-1400-1577-RTA"),
];

/// Opens to other sites' pages what is the same for any viewer: they may show it and their scripts may read it. A refusal too, or a
/// script could not tell it from a network that is down.
pub fn open(answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    let headers = response.headers_mut();
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

/// The policy of pages that load scripts from these sources, for a captcha, frames from those, and films from stores elsewhere;
/// `None` where it is ours.
pub fn with_sources(scripts: &str, frames: &str, stores: &[String]) -> Option<HeaderValue> {
    if scripts.is_empty() && frames.is_empty() && stores.is_empty() {
        return None;
    }
    let mut policy = with_stores(PAGE_CSP, stores);
    if !scripts.is_empty() {
        policy = policy.replace("script-src 'self'", &format!("script-src 'self' {scripts}"));
    }
    if !frames.is_empty() {
        policy = format!("{policy}; frame-src {frames}");
    }
    HeaderValue::try_from(policy).ok()
}

/// The policy of the page that other sites may frame, with films from stores elsewhere.
pub fn framed(stores: &[String]) -> HeaderValue {
    HeaderValue::try_from(with_stores(FRAMED_CSP, stores)).unwrap_or(HeaderValue::from_static(FRAMED_CSP))
}

/// Players ask a store for parts of a film, for all of it, and for the pictures of its time line.
fn with_stores(policy: &str, stores: &[String]) -> String {
    let mut policy = policy.to_owned();
    if !stores.is_empty() {
        for own in ["img-src 'self'", "media-src 'self'", "connect-src 'self'"] {
            policy = policy.replace(own, &format!("{own} {}", stores.join(" ")));
        }
    }
    policy
}

/// What makes browsers come back over https alone; `None` where the site is reached without, or its operator wants none.
pub fn transport(config: &Config) -> Option<HeaderValue> {
    let (seconds, security) = (config.security.hsts_seconds, &config.security);
    if seconds == 0 || !config.is_https() {
        return None;
    }
    let hosts = if security.hsts_subdomains { "; includeSubDomains" } else { "" };
    HeaderValue::try_from(format!("max-age={seconds}{hosts}")).ok()
}

/// Adds the headers to those of an answer; a handler with a reason sets its own.
pub fn add(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// Adds the headers, and weakens the tag of an answer that was compressed on the way: a strong
/// tag promises the very same bytes.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.status() == StatusCode::NOT_MODIFIED {
        return response;
    }
    let headers = response.headers_mut();
    // Finished answers have theirs, with a tag of their own for each form.
    let finished = headers.contains_key(header::CONTENT_SECURITY_POLICY) && headers.contains_key(header::VARY);
    add(headers);
    if !finished
        && headers.contains_key(header::CONTENT_ENCODING)
        && let Some(tag) = headers.get(header::ETAG)
        && !tag.as_bytes().starts_with(b"W/")
    {
        let weak = [b"W/", tag.as_bytes()].concat();
        if let Ok(weak) = HeaderValue::from_bytes(&weak) {
            headers.insert(header::ETAG, weak);
        }
    }
    response
}
