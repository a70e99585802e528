//! `GET /api/captions.php?video_id=&lang=&kind=`: the captions of a video as WebVTT.

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::captions;
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Doc, id_schema, invalid, query, refusal, too_often},
    private::PRIVATE,
};
use lantern_media::captions::{Cue, vtt};
use serde_json::json;
use sqlx::PgPool;
use tokio::task::spawn_blocking;

use super::tracks::{ADDRESS, of_query, parameters};
use crate::{access::Requester, video::file::film};

/// Media type of captions.
const VTT: HeaderValue = HeaderValue::from_static("text/vtt; charset=utf-8");

pub(crate) fn doc(_: &Config) -> Doc {
    let text = json!({ "type": "string" });
    Doc::new("site", "captions", ADDRESS, "Captions of a video")
        .about("`videofile.php` lists the addresses. Open to viewers who may watch the video.")
        .takes(query("video_id", "Id of the video.", id_schema(), 1).required())
        .takes_all(parameters())
        .answers_with(
            "The captions.",
            "text/vtt",
            &text,
            &json!("WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nGood evening.\n"),
        )
        .refuses(refusal(403, &[("dont_have_permission", "the video is private")]))
        .refuses(refusal(
            404,
            &[
                ("video_not_found", "no such video, deleted, or not released yet"),
                ("captions_not_found", "the video has no captions of this language and kind"),
            ],
        ))
        .refuses(refusal(422, &[("required", "`video_id` or `lang` is missing")]))
        .refuses(invalid())
        .refuses(too_often())
}

pub(crate) async fn captions(State(pool): State<PgPool>, query: Query, requester: Requester) -> ApiResult<Response> {
    let id = query.number("video_id", 1..=i64::MAX)?.ok_or(ApiError::required("video_id"))?;
    let track = of_query(&query)?;
    film(&pool, requester, id).await?;
    let mut conn = pool.acquire().await?;
    let cues = captions::cues(&mut conn, id, &track).await?.ok_or(ApiError::NotFound("captions_not_found"))?;
    // Thousands of cues take milliseconds.
    let format = move || serde_json::from_value::<Vec<Cue>>(cues).map(|cues| vtt(&cues));
    let text = spawn_blocking(format).await.map_err(ApiError::internal)?.map_err(ApiError::internal)?;
    let headers = [(header::CACHE_CONTROL, PRIVATE), (header::CONTENT_TYPE, VTT)];
    Ok((headers, text).into_response())
}
