//! The calls of the site, grouped by noun. Each file holds a response type, its documentation and its handler.
//!
//! Reading order: [`routers`] (the route table), then a folder per noun (`video/`, `album/`, `comment/`, …). Pages show the same values,
//! which they get from the public functions `get` of a noun. Lists come from the search index. Postgres is queried only for what belongs to
//! a single object.

pub mod access;
mod action;
pub mod album;
mod area;
pub mod bounds;
pub mod category;
pub mod comment;
mod existence;
pub mod friend;
pub mod home;
pub mod media;
pub mod member;
mod message;
pub mod model;
mod moderate;
mod mute;
mod notification;
pub mod params;
pub mod playlist;
mod report;
mod router;
mod saved_search;
pub mod search;
pub mod sources;
mod stat;
mod state;
pub mod subscription;
mod text;
pub mod video;
mod view;
mod views;

pub use router::{Routers, docs, routers};
pub use search::explain::explain;
pub use state::{AppState, Parts, Shared};
