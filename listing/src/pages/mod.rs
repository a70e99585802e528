//! Grammar of page addresses: the table of addresses, the screen of an address, and the canonical address of a screen.
//!
//! Parsing is lenient, because a mistyped or mangled address should still lead to a page. Reading order: [`routes`] (the path),
//! [`query`] (the parameters), [`screen`] (both as a value), [`address`] and [`list_address`] (the value as an address).

pub mod address;
pub mod community;
pub mod feed_address;
pub mod fixed;
pub mod list_address;
pub mod member_filters;
pub mod query;
pub mod routes;
pub mod screen;

pub use routes::{Page, ScreenMatch, TOPICS, resolve, topic_path};
