//! `GET /api/json/video/{lifetime}/{bucket}/{video_id}.json`: one video, with exact numbers from the catalog.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    access::Hidden,
    changes::{Object, Shows},
    chapters,
    outbox::Entity,
    status::UploadStatus,
    videos::{self, Uploader, VideoPage},
};
use lantern_config::{Config, Lang, import, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments,
    cache::{Answer, PrivateAnswer},
    openapi::{Doc, invalid, refusal},
};
use lantern_listing::ObjectPath;
use lantern_media::pictures::{avatar, large_picture};
use lantern_search::index::{Categories, CategoryNames, Reader, VideoCard, VideoDoc, shown_pictures};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::chapters::ChapterItem;
use crate::{
    access::Requester,
    params::{self, no_playlist},
    sources::Sources,
};

/// A video.
#[derive(Debug, Serialize, ToSchema)]
pub struct VideoAnswer {
    /// The video.
    pub video: Video,
}

impl Shows for VideoAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        match &self.video {
            Video::Shown(shown) => {
                objects.push((Entity::Video, shown.card.video_id));
                objects.extend(shown.user_id.map(|id| (Entity::User, id)));
            }
            Video::Gone { video_id, .. } => objects.push((Entity::Video, *video_id)),
        }
    }
}

/// A video, as far as the viewer may know it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum Video {
    /// An active video.
    Shown(Box<ShownVideo>),
    /// A deleted or private video: only its state.
    #[schema(title = "GoneVideo")]
    Gone {
        /// Id.
        #[schema(example = 1, minimum = 1)]
        video_id: i64,
        /// Status.
        #[schema(example = 5)]
        status_id: UploadStatus,
        /// Whether it is private: members who know the address may watch it.
        #[schema(example = false)]
        is_private: bool,
        /// Always empty.
        #[schema(example = "", max_length = 0)]
        title: &'static str,
    },
}

/// An active video.
#[derive(Debug, Serialize, ToSchema)]
pub struct ShownVideo {
    /// Fields that lists show.
    #[serde(flatten)]
    pub card: VideoCard,
    /// Description, in the visitor's language if there is a translation.
    #[schema(example = "A walk between the stalls.")]
    pub description: String,
    /// The video's own language, that of the original title and description.
    #[schema(value_type = Lang, example = "en")]
    pub lang: String,
    /// The title in the video's own language.
    #[schema(example = "Night market")]
    original_title: String,
    /// Language of the description; differs from the video's own language if the description is translated.
    #[schema(value_type = Lang, example = "en")]
    pub description_lang: &'static str,
    /// Chapters; empty if it has none.
    pub chapters: Vec<ChapterItem>,
    /// Language of the chapters' titles.
    #[schema(value_type = Lang, example = "en")]
    pub chapters_lang: String,
    /// Duration in seconds.
    #[serde(skip)]
    pub seconds: i32,
    /// Status.
    #[schema(example = 1)]
    status_id: UploadStatus,
    /// Whether guests are refused; members who know the address may watch it.
    #[schema(example = false)]
    is_private: bool,
    /// Storage group of the film.
    #[schema(example = 1)]
    sg_id: i32,
    /// Site it was imported from.
    #[schema(example = "example")]
    ex_tube: Option<String>,
    /// Id on that site.
    #[schema(example = "12345")]
    ex_id: Option<String>,
    /// Address of that site's player, to embed in a frame; null if the video is played here.
    #[schema(example = "https://player.example/embed/12345")]
    pub embed: Option<String>,
    /// Whether its film is stored here.
    #[serde(skip)]
    pub has_film: bool,
    /// Orientation.
    #[schema(value_type = lantern_config::Gender)]
    pub gender: String,
    /// Id of the uploader.
    #[schema(example = 2, minimum = 1)]
    user_id: Option<i64>,
    /// Always null: the address determines in which playlist a video is watched.
    #[schema(schema_with = no_playlist)]
    playlist_id: Option<i64>,
    /// Uploader or creator.
    pub user: Option<User>,
    /// Channel it belongs to.
    channel: Option<Channel>,
    /// Views and votes.
    pub statistics: Statistics,
}

