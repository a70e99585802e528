//! `GET /api/moderate/upload`: all data for reviewing an upload.

use axum::{extract::State, response::Response};
use lantern_catalog::{
    audio_tracks,
    moderation::{
        consents::{self, Performer},
        queue::{self, QueuedUpload},
        record::{self, RecordedDecision},
    },
    reports::queue as reports,
    status::UploadStatus,
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
use lantern_media::pictures::{large_picture, shots};
use lantern_search::index::rfc3339;
use serde::Serialize;
use serde_json::{Value, to_value};
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{Moderator, UploadKind, for_moderators, kinds, like::LikeItem, queue::QueueItem};
use crate::{media::stream_links::StreamLinks, video::captions::tracks};

/// Maximum number of decisions to list.
const MAX_DECISIONS: i64 = 50;

/// An upload, its member and its reports.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadAnswer {
    /// Upload as in the queue.
    upload: QueueItem,
    /// Status.
    #[schema(example = 2)]
    status_id: UploadStatus,
    /// Description.
    #[schema(example = "")]
    description: String,
    /// Chapters, a line for each.
    #[schema(example = "")]
    chapters: String,
    /// Language of title and description.
    #[schema(example = "en")]
    lang: String,
    /// Orientation.
    #[schema(value_type = lantern_config::Gender)]
    gender: String,
    /// Whether only members may see it.
    #[schema(example = false)]
    is_private: bool,
    /// When it is published once approved, RFC 3339; `null` for at once.
    #[schema(example = json!(null), format = DateTime)]
    publish_at: Option<String>,
    /// Names of its categories in URLs.
    #[schema(example = json!(["city"]))]
    categories: Vec<String>,
    /// File name sent by the browser.
    #[schema(example = "film.mp4")]
    file_name: Option<String>,
    /// Duration of the film in seconds.
    #[schema(example = 365, minimum = 0)]
    duration: i32,
    /// Height of the largest rendition in pixels.
    #[schema(example = 480, minimum = 0)]
    height: i16,
    /// Ten frames of a video, or all photos of an album with the cover photo first.
    #[schema(example = json!(["/media/p/films/0a/0a1b2c/shot-0-320.webp"]))]
    frames: Vec<String>,
    /// Links to the streams; `null` for an album.
    file: Option<clips::Manifest>,
    /// Models named by its member.
    performers: Vec<PerformerItem>,
    /// Its member; `null` if the account was deleted.
    uploader: Option<UploaderItem>,
    /// Videos with a similar film: removed ones first, then the most similar.
    like: Vec<LikeItem>,
    /// Open reports.
    reports: Vec<ReportItem>,
    /// Decisions, latest first.
    decisions: Vec<DecisionItem>,
}

/// A model shown in an upload.
#[derive(Debug, Serialize, ToSchema)]
pub struct PerformerItem {
    /// Name in URLs.
    #[schema(example = "mika-sato")]
    dir: String,
    /// Display name.
    #[schema(example = "Mika Sato")]
    title: String,
    /// Date of birth, ISO 8601.
    #[schema(example = "1990-01-01")]
    birth_date: String,
    /// When the consent was signed; `null` if none is recorded.
    #[schema(example = "2026-09-01")]
    signed_on: Option<String>,
    /// When the consent was revoked, RFC 3339; otherwise `null`.
    #[schema(example = json!(null), format = DateTime)]
    revoked_at: Option<String>,
    /// Kind of the verified document.
    #[schema(example = "passport")]
    document: Option<String>,
    /// Moderator who verified the document.
    #[schema(example = "nils")]
    verified_by: Option<String>,
    /// Address of the copy of the document; `null` if there is none.
    #[schema(example = "/api/moderate/proof?section=video&id=1&model=mika-sato")]
    proof: Option<String>,
}

