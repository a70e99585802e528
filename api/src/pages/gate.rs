//! The age gate for people without scripts: a form that leaves the same cookie as the app's button.

use std::fmt::Write as _;

use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_config::Lang;

use super::{body, escape::Text, query::Params, texts::text};
use crate::{
    cookies,
    error::{ApiError, ApiResult},
    state::AppState,
};

/// The form, which sends `to` along to `action`.
#[must_use]
pub fn form(lang: Lang, action: &str, to: &str) -> String {
    let mut out = String::new();
    body::heading(&mut out, &text(lang, "gate.title"));
    body::paragraph(&mut out, &text(lang, "gate.text"));
    let _ = write!(
        out,
        "<form method=\"post\" action=\"{}\"><input type=\"hidden\" name=\"to\" value=\"{}\" /><button>{}</button></form>",
        Text(action),
        Text(to),
        Text(text(lang, "gate.agree"))
    );
    out
}

/// `POST /agree/`: remembers that the visitor is an adult and leads back.
///
/// # Errors
/// 403 when another site sent the form, 400 for a way back that leaves this site.
pub async fn agree(State(state): State<AppState>, headers: HeaderMap, sent: Bytes) -> ApiResult<Response> {
    same_site(&headers)?;
    let sent = String::from_utf8(sent.into()).map_err(|_| ApiError::Malformed("UTF-8"))?;
    let params = Params::parse(&sent);
    let to = params.get("to");
    // `//host/` and `/\host/` are other sites to a browser.
    if !to.starts_with('/') || to[1..].starts_with(['/', '\\']) || to.contains(char::is_control) {
        return Err(ApiError::Malformed("to"));
    }
    let location = HeaderValue::try_from(to).map_err(|_| ApiError::Malformed("to"))?;
    let fixed = [(header::LOCATION, location), (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"))];
    let mut response = (StatusCode::SEE_OTHER, fixed).into_response();
    let cookie = cookies::set(&state.config, cookies::AGE_AGREED, "1").ok_or(ApiError::Malformed("cookie"))?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Whether a form was sent from our own pages, as far as the browser says; other programs say nothing.
///
/// # Errors
/// 403 for another site's.
pub fn same_site(headers: &HeaderMap) -> ApiResult<()> {
    let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let ours = match (value("sec-fetch-site"), value("origin")) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => origin.split_once("://").map(|(_, host)| host) == value("host"),
        (None, None) => true,
    };
    if ours { Ok(()) } else { Err(ApiError::Forbidden("dont_have_permission")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_forms_count() {
        let check = |pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(*name, HeaderValue::from_static(value));
            }
            same_site(&headers).is_ok()
        };
        assert!(check(&[]) && check(&[("sec-fetch-site", "same-origin")]));
        assert!(check(&[("origin", "https://tube.example"), ("host", "tube.example")]));
        assert!(!check(&[("sec-fetch-site", "cross-site")]) && !check(&[("sec-fetch-site", "same-site")]));
        assert!(!check(&[("origin", "https://evil.example"), ("host", "tube.example")]));
        assert!(!check(&[("origin", "null"), ("host", "tube.example")]));
    }
}
