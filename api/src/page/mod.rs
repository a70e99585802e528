//! HTML for people and crawlers: every page with its status, what it says about itself, its content,
//! and the answers of the calls its screen makes first.
//!
//! Reading order: [`show`] (the handler), [`screen`] (what an address asks for), [`calls`] and
//! [`answers`] (what the loaders say), [`describe`] (answers into a [`document`]), [`head`] and
//! [`body`] (the document as HTML). Beside them stand what others fetch: [`embed`], [`oembed`], [`feed`], [`sitemap`].

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
pub(crate) mod list_texts;
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

/// Pages and what leads to them.
pub fn router(state: &AppState) -> Router {
    routes(&state.config).into_router().fallback(show::page).with_state(state.clone())
}

/// Sitemaps, which compress themselves while they are written.
pub fn sitemaps(state: &AppState) -> Router {
    sitemap_routes(&state.config).into_router().with_state(state.clone())
}

/// What the document says of those that are no pages of the app.
pub fn docs(config: &Config) -> Vec<Doc> {
    // Feeds and the player have no routes of their own: they are pages among others.
    let mut docs = kinds::calls(config);
    docs.extend([routes(config), sitemap_routes(config)].into_iter().flat_map(Calls::into_docs));
    docs
}

fn routes(config: &Config) -> Calls<AppState> {
    Calls::new()
        .serve(oembed::oembed, oembed::doc(config))
        .serve(robots::robots, robots::doc(config))
        .serve(gate::agree, gate::doc(config))
}

fn sitemap_routes(config: &Config) -> Calls<AppState> {
    Calls::new().serve(sitemap::index, sitemap::index_doc(config)).serve(sitemap::file, sitemap::file_doc(config))
}
