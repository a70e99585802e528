//! What the document says of each call.

pub mod accounts;
pub mod actions;
pub mod area;
pub mod asked;
pub mod community;
pub mod feeds;
pub mod forms;
pub mod lists;
pub mod media;
pub mod objects;
pub mod pages;
pub mod site;
