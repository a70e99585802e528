//! Playlists: details, lists, and editing by their owners.

pub mod edit;
pub mod list;
pub mod show;
