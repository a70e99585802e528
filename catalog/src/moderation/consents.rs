//! Records of the age and consent of the performers in a video or album.

use serde_json::json;
use sqlx::{PgConnection, PgPool};
use time::{Date, OffsetDateTime};

use super::{
    Actor,
    record::{self, RecordEntry},
};
use crate::{Result, run};

/// Kinds of documents. The constraint `performer_consents_kind_known` has the same list.
pub const DOCUMENTS: [&str; 4] = ["passport", "national_id", "driving_licence", "residence_permit"];

/// A model who appears in a video or album.
#[derive(Debug, Clone)]
pub struct Performer {
    /// Path segment.
    pub dir: String,
    /// Display name.
    pub title: String,
    /// Date of birth, at least 18 years ago.
    pub birth_date: Date,
    /// The model's consent, unless it was revoked.
    pub consent: Option<Consent>,
    /// When the consent was revoked.
    pub revoked_at: Option<OffsetDateTime>,
}

/// A record of consent.
#[derive(Debug, Clone)]
pub struct Consent {
    /// Date of signature.
    pub signed_on: Date,
    /// One of [`DOCUMENTS`].
    pub document_kind: String,
    /// Name of the person who verified the document.
    pub verified_by: String,
    /// Whether a copy of the document is stored.
    pub has_proof: bool,
}

/// Returns the models of a video or album, by name.
pub async fn performers(conn: &mut PgConnection, section: &str, id: i64) -> Result<Vec<Performer>> {
    let query = sqlx::query!(
        r#"select m.dir, m.title, m.birth_date, c.signed_on as "signed_on?", c.document_kind as "document_kind?",
                  c.verified_by as "verified_by?", c.revoked_at as "revoked_at?", c.proof is not null as "has_proof!"
           from (select model_id from video_models where $1 = 'video' and video_id = $2
                 union all select model_id from album_models where $1 = 'album' and album_id = $2) l
                join models m on m.id = l.model_id
                left join performer_consents c on c.model_id = m.id
                          and case $1 when 'video' then c.video_id when 'album' then c.album_id end = $2
           order by m.title, m.id"#,
        section,
        id
    );
    let rows = query.fetch_all(conn).await?.into_iter().map(|row| {
        let signed_on = row.signed_on.filter(|_| row.revoked_at.is_none());
        let consent =
            signed_on.zip(row.document_kind).zip(row.verified_by).map(|((signed_on, document_kind), verified_by)| {
                Consent { signed_on, document_kind, verified_by, has_proof: row.has_proof }
            });
        Performer { dir: row.dir, title: row.title, birth_date: row.birth_date, consent, revoked_at: row.revoked_at }
    });
    Ok(rows.collect())
}

/// A consent to record.
#[derive(Debug, Clone, Copy)]
pub struct NewConsent<'a> {
    /// `video` or `album`, and its id.
    pub object: (&'a str, i64),
    /// Dir of the model.
    pub model: &'a str,
    /// Date of signature, not in the future.
    pub signed_on: Date,
    /// One of [`DOCUMENTS`].
    pub document_kind: &'a str,
    /// Where the document is archived.
    pub document_ref: &'a str,
    /// Copy of the document, encrypted for [`place`].
    pub proof: Option<&'a [u8]>,
    /// Media type of the copy.
    pub proof_type: Option<&'a str>,
}

/// Outcome of recording a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentOutcome {
    /// The consent was recorded.
    Done,
    /// The object has no such model.
    NoPerformer,
    /// The model was under 18 on that day.
    NotAdult,
    /// The model revoked a consent after that day.
    Revoked,
}

/// Returns the name of the place where a document copy is stored. The encrypted copy can be decrypted only for this
/// place.
#[must_use]
pub fn place((section, id): (&str, i64), model: &str) -> String {
    match section {
        // This format is from the time when only videos had consents.
        "video" => format!("consent {id} {model}"),
        section => format!("consent {section} {id} {model}"),
    }
}

