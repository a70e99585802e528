//! `POST /api/moderate/captions`: corrects or removes captions of any video.

use axum::{
    extract::{Request, State},
    response::Response,
};
use lantern_catalog::{
    captions,
    moderation::record::{self, RecordEntry},
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{Client, openapi::Doc, private};
use serde_json::json;

use super::{Moderator, for_decisions};
use crate::{
    state::AppState,
    video::captions::{
        edit::{self, CaptionsAnswer},
        tracks,
    },
};

pub fn doc(config: &Config) -> Doc {
    let doc = Doc::post("moderation", "moderate_captions", "/api/moderate/captions", "Correct or remove captions")
        .about("The decision is recorded. The status of the video doesn't change.");
    edit::describe(for_decisions(doc), config)
}

pub async fn change(
    State(state): State<AppState>,
    client: Client,
    moderator: Moderator,
    request: Request,
) -> ApiResult<Response> {
    let (video_id, change) = edit::receive(&state, &client, request).await?;
    let actor = moderator.decides_on("video", video_id).await?;
    let mut transaction = state.pool.begin().await?;
    let video = captions::lock(&mut transaction, None, video_id).await?;
    let video = video.ok_or(ApiError::NotFound("video_not_found"))?;
    change.apply(&mut transaction, &video, &state.config).await?;
    let entry = RecordEntry {
        act: if change.cues.is_some() { "correct captions" } else { "remove captions" },
        object: Some(("video", video_id)),
        details: json!({ "lang": change.track.lang, "kind": change.track.kind }),
    };
    record::add(&mut transaction, &actor, entry).await?;
    let captions = tracks::of_video(&mut transaction, video_id).await?;
    transaction.commit().await?;
    Ok(private::answer(CaptionsAnswer { ok: 1, captions, status_id: video.status_id }))
}
