//! Bulk import of videos from another system; idempotent.

mod films;
mod links;
mod names;
mod read;
mod write;

use sqlx::{PgConnection, PgPool};
use time::{Date, OffsetDateTime};

pub(crate) use films::apply_origin;
pub use films::{ImportedFilm, NewFilm, Origin, enqueue, film, waiting};
pub use names::{
    ImportedCategory, ImportedModel, NewModel, StoreOutcome, categories, members, models, store_category, store_model,
};
pub use read::{ExportRow, ExportedConsent, after as export_after};

use crate::Result;

/// A validated row of another system, ready to become a video.
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
    /// Language of title and description.
    pub lang: &'static str,
    /// Wire code of the orientation.
    pub gender: &'static str,
    /// Duration in seconds.
    pub duration: i32,
    /// Publication date in the source system.
    pub date: Option<OffsetDateTime>,
    /// Whether only members may watch it.
    pub is_private: bool,
    /// Whether it is at least 720 pixels high.
    pub is_hd: bool,
    /// Site and id of an external player; `None` for a row that awaits a film.
    pub embed: Option<(String, String)>,
    /// Its future owner.
    pub user_id: Option<i64>,
    /// Ids of its categories.
    pub categories: Vec<i64>,
    /// Ids of its models.
    pub models: Vec<i64>,
    /// Language, title and description of each translation.
    pub translations: Vec<(&'static str, String, String)>,
    /// Views in the source system.
    pub viewed: i64,
    /// Upvotes in the source system.
    pub likes: i32,
    /// Downvotes in the source system.
    pub dislikes: i32,
    /// Consents of its models.
    pub consents: Vec<ImportedConsent>,
    /// Whether it is published without a review here: the importer is accountable for it, and its consents are present.
    pub is_cleared: bool,
    /// Picture named by the row; a film has its own.
    pub picture: Option<ImportedPicture>,
}

/// A picture named by a row.
#[derive(Debug, Clone)]
pub struct ImportedPicture {
    /// SHA-256 of the picture's reference.
    pub digest: [u8; 32],
    /// Key of its files, once fetched.
    pub key: Option<String>,
}

impl ImportRow {
    /// Returns the key of the fetched picture.
    fn picture_key(&self) -> Option<&str> {
        self.picture.as_ref()?.key.as_deref()
    }

    /// Returns whether the video keeps its picture: the row names one that wasn't fetched, or is stored already.
    fn keeps_picture(&self) -> bool {
        self.picture.as_ref().is_some_and(|picture| picture.key.is_none())
    }
}

/// A model's consent to a video.
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
    /// Created a video.
    Added,
    /// Updated a video.
    Changed,
    /// Added the missing picture to an otherwise unchanged video.
    Pictured,
    /// Unchanged.
    Same,
    /// Skipped: the video was deleted or rejected here and stays so.
    Closed,
    /// Skipped: another video has the same external site and id.
    Taken,
}

/// Imports rows with distinct ids in one transaction and returns each row's outcome. A dry run writes nothing.
pub async fn apply(pool: &PgPool, source: &str, rows: &[ImportRow], is_dry: bool) -> Result<Vec<ImportOutcome>> {
    let mut transaction = pool.begin().await?;
    let plan = plan(&mut transaction, source, rows).await?;
    if !is_dry {
        write::execute(&mut transaction, source, rows, &plan).await?;
        transaction.commit().await?;
    }
    Ok(plan.into_iter().map(|planned| planned.outcome).collect())
}

/// Returns, for each row, whether its video lacks the picture named by the row.
pub async fn lacking(pool: &PgPool, source: &str, rows: &[ImportRow]) -> Result<Vec<bool>> {
    let mut transaction = pool.begin().await?;
    let plan = plan(&mut transaction, source, rows).await?;
    Ok(plan.into_iter().map(|planned| planned.lacks_picture).collect())
}

/// What to do with a row.
struct RowPlan {
    outcome: ImportOutcome,
    /// Its video, if it exists.
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
            // The importer becoming accountable is a change, even if the row is the same.
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
