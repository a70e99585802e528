//! `GET /api/video_edit.php?video_id=`: one of the member's videos, as its form shows it.

use axum::{extract::State, response::Response};
use lantern_accounts::viewer::Member;
use lantern_catalog::{films, status::UploadStatus};
use lantern_config::{Config, Visibility};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Doc, id_schema, invalid, query, refusal},
    private,
};
use lantern_media::{
    clips::Caption,
    pictures::{picture, shots},
};
use lantern_search::index::rfc3339;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::captions::tracks;

/// An own video, as its form shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct VideoDetails {
    /// Id.
    #[schema(example = 7, minimum = 1)]
    video_id: i64,
    /// Status, never 5; 3 until a screenshot is chosen.
    #[schema(example = 3)]
    status_id: UploadStatus,
    /// Title.
    #[schema(example = "Evenings by the harbour")]
    title: String,
    /// Description.
    #[schema(example = "")]
    description: String,
    /// Chapters, as the field `chapters` of the form.
    #[schema(example = "0:00 Opening\n1:23 The stalls")]
    chapters: String,
    /// Language of title and description.
    #[schema(example = "en")]
    lang: String,
    /// Orientation.
    #[schema(value_type = lantern_config::Gender)]
    gender: String,
    /// Categories, as named in URLs.
    #[schema(example = json!(["amateur"]))]
    categories: Vec<String>,
    /// Models, as named in URLs.
    #[schema(example = json!([]))]
    models: Vec<String>,
    /// 0 public, 1 private.
    #[schema(example = 0, minimum = 0, maximum = 1)]
    visible: u8,
    /// When it is to be published, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "2027-01-31T17:00:00Z", format = DateTime)]
    publish_at: Option<String>,
    /// Whether its film was made exclusively for this site. A new film of the video may then be shorter, too.
    #[schema(example = false)]
    is_exclusive: bool,
    /// Number of the chosen screenshot.
    #[schema(example = 4, minimum = 0, maximum = 9)]
    shot: i16,
    /// Poster sent by the member, which replaces the screenshot.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "/media/p/videos/0a/0a1b2c3d4e5f60718293a4b5-320.jpg")]
    poster: Option<String>,
    /// Screenshots, by number.
    #[schema(example = json!(["/media/p/films/0a/0a1b2c/shot-0-320.webp"]))]
    shots: Vec<String>,
    /// Captions, ordered by language.
    captions: Vec<Caption>,
}

pub fn doc(_: &Config) -> Doc {
    Doc::new("member", "own_video", "/api/video_edit.php", "An own video, as its form shows it")
        .for_members()
        .takes(query("video_id", "Id of the own video.", id_schema(), 1).required())
        .answers::<VideoDetails>("The video's details.")
        .refuses(refusal(404, &[("video_not_found", "no such video of this member")]))
        .refuses(refusal(422, &[("required", "`video_id` is missing")]))
        .refuses(invalid())
}

pub async fn own(State(pool): State<PgPool>, member: Member, query: Query) -> ApiResult<Response> {
    let video_id = query.number("video_id", 1..=i64::MAX)?.ok_or(ApiError::required("video_id"))?;
    let mut conn = pool.acquire().await?;
    let own = films::own(&mut conn, member.id, video_id).await?.ok_or(ApiError::NotFound("video_not_found"))?;
    let captions = tracks::of_video(&mut conn, video_id).await?;
    let visibility = if own.details.is_private { Visibility::Private } else { Visibility::Public };
    Ok(private::answer(VideoDetails {
        video_id,
        status_id: own.status_id,
        title: own.details.title,
        description: own.details.description,
        chapters: own.details.chapters,
        lang: own.details.lang,
        gender: own.details.gender,
        categories: own.details.categories,
        models: own.details.models,
        visible: visibility.to_upload_form(),
        publish_at: own.details.publish_at.map(|at| rfc3339(at.unix_timestamp())),
        is_exclusive: own.is_exclusive,
        shot: own.shot,
        poster: own.picture_key.as_deref().map(|key| picture(Some(key))),
        shots: shots(own.media_key.as_deref()),
        captions,
    }))
}
