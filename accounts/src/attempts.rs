//! Sign-in attempts. An attempt is counted before the password is checked, so that parallel attempts count too, and refunded if the
//! password is right.

use lantern_catalog::{accounts::Account, names::NameKey};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::Client;
use lantern_ratelimit::{Action, Attempt, Key, LimitRefusal, Limits};

use super::password::{Passwords, Ticket};
use crate::captcha::{Captcha, Purpose};

/// A sign-in attempt, counted per client address and per account and address. The account is counted by the login as typed, so an account
/// that doesn't exist counts like any other, and nothing reveals which name and which mail address belong together.
pub struct LoginAttempt {
    account: NameKey,
    by_address: Attempt,
    by_account: Attempt,
}

impl LoginAttempt {
    /// Counts an attempt for the login as typed. Fails with 429 `too_many_attempts`, or 503 if the attempt can't be counted.
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

    /// Requires a captcha after failed attempts on the account from any address. This slows down guessing from many addresses without
    /// locking the owner out. Also requires one while many passwords are waiting to be checked, so that people get in during a flood.
    /// Fails with 422 `captcha_required` or `captcha_invalid`; the attempt then doesn't count.
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
        if let Some(slot) = (!failed_before).then(|| passwords.try_slot()).flatten() {
            return Ok((self, slot));
        }
        if let Err(refused) = captcha.verify(Purpose::Login, proof, client.address).await {
            self.forget().await?;
            return Err(refused);
        }
        Ok((self, Ticket::Proven))
    }

    /// Refunds the attempt because the password was not checked.
    pub async fn forget(self) -> ApiResult<()> {
        self.by_account.give_back().await?;
        Ok(self.by_address.give_back().await?)
    }

    /// Records a wrong password. The attempt stays counted.
    pub async fn failed(self, limits: &Limits) -> ApiResult<()> {
        match limits.take(Action::LoginAccountAnywhere, &Key::text(self.account.as_str())).await {
            Ok(_) | Err(LimitRefusal::Wait(_)) => Ok(()),
            Err(LimitRefusal::Store(error)) => Err(error.into()),
        }
    }

    /// Records a right password. This forgets the failures on the account but not those from the address; otherwise attackers could reset
    /// the count by signing in to an account of their own.
    pub async fn succeeded(self, limits: &Limits, client: &Client, account: &Account) -> ApiResult<()> {
        self.by_address.give_back().await?;
        forget_failures(limits, client, account).await
    }
}

/// Forgets failed attempts on an account, both from this address and from anywhere, under the account's name and under its mail address.
pub async fn forget_failures(limits: &Limits, client: &Client, account: &Account) -> ApiResult<()> {
    for typed in [&account.username, &account.email] {
        let name = NameKey::of(typed);
        limits.clear(Action::LoginAccount, &Key::text_at(name.as_str(), &client.key)).await?;
        limits.clear(Action::LoginAccountAnywhere, &Key::text(name.as_str())).await?;
    }
    Ok(())
}

/// Returns the refusal of both a wrong password and an unknown name.
pub fn wrong() -> ApiError {
    ApiError::Refused {
        status: axum::http::StatusCode::UNAUTHORIZED,
        code: "invalid_usr_or_pwd",
        field: Some("usr"),
        info: None,
    }
}
