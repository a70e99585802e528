//! `GET /api/captcha.php`: captcha challenges.

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
    calls::AccountState,
    captcha::{Challenge, Purpose},
};

/// Returns the documentation of the call.
pub fn doc(_: &Config) -> Doc {
    let purposes = Purpose::ALL.map(Purpose::as_str);
    Doc::new("account", "captcha", "/api/captcha.php", "Get a captcha challenge")
        .about(
            "With `altcha`, the proof is the number that, appended to the salt, has the challenge as its SHA-256; the field \
             `captcha` is the base64 of `{algorithm, challenge, number, salt, signature}`. With other providers, it is their \
             token. A proof is valid once and for one form.",
        )
        .takes(query("for", "Form to protect.", json!({ "type": "string", "enum": purposes }), "signup").required())
        .answers::<Challenge>("The challenge.")
        .refuses(refusal(422, &[("required", "`for` is missing")]))
        .refuses(invalid())
        .refuses(too_often())
}

/// Returns a challenge for the form that `for` specifies.
pub async fn captcha(State(state): State<AccountState>, client: Client, query: Query) -> ApiResult<Response> {
    let purpose: Purpose = query.word("for")?.ok_or(ApiError::required("for"))?;
    state.limits.take(Action::Captcha, &Key::client(&client.key)).await?;
    Ok(private::uncompressed(state.captcha.challenge(purpose)))
}
