//! Serves everything that is not an API call: first files of the app, then its pages.

use axum::{
    body::Body,
    extract::{FromRef, FromRequestParts, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, request::Parts},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::join;
use lantern_accounts::{
    session,
    viewer::{Sessions, Viewer},
};
use lantern_api::{
    access::AccessCheck, media::stream_links::StreamLinks, search::searcher::AnswerVisibility, sources::Sources,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{cache, cookies, private::PRIVATE, throttled_log};
use lantern_listing::pages::{Page, Scope, ScreenMatch, VideoPage, address, query, resolve, screen::Screen};
use maud::{Markup, html};
use serde::Serialize;
use serde_json::json;

use crate::{
    body,
    business::Business,
    describe::Scene,
    document::Document,
    embed, feed, gate, head,
    limits::PageLimits,
    list_texts::{Blocks, ListTexts},
    request::PageRequest,
    script::ScriptJson,
    state::SiteState,
    visitor::Visitor,
    web_app::{AppFile, WebApp},
};

const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Icons and the like keep their names when they change, but using an old one for a day does no harm.
const FOR_A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");
/// Media type that the app requests when it navigates by itself. The response contains the metadata of a page without the page.
const HEAD: &str = "application/vnd.lantern.head+json";

/// Methods allowed for pages and files.
const READS: &str = "GET,HEAD";
/// Methods allowed for an embedded player.
const READS_AND_POST: &str = "GET,HEAD,POST";

const VARY: HeaderValue = HeaderValue::from_static("cookie, accept, accept-language");

pub async fn page(State(site): State<SiteState>, request: Request) -> ApiResult<Response> {
    let (mut parts, _) = request.into_parts();
    let path = parts.uri.path();
    let reads = parts.method == Method::GET || parts.method == Method::HEAD;
    if let Some(file) = site.web.file(path.trim_start_matches('/')) {
        return Ok(if reads { send(file, &parts.headers) } else { method_not_allowed(READS) });
    }
    if ["/api/", "/assets/", "/media/", "/sitemap/"].iter().any(|part| path.starts_with(part)) {
        return Err(ApiError::NotFound("not_found"));
    }
    let app = &site.app;
    let check = AccessCheck::from_ref(app);
    match resolve(path, parts.uri.query()) {
        // The age gate in an embedded player posts to the player itself.
        Page::Embed(_) if !reads && parts.method != Method::POST => Ok(method_not_allowed(READS_AND_POST)),
        Page::Embed(id) => {
            let (sources, links) = (Sources::from_ref(app), StreamLinks::from_ref(app));
            embed::show(&sources, &links, &check, &PageRequest::new(&check, parts).await?, id).await
        }
        Page::Missing if !reads => Err(ApiError::NotFound("not_found")),
        _ if !reads => Ok(method_not_allowed(READS)),
        Page::Shown(shown) if FOR_MEMBERS.contains(&shown.screen) => {
            // If the session can't be read, the app gets the page and asks the visitor to sign in if necessary.
            if let Ok(Viewer(None)) = Viewer::from_request_parts(&mut parts, &check.sessions).await {
                return sign_in(&parts.uri);
            }
            show(&site, PageRequest::new(&check, parts).await?, Some(&shown)).await
        }
        Page::Shown(shown) => show(&site, PageRequest::new(&check, parts).await?, Some(&shown)).await,
        Page::Missing => show(&site, PageRequest::new(&check, parts).await?, None).await,
        Page::Feed(shown) => Ok(feed::show(app, &PageRequest::new(&check, parts).await?, &shown).await),
        Page::Elsewhere(target) => redirect(&target, StatusCode::PERMANENT_REDIRECT),
        Page::Profile => profile(&check.sessions, parts).await,
    }
}

/// Refuses a method that is not in `allowed` (RFC 9110, 15.5.6).
fn method_not_allowed(allowed: &'static str) -> Response {
    let mut response = ApiError::Method.into_response();
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}

/// Screens that require a session.
const FOR_MEMBERS: [&str; 4] = ["upload", "upload-album", "edit-video", "edit-album"];

/// Redirects members to their profile and guests to the sign-in page.
async fn profile(sessions: &Sessions, mut parts: Parts) -> ApiResult<Response> {
    let Viewer(member) = Viewer::from_request_parts(&mut parts, sessions).await?;
    member.map_or_else(
        || sign_in(&parts.uri),
        |member| redirect_privately(&format!("{}info/", address::member(member.id))),
    )
}

/// Redirects to the home page, where the app opens the sign-in dialog and then returns to the requested address
/// (`web/src/shared/account/wanted.ts`).
fn sign_in(wanted: &Uri) -> ApiResult<Response> {
    let next = wanted.path_and_query().map_or("/", |address| address.as_str());
    redirect_privately(&format!("/{}", query::write(&[("next", next)])))
}

/// Redirects only this viewer.
fn redirect_privately(to: &str) -> ApiResult<Response> {
    let mut response = redirect(to, StatusCode::TEMPORARY_REDIRECT)?;
    response.headers_mut().insert(header::CACHE_CONTROL, PRIVATE);
    Ok(response)
}

fn redirect(target: &str, status: StatusCode) -> ApiResult<Response> {
    let location = HeaderValue::try_from(target).map_err(|_| ApiError::Malformed("address"))?;
    let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, REVALIDATE)];
    Ok((status, headers).into_response())
}

