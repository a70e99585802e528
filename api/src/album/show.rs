//! `GET /api/json/album/{lifetime}/{bucket}/{album_id}.json`: one album with its photos.
//!
//! Example: `/api/json/album/86400/0/7.json?lang=de`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    access::Hidden,
    albums::{self, AlbumPage, Photo},
    changes::{Object, Shows},
    outbox::Entity,
    status::UploadStatus,
};
use lantern_config::{Config, Lang, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments,
    cache::Answer,
    openapi::{Doc, invalid, refusal},
};
use lantern_listing::ObjectPath;
use lantern_media::pictures::{large_picture, largest_picture, picture};
use lantern_search::index::{AlbumCard, AlbumDoc, Categories, CategoryNames};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{
    access::Requester,
    params,
    sources::Sources,
    video::show::{Statistics, User},
};

/// An album.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlbumAnswer {
    /// The album.
    pub album: Album,
}

impl Shows for AlbumAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::Album, self.album.card.album_id));
        objects.extend(self.album.card.user_id.map(|id| (Entity::User, id)));
    }
}

/// Details of an album.
#[derive(Debug, Serialize, ToSchema)]
pub struct Album {
    /// Fields that lists show.
    #[serde(flatten)]
    pub card: AlbumCard,
    /// Description.
    #[schema(example = "A walk between the stalls.")]
    pub description: String,
    /// Language of the title and description.
    #[schema(value_type = Lang, example = "en")]
    pub lang: String,
    /// Orientation.
    #[schema(value_type = lantern_config::Gender)]
    pub gender: String,
    /// Uploader or creator.
    pub user: Option<User>,
    /// Views and votes.
    statistics: Statistics,
    /// Photos, in order.
    pub photos: Vec<Picture>,
}

/// A photo. Width and height are those of the original, so that a page can reserve space.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Photo)]
pub struct Picture {
    /// Picture, 640 pixels wide.
    #[schema(example = "/media/p/demo/pictures/25-640.webp")]
    pub src: String,
    /// Picture, 320 pixels wide.
    #[schema(example = "/media/p/demo/pictures/25-320.webp")]
    thumb: String,
    /// Largest available size: up to 1600 pixels wide for members' uploads.
    #[schema(example = "/media/p/demo/pictures/25-640.webp")]
    large: String,
    /// Width of the original in pixels.
    #[schema(example = 1280, minimum = 1)]
    pub width: i32,
    /// Height of the original in pixels.
    #[schema(example = 960, minimum = 1)]
    pub height: i32,
}

pub(crate) fn doc(_: &Config) -> Doc {
    Doc::read("objects", "album", "/api/json/album/{lifetime}/{bucket}/{album_id}.json", "One album with its photos")
        .takes(params::lifetime(lifetimes::LISTS))
        .takes_all([params::bucket(), params::id("album_id", 1), params::lang()])
        .answers::<AlbumAnswer>("The album.")
        .cached()
        .refuses(refusal(404, &[("album_not_found", "no such album, not released yet, or in another bucket")]))
        .refuses(refusal(403, &[("dont_have_permission", "the album is private")]))
        .refuses(invalid())
}

pub(crate) async fn album(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    requester: Requester,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let path = ObjectPath::parse(segments.take()?, "album_not_found")?;
    get(&sources, requester, path, query.lang()?).await?.respond(&headers)
}

/// Returns the album if the viewer may see it.
pub async fn get(
    sources: &Sources,
    requester: Requester,
    path: ObjectPath,
    lang: Lang,
) -> ApiResult<Answer<AlbumAnswer>> {
    let Sources { cache, pool, reader, .. } = sources.clone();
    let compute = async move { load(&pool, &reader.categories, path.id, lang, false).await };
    let key = format!("{}?{lang}", path.canonical("album"));
    let answer = cache.get(&key, path.lifetime, compute).await;
    let open = load(&sources.pool, &sources.reader.categories, path.id, lang, true);
    match requester.or_hidden((Hidden::Album, path.id), key, answer, open).await {
        Err(ApiError::Forbidden(UNRELEASED)) => Err(ApiError::NotFound("album_not_found")),
        answer => answer,
    }
}

/// The album has not been released yet and is visible only to its owner.
const UNRELEASED: &str = "album_is_unreleased";

/// Loads the album. Loads a hidden one only if `hidden` is true.
async fn load(pool: &PgPool, categories: &CategoryNames, id: i64, lang: Lang, hidden: bool) -> ApiResult<AlbumAnswer> {
    let page = albums::find(pool, id).await?;
    let page =
        page.filter(|page| page.status_id != UploadStatus::Deleted).ok_or(ApiError::NotFound("album_not_found"))?;
    if !page.visible && !hidden {
        return Err(ApiError::Forbidden(if page.status_id == UploadStatus::Published {
            "dont_have_permission"
        } else {
            UNRELEASED
        }));
    }
    let categories = categories.current().await?;
    Ok(AlbumAnswer { album: show(page, &categories, lang) })
}

fn show(page: AlbumPage, categories: &Categories, lang: Lang) -> Album {
    let doc = AlbumDoc {
        id: page.id,
        dir: page.dir,
        lang: page.lang.clone(),
        title: page.title,
        user_id: page.user.as_ref().map(|user| user.id),
        post_date: page.post_date.unix_timestamp(),
        viewed: page.viewed,
        comments: page.comments.into(),
        rating: page.rating,
        photos_amount: i64::try_from(page.photos.len()).unwrap_or(i64::MAX),
        media_key: page.photos.iter().find(|photo| photo.is_cover).map(|photo| photo.media_key.clone()),
        category_dirs: page.categories,
        model_dirs: page.model_dirs,
        model_titles: page.model_titles,
        model_names: page.model_names,
        ..AlbumDoc::default()
    };
    Album {
        card: AlbumCard::new(doc, categories, lang),
        description: page.description,
        lang: page.lang,
        gender: page.gender,
        user: page.user.map(User::from),
        statistics: Statistics { viewed: page.viewed, likes: page.likes, dislikes: page.dislikes },
        photos: page.photos.into_iter().map(Picture::from).collect(),
    }
}

impl From<Photo> for Picture {
    fn from(photo: Photo) -> Self {
        let key = Some(photo.media_key.as_str());
        Self {
            src: large_picture(key),
            thumb: picture(key),
            large: largest_picture(&photo.media_key),
            width: photo.width,
            height: photo.height,
        }
    }
}
