//! Captions of videos.

use serde_json::Value;
use sqlx::PgConnection;

use crate::{Result, run, status::UploadStatus};

/// What a track of captions is for, as in HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, sqlx::Type, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[sqlx(type_name = "text", rename_all = "lowercase")]
pub enum CaptionKind {
    /// What is said, for people who don't understand the language.
    Subtitles,
    /// What is said and other sounds, for people who can't hear them.
    Captions,
}

impl CaptionKind {
    /// All kinds, the default first.
    pub const ALL: [Self; 2] = [Self::Subtitles, Self::Captions];

    /// Name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Subtitles => "subtitles",
            Self::Captions => "captions",
        }
    }
}

/// A track of a video.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptionTrack {
    /// ISO 639-1 code of the language.
    pub lang: String,
    /// What it is for.
    pub kind: CaptionKind,
}

/// Returns the text of a cue without tags and escapes, on one line.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        rest = rest[at..].split_once('>').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    let plain = plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the tracks of a video, ordered by language and kind.
pub async fn tracks(conn: &mut PgConnection, video_id: i64) -> Result<Vec<CaptionTrack>> {
    let query = sqlx::query_as!(
        CaptionTrack,
        r#"select lang, kind as "kind: CaptionKind" from captions where video_id = $1 order by lang, kind desc"#,
        video_id
    );
    Ok(query.fetch_all(conn).await?)
}

/// Returns the cues of a track as JSON, or `None` if there is no such track.
pub async fn cues(conn: &mut PgConnection, video_id: i64, track: &CaptionTrack) -> Result<Option<Value>> {
    let query = sqlx::query_scalar!(
        "select cues from captions where video_id = $1 and lang = $2 and kind = $3",
        video_id,
        track.lang,
        track.kind.as_str()
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Adds a track that was part of a film.
pub(crate) async fn add_of_film(
    conn: &mut PgConnection,
    video_id: i64,
    track: &CaptionTrack,
    cues: &Value,
) -> Result<()> {
    let query = sqlx::query!(
        "insert into captions (video_id, lang, kind, cues, is_of_film) values ($1, $2, $3, $4, true)",
        video_id,
        track.lang,
        track.kind.as_str(),
        cues
    );
    run(query, conn).await
}

/// A video whose captions are changed. It is locked until the transaction ends.
#[derive(Debug, Clone)]
pub struct CaptionedVideo {
    id: i64,
    /// Status of the video.
    pub status_id: UploadStatus,
    /// Number of its tracks.
    pub tracks: i64,
}

/// Locks a video that has a film and isn't deleted: a member's own, or any if `user_id` is `None`.
pub async fn lock(conn: &mut PgConnection, user_id: Option<i64>, video_id: i64) -> Result<Option<CaptionedVideo>> {
    let query = sqlx::query!(
        r#"select status_id as "status_id: UploadStatus" from videos
           where id = $1 and ($2::bigint is null or (user_id = $2 and replaces is null)) and status_id <> deleted()
             and media_key is not null
           for update"#,
        video_id,
        user_id
    );
    let Some(row) = query.fetch_optional(&mut *conn).await? else { return Ok(None) };
    let count = sqlx::query_scalar!(r#"select count(*) as "n!" from captions where video_id = $1"#, video_id);
    Ok(Some(CaptionedVideo { id: video_id, status_id: row.status_id, tracks: count.fetch_one(conn).await? }))
}

impl CaptionedVideo {
    /// Sets the cues of a track, a JSON array. Returns whether it is a new track.
    pub async fn set(&self, conn: &mut PgConnection, track: &CaptionTrack, cues: &Value) -> Result<bool> {
        let query = sqlx::query_scalar!(
            r#"insert into captions (video_id, lang, kind, cues) values ($1, $2, $3, $4)
               on conflict (video_id, lang, kind) do update set cues = excluded.cues, is_of_film = false
               returning (xmax = 0) as "is_new!""#,
            self.id,
            track.lang,
            track.kind.as_str(),
            cues
        );
        Ok(query.fetch_one(conn).await?)
    }

    /// Removes a track. Returns `false` if there is no such track.
    pub async fn remove(&self, conn: &mut PgConnection, track: &CaptionTrack) -> Result<bool> {
        let query = sqlx::query!(
            "delete from captions where video_id = $1 and lang = $2 and kind = $3",
            self.id,
            track.lang,
            track.kind.as_str()
        );
        Ok(query.execute(conn).await?.rows_affected() > 0)
    }

    /// Requests a decision, because nobody has reviewed the new text. Returns the video's status.
    pub async fn request_review(&self, conn: &mut PgConnection) -> Result<UploadStatus> {
        let query = sqlx::query_scalar!(
            r#"update videos set revision = revision + 1,
                      status_id = case when status_id = draft() then draft() else in_review() end
               where id = $1 returning status_id as "status_id: UploadStatus""#,
            self.id
        );
        Ok(query.fetch_one(conn).await?)
    }
}
