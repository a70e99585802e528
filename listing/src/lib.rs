//! Grammar of list URLs, with one type for each kind of list, its parser and its canonical form, and of the addresses of [`pages`].
//!
//! In the URL of a list, path segments outside the grammar fail with 404, query parameters with 422.

mod filters;
mod names;
mod objects;
pub mod pages;
mod path;
mod videos;

pub use filters::{Choice, FilterWord, Filters, Kind, MOST_VALUES, MemberFilters, ModelFilters};
pub use names::Names;
pub use objects::ObjectList;
pub use path::{
    LAST_PAGE, MemberPath, ObjectPath, bucketed_id, dir, is_dir, json_name, lifetime_of, number, page_of, prefix,
    prefixed_dir, word,
};
pub use videos::{Duration, LONGEST_MINUTES, ListPath, Section, VideoList};
