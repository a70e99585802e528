//! `GET /api/login.g.php` and its callback: sign-in at an OpenID provider.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Redirect, Response},
};
use lantern_catalog::{
    openid::{self, LinkOutcome, OpenIdAccount},
    status::MemberStatus,
};
use lantern_config::{Accounts, Config, MailKind};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Query, cookies,
    openapi::{Doc, query, refusal},
    private,
};
use lantern_index::text::TermList;
use rand::Rng;
use serde::Serialize;
use serde_json::json;
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    calls::AccountState,
    links::{self, LinkMailer},
    openid::{Back, OpenId, OpenIdAttempt, Person},
    rules, session,
    viewer::Sessions,
};

/// Number of numbered names to try before giving up. With six random digits in each, a third one is practically never needed.
const NAMES: usize = 8;
/// Maximum length of a chosen name, which leaves room for a suffix of digits.
const MAX_CHOSEN: usize = 13;

/// Address of the provider.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoginLink {
    /// Page of the provider.
    #[schema(example = "https://accounts.google.com/o/oauth2/v2/auth?client_id=…")]
    url: String,
}

pub fn start_doc(_: &Config) -> Doc {
    Doc::new("account", "login_google", "/api/login.g.php", "Start signing in with Google")
        .about("Sets a cookie that the callback requires. Uses OpenID Connect with state, nonce and PKCE.")
        .takes(query(
            "agree18",
            "`1` if the page stated that continuing confirms being 18 or older; also sets the age gate's cookie.",
            json!({ "type": "integer", "enum": [1] }),
            "1",
        ))
        .answers::<LoginLink>("The address to open.")
        .refuses(refusal(422, &[("invalid", "`agree18` is present and not 1")]))
        .refuses(refusal(404, &[("not_configured", "no provider is configured")]))
}

/// Returns the provider's address. `agree18=1` sets the age gate's cookie, which the callback reads.
pub async fn start(State(state): State<AccountState>, query: Query) -> ApiResult<Response> {
    let agreed = query.number("agree18", 1..=1)?.is_some();
    let (url, attempt) = provider(&state.openid)?.start().await?;
    let mut response = private::answer(LoginLink { url });
    let cookie = cookie(&state.config, &attempt.to_cookie(), state.config.openid.attempt_seconds)?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    if agreed {
        let agreed = cookies::set(&state.config, cookies::AGE_AGREED, "1").ok_or(ApiError::Malformed("cookie"))?;
        response.headers_mut().append(header::SET_COOKIE, agreed);
    }
    Ok(response)
}

pub fn callback_doc(_: &Config) -> Doc {
    let text = json!({ "type": "string" });
    Doc::new("account", "login_google_callback", "/api/login.g.callback", "Callback of the sign-in with Google")
        .about(
            "Signs the visitor in and redirects to `/`, or to `/signin/?error=` with `openid_failed`, `openid_cancelled`, \
             `openid_mail_unverified`, `openid_mail_untrusted`, `openid_occupied`, `account_banned`, or `agree18_required` if a new \
             visitor confirmed their age neither at the age gate nor when starting (cookie `age_agreed`).",
        )
        .takes(query("state", "State of the attempt.", text.clone(), "x"))
        .takes(query("code", "Code to exchange for a token.", text.clone(), "x"))
        .takes(query("error", "Error reported by the provider.", text, "access_denied"))
        .redirects("Signed in, or failed.", "/")
        .refuses(refusal(404, &[("not_configured", "no provider is configured")]))
}

/// Signs the returning visitor in and redirects to the home page, or to the sign-in page with an error code.
pub async fn callback(
    State(state): State<AccountState>,
    client: Client,
    headers: HeaderMap,
    query: Query,
) -> ApiResult<Response> {
    let attempt = cookies::get(&headers, OpenIdAttempt::cookie_name(&state.config)).and_then(OpenIdAttempt::parse);
    let back =
        Back { state: query.get("state").unwrap_or_default(), code: query.get("code"), error: query.get("error") };
    let mut response = match provider(&state.openid)?.finish(attempt, &back).await? {
        Ok(person) => {
            let mails = state.links();
            enter(&mails, &state.sessions(), &state.prohibited, &client, &headers, &person).await?
        }
        Err(failure) => {
            tracing::info!(reason = %failure, "sign-in at the provider failed");
            back_to_sign_in(failure.code())
        }
    };
    // An attempt can be used only once.
    response.headers_mut().append(header::SET_COOKIE, cookie(&state.config, "", 0)?);
    response.headers_mut().insert(header::CACHE_CONTROL, private::PRIVATE);
    Ok(response)
}

fn provider(openid: &Option<Arc<OpenId>>) -> ApiResult<&OpenId> {
    openid.as_deref().ok_or(ApiError::NotFound("not_configured"))
}

fn back_to_sign_in(code: &str) -> Response {
    Redirect::to(&format!("/signin/?error={code}")).into_response()
}

