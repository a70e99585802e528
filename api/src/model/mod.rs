//! Models: one, and lists of them.

pub mod list;
pub mod show;
