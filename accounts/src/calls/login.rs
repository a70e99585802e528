//! `POST /api/login.php`: signs in by name or mail address.
//!
//! An unknown name and a wrong password get the same response after the same work: one lookup, the same counts, and one hash.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use lantern_catalog::{
    accounts::{self, Account},
    mail_tokens::{self, Purpose},
    names::NameKey,
    status::MemberStatus,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult, FieldError};
use lantern_http::{
    Client, Form, cookies,
    openapi::{Doc, field, refusal, text, too_often},
    private,
};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::Duration;
use utoipa::ToSchema;

use crate::{
    attempts::{self, LoginAttempt},
    calls::{
        AccountState,
        fields::{BAD_CAPTCHA, NO_CAPTCHA, REQUIRED, proof},
        me::OwnUser,
        restore::is_open,
    },
    links::{LinkMailer, Recipient},
    password::{PasswordOutcome, Passwords},
    rules, session,
    viewer::Sessions,
};

/// Minimum lengths of name and password. Anything shorter is refused without hashing. (Startup fails if a lower minimum is configured.)
const SHORTEST: (usize, usize) = (3, lantern_config::PASSWORD_MIN);
/// Maximum length of a login, which is that of a mail address.
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

/// Response to a sign-in.
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
        .about("By name or mail address. An unknown name and a wrong password get the same response. With `accounts.disclose_addresses` off, so does an unconfirmed account, whose confirmation mail is sent again. Sets the session cookie and ends the browser's previous session.")
        .field(field("usr", "Name or mail address.", text(), "demo").required())
        .field(field("pwd", "Password.", text(), "lantern-demo").required())
        .field(proof())
        .answers::<LoginAnswer>("Signed in.")
        .refuses(refusal(401, &[("invalid_usr_or_pwd", "no such account, or wrong password")]))
        .refuses(refusal(
            403,
            &[
                ("not_confirmed", "the password is right, but the mail address is not confirmed yet; the confirmation mail was sent again"),
                ("account_banned", "the password is right, but the member is banned"),
            ],
        ))
        .refuses(refusal(422, &[REQUIRED, NO_CAPTCHA, BAD_CAPTCHA]))
        .refuses(too_often())
}

pub async fn login(
    State(state): State<AccountState>,
    client: Client,
    headers: HeaderMap,
    Form(form): Form<Login>,
) -> ApiResult<Response> {
    let login = form.usr.trim();
    let filled = |field, value: &str| {
        if value.is_empty() { Err(FieldError { field, code: "required", bound: None, line: None }) } else { Ok(()) }
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
        (Ok(PasswordOutcome::Right { .. }), Some(account)) if hides_unconfirmed(&state.config, &account) => {
            attempt.failed(&state.limits).await?;
            let (mails, pool) = (state.links(), state.pool.clone());
            state.mailer.later(async move { confirm_again(&mails, &pool, &headers, &account).await });
            Err(attempts::wrong())
        }
        (Ok(PasswordOutcome::Right { is_old }), Some(account)) => {
            attempt.succeeded(&state.limits, &client, &account).await?;
            if is_old {
                rehash(&state.passwords, &state.pool, &account, form.pwd).await?;
            }
            enter(&state.links(), &state.sessions(), &client, &headers, account).await
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

/// Returns whether the response must hide that the account is unconfirmed. Otherwise, signing in with a password just chosen at sign-up
/// would reveal whether the address already had an account. The confirmation mail is sent again and explains this instead.
fn hides_unconfirmed(config: &Config, account: &Account) -> bool {
    !config.accounts.disclose_addresses && !account.is_confirmed && is_open(account)
}

/// Returns whether name and password have possible lengths. Other lengths reveal nothing about any account, so they need neither counting
/// nor hashing.
fn is_possible(config: &Config, login: &str, password: &str) -> bool {
    let (name, letters) = (login.chars().count(), password.chars().count());
    (SHORTEST.0..=LONGEST_LOGIN).contains(&name) && (SHORTEST.1..=config.accounts.password_max).contains(&letters)
}

/// Rehashes the password with the current parameters.
async fn rehash(passwords: &Passwords, pool: &PgPool, account: &Account, password: String) -> ApiResult<()> {
    let fresh = passwords.hash(password).await?;
    if let Some(former) = &account.password_hash {
        accounts::renew_hash(pool, account.id, former, &fresh).await?;
    }
    Ok(())
}

/// Begins the session after a right password, or returns the refusal. An owner who has authenticated may know the reason.
async fn enter(
    mails: &LinkMailer,
    sessions: &Sessions,
    client: &Client,
    headers: &HeaderMap,
    account: Account,
) -> ApiResult<Response> {
    let refuse = |code| ApiError::Refused { status: StatusCode::FORBIDDEN, code, field: Some("usr"), info: None };
    if account.status_id == MemberStatus::Banned {
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

/// Sends the confirmation mail again, unless one has just been sent.
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
