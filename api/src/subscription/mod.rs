//! Subscriptions: what members follow.

pub(crate) mod follow;
pub mod list;
