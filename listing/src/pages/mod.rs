//! Grammar of page addresses: the table of addresses, the screen of an address, and the canonical address of a screen.
//!
//! Parsing is lenient, because a mistyped or mangled address should still lead to a page. Reading order: [`routes`] (the path),
//! [`query`] (the parameters), [`screen`] (both as a value), [`VideoPage`] and its siblings (a list as a value and as an address).

pub mod address;
pub mod community;
pub mod feed_address;
pub mod fixed;
mod members;
mod models;
pub mod query;
pub mod routes;
pub mod screen;
mod videos;

pub use members::MemberPage;
pub use models::ModelPage;
pub use routes::{Page, ScreenMatch, TOPICS, resolve, topic_path};
pub use videos::{Scope, VideoPage};

/// Items per page of a list of videos, albums, playlists or models (docs/PRODUCT.md).
pub const PAGE_SIZE: u32 = 60;
