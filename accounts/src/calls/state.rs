//! The part of the site's state that the calls use.

use std::sync::Arc;

use lantern_config::Config;
use lantern_index::text::TermList;
use lantern_media::pictures::Pictures;
use lantern_ratelimit::Limits;
use sqlx::PgPool;

use crate::{captcha::Captcha, links::LinkMailer, mail::Mailer, openid::OpenId, password::Passwords, viewer::Sessions};

/// State of the account calls.
#[derive(Clone)]
pub struct AccountState {
    /// Settings.
    pub config: Arc<Config>,
    /// Catalog.
    pub pool: PgPool,
    /// Limits per client.
    pub limits: Arc<Limits>,
    /// Terms that names must not contain.
    pub prohibited: TermList,
    /// Creates and verifies password hashes.
    pub passwords: Arc<Passwords>,
    /// Verifies captchas.
    pub captcha: Arc<Captcha>,
    /// OpenID sign-in, if configured.
    pub openid: Option<Arc<OpenId>>,
    /// Queues mails.
    pub mailer: Mailer,
    /// Deletes pictures of removed accounts.
    pub pictures: Pictures,
    /// Returns the current time in Unix seconds.
    pub now: fn() -> i64,
}

impl AccountState {
    pub(super) fn links(&self) -> LinkMailer {
        LinkMailer { config: Arc::clone(&self.config), mailer: self.mailer.clone(), now: self.now }
    }

    pub(super) fn sessions(&self) -> Sessions {
        Sessions { config: Arc::clone(&self.config), pool: self.pool.clone(), now: self.now }
    }
}
