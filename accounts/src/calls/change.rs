//! `POST /api/account.php`: changes the password or mail address, ends sessions, or deletes the account.
//!
//! Changes to credentials require the password again, so that a session left open is not enough. Wrong passwords count like failed
//! sign-ins.

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use lantern_catalog::{
    account_removal::{self, RemovalOutcome},
    accounts::{self, Account},
    mail_tokens::Purpose,
    names::NameKey,
    sessions,
};
use lantern_config::{Config, MailKind};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Done, Form,
    openapi::{Doc, field, refusal, text, too_often},
    private,
};
use lantern_ratelimit::{Action, Key};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgConnection;
use time::Duration;

use crate::{
    attempts::LoginAttempt,
    calls::{
        AccountState,
        fields::{BAD_CAPTCHA, LONG, NO_ADDRESS, NO_CAPTCHA, REQUIRED, SHORT, new_password, proof, unreadable},
        restore::is_open,
    },
    links::{self, Recipient},
    password::PasswordOutcome,
    rules, session,
    viewer::Member,
};

/// The change to make.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AccountAct {
    Password,
    Mail,
    Delete,
    EndSession,
    EndOtherSessions,
}

/// Form fields. The value of `act` determines which of them are read.
#[derive(Deserialize)]
pub struct Change {
    act: AccountAct,
    #[serde(default)]
    pwd_now: String,
    #[serde(default)]
    pwd: String,
    #[serde(default)]
    eml: String,
    #[serde(default)]
    captcha: String,
    session_id: Option<i64>,
    #[serde(default)]
    uploads: bool,
}

pub fn doc(config: &Config) -> Doc {
    let act = json!({ "type": "string", "enum": ["password", "mail", "delete", "end_session", "end_other_sessions"] });
    Doc::post("account", "account_change", "/api/account.php", "Change the account")
        .about("`password` takes `pwd_now` and `pwd`, `mail` takes `pwd_now` and `eml`, `delete` takes `pwd_now`, `end_session` takes `session_id`. A member without a password must have signed in just now instead of sending `pwd_now`. Changing the password or mail address ends all other sessions and renews this one's cookie. A new mail address takes effect once the link sent to it is followed; until then, a link sent to the current address cancels the change. Setting a password invalidates all mailed links.")
        .for_members()
        .field(field("act", "What to change.", act, "end_other_sessions").required())
        .field(field("pwd_now", "Current password.", text(), ""))
        .field(new_password(config))
        .field(field("eml", "New mail address.", text(), ""))
        .field(field("session_id", "Id of the session to end.", json!({ "type": "integer" }), ""))
        .field(field("uploads", "Whether to delete public videos and albums with the account; otherwise they stay, without a name.", json!({ "type": "boolean", "default": false }), ""))
        .field(proof())
        .answers::<Done>("Done.")
        .refuses(refusal(403, &[("sign_in_again", "the account has no password, and the session is not new")]))
        .refuses(refusal(404, &[("session_not_found", "the member has no such session")]))
        .refuses(refusal(409, &[("eml_occupied", "another account has this mail address")]))
        .refuses(refusal(
            422,
            &[REQUIRED, ("wrong_password", "`pwd_now` is not the current password"), SHORT, LONG, NO_ADDRESS, NO_CAPTCHA, BAD_CAPTCHA],
        ))
        .refuses(unreadable())
        .refuses(too_often())
}

pub async fn change(
    State(state): State<AccountState>,
    member: Member,
    client: Client,
    headers: HeaderMap,
    Form(form): Form<Change>,
) -> ApiResult<Response> {
    let request = ChangeRequest { state, member, client, headers };
    match form.act {
        AccountAct::Password => request.password(form).await,
        AccountAct::Mail => request.mail(form).await,
        AccountAct::Delete => request.delete(form).await,
        AccountAct::EndSession => request.end_session(form.session_id).await,
        AccountAct::EndOtherSessions => request.end_other_sessions().await,
    }
}

struct ChangeRequest {
    state: AccountState,
    member: Member,
    client: Client,
    headers: HeaderMap,
}

impl ChangeRequest {
    async fn password(self, form: Change) -> ApiResult<Response> {
        rules::all([rules::password(&form.pwd, &self.state.config.accounts)])?;
        let account = self.proven(form.pwd_now, &form.captcha).await?;
        let hash = self.state.passwords.hash(form.pwd).await?;
        let mut transaction = self.state.pool.begin().await?;
        still_proven(&mut transaction, &account).await?;
        accounts::set_password(&mut transaction, account.id, &hash).await?;
        let cookie = session::renew(&self.state.config, &mut transaction, &self.member).await?;
        let mail = links::password_mail(MailKind::PasswordChanged, (&account.email, &account.username), &self.headers);
        self.state.mailer.queue(&mut transaction, &mail).await?;
        transaction.commit().await?;
        self.state.mailer.wake();
        Ok(done_with_cookie(cookie))
    }

