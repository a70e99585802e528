//! The frame of every page, and the blocks of the home page.

pub mod blocks;
pub mod frame;
