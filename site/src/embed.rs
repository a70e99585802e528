//! `/embed/{id}/`: the player alone, for frames on other sites. It is plain HTML with the browser's built-in player, because an embedded
//! frame must be light and work on any site.

use axum::{
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_api::{
    access::AccessCheck,
    media::stream_links::StreamLinks,
    params,
    sources::Sources,
    video::{
        chapters::ChapterItem,
        file,
        show::{ShownVideo, Video},
    },
};
use lantern_catalog::status::UploadStatus;
use lantern_config::{Config, Lang};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    openapi::{Doc, query, refusal, too_often},
    same_origin::has_opaque_origin,
    security,
};
use lantern_listing::pages::address;
use lantern_media::clips::{Manifest, StreamKind};
use lantern_search::index::duration_text;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::json;

use crate::{
    document::SITE,
    gate,
    player::{self, PlayerOptions},
    request::{self, PageRequest},
    texts::text,
};

const STYLE: &str = "html,body{margin:0;height:100%;background:#000;color:#fff;font:16px system-ui,sans-serif}\
    video{display:block;width:100%;height:100%;object-fit:contain}\
    main{display:grid;place-content:center;place-items:center;min-height:100%;padding:16px;box-sizing:border-box;text-align:center}\
    h1{font-size:20px;margin:0}button{font:inherit;font-weight:600;padding:12px 20px;border:0;border-radius:8px;background:#f5b23d;color:#1a1200}\
    a{color:inherit}\
    .chapters{position:fixed;top:8px;right:8px;max-width:min(360px,100% - 16px);font-size:14px}\
    .chapters summary{width:fit-content;margin-left:auto;padding:12px 16px;border-radius:8px;background:#000b;cursor:pointer}\
    .chapters ol{max-height:calc(100vh - 120px);margin:4px 0 0;padding:4px;overflow:auto;border-radius:8px;background:#000d;list-style:none}\
    .chapters a{display:flex;gap:12px;padding:12px;border-radius:8px;text-decoration:none}\
    .chapters a:hover,.chapters a[aria-current]{background:#fff3}\
    .chapters b{font-weight:400;font-variant-numeric:tabular-nums;color:#f5b23d}";

pub async fn show(
    sources: &Sources,
    links: &StreamLinks,
    check: &AccessCheck,
    request: &PageRequest,
    id: i64,
) -> ApiResult<Response> {
    let config = &check.config;
    let lang = request.visitor.lang();
    let found = match request::video(sources, request.requester(check), id, lang).await {
        Ok(found) => found,
        Err(ApiError::NotFound(_)) => {
            return Ok(refused(config, request, StatusCode::NOT_FOUND, "video.notFound"));
        }
        Err(error) => return Err(error),
    };
    let video = match &found.video {
        Video::Shown(video) => video,
        Video::Gone { status_id: UploadStatus::Deleted, .. } => {
            return Ok(refused(config, request, StatusCode::GONE, "video.deleted"));
        }
        Video::Gone { .. } => return Ok(refused(config, request, StatusCode::FORBIDDEN, "video.private")),
    };
    let start = player::start_of(&request.params);
    // In another site's frame, browsers don't send cookies back, so submitting the form is the consent.
    let agreed = request.parts.method == Method::POST;
    if agreed && has_opaque_origin(&request.parts.headers) {
        return Ok(sandboxed(config, request, video));
    }
    if request.visitor.boot.age_gate && !agreed {
        let action = player::own(id, PlayerOptions { lang: request.visitor.address_lang, start });
        let main = html! { main { (gate::form(lang, &action, "")) } };
        return Ok(page(config, request, StatusCode::OK, &video.card.title, &canonical(request, video), &main));
    }
    let file = match Box::pin(file::get(&sources.pool, links, request.requester(check), id, 0)).await {
        Ok(file) => file,
        Err(ApiError::NotFound(_)) => {
            return Ok(refused(config, request, StatusCode::NOT_FOUND, "video.notFound"));
        }
        Err(error) => return Err(error),
    };
    let main = html! { (film(video, &file, start)) (chapters(video, lang, request.visitor.address_lang)) };
    Ok(page(config, request, StatusCode::OK, &video.card.title, &canonical(request, video), &main))
}

fn canonical(request: &PageRequest, video: &ShownVideo) -> Markup {
    html! { link rel="canonical" href={ (request.origin) (address::video(video.card.video_id, &video.card.dir)) }; }
}

