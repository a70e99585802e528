//! The route table of the site: calls, media, pages and everything else.

use axum::{
    Router,
    extract::{DefaultBodyLimit, State},
    http::HeaderMap,
    middleware,
};
use lantern_accounts::captcha;
use lantern_api::{AppState, Routers, bounds, media, routers};
use lantern_config::Config;
use lantern_errors::ApiError;
use lantern_http::{
    compression::compression,
    cost,
    envelope::envelope,
    openapi::{Calls, Doc},
    same_origin, security,
};

use crate::{
    gate, kinds, oembed,
    openapi::{self, DocumentBytes},
    robots, show, sitemap,
    state::SiteState,
};

pub fn router(state: &SiteState) -> Router {
    let app = &state.app;
    let Routers { cached, calls, media } = routers(app);
    let pages = page_routes(&app.config).into_router().with_state(app.clone()).fallback(show::page);
    let pages =
        pages.with_state(state.clone()).layer(middleware::from_fn_with_state(app.clone(), captcha::allow_sources));
    let rest = calls
        .merge(document_routes(&app.config).into_router().with_state(app.clone()))
        .merge(pages)
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(compression());
    // These calls also serve requests that the response cache can't answer.
    cached
        .layer(compression())
        .merge(rest)
        .layer(middleware::from_fn_with_state(app.clone(), cost::payer))
        .layer(DefaultBodyLimit::max(app.config.server.body_limit))
        // Films, pictures and sitemaps are already compressed.
        .merge(media)
        .merge(sitemap_routes(&app.config).into_router().with_state(app.clone()))
        .layer(middleware::from_fn_with_state(app.clone(), same_origin::guard))
        .layer(middleware::from_fn_with_state(bounds::settings(&app.config), envelope))
        .layer(middleware::from_fn(security::headers))
}

/// Builds the OpenAPI document for these settings.
#[must_use]
pub fn document(config: &Config) -> serde_json::Value {
    openapi::build(config, &docs(config))
}

/// Returns the documentation of all calls, in document order. The app's own pages are described under `x-pages`.
fn docs(config: &Config) -> Vec<Doc> {
    let mut docs = lantern_api::docs(config);
    docs.extend(document_routes(config).into_docs());
    docs.extend(media::doc::all(config));
    // Feeds and the player have no separate routes, because the page handler serves them.
    docs.extend(kinds::calls(config));
    docs.extend([page_routes(config), sitemap_routes(config)].into_iter().flat_map(Calls::into_docs));
    docs
}

fn page_routes(config: &Config) -> Calls<AppState> {
    Calls::default()
        .serve(oembed::oembed, oembed::doc(config))
        .serve(robots::robots, robots::doc(config))
        .serve(gate::agree, gate::doc(config))
}

/// Returns the routes of sitemaps, which are stored compressed.
fn sitemap_routes(config: &Config) -> Calls<AppState> {
    Calls::default().serve(sitemap::index, sitemap::index_doc(config)).serve(sitemap::file, sitemap::file_doc(config))
}

fn document_routes(config: &Config) -> Calls<AppState> {
    let served = DocumentBytes::default();
    let openapi = async move |State(state): State<AppState>, headers: HeaderMap| {
        served.answer(|| document(&state.config), &headers)
    };
    Calls::default().serve(openapi, openapi::doc(config))
}
