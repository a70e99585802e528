//! Accounts: tokens, sessions, passwords, and the rules of names, addresses and passwords.

pub mod agent;
pub mod attempts;
pub mod mails;
pub mod password;
pub mod rules;
pub mod session;
pub mod token;
