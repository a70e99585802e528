//! `GET /media/t/{format}/{dir_path}/{video_id}/{count}/{interval}.jpg`: the pictures for a film's seek bar. The specification defines the
//! path, which does not contain the film's folder. The call redirects to a signed link like those that players get.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Redirect, Response},
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Segments,
    openapi::{Doc, id_schema, refusal, segment, too_often, unknown_address},
    private::PRIVATE,
};
use lantern_listing::{bucketed_id, number};
use lantern_media::film::stills::{self, Tiles};
use serde_json::json;

use super::file::{self, film};
use crate::{access::Requester, state::AppState};

pub fn doc(config: &Config) -> Doc {
    let number = |most: u32| json!({ "type": "integer", "minimum": 1, "maximum": most });
    Doc::new(
        "site",
        "timeline",
        "/media/t/{format}/{dir_path}/{video_id}/{count}/{interval}.jpg",
        "The pictures of a film's seek bar",
    )
    .about(format!(
        "Redirects to one picture that holds all frames, {} in a row; `count` and `interval` are those of the film, as given in the \
         cues that `videofile.php` names. Open to viewers who may watch the video.",
        stills::COLUMNS
    ))
    .takes(segment("format", "Size of a frame.", json!({ "type": "string", "enum": [stills::FORMAT] }), stills::FORMAT))
    .takes(segment("dir_path", "The video's id, rounded down to thousands.", json!({ "type": "integer", "minimum": 0 }), 0))
    .takes(segment("video_id", "Id of the video.", id_schema(), 1))
    .takes(segment("count", "Number of frames.", number(stills::FRAMES_MOST), 5))
    .takes(segment("interval", "Seconds between two frames.", number(config.films.max_seconds), 2))
    .answers_empty(303, "Redirect to the picture.")
    .with_header(303, "Location", "A signed link, valid like those of `videofile.php`.", "/media/s/1800000000/0a/demo/01/timeline.jpg")
    .refuses(unknown_address())
    .refuses(refusal(403, &[("dont_have_permission", "the video is private")]))
    .refuses(refusal(
        404,
        &[
            ("video_not_found", "no such video, deleted, or not released yet"),
            ("file_not_found", "the film has another number of frames, or another interval"),
        ],
    ))
    .refuses(lantern_uploads::away())
    .refuses(too_often())
}

pub async fn timeline(State(state): State<AppState>, segments: Segments, requester: Requester) -> ApiResult<Response> {
    let [format, dir_path, id, count, file] = segments.take()?;
    let interval = file.strip_suffix(".jpg").unwrap_or_default();
    if format != stills::FORMAT {
        return Err(ApiError::NotFound("not_found"));
    }
    let wanted = Tiles {
        count: number(&count, 1..=stills::FRAMES_MOST)?,
        interval: number(interval, 1..=state.config.films.max_seconds)?,
    };
    let film = film(&state.pool, requester, bucketed_id(&dir_path, &id, "video_not_found")?).await?;
    let store = file::store(&state.stores, &film).await?;
    let tiles = stills::tiles(store, &film.key).await.map_err(lantern_uploads::of_store)?;
    if tiles != Some(wanted) {
        return Err(ApiError::NotFound("file_not_found"));
    }
    let seconds = i64::try_from(state.config.media.link_seconds).unwrap_or(i64::MAX);
    let link = state.signer.link(&film.key, stills::TIMELINE, (state.now)().saturating_add(seconds));
    Ok(([(header::CACHE_CONTROL, PRIVATE)], Redirect::to(&link.map_err(ApiError::internal)?)).into_response())
}