/// Uploader or creator of an object.
#[derive(Debug, Serialize, ToSchema)]
pub struct User {
    /// Id.
    #[schema(example = 2, minimum = 1)]
    id: i64,
    /// Name.
    #[schema(example = "demo")]
    pub username: String,
    /// Picture, 320 pixels; null if there is none.
    #[schema(example = "/media/p/demo/pictures/43-320.webp")]
    avatar: Option<String>,
    /// The same id, under the name used everywhere else.
    #[schema(example = 2, minimum = 1)]
    pub user_id: i64,
}

impl From<Uploader> for User {
    fn from(user: Uploader) -> Self {
        Self { id: user.id, username: user.username, avatar: avatar(user.avatar_key.as_deref()), user_id: user.id }
    }
}

/// Channel of a video.
#[derive(Debug, Serialize, ToSchema)]
struct Channel {
    /// Id.
    #[schema(example = 2, minimum = 1)]
    id: i64,
    /// Address.
    #[schema(example = "https://tube.example/")]
    url: String,
    /// Text to show.
    #[schema(example = "Night market")]
    title: String,
    /// The sponsor's banner image; channels without a sponsor have none.
    #[schema(example = "/media/p/demo/pictures/12-640.webp")]
    cf1: Option<String>,
    /// The sponsor's own label of its video advertisement.
    #[schema(example = "text")]
    vda: Option<String>,
    /// Whether the channel is among `listing.hidden_channels`: pages do not show its name.
    #[schema(example = false)]
    hidden: bool,
}

/// Views and votes.
#[derive(Debug, Serialize, ToSchema)]
pub struct Statistics {
    /// Total views.
    #[schema(example = 1204, minimum = 0)]
    pub viewed: i64,
    /// Number of likes.
    #[schema(example = 9, minimum = 0)]
    pub likes: i32,
    /// Number of dislikes.
    #[schema(example = 1, minimum = 0)]
    pub dislikes: i32,
}

pub(crate) fn doc(_: &Config) -> Doc {
    Doc::read("objects", "video", "/api/json/video/{lifetime}/{bucket}/{video_id}.json", "One video")
        .takes(params::lifetime(lifetimes::LISTS))
        .about("For a deleted or private video, only its state is returned, so that its page can show it. An unreleased one is visible only to its owner.")
        .takes_all([params::bucket(), params::id("video_id", 1), params::lang()])
        .answers::<VideoAnswer>("The video, or its state if it is deleted or private.")
        .cached()
        .refuses(refusal(404, &[("video_not_found", "no such video, not released yet, or in another bucket")]))
        .refuses(invalid())
}

pub(crate) async fn video(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    requester: Requester,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let path = ObjectPath::parse(segments.take()?, "video_not_found")?;
    get(&sources, requester, path, query.lang()?).await?.respond(&headers)
}

/// Returns what the viewer may know about the video.
pub async fn get(
    sources: &Sources,
    requester: Requester,
    path: ObjectPath,
    lang: Lang,
) -> ApiResult<Answer<VideoAnswer>> {
    let Sources { cache, pool, reader, .. } = sources.clone();
    let compute = async move { public(&pool, &reader, path.id, lang).await };
    let key = format!("{}?{lang}", path.canonical("video"));
    let answer = cache.get(&key, path.lifetime, compute).await;
    let open = open(&sources.pool, &sources.reader, path.id, lang);
    match requester.or_hidden((Hidden::Video, path.id), key.clone(), answer, open).await {
        Err(ApiError::Forbidden(HIDDEN)) => {
            let video = refused(&find(&sources.pool, path.id).await?)?;
            Ok(Answer::Private(PrivateAnswer::new(key, VideoAnswer { video })))
        }
        answer => answer,
    }
}

/// The video is neither deleted nor visible. The answer depends on the viewer, so it is never cached.
const HIDDEN: &str = "video_is_private";

async fn find(pool: &PgPool, id: i64) -> ApiResult<VideoPage> {
    videos::find(pool, id).await?.ok_or(ApiError::NotFound("video_not_found"))
}