/// Records a consent, which replaces an existing one. A revoked consent can be replaced only by one that was signed
/// after the revocation.
pub async fn record(pool: &PgPool, actor: &Actor<'_>, new: NewConsent<'_>) -> Result<ConsentOutcome> {
    let mut transaction = pool.begin().await?;
    let revoked = sqlx::query_scalar!(
        r#"select exists (
               select from performer_consents c join models m on m.id = c.model_id
               where m.dir = $2 and case $3 when 'video' then c.video_id when 'album' then c.album_id end = $1
                 and (c.revoked_at at time zone 'UTC')::date > $4) as "r!""#,
        new.object.1,
        new.model,
        new.object.0,
        new.signed_on
    );
    if revoked.fetch_one(&mut *transaction).await? {
        return Ok(ConsentOutcome::Revoked);
    }
    let query = sqlx::query!(
        "insert into performer_consents (model_id, video_id, album_id, signed_on, document_kind, document_ref, verified_by, verified_at,
                                         proof, proof_type)
         select m.id, l.video_id, l.album_id, $3, $4, $5, $6, now(), $7, $8
         from models m join (select model_id, video_id, null::bigint as album_id from video_models where $9 = 'video' and video_id = $1
                             union all select model_id, null, album_id from album_models where $9 = 'album' and album_id = $1
                       ) l on l.model_id = m.id
         where m.dir = $2
         on conflict (model_id, coalesce(video_id, 0), coalesce(album_id, 0)) where num_nonnulls(video_id, album_id) = 1
         do update set signed_on = excluded.signed_on, document_kind = excluded.document_kind,
             document_ref = excluded.document_ref, verified_by = excluded.verified_by, verified_at = excluded.verified_at,
             proof = excluded.proof, proof_type = excluded.proof_type, revoked_at = null, unneeded_since = null",
        new.object.1,
        new.model,
        new.signed_on,
        new.document_kind,
        new.document_ref,
        actor.name,
        new.proof,
        new.proof_type,
        new.object.0
    );
    match query.execute(&mut *transaction).await.map_err(crate::Error::from) {
        Ok(done) if done.rows_affected() == 0 => return Ok(ConsentOutcome::NoPerformer),
        Ok(_) => {}
        Err(error) if error.constraint() == Some("performer_consents_adult") => return Ok(ConsentOutcome::NotAdult),
        Err(error) => return Err(error),
    }
    let details = json!({ "model": new.model, "signed_on": new.signed_on.to_string(), "document": new.document_kind,
        "reference": new.document_ref, "proof": new.proof.is_some() });
    record::add(&mut transaction, actor, RecordEntry { act: "consent", object: Some(new.object), details }).await?;
    transaction.commit().await?;
    Ok(ConsentOutcome::Done)
}

/// Revokes a model's consent to a video or album and hides that object until a new decision, which requires a new
/// consent. Returns whether the object was visible, or `None` if there is no consent to revoke.
pub async fn revoke(
    pool: &PgPool,
    actor: &Actor<'_>,
    (section, id): (&str, i64),
    model: &str,
    note: &str,
) -> Result<Option<bool>> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let query = sqlx::query!(
        "update performer_consents c set revoked_at = now() from models m
         where m.id = c.model_id and m.dir = $2 and c.revoked_at is null
           and case $3 when 'video' then c.video_id when 'album' then c.album_id end = $1",
        id,
        model,
        section
    );
    if query.execute(&mut *conn).await?.rows_affected() == 0 {
        return Ok(None);
    }
    let hidden = hide(conn, section, id).await?;
    let details = json!({ "model": model, "hidden": hidden, "note": note });
    record::add(conn, actor, RecordEntry { act: "revoke consent", object: Some((section, id)), details }).await?;
    transaction.commit().await?;
    Ok(Some(hidden))
}

