//! How members create and edit their own albums.

mod photos;
mod sweep;

use sqlx::{PgConnection, PgPool};

use self::photos::PhotoPlace;
pub use self::{
    photos::{AlbumPhoto, NewPhoto, Refusal},
    sweep::{drop_deleted, expire_drafts, unnamed},
};
use crate::{Result, films::FilmDetails, prints, status::UploadStatus};

/// A member's own album, as shown in its form.
#[derive(Debug, Clone)]
pub struct OwnAlbum {
    /// Its metadata.
    pub details: FilmDetails,
    /// Never deleted.
    pub status_id: UploadStatus,
    /// Reason for a rejection, one of `moderation.reasons`.
    pub rejection: Option<String>,
    /// Its photos, in order.
    pub photos: Vec<AlbumPhoto>,
}

/// Returns a member's own album unless it is deleted.
pub async fn own(conn: &mut PgConnection, user_id: i64, album_id: i64) -> Result<Option<OwnAlbum>> {
    let query = sqlx::query!(
        r#"select title, description, lang, gender, is_private, status_id as "status_id: UploadStatus", rejection,
                  array(select c.dir from album_categories l join categories c on c.id = l.category_id
                        where l.album_id = a.id order by c.dir) as "categories!",
                  array(select m.dir from album_models l join models m on m.id = l.model_id
                        where l.album_id = a.id order by m.dir) as "models!"
           from albums a where id = $1 and user_id = $2 and status_id <> deleted()"#,
        album_id,
        user_id
    );
    let Some(row) = query.fetch_optional(&mut *conn).await? else { return Ok(None) };
    Ok(Some(OwnAlbum {
        details: FilmDetails {
            title: row.title,
            description: row.description,
            chapters: String::new(),
            lang: row.lang,
            gender: row.gender,
            categories: row.categories,
            models: row.models,
            is_private: row.is_private,
            publish_at: None,
            origin: None,
        },
        status_id: row.status_id,
        rejection: row.rejection,
        photos: photos::list(conn, album_id).await?,
    }))
}

/// Changes to a member's own album.
#[derive(Debug, Clone, Copy)]
pub struct AlbumChange<'a> {
    /// Album to change. `None` creates a new album from `details`.
    pub album_id: Option<i64>,
    /// New metadata. `None` leaves it unchanged.
    pub details: Option<&'a FilmDetails>,
    /// Path segment of a new album.
    pub dir: &'a str,
    /// Ids of photos to remove.
    pub remove: &'a [i64],
    /// Photos to append.
    pub add: &'a [NewPhoto],
    /// Ids of photos to move to the front, in this order.
    pub order: &'a [i64],
    /// Id of the cover photo.
    pub cover: Option<i64>,
    /// Whether a draft remains a draft.
    pub is_draft: bool,
}

/// Limits on albums.
#[derive(Debug, Clone, Copy)]
pub struct AlbumBounds {
    /// Maximum number of photos per album.
    pub photos: usize,
    /// Maximum number of albums per member that await a decision or are drafts.
    pub undecided: i64,
    /// Maximum number of bits by which a photo may differ from a banned one and still match it.
    pub look_bits: u8,
}

/// Outcome of a change. Unless it is `Done`, nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AlbumOutcome {
    /// The change was applied.
    Done(Done),
    /// The member has no such album.
    NoAlbum,
    /// The album has no such photo.
    NoPhoto,
    /// The album would be submitted without photos.
    Empty,
    /// The member has too many undecided albums.
    Quota,
    /// All new photos were refused.
    NoneTaken(Vec<(usize, Refusal)>),
}

/// An applied change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// Id of the album.
    pub album_id: i64,
    /// Status of the album now.
    pub status_id: UploadStatus,
    /// Keys of removed photos whose files can be deleted.
    pub removed: Vec<String>,
    /// Refused photos, identified by [`NewPhoto::index`], with the reasons.
    pub refused: Vec<(usize, Refusal)>,
}

/// Changes a member's own album or creates one. If the changes need a review, the album awaits a decision (again).
pub async fn change(pool: &PgPool, user_id: i64, change: AlbumChange<'_>, bounds: AlbumBounds) -> Result<AlbumOutcome> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let (album_id, before) = match (change.album_id, change.details) {
        (Some(id), _) => match lock(conn, user_id, id).await? {
            Some(status_id) => (id, status_id),
            None => return Ok(AlbumOutcome::NoAlbum),
        },
        (None, Some(details)) => match begin(conn, user_id, details, change.dir, bounds.undecided).await? {
            Some(id) => (id, UploadStatus::Draft),
            None => return Ok(AlbumOutcome::Quota),
        },
        (None, None) => return Ok(AlbumOutcome::NoAlbum),
    };
    let mut is_new = false;
    if let (Some(_), Some(details)) = (change.album_id, change.details) {
        is_new = revise(conn, user_id, album_id, details).await?;
    }
    let Some(mut removed) = photos::remove(conn, album_id, change.remove).await? else {
        return Ok(AlbumOutcome::NoPhoto);
    };
    // The moderator can still see photos that are under report.
    let held = prints::hold(conn, ("album", album_id), &removed).await?;
    removed.retain(|key| !held.contains(key));
    let refused = photos::add(conn, album_id, change.add, bounds).await?;
    if !refused.is_empty() && refused.len() == change.add.len() {
        return Ok(AlbumOutcome::NoneTaken(refused));
    }
    is_new |= !change.add.is_empty();
    if !photos::place(conn, album_id, PhotoPlace { first: change.order, cover: change.cover }).await? {
        return Ok(AlbumOutcome::NoPhoto);
    }
    let is_other = is_new || !change.remove.is_empty() || !change.order.is_empty() || change.cover.is_some();
    let status_id = match before {
        UploadStatus::Draft if change.is_draft => UploadStatus::Draft,
        UploadStatus::Draft => UploadStatus::InReview,
        _ if is_new => UploadStatus::InReview,
        UploadStatus::Rejected if is_other => UploadStatus::InReview,
        before => before,
    };
    if status_id != UploadStatus::Draft && photos::count(conn, album_id).await? == 0 {
        return Ok(AlbumOutcome::Empty);
    }
    save_status(conn, album_id, status_id, is_other, is_new).await?;
    transaction.commit().await?;
    Ok(AlbumOutcome::Done(Done { album_id, status_id, removed, refused }))
}