/// Loads what any viewer may know.
async fn public(pool: &PgPool, reader: &Reader, id: i64, lang: Lang) -> ApiResult<VideoAnswer> {
    let page = find(pool, id).await?;
    match page.status_id {
        UploadStatus::Deleted => Ok(VideoAnswer { video: gone(&page) }),
        _ if page.visible => full(&reader.config, &reader.categories, page, lang).await,
        _ => Err(ApiError::Forbidden(HIDDEN)),
    }
}

async fn open(pool: &PgPool, reader: &Reader, id: i64, lang: Lang) -> ApiResult<VideoAnswer> {
    full(&reader.config, &reader.categories, find(pool, id).await?, lang).await
}

async fn full(config: &Config, categories: &CategoryNames, page: VideoPage, lang: Lang) -> ApiResult<VideoAnswer> {
    let categories = categories.current().await?;
    Ok(VideoAnswer { video: Video::Shown(Box::new(shown(page, config, &categories, lang))) })
}

/// Returns what a viewer may know about a video that they may not open. An unreleased video does not exist for them.
fn refused(page: &VideoPage) -> ApiResult<Video> {
    match page.status_id {
        UploadStatus::Published | UploadStatus::Deleted => Ok(gone(page)),
        _ => Err(ApiError::NotFound("video_not_found")),
    }
}

fn gone(page: &VideoPage) -> Video {
    let deleted = page.status_id == UploadStatus::Deleted;
    Video::Gone { video_id: page.id, status_id: page.status_id, is_private: page.is_private || !deleted, title: "" }
}

fn shown(page: VideoPage, config: &Config, categories: &Categories, lang: Lang) -> ShownVideo {
    let description = lantern_index::shown(&page.description, &page.lang, &page.descriptions, lang);
    let (described, chapters) = chapters::of(&page.chapters, &[description.text, &page.description], page.duration);
    ShownVideo {
        chapters: chapters.into_iter().map(ChapterItem::from).collect(),
        chapters_lang: if described == Some(0) { description.lang.to_string() } else { page.lang.clone() },
        seconds: page.duration,
        description: description.text.to_owned(),
        description_lang: description.lang.as_str(),
        original_title: page.title.clone(),
        lang: page.lang.clone(),
        status_id: page.status_id,
        is_private: page.is_private,
        sg_id: page.sg_id,
        ex_tube: page.ex_tube.clone(),
        ex_id: page.ex_id.clone(),
        embed: page
            .ex_tube
            .as_deref()
            .zip(page.ex_id.as_deref())
            .and_then(|(site, id)| import::player(&config.embeds, site, id)),
        has_film: page.media_key.is_some(),
        gender: page.gender.clone(),
        user_id: page.user.as_ref().map(|user| user.id),
        playlist_id: None,
        user: page.user.clone().map(User::from),
        channel: page.channel.as_ref().map(|channel| Channel {
            id: channel.id,
            url: channel.url.clone(),
            title: channel.title.clone(),
            cf1: channel.cf1.as_deref().map(|key| large_picture(Some(key))),
            vda: channel.vda.clone(),
            hidden: config.listing.hidden_channels.contains(&channel.id),
        }),
        statistics: Statistics { viewed: page.viewed, likes: page.likes, dislikes: page.dislikes },
        card: card(page, categories, lang),
    }
}

fn card(page: VideoPage, categories: &Categories, lang: Lang) -> VideoCard {
    let doc = VideoDoc {
        id: page.id,
        dir: page.dir,
        lang: page.lang,
        title: page.title,
        titles: page.titles,
        duration: page.duration.into(),
        post_date: page.post_date.unix_timestamp(),
        viewed: page.viewed,
        comments: page.comments.into(),
        rating: page.rating,
        is_hd: page.is_hd,
        is_uncensored: page.is_uncensored,
        category_dirs: page.categories,
        model_dirs: page.model_dirs,
        model_titles: page.model_titles,
        model_names: page.model_names,
        media_key: shown_pictures(page.media_key, page.picture_key),
        shot: page.shot.into(),
        ..VideoDoc::default()
    };
    VideoCard::new(doc, categories, lang)
}
