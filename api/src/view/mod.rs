//! Views: what counts as one viewer, and how views are counted.

pub mod count;
pub mod page;
pub mod page_views;
pub mod queue;
