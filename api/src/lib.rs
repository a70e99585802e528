//! The calls of the site, grouped by noun: each file holds a response type, its documentation and its handler.
//!
//! Reading order: [`Site`] (serves cached responses or routes requests through `router`), a folder per noun (`video/`, `album/`,
//! `comment/`, …), `index/` (queries and cards), `document.rs` (assembled from the documentation beside the handlers), `page/` (HTML
//! around the same values). Lists never query Postgres; single objects do.

mod access;
mod account;
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
mod media;
mod member;
mod message;
mod model;
mod moderate;
mod monitor;
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
mod sweep;
mod text;
mod upload;
mod video;
mod view;
mod visitors;
mod web;

pub use document::document;
pub use moderate::{
    queue::{has_terms, list_waiting},
    seal::seal,
    totp,
};
pub use monitor::{Monitor, disk::Disk, health::Health};
pub use notification::digest::send_digests;
pub use page::list_texts::list_path;
pub use page::sitemap::{
    make as make_sitemaps, make_if_due as make_sitemaps_if_due, make_stale as make_stale_sitemaps,
};
pub use service::{Site, serve};
pub use state::{AppState, Parts, Shared};
pub use text::written::plain as plain_text;
pub use web::WebApp;
