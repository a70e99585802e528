//! Members as others see them: one, and the community.

pub mod list;
pub mod show;
