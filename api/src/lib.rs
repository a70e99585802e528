//! The calls of the site, grouped by noun. Each file holds a response type, its documentation and its handler.
//!
//! Reading order: [`Site`] (serves cached responses or routes requests through `router`), a folder per noun (`video/`, `album/`,
//! `comment/`, …), `index/` (queries and cards), `document.rs` (assembled from the documentation next to the handlers), `page/` (HTML
//! around the same values). Lists never query Postgres, but single objects do.

mod access;
mod action;
mod album;
mod area;
mod bounds;
mod category;
mod comment;
mod document;
mod existence;
mod friend;
mod home;
mod list_texts;
mod media;
mod member;
mod message;
mod model;
mod moderate;
mod mute;
mod notification;
mod page;
mod params;
mod playlist;
mod report;
mod router;
mod saved_search;
mod search;
mod service;
mod sources;
mod stat;
mod state;
mod subscription;
mod text;
mod video;
mod view;
mod views;
mod web;

pub use list_texts::list_path;
pub use page::sitemap::{
    make as make_sitemaps, make_if_due as make_sitemaps_if_due, make_stale as make_stale_sitemaps,
};
pub use router::document;
pub use search::explain::explain;
pub use service::{Site, serve};
pub use state::{AppState, Parts, Shared};
pub use web::WebApp;
