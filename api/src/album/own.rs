//! `GET /api/album_edit.php?album_id=`: an own album, as its form shows it, and what is taken.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::own_albums::{self, AlbumPhoto, OwnAlbum};
use lantern_config::{Config, STATUS_REJECTED, Visibility};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Doc, id_schema, invalid, query, refusal},
    private,
};
use lantern_search::index::{large_picture, largest_picture, picture};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::session::Member;

/// An own album, and what is taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnAlbumAnswer {
    /// The album; `null` where none was asked for.
    album: Option<AlbumDetails>,
    /// What is taken, for a form that says so before anything is sent.
    limits: AlbumLimits,
}

/// An own album, as its form shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlbumDetails {
    /// Its id.
    #[schema(example = 7, minimum = 1)]
    album_id: i64,
    /// 1 active, 2 waits for a decision, 3 a draft, 4 rejected.
    #[schema(example = 3, minimum = 1, maximum = 4)]
    status_id: i16,
    /// Why it was rejected; the text is that of the code `rejected_` and this word.
    #[schema(example = json!(null))]
    reason: Option<String>,
    /// What it is called.
    #[schema(example = "Night market")]
    title: String,
    /// What it shows.
    #[schema(example = "")]
    description: String,
    /// Language of both.
    #[schema(example = "en")]
    lang: String,
    /// For whom it is.
    #[schema(value_type = lantern_config::Gender)]
    gender: String,
    /// Names in URLs of its categories.
    #[schema(example = json!(["city"]))]
    categories: Vec<String>,
    /// The same of its models.
    #[schema(example = json!([]))]
    models: Vec<String>,
    /// 0 public, 1 private.
    #[schema(example = 0, minimum = 0, maximum = 1)]
    visible: u8,
    /// Its pictures in their order.
    photos: Vec<OwnPhoto>,
}

/// A picture of an own album.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnPhoto {
    /// Its id.
    #[schema(example = 31, minimum = 1)]
    photo_id: i64,
    /// Picture, 640 pixels wide.
    #[schema(example = "/media/p/albums/0a/0a1b2c3d4e5f60718293a4b5-640.jpg")]
    src: String,
    /// Picture, 320 pixels wide.
    #[schema(example = "/media/p/albums/0a/0a1b2c3d4e5f60718293a4b5-320.jpg")]
    thumb: String,
    /// The largest there is.
    #[schema(example = "/media/p/albums/0a/0a1b2c3d4e5f60718293a4b5-1600.jpg")]
    large: String,
    /// Pixels of what was sent, upright.
    #[schema(example = 3024, minimum = 1)]
    width: i32,
    /// Pixels of what was sent, upright.
    #[schema(example = 4032, minimum = 1)]
    height: i32,
    /// Whether it stands for the album.
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

/// What is taken of an album.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlbumLimits {
    /// Bytes of a picture at most.
    #[schema(example = 20_971_520, minimum = 1)]
    max_bytes: usize,
    /// Pixels of a side at most.
    #[schema(example = 12_000, minimum = 1)]
    max_side: u32,
    /// Pixels of a picture at most.
    #[schema(example = 25_000_000, minimum = 1)]
    max_pixels: u64,
    /// Fewest pixels of its width.
    #[schema(example = 320, minimum = 1)]
    min_width: u32,
    /// Fewest pixels of its height.
    #[schema(example = 320, minimum = 1)]
    min_height: u32,
    /// Frames of a picture at most.
    #[schema(example = 1, minimum = 1)]
    max_frames: u32,
    /// Pictures of an album at most.
    #[schema(example = 200, minimum = 1)]
    max_photos: usize,
    /// Pictures of one form at most.
    #[schema(example = 20, minimum = 1)]
    form_photos: usize,
    /// Bytes of one form at most.
    #[schema(example = 104_857_600, minimum = 1)]
    form_bytes: usize,
    /// Fewest characters of a title.
    #[schema(example = 3, minimum = 1)]
    title_min: usize,
    /// Most characters of a title.
    #[schema(example = 150, minimum = 1)]
    title_max: usize,
    /// Most characters of a description.
    #[schema(example = 5000, minimum = 0)]
    description_max: usize,
    /// Most categories.
    #[schema(example = 3, minimum = 1)]
    max_categories: usize,
    /// Most models.
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
            reason: own.rejection.filter(|_| own.status_id == STATUS_REJECTED),
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
        .takes(query("album_id", "Id of the own album; without it only what is taken.", id_schema(), ""))
        .answers::<OwnAlbumAnswer>("What its member said of it, and what is taken.")
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

/// An own album. Fails with 404 when there is no such album of this member.
pub async fn find(pool: &PgPool, member: &Member, id: i64) -> ApiResult<OwnAlbum> {
    let mut conn = pool.acquire().await?;
    own_albums::own(&mut conn, member.id, id).await?.ok_or(ApiError::NotFound("album_not_found"))
}
