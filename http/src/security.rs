//! Security headers for all responses except a 304, whose client has them from the cached response (RFC 9111, 3.2).

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use lantern_config::Config;

/// Content security policy. It allows only our own origin, plus the blob workers, blob media and inline styles in the shadow DOM that the
/// player needs. Scripts are never inline; the initial state of a page is data, not code.
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

/// Policy of the only page that other sites may frame.
const FRAMED_CSP: &str = csp!("*");
/// Policy of all other pages.
const PAGE_CSP: &str = csp!("'none'");
/// Header that specifies which sites may load a response.
pub const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Default security headers.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, PAGE_CSP),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (RESOURCE_POLICY, "same-site"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    // The label that parental filters check (Restricted To Adults).
    (HeaderName::from_static("rating"), "RTA-5042-1996-1400-1577-RTA"),
];

/// Lets pages of other sites embed a response and read it by script. It must be used only for responses that are the same for every
/// viewer. It applies to errors, too, because a script could otherwise not distinguish them from a network failure.
pub fn allow_cross_origin(response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    let headers = response.headers_mut();
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

/// Returns the policy for pages with additional sources: `scripts` and `frames` (space-separated) for a captcha, and the origins of
/// external film `stores`. Returns `None` if all are empty, so that the default applies.
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

/// Returns the policy of the page that other sites may frame, with the origins of external film `stores`.
pub fn framed(stores: &[String]) -> HeaderValue {
    HeaderValue::try_from(with_stores(FRAMED_CSP, stores)).unwrap_or(HeaderValue::from_static(FRAMED_CSP))
}

/// Allows players to load media, segments and timeline pictures from the stores.
fn with_stores(policy: &str, stores: &[String]) -> String {
    let mut policy = policy.to_owned();
    if !stores.is_empty() {
        for own in ["img-src 'self'", "media-src 'self'", "connect-src 'self'"] {
            policy = policy.replace(own, &format!("{own} {}", stores.join(" ")));
        }
    }
    policy
}

/// Returns the value of `Strict-Transport-Security`, or `None` without https or if `security.hsts_seconds` is 0.
pub fn transport(config: &Config) -> Option<HeaderValue> {
    let (seconds, security) = (config.security.hsts_seconds, &config.security);
    if seconds == 0 || !config.is_https() {
        return None;
    }
    let hosts = if security.hsts_subdomains { "; includeSubDomains" } else { "" };
    HeaderValue::try_from(format!("max-age={seconds}{hosts}")).ok()
}

/// Adds the default headers to a response, except those that the handler has set.
pub fn add(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// Middleware that adds the default headers. It also weakens the ETag of responses that the compression layer has compressed, because a
/// strong tag promises identical bytes.
pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.status() == StatusCode::NOT_MODIFIED {
        return response;
    }
    let headers = response.headers_mut();
    // Cached responses already have these headers, and a separate ETag for each variant.
    let is_cached = headers.contains_key(header::CONTENT_SECURITY_POLICY) && headers.contains_key(header::VARY);
    add(headers);
    if !is_cached
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
