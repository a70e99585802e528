//! `POST /api/video_captions.php`: sets or removes captions of an own video. What it shares with the call for moderators is
//! here, too.

use std::sync::Arc;

use axum::{
    extract::{FromRequest, Request, State},
    response::Response,
};
use lantern_accounts::viewer::Member;
use lantern_catalog::{
    captions::{self, CaptionKind, CaptionTrack, CaptionedVideo},
    status::UploadStatus,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client,
    extract::files::FormWithFiles,
    openapi::{Doc, field, id_schema, one_of, refusal, too_often},
    private,
};
use lantern_index::text::TermList;
use lantern_media::{
    captions::{CaptionError, Cue, read},
    clips::Caption,
};
use lantern_ratelimit::{Action, Key};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tokio::task::spawn_blocking;
use utoipa::ToSchema;

use super::tracks;
use crate::{
    action::form::{Id, id},
    state::AppState,
};

/// Form field of the captions, as a file or as text.
const CAPTIONS: &str = "captions";

#[derive(Debug, Deserialize)]
pub struct CaptionsForm {
    video_id: Option<Id>,
    lang: Option<String>,
    kind: Option<String>,
    captions: Option<String>,
    remove: Option<u8>,
}

/// Result of changing captions.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CaptionsAnswer {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    pub ok: u8,
    /// All tracks of the video.
    pub captions: Vec<Caption>,
    /// Status of the video.
    #[schema(example = 2)]
    pub status_id: UploadStatus,
}

/// Adds what both calls take and refuse.
pub(crate) fn describe(doc: Doc, config: &Config) -> Doc {
    let lang = json!({ "type": "string", "pattern": "^[a-z]{2}$" });
    let bytes = config.captions.max_bytes;
    doc.field(field("video_id", "Id of the video.", id_schema(), 1).required())
        .field(field("lang", "Language, ISO 639-1.", lang, "de").required())
        .field(field("kind", "What it is for.", one_of(&CaptionKind::ALL), "subtitles"))
        .field(field("remove", "1 removes the track.", json!({ "type": "integer", "enum": [0, 1] }), ""))
        .file_or_none(
            CAPTIONS,
            &format!(
                "The captions as WebVTT, SRT or ASS, at most {bytes} bytes, also as a text field. The format and the encoding are detected."
            ),
        )
        .answers::<CaptionsAnswer>("The captions are changed.")
        .refuses(refusal(404, &[
            ("video_not_found", "no such video of this member, or one without a film"),
            ("captions_not_found", "`remove` names a track that the video doesn't have"),
        ]))
        .refuses(refusal(
            422,
            &[
                ("required", "`video_id`, `lang` or the captions are missing"),
                ("file_too_large", "the captions have too many bytes"),
                ("captions_format", "they are not WebVTT, SRT or ASS"),
                ("captions_times", "line `info.bound` should hold the times of a cue"),
                ("captions_empty", "they contain no text"),
                ("captions_too_long", "they have more than `info.bound` cues"),
                ("captions_too_many", "the video already has `info.bound` tracks"),
                ("prohibited_terms", "a line contains a prohibited term"),
            ],
        ))
        .refuses(too_often())
}

pub fn doc(config: &Config) -> Doc {
    let doc =
        Doc::post("member", "video_captions", "/api/video_captions.php", "Set or remove captions of an own video")
            .about("New captions are reviewed with the video.")
            .for_members();
    describe(doc, config)
}

