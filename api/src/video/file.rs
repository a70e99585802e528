//! `GET /api/videofile.php?video_id=&lifetime=`: signed links to a video's streams.

use axum::{extract::State, response::Response};
use lantern_catalog::{access::Hidden, videos};
use lantern_config::{Config, STATUS_DELETED, lifetimes};
use lantern_media::clips;
use serde_json::json;

use crate::{
    http::{
        error::{ApiError, ApiResult},
        extract::Query,
        hidden::Requester,
        private,
    },
    openapi::{
        Doc,
        errors::{invalid, refusal, too_often},
        params::{self, query},
    },
    state::AppState,
};

pub fn doc(_: &Config) -> Doc {
    let lifetime = json!({ "type": "integer", "enum": lifetimes::VIDEO_FILE });
    Doc::new("site", "videofile", "/api/videofile.php", "Signed links to a video's streams")
        .about("The links are nobody's in particular but run out at `expires`, so no cache may keep the answer.")
        .takes(query("video_id", "Id of the video.", params::id_schema(), 1).required())
        .takes(query(
            "lifetime",
            "One of two values, in seconds; the links' own time counts.",
            lifetime,
            lifetimes::VIDEO_FILE[0],
        ))
        .answers::<clips::Manifest>("Streams, the preferred one first.")
        .refuses(refusal(403, &[("dont_have_permission", "the video is private or not released yet")]))
        .refuses(refusal(404, &[("video_not_found", "no such video, or it was deleted")]))
        .refuses(refusal(422, &[("required", "`video_id` is not there")]))
        .refuses(invalid())
        .refuses(too_often())
}

/// The links are personal to nobody but expire, so no cache may keep the answer.
pub async fn videofile(State(state): State<AppState>, query: Query, requester: Requester) -> ApiResult<Response> {
    let required = ApiError::Field { field: "video_id", code: "required", bound: None };
    let id = query.number("video_id", 1..=i64::MAX)?.ok_or(required)?;
    // The lifetimes of the specification outlive a signed link, so the link's own time counts.
    if let Some(lifetime) = query.number("lifetime", 0..=u32::MAX)?
        && !lifetimes::VIDEO_FILE.contains(&lifetime)
    {
        return Err(ApiError::invalid("lifetime"));
    }
    Ok(private::secret(get(&state, requester, id).await?))
}

/// The links, if the viewer may watch the video.
pub async fn get(state: &AppState, mut requester: Requester, id: i64) -> ApiResult<clips::Manifest> {
    let found = videos::find(&state.pool, id).await?.filter(|video| video.status_id != STATUS_DELETED);
    let Some(video) = found else { return requester.missing(state, "video_not_found").await };
    if !video.visible && !requester.may_open(state, Hidden::Video, id).await? {
        return Err(ApiError::Forbidden("dont_have_permission"));
    }
    let key = video.media_key.ok_or(ApiError::NotFound("video_not_found"))?;
    let expires = (state.now)() + i64::try_from(state.config.media.link_seconds).unwrap_or(i64::MAX);
    let height = u16::try_from(video.height).map_err(ApiError::internal)?;
    clips::manifest(&state.signer, &key, height, expires).map_err(ApiError::internal)
}
