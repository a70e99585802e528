//! Search: what a query means, how it is answered, and what is suggested while it is being typed. It takes and returns plain values and
//! does not depend on HTTP.
//!
//! Reading order: [`request`] (a search), [`run`] (its first round trip), `fallbacks` (what follows if that finds little, in order),
//! [`relax`], `corrections`, [`meaning`] and [`words`] (what the fallbacks use), [`suggest`], [`log`] and [`clicks`], [`index`]
//! (queries to the index and the cards built from hits).

pub mod clicks;
pub mod completions;
mod corrections;
mod doubts;
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
pub mod own_language;
mod parts;
pub mod people_facets;
pub mod prepared;
pub mod refresh;
pub mod relax;
pub mod request;
pub mod run;
pub mod searches;
pub mod shows;
mod spelling;
pub mod suggest;
mod suggestion_counts;
pub mod words;
