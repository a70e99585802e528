//! Cards of videos, albums and playlists in a member's own lists.

use std::collections::HashMap;

use lantern_catalog::{
    own::{self, ListedVideo},
    status::UploadStatus,
};
use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_search::index::{
    AlbumCard, AlbumDoc, Categories, CategoryNames, PlaylistCard, PlaylistDoc, VideoCard, VideoDoc, rfc3339,
};
use serde::Serialize;
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;

use lantern_accounts::viewer::Member;

/// A video in a member's own list. A video that the member may no longer see is listed with an empty title, so that the member can remove
/// it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnVideo {
    /// Fields that every list shows.
    #[serde(flatten)]
    card: VideoCard,
    /// Status.
    #[schema(example = 1)]
    status_id: UploadStatus,
    /// Whether it is unlisted; members who know the address may watch it.
    #[schema(example = false)]
    is_private: bool,
    /// When it was added, watched or uploaded, RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    added_date: String,
    /// Playback position in seconds, in the history.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    stopped_at: Option<i32>,
    /// In own uploads, when a deleted video will be restored, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = DateTime)]
    readd_at: Option<String>,
    /// Whether it is the member's upload, and plays without sound because the film's sound can't be decoded.
    #[schema(example = false)]
    has_lost_audio: bool,
    /// In own uploads, when the video is to be published, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = DateTime)]
    publish_at: Option<String>,
}

/// Returns the cards of the videos in a list, in its order.
pub async fn videos(
    pool: &PgPool,
    categories: &CategoryNames,
    member: &Member,
    saved: &[ListedVideo],
    lang: Lang,
) -> ApiResult<Vec<OwnVideo>> {
    let ids: Vec<i64> = saved.iter().map(|saved| saved.video_id).collect();
    let mut known: HashMap<i64, own::OwnVideo> =
        own::videos(pool, member.id, &ids).await?.into_iter().map(|video| (video.id, video)).collect();
    let categories = categories.current().await?;
    let card = |saved: &ListedVideo| {
        let video = known.remove(&saved.video_id)?;
        let (status_id, is_private) = (video.status_id, video.is_private);
        let own_date = |at: Option<OffsetDateTime>| at.filter(|_| video.shown).map(|at| rfc3339(at.unix_timestamp()));
        Some(OwnVideo {
            status_id,
            is_private,
            added_date: rfc3339(saved.added_at.unix_timestamp()),
            stopped_at: saved.stopped_at,
            has_lost_audio: video.has_lost_audio,
            readd_at: own_date(video.readd_at),
            publish_at: own_date(video.publish_at),
            card: VideoCard::new(document(video), &categories, lang),
        })
    };
    Ok(saved.iter().filter_map(card).collect())
}

/// Builds the video's document as the index would hold it. If the member may no longer see the video, it contains only the id and date.
fn document(video: own::OwnVideo) -> VideoDoc {
    let gone = VideoDoc { id: video.id, post_date: video.post_date.unix_timestamp(), ..VideoDoc::default() };
    if !video.shown {
        return gone;
    }
    VideoDoc {
        dir: video.dir,
        lang: video.lang,
        title: video.title,
        titles: video.titles.0,
        duration: video.duration.into(),
        viewed: video.viewed,
        comments: video.comments.into(),
        rating: video.rating,
        is_hd: video.is_hd,
        is_uncensored: video.is_uncensored,
        category_dirs: video.category_dirs,
        model_dirs: video.model_dirs,
        model_titles: video.model_titles,
        model_names: video.model_names.into_iter().map(|names| names.0).collect(),
        media_key: video.media_key,
        shot: video.shot.into(),
        ..gone
    }
}

/// Returns a public video as an item of a member's own list.
pub fn public(doc: VideoDoc, categories: &Categories, lang: Lang) -> OwnVideo {
    let added_date = rfc3339(doc.post_date);
    let card = VideoCard::new(doc, categories, lang);
    OwnVideo {
        card,
        status_id: UploadStatus::Published,
        is_private: false,
        added_date,
        stopped_at: None,
        readd_at: None,
        has_lost_audio: false,
        publish_at: None,
    }
}

/// An album in its owner's list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnAlbum {
    /// Fields that every list shows.
    #[serde(flatten)]
    card: AlbumCard,
    /// Status, never 5.
    #[schema(example = 1)]
    status_id: UploadStatus,
    /// Whether only its owner may see it.
    #[schema(example = false)]
    is_private: bool,
    /// Reason for the rejection; its text has the code `rejected_` followed by this word.
    #[schema(example = json!(null))]
    reason: Option<String>,
}

/// Returns the card of one of the member's albums.
pub fn album(album: own::Album, user_id: i64, categories: &Categories, lang: Lang) -> OwnAlbum {
    let (status_id, is_private) = (album.status_id, album.is_private);
    let reason = album.rejection.filter(|_| status_id == UploadStatus::Rejected);
    let doc = AlbumDoc {
        id: album.id,
        dir: album.dir,
        lang: album.lang,
        title: album.title,
        user_id: Some(user_id),
        post_date: album.post_date.unix_timestamp(),
        viewed: album.viewed,
        comments: album.comments.into(),
        rating: album.rating,
        photos_amount: album.photos_amount,
        media_key: album.media_key,
        category_dirs: album.category_dirs,
        model_dirs: album.model_dirs,
        model_titles: album.model_titles,
        model_names: album.model_names.into_iter().map(|names| names.0).collect(),
        ..AlbumDoc::default()
    };
    OwnAlbum { card: AlbumCard::new(doc, categories, lang), status_id, is_private, reason }
}

/// A playlist in its owner's list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OwnPlaylist {
    /// Fields that every list shows.
    #[serde(flatten)]
    card: PlaylistCard,
    /// Orientation.
    #[schema(value_type = lantern_config::Gender)]
    gender: String,
}

/// Returns the card of one of the member's playlists, public or private.
pub fn playlist(playlist: own::Playlist, member: &Member) -> OwnPlaylist {
    let doc = PlaylistDoc {
        id: playlist.id,
        title: playlist.title,
        description: playlist.description,
        user_id: member.id,
        username: member.username.clone(),
        post_date: playlist.created_at.unix_timestamp(),
        viewed: playlist.viewed,
        rating: playlist.rating,
        total_videos: playlist.total_videos,
        media_key: playlist.media_key,
        shot: playlist.shot.map(i64::from),
        ..PlaylistDoc::default()
    };
    let mut card = PlaylistCard::from(doc);
    // As in the playlist form, 0 means private.
    card.private = u8::from(!playlist.is_private);
    OwnPlaylist { card, gender: playlist.gender }
}
