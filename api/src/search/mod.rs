//! Search: queries, fallbacks, facets and suggestions.

pub mod ask;
pub mod explain;
pub mod facets;
pub mod opened;
pub mod searcher;
pub mod suggest;
