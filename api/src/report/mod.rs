//! Messages to us, and complaints about objects.

pub mod form;
pub mod send;
