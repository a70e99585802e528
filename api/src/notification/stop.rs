//! `POST /api/unsubscribe.php`: no more mails that sum up what is new. The page of the mail's link sends the `token` in its form;
//! programs that read mails (RFC 8058) have it in the address, and no session.

use axum::{extract::State, response::Response};
use lantern_catalog::digests;
use lantern_config::Config;
use lantern_ratelimit::{Action, Key};
use serde::Deserialize;

use crate::{
    account::{
        fields::{DEAD_LINK, text},
        token,
    },
    http::{
        error::ApiResult,
        extract::{Client, Form, Query},
        private::{self, Done},
    },
    openapi::{
        Doc,
        errors::{refusal, too_often},
        params::{field, query},
    },
    state::AppState,
};

#[derive(Deserialize)]
pub struct StopForm {
    token: Option<String>,
}

pub fn doc(_: &Config) -> Doc {
    let example = "0b0f5d5e-6a3c-4b61-9f0e-2f6a8d1f4c11";
    Doc::post("account", "unsubscribe", "/api/unsubscribe.php", "Stop the mails that sum up what is new")
        .about(
            "The token is a field, or stands in the address as the header `List-Unsubscribe` has it. It may be asked again. No session \
             is needed.",
        )
        .takes(query("token", "What the mail's header has.", text(), example))
        .field(field("token", "What the mail's link has.", text(), example))
        .answers::<Done>("No more of them come.")
        .refuses(refusal(422, &[DEAD_LINK]))
        .refuses(too_often())
}

pub async fn stop(
    State(state): State<AppState>,
    client: Client,
    query: Query,
    Form(form): Form<StopForm>,
) -> ApiResult<Response> {
    state.limits.take(Action::Confirm, &Key::client(&client.key)).await?;
    let token = form.token.as_deref().or(query.get("token")).unwrap_or_default();
    if digests::stop(&state.pool, token).await? { Ok(private::done()) } else { Err(token::invalid()) }
}
