//! Albums: one, lists of them, and what members do with their own.

pub mod edit;
mod form;
pub mod list;
pub mod own;
mod photos;
pub mod show;
