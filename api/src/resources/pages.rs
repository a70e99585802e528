//! The HTML around the app, its files, and `/robots.txt`.

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};

use super::me::Boot;
use crate::{
    cache, cookies,
    error::{ApiError, ApiResult},
    extract::Client,
    security,
    state::AppState,
    web::{File, Page, resolve},
};

/// Where the start values go in the built page.
const PLACE: &str = "<!--boot-->";
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// Everything that is no call of the API: files of the app, then its pages.
///
/// # Errors
/// 404 for calls and files that don't exist, 405 for anything but reading.
pub async fn page(
    State(state): State<AppState>,
    client: Client,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let path = uri.path();
    if let Some(file) = state.web.file(path.trim_start_matches('/')) {
        return if method == Method::GET || method == Method::HEAD {
            Ok(send(file, &headers))
        } else {
            Err(ApiError::Method)
        };
    }
    if ["/api/", "/assets/", "/media/", "/health/"].iter().any(|part| path.starts_with(part)) {
        return Err(ApiError::NotFound("not_found"));
    }
    let page = resolve(path, uri.query());
    if method != Method::GET && method != Method::HEAD {
        return Err(if page == Page::Missing { ApiError::NotFound("not_found") } else { ApiError::Method });
    }
    match page {
        Page::Shown => html(&state, &client, &headers, StatusCode::OK),
        Page::Missing => html(&state, &client, &headers, StatusCode::NOT_FOUND),
        Page::Embed => {
            let mut response = html(&state, &client, &headers, StatusCode::OK)?;
            let framed = HeaderValue::from_static(security::FRAMED_CSP);
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, framed);
            let anywhere = HeaderValue::from_static("cross-origin");
            response.headers_mut().insert(security::RESOURCE_POLICY, anywhere);
            Ok(response)
        }
        Page::Elsewhere(target) => redirect(&target),
    }
}

fn redirect(target: &str) -> ApiResult<Response> {
    let location = HeaderValue::try_from(target).map_err(|_| ApiError::Malformed("address"))?;
    let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, REVALIDATE)];
    Ok((StatusCode::PERMANENT_REDIRECT, headers).into_response())
}

/// The app's page in the visitor's language with what it must know first.
fn html(state: &AppState, client: &Client, headers: &HeaderMap, status: StatusCode) -> ApiResult<Response> {
    let shell = state.web.shell().ok_or_else(|| ApiError::unavailable("the web app was not built into this binary"))?;
    let boot = Boot::new(state, client, headers);
    let json = serde_json::to_string(&boot)?.replace('<', "\\u003c");
    let script = format!("<script type=\"application/json\" id=\"boot\">{json}</script>");
    let body =
        shell.replacen(PLACE, &script, 1).replacen("<html lang=\"en\"", &format!("<html lang=\"{}\"", boot.lang), 1);
    let fixed: [(HeaderName, HeaderValue); 3] = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, REVALIDATE),
        (header::VARY, HeaderValue::from_static("cookie")),
    ];
    let mut response = (status, fixed, body).into_response();
    if cookies::get(headers, cookies::COUNTRY) != Some(boot.country_code.as_str())
        && let Some(cookie) = cookies::set(&state.config, cookies::COUNTRY, &boot.country_code)
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

fn send(file: &File, asked: &HeaderMap) -> Response {
    let keep = if file.hashed { FOREVER } else { REVALIDATE };
    let fixed = [(header::ETAG, file.etag.clone()), (header::CACHE_CONTROL, keep)];
    if cache::matches(asked, &file.etag) {
        return (StatusCode::NOT_MODIFIED, fixed).into_response();
    }
    let content_type = [(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type))];
    (fixed, content_type, Body::from(file.bytes.clone().into_owned())).into_response()
}

/// Listings and videos may be indexed, searches and calls may not.
pub async fn robots(State(state): State<AppState>) -> Response {
    let text = format!(
        "# {}\nUser-agent: *\nDisallow: /search/\nDisallow: /api/videos2.php\nDisallow: /api/suggester.php\n",
        state.config.public_url()
    );
    ([(header::CACHE_CONTROL, "public, max-age=86400")], text).into_response()
}