/// Renders a page of the app in the visitor's language, with the answers to its calls.
async fn show(site: &SiteState, mut request: PageRequest, shown: Option<&ScreenMatch>) -> ApiResult<Response> {
    let app = &site.app;
    request
        .parts
        .extensions
        .insert(AnswerVisibility(request.parts.method == Method::GET && !request.visitor.boot.age_gate));
    let PageRequest { parts, params, visitor, .. } = &request;
    let max_categories = app.config.listing.max_categories;
    let screen = shown.and_then(|shown| Screen::of(shown, params, max_categories));
    let scene = Scene::of(app, &request, visitor, false);
    let (mut document, failure) = match screen {
        Some(screen) => match join!(scene.frame(), scene.describe(&screen)).1 {
            Ok(document) => (document, None),
            Err(error) => (Document { search: searched_text(&screen), ..scene.failed(&error) }, Some(error)),
        },
        None => {
            // The page is complete even without the data for the frame.
            let _ = scene.frame().await;
            (scene.missing(), None)
        }
    };
    if let Some(error @ (ApiError::Internal(_) | ApiError::Unavailable(_))) = &failure {
        throttled_log::warn(error, || tracing::warn!(path = parts.uri.path(), %error, "page lacks its main answer"));
    }
    let is_private = scene.answers.are_private();
    if is_private {
        document = document.private();
    }
    document.text = text_below(&site.list_texts, &request, &document);
    // Content behind the gate is not sent at all.
    let answers = scene.answers.into_shown().filter(|_| !visitor.boot.age_gate);
    if visitor.boot.age_gate {
        let back = parts.uri.path_and_query().map_or("/", |address| address.as_str());
        document = document.behind_gate(gate::form(visitor.lang(), "/agree/", back));
    }
    if parts.headers.get(header::ACCEPT).is_some_and(|accept| accept == HEAD) {
        return head_only(&request, &document);
    }
    let sessions = Sessions::from_ref(app);
    let business = Business::of(&app.config, &sessions, &request, document.text.as_deref()).await;
    let boot = boot(&app.config, &request, business, answers)?;
    let mut response = html(&site.web, &app.config, &request, &document, &boot)?;
    if let Some(seconds) = failure.and_then(|error| error.retry_after()) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if is_private {
        response.headers_mut().insert(header::CACHE_CONTROL, PRIVATE);
    }
    Ok(response)
}

/// Returns the query of a search, which stays in the search box even if the search fails.
fn searched_text(screen: &Screen) -> String {
    match screen {
        Screen::Videos(VideoPage { scope: Scope::Search(query), .. }) => query.clone(),
        _ => String::new(),
    }
}

/// Parameters that do not change the list.
const NEUTRAL_PARAMS: [&str; 4] = ["gender", "lang", "fr", "campaign"];

/// Returns the operator's text below a list. It is shown only on the first page and without filters.
fn text_below(list_texts: &ListTexts, request: &PageRequest, document: &Document) -> Option<Blocks> {
    if document.status != StatusCode::OK || request.params.names().any(|name| !NEUTRAL_PARAMS.contains(&name)) {
        return None;
    }
    list_texts.of(request.parts.uri.path(), request.visitor.lang())
}

