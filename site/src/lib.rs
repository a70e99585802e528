//! The whole site as a service: pages, feeds, sitemaps and the player for other sites, around the calls of `lantern_api`.
//!
//! Every page has its status, metadata, content, and the answers to its screen's first calls. The answers come from the functions that the
//! calls use, too.
//!
//! Reading order: [`Site`] (serves cached responses or routes requests through `router`), `show` (the handler), `calls` and `answers`
//! (load the data), `describe/` (turns answers into a `document`), `head` and `body` (render the document as HTML). Other sites and
//! programs fetch `embed`, `oembed/`, `feed/` and [`sitemap`]. The addresses are in [`lantern_listing::pages`].

mod answers;
mod body;
mod business;
mod calls;
mod describe;
mod document;
mod embed;
mod feed;
mod gate;
mod head;
mod kinds;
mod limits;
mod list_pages;
mod list_texts;
mod oembed;
mod openapi;
mod player;
mod request;
mod robots;
mod router;
mod script;
mod service;
mod shorten;
mod show;
pub mod sitemap;
mod state;
mod template;
mod texts;
mod visitor;
mod web_app;
mod xml;

pub use list_texts::{ListTexts, list_path};
pub use router::document;
pub use service::{Site, serve};
pub use state::SiteState;
pub use web_app::WebApp;
