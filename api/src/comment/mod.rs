//! What members write under things and on walls.

pub mod list;
pub mod wall;
pub mod write;
