//! Albums as their members make and change them.

mod photos;
mod sweep;

use sqlx::{PgConnection, PgPool};

use self::photos::PhotoPlace;
pub use self::{
    photos::{AlbumPhoto, NewPhoto, Refusal},
    sweep::{drop_deleted, expire_drafts, unnamed},
};
use crate::{Result, films::FilmDetails, prints};

/// State of an album that waits for a decision.
const WAITS: i16 = 2;
/// State of an album that its member didn't hand in yet.
pub const DRAFT: i16 = 3;
/// State of an album that was rejected.
const REJECTED: i16 = 4;

/// An own album, as its form shows it.
#[derive(Debug, Clone)]
pub struct OwnAlbum {
    /// What its member said of it.
    pub details: FilmDetails,
    /// 1 active … 4 rejected.
    pub status_id: i16,
    /// Why it was rejected: a word of `moderation.reasons`.
    pub rejection: Option<String>,
    /// Its pictures in their order.
    pub photos: Vec<AlbumPhoto>,
}

/// An own album that isn't deleted.
pub async fn own(conn: &mut PgConnection, user_id: i64, album_id: i64) -> Result<Option<OwnAlbum>> {
    let query = sqlx::query!(
        r#"select title, description, lang, gender, is_private, status_id, rejection,
                  array(select c.dir from album_categories l join categories c on c.id = l.category_id
                        where l.album_id = a.id order by c.dir) as "categories!",
                  array(select m.dir from album_models l join models m on m.id = l.model_id
                        where l.album_id = a.id order by m.dir) as "models!"
           from albums a where id = $1 and user_id = $2 and status_id <> 5"#,
        album_id,
        user_id
    );
    let Some(row) = query.fetch_optional(&mut *conn).await? else { return Ok(None) };
    Ok(Some(OwnAlbum {
        details: FilmDetails {
            title: row.title,
            description: row.description,
            lang: row.lang,
            gender: row.gender,
            categories: row.categories,
            models: row.models,
            is_private: row.is_private,
            origin: None,
        },
        status_id: row.status_id,
        rejection: row.rejection,
        photos: photos::list(conn, album_id).await?,
    }))
}

/// What a member changes in an own album.
#[derive(Debug, Clone, Copy)]
pub struct AlbumChange<'a> {
    /// Which; `None` makes a new one, of `details`.
    pub album_id: Option<i64>,
    /// What it is; `None` leaves that as it is.
    pub details: Option<&'a FilmDetails>,
    /// A new one's name in addresses.
    pub dir: &'a str,
    /// Ids of pictures that go.
    pub remove: &'a [i64],
    /// Pictures that come behind the others.
    pub add: &'a [NewPhoto],
    /// Ids of pictures that come first, in this order.
    pub order: &'a [i64],
    /// Id of the picture that stands for the album.
    pub cover: Option<i64>,
    /// Whether a draft stays one.
    pub is_draft: bool,
}

/// What albums may come to.
#[derive(Debug, Clone, Copy)]
pub struct AlbumBounds {
    /// Pictures of one.
    pub photos: usize,
    /// Albums of a member that nobody decided on.
    pub undecided: i64,
    /// Bits in which a picture may differ from a banned one and still be taken for it.
    pub look_bits: u8,
}

/// What came of a change; unless it is done, nothing is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AlbumOutcome {
    /// It is done.
    Done(Done),
    /// No such album of this member.
    NoAlbum,
    /// The album has no such picture.
    NoPhoto,
    /// It would be shown without a picture.
    Empty,
    /// The member has too many albums that nobody decided on.
    Quota,
    /// No picture that came is taken.
    NoneTaken(Vec<(usize, Refusal)>),
}

/// A change that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// The album.
    pub album_id: i64,
    /// Its state now.
    pub status_id: i16,
    /// Keys of the pictures whose files go.
    pub removed: Vec<String>,
    /// Pictures that are not taken, by [`NewPhoto::index`].
    pub refused: Vec<(usize, Refusal)>,
}

