//! `POST /api/login.php`: signs in by name or mail address.
//!
//! Unknown name and wrong password are one answer after the same work: one look-up, the same counts, one hash.

use axum::{
    extract::{FromRef, State},
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use lantern_catalog::{
    accounts::{self, Account},
    mail_tokens::{self, Purpose},
    names::NameKey,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult, FieldError};
use lantern_http::{
    Client, Form, cookies,
    openapi::{Doc, field, refusal, too_often},
    private,
};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::Duration;
use utoipa::ToSchema;

use super::me::OwnUser;
use crate::{
    account::{
        attempts::{self, LoginAttempt},
        fields::{BAD_CAPTCHA, NO_CAPTCHA, REQUIRED, proof, text},
        links::{LinkMailer, Recipient},
        password::{PasswordOutcome, Passwords},
        restore::is_open,
        rules, session,
    },
    session::Sessions,
    state::AppState,
};

/// No account has a shorter name or password, so it costs no hash. (A shorter configured minimum is refused at start.)
const SHORTEST: (usize, usize) = (3, lantern_config::PASSWORD_MIN);
/// Longest name that is looked up: a mail address.
const LONGEST_LOGIN: usize = 254;

#[derive(Deserialize)]
pub struct Login {
    #[serde(default)]
    usr: String,
    #[serde(default)]
    pwd: String,
    #[serde(default)]
    captcha: String,
}

/// Signed in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LoginAnswer {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    success: u8,
    /// The member.
    user: OwnUser,
}

pub fn doc(_: &Config) -> Doc {
    Doc::post("account", "login", "/api/login.php", "Sign in")
        .about("By name or mail address. An unknown name and a wrong password are one answer; with `accounts.disclose_addresses` off also an account that waits for its confirmation, which is mailed again. Sets the session's cookie; the session that the browser had ends.")
        .field(field("usr", "Name or mail address.", text(), "demo").required())
        .field(field("pwd", "Password.", text(), "lantern-demo").required())
        .field(proof())
        .answers::<LoginAnswer>("Signed in.")
        .refuses(refusal(401, &[("invalid_usr_or_pwd", "no such account, or another password")]))
        .refuses(refusal(
            403,
            &[
                ("not_confirmed", "the password is right; the mail address is yet to be confirmed, and another mail was sent"),
                ("account_banned", "the password is right; the member is banned"),
            ],
        ))
        .refuses(refusal(422, &[REQUIRED, NO_CAPTCHA, BAD_CAPTCHA]))
        .refuses(too_often())
}

pub async fn login(
    State(state): State<AppState>,
    client: Client,
    headers: HeaderMap,
    Form(form): Form<Login>,
) -> ApiResult<Response> {
    let login = form.usr.trim();
    let filled = |field, value: &str| {
        if value.is_empty() { Err(FieldError { field, code: "required", bound: None }) } else { Ok(()) }
    };
    rules::all([filled("usr", login), filled("pwd", &form.pwd)])?;
    if !is_possible(&state.config, login, &form.pwd) {
        return Err(attempts::wrong());
    }
    let attempt = LoginAttempt::begin(&state.limits, &client, login).await?;
    let (attempt, ticket) =
        attempt.prove_human(&state.limits, &state.passwords, &state.captcha, &client, &form.captcha).await?;
    let account = accounts::by_login(&state.pool, &NameKey::of(login)).await?;
    let stored = account.as_ref().and_then(|account| account.password_hash.clone());
    match (state.passwords.check(form.pwd.clone(), stored, ticket).await, account) {
        (Ok(PasswordOutcome::Right { .. }), Some(account)) if is_unsaid(&state.config, &account) => {
            attempt.failed(&state.limits).await?;
            let (mails, pool) = (LinkMailer::from_ref(&state), state.pool.clone());
            state.mailer.later(async move { confirm_again(&mails, &pool, &headers, &account).await });
            Err(attempts::wrong())
        }
        (Ok(PasswordOutcome::Right { is_old }), Some(account)) => {
            attempt.succeeded(&state.limits, &client, &account).await?;
            if is_old {
                renew(&state.passwords, &state.pool, &account, form.pwd).await?;
            }
            enter(&LinkMailer::from_ref(&state), &Sessions::from_ref(&state), &client, &headers, account).await
        }
        (Ok(_), _) => {
            attempt.failed(&state.limits).await?;
            Err(attempts::wrong())
        }
        (Err(busy), _) => {
            attempt.forget().await?;
            Err(busy)
        }
    }
}

/// Whether the answer must not say that an account waits for its confirmation: whoever signed up with an address that has one would
/// learn it here, by the password they chose. The mail that is sent again says it.
fn is_unsaid(config: &Config, account: &Account) -> bool {
    !config.accounts.disclose_addresses && !account.is_confirmed && is_open(account)
}

/// What nobody is called, and no password can be: it says nothing of any account, so it needs neither counts nor hashes.
fn is_possible(config: &Config, login: &str, password: &str) -> bool {
    let (name, letters) = (login.chars().count(), password.chars().count());
    (SHORTEST.0..=LONGEST_LOGIN).contains(&name) && (SHORTEST.1..=config.accounts.password_max).contains(&letters)
}

/// Writes the hash with today's parameters, now that the password is known.
async fn renew(passwords: &Passwords, pool: &PgPool, account: &Account, password: String) -> ApiResult<()> {
    let fresh = passwords.hash(password).await?;
    if let Some(former) = &account.password_hash {
        accounts::renew_hash(pool, account.id, former, &fresh).await?;
    }
    Ok(())
}

/// The password was right: the answer may say what else stands in the way.
async fn enter(
    mails: &LinkMailer,
    sessions: &Sessions,
    client: &Client,
    headers: &HeaderMap,
    account: Account,
) -> ApiResult<Response> {
    let refuse = |code| ApiError::Refused { status: StatusCode::FORBIDDEN, code, field: Some("usr"), info: None };
    if account.status_id == lantern_config::STATUS_BANNED {
        return Err(refuse("account_banned"));
    }
    if !account.is_confirmed {
        confirm_again(mails, &sessions.pool, headers, &account).await?;
        return Err(refuse("not_confirmed"));
    }
    let mut transaction = sessions.pool.begin().await?;
    let cookie =
        session::begin(&sessions.config, (sessions.now)(), &mut transaction, client, headers, account.id).await?;
    transaction.commit().await?;
    let user = OwnUser::load(&sessions.pool, &sessions.config, (sessions.now)(), account.id)
        .await?
        .ok_or_else(attempts::wrong)?;
    let mut response = private::answer(LoginAnswer { success: 1, user });
    response.headers_mut().append(header::SET_COOKIE, cookie);
    if let Some(back) = cookies::unset(&sessions.config, cookies::LOGOUT) {
        response.headers_mut().append(header::SET_COOKIE, back);
    }
    Ok(response)
}

/// The first mail may have been lost: another one, unless one was sent just now.
async fn confirm_again(mails: &LinkMailer, pool: &PgPool, headers: &HeaderMap, account: &Account) -> ApiResult<()> {
    let pause = Duration::seconds(mails.config.accounts.confirm_again_seconds.into());
    let last = mail_tokens::last_sent(pool, account.id, Purpose::Confirm).await?;
    if last.is_some_and(|last| session::now((mails.now)()).is_ok_and(|now| now < last + pause)) {
        return Ok(());
    }
    let mut transaction = pool.begin().await?;
    mails.confirm(&mut transaction, &Recipient::of(account, headers), &account.email, Purpose::Confirm).await?;
    transaction.commit().await?;
    mails.mailer.wake();
    Ok(())
}
