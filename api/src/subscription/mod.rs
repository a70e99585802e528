//! Subscriptions: what members follow.

pub mod follow;
pub mod list;
