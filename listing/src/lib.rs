//! The grammar of list addresses: one value for each kind of list, with its parser and its canonical spelling.
//!
//! An address outside the grammar is refused with 404 (nothing exists there), a parameter with 422.

mod filters;
mod names;
mod objects;
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
