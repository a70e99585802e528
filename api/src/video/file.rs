//! `GET /api/videofile.php?video_id=&lifetime=`: signed links to a video's streams.

use axum::{extract::State, response::Response};
use lantern_catalog::{
    access::Hidden, audio_tracks::AudioTrack, status::UploadStatus, video_codec::VideoCodec, videos,
};
use lantern_config::{Config, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Doc, id_schema, invalid, query, refusal, too_often},
    private,
};
use lantern_media::{
    clips,
    stores::{Store, Stores},
};
use serde_json::json;
use sqlx::PgPool;

use super::captions::{hls, tracks};
use crate::{access::Requester, media::stream_links::StreamLinks};

pub(crate) fn doc(_: &Config) -> Doc {
    let lifetime = json!({ "type": "integer", "enum": lifetimes::VIDEO_FILE });
    Doc::new("site", "videofile", "/api/videofile.php", "Signed links to a video's streams")
        .about("The links are not bound to a viewer but expire at `expires`, so no cache may store the answer.")
        .takes(query("video_id", "Id of the video.", id_schema(), 1).required())
        .takes(query(
            "lifetime",
            "Seconds for which the client stores the answer, one of two values: the links are valid that much longer.",
            lifetime,
            lifetimes::VIDEO_FILE[0],
        ))
        .answers::<clips::Manifest>("Streams, the preferred one first.")
        .refuses(refusal(403, &[("dont_have_permission", "the video is private")]))
        .refuses(refusal(404, &[("video_not_found", "no such video, deleted, or not released yet")]))
        .refuses(refusal(422, &[("required", "`video_id` is missing")]))
        .refuses(invalid())
        .refuses(too_often())
}

/// Returns the links. They are not bound to a viewer but expire, so no cache may store the answer.
pub(crate) async fn videofile(
    State(pool): State<PgPool>,
    State(links): State<StreamLinks>,
    query: Query,
    requester: Requester,
) -> ApiResult<Response> {
    let id = query.number("video_id", 1..=i64::MAX)?.ok_or(ApiError::required("video_id"))?;
    let lifetime = query.number("lifetime", 0..=u32::MAX)?;
    if lifetime.is_some_and(|lifetime| !lifetimes::VIDEO_FILE.contains(&lifetime)) {
        return Err(ApiError::invalid("lifetime"));
    }
    let manifest = get(&pool, &links, requester, id, lifetime.unwrap_or(0)).await?;
    Ok(private::uncompressed(hls::with_playlist(manifest, id)))
}

/// Returns the links if the viewer may watch the video. They stay valid for clients that store them for `lifetime` seconds before
/// playback starts.
pub async fn get(
    pool: &PgPool,
    links: &StreamLinks,
    requester: Requester,
    id: i64,
    lifetime: u32,
) -> ApiResult<clips::Manifest> {
    let film = film(pool, requester, id).await?;
    let captions = tracks::of_video(&mut *pool.acquire().await?, id).await?;
    let audio = film.audio_tracks.iter().map(Into::into).collect();
    Ok(clips::Manifest { audio, captions, ..links.sign(&film.key, film.height, film.second_codec, lifetime)? })
}

/// Returns the store that holds a film's files.
pub(crate) async fn store<'a>(stores: &'a Stores, film: &Film) -> ApiResult<&'a Store> {
    stores.of(&film.key).await.map_err(|unknown| {
        tracing::warn!(film = film.key, %unknown, "could not determine the store of a film");
        lantern_uploads::store_unavailable()
    })
}

/// A film that the viewer may watch.
pub(crate) struct Film {
    /// The film's folder.
    pub key: String,
    /// Height of the film's tallest rendition in pixels.
    pub height: u16,
    /// Codec of the film's second set of renditions.
    pub second_codec: Option<VideoCodec>,
    /// Name of the film's video in addresses.
    pub dir: String,
    /// Duration in seconds.
    pub duration: i32,
    /// Audio tracks, if there are several.
    pub audio_tracks: Vec<AudioTrack>,
}

/// Returns the video's film. Fails with 404 `video_not_found`, with 403 `dont_have_permission`, or with 429 after many such failures.
pub(crate) async fn film(pool: &PgPool, mut requester: Requester, id: i64) -> ApiResult<Film> {
    let found = videos::find(pool, id).await?.filter(|video| video.status_id != UploadStatus::Deleted);
    let Some(video) = found else { return requester.missing("video_not_found").await };
    if !video.visible && !requester.may_open(Hidden::Video, id).await? {
        // As on its page, an unreleased video does not exist for other viewers.
        return Err(match video.status_id {
            UploadStatus::Published => ApiError::Forbidden("dont_have_permission"),
            _ => ApiError::NotFound("video_not_found"),
        });
    }
    let key = video.media_key.ok_or(ApiError::NotFound("video_not_found"))?;
    Ok(Film {
        key,
        height: u16::try_from(video.height).map_err(ApiError::internal)?,
        second_codec: video.second_codec,
        dir: video.dir,
        duration: video.duration,
        audio_tracks: video.audio_tracks,
    })
}
