//! Audio tracks of films that have several.

use sqlx::{PgConnection, types::Json};

use crate::Result;

/// What an audio track is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AudioKind {
    /// The film's sound, in the original or another language.
    Main,
    /// Remarks about the film.
    Commentary,
    /// Descriptions of what is seen, for people who can't see it.
    Descriptions,
}

/// An audio track of a film.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct AudioTrack {
    /// ISO 639-1 code of the language, if the file names one.
    pub lang: Option<String>,
    /// Title that the file gives it, in one line. It may be empty.
    pub title: String,
    /// What it is for.
    pub kind: AudioKind,
}

/// Returns the audio tracks of a video, the default first. Empty if there is one at most, or no such video.
pub async fn of_video(conn: &mut PgConnection, video_id: i64) -> Result<Vec<AudioTrack>> {
    let query = sqlx::query_scalar!(
        r#"select audio_tracks as "tracks: Json<Vec<AudioTrack>>" from videos where id = $1"#,
        video_id
    );
    Ok(query.fetch_optional(conn).await?.map_or_else(Vec::new, |tracks| tracks.0))
}