/// Returns the attempt's cookie. It is `Lax`, because browsers must send it when the provider redirects back.
fn cookie(config: &Config, value: &str, seconds: i64) -> ApiResult<HeaderValue> {
    let secure = if config.secure_cookies() { "; Secure" } else { "" };
    let name = OpenIdAttempt::cookie_name(config);
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(cookie).map_err(ApiError::internal)
}

async fn enter(
    mails: &LinkMailer,
    sessions: &Sessions,
    prohibited: &TermList,
    client: &Client,
    headers: &HeaderMap,
    person: &Person,
) -> ApiResult<Response> {
    let mut tx = sessions.pool.begin().await?;
    // Visitors confirm their age at the age gate or at the start of the sign-in. New accounts need this, as on the sign-up form.
    let is_adult = cookies::get(headers, cookies::AGE_AGREED) == Some("1");
    let account = match account(mails, prohibited, &mut tx, headers, person, is_adult).await? {
        Ok(account) if account.status_id == MemberStatus::Banned => return Ok(back_to_sign_in("account_banned")),
        Ok(account) => account,
        Err(code) => return Ok(back_to_sign_in(code)),
    };
    let cookie = session::begin(&sessions.config, (sessions.now)(), &mut tx, client, headers, account.id).await?;
    tx.commit().await?;
    mails.mailer.wake();
    let mut response = Redirect::to("/").into_response();
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

/// Returns the person's account, which is the linked one, the one with the same address or, for adults, a new one.
async fn account(
    mails: &LinkMailer,
    prohibited: &TermList,
    conn: &mut PgConnection,
    headers: &HeaderMap,
    person: &Person,
    is_adult: bool,
) -> ApiResult<Result<OpenIdAccount, &'static str>> {
    if let Some(known) = openid::by_subject(conn, &person.subject).await? {
        return Ok(Ok(known));
    }
    if !rules::is_address(&person.email) {
        return Ok(Err("openid_mail_unverified"));
    }
    if !person.is_trusted {
        return Ok(Err("openid_mail_untrusted"));
    }
    let now = session::clock(&mails.config, (mails.now)())?.now;
    match openid::link(conn, &person.email, &person.subject, now).await? {
        LinkOutcome::Now { account, lost_password } => {
            if lost_password {
                let mail = links::password_mail(MailKind::PasswordDropped, (&person.email, &account.username), headers);
                mails.mailer.queue(conn, &mail).await?;
            }
            return Ok(Ok(account));
        }
        LinkOutcome::Occupied => return Ok(Err("openid_occupied")),
        LinkOutcome::None if !is_adult => return Ok(Err("agree18_required")),
        LinkOutcome::None => {}
    }
    for name in names(person.nickname.as_deref(), prohibited, &mails.config.accounts) {
        if let Some(account) = openid::create(conn, &name, &person.email, &person.subject, now).await? {
            return Ok(Ok(account));
        }
    }
    Ok(Err("openid_failed"))
}

/// Returns the names to try. The public name chosen at the provider comes first, then the same name with digits. The names never reveal
/// the real name or address. If there is no chosen name, or one that sign-up would refuse, they consist of `member-` and digits.
fn names(chosen: Option<&str>, prohibited: &TermList, accounts: &Accounts) -> Vec<String> {
    // Many providers use the mail address as the name.
    let plain: String = chosen
        .filter(|name| !name.contains('@') && !prohibited.found_in_name(name))
        .unwrap_or_default()
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        .take(MAX_CHOSEN)
        .collect();
    let (first, stem) = if rules::public_name(&plain, prohibited, accounts).is_ok() {
        (Some(plain.clone()), plain)
    } else {
        (None, "member".to_owned())
    };
    let mut random = rand::rng();
    let numbered = std::iter::repeat_with(|| format!("{stem}-{:06}", random.random_range(0..1_000_000)));
    first.into_iter().chain(numbered.take(NAMES)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_reveal_nothing() {
        let prohibited = TermList::new(&["forbidden".to_owned(), "for bidden".to_owned()]);
        let accounts = Config::default().accounts;
        let names = |chosen| names(chosen, &prohibited, &accounts);
        assert_eq!(names(Some("Mika_1"))[0], "Mika_1");
        for (chosen, begins) in [
            (None, "member-"),
            (Some(""), "member-"),
            (Some("ab"), "member-"),
            (Some("mika.real.name@mail.example"), "member-"),
            (Some("Мика"), "member-"),
            (Some("Forbidden_1"), "member-"),
            (Some("For bidden"), "member-"),
            (Some("Admin"), "member-"),
            (Some("for.bidden"), "member-"),
            (Some("a b c d"), "abcd"),
            (Some("abcdefghijklmnopqrstuvwxyz"), "abcdefghijklm"),
        ] {
            for name in names(chosen) {
                assert!(name.starts_with(begins) && (3..=20).contains(&name.len()), "{name}");
                assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)), "{name}");
            }
        }
    }
}
