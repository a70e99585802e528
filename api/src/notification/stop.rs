//! `/api/unsubscribe.php`: stops digest mails. The button on `/unsubscribe/` posts the `token` in its form. Mail programs (RFC 8058) post
//! to the address that contains the token, without a session. A `GET` redirects to the page.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use lantern_accounts::token::{self, DEAD_LINK};
use lantern_catalog::digests;
use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::{
    Client, Done, Form, Query,
    openapi::{Doc, field, query, refusal, text, too_often},
    private,
};
use lantern_ratelimit::{Action, Key, Limits};
use serde::Deserialize;
use sqlx::PgPool;

const EXAMPLE: &str = "0b0f5d5e-6a3c-4b61-9f0e-2f6a8d1f4c11";

pub fn lead_doc(_: &Config) -> Doc {
    Doc::new(
        "account",
        "unsubscribe_page",
        "/api/unsubscribe.php",
        "Where opening the address of `List-Unsubscribe` leads",
    )
    .about("Changes nothing; only the button on the page unsubscribes.")
    .takes(query("token", "Token from the header of the mail.", text(), EXAMPLE))
    .redirects("The page with the button.", "/unsubscribe/?token=0b0f5d5e-6a3c-4b61-9f0e-2f6a8d1f4c11")
}

/// Redirects to the page. This changes nothing, because mail programs open links by themselves.
pub async fn lead(query: Query) -> Response {
    let token = form_urlencoded::byte_serialize(query.get("token").unwrap_or_default().as_bytes()).collect::<String>();
    Redirect::to(&format!("/unsubscribe/?token={token}")).into_response()
}

#[derive(Deserialize)]
pub struct StopForm {
    token: Option<String>,
}

pub fn doc(_: &Config) -> Doc {
    Doc::post("account", "unsubscribe", "/api/unsubscribe.php", "Stop digest mails")
        .about(
            "The token is a field, or part of the address as in the header `List-Unsubscribe`. The request may be repeated. No session \
             is needed.",
        )
        .takes(query("token", "Token from the header of the mail.", text(), EXAMPLE))
        .field(field("token", "Token from the link in the mail.", text(), EXAMPLE))
        .answers::<Done>("No more digests are mailed.")
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
