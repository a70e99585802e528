//! Requests become values here: closed words, clamped numbers, checked text. Nothing behind this
//! folder sees a string a visitor typed except the words of a search.
//!
//! A path segment that doesn't fit is 404 (there is nothing at that address), a parameter 422,
//! a broken encoding 400.

mod client;
mod fields;
pub mod files;
mod filters;
mod form;
mod list;
mod names;
mod object_list;
mod path;
mod query;
mod session;
mod texts;

pub use client::Client;
pub use filters::{Choice, FilterWord, Filters, Kind, MOST_VALUES, MemberFilters, ModelFilters};
pub use form::Form;
pub(crate) use form::{is_multipart, of_status as refused_body, pairs as form_pairs};
pub use list::{Duration, LONGEST_MINUTES, ListPath, Section, VideoList};
pub use names::Names;
pub use object_list::ObjectList;
pub(crate) use path::is_dir;
pub use path::{
    LAST_PAGE, MemberPath, ObjectPath, Segments, bucketed_id, dir, json_name, lifetime_of, number, page_of, prefix,
    prefixed_dir, word,
};
pub use query::Query;
pub(crate) use query::{has_words, no_nul};
pub use session::{Member, Sessions, Viewer};
pub(crate) use texts::{Texts, broken as broken_part, small as small_form};