    /// Requests a change of address, which takes effect once the mailed link is followed. Until then, a link mailed to the current
    /// address can cancel the change.
    async fn mail(self, form: Change) -> ApiResult<Response> {
        rules::all([rules::email(&form.eml)])?;
        let account = self.proven(form.pwd_now, &form.captcha).await?;
        // Each request sends a mail and reveals whether an address is taken.
        self.state.limits.take(Action::Restore, &Key::member(account.id)).await?;
        let owner = accounts::by_login(&self.state.pool, &NameKey::of(&form.eml)).await?;
        if owner.is_some() && self.state.config.accounts.disclose_addresses {
            let (status, code) = (StatusCode::CONFLICT, "eml_occupied");
            return Err(ApiError::Refused { status, code, field: Some("eml"), info: None });
        }
        let mut transaction = self.state.pool.begin().await?;
        still_proven(&mut transaction, &account).await?;
        let reader = Recipient::of(&account, &self.headers);
        let mails = self.state.links();
        mails.stop(&mut transaction, &reader, &account.email).await?;
        match owner {
            None => mails.confirm(&mut transaction, &reader, &form.eml, Purpose::Mail).await?,
            Some(owner) => {
                mails.record_unsent(&mut transaction, &reader, &form.eml).await?;
                if is_open(&owner) {
                    mails.already_member(&mut transaction, &owner, reader.lang).await?;
                }
            }
        }
        let cookie = session::renew(&self.state.config, &mut transaction, &self.member).await?;
        transaction.commit().await?;
        self.state.mailer.wake();
        Ok(done_with_cookie(cookie))
    }

    async fn delete(self, form: Change) -> ApiResult<Response> {
        let account = self.proven(form.pwd_now, &form.captcha).await?;
        let mut transaction = self.state.pool.begin().await?;
        still_proven(&mut transaction, &account).await?;
        let outcome = account_removal::remove(&mut transaction, account.id, form.uploads).await?;
        transaction.commit().await?;
        // A failure is only logged: the account is gone already, and file names can't be guessed. If the outcome is `Held`, undecided
        // reports still need some of the pictures, and a sweep deletes those once the reports are decided.
        if outcome == RemovalOutcome::Gone
            && let Err(error) = self.state.pictures.remove_all(account.id).await
        {
            tracing::error!(%error, user_id = account.id, "failed to delete the pictures of a removed account");
        }
        Ok(done_with_cookie(session::no_cookie(&self.state.config)?))
    }

    async fn end_session(self, session_id: Option<i64>) -> ApiResult<Response> {
        let id = session_id.ok_or(ApiError::required("session_id"))?;
        let mut conn = self.state.pool.acquire().await?;
        if sessions::end(&mut conn, self.member.id, id).await? {
            Ok(private::done())
        } else {
            Err(ApiError::NotFound("session_not_found"))
        }
    }

    async fn end_other_sessions(self) -> ApiResult<Response> {
        let mut conn = self.state.pool.acquire().await?;
        sessions::end_others(&mut conn, self.member.id, self.member.session_id).await?;
        Ok(private::done())
    }

    /// Returns the account once the member has proved again that they own it. The proof is the password or, if the account has none, a
    /// very recent sign-in.
    async fn proven(&self, password: String, captcha: &str) -> ApiResult<Account> {
        let state = &self.state;
        let account = accounts::by_id(&state.pool, self.member.id).await?.ok_or(ApiError::NeedAuth)?;
        let Some(stored) = account.password_hash.clone() else {
            self.signed_in_just_now().await?;
            return Ok(account);
        };
        let refuse = |code| ApiError::Field { field: "pwd_now", code, bound: None };
        if password.is_empty() {
            return Err(refuse("required"));
        }
        if password.chars().count() > state.config.accounts.password_max {
            return Err(refuse("wrong_password"));
        }
        let attempt = LoginAttempt::begin(&state.limits, &self.client, &account.username).await?;
        let (attempt, ticket) =
            attempt.prove_human(&state.limits, &state.passwords, &state.captcha, &self.client, captcha).await?;
        match state.passwords.check(password, Some(stored), ticket).await {
            Ok(PasswordOutcome::Right { .. }) => {
                attempt.succeeded(&state.limits, &self.client, &account).await?;
                Ok(account)
            }
            Ok(PasswordOutcome::Wrong) => {
                attempt.failed(&state.limits).await?;
                Err(refuse("wrong_password"))
            }
            Err(busy) => {
                attempt.forget().await?;
                Err(busy)
            }
        }
    }

    async fn signed_in_just_now(&self) -> ApiResult<()> {
        let fresh = Duration::seconds(self.state.config.accounts.fresh_seconds.into());
        let began = sessions::began(&self.state.pool, self.member.session_id).await?;
        let now = session::now((self.state.now)())?;
        if began.is_some_and(|began| now <= began + fresh) { Ok(()) } else { Err(ApiError::Forbidden("sign_in_again")) }
    }
}

/// Locks the account until the end of the transaction. Fails if the password has changed since it was checked.
async fn still_proven(conn: &mut PgConnection, account: &Account) -> ApiResult<()> {
    if accounts::lock_proven(conn, account).await? {
        Ok(())
    } else {
        Err(ApiError::Field { field: "pwd_now", code: "wrong_password", bound: None })
    }
}

fn done_with_cookie(cookie: HeaderValue) -> Response {
    let mut response = private::done();
    response.headers_mut().append(header::SET_COOKIE, cookie);
    response
}
