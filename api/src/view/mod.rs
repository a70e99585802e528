//! Calls that count views of objects and of pages.

pub mod count;
pub mod page;
