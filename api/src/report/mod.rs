//! Messages to the operators, and reports of objects.

pub mod form;
pub mod send;
