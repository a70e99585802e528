//! `POST /api/restore.php` and `restore_confirm.php`: password reset by mail.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    accounts::{self, Account},
    mail_tokens::{self, Purpose},
    names::NameKey,
    sessions,
    status::MemberStatus,
};
use lantern_config::{Config, MailKind};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Done, Form, cookies,
    openapi::{Doc, field, refusal, text, too_often},
    private,
};
use lantern_ratelimit::{Action, Attempt, Key, Limits};
use serde::Deserialize;
use sqlx::PgPool;

use crate::{
    attempts,
    calls::{
        AccountState,
        fields::{BAD_CAPTCHA, LONG, NO_ADDRESS, NO_CAPTCHA, REQUIRED, SHORT, new_password, proof},
    },
    captcha::{self, Captcha},
    links::{self, LinkMailer, Recipient},
    rules, session,
    token::{self, DEAD_LINK, USED_LINK},
};

/// Form that requests the mail.
#[derive(Deserialize)]
pub struct Restore {
    #[serde(default)]
    eml: String,
    #[serde(default)]
    captcha: String,
}

pub fn restore_doc(_: &Config) -> Doc {
    Doc::post("account", "restore", "/api/restore.php", "Request a password reset mail")
        .about("With `accounts.disclose_addresses` off, the response is the same for every address, and the mail tells the recipient if there is no account.")
        .field(field("eml", "Mail address of the account.", text(), "mika@members.example").required())
        .field(proof())
        .answers::<Done>("The mail was queued.")
        .refuses(refusal(
            422,
            &[REQUIRED, NO_ADDRESS, ("eml_doesnt_exist", "no account has this address"), NO_CAPTCHA, BAD_CAPTCHA],
        ))
        .refuses(too_often())
}

pub async fn restore(
    State(state): State<AccountState>,
    client: Client,
    headers: HeaderMap,
    Form(form): Form<Restore>,
) -> ApiResult<Response> {
    rules::all([rules::email(&form.eml)])?;
    let email = NameKey::of(&form.eml);
    count_proven(&state.limits, &state.captcha, &client, &email, &form.captcha).await?;
    if !state.config.accounts.disclose_addresses {
        let (mails, pool) = (state.links(), state.pool.clone());
        state.mailer.later(async move { mail_either(&mails, &pool, &form.eml, &headers).await });
        return Ok(private::done());
    }
    let account = accounts::by_login(&state.pool, &email).await?.filter(is_open);
    let account = account.ok_or(ApiError::Field { field: "eml", code: "eml_doesnt_exist", bound: None })?;
    send(&state.links(), &state.pool, &account, &headers).await?;
    state.mailer.wake();
    Ok(private::done())
}

/// Queues the password reset mail.
async fn send(mails: &LinkMailer, pool: &PgPool, account: &Account, headers: &HeaderMap) -> ApiResult<()> {
    let mut transaction = pool.begin().await?;
    mails.restore(&mut transaction, &Recipient::of(account, headers), &account.email).await?;
    Ok(transaction.commit().await?)
}

/// Queues the password reset mail, or the mail saying that no account has this address.
async fn mail_either(mails: &LinkMailer, pool: &PgPool, email: &str, headers: &HeaderMap) -> ApiResult<()> {
    match accounts::by_login(pool, &NameKey::of(email)).await? {
        Some(account) if is_open(&account) => send(mails, pool, &account, headers).await,
        Some(_) => Ok(()),
        None => mails.no_account(&mut *pool.acquire().await?, email, cookies::lang(headers)).await,
    }
}

/// Returns whether the account can be used. Banned members can't sign in.
pub(super) fn is_open(account: &Account) -> bool {
    account.status_id != MemberStatus::Banned
}

/// Counts a requested mail and verifies the captcha. Refunds the count if the proof is refused.
pub(super) async fn count_proven(
    limits: &Limits,
    captcha: &Captcha,
    client: &Client,
    mailbox: &NameKey,
    proof: &str,
) -> ApiResult<()> {
    let counted = count(limits, client, mailbox).await?;
    if let Err(refused) = captcha.verify(captcha::Purpose::Restore, proof, client.address).await {
        for taken in counted {
            taken.give_back().await?;
        }
        return Err(refused);
    }
    Ok(())
}

/// Counts a mail per client address and per mailbox, whether or not the mailbox has an account.
async fn count(limits: &Limits, client: &Client, email: &NameKey) -> ApiResult<[Attempt; 2]> {
    let by_client = limits.take(Action::Restore, &Key::client(&client.key)).await?;
    match limits.take(Action::Restore, &Key::text(email.as_str())).await {
        Ok(by_mailbox) => Ok([by_client, by_mailbox]),
        Err(refused) => {
            by_client.give_back().await?;
            Err(refused.into())
        }
    }
}

/// Form on the page that the mail links to.
#[derive(Deserialize)]
pub struct RestoreConfirm {
    #[serde(default)]
    token: String,
    #[serde(default)]
    pwd: String,
}

pub fn restore_confirm_doc(config: &Config) -> Doc {
    Doc::post("account", "restore_confirm", "/api/restore_confirm.php", "Set a new password")
        .about("Takes the token of the mailed link, which works once. Ends all sessions.")
        .field(field("token", "Token of the mailed link.", text(), "A7".repeat(21) + "A").required())
        .field(new_password(config).required())
        .answers::<Done>("The new password is set.")
        .refuses(refusal(422, &[REQUIRED, SHORT, LONG, DEAD_LINK, USED_LINK]))
        .refuses(too_often())
}

/// Sets the password and ends all sessions. Also confirms the address, because the mail sent to it was read.
pub async fn restore_confirm(
    State(state): State<AccountState>,
    client: Client,
    headers: HeaderMap,
    Form(form): Form<RestoreConfirm>,
) -> ApiResult<Response> {
    rules::all([rules::password(&form.pwd, &state.config.accounts)])?;
    state.limits.take(Action::Confirm, &Key::client(&client.key)).await?;
    let (hash, now) = (token::sent(&form.token)?, session::now((state.now)())?);
    // The link is checked before the costly hash. If there are several concurrent requests, the transaction decides
    // which of them uses it.
    token::unused(mail_tokens::find(&state.pool, &hash, &[Purpose::Restore], now).await?)?;
    let password_hash = state.passwords.hash(form.pwd).await?;
    let mut transaction = state.pool.begin().await?;
    let link = token::unused(mail_tokens::take(&mut transaction, &hash, &[Purpose::Restore], now).await?)?;
    accounts::set_password(&mut transaction, link.user_id, &password_hash).await?;
    accounts::confirm(&mut transaction, link.user_id, now).await?;
    sessions::end_others(&mut transaction, link.user_id, 0).await?;
    let account = accounts::by_id(&mut *transaction, link.user_id).await?.ok_or_else(token::invalid)?;
    let mail = links::password_mail(MailKind::PasswordChanged, (&account.email, &account.username), &headers);
    state.mailer.queue(&mut transaction, &mail).await?;
    transaction.commit().await?;
    state.mailer.wake();
    attempts::forget_failures(&state.limits, &client, &account).await?;
    Ok(private::done())
}