/// Responds with only the metadata of a page. The page's status is a field, because the app's request itself succeeded.
fn head_only(request: &PageRequest, document: &Document) -> ApiResult<Response> {
    let body = json!({
        "status": document.status.as_u16(),
        "lang": request.visitor.lang(),
        "head": head::metadata(document, &request.visitor, &request.origin).0,
        "data": document.graph(&request.origin, request.visitor.address_lang),
        "text": document.text.as_deref(),
    });
    let fixed: [(HeaderName, HeaderValue); 3] = [
        (header::CONTENT_TYPE, HeaderValue::from_static(HEAD)),
        // A browser must never show this response instead of the page, which has the same address.
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (header::VARY, VARY),
    ];
    Ok((StatusCode::OK, fixed, body.to_string()).into_response())
}

/// What the app needs before its first request.
#[derive(Serialize)]
struct BootData<'a> {
    #[serde(flatten)]
    visitor: &'a Visitor,
    /// Whether the request has no session cookie, so that the app need not request the member's data.
    guest: bool,
    /// Whether to offer sign-in with Google.
    google: bool,
    /// Domain for cookies that the app itself sets, or an empty string for this host only.
    cookie_domain: &'a str,
    limits: PageLimits<'a>,
    #[serde(flatten)]
    business: Business<'a>,
}

/// Serializes the boot data, with each answer under the address of its call.
fn boot(
    config: &Config,
    request: &PageRequest,
    business: Business<'_>,
    answers: impl Iterator<Item = (String, Bytes)>,
) -> ApiResult<String> {
    let mut json = serde_json::to_string(&BootData {
        visitor: &request.visitor,
        guest: session::token(config, &request.parts.headers).is_none(),
        google: config.openid.is_on(),
        cookie_domain: &config.server.cookie_domain,
        limits: PageLimits::of(config),
        business,
    })?;
    json.pop();
    json.push_str(",\"answers\":{");
    for (at, (url, answer)) in answers.enumerate() {
        if at > 0 {
            json.push(',');
        }
        json.push_str(&serde_json::to_string(&url)?);
        json.push(':');
        json.push_str(str::from_utf8(&answer).map_err(ApiError::internal)?);
    }
    json.push_str("}}");
    Ok(json)
}

/// Renders the data for scripts and search engines. The data is at the end of the page, where it doesn't delay the app's files.
fn data(document: &Document, PageRequest { origin, visitor, .. }: &PageRequest, boot: &str) -> Markup {
    html! {
        @if let Some(graph) = document.graph(origin, visitor.address_lang) {
            script type="application/ld+json" { (ScriptJson(&graph.to_string())) }
        }
        script type="application/json" id="boot" { (ScriptJson(boot)) }
    }
}

fn html(web: &WebApp, config: &Config, request: &PageRequest, document: &Document, boot: &str) -> ApiResult<Response> {
    let template = web.template();
    let template = template.ok_or_else(|| ApiError::unavailable("the web app was not built into this binary"))?;
    let PageRequest { parts, visitor, origin, .. } = request;
    let lang = visitor.lang();
    let data = data(document, request, boot);
    let head = head::write(document, visitor, origin);
    let page = template.fill(lang.as_str(), &head.0, &body::write(document, visitor).0, &data.0);
    let fixed: [(HeaderName, HeaderValue); 4] = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        // The page depends on cookies and on the visitor's country, so it is private and must be revalidated each time.
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
        (header::VARY, VARY),
        (header::CONTENT_LANGUAGE, HeaderValue::from_static(lang.as_str())),
    ];
    let mut response = (document.status, fixed, page).into_response();
    let headers = response.headers_mut();
    let country = &visitor.boot.country_code;
    if cookies::get(&parts.headers, cookies::COUNTRY) != Some(country.as_str())
        && let Some(cookie) = cookies::set(config, cookies::COUNTRY, country)
    {
        headers.append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

fn send(file: &AppFile, request: &HeaderMap) -> Response {
    let keep = if file.hashed { FOREVER } else { FOR_A_DAY };
    let fixed = [(header::ETAG, file.etag.clone()), (header::CACHE_CONTROL, keep), (header::VARY, cache::VARY)];
    if cache::matches(request, &file.etag) {
        return (StatusCode::NOT_MODIFIED, fixed).into_response();
    }
    let content_type = [(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type))];
    (fixed, content_type, Body::from(file.bytes.clone().into_owned())).into_response()
}
