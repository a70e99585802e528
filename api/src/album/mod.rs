//! Albums: details, lists, and editing by their owners.

pub mod edit;
mod form;
pub mod list;
pub mod own;
mod photos;
pub mod show;
