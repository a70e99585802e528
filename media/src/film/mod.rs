//! From a film of any kind to what players take: probed, encoded at the heights that suit it, cut into segments.

pub mod ladder;
mod playlist;
pub mod probe;

pub use ladder::render;
pub use probe::{Source, probe};
