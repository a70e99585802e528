//! Reading of existing videos, for imports and exports.

use std::collections::HashMap;

use sqlx::{PgConnection, PgPool};
use time::{Date, OffsetDateTime};

use super::ImportRow;
use crate::Result;

/// The previous import of a row.
pub(super) struct KnownRow {
    pub digest: Vec<u8>,
    pub video_id: Option<i64>,
    /// Whether the video was deleted or rejected.
    pub is_closed: bool,
    /// Whether a person's decision is all that the video is waiting for.
    pub waits: bool,
    /// Whether the film is stored on this site, with its own pictures.
    pub has_film: bool,
    /// SHA-256 of the picture's reference.
    pub picture_digest: Option<Vec<u8>>,
}

/// Returns the previous imports of the rows with these ids, locked until the transaction ends.
pub(super) async fn previous(
    conn: &mut PgConnection,
    source: &str,
    source_ids: Vec<String>,
) -> Result<HashMap<String, KnownRow>> {
    let query = sqlx::query!(
        r#"select i.source_id, i.digest, coalesce(i.video_id, u.video_id) as video_id,
                  coalesce(v.status_id in (rejected(), deleted()), true) as "is_closed!",
                  coalesce(v.status_id = in_review()
                           and not exists (select from report_hides h where h.section = 'video' and h.object_id = v.id)
                           and not exists (select from performer_consents p where p.video_id = v.id and p.revoked_at is not null),
                           false) as "waits!",
                  v.media_key is not null as "has_film!", case when v.picture_key is not null then i.picture_digest end as picture_digest
           from imports i left join uploads u on u.id = i.upload_id left join videos v on v.id = coalesce(i.video_id, u.video_id)
           where i.source = $1 and i.source_id = any($2) for update of i"#,
        source,
        &source_ids
    );
    let rows = query.fetch_all(conn).await?.into_iter();
    Ok(rows
        .map(|row| {
            let known = KnownRow {
                digest: row.digest,
                video_id: row.video_id,
                is_closed: row.is_closed,
                waits: row.waits,
                has_film: row.has_film,
                picture_digest: row.picture_digest,
            };
            (row.source_id, known)
        })
        .collect())
}

/// Returns the videos that have the external site and id named by one of the rows.
pub(super) async fn embed_holders(
    conn: &mut PgConnection,
    rows: &[ImportRow],
) -> Result<HashMap<(String, String), i64>> {
    let (sites, ids): (Vec<String>, Vec<String>) = rows.iter().filter_map(|row| row.embed.clone()).unzip();
    if sites.is_empty() {
        return Ok(HashMap::new());
    }
    let query = sqlx::query!(
        r#"select v.id, v.ex_tube as "site!", v.ex_id as "ex_id!" from unnest($1::text[], $2::text[]) as e(site, id)
           join videos v on v.ex_tube = e.site and v.ex_id = e.id"#,
        &sites,
        &ids
    );
    let rows = query.fetch_all(conn).await?.into_iter();
    Ok(rows.map(|row| ((row.site, row.ex_id), row.id)).collect())
}

/// An exported video.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of videos, documented in the migrations")]
pub struct ExportRow {
    pub id: i64,
    pub source_id: Option<String>,
    pub title: String,
    pub lang: String,
    pub description: String,
    pub chapters: String,
    pub gender: String,
    pub duration: i32,
    pub post_date: OffsetDateTime,
    pub publish_at: Option<OffsetDateTime>,
    pub is_private: bool,
    pub is_hd: bool,
    pub media_key: Option<String>,
    pub picture_key: Option<String>,
    pub ex_tube: Option<String>,
    pub ex_id: Option<String>,
    pub username: Option<String>,
    pub viewed: i64,
    pub likes: i32,
    pub dislikes: i32,
    /// Dirs of its categories.
    pub categories: Vec<String>,
    /// Dirs of its models.
    pub models: Vec<String>,
    /// Language, title and description of each translation.
    pub translations: Vec<(String, String, String)>,
    /// Consents that haven't been revoked.
    pub consents: Vec<ExportedConsent>,
}

