//! A single model, and lists of models.

pub mod list;
pub mod show;
