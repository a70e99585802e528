//! Bulk import of videos from another system, which can be repeated without effect.

mod films;
mod links;
mod names;
mod read;
mod status;
mod write;

use sqlx::{PgConnection, PgPool};
use time::{Date, OffsetDateTime};

pub(crate) use films::apply_origin;
pub use films::{ImportedFilm, NewFilm, Origin, enqueue, film, waiting};
pub use names::{
    ImportedCategory, ImportedModel, NewModel, StoreOutcome, categories, members, models, store_category, store_model,
};
pub use read::{ExportRow, ExportedConsent, after as export_after};
pub use status::{ImportedRow, STATES, counts, states};

use crate::Result;

/// A validated row from another system, which can become a video.
#[derive(Debug, Clone)]
pub struct ImportRow {
    /// Id in the source system.
    pub source_id: String,
    /// SHA-256 of the source row.
    pub digest: [u8; 32],
    /// Title, 1 to 300 characters.
    pub title: String,
    /// Path segment derived from the title.
    pub dir: String,
    /// Description, at most 5,000 characters.
    pub description: String,
    /// Chapters as stored ([`crate::chapters`]).
    pub chapters: String,
    /// Language of title and description.
    pub lang: &'static str,
    /// Wire code of the orientation.
    pub gender: &'static str,
    /// Duration in seconds.
    pub duration: i32,
    /// Publication date in the source system.
    pub date: Option<OffsetDateTime>,
    /// When the video is published. A time in the past has no effect.
    pub publish_at: Option<OffsetDateTime>,
    /// Whether only members may watch the video.
    pub is_private: bool,
    /// Whether the film is at least 720 pixels high.
    pub is_hd: bool,
    /// Site and id of an external player. `None` for a row that awaits a film.
    pub embed: Option<(String, String)>,
    /// Future owner of the video.
    pub user_id: Option<i64>,
    /// Ids of the video's categories.
    pub categories: Vec<i64>,
    /// Ids of the video's models.
    pub models: Vec<i64>,
    /// Language, title and description of each translation.
    pub translations: Vec<(&'static str, String, String)>,
    /// Views in the source system.
    pub viewed: i64,
    /// Upvotes in the source system.
    pub likes: i32,
    /// Downvotes in the source system.
    pub dislikes: i32,
    /// Consents of the video's models.
    pub consents: Vec<ImportedConsent>,
    /// Whether the video is published without a review on this site. The importer is then accountable for it, and the
    /// consents are present.
    pub is_cleared: bool,
    /// Picture named by the row. A row with a film has none, because pictures are made from the film.
    pub picture: Option<ImportedPicture>,
}

/// A picture named by a row.
#[derive(Debug, Clone)]
pub struct ImportedPicture {
    /// SHA-256 of the picture's reference.
    pub digest: [u8; 32],
    /// Key of the picture's files, once it has been fetched.
    pub key: Option<String>,
}

impl ImportRow {
    /// Returns the key of the picture, if it has been fetched.
    fn picture_key(&self) -> Option<&str> {
        self.picture.as_ref()?.key.as_deref()
    }

    /// Returns whether the video keeps its current picture. This is the case if the row's picture wasn't fetched or is
    /// already stored.
    fn keeps_picture(&self) -> bool {
        self.picture.as_ref().is_some_and(|picture| picture.key.is_none())
    }
}

/// A model's consent to appear in a video.
#[derive(Debug, Clone)]
pub struct ImportedConsent {
    /// Id of the model.
    pub model_id: i64,
    /// Date of signature.
    pub signed_on: Date,
    /// One of [`DOCUMENTS`](crate::moderation::consents::DOCUMENTS).
    pub document_kind: String,
    /// Where the document is archived.
    pub document_ref: String,
}

/// Outcome of importing a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportOutcome {
    /// A video was created.
    Added,
    /// A video was updated.
    Changed,
    /// The missing picture was added to a video that is otherwise unchanged.
    Pictured,
    /// Nothing has changed.
    Same,
    /// The row was skipped, because the video was deleted or rejected on this site and stays so.
    Closed,
    /// The row was skipped, because another video has the same external site and id.
    Taken,
}

/// Imports rows with distinct ids in one transaction and returns the outcome for each row. A dry run writes nothing.
pub async fn apply(pool: &PgPool, source: &str, rows: &[ImportRow], is_dry: bool) -> Result<Vec<ImportOutcome>> {
    let mut transaction = pool.begin().await?;
    let plan = plan(&mut transaction, source, rows).await?;
    if !is_dry {
        write::execute(&mut transaction, source, rows, &plan).await?;
        transaction.commit().await?;
    }
    Ok(plan.into_iter().map(|planned| planned.outcome).collect())
}

/// Returns for each row whether its video lacks the picture that the row names.
pub async fn lacking(pool: &PgPool, source: &str, rows: &[ImportRow]) -> Result<Vec<bool>> {
    let mut transaction = pool.begin().await?;
    let plan = plan(&mut transaction, source, rows).await?;
    Ok(plan.into_iter().map(|planned| planned.lacks_picture).collect())
}

/// What to do with a row.
struct RowPlan {
    outcome: ImportOutcome,
    /// Id of the row's video, if it exists.
    video_id: Option<i64>,
    lacks_picture: bool,
}

async fn plan(conn: &mut PgConnection, source: &str, rows: &[ImportRow]) -> Result<Vec<RowPlan>> {
    let known = read::previous(conn, source, rows.iter().map(|row| row.source_id.clone()).collect()).await?;
    let holders = read::embed_holders(conn, rows).await?;
    let plan = rows.iter().map(|row| {
        let before = known.get(&row.source_id);
        let video_id = before.and_then(|before| before.video_id);
        let holder = row.embed.as_ref().and_then(|embed| holders.get(embed));
        let outcome = match before {
            _ if holder.is_some_and(|holder| Some(*holder) != video_id) => ImportOutcome::Taken,
            None => ImportOutcome::Added,
            Some(before) if before.is_closed => ImportOutcome::Closed,
            // If the importer becomes accountable, this is a change, even if the row is the same.
            Some(before) if before.digest != row.digest || before.waits && row.is_cleared => ImportOutcome::Changed,
            Some(_) if row.picture_key().is_some() => ImportOutcome::Pictured,
            Some(_) => ImportOutcome::Same,
        };
        let has = |picture: &ImportedPicture| {
            before
                .is_some_and(|before| before.has_film || before.picture_digest.as_deref() == Some(&picture.digest[..]))
        };
        let lacks_picture = !matches!(outcome, ImportOutcome::Taken | ImportOutcome::Closed)
            && row.picture.as_ref().is_some_and(|picture| !has(picture));
        RowPlan { outcome, video_id, lacks_picture }
    });
    Ok(plan.collect())
}
