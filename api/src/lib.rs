//! The HTTP API: listings and suggestions from the index, pages and files of the web app.
//!
//! Reading order: [`Site`] (answers from memory, or by the routes of `router`), `resources/` (one module per call), `extract/`
//! (requests into values), `index/` (queries and cards), [`cache`] (finished answers), [`openapi`] (what all that is
//! documented as),
//! `pages/` (HTML around those answers).
//! Listings never touch Postgres; single objects do.

mod accounts;
mod alphabet;
mod base64;
pub mod cache;
pub mod captcha;
mod compression;
mod cookies;
mod crawlers;
mod envelope;
pub mod error;
mod extract;
mod hex;
mod highlight;
mod index;
pub mod mail;
pub mod openapi;
mod openid;
mod pages;
mod private;
mod request_id;
mod resources;
mod router;
mod same_origin;
mod search_log;
mod security;
mod site;
mod spelling;
mod state;
mod views;
mod visitors;
mod web;
mod written;

/// Fields of a video in the index that its card is made from.
pub const CARD_FIELDS: &[&str] = &index::VideoDoc::FIELDS;

pub use cookies::AGE_AGREED;
pub use site::Site;
pub use state::{AppState, Parts, Shared};
pub use web::WebApp;
