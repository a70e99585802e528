//! Buffers of views and page views, which are counted together.

pub mod page_views;
pub mod queue;
