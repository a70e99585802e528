//! One module per call of the contract, each in the same order: answer, handler, queries.

pub mod album;
pub mod albums;
pub mod area;
pub mod categories;
pub mod comments;
pub mod facets;
mod filter_facets;
pub mod friends;
pub mod health;
mod hidden;
pub mod home;
pub mod home_blocks;
pub mod logout;
pub mod me;
pub mod member;
pub mod members;
pub mod metrics;
pub mod model;
pub mod models;
pub mod playlist;
pub mod playlists;
pub mod promo;
pub mod related;
pub mod search;
mod search_groups;
mod search_relax;
mod search_run;
mod search_spelling;
mod shows;
pub mod subscriptions;
pub mod suggester;
pub mod video;
mod video_sources;
pub mod videofile;
pub mod videos;

pub use search_relax::Relaxed;
