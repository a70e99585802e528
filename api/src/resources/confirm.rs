//! `GET /api/confirm.php?token=`: the link of a confirmation mail, of a new account or of a new address.

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::{
    accounts::{self, Occupied},
    mail_tokens::{self, MailToken, Purpose},
    sessions,
};
use lantern_ratelimit::{Action, Key};
use sqlx::PgConnection;

use crate::{
    accounts::{mails, session, token::Token},
    error::ApiResult,
    extract::{Client, Query, Viewer},
    mail::Mail,
    private::PRIVATE,
    state::AppState,
};

/// The handler. Always leads to the sign-in page, which says how it went.
///
/// # Errors
/// 429 `too_many_attempts`, 503 while the catalog is away.
pub async fn confirm(
    State(state): State<AppState>,
    method: Method,
    client: Client,
    Viewer(viewer): Viewer,
    headers: HeaderMap,
    query: Query,
) -> ApiResult<Response> {
    state.limits.take(Action::Confirm, &Key::client(&client.key)).await?;
    let token = query.get("token").and_then(Token::parse);
    // Whoever asks for the headers alone looks at the link and doesn't follow it: mail programs do.
    let Some(token) = token.filter(|_| method == Method::GET) else { return Ok(outcome(false)) };
    let mut transaction = state.pool.begin().await?;
    let now = session::now(&state)?;
    let found = mail_tokens::take(&mut transaction, &token.hash(), &[Purpose::Confirm, Purpose::Mail], now).await?;
    let Some(found) = found else { return Ok(outcome(false)) };
    let own = viewer.filter(|member| member.id == found.user_id).map_or(0, |member| member.session_id);
    let followed = match &found.email {
        None => accounts::confirm(&mut transaction, found.user_id, now).await.map(|()| true)?,
        Some(email) => change_email(&state, &mut transaction, &headers, &found, email, own).await?,
    };
    if followed {
        transaction.commit().await?;
        state.mailer.wake();
    }
    Ok(outcome(followed))
}

/// The new address is the account's from now on, and the former one is told; other sessions than the one that followed the
/// link end. False when somebody else has the address by now.
async fn change_email(
    state: &AppState,
    conn: &mut PgConnection,
    headers: &HeaderMap,
    found: &MailToken,
    email: &str,
    own: i64,
) -> ApiResult<bool> {
    let former = match accounts::set_email(&mut *conn, found.user_id, email, session::now(state)?).await {
        Ok(former) => former,
        Err(error) if Occupied::of(&error).is_some() => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    sessions::end_others(&mut *conn, found.user_id, own).await?;
    mail_tokens::void(&mut *conn, found.user_id, Purpose::Restore).await?;
    if let (Some(to), Some(account)) = (former, accounts::by_id(&state.pool, found.user_id).await?) {
        let mail = Mail::MailChanged { to, username: account.username, lang: mails::lang(headers) };
        state.mailer.queue(conn, &mail).await?;
    }
    Ok(true)
}

fn outcome(confirmed: bool) -> Response {
    let to = if confirmed { "/signin/?confirmed=1" } else { "/signin/?confirmed=0" };
    let headers = [(header::LOCATION, HeaderValue::from_static(to)), (header::CACHE_CONTROL, PRIVATE)];
    (StatusCode::SEE_OTHER, headers).into_response()
}
