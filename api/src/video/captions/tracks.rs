//! Tracks of captions, as answers list them.

use lantern_catalog::captions::{self, CaptionKind, CaptionTrack};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Param, one_of, query},
};
use lantern_media::{captions::language, clips::Caption};
use serde_json::json;
use sqlx::PgConnection;

/// Address of the call that serves captions.
pub(super) const ADDRESS: &str = "/api/captions.php";

fn caption(video_id: i64, CaptionTrack { lang, kind }: CaptionTrack) -> Caption {
    Caption {
        kind,
        label: language::name(&lang),
        src: format!("{ADDRESS}?video_id={video_id}&lang={lang}&kind={}", kind.as_str()),
        lang,
    }
}

/// Returns the tracks of a video.
pub async fn of_video(conn: &mut PgConnection, video_id: i64) -> ApiResult<Vec<Caption>> {
    let tracks = captions::tracks(conn, video_id).await?;
    Ok(tracks.into_iter().map(|track| caption(video_id, track)).collect())
}

/// Returns the documentation of the parameters that name a track.
pub(super) fn parameters() -> [Param; 2] {
    let lang = json!({ "type": "string", "pattern": "^[a-z]{2}$" });
    [
        query("lang", "Language, ISO 639-1.", lang, "de"),
        query("kind", "What it is for.", one_of(&CaptionKind::ALL), "subtitles"),
    ]
}

/// Returns the track that a query names.
pub(super) fn of_query(query: &Query) -> ApiResult<CaptionTrack> {
    track(query.get("lang"), query.get("kind"))
}

/// Returns the track with this language and kind. The default kind is `subtitles`.
pub(super) fn track(lang: Option<&str>, kind: Option<&str>) -> ApiResult<CaptionTrack> {
    let lang = lang.filter(|lang| !lang.is_empty()).ok_or(ApiError::required("lang"))?;
    if language::code(lang) != Some(lang) {
        return Err(ApiError::invalid("lang"));
    }
    let kind = kind.filter(|kind| !kind.is_empty()).unwrap_or(CaptionKind::ALL[0].as_str());
    let kind = CaptionKind::ALL.into_iter().find(|known| known.as_str() == kind).ok_or(ApiError::invalid("kind"))?;
    Ok(CaptionTrack { lang: lang.to_owned(), kind })
}
