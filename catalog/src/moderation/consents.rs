//! Proof that the people in a video or an album are adults and agreed to it.

use serde_json::json;
use sqlx::{PgConnection, PgPool};
use time::Date;

use super::{
    Actor,
    record::{self, RecordEntry},
};
use crate::Result;

/// Kinds of documents: constraint `performer_consents_kind_known`.
pub const DOCUMENTS: [&str; 4] = ["passport", "national_id", "driving_licence", "residence_permit"];

/// A model of a video or an album.
#[derive(Debug, Clone)]
pub struct Performer {
    /// Name in addresses.
    pub dir: String,
    /// Name people read.
    pub title: String,
    /// At least 18 years ago.
    pub birth_date: Date,
    /// Their consent to it, unless it was revoked.
    pub consent: Option<Consent>,
}

/// A record of consent.
#[derive(Debug, Clone)]
pub struct Consent {
    /// When it was signed.
    pub signed_on: Date,
    /// One of [`DOCUMENTS`].
    pub document_kind: String,
    /// Who checked it.
    pub verified_by: String,
    /// Whether a copy of the document is here.
    pub has_proof: bool,
}

/// The models of a video or an album, by name.
pub async fn performers(conn: &mut PgConnection, section: &str, id: i64) -> Result<Vec<Performer>> {
    let query = sqlx::query!(
        r#"select m.dir, m.title, m.birth_date, c.signed_on as "signed_on?", c.document_kind as "document_kind?",
                  c.verified_by as "verified_by?", c.proof is not null as "has_proof!"
           from (select model_id from video_models where $1 = 'video' and video_id = $2
                 union all select model_id from album_models where $1 = 'album' and album_id = $2) l
                join models m on m.id = l.model_id
                left join performer_consents c on c.model_id = m.id and c.revoked_at is null
                          and case $1 when 'video' then c.video_id when 'album' then c.album_id end = $2
           order by m.title, m.id"#,
        section,
        id
    );
    let rows = query.fetch_all(conn).await?.into_iter().map(|row| {
        let consent = row.signed_on.zip(row.document_kind).zip(row.verified_by).map(
            |((signed_on, document_kind), verified_by)| Consent {
                signed_on,
                document_kind,
                verified_by,
                has_proof: row.has_proof,
            },
        );
        Performer { dir: row.dir, title: row.title, birth_date: row.birth_date, consent }
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
    /// When it was signed, not after today.
    pub signed_on: Date,
    /// One of [`DOCUMENTS`].
    pub document_kind: &'a str,
    /// Where the paper is kept.
    pub document_ref: &'a str,
    /// A copy of the document, sealed for [`place`].
    pub proof: Option<&'a [u8]>,
    /// Its media type.
    pub proof_type: Option<&'a str>,
}

/// What came of recording a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentOutcome {
    /// It is there.
    Done,
    /// It has no such model.
    NoPerformer,
    /// The model was not an adult that day.
    NotAdult,
}

/// Where the copy of a document lies, for its seal.
#[must_use]
pub fn place((section, id): (&str, i64), model: &str) -> String {
    match section {
        // As it was when there were no others.
        "video" => format!("consent {id} {model}"),
        section => format!("consent {section} {id} {model}"),
    }
}

/// Records a consent, or anew where there is one.
pub async fn record(pool: &PgPool, actor: &Actor<'_>, new: NewConsent<'_>) -> Result<ConsentOutcome> {
    let mut transaction = pool.begin().await?;
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
             proof = excluded.proof, proof_type = excluded.proof_type, revoked_at = null",
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

/// The copy of a document, sealed for [`place`], and its media type.
pub async fn proof(pool: &PgPool, (section, id): (&str, i64), model: &str) -> Result<Option<(Vec<u8>, String)>> {
    let query = sqlx::query!(
        "select c.proof, c.proof_type from performer_consents c join models m on m.id = c.model_id
         where case $3 when 'video' then c.video_id when 'album' then c.album_id end = $1 and m.dir = $2",
        id,
        model,
        section
    );
    Ok(query.fetch_optional(pool).await?.and_then(|row| row.proof.zip(row.proof_type)))
}
