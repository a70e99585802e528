//! Attempts to sign in: counted before the password is looked at, so that many at once count too, and given back when it was
//! right.

use lantern_catalog::{accounts::Account, names::NameKey};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::Client;
use lantern_ratelimit::{Action, Attempt, Key, LimitRefusal, Limits};

use super::password::{Passwords, Ticket};
use crate::account::captcha::{Captcha, Purpose};

/// One attempt, counted for its address and for its account as tried from there. An account is counted by what was typed: so
/// one that doesn't exist is counted like any other, and nothing tells which name and which mail address are the same one's.
pub struct LoginAttempt {
    account: NameKey,
    by_address: Attempt,
    by_account: Attempt,
}

impl LoginAttempt {
    /// Counts an attempt for what was typed as name or address. Fails with 429 `too_many_attempts`; 503 when it can't be counted.
    pub async fn begin(limits: &Limits, client: &Client, login: &str) -> ApiResult<Self> {
        let account = NameKey::of(login);
        let by_address = limits.take(Action::LoginAddress, &Key::client(&client.key)).await?;
        match limits.take(Action::LoginAccount, &Key::text_at(account.as_str(), &client.key)).await {
            Ok(by_account) => Ok(Self { account, by_address, by_account }),
            Err(refused) => {
                by_address.give_back().await?;
                Err(refused.into())
            }
        }
    }

    /// Asks for the captcha if the account was tried in vain from anywhere, so that guessing from many addresses gets slow and
    /// its owner gets in, and while many wait for their password to be checked, so that people get in during a flood. Fails with
    /// 422 `captcha_required` or `captcha_invalid`, when the attempt doesn't count.
    pub async fn prove_human(
        self,
        limits: &Limits,
        passwords: &Passwords,
        captcha: &Captcha,
        client: &Client,
        proof: &str,
    ) -> ApiResult<(Self, Ticket)> {
        let failed_before = match limits.peek(Action::LoginAccountAnywhere, &Key::text(self.account.as_str())).await {
            Ok(()) => false,
            Err(LimitRefusal::Wait(_)) => true,
            Err(LimitRefusal::Store(error)) => return Err(error.into()),
        };
        if let Some(place) = (!failed_before).then(|| passwords.place()).flatten() {
            return Ok((self, place));
        }
        if let Err(refused) = captcha.verify(Purpose::Login, proof, client.address).await {
            self.forget().await?;
            return Err(refused);
        }
        Ok((self, Ticket::Proven))
    }

    /// The attempt was none: the password was not looked at.
    pub async fn forget(self) -> ApiResult<()> {
        self.by_account.give_back().await?;
        Ok(self.by_address.give_back().await?)
    }

    /// The password was wrong: the attempt stays counted.
    pub async fn failed(self, limits: &Limits) -> ApiResult<()> {
        match limits.take(Action::LoginAccountAnywhere, &Key::text(self.account.as_str())).await {
            Ok(_) | Err(LimitRefusal::Wait(_)) => Ok(()),
            Err(LimitRefusal::Store(error)) => Err(error.into()),
        }
    }

    /// The password was right: the account's failures are forgotten, the address's are not (or an own account would let
    /// anybody try others without end).
    pub async fn succeeded(self, limits: &Limits, client: &Client, account: &Account) -> ApiResult<()> {
        self.by_address.give_back().await?;
        forget_failures(limits, client, account).await
    }
}

/// Forgets the failed attempts to sign in to an account, from this address and from anywhere, under its name and its address.
pub async fn forget_failures(limits: &Limits, client: &Client, account: &Account) -> ApiResult<()> {
    for typed in [&account.username, &account.email] {
        let name = NameKey::of(typed);
        limits.clear(Action::LoginAccount, &Key::text_at(name.as_str(), &client.key)).await?;
        limits.clear(Action::LoginAccountAnywhere, &Key::text(name.as_str())).await?;
    }
    Ok(())
}

/// The answer to a wrong password and to an unknown name.
pub fn wrong() -> ApiError {
    ApiError::Refused {
        status: axum::http::StatusCode::UNAUTHORIZED,
        code: "invalid_usr_or_pwd",
        field: Some("usr"),
        info: None,
    }
}
