//! Comments and wall entries, with replies and likes.

pub mod item;
pub(crate) mod like;
pub mod list;
pub mod part;
pub(crate) mod wall;
pub mod walls;
pub(crate) mod write;
