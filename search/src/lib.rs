//! Search: what a query means, how it is answered, and what is suggested while it is being typed. It takes and returns plain values and
//! does not depend on HTTP.
//!
//! Reading order: [`request`] (a search), [`plan`] (what its words mean, from [`words`] and [`meaning`]), [`run`] (its request), `fallbacks`
//! (what is shown if that finds nothing), [`suggest`], [`log`] and [`clicks`], [`index`] (queries to the index and the cards built from
//! hits).

pub mod chapters;
pub mod clicks;
pub mod completions;
pub mod exclusions;
mod fallbacks;
pub mod groups;
pub mod highlight;
pub mod index;
pub mod length;
pub mod lexicon;
pub mod log;
pub mod meaning;
pub mod model_facets;
pub mod opened;
pub mod outcome;
pub mod people_facets;
pub mod plan;
pub mod refresh;
pub mod relax;
pub mod request;
pub mod run;
pub mod searches;
pub mod shows;
mod spelling;
pub mod spoken;
pub mod suggest;
mod suggestion_counts;
pub mod words;
