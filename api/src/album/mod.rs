//! Albums: details, lists, and editing by their owners.

pub(crate) mod edit;
mod form;
pub mod list;
pub(crate) mod own;
mod photos;
pub mod show;
