//! A member's friends, and asking for a friendship.

pub mod ask;
pub mod list;
