//! What films and pictures are known by, whatever became of the objects that showed them (`0067_media_prints.sql`): the digest of
//! each, and the looks of pictures. Triggers make the rows; looks come from who decoded the picture.

use sqlx::{PgConnection, PgExecutor, PgPool};

use crate::{Result, run};

/// Bytes of a look: the 256 bits of a PDQ hash.
pub const LOOK_BYTES: usize = 32;

/// What a picture looks like.
pub type Look = [u8; LOOK_BYTES];

/// What a picture is known by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PicturePrint {
    /// SHA-256 of its largest file.
    pub digest: Vec<u8>,
    /// What it looks like as it was sent and, where it is cropped, as it is stored. Empty for one that shows too little to tell.
    pub looks: Vec<Look>,
    /// The same looks turned and mirrored, themselves included.
    pub variants: Vec<Look>,
}

/// Whether a picture is banned: its very bytes, or one that differs from it, turned or mirrored, by at most `most` of 256 bits.
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

/// Keeps what a picture of an object is known by, under its key.
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

/// A picture that was not decoded for its looks yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnseenPicture {
    /// Kind of the object that shows it.
    pub section: String,
    /// Id of that object.
    pub object_id: i64,
    /// Its key.
    pub key: String,
}

/// Pictures that nobody decoded for their looks yet, the oldest first, `limit` at most. For two nodes at once the same.
pub async fn unseen(db: impl PgExecutor<'_>, limit: i64) -> Result<Vec<UnseenPicture>> {
    let query = sqlx::query_as!(
        UnseenPicture,
        "select section, object_id, part as key from media_prints where looked_at is null order by created_at, part limit $1",
        limit
    );
    Ok(query.fetch_all(db).await?)
}

/// Whether there is such an object, or was one of which a film or a picture is known.
pub(crate) async fn is_known(conn: &mut PgConnection, section: &str, id: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from videos where $1 = 'video' and id = $2) or exists (select from albums where $1 = 'album' and id = $2)
               or exists (select from media_prints where section = $1 and object_id = $2) as "k!""#,
        section,
        id
    );
    Ok(query.fetch_one(conn).await?)
}

/// Bans every film and picture that an object showed, whatever became of it.
pub(crate) async fn ban(conn: &mut PgConnection, section: &str, id: i64) -> Result<()> {
    let query = sqlx::query!(
        "update media_prints set banned_at = now() where section = $1 and object_id = $2 and banned_at is null",
        section,
        id
    );
    run(query, conn).await
}

/// Bans pictures of a member, which are taken off the profile; their files stay for a while.
pub(crate) async fn ban_pictures(conn: &mut PgConnection, user_id: i64, keys: &[String]) -> Result<()> {
    let query = sqlx::query!(
        "update media_prints set banned_at = coalesce(banned_at, now()), held_at = coalesce(held_at, now())
         where section = 'user' and object_id = $1 and part = any ($2)",
        user_id,
        keys
    );
    run(query, conn).await
}

/// Those of an object's pictures whose files stay although their owner took them away: reports of the object wait, or hide it.
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

/// Holds the pictures a member shows or sent, and those held already, when the account ends while reports of the member wait or hide the
/// profile; whether there are some.
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

/// Lets pictures go whose owners took them away, once no report of their object waits or hides it, and `hours` after they were
/// banned; how many. The sweep of files nobody names removes them.
pub async fn release(pool: &PgPool, hours: u32) -> Result<u64> {
    let query = sqlx::query!(
        "update media_prints set held_at = null
         where held_at is not null and not is_held(section, object_id)
           and coalesce(banned_at < now() - make_interval(hours => $1), true)",
        i32::try_from(hours).unwrap_or(i32::MAX)
    );
    Ok(query.execute(pool).await?.rows_affected())
}
