//! Imported rows that have a film. The film is processed like an upload.

use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::{PgConnection, PgPool, types::Json};
use time::{Date, OffsetDateTime};

use crate::{
    Result,
    films::{self, FilmDetails},
    moderation::{
        Actor,
        record::{self, RecordEntry},
    },
    run,
    status::UploadStatus,
    uploads::{self, UploadPiece},
};

/// Data of an imported video, which is carried along until the video exists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Name of the source system.
    pub source: String,
    /// Publication date in the source system.
    #[serde(with = "time::serde::rfc3339::option")]
    pub date: Option<OffsetDateTime>,
    /// Numbers of views, upvotes and downvotes.
    pub counts: (i64, i32, i32),
    /// Language, title and description of each translation.
    pub translations: Vec<(String, String, String)>,
    /// Model dir, day, document kind and document location of each consent.
    pub consents: Vec<(String, Date, String, String)>,
    /// Whether the video is published without a review on this site.
    pub is_cleared: bool,
}

/// A film that has been uploaded completely.
#[derive(Debug, Clone)]
pub struct NewFilm<'a> {
    /// Name of the film's file.
    pub token: &'a str,
    /// Size of the file in bytes.
    pub size_bytes: i64,
    /// Id of the film's row in the source system.
    pub source_id: &'a str,
    /// SHA-256 of the source row.
    pub digest: [u8; 32],
    /// Future owner of the video.
    pub user_id: i64,
    /// Metadata from the row, whose origin names the source.
    pub details: &'a FilmDetails,
    /// Whether the film was produced exclusively for this site. Such a film may be shorter than others.
    pub is_exclusive: bool,
    /// When the film is removed, unless it has been processed.
    pub expires_at: OffsetDateTime,
    /// Storage group of the film's pieces, or 0 for a file on this node.
    pub group: i32,
    /// The pieces in order, in a group other than 0.
    pub pieces: &'a [UploadPiece],
}

/// State of an imported row that has a film.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportedFilm {
    /// The row hasn't been imported yet, or was imported without its film. The film is needed.
    Needed,
    /// The film is being processed, from this or another version of the row.
    Waits,
    /// Processing failed with this code.
    Failed(String),
    /// The film's video exists.
    There,
}

/// Returns the state of a row's film.
pub async fn film(pool: &PgPool, source: &str, source_id: &str, digest: &[u8]) -> Result<ImportedFilm> {
    let query = sqlx::query!(
        r#"select i.digest = $3 as "is_same!", u.state as "state?", u.error_code, v.id as "video_id?", v.media_key,
                  v.status_id as "status_id?: UploadStatus"
           from imports i left join uploads u on u.id = i.upload_id left join videos v on v.id = coalesce(i.video_id, u.video_id)
           where i.source = $1 and i.source_id = $2"#,
        source,
        source_id,
        digest
    );
    let Some(row) = query.fetch_optional(pool).await? else { return Ok(ImportedFilm::Needed) };
    let was_closed = matches!(row.status_id, Some(UploadStatus::Rejected | UploadStatus::Deleted));
    if row.video_id.is_some() && (row.media_key.is_some() || was_closed) {
        return Ok(ImportedFilm::There);
    }
    Ok(match row.state.as_deref() {
        Some("receiving" | "received" | "processing") => ImportedFilm::Waits,
        Some("failed") if row.is_same => ImportedFilm::Failed(row.error_code.unwrap_or_default()),
        _ => ImportedFilm::Needed,
    })
}

/// Enqueues processing of a film. The film's video replaces the placeholder video, if there is one.
pub async fn enqueue(pool: &PgPool, source: &str, film: &NewFilm<'_>) -> Result<()> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    sqlx::query!(
        "delete from videos where status_id = draft() and media_key is null
         and id = (select video_id from imports where source = $1 and source_id = $2)",
        source,
        film.source_id
    )
    .execute(&mut *conn)
    .await?;
    let query = sqlx::query_scalar!(
        "insert into uploads (token, user_id, kind, file_name, size_bytes, received_bytes, state, metadata, described_at, is_exclusive,
                              expires_at, sg_id)
         values ($1, $2, 'video', $3, $4, $4, 'received', $5, now(), $6, $7, $8) returning id",
        film.token,
        film.user_id,
        film.source_id,
        film.size_bytes,
        Json(film.details) as _,
        film.is_exclusive,
        film.expires_at,
        film.group
    );
    let id = query.fetch_one(&mut *conn).await?;
    for piece in film.pieces {
        uploads::add_piece(&mut *conn, id, piece).await?;
    }
    let query = sqlx::query!(
        "insert into imports (source, source_id, digest, upload_id) values ($1, $2, $3, $4)
         on conflict (source, source_id) do update set digest = excluded.digest, upload_id = excluded.upload_id, video_id = null,
             refused_code = null, refused_why = null, imported_at = now()",
        source,
        film.source_id,
        &film.digest[..],
        id
    );
    run(query, &mut *conn).await?;
    films::begin(conn, Some(id)).await?;
    transaction.commit().await?;
    Ok(())
}

/// Counts films that are queued or being processed.
pub async fn waiting(pool: &PgPool) -> Result<i64> {
    let query =
        sqlx::query_scalar!(r#"select count(*) as "n!" from uploads where state in ('received', 'processing')"#);
    Ok(query.fetch_one(pool).await?)
}

/// Applies the data carried along to a new video.
pub(crate) async fn apply_origin(conn: &mut PgConnection, video_id: i64, origin: &Origin) -> Result<()> {
    // No member chooses a screenshot, so the middle one is used.
    sqlx::query!(
        "update videos set post_date = coalesce($2, post_date), shot = 4,
                status_id = case when $3 then published() else in_review() end
         where id = $1",
        video_id,
        origin.date,
        origin.is_cleared
    )
    .execute(&mut *conn)
    .await?;
    let (viewed, likes, dislikes) = origin.counts;
    sqlx::query!(
        "update video_stats set viewed = $2, likes = $3, dislikes = $4 where video_id = $1",
        video_id,
        viewed,
        likes,
        dislikes
    )
    .execute(&mut *conn)
    .await?;
    for (lang, title, description) in &origin.translations {
        let query = sqlx::query!(
            "insert into video_translations (video_id, lang, title, description) values ($1, $2, $3, $4)",
            video_id,
            lang,
            title,
            description
        );
        run(query, &mut *conn).await?;
    }
    for (model, signed_on, kind, reference) in &origin.consents {
        let query = sqlx::query!(
            "insert into performer_consents (video_id, model_id, signed_on, document_kind, document_ref, verified_by, verified_at)
             select $1, id, $3, $4, $5, $6, now() from models where dir = $2",
            video_id,
            model,
            signed_on,
            kind,
            reference,
            Actor::OPERATOR.name
        );
        run(query, &mut *conn).await?;
    }
    if origin.is_cleared {
        let details = json!({ "source": origin.source, "videos": [video_id] });
        record::add(conn, &Actor::OPERATOR, RecordEntry { act: "import", object: None, details }).await?;
    }
    Ok(())
}
