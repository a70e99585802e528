//! One module per call of the contract, each in the same order: answer, handler, queries.

pub mod categories;
pub mod facets;
pub mod health;
pub mod home;
pub mod me;
pub mod model;
mod model_facets;
pub mod models;
pub mod related;
pub mod search;
pub mod suggester;
pub mod video;
pub mod videofile;
pub mod videos;
