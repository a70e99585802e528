//! `POST /api/moderate/consent`: records that a model in a video or album is an adult and has consented to it.

use axum::{
    extract::{FromRequest, Request, State},
    response::Response,
};
use lantern_accounts::session::now;
use lantern_catalog::moderation::consents::{self, ConsentOutcome, DOCUMENTS, NewConsent, place};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Done,
    extract::files::FormWithFiles,
    openapi::{Doc, field, id_schema, refusal},
    private,
};
use serde::Deserialize;
use serde_json::json;
use time::{Date, macros::format_description};

use super::{Moderator, UploadKind, for_decisions, kinds, note, proof};
use crate::{
    action::form::{Id, id},
    state::AppState,
};

#[derive(Debug, Deserialize)]
pub struct ConsentForm {
    section: UploadKind,
    id: Option<Id>,
    model: String,
    signed_on: String,
    document: String,
    reference: Option<String>,
}

pub fn doc(config: &Config) -> Doc {
    let documents = json!({ "type": "string", "enum": DOCUMENTS });
    let text = json!({ "type": "string", "maxLength": config.moderation.note_max });
    let day = json!({ "type": "string", "format": "date" });
    let doc = Doc::post(
        "moderation",
        "consent",
        "/api/moderate/consent",
        "Record a model's consent to a video or album",
    )
    .about("Takes a copy of the document, which is stored encrypted, a reference to where the document is stored, or both.");
    for_decisions(doc)
        .field(field("section", "Kind of the upload.", kinds(), "video"))
        .field(field("id", "Id.", id_schema(), 1))
        .field(field("model", "Name of the model in URLs.", json!({ "type": "string" }), "mika-sato"))
        .field(field("signed_on", "Date of the signature.", day, "2026-09-01"))
        .field(field("document", "Kind of the verified document.", documents, "passport"))
        .field(field("reference", "Where the document is stored.", text, "Folder 12"))
        .file("proof", "A copy of the document: PDF, JPEG, PNG or WebP.")
        .answers::<Done>("The consent was recorded.")
        .refuses(refusal(404, &[("model_not_found", "the upload has no such model")]))
        .refuses(refusal(409, &[("consent_revoked", "the model revoked a consent after that day")]))
        .refuses(refusal(
            422,
            &[
                ("required", "a required field is missing, or neither `reference` nor `proof` is present"),
                ("max_length", "`reference` is too long"),
                ("not_adult", "the model was under 18 on that day"),
                ("file_invalid_type", "`proof` has another file type"),
                ("file_too_large", "`proof` is too large"),
            ],
        ))
}

pub async fn record(
    State(state): State<AppState>,
    moderator: Moderator,
    client: Client,
    request: Request,
) -> ApiResult<Response> {
    let (request, _upload) = state.file_forms.read(client.key, request).await?;
    let FormWithFiles(sent, files) = FormWithFiles::<ConsentForm>::from_request(request, &state).await?;
    let object = (sent.section.as_str(), id("id", sent.id)?);
    let reference = note(&state.config, "reference", sent.reference.as_deref())?;
    let signed_on = Date::parse(&sent.signed_on, format_description!("[year]-[month]-[day]"))
        .map_err(|_| ApiError::invalid("signed_on"))?;
    if signed_on > now((state.now)())?.date() {
        return Err(ApiError::invalid("signed_on"));
    }
    if !DOCUMENTS.contains(&sent.document.as_str()) {
        return Err(ApiError::invalid("document"));
    }
    let copy = files.into_iter().find(|file| file.field == "proof").map(|file| file.bytes);
    let kind = copy.as_deref().map(|bytes| proof::kind(&state.config.moderation, bytes)).transpose()?;
    if copy.is_none() && reference.is_empty() {
        return Err(ApiError::required("reference"));
    }
    let actor = moderator.decides_on(object.0, object.1).await?;
    let sealed = copy.map(|bytes| state.seal.seal(&place(object, &sent.model), &bytes)).transpose()?;
    let new = NewConsent {
        object,
        model: &sent.model,
        signed_on,
        document_kind: &sent.document,
        document_ref: &reference,
        proof: sealed.as_deref(),
        proof_type: kind,
    };
    match consents::record(&state.pool, &actor, new).await? {
        ConsentOutcome::Done => Ok(private::answer(Done { ok: 1 })),
        ConsentOutcome::NoPerformer => Err(ApiError::NotFound("model_not_found")),
        ConsentOutcome::Revoked => Err(ApiError::Conflict("consent_revoked")),
        ConsentOutcome::NotAdult => Err(ApiError::Field { field: "signed_on", code: "not_adult", bound: None }),
    }
}