/// Returns the status of a member's own album, locked until the transaction ends.
async fn lock(conn: &mut PgConnection, user_id: i64, album_id: i64) -> Result<Option<UploadStatus>> {
    let query = sqlx::query_scalar!(
        r#"select status_id as "status_id: UploadStatus" from albums
           where id = $1 and user_id = $2 and status_id <> deleted() for update"#,
        album_id,
        user_id
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Creates a draft. Returns `None` if the member has too many undecided albums.
async fn begin(
    conn: &mut PgConnection,
    user_id: i64,
    details: &FilmDetails,
    dir: &str,
    undecided: i64,
) -> Result<Option<i64>> {
    // The calls are serialized per member, so that two concurrent requests can't both take the last slot.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('albums', $1))", user_id).execute(&mut *conn).await?;
    let query = sqlx::query_scalar!(
        "insert into albums (dir, title, lang, description, gender, status_id, is_private, is_new, user_id)
         select $1::text, $2::text, $3::text, $4::text, $5::text, draft(), $6::boolean, true, $7::bigint
         from albums where user_id = $7 and status_id in (in_review(), draft()) having count(*) < $8 returning id",
        dir,
        details.title,
        details.lang,
        details.description,
        details.gender,
        details.is_private,
        user_id,
        undecided
    );
    let Some(id) = query.fetch_optional(&mut *conn).await? else { return Ok(None) };
    link(conn, id, details).await?;
    Ok(Some(id))
}

/// Updates the metadata. Returns whether anything but the privacy changed.
async fn revise(conn: &mut PgConnection, user_id: i64, album_id: i64, details: &FilmDetails) -> Result<bool> {
    let Some(before) = own(conn, user_id, album_id).await? else { return Ok(false) };
    sqlx::query!(
        "update albums set title = $2, description = $3, lang = $4, gender = $5, is_private = $6 where id = $1",
        album_id,
        details.title,
        details.description,
        details.lang,
        details.gender,
        details.is_private
    )
    .execute(&mut *conn)
    .await?;
    if (FilmDetails { is_private: before.details.is_private, ..details.clone() }) == before.details {
        return Ok(false);
    }
    sqlx::query!("delete from album_categories where album_id = $1", album_id).execute(&mut *conn).await?;
    sqlx::query!("delete from album_models where album_id = $1", album_id).execute(&mut *conn).await?;
    link(conn, album_id, details).await?;
    Ok(true)
}

/// Links an album to its categories and models. Those deleted in the meantime are skipped.
async fn link(conn: &mut PgConnection, album_id: i64, details: &FilmDetails) -> Result<()> {
    sqlx::query!(
        "insert into album_categories (album_id, category_id) select $1, id from categories where dir = any($2)",
        album_id,
        &details.categories
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "insert into album_models (album_id, model_id) select $1, id from models where dir = any($2)",
        album_id,
        &details.models
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Sets the status. If something changed, also increments the revision, so that nobody approves a version they haven't
/// seen.
async fn save_status(
    conn: &mut PgConnection,
    album_id: i64,
    status_id: UploadStatus,
    is_other: bool,
    is_new: bool,
) -> Result<()> {
    sqlx::query!(
        "update albums set status_id = $2, revision = revision + case when $3 then 1 else 0 end where id = $1",
        album_id,
        status_id as _,
        is_other
    )
    .execute(&mut *conn)
    .await?;
    if is_new {
        // Without this, closing the reports that hid the album would publish unreviewed changes.
        sqlx::query!("delete from report_hides where section = 'album' and object_id = $1", album_id)
            .execute(conn)
            .await?;
    }
    Ok(())
}

/// Deletes a member's own album. Returns `false` if there is no such album or the member may not delete it. Members
/// without the right to manage uploads can delete only drafts.
pub async fn delete(conn: &mut PgConnection, user_id: i64, album_id: i64) -> Result<bool> {
    let query = sqlx::query!(
        "update albums a set status_id = deleted() from users u
         where a.id = $1 and a.user_id = $2 and a.status_id <> deleted() and u.id = a.user_id
           and (u.status_id = manages_uploads() or a.status_id = draft())",
        album_id,
        user_id
    );
    Ok(query.execute(conn).await?.rows_affected() > 0)
}
