//! `GET /api/captcha.php`: what a browser needs to prove that it is no robot.

use axum::{extract::State, response::Response};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Query,
    openapi::{Doc, invalid, query, refusal, too_often},
    private,
};
use lantern_ratelimit::{Action, Key};
use serde_json::json;

use crate::{
    account::captcha::{Challenge, Purpose},
    state::AppState,
};

/// What the document says of it.
pub fn doc(_: &Config) -> Doc {
    let purposes = Purpose::ALL.map(Purpose::as_str);
    Doc::new("account", "captcha", "/api/captcha.php", "What a browser needs to prove that it is no robot")
        .about(
            "With `altcha` the proof is the number whose SHA-256, after the salt, is the challenge; the field `captcha` is \
             the base64 of `{algorithm, challenge, number, salt, signature}`. With other providers it is their token. A \
             proof is good for one form and once.",
        )
        .takes(query("for", "The form.", json!({ "type": "string", "enum": purposes }), "signup").required())
        .answers::<Challenge>("The challenge.")
        .refuses(refusal(422, &[("required", "`for` is not there")]))
        .refuses(invalid())
        .refuses(too_often())
}

/// A challenge for the form it names.
pub async fn captcha(State(state): State<AppState>, client: Client, query: Query) -> ApiResult<Response> {
    let purpose: Purpose = query.word("for")?.ok_or(ApiError::required("for"))?;
    state.limits.take(Action::Captcha, &Key::client(&client.key)).await?;
    Ok(private::uncompressed(state.captcha.challenge(purpose)))
}