/// Renders the player. The browser plays the first stream that it supports, which is HLS or else the file. A media fragment sets the
/// start.
fn film(video: &ShownVideo, file: &Manifest, start: Option<u32>) -> Markup {
    let card = &video.card;
    let at = start.map_or_else(String::new, |seconds| format!("#t={seconds}"));
    let kind = |kind: StreamKind| match kind {
        StreamKind::Hls => "application/vnd.apple.mpegurl",
        StreamKind::Mp4 => "video/mp4",
    };
    html! {
        video controls playsinline preload="metadata" poster=(card.pictures.img) aria-label=(card.title) {
            @for stream in &file.video_url { source src={ (stream.url) (at) } type=(kind(stream.kind)); }
            @for caption in &file.captions {
                track kind=(caption.kind.as_str()) srclang=(caption.lang) label=(caption.label) src=(caption.src);
            }
        }
    }
}

/// Renders the menu of chapters. Its links load the player at the chapter; with scripts, `embed.js` seeks instead, and marks the current
/// chapter.
fn chapters(video: &ShownVideo, lang: Lang, address_lang: Option<Lang>) -> Markup {
    html! {
        @if !video.chapters.is_empty() {
            details.chapters {
                summary { (text(lang, "video.chapters")) }
                ol lang=(video.chapters_lang) {
                    @for ChapterItem { start, title } in &video.chapters {
                        @let options = PlayerOptions { lang: address_lang, start: u32::try_from(*start).ok() };
                        li {
                            a href=(player::own(video.card.video_id, options)) data-start=(start) {
                                b { (duration_text((*start).into())) } span { (title) }
                            }
                        }
                    }
                }
            }
            script src="/assets/embed.js" defer {}
        }
    }
}

/// Responds with the reason why there is nothing to play, and with a link to the site.
fn refused(config: &Config, request: &PageRequest, status: StatusCode, why: &str) -> Response {
    let lang = request.visitor.lang();
    let main = notice(&text(lang, why), "/", &text(lang, "notFound.home"));
    page(config, request, status, &text(lang, "video.gone"), &Markup::default(), &main)
}

/// Responds with a link to the video's page. In a sandboxed frame without an origin, browsers don't load our films, because these count
/// as cross-site.
fn sandboxed(config: &Config, request: &PageRequest, video: &ShownVideo) -> Response {
    let card = &video.card;
    let why = text(request.visitor.lang(), "embed.boxed");
    let main = notice(&why, &address::video(card.video_id, &card.dir), &card.title);
    page(config, request, StatusCode::FORBIDDEN, &card.title, &canonical(request, video), &main)
}

fn notice(why: &str, path: &str, name: &str) -> Markup {
    html! { main { p role="alert" { (why) } p { a href=(path) target="_top" { (name) } } } }
}

fn page(
    config: &Config,
    request: &PageRequest,
    status: StatusCode,
    title: &str,
    links: &Markup,
    main: &Markup,
) -> Response {
    let html = html! {
        (DOCTYPE)
        html lang=(request.visitor.lang().as_str()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="rating" content="RTA-5042-1996-1400-1577-RTA";
                meta name="robots" content="noindex, indexifembedded";
                link rel="icon" href="/assets/lantern.svg" type="image/svg+xml";
                title { (title) " · " (SITE) }
                (links)
                style { (PreEscaped(STYLE)) }
            }
            body { (main) }
        }
    };
    let fixed: [(HeaderName, HeaderValue); 5] = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        // The links on this page are signed and expire.
        (header::CACHE_CONTROL, HeaderValue::from_static("private, no-store")),
        (header::VARY, HeaderValue::from_static("cookie, accept-language")),
        (header::CONTENT_SECURITY_POLICY, security::framed(&config.storage.origins())),
        (security::RESOURCE_POLICY, HeaderValue::from_static("cross-origin")),
    ];
    (status, fixed, html.into_string()).into_response()
}

pub fn docs(_: &Config) -> Vec<Doc> {
    let shown = |doc: Doc| {
        let lang = json!({ "type": "string" });
        let seconds = json!({ "type": "string" });
        doc.takes(params::id("id", 1))
            .takes(query("start_time", "Second to start at; an invalid one counts as absent.", seconds, "42"))
            .takes(query("lang", "Language of the page; if absent or unknown, the visitor's own.", lang, "en"))
            .answers_html(404, "No such video.")
            .answers_html(410, "The video was deleted.")
            .refuses(too_often())
    };
    vec![
        shown(Doc::page("site", "embed", "/embed/{id}/", "The player alone, for frames on other sites"))
            .about("If the age gate applies, the response is its form, which posts to the same address.")
            .answers_html(200, "The player or the age gate.")
            .answers_html(403, "The video is private."),
        shown(Doc::page_post("site", "embed_agreed", "/embed/{id}/", "The player after the age gate"))
            .about(
                "Target of the player's age gate. The request itself is the consent: in another site's frame browsers send no \
                 cookie back.",
            )
            .answers_html(200, "The player.")
            .answers_html(403, "The video is private, or the frame has no origin of its own and gets a link to the video's page.")
            .refuses(refusal(404, &[("not_found", "not a valid video id")])),
    ]
}
