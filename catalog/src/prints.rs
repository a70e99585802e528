//! Fingerprints of films and pictures: digests, and perceptual hashes of pictures ("looks"). They are independent of
//! the objects that showed them (`0067_media_prints.sql`). Triggers create the rows, and the code that decodes a
//! picture adds its looks.

use sqlx::{PgConnection, PgExecutor, PgPool};

use crate::{Result, run};

/// Size of a look, which is a 256-bit PDQ hash, in bytes.
pub const LOOK_BYTES: usize = 32;

/// Perceptual hash of a picture.
pub type Look = [u8; LOOK_BYTES];

/// Fingerprint of a picture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PicturePrint {
    /// SHA-256 of the picture's largest file.
    pub digest: Vec<u8>,
    /// Looks of the picture as uploaded and, if it was cropped, as stored. There are none for a picture with too little
    /// detail.
    pub looks: Vec<Look>,
    /// The looks of the picture in all rotations and reflections, including the original ones.
    pub variants: Vec<Look>,
}

/// Returns whether a picture is banned. A picture is banned if its exact bytes are banned, or if one of its looks,
/// rotated or mirrored, differs from a banned look in at most `most` of 256 bits.
pub async fn is_banned(db: impl PgExecutor<'_>, print: &PicturePrint, most: u8) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"with sent as materialized (select ('x' || look)::bit(256) as look from unnest($2::text[]) look)
           select exists (select from media_prints where banned_at is not null and digest = $1)
               or exists (select from media_prints p cross join unnest(p.looks) banned
                               join sent on bit_count(banned # sent.look) <= $3
                          where p.banned_at is not null and p.looks <> '{}') as "b!""#,
        print.digest,
        &texts(&print.variants),
        i64::from(most)
    );
    Ok(query.fetch_one(db).await?)
}

/// Stores the fingerprint of an object's picture under its key.
pub async fn keep(conn: &mut PgConnection, (section, id): (&str, i64), key: &str, print: &PicturePrint) -> Result<()> {
    let query = sqlx::query!(
        "insert into media_prints (section, object_id, part, digest, looks, looked_at)
         values ($1, $2, $3, $4, array(select ('x' || look)::bit(256) from unnest($5::text[]) look), now())
         on conflict (section, object_id, part) do update
         set digest = coalesce(media_prints.digest, excluded.digest), looks = excluded.looks, looked_at = excluded.looked_at",
        section,
        id,
        key,
        Some(&print.digest).filter(|digest| !digest.is_empty()),
        &texts(&print.looks)
    );
    run(query, conn).await
}

fn texts(looks: &[Look]) -> Vec<String> {
    looks.iter().map(hex::encode).collect()
}

/// A picture whose looks haven't been computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnseenPicture {
    /// Kind of the object that shows the picture.
    pub section: String,
    /// Id of that object.
    pub object_id: i64,
    /// Key of the picture.
    pub key: String,
}

/// Lists up to `limit` pictures whose looks haven't been computed, oldest first. Two nodes may get the same pictures.
pub async fn unseen(db: impl PgExecutor<'_>, limit: i64) -> Result<Vec<UnseenPicture>> {
    let query = sqlx::query_as!(
        UnseenPicture,
        "select section, object_id, part as key from media_prints where looked_at is null order by created_at, part limit $1",
        limit
    );
    Ok(query.fetch_all(db).await?)
}

/// Returns whether there is such an upload, or was one whose fingerprint is stored.
pub(crate) async fn is_known(conn: &mut PgConnection, section: &str, id: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from videos where $1 = 'video' and id = $2) or exists (select from albums where $1 = 'album' and id = $2)
               or exists (select from media_prints where section = $1 and object_id = $2) as "k!""#,
        section,
        id
    );
    Ok(query.fetch_one(conn).await?)
}

/// Bans every film and picture that an object has ever shown.
pub(crate) async fn ban(conn: &mut PgConnection, section: &str, id: i64) -> Result<()> {
    let query = sqlx::query!(
        "update media_prints set banned_at = now() where section = $1 and object_id = $2 and banned_at is null",
        section,
        id
    );
    run(query, conn).await
}

/// Bans pictures that are being removed from a member's profile. Their files are retained for a while.
pub(crate) async fn ban_pictures(conn: &mut PgConnection, user_id: i64, keys: &[String]) -> Result<()> {
    let query = sqlx::query!(
        "update media_prints set banned_at = coalesce(banned_at, now()), held_at = coalesce(held_at, now())
         where section = 'user' and object_id = $1 and part = any ($2)",
        user_id,
        keys
    );
    run(query, conn).await
}

/// Holds those of an object's pictures that its owner removed while reports about the object were open or had hidden
/// it. Returns their keys.
pub async fn hold(conn: &mut PgConnection, (section, id): (&str, i64), keys: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        "update media_prints set held_at = coalesce(held_at, now())
         where section = $1 and object_id = $2 and part = any ($3) and is_held($1, $2) returning part",
        section,
        id,
        keys
    );
    Ok(query.fetch_all(conn).await?)
}

/// Holds a member's visible, pending and already held pictures if the account is closed while reports about the member
/// are open or have hidden the profile. Returns whether there are any such pictures.
pub(crate) async fn hold_member(conn: &mut PgConnection, user_id: i64) -> Result<bool> {
    let query = sqlx::query!(
        "update media_prints p set held_at = coalesce(p.held_at, now()) from users u
         where u.id = $1 and p.section = 'user' and p.object_id = u.id
           and (p.held_at is not null or (is_held('user', u.id) and (p.part in (u.avatar_key, u.cover_key)
                or p.part in (select w.media_key from profile_reviews w where w.user_id = u.id))))",
        user_id
    );
    Ok(query.execute(conn).await?.rows_affected() > 0)
}

/// Releases held pictures once no report about their object is open or is hiding it. If a picture is banned, `hours`
/// must also have passed since the ban. Returns the number of released pictures. The sweep of unreferenced files then
/// deletes them.
pub async fn release(pool: &PgPool, hours: u32) -> Result<u64> {
    let query = sqlx::query!(
        "update media_prints set held_at = null
         where held_at is not null and not is_held(section, object_id)
           and coalesce(banned_at < now() - make_interval(hours => $1), true)",
        i32::try_from(hours).unwrap_or(i32::MAX)
    );
    Ok(query.execute(pool).await?.rows_affected())
}
