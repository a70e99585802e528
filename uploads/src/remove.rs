//! `DELETE /api/uploads/{token}`: deletes an upload.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode},
    response::{IntoResponse, Response},
};
use lantern_accounts::viewer::Member;
use lantern_catalog::{
    films::{self, CancelOutcome},
    uploads,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client,
    openapi::{Doc, cross_site, header, refusal},
};

use crate::{UploadName, docs, intake::Intake, missing, of_disk, receive, turn, tus};

pub fn doc(_: &Config) -> Doc {
    Doc::call(Method::DELETE, "uploads", "upload_remove", "/api/uploads/{token}", "Delete an upload")
        .about(
            "tus 1.0, termination. A video already created from the upload stays. An upload that is to replace a video's film can be deleted \
             until a moderator has decided on it, and the video keeps its film.",
        )
        .for_members()
        .takes(docs::token())
        .takes(docs::version())
        .answers_empty(204, "The upload was deleted.")
        .refuses(docs::other_version())
        .refuses(docs::missing())
        .refuses(cross_site())
}

pub async fn remove(
    State(intake): State<Intake>,
    member: Member,
    UploadName(token): UploadName,
    headers: HeaderMap,
) -> ApiResult<Response> {
    tus::check_version(&headers)?;
    let turn = turn(&intake, &member, &token).await?;
    let is_gone = match films::cancel(&intake.pool, &token, member.id).await? {
        CancelOutcome::Cancelled => true,
        CancelOutcome::NoReplacement => uploads::remove(&intake.pool, &token, member.id).await?,
    };
    if !is_gone {
        return Err(missing());
    }
    intake.incoming.remove(&token).await.map_err(of_disk)?;
    drop(turn);
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `POST /api/uploads/{token}`, for clients that are limited to `POST`. The actual method is in
/// `X-HTTP-Method-Override`.
pub async fn overridden(
    intake: State<Intake>,
    client: Client,
    member: Member,
    token: UploadName,
    request: Request,
) -> ApiResult<Response> {
    match request.headers().get(tus::METHOD).map(|method| method.as_bytes()) {
        Some(b"PATCH") => receive::receive(intake, client, member, token, request).await,
        Some(b"DELETE") => remove(intake, member, token, request.headers().clone()).await,
        _ => Err(ApiError::Method),
    }
}

pub fn overridden_doc(_: &Config) -> Doc {
    let methods = serde_json::json!({ "type": "string", "enum": ["PATCH", "DELETE"] });
    Doc::call(
        Method::POST,
        "uploads",
        "upload_override",
        "/api/uploads/{token}",
        "`PATCH` or `DELETE` for clients that can't send them",
    )
    .about("Same headers, body and responses as the method named in the header.")
    .for_members()
    .takes(docs::token())
    .takes(header("X-HTTP-Method-Override", "Method to use.", methods, "DELETE").required())
    .takes(docs::version())
    .answers_empty(204, "Done.")
    .refuses_all(receive::refusals())
    .refuses(refusal(405, &[("method_not_allowed", "unsupported or missing method")]))
}
