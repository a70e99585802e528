//! Single videos, with their exact counters and people, which are not in the index.

use sqlx::{PgPool, types::Json};
use time::OffsetDateTime;

use crate::{Result, audio_tracks::AudioTrack, documents::ByLang, status::UploadStatus, video_codec::VideoCodec};

/// Everything that a video's page shows.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of videos and video_stats, documented in the migrations")]
pub struct VideoPage {
    pub id: i64,
    pub dir: String,
    pub lang: String,
    pub title: String,
    pub titles: ByLang,
    pub description: String,
    pub descriptions: ByLang,
    /// Chapters as stored ([`crate::chapters`]).
    pub chapters: String,
    /// Audio tracks, if there are several.
    pub audio_tracks: Vec<AudioTrack>,
    /// Wire code of the orientation.
    pub gender: String,
    /// Duration in seconds.
    pub duration: i32,
    pub status_id: UploadStatus,
    /// Whether the video is unlisted. Members who know its address may open it.
    pub is_private: bool,
    pub visible: bool,
    pub is_hd: bool,
    pub is_uncensored: bool,
    /// Folder of the rendered files, or `None` while the upload is being processed.
    pub media_key: Option<String>,
    /// Key of the video's picture, if its film isn't stored here.
    pub picture_key: Option<String>,
    /// Height of the tallest rendition in pixels.
    pub height: i16,
    /// Codec of the second set of renditions.
    pub second_codec: Option<VideoCodec>,
    /// Index, 0 to 9, of the screenshot used as the video's picture.
    pub shot: i16,
    pub sg_id: i32,
    /// External site from which the video was imported.
    pub ex_tube: Option<String>,
    pub ex_id: Option<String>,
    pub post_date: OffsetDateTime,
    pub viewed: i64,
    pub likes: i32,
    pub dislikes: i32,
    pub comments: i32,
    /// Rating from 0 to 5.
    pub rating: f64,
    pub user: Option<Uploader>,
    pub channel: Option<Channel>,
    pub categories: Vec<String>,
    pub model_dirs: Vec<String>,
    /// Names of the models, parallel to `model_dirs`.
    pub model_titles: Vec<String>,
    /// Names of the models by language, parallel to `model_dirs`.
    pub model_names: Vec<ByLang>,
}

/// The member who uploaded a video.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of users, documented in the migrations")]
pub struct Uploader {
    pub id: i64,
    pub username: String,
    pub avatar_key: Option<String>,
}

/// The channel of a video.
#[derive(Debug, Clone)]
pub struct Channel {
    /// Id of the channel.
    pub id: i64,
    /// Address of the channel's own site.
    pub url: String,
    /// Original title.
    pub title: String,
    /// The sponsor's banner image.
    pub cf1: Option<String>,
    /// The sponsor's video-ad mark.
    pub vda: Option<String>,
}

/// Returns a video in any state. The caller decides what a visitor may see.
pub async fn find(pool: &PgPool, id: i64) -> Result<Option<VideoPage>> {
    let query = sqlx::query!(
        r#"select v.dir, v.lang, v.title, v.description, v.chapters, v.audio_tracks as "audio_tracks: Json<Vec<AudioTrack>>", v.gender, v.duration,
                  v.status_id as "status_id: UploadStatus", v.is_private, v.visible as "visible!", v.is_hd, v.is_uncensored, v.media_key, v.picture_key, v.height, v.second_codec as "second_codec: VideoCodec", v.shot, v.sg_id, v.ex_tube, v.ex_id, v.post_date,
                  s.viewed, s.likes, s.dislikes, s.comments, s.rating::numeric::float8 as "rating!",
                  u.id as "user_id?", u.username as "username?", u.avatar_key,
                  c.id as "channel_id?", c.url as "channel_url?", c.title as "channel_title?", c.cf1, c.vda,
                  (select coalesce(jsonb_object_agg(t.lang, t.title), '{}')
                   from video_translations t where t.video_id = v.id) as "titles!: Json<ByLang>",
                  (select coalesce(jsonb_object_agg(t.lang, t.description), '{}') from video_translations t
                   where t.video_id = v.id and t.description <> '') as "descriptions!: Json<ByLang>",
                  array(select k.dir from video_categories l join categories k on k.id = l.category_id
                        where l.video_id = v.id order by k.position, k.id) as "categories!",
                  array(select m.dir from video_models l join models m on m.id = l.model_id
                        where l.video_id = v.id order by m.id) as "model_dirs!",
                  array(select m.title from video_models l join models m on m.id = l.model_id
                        where l.video_id = v.id order by m.id) as "model_titles!",
                  array(select model_names_of(l.model_id) from video_models l
                        where l.video_id = v.id order by l.model_id) as "model_names!: Vec<Json<ByLang>>"
           from videos v join video_stats s on s.video_id = v.id
                left join users u on u.id = v.user_id
                left join channels c on c.id = v.channel_id
           where v.id = $1"#,
        id
    );
    let row = query.fetch_optional(pool).await?;
    Ok(row.map(|r| VideoPage {
        id,
        dir: r.dir,
        lang: r.lang,
        title: r.title,
        titles: r.titles.0,
        description: r.description,
        descriptions: r.descriptions.0,
        chapters: r.chapters,
        audio_tracks: r.audio_tracks.0,
        gender: r.gender,
        duration: r.duration,
        status_id: r.status_id,
        is_private: r.is_private,
        visible: r.visible,
        is_hd: r.is_hd,
        is_uncensored: r.is_uncensored,
        media_key: r.media_key,
        picture_key: r.picture_key,
        height: r.height,
        second_codec: r.second_codec,
        shot: r.shot,
        sg_id: r.sg_id,
        ex_tube: r.ex_tube,
        ex_id: r.ex_id,
        post_date: r.post_date,
        viewed: r.viewed,
        likes: r.likes,
        dislikes: r.dislikes,
        comments: r.comments,
        rating: r.rating,
        user: r.user_id.zip(r.username).map(|(id, username)| Uploader { id, username, avatar_key: r.avatar_key }),
        channel: r.channel_id.zip(r.channel_url).zip(r.channel_title).map(|((id, url), title)| Channel {
            id,
            url,
            title,
            cf1: r.cf1,
            vda: r.vda,
        }),
        categories: r.categories,
        model_dirs: r.model_dirs,
        model_titles: r.model_titles,
        model_names: r.model_names.into_iter().map(|names| names.0).collect(),
    }))
}

/// Returns whether there is a channel with this id.
pub async fn channel_exists(pool: &PgPool, id: i64) -> Result<bool> {
    Ok(sqlx::query_scalar!(r#"select exists (select from channels where id = $1) as "e!""#, id).fetch_one(pool).await?)
}