/// Changes an own album, or makes one. What a person has to look at sends it (back) to them.
pub async fn change(pool: &PgPool, user_id: i64, change: AlbumChange<'_>, bounds: AlbumBounds) -> Result<AlbumOutcome> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let (album_id, before) = match (change.album_id, change.details) {
        (Some(id), _) => match lock(conn, user_id, id).await? {
            Some(status_id) => (id, status_id),
            None => return Ok(AlbumOutcome::NoAlbum),
        },
        (None, Some(details)) => match begin(conn, user_id, details, change.dir, bounds.undecided).await? {
            Some(id) => (id, DRAFT),
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
    // Whoever decides on the reports sees them still.
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
        DRAFT if change.is_draft => DRAFT,
        DRAFT => WAITS,
        _ if is_new => WAITS,
        REJECTED if is_other => WAITS,
        before => before,
    };
    if status_id != DRAFT && photos::count(conn, album_id).await? == 0 {
        return Ok(AlbumOutcome::Empty);
    }
    settle(conn, album_id, status_id, is_other, is_new).await?;
    transaction.commit().await?;
    Ok(AlbumOutcome::Done(Done { album_id, status_id, removed, refused }))
}

/// State of an own album, which nobody else changes before the transaction ends.
async fn lock(conn: &mut PgConnection, user_id: i64, album_id: i64) -> Result<Option<i16>> {
    let query = sqlx::query_scalar!(
        "select status_id from albums where id = $1 and user_id = $2 and status_id <> 5 for update",
        album_id,
        user_id
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Makes a draft; `None` when the member has too many albums that nobody decided on.
async fn begin(
    conn: &mut PgConnection,
    user_id: i64,
    details: &FilmDetails,
    dir: &str,
    undecided: i64,
) -> Result<Option<i64>> {
    // One after the other for each member, so that two at once can't both be the last one.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('albums', $1))", user_id).execute(&mut *conn).await?;
    let query = sqlx::query_scalar!(
        "insert into albums (dir, title, lang, description, gender, status_id, is_private, is_new, user_id)
         select $1::text, $2::text, $3::text, $4::text, $5::text, $6::smallint, $7::boolean, true, $8::bigint
         from albums where user_id = $8 and status_id in (2, 3) having count(*) < $9 returning id",
        dir,
        details.title,
        details.lang,
        details.description,
        details.gender,
        DRAFT,
        details.is_private,
        user_id,
        undecided
    );
    let Some(id) = query.fetch_optional(&mut *conn).await? else { return Ok(None) };
    link(conn, id, details).await?;
    Ok(Some(id))
}

/// Says something else of an album; whether more than who may see it differs.
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

/// Links an album to its categories and models; what is gone meanwhile is left out.
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

/// Writes the state; what changed has a number of its own, so that nobody lets out what they did not see.
async fn settle(conn: &mut PgConnection, album_id: i64, status_id: i16, is_other: bool, is_new: bool) -> Result<()> {
    sqlx::query!(
        "update albums set status_id = $2, revision = revision + case when $3 then 1 else 0 end where id = $1",
        album_id,
        status_id,
        is_other
    )
    .execute(&mut *conn)
    .await?;
    if is_new {
        // Closing the reports that hid it would show what nobody saw.
        sqlx::query!("delete from report_hides where section = 'album' and object_id = $1", album_id)
            .execute(conn)
            .await?;
    }
    Ok(())
}

/// Deletes an own album that isn't deleted yet; false when there is no such album, or the member may not: who doesn't manage
/// uploads deletes drafts alone.
pub async fn delete(conn: &mut PgConnection, user_id: i64, album_id: i64) -> Result<bool> {
    let query = sqlx::query!(
        "update albums a set status_id = 5 from users u
         where a.id = $1 and a.user_id = $2 and a.status_id <> 5 and u.id = a.user_id and (u.status_id = 6 or a.status_id = 3)",
        album_id,
        user_id
    );
    Ok(query.execute(conn).await?.rows_affected() > 0)
}
