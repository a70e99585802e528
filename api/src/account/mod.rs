//! Accounts: sign-up and sign-in, sessions, passwords, mailed links, and the rules for names, addresses and passwords.

pub mod agent;
pub mod attempts;
pub mod captcha;
pub mod change;
pub mod confirm;
pub mod confirm_again;
pub mod export;
pub mod fields;
pub mod links;
pub mod login;
pub mod logout;
pub mod mail;
pub mod me;
pub mod openid;
pub mod password;
pub mod premium;
mod reserved;
pub mod restore;
pub mod rules;
pub mod session;
pub mod show;
pub mod signup;
pub mod token;
