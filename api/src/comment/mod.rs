//! What members write under things and on walls, what they answer, and what they like of it.

pub mod item;
pub mod like;
pub mod list;
pub mod part;
pub mod wall;
pub mod walls;
pub mod write;
