//! Requests become values here: closed words, clamped numbers, checked text. Nothing behind this
//! folder sees a string a visitor typed except the words of a search.
//!
//! A path segment that doesn't fit is 404 (there is nothing at that address), a parameter 422,
//! a broken encoding 400.

mod client;
mod list;
mod model_filter;
mod path;
mod query;

pub use client::{Client, TrustedProxies};
pub use list::{Duration, ListPath, Section, VideoList, category_dirs, lifetime_of, page_of};
pub use model_filter::{Choice, ModelFilters};
pub(crate) use path::is_dir;
pub use path::{Segments, bucketed_id, dir, json_name, number, word};
pub use query::Query;
pub(crate) use query::{has_words, tidy};
