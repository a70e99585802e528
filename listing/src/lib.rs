//! Grammar of list URLs: one type for each kind of list, with its parser, its canonical form, its filter and its order.
//!
//! In the URL of a list, path segments outside the grammar fail with 404, query parameters with 422.

mod ages;
mod facets;
mod filters;
mod names;
mod objects;
pub mod pages;
mod path;
mod people;
mod section;
mod sorts;
mod videos;
mod vocabulary;

pub use ages::{age_window, years_before};
pub use facets::{Choices, Duration, FACETS, Facet, FacetValue, Place};
pub use filters::{Choice, FilterWord, Filters, Kind, MOST_VALUES, MemberFilters, ModelFilters};
pub use names::{NAMES, NameFacet, NameKind, Names};
pub use objects::ObjectList;
pub use path::{
    LAST_PAGE, MemberPath, ObjectPath, bucketed_id, dir, is_dir, json_name, lifetime_of, number, page_of, prefix,
    prefixed_dir, word,
};
pub use people::{MemberList, ModelList, PeopleList};
pub use section::Section;
pub use sorts::{ObjectSort, SortWord};
pub use videos::VideoList;
pub use vocabulary::{calls, vocabulary};

/// Returns whether a parameter with this name narrows a list of videos.
pub fn is_facet(name: &str) -> bool {
    NAMES.iter().any(|facet| facet.name == name) || FACETS.iter().any(|facet| facet.name == name)
}
