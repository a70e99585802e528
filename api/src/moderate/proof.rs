//! `GET /api/moderate/proof`: the copy of a document, for those who decide.

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

/// First bytes of the files that are taken, and their types.
const KINDS: [(&[u8], &str); 4] = [
    (b"%PDF-", "application/pdf"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (WEBP, "image/webp"),
];
/// Behind it are four bytes of length, and then its name.
const WEBP: &[u8] = b"RIFF";

/// The type of a document's copy, by what it holds.
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
    let doc = Doc::new("moderation", "proof", "/api/moderate/proof", "The copy of a document")
        .about("It is sent as a file to keep, never as something a browser runs. Who read which copy is recorded.");
    for_moderators(doc)
        .takes(query("section", "What it belongs to.", kinds(), "video").required())
        .takes(query("id", "Its id.", id_schema(), 1).required())
        .takes(query("model", "Name in URLs of the model.", json!({ "type": "string" }), "mika-sato").required())
        .answers_with("The copy.", "application/pdf", &file, &json!(""))
        .also_as("image/jpeg", &file, &json!(""))
        .also_as("image/png", &file, &json!(""))
        .also_as("image/webp", &file, &json!(""))
        .refuses(refusal(404, &[("file_not_found", "no copy is here")]))
        .refuses(refusal(422, &[("required", "a parameter is not there")]))
        .refuses(invalid())
        .refuses(too_often())
}

pub async fn show(State(state): State<AppState>, moderator: Moderator, query: Query) -> ApiResult<Response> {
    let object = UploadKind::named(&query)?;
    let object = (object.0.as_str(), object.1);
    let model = query.get("model").ok_or(ApiError::required("model"))?;
    // Counted whether or not there is one: names of models are no secret, and looking for copies is no work of a moderator.
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
