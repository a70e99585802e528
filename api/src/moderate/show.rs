//! `GET /api/moderate/upload`: all there is to see of an upload before somebody decides on it.

use axum::{extract::State, response::Response};
use lantern_catalog::{
    moderation::{
        consents::{self, Performer},
        queue::{self, QueuedUpload},
        record::{self, RecordedDecision},
    },
    reports::queue as reports,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query,
    openapi::{Doc, id_schema, invalid, query, refusal},
    private,
};
use lantern_index::text::TermList;
use lantern_media::clips;
use lantern_search::index::{large_picture, rfc3339};
use serde::Serialize;
use serde_json::{Value, to_value};
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{Moderator, UploadKind, for_moderators, kinds, like::LikeItem, queue::QueueItem};
use crate::{media::stream_links::StreamLinks, upload::show::shots};

/// Rows of the record that belong to an upload, at most.
const DECISIONS: i64 = 50;

/// An upload, its member and what others said of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadAnswer {
    /// As the queue shows it.
    upload: QueueItem,
    /// 1 active, 2 waits for a decision, 3 its member isn't done with it, 4 rejected.
    #[schema(example = 2, minimum = 1, maximum = 4)]
    status_id: i16,
    /// What its member says of it.
    #[schema(example = "")]
    description: String,
    /// Language of both.
    #[schema(example = "en")]
    lang: String,
    /// For whom it is.
    #[schema(value_type = lantern_config::Gender)]
    gender: String,
    /// Whether only members may see it.
    #[schema(example = false)]
    is_private: bool,
    /// Names in URLs of its categories.
    #[schema(example = json!(["city"]))]
    categories: Vec<String>,
    /// As its member's browser called the file.
    #[schema(example = "film.mp4")]
    file_name: Option<String>,
    /// Seconds of its film.
    #[schema(example = 365, minimum = 0)]
    duration: i32,
    /// Pixels of its tallest rendition.
    #[schema(example = 480, minimum = 0)]
    height: i16,
    /// Ten of a video's frames, or all photos of an album, the one that stands for it first.
    #[schema(example = json!(["/media/p/films/0a/0a1b2c/shot-0-320.webp"]))]
    frames: Vec<String>,
    /// Links to its streams; `null` of an album.
    file: Option<clips::Manifest>,
    /// The people its member names.
    performers: Vec<PerformerItem>,
    /// Its member; `null` when the account ended.
    uploader: Option<UploaderItem>,
    /// Videos that its film looks like, those that were taken down first, then the nearest.
    like: Vec<LikeItem>,
    /// What others said of it, and nobody decided on.
    reports: Vec<ReportItem>,
    /// What was decided on it, the latest first.
    decisions: Vec<DecisionItem>,
}

/// Somebody who is shown.
#[derive(Debug, Serialize, ToSchema)]
pub struct PerformerItem {
    /// Name in URLs.
    #[schema(example = "mika-sato")]
    dir: String,
    /// Name people read.
    #[schema(example = "Mika Sato")]
    title: String,
    /// ISO 8601.
    #[schema(example = "1990-01-01")]
    birth_date: String,
    /// When the consent was signed; `null` where none is recorded.
    #[schema(example = "2026-09-01")]
    signed_on: Option<String>,
    /// When the model took the consent back, RFC 3339; `null` unless that is so.
    #[schema(example = json!(null), format = DateTime)]
    revoked_at: Option<String>,
    /// Kind of the document that was checked.
    #[schema(example = "passport")]
    document: Option<String>,
    /// Who checked it.
    #[schema(example = "nils")]
    verified_by: Option<String>,
    /// Where the copy of it is; `null` where there is none.
    #[schema(example = "/api/moderate/proof?section=video&id=1&model=mika-sato")]
    proof: Option<String>,
}

/// What is known of a member who uploads.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploaderItem {
    /// Since when the account exists, RFC 3339.
    #[schema(example = "2026-01-01T12:00:00Z", format = DateTime)]
    created_at: String,
    /// Uploads that are shown.
    #[schema(example = 12, minimum = 0)]
    shown: i64,
    /// Uploads that were rejected.
    #[schema(example = 1, minimum = 0)]
    rejected: i64,
    /// Uploads that were taken down.
    #[schema(example = 0, minimum = 0)]
    taken_down: i64,
    /// Reports of uploads that were right.
    #[schema(example = 0, minimum = 0)]
    reported: i64,
    /// Times they were banned.
    #[schema(example = 0, minimum = 0)]
    bans: i64,
}

/// A report.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportItem {
    /// Its number.
    #[schema(example = 1, minimum = 1)]
    pub(super) id: i64,
    /// A word of `reports.reasons`.
    #[schema(example = "copyright")]
    pub(super) reason: Option<String>,
    /// What it says.
    #[schema(example = "The film is another site's.")]
    pub(super) message: String,
    /// Who wrote it; `null` for a guest.
    #[schema(example = json!(null))]
    pub(super) username: Option<String>,
    /// When, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    pub(super) created_at: String,
}

