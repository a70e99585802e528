//! Photos of a member's own album.

use std::collections::HashSet;

use sqlx::PgConnection;

use super::AlbumBounds;
use crate::{
    Result,
    prints::{self, PicturePrint},
};

/// A photo of a member's own album.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlbumPhoto {
    /// Id of the picture.
    pub id: i64,
    /// Stem of the photo's image files.
    pub media_key: String,
    /// Width in pixels of the uploaded photo, upright.
    pub width: i32,
    /// Height in pixels of the uploaded photo, upright.
    pub height: i32,
    /// Whether it is the album's cover.
    pub is_cover: bool,
}

/// A photo whose files are on disk but that has no row yet.
#[derive(Debug, Clone)]
pub struct NewPhoto {
    /// Index within the request, which identifies the photo in the result.
    pub index: usize,
    /// Stem of the photo's image files.
    pub media_key: String,
    /// Fingerprint of the photo.
    pub print: PicturePrint,
    /// Width in pixels of the uploaded photo, upright.
    pub width: i32,
    /// Height in pixels of the uploaded photo, upright.
    pub height: i32,
}

/// Why a photo is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The album already contains the photo.
    Duplicate,
    /// The photo is banned by a takedown.
    Banned,
    /// The album is full.
    Full,
}

impl Refusal {
    /// Returns the reason's code in `config/errors.toml`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Duplicate => "photo_duplicate",
            Self::Banned => "photo_banned",
            Self::Full => "too_many_photos",
        }
    }
}

/// Lists an album's photos in order. The first one is the cover if none was chosen.
pub(super) async fn list(conn: &mut PgConnection, album_id: i64) -> Result<Vec<AlbumPhoto>> {
    let query = sqlx::query_as!(
        AlbumPhoto,
        r#"select id, media_key, width, height,
                  row_number() over (order by not is_cover, position) = 1 as "is_cover!"
           from photos where album_id = $1 order by position"#,
        album_id
    );
    Ok(query.fetch_all(conn).await?)
}

pub(super) async fn count(conn: &mut PgConnection, album_id: i64) -> Result<i64> {
    let query = sqlx::query_scalar!(r#"select count(*) as "n!" from photos where album_id = $1"#, album_id);
    Ok(query.fetch_one(conn).await?)
}

/// Removes photos and returns their keys, or `None` if the album lacks one of them.
pub(super) async fn remove(conn: &mut PgConnection, album_id: i64, ids: &[i64]) -> Result<Option<Vec<String>>> {
    let query = sqlx::query_scalar!(
        "delete from photos where album_id = $1 and id = any ($2) returning media_key",
        album_id,
        ids
    );
    let keys = query.fetch_all(conn).await?;
    Ok((keys.len() == ids.len()).then_some(keys))
}

/// Appends photos and returns the refused ones with the reasons.
pub(super) async fn add(
    conn: &mut PgConnection,
    album_id: i64,
    new: &[NewPhoto],
    bounds: AlbumBounds,
) -> Result<Vec<(usize, Refusal)>> {
    let digests: Vec<Vec<u8>> = new.iter().map(|photo| photo.print.digest.clone()).collect();
    let query = sqlx::query!(
        r#"select count(*) as "amount!", coalesce(max(position), 0) as "last!",
                  coalesce(array_agg(digest) filter (where digest = any ($2)), '{}') as "known!: Vec<Vec<u8>>"
           from photos where album_id = $1"#,
        album_id,
        &digests
    );
    let there = query.fetch_one(&mut *conn).await?;
    let mut known: HashSet<_> = there.known.into_iter().collect();
    let room = bounds.photos.saturating_sub(usize::try_from(there.amount).unwrap_or(usize::MAX));
    let (mut taken, mut refused) = (Vec::new(), Vec::new());
    for photo in new {
        if prints::is_banned(&mut *conn, &photo.print, bounds.look_bits).await? {
            refused.push((photo.index, Refusal::Banned));
        } else if known.contains(&photo.print.digest) {
            refused.push((photo.index, Refusal::Duplicate));
        } else if taken.len() == room {
            refused.push((photo.index, Refusal::Full));
        } else {
            known.insert(photo.print.digest.clone());
            taken.push(photo);
        }
    }
    let (mut keys, mut digests, mut widths, mut heights) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for photo in &taken {
        keys.push(photo.media_key.clone());
        digests.push(photo.print.digest.clone());
        widths.push(photo.width);
        heights.push(photo.height);
    }
    sqlx::query!(
        "insert into photos (album_id, position, media_key, digest, width, height)
         select $1, $2 + place, media_key, digest, width, height
         from unnest($3::text[], $4::bytea[], $5::int[], $6::int[]) with ordinality n(media_key, digest, width, height, place)",
        album_id,
        i64::from(there.last),
        &keys,
        &digests,
        &widths,
        &heights
    )
    .execute(&mut *conn)
    .await?;
    for photo in taken {
        prints::keep(conn, ("album", album_id), &photo.media_key, &photo.print).await?;
    }
    Ok(refused)
}

/// Order and cover of an album's photos.
#[derive(Debug, Clone, Copy)]
pub(super) struct PhotoPlace<'a> {
    /// Ids of photos to move to the front, in this order. The others follow in their previous order.
    pub first: &'a [i64],
    /// Id of the cover photo. `None` leaves it unchanged.
    pub cover: Option<i64>,
}

/// Applies order and cover. Returns `false` if the album lacks one of the photos.
pub(super) async fn place(conn: &mut PgConnection, album_id: i64, place: PhotoPlace<'_>) -> Result<bool> {
    let named: Vec<i64> = place.first.iter().copied().chain(place.cover).collect();
    let query = sqlx::query_scalar!(
        r#"select count(*) as "n!" from unnest($2::bigint[]) n(id)
           where not exists (select from photos p where p.album_id = $1 and p.id = n.id)"#,
        album_id,
        &named
    );
    if query.fetch_one(&mut *conn).await? > 0 {
        return Ok(false);
    }
    if !place.first.is_empty() {
        sqlx::query!(
            "update photos p set position = o.place
             from (select f.id, row_number() over (order by n.place nulls last, f.position) as place
                   from photos f left join unnest($2::bigint[]) with ordinality n(id, place) on n.id = f.id
                   where f.album_id = $1) o
             where p.id = o.id and p.position <> o.place",
            album_id,
            place.first
        )
        .execute(&mut *conn)
        .await?;
    }
    if let Some(cover) = place.cover {
        // Two statements are needed, because the unique index never permits two covers.
        sqlx::query!(
            "update photos set is_cover = false where album_id = $1 and is_cover and id <> $2",
            album_id,
            cover
        )
        .execute(&mut *conn)
        .await?;
        sqlx::query!("update photos set is_cover = true where id = $1 and not is_cover", cover).execute(conn).await?;
    }
    Ok(true)
}
