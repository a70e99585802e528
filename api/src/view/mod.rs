//! Views: who counts as one viewer, and how views are counted.

pub mod count;
pub mod page;
