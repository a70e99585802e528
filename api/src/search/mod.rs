//! Search: what is asked, how it is answered, and what is suggested.

pub mod ask;
pub mod clicks;
pub mod completions;
pub mod corrections;
pub mod explain;
pub mod facets;
pub mod groups;
pub mod little;
pub mod log;
pub mod meaning;
pub mod model_facets;
pub mod news;
pub mod own_language;
pub mod parts;
pub mod people_facets;
pub mod relax;
pub mod request;
pub mod run;
pub mod searcher;
pub mod slips;
pub mod spelling;
pub mod suggest;
pub mod suggestion_counts;
pub mod words;
