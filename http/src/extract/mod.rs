//! Requests become values here: closed words, clamped numbers, checked text. Nothing behind this
//! folder sees a string a visitor typed except the words of a search.
//!
//! A path segment that doesn't fit is 404 (there is nothing at that address), a parameter 422,
//! a broken encoding 400.

mod client;
mod fields;
pub mod files;
mod form;
mod query;
mod segments;
mod texts;

pub use client::Client;
pub use form::{Form, is_multipart, of_status as refused_body, pairs as form_pairs};
pub use query::{Query, no_nul};
pub use segments::Segments;
pub use texts::{Texts, broken as broken_part, small as small_form};