/// A row of the record.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecisionItem {
    /// Its number.
    #[schema(example = 3, minimum = 1)]
    number: i64,
    /// When, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    decided_at: String,
    /// Who decided.
    #[schema(example = "nils")]
    actor: String,
    /// What was done.
    #[schema(example = "approve")]
    act: String,
    /// What else belongs to it.
    details: Value,
}

pub fn doc(_: &Config) -> Doc {
    let doc = Doc::new("moderation", "upload", "/api/moderate/upload", "An upload, as who decides on it sees it");
    for_moderators(doc)
        .takes(query("section", "Kind of the upload.", kinds(), "video").required())
        .takes(query("id", "Its id.", id_schema(), 1).required())
        .answers::<UploadAnswer>("All there is to see.")
        .refuses(refusal(404, &[("video_not_found", "no such video"), ("album_not_found", "no such album")]))
        .refuses(refusal(422, &[("required", "a parameter is not there")]))
        .refuses(invalid())
}

pub async fn show(
    State(pool): State<PgPool>,
    State(links): State<StreamLinks>,
    State(prohibited): State<TermList>,
    _: Moderator,
    query: Query,
) -> ApiResult<Response> {
    Ok(private::uncompressed(get(&pool, &links, &prohibited, UploadKind::named(&query)?).await?))
}

async fn get(
    pool: &PgPool,
    links: &StreamLinks,
    prohibited: &TermList,
    (kind, id): (UploadKind, i64),
) -> ApiResult<UploadAnswer> {
    let object = (kind.as_str(), id);
    let upload = queue::find(pool, kind.as_str(), id).await?.ok_or(kind.missing())?;
    let performers = consents::performers(&mut *pool.acquire().await?, kind.as_str(), id).await?;
    let uploader = match upload.user_id {
        Some(user_id) => queue::uploader(pool, user_id).await?,
        None => None,
    };
    let reports = reports::about(pool, kind.as_str(), id).await?;
    let like = match kind {
        UploadKind::Video => queue::like(pool, id).await?,
        UploadKind::Album => Vec::new(),
    };
    let decisions = record::list(pool, record::WantedRecord { object: Some(object), limit: DECISIONS }).await?;
    Ok(UploadAnswer {
        status_id: upload.status_id,
        description: upload.description.clone(),
        lang: upload.lang.clone(),
        gender: upload.gender.clone(),
        is_private: upload.is_private,
        categories: upload.categories.clone(),
        file_name: upload.file_name.clone(),
        duration: upload.duration,
        height: upload.height,
        frames: frames(&upload),
        file: manifest(links, &upload)?,
        performers: performers.into_iter().map(|one| PerformerItem::new(one, object)).collect(),
        uploader: uploader.as_ref().map(UploaderItem::new),
        like: like.into_iter().map(LikeItem::new).collect(),
        reports: reports.into_iter().map(ReportItem::new).collect(),
        decisions: decisions.into_iter().map(DecisionItem::new).collect::<ApiResult<_>>()?,
        upload: QueueItem::new(upload, prohibited),
    })
}

fn frames(upload: &QueuedUpload) -> Vec<String> {
    let photos = upload.photos.iter().map(|photo| large_picture(Some(photo)));
    photos.chain(shots(upload.media_key.as_deref())).collect()
}

fn manifest(links: &StreamLinks, upload: &QueuedUpload) -> ApiResult<Option<clips::Manifest>> {
    let Some(key) = &upload.media_key else { return Ok(None) };
    links.sign(key, u16::try_from(upload.height).map_err(ApiError::internal)?, 0).map(Some)
}

impl PerformerItem {
    fn new(performer: Performer, (section, id): (&str, i64)) -> Self {
        let Performer { dir, title, birth_date, consent, revoked_at } = performer;
        let proof = consent.as_ref().filter(|consent| consent.has_proof);
        Self {
            proof: proof.map(|_| format!("/api/moderate/proof?section={section}&id={id}&model={dir}")),
            revoked_at: revoked_at.map(|at| rfc3339(at.unix_timestamp())),
            signed_on: consent.as_ref().map(|consent| consent.signed_on.to_string()),
            document: consent.as_ref().map(|consent| consent.document_kind.clone()),
            verified_by: consent.map(|consent| consent.verified_by),
            birth_date: birth_date.to_string(),
            dir,
            title,
        }
    }
}

impl UploaderItem {
    fn new(uploader: &queue::QueuedUploader) -> Self {
        Self {
            created_at: rfc3339(uploader.created_at.unix_timestamp()),
            shown: uploader.shown,
            rejected: uploader.rejected,
            taken_down: uploader.taken_down,
            reported: uploader.reported,
            bans: uploader.bans,
        }
    }
}

impl ReportItem {
    fn new(report: reports::Report) -> Self {
        Self {
            id: report.id,
            reason: report.reason,
            message: report.message,
            username: report.username,
            created_at: rfc3339(report.created_at.unix_timestamp()),
        }
    }
}

impl DecisionItem {
    fn new(decision: RecordedDecision) -> ApiResult<Self> {
        Ok(Self {
            number: decision.number,
            decided_at: rfc3339(decision.decided_at.unix_timestamp()),
            actor: decision.actor,
            act: decision.act,
            details: to_value(decision.details).map_err(ApiError::internal)?,
        })
    }
}
