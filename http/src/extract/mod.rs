//! Extractors, which turn requests into typed values such as words of closed vocabularies, numbers in range, and validated text. After
//! extraction, only the words of a search are raw visitor input.
//!
//! An invalid path segment is a 404, an invalid parameter a 422, and a malformed encoding a 400.

mod client;
mod fields;
pub mod files;
mod form;
mod query;
mod segments;
mod texts;

pub use client::Client;
pub use form::{Fields, Form, is_multipart, of_status as refused_body, pairs as form_pairs};
pub use query::{Query, no_nul, normalized};
pub use segments::Segments;
pub use texts::{Texts, broken as broken_part, small as small_form};
