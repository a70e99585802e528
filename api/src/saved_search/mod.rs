//! Lists that a member saves to see what is new in them.

pub mod act;
mod list;
pub mod news;
