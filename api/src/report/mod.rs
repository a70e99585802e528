//! Messages to the operators, and reports on objects.

pub mod form;
pub mod send;
