//! Text that people write or read: alphabetical order, highlighting and cleaning.

pub mod alphabet;
pub mod written;
