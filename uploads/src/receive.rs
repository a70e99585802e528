//! `PATCH /api/uploads/{token}`: appends a piece to an upload.

use axum::{
    body::Body,
    extract::{Request, State},
    http::{Method, StatusCode},
    response::Response,
};
use futures_util::TryStreamExt;
use lantern_accounts::viewer::Member;
use lantern_catalog::uploads::{self, Upload};
use lantern_config::{Config, LOCAL_GROUP};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client,
    openapi::{Doc, Refusal, cross_site, header, invalid, refusal, too_often},
};
use lantern_media::incoming::{AppendFailure, FileLock, Incoming, Part};
use lantern_ratelimit::Action;
use serde_json::json;
use sqlx::PgPool;

use crate::{
    UploadName, docs, failure,
    intake::Intake,
    locked, missing, of_disk, refused, show,
    turns::Turn,
    tus::{self, Checksum},
    writer::Writer,
};

pub fn doc(config: &Config) -> Doc {
    let offset = json!({ "type": "integer", "minimum": 0, "maximum": config.uploads.max_bytes });
    Doc::call(Method::PATCH, "uploads", "upload_append", "/api/uploads/{token}", "Append a piece to an upload")
        .about(
            "tus 1.0, core and checksum. Received bytes count even if the connection is lost; a piece with a checksum counts as a \
             whole or not at all. A second request for the same upload ends the first.",
        )
        .for_members()
        .takes(docs::token())
        .takes(docs::version())
        .takes(header("Upload-Offset", "Offset of the piece: the number of bytes received so far.", offset, 0).required())
        .takes(header(
            "Upload-Checksum",
            "`sha1` or `sha256`, and the base64 digest of the piece.",
            json!({ "type": "string" }),
            "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
        ))
        .takes_bytes(tus::PIECE)
        .answers_empty(204, "The piece was received.")
        .with_header(204, "Upload-Offset", "Offset of the next piece.", "16777216")
        .with_header(204, "Upload-Expires", "When the upload is deleted unless more arrives.", "Thu, 01 Oct 2026 12:00:00 GMT")
        .refuses_all(refusals())
}

/// Returns the refusals for a piece, in addition to those for all calls.
pub fn refusals() -> [Refusal; 15] {
    [
        docs::other_version(),
        docs::missing(),
        refusal(400, &[("malformed", "the connection was lost; `HEAD` returns the received bytes")]),
        refusal(
            503,
            &[(
                "body_too_slow",
                "nothing arrived for `server.body_timeout`; received bytes count, and clients can resume",
            )],
        ),
        refusal(409, &[("upload_offset", "the upload doesn't end at this offset, or is complete")]),
        refusal(413, &[("body_too_large", "more bytes than `Upload-Length`; the bytes up to this length count")]),
        refusal(415, &[("unsupported_media_type", "the type isn't `application/offset+octet-stream`")]),
        refusal(422, &[("required", "no `Upload-Offset`")]),
        invalid(),
        refusal(423, &[("upload_locked", "another request continues the upload")]),
        refusal(460, &[("upload_checksum", "the piece doesn't match its checksum; none of it counts")]),
        cross_site(),
        too_often(),
        docs::no_room(),
        failure::away(),
    ]
}

/// Headers of a piece.
struct Piece {
    offset: u64,
    checksum: Option<Checksum>,
}

pub async fn receive(
    State(intake): State<Intake>,
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
    intake.limits.check(Action::UploadPiece, client.key)?;
    let group = uploads::find(&intake.pool, &token, member.id).await?.ok_or_else(missing)?.sg_id;
    // Receiving runs in a separate task, so that received bytes are counted even if the client disconnects.
    let receiving = tokio::spawn(async move {
        let turn = intake.turns.take(&token).await;
        append(&intake, (member.id, &token, group), piece, body, &turn).await
    });
    receiving.await.map_err(ApiError::internal)?
}

/// Appends a piece at the end of the upload.
async fn append(
    intake: &Intake,
    (member_id, token, group): (i64, &str, i32),
    piece: Piece,
    body: Body,
    turn: &Turn,
) -> ApiResult<Response> {
    let file = match lock(&intake.incoming, token, group).await {
        Err(AppendFailure::Lost) => return Err(delete_lost(&intake.pool, &intake.incoming, member_id, token).await?),
        locked => locked.map_err(of_append)?,
    };
    // The row is read only now, because another node may have counted more bytes until it released the file.
    let upload = uploads::find(&intake.pool, token, member_id).await?.ok_or_else(missing)?;
    if !upload.is_open() || upload.received_bytes.unsigned_abs() != piece.offset {
        return Err(refused(StatusCode::CONFLICT, "upload_offset"));
    }
    let part = match begin(&intake.incoming, file, &upload).await {
        Err(AppendFailure::Lost) => return Err(delete_lost(&intake.pool, &intake.incoming, member_id, token).await?),
        part => part.map_err(of_append)?,
    };
    let mut writer = Writer::begin(intake, upload, part, intake.patience()).await?;
    writer.checksum = piece.checksum;
    let written = write(&mut writer, body, turn).await;
    let upload = writer.end().await;
    written.map(|()| show::state_of(StatusCode::NO_CONTENT, &upload))
}

/// Locks the file of an upload, if it is on this node. Two nodes may send pieces of an upload to its store, of which one counts.
pub async fn lock(incoming: &Incoming, token: &str, group: i32) -> Result<Option<FileLock>, AppendFailure> {
    if group == LOCAL_GROUP { incoming.lock(token).await.map(Some) } else { Ok(None) }
}

/// Returns where to write the next bytes of an upload: to its file, or to a temporary one on the way to its store.
pub async fn begin(incoming: &Incoming, file: Option<FileLock>, upload: &Upload) -> Result<Part, AppendFailure> {
    match file {
        Some(file) => file.append(upload.received_bytes.unsigned_abs()).await,
        None => Ok(incoming.spool().await?),
    }
}

/// Writes the body and counts its bytes.
async fn write(writer: &mut Writer<'_>, body: Body, turn: &Turn) -> ApiResult<()> {
    let chunks = body.into_data_stream().map_err(|_| ApiError::Malformed("connection lost"));
    let outcome = writer.take(chunks, turn).await;
    // Count received bytes before returning the outcome. A piece with a checksum counts only once it has been verified.
    if let Some(checksum) = writer.checksum.take() {
        outcome?;
        if !checksum.matches() {
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

/// Deletes an upload whose file has fewer bytes than the catalog counted. This happens if the catalog was restored without the folder, or
/// if the folder belongs to another node. The client then starts again.
async fn delete_lost(pool: &PgPool, incoming: &Incoming, member_id: i64, token: &str) -> ApiResult<ApiError> {
    tracing::error!("bytes of an upload are lost; it starts over");
    uploads::remove(pool, token, member_id).await?;
    incoming.remove(token).await.map_err(of_disk)?;
    Ok(missing())
}

/// Status 460, which tus defines.
const CHECKSUM_MISMATCH: StatusCode = match StatusCode::from_u16(460) {
    Ok(status) => status,
    Err(_) => unreachable!(),
};
