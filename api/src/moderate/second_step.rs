//! `GET` and `POST /api/moderate/second_step`: the one-time password that lets a moderator's session decide.

use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::Response,
};
use lantern_accounts::totp;
use lantern_accounts::{session::now, viewer::Member};
use lantern_catalog::moderation::{consents::DOCUMENTS, staff};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Form,
    openapi::{Doc, field, refusal, too_often},
    private,
};
use lantern_search::index::rfc3339;
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::Duration;
use utoipa::ToSchema;

use super::device::Device;
use crate::state::AppState;

/// Permissions of a moderator's session, and the vocabularies of its forms.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffAnswer {
    /// Until when the session may decide, RFC 3339; `null` before the second step.
    #[schema(example = json!(null), format = DateTime)]
    until: Option<String>,
    /// Reasons for a rejection; `rejected_` followed by the word is the code of the text.
    #[schema(example = json!(["quality"]))]
    reasons: Vec<String>,
    /// Kinds of documents.
    #[schema(example = json!(["passport"]))]
    documents: Vec<String>,
    /// Maximum length of a note in characters.
    #[schema(example = 500, minimum = 0)]
    note_max: usize,
}

#[derive(Debug, Deserialize)]
pub struct SecondStepForm {
    code: String,
}

const NOT_A_MODERATOR: ApiError = ApiError::Forbidden("dont_have_permission");

pub fn show_doc(_: &Config) -> Doc {
    Doc::new("moderation", "staff", "/api/moderate/second_step", "Get the permissions of a moderator's session")
        .for_members()
        .answers::<StaffAnswer>("The permissions.")
        .refuses(refusal(403, &[("dont_have_permission", "the member is not a moderator")]))
}

pub fn doc(_: &Config) -> Doc {
    let code = json!({ "type": "string", "pattern": "^[0-9]{6}$" });
    Doc::post("moderation", "second_step", "/api/moderate/second_step", "Take the second step of a moderator's sign-in")
        .about("A one-time password (RFC 6238) works once. It lets the session decide for some hours, including a few grave decisions. \
             Wrong ones are counted per browser; a cookie identifies browsers in which the step was taken.")
        .for_members()
        .field(field("code", "One-time password.", code, "123456"))
        .answers::<StaffAnswer>("The session may decide.")
        .refuses(refusal(403, &[("dont_have_permission", "the member is not a moderator")]))
        .refuses(refusal(422, &[("required", "`code` is empty"), ("wrong_code", "the password is wrong or already used")]))
        .refuses(too_often())
}

pub async fn show(State(state): State<AppState>, member: Member) -> ApiResult<Response> {
    let rights = staff::rights(&state.pool, member.session_id).await?.ok_or(NOT_A_MODERATOR)?;
    let present = now((state.now)())?;
    let until = rights.until.filter(|until| *until > present);
    Ok(answer(&state.config, until.map(|until| rfc3339(until.unix_timestamp()))))
}

pub async fn take(
    State(state): State<AppState>,
    member: Member,
    headers: HeaderMap,
    Form(sent): Form<SecondStepForm>,
) -> ApiResult<Response> {
    let rights = staff::rights(&state.pool, member.session_id).await?.ok_or(NOT_A_MODERATOR)?;
    let device = Device::of(&state, &headers, &member, rights.until.is_some()).await?;
    let counted = device.count(&state.limits, &member).await?;
    let secret = state.seal.open(&staff::place(member.id), &rights.totp_secret).map_err(ApiError::internal)?;
    let present = (state.now)();
    let wrong = ApiError::Field { field: "code", code: "wrong_code", bound: None };
    let interval = totp::interval(&secret, sent.code.trim(), present).map_err(ApiError::internal)?;
    let interval = interval.ok_or_else(|| wrong.clone())?;
    let until = now(present)? + Duration::seconds(state.config.moderation.session_seconds.into());
    if !staff::step_up(&state.pool, member.session_id, interval, until).await? {
        return Err(wrong);
    }
    for attempt in counted {
        attempt.give_back().await?;
    }
    let cookie = device.remember(&state, &member).await?;
    let mut response = answer(&state.config, Some(rfc3339(until.unix_timestamp())));
    response.headers_mut().append(header::SET_COOKIE, cookie);
    Ok(response)
}

fn answer(config: &Config, until: Option<String>) -> Response {
    let moderation = &config.moderation;
    private::answer(StaffAnswer {
        until,
        reasons: moderation.reasons.clone(),
        documents: DOCUMENTS.map(str::to_owned).into(),
        note_max: moderation.note_max,
    })
}
