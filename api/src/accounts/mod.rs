//! Accounts: tokens, sessions, passwords.

pub mod session;
pub mod token;
