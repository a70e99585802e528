//! HTML for people and crawlers: every page with its status, what it says about itself, its content,
//! and the answers of the calls its screen makes first.
//!
//! Reading order: [`page`] (the handler), [`screen`] (what an address asks for), [`calls`] and
//! [`answers`] (the API asked in process), [`describe`] (answers into a [`document`]), [`head`] and
//! [`body`] (the document as HTML). Beside them stand what others fetch: [`embed`], [`oembed`], [`feed`], [`sitemap`].

mod address;
mod answers;
mod body;
mod calls;
mod community;
mod describe;
mod describe_community;
mod document;
mod embed;
mod escape;
mod feed;
mod gate;
mod head;
mod oembed;
mod page;
mod query;
mod robots;
mod screen;
mod sitemap;
mod texts;
mod view;
mod visitor;

use axum::{
    Router,
    routing::{get, post},
};

use self::page::Site;
use crate::state::AppState;

/// Pages and what leads to them. `api` answers the calls they hold.
pub fn router(state: AppState, api: Router) -> Router {
    let site = Site { app: state.clone(), api };
    let small =
        Router::new().route("/robots.txt", get(robots::robots)).route("/agree/", post(gate::agree)).with_state(state);
    Router::new().route("/oembed", get(oembed::oembed)).fallback(page::page).with_state(site).merge(small)
}

/// Sitemaps, which compress themselves while they are written.
pub fn sitemaps(state: AppState) -> Router {
    Router::new()
        .route("/sitemap.xml", get(sitemap::index))
        .route("/sitemap/{file}", get(sitemap::file))
        .with_state(state)
}
