//! Texts as people write them and as the wire spells them.

pub mod alphabet;
pub mod written;
