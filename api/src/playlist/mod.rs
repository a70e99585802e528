//! Playlists: details, lists, and editing by their owners.

pub(crate) mod edit;
pub mod list;
pub mod show;
