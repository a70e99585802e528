//! `/api/unsubscribe.php`: no more mails that sum up what is new. The button of `/unsubscribe/` posts the `token` in its form; programs
//! that read mails (RFC 8058) post to the address that has it, without a session. Those that only open it are led to the page.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use lantern_catalog::digests;
use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::{
    Client, Done, Form, Query,
    openapi::{Doc, field, query, refusal, too_often},
    private,
};
use lantern_ratelimit::{Action, Key, Limits};
use serde::Deserialize;
use sqlx::PgPool;

use crate::account::{
    fields::{DEAD_LINK, text},
    token,
};

const EXAMPLE: &str = "0b0f5d5e-6a3c-4b61-9f0e-2f6a8d1f4c11";

pub fn lead_doc(_: &Config) -> Doc {
    Doc::new(
        "account",
        "unsubscribe_page",
        "/api/unsubscribe.php",
        "Where the header `List-Unsubscribe` leads who opens it",
    )
    .about("Changes nothing: the button of the page does.")
    .takes(query("token", "What the mail's header has.", text(), EXAMPLE))
    .redirects("The page with the button.", "/unsubscribe/?token=0b0f5d5e-6a3c-4b61-9f0e-2f6a8d1f4c11")
}

/// Leads to the page: programs open the links of mails, so opening one changes nothing.
pub async fn lead(query: Query) -> Response {
    let token = form_urlencoded::byte_serialize(query.get("token").unwrap_or_default().as_bytes()).collect::<String>();
    Redirect::to(&format!("/unsubscribe/?token={token}")).into_response()
}

#[derive(Deserialize)]
pub struct StopForm {
    token: Option<String>,
}

pub fn doc(_: &Config) -> Doc {
    Doc::post("account", "unsubscribe", "/api/unsubscribe.php", "Stop the mails that sum up what is new")
        .about(
            "The token is a field, or stands in the address as the header `List-Unsubscribe` has it. It may be asked again. No session \
             is needed.",
        )
        .takes(query("token", "What the mail's header has.", text(), EXAMPLE))
        .field(field("token", "What the mail's link has.", text(), EXAMPLE))
        .answers::<Done>("No more of them come.")
        .refuses(refusal(422, &[DEAD_LINK]))
        .refuses(too_often())
}

pub async fn stop(
    State(pool): State<PgPool>,
    State(limits): State<Arc<Limits>>,
    client: Client,
    query: Query,
    Form(form): Form<StopForm>,
) -> ApiResult<Response> {
    limits.take(Action::Unsubscribe, &Key::client(&client.key)).await?;
    let token = form.token.as_deref().or(query.get("token")).unwrap_or_default();
    if digests::stop(&pool, token).await? { Ok(private::done()) } else { Err(token::invalid()) }
}
