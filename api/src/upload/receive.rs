//! `PATCH /api/uploads/{token}`: the next piece of an upload.

use axum::{
    body::Body,
    extract::{FromRef, Request, State},
    http::{Method, StatusCode},
    response::Response,
};
use futures_util::TryStreamExt;
use lantern_catalog::uploads;
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client,
    openapi::{Doc, Refusal, cross_site, header, invalid, refusal, too_often},
};
use lantern_media::incoming::{AppendFailure, Incoming};
use lantern_ratelimit::Action;
use serde_json::json;
use sqlx::PgPool;

use super::{
    Intake, UploadName,
    create::patience,
    docs, locked, missing, of_disk, refused, show,
    turns::Turn,
    tus::{self, Checksum},
    writer::Writer,
};
use crate::{session::Member, state::AppState};

pub fn doc(config: &Config) -> Doc {
    let offset = json!({ "type": "integer", "minimum": 0, "maximum": config.uploads.max_bytes });
    Doc::call(Method::PATCH, "uploads", "upload_append", "/api/uploads/{token}", "The next piece of an upload")
        .about(
            "tus 1.0, core and checksum. What has come counts, also when the line breaks; of a piece with a checksum all or nothing \
             does. A second request for the same upload ends the first.",
        )
        .for_members()
        .takes(docs::token())
        .takes(docs::version())
        .takes(header("Upload-Offset", "Where the piece begins: where the upload ends so far.", offset, 0).required())
        .takes(header(
            "Upload-Checksum",
            "`sha1` or `sha256` and the digest of the piece in base64.",
            json!({ "type": "string" }),
            "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
        ))
        .takes_bytes(tus::PIECE)
        .answers_empty(204, "It has come.")
        .with_header(204, "Upload-Offset", "Where the next piece begins.", "16777216")
        .with_header(204, "Upload-Expires", "When it is removed unless more comes.", "Thu, 01 Oct 2026 12:00:00 GMT")
        .refuses_all(refusals())
}

/// What a piece is refused with, beside what any call is.
pub fn refusals() -> [Refusal; 14] {
    [
        docs::other_version(),
        docs::missing(),
        refusal(400, &[("malformed", "the line broke; `HEAD` says what has come")]),
        refusal(
            503,
            &[("body_too_slow", "nothing came for `server.body_timeout`; what has come counts, and programs go on")],
        ),
        refusal(409, &[("upload_offset", "the upload doesn't end there, or is whole")]),
        refusal(413, &[("body_too_large", "more bytes than the upload was to have; those before them count")]),
        refusal(415, &[("unsupported_media_type", "the type isn't `application/offset+octet-stream`")]),
        refusal(422, &[("required", "no `Upload-Offset`")]),
        invalid(),
        refusal(423, &[("upload_locked", "another request goes on with it")]),
        refusal(460, &[("upload_checksum", "the piece isn't what its checksum says; nothing of it counts")]),
        cross_site(),
        too_often(),
        docs::no_room(),
    ]
}

/// What is said of a piece before it comes.
struct Piece {
    offset: u64,
    checksum: Option<Checksum>,
}

pub async fn receive(
    State(state): State<AppState>,
    client: Client,
    member: Member,
    UploadName(token): UploadName,
    request: Request,
) -> ApiResult<Response> {
    let headers = request.headers();
    tus::check_version(headers)?;
    tus::check_type(headers)?;
    let piece = Piece { offset: tus::bytes(headers, tus::OFFSET, "upload_offset")?, checksum: Checksum::of(headers)? };
    let body = request.into_body();
    state.limits.check(Action::UploadPiece, client.key)?;
    uploads::find(&state.pool, &token, member.id).await?.ok_or_else(missing)?;
    let intake = Intake::from_ref(&state);
    // In a task of its own: what has come counts, also of a client that hangs up.
    let receiving = tokio::spawn(async move {
        let turn = state.turns.take(&token).await;
        append(&intake, member.id, &token, piece, body, &turn).await
    });
    receiving.await.map_err(ApiError::internal)?
}

/// Appends a piece where the upload ends.
async fn append(
    intake: &Intake,
    member_id: i64,
    token: &str,
    piece: Piece,
    body: Body,
    turn: &Turn,
) -> ApiResult<Response> {
    let file = match intake.incoming.lock(token).await {
        Err(AppendFailure::Lost) => return Err(lost(&intake.pool, &intake.incoming, member_id, token).await?),
        locked => locked.map_err(of_append)?,
    };
    // Only now: another node may have counted more until it gave up the file.
    let upload = uploads::find(&intake.pool, token, member_id).await?.ok_or_else(missing)?;
    if !upload.is_open() || upload.received_bytes.unsigned_abs() != piece.offset {
        return Err(refused(StatusCode::CONFLICT, "upload_offset"));
    }
    let part = match file.append(piece.offset).await {
        Err(AppendFailure::Lost) => return Err(lost(&intake.pool, &intake.incoming, member_id, token).await?),
        part => part.map_err(of_append)?,
    };
    let mut writer = Writer::begin(intake, upload, part, patience(&intake.config)).await?;
    writer.checksum = piece.checksum;
    let written = write(&mut writer, body, turn).await;
    let upload = writer.end().await;
    written.map(|()| show::state_of(StatusCode::NO_CONTENT, &upload))
}

/// Writes what comes and counts it.
async fn write(writer: &mut Writer<'_>, body: Body, turn: &Turn) -> ApiResult<()> {
    let coming = body.into_data_stream().map_err(|_| ApiError::Malformed("the line broke"));
    let outcome = writer.take(coming, turn).await;
    // First what has come, then how it ended; of a piece with a checksum nothing counts before it holds.
    if let Some(checksum) = writer.checksum.take() {
        outcome?;
        if !checksum.holds() {
            return Err(refused(CHECKSUM_MISMATCH, "upload_checksum"));
        }
        writer.count().await
    } else {
        writer.count().await?;
        outcome
    }
}

pub fn of_append(failure: AppendFailure) -> ApiError {
    match failure {
        AppendFailure::Locked => locked(),
        AppendFailure::Lost => missing(),
        AppendFailure::Failed(error) => of_disk(error),
    }
}

/// The catalog counts what no file has: it was restored without the folder, or the folder is another node's. The upload begins anew.
async fn lost(pool: &PgPool, incoming: &Incoming, member_id: i64, token: &str) -> ApiResult<ApiError> {
    tracing::error!("bytes of an upload are lost; it begins anew");
    uploads::remove(pool, token, member_id).await?;
    incoming.remove(token).await.map_err(of_disk)?;
    Ok(missing())
}

/// 460, the protocol's own.
const CHECKSUM_MISMATCH: StatusCode = match StatusCode::from_u16(460) {
    Ok(status) => status,
    Err(_) => unreachable!(),
};
