//! Videos taken over from another system: many at a time, and the same one any number of times.

mod films;
mod links;
mod names;
mod read;
mod write;

use sqlx::{PgConnection, PgPool};
use time::{Date, OffsetDateTime};

pub(crate) use films::carry;
pub use films::{ImportedFilm, NewFilm, Origin, enqueue, film, waiting};
pub use names::{
    ImportedCategory, ImportedModel, NewModel, StoreOutcome, categories, members, models, store_category, store_model,
};
pub use read::{ExportRow, ExportedConsent, after as export_after};

use crate::Result;

/// A row of another system, looked at and ready to become a video.
#[derive(Debug, Clone)]
pub struct ImportRow {
    /// The id it has there.
    pub source_id: String,
    /// SHA-256 of the row as it was read.
    pub digest: [u8; 32],
    /// Title, 1 to 300 characters.
    pub title: String,
    /// Title in an address.
    pub dir: String,
    /// Description, at most 5,000 characters.
    pub description: String,
    /// Language of both.
    pub lang: &'static str,
    /// Wire code of the orientation.
    pub gender: &'static str,
    /// Seconds.
    pub duration: i32,
    /// When it was published there.
    pub date: Option<OffsetDateTime>,
    /// Whether only members may watch it.
    pub is_private: bool,
    /// Whether it is 720 pixels high or more.
    pub is_hd: bool,
    /// Site and id under which a player elsewhere shows it; without, it waits for a film.
    pub embed: Option<(String, String)>,
    /// Whose it becomes.
    pub user_id: Option<i64>,
    /// Ids of its categories.
    pub categories: Vec<i64>,
    /// Ids of its models.
    pub models: Vec<i64>,
    /// Language, title and description of each translation.
    pub translations: Vec<(&'static str, String, String)>,
    /// Views it had there.
    pub viewed: i64,
    /// Votes for it there.
    pub likes: i32,
    /// Votes against it there.
    pub dislikes: i32,
    /// Consents of its models.
    pub consents: Vec<ImportedConsent>,
    /// Whether it is shown without anybody looking at it here: who imports it answers for it, and its consents are there.
    pub is_cleared: bool,
    /// The picture it names; a film has its own.
    pub picture: Option<ImportedPicture>,
}

/// A picture that a row names.
#[derive(Debug, Clone)]
pub struct ImportedPicture {
    /// SHA-256 of what it is named by.
    pub digest: [u8; 32],
    /// Key of its files, once they are there.
    pub key: Option<String>,
}

impl ImportRow {
    /// Key of the picture that was brought.
    fn picture_key(&self) -> Option<&str> {
        self.picture.as_ref()?.key.as_deref()
    }

    /// Whether its video keeps the picture it has: the row names one that wasn't brought, or is there already.
    fn keeps_picture(&self) -> bool {
        self.picture.as_ref().is_some_and(|picture| picture.key.is_none())
    }
}

/// That a model agreed to a video.
#[derive(Debug, Clone)]
pub struct ImportedConsent {
    /// Id of the model.
    pub model_id: i64,
    /// When it was signed.
    pub signed_on: Date,
    /// One of [`DOCUMENTS`](crate::moderation::consents::DOCUMENTS).
    pub document_kind: String,
    /// Where the paper is kept.
    pub document_ref: String,
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportOutcome {
    /// A new video.
    Added,
    /// A video that was other before.
    Changed,
    /// A video that is as the row says, and had no picture.
    Pictured,
    /// A video that is as the row says.
    Same,
    /// Its video was deleted here, or a person rejected it: it stays so.
    Closed,
    /// Another video has the same site and id of a player elsewhere.
    Taken,
}

/// Makes videos of rows, no two of which have an id in common, in one transaction; says of each what became of it. A dry run writes
/// nothing.
pub async fn apply(pool: &PgPool, source: &str, rows: &[ImportRow], is_dry: bool) -> Result<Vec<ImportOutcome>> {
    let mut transaction = pool.begin().await?;
    let plan = plan(&mut transaction, source, rows).await?;
    if !is_dry {
        write::all(&mut transaction, source, rows, &plan).await?;
        transaction.commit().await?;
    }
    Ok(plan.into_iter().map(|planned| planned.outcome).collect())
}

/// Of each row whether its video lacks the picture that the row names.
pub async fn lacking(pool: &PgPool, source: &str, rows: &[ImportRow]) -> Result<Vec<bool>> {
    let mut transaction = pool.begin().await?;
    let plan = plan(&mut transaction, source, rows).await?;
    Ok(plan.into_iter().map(|planned| planned.lacks_picture).collect())
}

/// What has to become of a row.
struct RowPlan {
    outcome: ImportOutcome,
    /// Its video, where there is one.
    video_id: Option<i64>,
    lacks_picture: bool,
}

async fn plan(conn: &mut PgConnection, source: &str, rows: &[ImportRow]) -> Result<Vec<RowPlan>> {
    let known = read::known(conn, source, rows.iter().map(|row| row.source_id.clone()).collect()).await?;
    let holders = read::holders(conn, rows).await?;
    let plan = rows.iter().map(|row| {
        let before = known.get(&row.source_id);
        let video_id = before.and_then(|before| before.video_id);
        let holder = row.embed.as_ref().and_then(|embed| holders.get(embed));
        let outcome = match before {
            _ if holder.is_some_and(|holder| Some(*holder) != video_id) => ImportOutcome::Taken,
            None => ImportOutcome::Added,
            Some(before) if before.is_closed => ImportOutcome::Closed,
            // Who answers for it now says no less than who changes it.
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
