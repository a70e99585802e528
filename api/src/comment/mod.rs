//! Comments and wall entries, with replies and likes.

pub mod item;
pub mod like;
pub mod list;
pub mod part;
pub mod wall;
pub mod walls;
pub mod write;
