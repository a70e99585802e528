//! `GET /api/moderate/proof`: the stored copy of a consent document.

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::moderation::consents::{self, place};
use lantern_config::{Config, Moderation};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Doc, id_schema, invalid, query, refusal, too_often},
    private::PRIVATE,
};
use lantern_ratelimit::{Action, Key};
use serde_json::json;

use super::{Moderator, UploadKind, for_moderators, kinds};
use crate::state::AppState;

/// Magic bytes and types of accepted files.
const KINDS: [(&[u8], &str); 4] = [
    (b"%PDF-", "application/pdf"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (WEBP, "image/webp"),
];
/// Start of a WebP file. Four bytes of length and `WEBP` follow.
const WEBP: &[u8] = b"RIFF";

/// Detects the type of a copy from its content.
pub(super) fn kind(settings: &Moderation, bytes: &[u8]) -> ApiResult<&'static str> {
    let wrong = |code| ApiError::Field { field: "proof", code, bound: None };
    if bytes.len() > settings.proof_bytes {
        return Err(wrong("file_too_large"));
    }
    let found = KINDS
        .iter()
        .find(|(start, kind)| bytes.starts_with(start) && (*kind != "image/webp" || bytes.get(8..12) == Some(b"WEBP")));
    found.map(|(_, kind)| *kind).ok_or_else(|| wrong("file_invalid_type"))
}

pub fn doc(_: &Config) -> Doc {
    let file = json!({ "type": "string", "format": "binary" });
    let doc = Doc::new("moderation", "proof", "/api/moderate/proof", "Get the copy of a consent document")
        .about("Sent as an attachment, so that browsers never run it. Every access is recorded.");
    for_moderators(doc)
        .takes(query("section", "Kind of the upload.", kinds(), "video").required())
        .takes(query("id", "Id.", id_schema(), 1).required())
        .takes(query("model", "Name of the model in URLs.", json!({ "type": "string" }), "mika-sato").required())
        .answers_with("The copy.", "application/pdf", &file, &json!(""))
        .also_as("image/jpeg", &file, &json!(""))
        .also_as("image/png", &file, &json!(""))
        .also_as("image/webp", &file, &json!(""))
        .refuses(refusal(404, &[("file_not_found", "no such copy")]))
        .refuses(refusal(422, &[("required", "a required parameter is missing")]))
        .refuses(invalid())
        .refuses(too_often())
}

pub async fn show(State(state): State<AppState>, moderator: Moderator, query: Query) -> ApiResult<Response> {
    let object = UploadKind::named(&query)?;
    let object = (object.0.as_str(), object.1);
    let model = query.get("model").ok_or(ApiError::required("model"))?;
    // The request is counted whether or not a copy exists, because model names are public and probing for copies is not
    // a moderator's task.
    state.limits.take(Action::Proof, &Key::member(moderator.member.id)).await?;
    let found = consents::read_proof(&state.pool, &moderator.actor(), object, model).await?;
    let (sealed, kind) = found.ok_or(ApiError::NotFound("file_not_found"))?;
    let copy = state.seal.open(&place(object, model), &sealed)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::try_from(kind).map_err(ApiError::internal)?),
        (header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment")),
        (header::CACHE_CONTROL, PRIVATE),
    ];
    Ok((headers, copy).into_response())
}