pub async fn video_captions(
    State(state): State<AppState>,
    client: Client,
    member: Member,
    request: Request,
) -> ApiResult<Response> {
    state.limits.take(Action::Act, &Key::member(member.id)).await?;
    let (video_id, change) = receive(&state, &client, request).await?;
    let mut transaction = state.pool.begin().await?;
    let video = captions::lock(&mut transaction, Some(member.id), video_id).await?;
    let video = video.ok_or(ApiError::NotFound("video_not_found"))?;
    change.apply(&mut transaction, &video, &state.config).await?;
    // Nothing unseen is left to review once a track is gone.
    let status_id = match change.cues {
        Some(_) => video.request_review(&mut transaction).await?,
        None => video.status_id,
    };
    let captions = tracks::of_video(&mut transaction, video_id).await?;
    transaction.commit().await?;
    Ok(private::answer(CaptionsAnswer { ok: 1, captions, status_id }))
}

/// A requested change.
#[derive(Debug)]
pub(crate) struct Change {
    pub track: CaptionTrack,
    /// The new cues as JSON, or `None` to remove the track.
    pub cues: Option<Value>,
}

/// Reads the form, and returns the id of the video and what to change.
pub(crate) async fn receive(state: &AppState, client: &Client, request: Request) -> ApiResult<(i64, Change)> {
    let (request, memory) = state.file_forms.read(client.key, request).await?;
    let FormWithFiles(sent, files) = FormWithFiles::<CaptionsForm>::from_request(request, state).await?;
    let video_id = id("video_id", sent.video_id)?;
    let track = tracks::track(sent.lang.as_deref(), sent.kind.as_deref())?;
    if sent.remove == Some(1) {
        return Ok((video_id, Change { track, cues: None }));
    }
    let file = files.into_iter().find(|file| file.field == CAPTIONS).map(|file| file.bytes);
    let text = sent.captions.filter(|text| !text.is_empty()).map(String::into_bytes);
    let bytes = file.or(text).ok_or(ApiError::required(CAPTIONS))?;
    let (config, prohibited) = (Arc::clone(&state.config), state.prohibited.clone());
    let read = move || {
        let _memory = memory;
        serde_json::to_value(checked(&bytes, &config, &prohibited)?).map_err(ApiError::internal)
    };
    let cues = spawn_blocking(read).await.map_err(ApiError::internal)??;
    Ok((video_id, Change { track, cues: Some(cues) }))
}

/// Reads captions, and refuses those that exceed a limit or contain a prohibited term.
fn checked(bytes: &[u8], config: &Config, prohibited: &TermList) -> ApiResult<Vec<Cue>> {
    let limits = &config.captions;
    let refuse = |code, bound| Err(ApiError::Field { field: CAPTIONS, code, bound });
    if bytes.len() > limits.max_bytes {
        return refuse("file_too_large", Some(limits.max_bytes));
    }
    let cues = match read(bytes) {
        Ok(cues) => cues,
        Err(CaptionError::Format) => return refuse("captions_format", None),
        Err(CaptionError::Times(line)) => return refuse("captions_times", Some(line)),
        Err(CaptionError::Empty) => return refuse("captions_empty", None),
    };
    if cues.len() > limits.max_cues {
        return refuse("captions_too_long", Some(limits.max_cues));
    }
    // A term may continue in the next cue.
    let text: Vec<String> = cues.iter().map(Cue::plain).collect();
    if prohibited.found_in(&text.join(" ")) {
        return refuse("prohibited_terms", None);
    }
    Ok(cues)
}

impl Change {
    /// Makes the change. Refuses another track for a video that has the maximum, and the removal of a missing one.
    pub(crate) async fn apply(
        &self,
        conn: &mut PgConnection,
        video: &CaptionedVideo,
        config: &Config,
    ) -> ApiResult<()> {
        let most = config.captions.max_tracks;
        match &self.cues {
            None if video.remove(conn, &self.track).await? => Ok(()),
            None => Err(ApiError::NotFound("captions_not_found")),
            Some(cues) => {
                let is_new = video.set(conn, &self.track, cues).await?;
                if is_new && video.tracks >= i64::from(most) {
                    let bound = usize::try_from(most).ok();
                    return Err(ApiError::Field { field: CAPTIONS, code: "captions_too_many", bound });
                }
                Ok(())
            }
        }
    }
}
