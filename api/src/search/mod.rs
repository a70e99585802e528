//! Search: queries, fallbacks, facets and suggestions.

pub mod ask;
pub(crate) mod explain;
pub(crate) mod facets;
pub(crate) mod opened;
pub mod searcher;
pub(crate) mod spoken;
pub(crate) mod suggest;
