//! What the document says of each call.

pub mod accounts;
pub mod actions;
pub mod area;
pub mod asked;
pub mod community;
pub mod forms;
pub mod lists;
pub mod objects;
pub mod site;
