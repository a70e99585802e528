//! Lists that a member saves to see what is new in them.

pub mod act;
pub mod news;
