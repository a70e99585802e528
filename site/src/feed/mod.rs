//! Lists of videos as feeds: `/videos/{sort}/feed/`, `/categories/{dirs}/{sort}/feed/`, `/search/feed/?s=`,
//! `/top-country/feed/?country=`, `/model/{dir}/feed/`, `/members/{id}/feed/` and `/playlist/{id}/feed/`.
//!
//! Their parameters are `?lang=`, the filters of the list and, if the list differs by orientation, `?gender=`. A feed is the first page
//! of its list, with the same videos, title and description.

pub mod doc;
mod xml;

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_api::AppState;
use lantern_config::{Config, Gender, Lang, VideoSort, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{cache, security};
use lantern_listing::{
    is_facet,
    pages::{Scope, ScreenMatch, VideoPage, address::Address, feed_address, screen::Screen},
};
use lantern_search::length;

use crate::{
    describe::Scene,
    feed::xml::RssFeed,
    request::PageRequest,
    visitor::{Visitor, likely_country},
};

/// Handles a feed. Responds with 404 for a category, model, member, playlist or country that doesn't exist, and with 403 for a private
/// playlist.
pub async fn show(app: &AppState, request: &PageRequest, shown: &ScreenMatch) -> Response {
    security::allow_cross_origin(answer(app, request, shown).await)
}

async fn answer(app: &AppState, request: &PageRequest, shown: &ScreenMatch) -> ApiResult<Response> {
    let visitor = public_visitor(request);
    let screen = screen(&app.config, request, shown, &visitor.country).ok_or(ApiError::NotFound("not_found"))?;
    let scene = Scene::of(app, request, &visitor, true);
    let page = scene.describe(&screen).await?;
    let no_list = || ApiError::internal("the page of a feed has no list of videos");
    let found = page.videos.ok_or_else(no_list)?;
    let (own, link) = own(&screen, &visitor).zip(page.address).ok_or_else(no_list)?;
    let feed = RssFeed {
        origin: &request.origin,
        lang: visitor.lang(),
        title: &page.title,
        description: &page.description,
        own: &own.in_lang(request.visitor.address_lang),
        link: &link.in_lang(Some(visitor.lang())),
        videos: &found.videos,
    };
    tagged(request, feed.write(), lifetime(&screen))
}

/// Returns the screen of the list, or `None` for a search whose query is too short or too long.
fn screen(config: &Config, request: &PageRequest, shown: &ScreenMatch, country: &str) -> Option<Screen> {
    // A feed has its own orientation and order, and always names the country.
    let selecting = request.params.only(|name| name == "s" || is_facet(name)).with("country", country);
    let listing = &config.listing;
    Some(match Screen::of(shown, &selecting, listing.max_categories)? {
        // A model's page ignores filters, but its feed does not.
        Screen::Model { dir, videos: Some(list) } => {
            Screen::Model { dir, videos: Some(list.filtered_by(&selecting, listing.max_categories)) }
        }
        Screen::Videos(list) => match &list.scope {
            Scope::Search(text) => {
                return length::fits(listing, text)
                    .then_some(Screen::Videos(VideoPage { sort: VideoSort::LatestUpdates, ..list }));
            }
            _ => Screen::Videos(list),
        },
        screen => screen,
    })
}

/// Returns the visitor for whom a feed is written. It depends only on the address, not on cookies or the reader's country.
fn public_visitor(request: &PageRequest) -> Visitor {
    let mut visitor = request.visitor.clone();
    visitor.boot.lang = request.visitor.address_lang.unwrap_or(Lang::En);
    visitor.gender = request.params.word("gender").unwrap_or(Gender::Str);
    let country = request.params.get("country");
    let named = country.len() == 2 && country.bytes().all(|letter| letter.is_ascii_uppercase());
    let country = if named { country } else { likely_country(visitor.lang()) };
    country.clone_into(&mut visitor.country);
    visitor
}

/// Returns the address of the feed itself.
fn own(screen: &Screen, visitor: &Visitor) -> Option<Address> {
    match screen {
        Screen::Videos(list) | Screen::Model { videos: Some(list), .. } => {
            feed_address::of_list(list, visitor.gender, &visitor.country)
        }
        Screen::Community(screen) => feed_address::of_community(screen),
        _ => None,
    }
}

/// Returns the number of seconds for which a reader may cache the feed. It is lower for lists that show the latest videos.
fn lifetime(screen: &Screen) -> u32 {
    match screen {
        Screen::Videos(list) if list.sort != VideoSort::LatestUpdates => lifetimes::HOME,
        _ => lifetimes::LATEST,
    }
}

/// Responds with an `ETag`, because readers poll every few minutes and there is usually nothing new.
fn tagged(request: &PageRequest, feed: Vec<u8>, lifetime: u32) -> ApiResult<Response> {
    let etag = cache::etag(&feed)?;
    let keep = HeaderValue::try_from(format!("public, max-age={lifetime}")).map_err(ApiError::internal)?;
    let known = cache::matches(&request.parts.headers, &etag);
    let fixed = [(header::CACHE_CONTROL, keep), (header::ETAG, etag), (header::VARY, cache::VARY)];
    if known {
        return Ok((StatusCode::NOT_MODIFIED, fixed).into_response());
    }
    let kind = HeaderValue::from_static("application/rss+xml; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind)], fixed, feed).into_response())
}
