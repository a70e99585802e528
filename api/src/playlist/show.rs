//! `GET /api/json/playlist/{lifetime}/{bucket}/{playlist_id}.json`: one playlist. Its videos are a section of
//! `videos2`.
//!
//! Example: `/api/json/playlist/86400/0/7.json`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    access::Hidden,
    changes::{Object, Shows},
    outbox::Entity,
    playlists::{self, PlaylistPage},
};
use lantern_config::{Config, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Segments,
    cache::Answer,
    openapi::{Doc, refusal},
};
use lantern_listing::ObjectPath;
use lantern_search::index::{PlaylistCard, PlaylistDoc};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{
    access::Requester,
    params,
    sources::Sources,
    video::show::{Statistics, User},
};

/// A playlist.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlaylistAnswer {
    /// The playlist.
    pub playlist: Playlist,
}

impl Shows for PlaylistAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        let card = &self.playlist.card;
        objects.extend([(Entity::Playlist, card.playlist_id), (Entity::User, card.user_id)]);
    }
}

/// Details of a playlist, without its videos.
#[derive(Debug, Serialize, ToSchema)]
pub struct Playlist {
    /// Fields that lists show.
    #[serde(flatten)]
    pub card: PlaylistCard,
    /// Orientation.
    #[schema(value_type = lantern_config::Gender)]
    gender: String,
    /// Uploader or creator.
    user: User,
    /// Number of comments.
    #[schema(example = 3, minimum = 0)]
    comments: i32,
    /// Views and votes.
    statistics: Statistics,
}

pub(crate) fn doc(_: &Config) -> Doc {
    Doc::read("objects", "playlist", "/api/json/playlist/{lifetime}/{bucket}/{playlist_id}.json", "One playlist")
        .takes(params::lifetime(lifetimes::LISTS))
        .about("Its videos are the section `playlist` of `videos2`.")
        .takes_all([params::bucket(), params::id("playlist_id", 1)])
        .answers::<PlaylistAnswer>("The playlist.")
        .cached()
        .refuses(refusal(404, &[("playlist_not_found", "no such playlist, or in another bucket")]))
        .refuses(refusal(403, &[("playlist_is_private", "only the playlist's owner may see it")]))
}

pub(crate) async fn playlist(
    State(sources): State<Sources>,
    segments: Segments,
    requester: Requester,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let path = ObjectPath::parse(segments.take()?, "playlist_not_found")?;
    get(&sources, requester, path).await?.respond(&headers)
}

/// Returns the playlist if the viewer may see it.
pub async fn get(sources: &Sources, requester: Requester, path: ObjectPath) -> ApiResult<Answer<PlaylistAnswer>> {
    let Sources { cache, pool, .. } = sources.clone();
    let compute = async move { load(&pool, path.id, false).await };
    let key = path.canonical("playlist");
    let answer = cache.get(&key, path.lifetime, compute).await;
    requester.or_hidden((Hidden::Playlist, path.id), key, answer, load(&sources.pool, path.id, true)).await
}

/// Loads the playlist. Loads a private one only if `hidden` is true.
async fn load(pool: &PgPool, id: i64, hidden: bool) -> ApiResult<PlaylistAnswer> {
    let page = playlists::find(pool, id).await?.ok_or(ApiError::NotFound("playlist_not_found"))?;
    if page.is_private && !hidden {
        return Err(ApiError::Forbidden("playlist_is_private"));
    }
    Ok(PlaylistAnswer { playlist: show(page) })
}

fn show(page: PlaylistPage) -> Playlist {
    let (media_key, shot) = page.picture.unzip();
    let doc = PlaylistDoc {
        id: page.id,
        title: page.title,
        description: page.description,
        user_id: page.user.id,
        username: page.user.username.clone(),
        post_date: page.created_at.unix_timestamp(),
        viewed: page.viewed,
        rating: page.rating,
        total_videos: page.total_videos,
        media_key,
        shot: shot.map(i64::from),
        ..PlaylistDoc::default()
    };
    let mut card = PlaylistCard::from(doc);
    // As in the playlist form, 0 means private.
    card.private = u8::from(!page.is_private);
    Playlist {
        card,
        gender: page.gender,
        user: User::from(page.user),
        comments: page.comments,
        statistics: Statistics { viewed: page.viewed, likes: page.likes, dislikes: page.dislikes },
    }
}
