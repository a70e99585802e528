//! `GET /api/album_edit.php?album_id=`: one of the member's albums as its form shows it, and the limits of the form.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::{
    own_albums::{self, AlbumPhoto, OwnAlbum},
    status::UploadStatus,
};
use lantern_config::{Config, Visibility};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Doc, id_schema, invalid, query, refusal},
    private,
};
use lantern_media::pictures::{large_picture, largest_picture, picture};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use lantern_accounts::viewer::Member;

/// An own album and the limits of its form.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnAlbumAnswer {
    /// The album; `null` if none was requested.
    album: Option<AlbumDetails>,
    /// Limits, so that the form can check them before sending.
    limits: AlbumLimits,
}

/// An own album, as its form shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlbumDetails {
    /// Id.
    #[schema(example = 7, minimum = 1)]
    album_id: i64,
    /// Status, never 5.
    #[schema(example = 3)]
    status_id: UploadStatus,
    /// Reason for the rejection; its text has the code `rejected_` followed by this word.
    #[schema(example = json!(null))]
    reason: Option<String>,
    /// Title.
    #[schema(example = "Night market")]
    title: String,
    /// Description.
    #[schema(example = "")]
    description: String,
    /// Language of title and description.
    #[schema(example = "en")]
    lang: String,
    /// Orientation.
    #[schema(value_type = lantern_config::Gender)]
    gender: String,
    /// Categories, as named in URLs.
    #[schema(example = json!(["city"]))]
    categories: Vec<String>,
    /// Models, as named in URLs.
    #[schema(example = json!([]))]
    models: Vec<String>,
    /// 0 public, 1 private.
    #[schema(example = 0, minimum = 0, maximum = 1)]
    visible: u8,
    /// Pictures, in order.
    photos: Vec<OwnPhoto>,
}

/// A picture of an own album.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnPhoto {
    /// Id.
    #[schema(example = 31, minimum = 1)]
    photo_id: i64,
    /// Picture, 640 pixels wide.
    #[schema(example = "/media/p/albums/0a/0a1b2c3d4e5f60718293a4b5-640.jpg")]
    src: String,
    /// Picture, 320 pixels wide.
    #[schema(example = "/media/p/albums/0a/0a1b2c3d4e5f60718293a4b5-320.jpg")]
    thumb: String,
    /// Largest available size.
    #[schema(example = "/media/p/albums/0a/0a1b2c3d4e5f60718293a4b5-1600.jpg")]
    large: String,
    /// Width of the original in pixels, upright.
    #[schema(example = 3024, minimum = 1)]
    width: i32,
    /// Height of the original in pixels, upright.
    #[schema(example = 4032, minimum = 1)]
    height: i32,
    /// Whether it is the cover.
    #[schema(example = true)]
    is_cover: bool,
}

impl From<AlbumPhoto> for OwnPhoto {
    fn from(photo: AlbumPhoto) -> Self {
        let key = Some(photo.media_key.as_str());
        Self {
            photo_id: photo.id,
            src: large_picture(key),
            thumb: picture(key),
            large: largest_picture(&photo.media_key),
            width: photo.width,
            height: photo.height,
            is_cover: photo.is_cover,
        }
    }
}

/// Limits of an album.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlbumLimits {
    /// Maximum size of a picture in bytes.
    #[schema(example = 20_971_520, minimum = 1)]
    max_bytes: usize,
    /// Maximum length of a side in pixels.
    #[schema(example = 12_000, minimum = 1)]
    max_side: u32,
    /// Maximum number of pixels of a picture.
    #[schema(example = 25_000_000, minimum = 1)]
    max_pixels: u64,
    /// Minimum width of a picture in pixels.
    #[schema(example = 320, minimum = 1)]
    min_width: u32,
    /// Minimum height of a picture in pixels.
    #[schema(example = 320, minimum = 1)]
    min_height: u32,
    /// Maximum number of frames of a picture.
    #[schema(example = 1, minimum = 1)]
    max_frames: u32,
    /// Maximum number of pictures of an album.
    #[schema(example = 200, minimum = 1)]
    max_photos: usize,
    /// Maximum number of pictures per form.
    #[schema(example = 20, minimum = 1)]
    form_photos: usize,
    /// Maximum size of a form in bytes.
    #[schema(example = 104_857_600, minimum = 1)]
    form_bytes: usize,
    /// Minimum length of a title in characters.
    #[schema(example = 3, minimum = 1)]
    title_min: usize,
    /// Maximum length of a title in characters.
    #[schema(example = 150, minimum = 1)]
    title_max: usize,
    /// Maximum length of a description in characters.
    #[schema(example = 5000, minimum = 0)]
    description_max: usize,
    /// Maximum number of categories.
    #[schema(example = 3, minimum = 1)]
    max_categories: usize,
    /// Maximum number of models.
    #[schema(example = 20, minimum = 0)]
    max_models: usize,
}

impl AlbumLimits {
    const fn of(config: &Config) -> Self {
        let (pictures, albums, films) = (&config.pictures, &config.albums, &config.films);
        Self {
            max_bytes: pictures.photo_bytes,
            max_side: pictures.max_side,
            max_pixels: pictures.max_pixels,
            min_width: pictures.photo_min.0,
            min_height: pictures.photo_min.1,
            max_frames: pictures.photo_frames,
            max_photos: albums.max_photos,
            form_photos: albums.form_photos,
            form_bytes: albums.form_bytes,
            title_min: films.title_min,
            title_max: films.title_max,
            description_max: films.description_max,
            max_categories: films.max_categories,
            max_models: films.max_models,
        }
    }
}

impl AlbumDetails {
    fn new(album_id: i64, own: OwnAlbum) -> Self {
        let visibility = if own.details.is_private { Visibility::Private } else { Visibility::Public };
        Self {
            album_id,
            status_id: own.status_id,
            reason: own.rejection.filter(|_| own.status_id == UploadStatus::Rejected),
            title: own.details.title,
            description: own.details.description,
            lang: own.details.lang,
            gender: own.details.gender,
            categories: own.details.categories,
            models: own.details.models,
            visible: visibility.to_upload_form(),
            photos: own.photos.into_iter().map(OwnPhoto::from).collect(),
        }
    }
}

pub fn doc(_: &Config) -> Doc {
    Doc::new("member", "own_album", "/api/album_edit.php", "An own album, as its form shows it")
        .for_members()
        .takes(query("album_id", "Id of the own album; without it only the limits are returned.", id_schema(), ""))
        .answers::<OwnAlbumAnswer>("The album's details and the limits.")
        .refuses(refusal(404, &[("album_not_found", "no such album of this member")]))
        .refuses(invalid())
}

pub async fn own(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    member: Member,
    query: Query,
) -> ApiResult<Response> {
    let album = match query.number("album_id", 1..=i64::MAX)? {
        Some(id) => Some(AlbumDetails::new(id, find(&pool, &member, id).await?)),
        None => None,
    };
    Ok(private::answer(OwnAlbumAnswer { album, limits: AlbumLimits::of(&config) }))
}

/// Returns one of the member's albums. Fails with 404 if this member has no such album.
pub async fn find(pool: &PgPool, member: &Member, id: i64) -> ApiResult<OwnAlbum> {
    let mut conn = pool.acquire().await?;
    own_albums::own(&mut conn, member.id, id).await?.ok_or(ApiError::NotFound("album_not_found"))
}
