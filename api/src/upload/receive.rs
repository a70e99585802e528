//! `PATCH /api/uploads/{token}`: the next piece of an upload.

use axum::{
    body::Body,
    extract::{Request, State},
    http::StatusCode,
    response::Response,
};
use bytes::BytesMut;
use http_body_util::BodyExt;
use lantern_catalog::uploads::{self, Progress, Upload};
use lantern_config::Config;
use lantern_media::incoming::{Closed, Part};
use serde_json::json;

use super::{
    UploadName,
    create::expiry,
    docs, missing, of_disk, refused, room, show,
    turns::Turn,
    tus::{self, Checksum},
};
use crate::{
    http::{
        error::{ApiError, ApiResult},
        extract::Member,
    },
    openapi::{
        Doc,
        errors::{Refusal, cross_site, invalid, refusal},
        params::header,
    },
    state::AppState,
};

/// Bytes that are written at once.
const BLOCK: usize = 1 << 20;

pub fn doc(config: &Config) -> Doc {
    let offset = json!({ "type": "integer", "minimum": 0, "maximum": config.uploads.max_bytes });
    Doc::call("patch", "uploads", "upload_append", "/api/uploads/{token}", "The next piece of an upload")
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
pub fn refusals() -> [Refusal; 13] {
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
    member: Member,
    UploadName(token): UploadName,
    request: Request,
) -> ApiResult<Response> {
    let headers = request.headers();
    tus::check_version(headers)?;
    tus::check_type(headers)?;
    let piece = Piece { offset: tus::bytes(headers, tus::OFFSET, "upload_offset")?, checksum: Checksum::of(headers)? };
    let body = request.into_body();
    uploads::find(&state.pool, &token, member.id).await?.ok_or_else(missing)?;
    // In a task of its own: what has come counts, also of a client that hangs up.
    let receiving = tokio::spawn(async move {
        let turn = state.turns.take(&token).await;
        append(&state, member.id, &token, piece, body, &turn).await
    });
    receiving.await.map_err(ApiError::internal)?
}

/// Appends a piece where the upload ends.
async fn append(
    state: &AppState,
    member_id: i64,
    token: &str,
    piece: Piece,
    body: Body,
    turn: &Turn,
) -> ApiResult<Response> {
    room(state).await?;
    let find = || uploads::find(&state.pool, token, member_id);
    let file = match state.incoming.lock(token).await {
        Err(Closed::Lost) => return Err(lost(state, member_id, token).await?),
        locked => locked.map_err(closed)?,
    };
    // Only now: another node may have counted more until it gave up the file.
    let upload = find().await?.ok_or_else(missing)?;
    if !upload.is_open() || upload.received_bytes.unsigned_abs() != piece.offset {
        return Err(refused(StatusCode::CONFLICT, "upload_offset"));
    }
    let part = match file.append(piece.offset).await {
        Err(Closed::Lost) => return Err(lost(state, member_id, token).await?),
        part => part.map_err(closed)?,
    };
    let mut writer = Writer { state, written: upload.received_bytes, upload, part: Some(part), block: BytesMut::new() };
    let Some(mut checksum) = piece.checksum else {
        let outcome = writer.take(body, turn, |_| (), true).await;
        // First what has come, then how it ended.
        writer.count().await?;
        return outcome.map(|()| show::state_of(StatusCode::NO_CONTENT, &writer.upload));
    };
    writer.take(body, turn, |bytes| checksum.update(bytes), false).await?;
    if !checksum.holds() {
        return Err(refused(CHECKSUM_MISMATCH, "upload_checksum"));
    }
    writer.count().await?;
    Ok(show::state_of(StatusCode::NO_CONTENT, &writer.upload))
}

fn closed(closed: Closed) -> ApiError {
    match closed {
        Closed::Locked => locked(),
        Closed::Lost => missing(),
        Closed::Failed(error) => of_disk(error),
    }
}

/// The catalog counts what no file has: it was restored without the folder, or the folder is another node's. The upload begins anew.
async fn lost(state: &AppState, member_id: i64, token: &str) -> ApiResult<ApiError> {
    tracing::error!("bytes of an upload are lost; it begins anew");
    uploads::remove(&state.pool, token, member_id).await?;
    state.incoming.remove(token).await.map_err(of_disk)?;
    Ok(missing())
}

/// 460, the protocol's own.
const CHECKSUM_MISMATCH: StatusCode = match StatusCode::from_u16(460) {
    Ok(status) => status,
    Err(_) => unreachable!(),
};

fn locked() -> ApiError {
    refused(StatusCode::LOCKED, "upload_locked")
}

/// Writes what comes, and counts what is durable.
struct Writer<'a> {
    state: &'a AppState,
    upload: Upload,
    /// `None` after a failure: nothing more is written then.
    part: Option<Part>,
    /// Bytes of the file, counted or not.
    written: i64,
    /// What came and isn't written yet.
    block: BytesMut,
}

impl Writer<'_> {
    /// Writes a body to its end, `looking` at its bytes on the way; with `counting` what is durable is counted on the way, too.
    async fn take(
        &mut self,
        mut body: Body,
        turn: &Turn,
        mut looking: impl FnMut(&[u8]),
        counting: bool,
    ) -> ApiResult<()> {
        let mut looked = self.written;
        let every = i64::try_from(self.state.config.uploads.sync_bytes).unwrap_or(i64::MAX);
        loop {
            let frame = tokio::select! {
                () = turn.replaced() => return Err(locked()),
                frame = body.frame() => frame,
            };
            let Some(frame) = frame else { break };
            let Ok(bytes) = frame.map_err(|_| ApiError::Malformed("the line broke"))?.into_data() else { continue };
            let missing = self.upload.size_bytes - self.written - self.block.len().cast_signed() as i64;
            let fits = bytes.len().min(usize::try_from(missing).unwrap_or(0));
            looking(&bytes[..fits]);
            self.block.extend_from_slice(&bytes[..fits]);
            if fits < bytes.len() {
                return Err(ApiError::BodyTooLarge);
            }
            if self.block.len() >= BLOCK {
                self.write().await?;
            }
            if self.written - looked >= every {
                looked = self.written;
                // Of a piece with a checksum nothing counts yet, but the disk fills all the same.
                if counting { self.count().await? } else { room(self.state).await.map(drop)? }
            }
        }
        self.write().await
    }

    async fn write(&mut self) -> ApiResult<()> {
        let (Some(part), bytes) = (self.part.take(), self.block.split().freeze()) else { return Ok(()) };
        let length = bytes.len();
        self.part = Some(part.write(bytes).await.map_err(of_disk)?);
        self.written += i64::try_from(length).map_err(ApiError::internal)?;
        Ok(())
    }

    /// Makes durable what has come, and says so in the upload's row. Fails when the disk has no room for more.
    async fn count(&mut self) -> ApiResult<()> {
        self.write().await?;
        if self.written > self.upload.received_bytes
            && let Some(part) = self.part.take()
        {
            self.part = Some(part.sync().await.map_err(of_disk)?);
            let to = Progress { from: self.upload.received_bytes, to: self.written, expires_at: expiry(self.state)? };
            if !uploads::advance(&self.state.pool, self.upload.id, to).await? {
                return Err(refused(StatusCode::CONFLICT, "upload_offset"));
            }
            self.upload = Upload {
                received_bytes: to.to,
                expires_at: to.expires_at,
                state: if to.to == self.upload.size_bytes { "received" } else { "receiving" }.to_owned(),
                ..self.upload.clone()
            };
        }
        if self.upload.is_open() { room(self.state).await.map(drop) } else { Ok(()) }
    }
}
