//! Accounts: passwords, sessions, captchas, sign-in with OpenID, and mail.
//!
//! Reading order: [`viewer`] (who sends a request), [`session`] (its cookie), [`password`], [`attempts`] (limits of sign-ins),
//! [`captcha`], [`openid`], [`links`] (mailed links), [`mail`] (the queue and its delivery), [`rules`] (names, addresses, passwords),
//! [`calls`] (the calls that use all of these).

mod agent;
pub mod attempts;
pub mod calls;
pub mod captcha;
pub mod links;
pub mod mail;
pub mod openid;
pub mod password;
pub mod premium;
mod reserved;
pub mod rules;
pub mod session;
pub mod sweep;
pub mod token;
pub mod totp;
pub mod viewer;
pub mod visitors;