/// History of an uploading member.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploaderItem {
    /// When the account was created, RFC 3339.
    #[schema(example = "2026-01-01T12:00:00Z", format = DateTime)]
    created_at: String,
    /// Number of public uploads.
    #[schema(example = 12, minimum = 0)]
    shown: i64,
    /// Number of rejected uploads.
    #[schema(example = 1, minimum = 0)]
    rejected: i64,
    /// Number of uploads taken down.
    #[schema(example = 0, minimum = 0)]
    taken_down: i64,
    /// Number of justified reports of the member's uploads.
    #[schema(example = 0, minimum = 0)]
    reported: i64,
    /// Number of bans.
    #[schema(example = 0, minimum = 0)]
    bans: i64,
}

/// A report.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportItem {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    pub(super) id: i64,
    /// One of `reports.reasons`.
    #[schema(example = "copyright")]
    pub(super) reason: Option<String>,
    /// Message.
    #[schema(example = "The film is another site's.")]
    pub(super) message: String,
    /// Name of the reporter; `null` for a guest.
    #[schema(example = json!(null))]
    pub(super) username: Option<String>,
    /// When it was sent, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    pub(super) created_at: String,
}

/// A recorded decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecisionItem {
    /// Number in the record.
    #[schema(example = 3, minimum = 1)]
    number: i64,
    /// When it was decided, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    decided_at: String,
    /// Name of the moderator.
    #[schema(example = "nils")]
    actor: String,
    /// Kind of the decision.
    #[schema(example = "approve")]
    act: String,
    /// Details.
    details: Value,
}

pub fn doc(_: &Config) -> Doc {
    let doc = Doc::new("moderation", "upload", "/api/moderate/upload", "Get an upload for review");
    for_moderators(doc)
        .takes(query("section", "Kind of the upload.", kinds(), "video").required())
        .takes(query("id", "Id.", id_schema(), 1).required())
        .answers::<UploadAnswer>("The upload.")
        .refuses(refusal(404, &[("video_not_found", "no such video"), ("album_not_found", "no such album")]))
        .refuses(refusal(422, &[("required", "a required parameter is missing")]))
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
    // The models in a new film are those of its video, and so are their consents.
    let named = (kind.as_str(), upload.replaces.unwrap_or(id));
    let performers = consents::performers(&mut *pool.acquire().await?, named.0, named.1).await?;
    let uploader = match upload.user_id {
        Some(user_id) => queue::uploader(pool, user_id).await?,
        None => None,
    };
    let reports = reports::about(pool, kind.as_str(), id).await?;
    let like = match kind {
        UploadKind::Video => queue::like(pool, id).await?,
        UploadKind::Album => Vec::new(),
    };
    let decisions = record::list(pool, record::WantedRecord { object: Some(object), limit: MAX_DECISIONS }).await?;
    Ok(UploadAnswer {
        status_id: upload.status_id,
        description: upload.description.clone(),
        chapters: upload.chapters.clone(),
        lang: upload.lang.clone(),
        gender: upload.gender.clone(),
        is_private: upload.is_private,
        publish_at: upload.publish_at.map(|at| rfc3339(at.unix_timestamp())),
        categories: upload.categories.clone(),
        file_name: upload.file_name.clone(),
        duration: upload.duration,
        height: upload.height,
        frames: frames(&upload),
        file: manifest(pool, links, &upload, id).await?,
        performers: performers.into_iter().map(|one| PerformerItem::new(one, named)).collect(),
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

async fn manifest(
    pool: &PgPool,
    links: &StreamLinks,
    upload: &QueuedUpload,
    id: i64,
) -> ApiResult<Option<clips::Manifest>> {
    // Only films have a folder, so the id is that of a video.
    let Some(key) = &upload.media_key else { return Ok(None) };
    let mut conn = pool.acquire().await?;
    let captions = tracks::of_video(&mut conn, id).await?;
    let audio = audio_tracks::of_video(&mut conn, id).await?.iter().map(Into::into).collect();
    let signed = links.sign(key, u16::try_from(upload.height).map_err(ApiError::internal)?, None, 0)?;
    Ok(Some(clips::Manifest { audio, captions, ..signed }))
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
