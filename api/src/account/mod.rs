//! Accounts: sign-up and sign-in, mailed links, and the data of the account itself.

pub mod captcha_sources;
pub mod challenge;
pub mod change;
pub mod confirm;
pub mod confirm_again;
pub mod export;
pub mod fields;
pub mod login;
pub mod logout;
pub mod me;
pub mod openid_login;
pub mod premium;
pub mod restore;
pub mod show;
pub mod signup;