/// Makes an object await a decision if it is visible or would become visible without one. Returns whether it was
/// published or scheduled.
async fn hide(conn: &mut PgConnection, section: &str, id: i64) -> Result<bool> {
    let query = match section {
        "video" => {
            sqlx::query!(
                "update videos set status_id = in_review() where id = $1 and status_id in (published(), scheduled())",
                id
            )
        }
        _ => sqlx::query!("update albums set status_id = in_review() where id = $1 and status_id = published()", id),
    };
    let hidden = query.execute(&mut *conn).await?.rows_affected() > 0;
    // The object would become visible on its scheduled date, or when the reports that hid it are rejected.
    let query = sqlx::query!(
        "update videos set restore_status_id = in_review() where $1 = 'video' and id = $2
         and restore_status_id in (published(), scheduled())",
        section,
        id
    );
    run(query, &mut *conn).await?;
    let query = sqlx::query!(
        "update report_hides set before = '2' where section = $1 and object_id = $2 and before = '1'",
        section,
        id
    );
    run(query, conn).await?;
    Ok(hidden)
}

/// Returns the copy of a document, encrypted for [`place`], with its media type. The access is recorded before the copy
/// is returned.
pub async fn read_proof(
    pool: &PgPool,
    actor: &Actor<'_>,
    (section, id): (&str, i64),
    model: &str,
) -> Result<Option<(Vec<u8>, String)>> {
    let mut transaction = pool.begin().await?;
    let query = sqlx::query!(
        "select c.proof, c.proof_type from performer_consents c join models m on m.id = c.model_id
         where case $3 when 'video' then c.video_id when 'album' then c.album_id end = $1 and m.dir = $2",
        id,
        model,
        section
    );
    let found = query.fetch_optional(&mut *transaction).await?.and_then(|row| row.proof.zip(row.proof_type));
    if found.is_some() {
        let entry = RecordEntry { act: "read proof", object: Some((section, id)), details: json!({ "model": model }) };
        record::add(&mut transaction, actor, entry).await?;
        transaction.commit().await?;
    }
    Ok(found)
}

/// Maximum number of document copies that a run deletes.
const COPIES_AT_ONCE: i64 = 500;

/// Deletes the document copies for objects that have been gone for `days`, because they were irrevocably deleted or
/// have no row anymore. The records of verification are kept. Returns the number of deleted copies.
pub async fn drop_unneeded(pool: &PgPool, days: u32, now: OffsetDateTime) -> Result<usize> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let query = sqlx::query!(
        "update performer_consents c set unneeded_since = case when n.is_needed then null else $1::timestamptz end
         from (select p.id, exists (
                   select from videos v where v.id = p.video_id
                     and (v.status_id <> deleted() or v.restore_status_id is not null
                          or exists (select from quarantines q where q.section = 'video' and q.object_id = v.id))
                   union all select from albums a where a.id = p.album_id
                     and (a.status_id <> deleted() or exists (select from quarantines q where q.section = 'album' and q.object_id = a.id))
               ) as is_needed from performer_consents p where p.proof is not null) n
         where n.id = c.id and n.is_needed = (c.unneeded_since is not null)",
        now
    );
    run(query, &mut *conn).await?;
    let query = sqlx::query!(
        r#"update performer_consents c set proof = null, proof_type = null from models m
           where m.id = c.model_id and c.id in (
               select id from performer_consents
               where proof is not null and unneeded_since <= $1::timestamptz - make_interval(days => $2) order by id limit $3)
           returning m.dir, case when c.album_id is null then 'video' else 'album' end as "section!",
                     coalesce(c.video_id, c.album_id) as object_id"#,
        now,
        i32::try_from(days).unwrap_or(i32::MAX),
        COPIES_AT_ONCE
    );
    let gone = query.fetch_all(&mut *conn).await?;
    for row in &gone {
        let object = row.object_id.map(|id| (row.section.as_str(), id));
        record::add(
            conn,
            &Actor::SITE,
            RecordEntry { act: "delete proof", object, details: json!({ "model": row.dir }) },
        )
        .await?;
    }
    transaction.commit().await?;
    Ok(gone.len())
}