/// A model's consent to appear in a video.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the columns of performer_consents, documented in the migrations")]
pub struct ExportedConsent {
    pub model: String,
    pub signed_on: Date,
    pub document_kind: String,
    pub document_ref: String,
}

/// Returns up to `limit` videos that aren't deleted, nor new films of others, and have ids greater than `id`, in ascending order. They are from
/// one source, or from all.
pub async fn after(pool: &PgPool, id: i64, source: Option<&str>, limit: i64) -> Result<Vec<ExportRow>> {
    let query = sqlx::query!(
        r#"select v.id, i.source_id as "source_id?", v.title, v.lang, v.description, v.chapters, v.gender, v.duration, v.post_date, v.publish_at, v.is_private,
                  v.is_hd, v.media_key, v.picture_key, v.ex_tube, v.ex_id, u.username as "username?", s.viewed, s.likes, s.dislikes,
                  array(select c.dir from video_categories l join categories c on c.id = l.category_id
                        where l.video_id = v.id order by c.dir) as "categories!",
                  array(select m.dir from video_models l join models m on m.id = l.model_id
                        where l.video_id = v.id order by m.dir) as "models!"
           from videos v join video_stats s on s.video_id = v.id left join users u on u.id = v.user_id
                left join lateral (select min(source_id) as source_id from imports where video_id = v.id and source = $2) i on true
           where v.id > $1 and v.status_id <> deleted() and v.replaces is null and ($2::text is null or i.source_id is not null) order by v.id limit $3"#,
        id,
        source,
        limit
    );
    let rows = query.fetch_all(pool).await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut translations = translations(pool, &ids).await?;
    let mut consents = consents(pool, &ids).await?;
    let exported = rows.into_iter().map(|row| ExportRow {
        translations: translations.remove(&row.id).unwrap_or_default(),
        consents: consents.remove(&row.id).unwrap_or_default(),
        id: row.id,
        source_id: row.source_id,
        title: row.title,
        lang: row.lang,
        description: row.description,
        chapters: row.chapters,
        gender: row.gender,
        duration: row.duration,
        post_date: row.post_date,
        publish_at: row.publish_at,
        is_private: row.is_private,
        is_hd: row.is_hd,
        media_key: row.media_key,
        picture_key: row.picture_key,
        ex_tube: row.ex_tube,
        ex_id: row.ex_id,
        username: row.username,
        viewed: row.viewed,
        likes: row.likes,
        dislikes: row.dislikes,
        categories: row.categories,
        models: row.models,
    });
    Ok(exported.collect())
}

async fn translations(pool: &PgPool, ids: &[i64]) -> Result<HashMap<i64, Vec<(String, String, String)>>> {
    let query = sqlx::query!(
        "select video_id, lang, title, description from video_translations where video_id = any($1) order by lang",
        ids
    );
    let mut all: HashMap<i64, Vec<_>> = HashMap::new();
    for row in query.fetch_all(pool).await? {
        all.entry(row.video_id).or_default().push((row.lang, row.title, row.description));
    }
    Ok(all)
}

async fn consents(pool: &PgPool, ids: &[i64]) -> Result<HashMap<i64, Vec<ExportedConsent>>> {
    let query = sqlx::query!(
        r#"select c.video_id as "video_id!", m.dir as model, c.signed_on, c.document_kind, c.document_ref
           from performer_consents c join models m on m.id = c.model_id
           where c.video_id = any($1) and c.revoked_at is null order by m.dir"#,
        ids
    );
    let mut all: HashMap<i64, Vec<_>> = HashMap::new();
    for row in query.fetch_all(pool).await? {
        all.entry(row.video_id).or_default().push(ExportedConsent {
            model: row.model,
            signed_on: row.signed_on,
            document_kind: row.document_kind,
            document_ref: row.document_ref,
        });
    }
    Ok(all)
}
