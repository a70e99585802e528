//! `GET /api/account.php`: the account and its sessions. [`super::change`] modifies it.

use axum::{extract::State, response::Response};
use lantern_catalog::{accounts, mail_tokens, sessions};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{openapi::Doc, private, rfc3339};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{calls::AccountState, session, viewer::Member};

/// The account.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AccountAnswer {
    /// Mail address.
    #[schema(example = "demo@members.example")]
    email: String,
    /// New address awaiting confirmation; null if none.
    #[schema(example = "new@members.example")]
    new_email: Option<String>,
    /// Whether the account has a password; without one, the member signs in with Google.
    #[schema(example = true)]
    has_password: bool,
    /// Whether the member can sign in with Google.
    #[schema(example = false)]
    google: bool,
    /// Active sessions, most recently used first.
    sessions: Vec<OwnSession>,
}

/// An active session of the member.
#[derive(Debug, Serialize, ToSchema)]
struct OwnSession {
    /// Id.
    #[schema(example = 12, minimum = 1)]
    session_id: i64,
    /// Whether this request belongs to it.
    #[schema(example = true)]
    current: bool,
    /// When it began.
    #[schema(example = "2026-09-20T10:00:00Z", format = "date-time")]
    created_at: String,
    /// When it was last used, to the minute.
    #[schema(example = "2026-09-21T18:30:00Z", format = "date-time")]
    last_used_at: String,
    /// Browser and system; empty if neither is known.
    #[schema(example = "Firefox, Linux")]
    agent: String,
    /// ISO 3166-1 alpha-2 code of the country it began in, `XX` if unknown.
    #[schema(example = "JP", pattern = "^[A-Z]{2}$")]
    country: String,
}

pub fn doc(_: &Config) -> Doc {
    Doc::new("account", "account", "/api/account.php", "Get the account and its sessions")
        .for_members()
        .answers::<AccountAnswer>("The account.")
}

pub async fn account(State(state): State<AccountState>, member: Member) -> ApiResult<Response> {
    let clock = session::clock(&state.config, (state.now)())?;
    let account = accounts::by_id(&state.pool, member.id).await?.ok_or(ApiError::NeedAuth)?;
    let new_email = mail_tokens::new_email(&state.pool, member.id, clock.now).await?;
    let rows = sessions::list(&state.pool, member.id, clock).await?;
    let sessions = rows
        .into_iter()
        .map(|row| OwnSession {
            session_id: row.id,
            current: row.id == member.session_id,
            created_at: rfc3339(row.created_at),
            last_used_at: rfc3339(row.last_used_at),
            agent: row.agent,
            country: row.country.unwrap_or_else(|| "XX".to_owned()),
        })
        .collect();
    Ok(private::answer(AccountAnswer {
        email: account.email,
        new_email,
        has_password: account.password_hash.is_some(),
        google: account.has_openid,
        sessions,
    }))
}
