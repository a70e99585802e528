//! HTML for people and crawlers. Every page has its status, metadata, content, and the answers to its screen's first
//! calls.
//!
//! Reading order: [`show`] (the handler), [`screen`] (parses the address), [`calls`] and [`answers`]
//! (load the data), [`describe`] (turns answers into a [`document`]), [`head`] and [`body`] (render the
//! document as HTML). Other sites and programs fetch [`embed`], [`oembed`], [`feed`] and [`sitemap`].

mod address;
mod answers;
mod body;
mod business;
mod calls;
mod community;
mod describe;
mod document;
mod embed;
mod feed;
mod fixed;
mod gate;
mod head;
mod kinds;
mod limits;
mod list_address;
mod member_filters;
mod oembed;
mod player;
mod query;
pub(crate) mod request;
mod robots;
mod saved_list;
mod screen;
mod script;
mod shorten;
mod show;
pub(crate) mod sitemap;
mod texts;
mod visitor;
mod xml;

use axum::Router;
use lantern_config::Config;
use lantern_http::openapi::{Calls, Doc};

pub use self::kinds::kinds;
pub use self::oembed::answer::OembedAnswer;
pub use self::saved_list::SavedList;
use crate::state::AppState;

/// Returns the routes around pages, with the page handler as fallback.
pub fn router(state: &AppState) -> Router {
    routes(&state.config).into_router().fallback(show::page).with_state(state.clone())
}

/// Returns the routes of sitemaps, which are stored compressed.
pub fn sitemaps(state: &AppState) -> Router {
    sitemap_routes(&state.config).into_router().with_state(state.clone())
}

/// Describes all calls here. The app's own pages are described under `x-pages`.
pub fn docs(config: &Config) -> Vec<Doc> {
    // Feeds and the player have no separate routes, because the page handler serves them.
    let mut docs = kinds::calls(config);
    docs.extend([routes(config), sitemap_routes(config)].into_iter().flat_map(Calls::into_docs));
    docs
}

fn routes(config: &Config) -> Calls<AppState> {
    Calls::default()
        .serve(oembed::oembed, oembed::doc(config))
        .serve(robots::robots, robots::doc(config))
        .serve(gate::agree, gate::doc(config))
}

fn sitemap_routes(config: &Config) -> Calls<AppState> {
    Calls::default().serve(sitemap::index, sitemap::index_doc(config)).serve(sitemap::file, sitemap::file_doc(config))
}
