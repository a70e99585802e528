//! `GET` and `POST /api/confirm.php`: mailed links that confirm a new account, confirm a new address, or cancel an address change.
//!
//! A link opens a page of the app. Opening the page changes nothing, because mail programs open links too. Only the page's button carries
//! out the action.

use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::Response,
};
use lantern_catalog::{
    accounts::{self, OccupiedField},
    mail_tokens::{self, MailToken, Purpose},
    sessions,
};
use lantern_config::{Config, MailKind};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Done, Form, Query, cookies,
    openapi::{Doc, field, query, refusal, text, too_often},
    private,
};
use lantern_ratelimit::{Action, Key};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use utoipa::ToSchema;

use crate::{
    calls::AccountState,
    mail::{Mail, Mailer},
    session,
    token::{self, DEAD_LINK, USED_LINK},
    viewer::Viewer,
};

/// Purposes of the links that this call handles.
const PURPOSES: [Purpose; 3] = [Purpose::Confirm, Purpose::Mail, Purpose::Stop];

/// A mailed link, as its page shows it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LinkAnswer {
    /// `confirm` confirms the address of a new account, `mail` sets the account's new address, `stop` cancels a change of
    /// address.
    #[schema(value_type = LinkPurpose)]
    purpose: &'static str,
    /// Whether it was already used and no longer works.
    #[schema(example = false)]
    used: bool,
}

/// Purpose of a mailed link.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used")]
enum LinkPurpose {
    Confirm,
    Mail,
    Stop,
}

pub fn show_doc(_: &Config) -> Doc {
    Doc::new("account", "confirm_link", "/api/confirm.php", "Get the purpose of a mailed link")
        .about("For the page that a mailed link opens. Changes nothing, and can be repeated.")
        .takes(query("token", "Token of the mailed link.", text(), "A7".repeat(21) + "A"))
        .answers::<LinkAnswer>("The link works, or was already used.")
        .refuses(refusal(422, &[DEAD_LINK]))
        .refuses(too_often())
}

/// Returns the purpose of a link without using it.
pub async fn show(State(state): State<AccountState>, client: Client, query: Query) -> ApiResult<Response> {
    state.limits.take(Action::Confirm, &Key::client(&client.key)).await?;
    let hash = token::sent(query.get("token").unwrap_or_default())?;
    let found = mail_tokens::find(&state.pool, &hash, &PURPOSES, session::now((state.now)())?).await?;
    let link = found.ok_or_else(token::invalid)?;
    Ok(private::answer(LinkAnswer { purpose: link.purpose.as_str(), used: link.is_used }))
}

/// Form sent by the page's button.
#[derive(Deserialize)]
pub struct Confirm {
    #[serde(default)]
    token: String,
}

pub fn confirm_doc(_: &Config) -> Doc {
    Doc::post("account", "confirm", "/api/confirm.php", "Carry out a mailed link")
        .about("Confirms the address of a new account, sets the account's new address, or cancels a change of address. A link works once. No session is needed.")
        .field(field("token", "Token of the mailed link.", text(), "A7".repeat(21) + "A").required())
        .answers::<Done>("Done.")
        .refuses(refusal(409, &[("eml_occupied", "another account has taken this mail address meanwhile")]))
        .refuses(refusal(422, &[DEAD_LINK, USED_LINK]))
        .refuses(too_often())
}

/// Carries out a link.
pub async fn confirm(
    State(state): State<AccountState>,
    client: Client,
    Viewer(viewer): Viewer,
    headers: HeaderMap,
    Form(form): Form<Confirm>,
) -> ApiResult<Response> {
    state.limits.take(Action::Confirm, &Key::client(&client.key)).await?;
    let (hash, now) = (token::sent(&form.token)?, session::now((state.now)())?);
    let mut transaction = state.pool.begin().await?;
    let link = token::unused(mail_tokens::take(&mut transaction, &hash, &PURPOSES, now).await?)?;
    match &link.email {
        Some(email) => {
            let own = viewer.filter(|member| member.id == link.user_id).map_or(0, |member| member.session_id);
            change_email(&state.mailer, (state.now)(), &mut transaction, &headers, &link, email, own).await?;
        }
        None if link.purpose == Purpose::Stop => {
            mail_tokens::void(&mut transaction, link.user_id, Purpose::Mail).await?;
        }
        None => accounts::confirm(&mut transaction, link.user_id, now).await?,
    }
    transaction.commit().await?;
    state.mailer.wake();
    Ok(private::done())
}

/// Sets the account's new address and notifies the former one by mail. Ends all sessions except the one that followed the link, and
/// invalidates links sent to the former address.
async fn change_email(
    mailer: &Mailer,
    now: i64,
    conn: &mut PgConnection,
    headers: &HeaderMap,
    link: &MailToken,
    email: &str,
    own: i64,
) -> ApiResult<()> {
    let changed = accounts::set_email(&mut *conn, link.user_id, email, session::now(now)?).await;
    let former = changed.map_err(|error| match OccupiedField::of(&error) {
        Some(_) => ApiError::Refused { status: StatusCode::CONFLICT, code: "eml_occupied", field: None, info: None },
        None => error.into(),
    })?;
    sessions::end_others(&mut *conn, link.user_id, own).await?;
    mail_tokens::void_all(&mut *conn, link.user_id).await?;
    if let (Some(to), Some(account)) = (former, accounts::by_id(&mut *conn, link.user_id).await?) {
        let mail = Mail::new(MailKind::MailChanged, to, account.username, cookies::lang(headers));
        mailer.queue(conn, &mail).await?;
    }
    Ok(())
}
