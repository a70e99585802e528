//! The HTTP API: listings and suggestions from the index, pages and files of the web app.
//!
//! Reading order: [`server`] (connections), [`Site`] (answers from memory, or by the routes of `router`), `resources/` (one
//! module per call), `extract/` (requests into values), `index/` (queries and cards), [`cache`] (finished answers),
//! [`openapi`] (what all that is documented as), `pages/` (HTML around those answers).
//! Listings never touch Postgres; single objects do.

mod accounts;
mod alphabet;
mod base64;
pub mod cache;
pub mod captcha;
mod compression;
mod cookies;
mod cost;
mod crawlers;
mod disk;
mod envelope;
pub mod error;
mod extract;
mod hex;
mod highlight;
mod index;
pub mod mail;
mod media_access;
mod monitor;
pub mod openapi;
mod openid;
mod own_path;
mod pages;
mod per_client;
mod private;
mod purge;
mod request_id;
mod resources;
mod router;
mod same_origin;
mod search_log;
mod security;
pub mod server;
mod site;
mod spelling;
mod state;
mod uploads;
mod views;
mod visitors;
mod web;
mod written;

/// Fields of a video in the index that its card is made from.
pub const CARD_FIELDS: &[&str] = &index::VideoDoc::FIELDS;

pub use cookies::AGE_AGREED;
pub use disk::Disk;
pub use monitor::monitor;
pub use pages::sitemap::{make as make_sitemaps, make_when_due as make_sitemaps_when_due};
pub use site::Site;
pub use state::{AppState, Parts, Shared};
pub use web::WebApp;
