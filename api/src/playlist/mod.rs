//! Playlists: one, lists of them, and what their owners do with them.

pub mod edit;
pub mod list;
pub mod show;
