//! The HTTP API: listings and suggestions from the index, pages and files of the web app.
//!
//! Reading order: [`server`] (connections), [`Site`] (answers from memory, or by the routes of `router`), a folder for each
//! thing the site shows or takes (`video/`, `album/`, `comment/`, ...: answer, documentation, handler), `http/extract/`
//! (requests into values), `index/` (queries and cards), [`cache`] (finished answers), `document.rs` (made of what
//! stands beside the handlers), `page/` (HTML around those answers).
//! Listings never touch Postgres; single objects do.

mod account;
mod action;
mod album;
mod area;
pub mod cache;
mod category;
mod comment;
mod document;
mod friend;
mod home;
mod http;
mod index;
mod media;
mod member;
mod message;
mod model;
mod moderate;
mod monitor;
mod mute;
mod notification;
mod openapi;
mod page;
mod playlist;
mod report;
mod router;
mod schedule;
mod search;
mod sources;
mod state;
mod subscription;
mod sweep;
mod tasks;
mod text;
mod upload;
mod video;
mod view;
mod web;

pub use account::{captcha, mail};
pub use document::document;
pub use http::{cookies::AGE_AGREED, error, preparing, server, site::Site};
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
pub use search::refresh::words as refresh_words;
pub use state::{AppState, Parts, Shared};
pub use tasks::{Task, Tasks};
pub use text::written::plain as plain_text;
pub use web::WebApp;
