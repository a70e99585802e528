//! Calls for sign-up and sign-in, mailed links, and the data of the account itself.

mod challenge;
mod change;
mod confirm;
mod confirm_again;
mod export;
mod fields;
mod login;
mod logout;
pub mod me;
mod openid_login;
mod restore;
mod show;
mod signup;
mod state;

use std::sync::Arc;

use axum::extract::FromRef;
use lantern_config::Config;
use lantern_http::{openapi::Calls, proxies::TrustedProxies};
use lantern_ratelimit::Limits;
use sqlx::PgPool;

use crate::viewer::Sessions;
pub use state::AccountState;

/// Returns the calls with their documentation.
pub fn calls<S>(config: &Config) -> Calls<S>
where
    S: Clone + Send + Sync + 'static,
    AccountState: FromRef<S>,
    Sessions: FromRef<S>,
    TrustedProxies: FromRef<S>,
    Arc<Config>: FromRef<S>,
    Arc<Limits>: FromRef<S>,
    PgPool: FromRef<S>,
{
    Calls::default()
        .serve(login::login, login::doc(config))
        .serve(logout::logout, logout::doc(config))
        .serve(signup::signup, signup::doc(config))
        .serve(confirm::show, confirm::show_doc(config))
        .serve(confirm::confirm, confirm::confirm_doc(config))
        .serve(confirm_again::confirm_again, confirm_again::doc(config))
        .serve(restore::restore, restore::restore_doc(config))
        .serve(restore::restore_confirm, restore::restore_confirm_doc(config))
        .serve(show::account, show::doc(config))
        .serve(change::change, change::doc(config))
        .serve(export::account_export, export::doc(config))
        .serve(openid_login::start, openid_login::start_doc(config))
        .serve(openid_login::callback, openid_login::callback_doc(config))
        .serve(challenge::captcha, challenge::doc(config))
}
