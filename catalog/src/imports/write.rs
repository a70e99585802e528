//! Execution of an import plan. Each statement handles all rows at once.

use serde_json::json;
use sqlx::PgConnection;

use super::{ImportOutcome, ImportRow, RowPlan, links};
use crate::{
    Result,
    moderation::{
        Actor,
        record::{self, RecordEntry},
    },
    run,
};

/// A row, preceded by the id of its video.
pub(super) type RowWithId<'a> = (i64, &'a ImportRow);

pub(super) async fn execute(conn: &mut PgConnection, source: &str, rows: &[ImportRow], plan: &[RowPlan]) -> Result<()> {
    let of = |outcome: ImportOutcome| rows.iter().zip(plan).filter(move |(_, planned)| planned.outcome == outcome);
    let there = |outcome: ImportOutcome| of(outcome).filter_map(|(row, planned)| Some((planned.video_id?, row)));
    let added: Vec<&ImportRow> = of(ImportOutcome::Added).map(|(row, _)| row).collect();
    let ids = reserve(conn, added.len()).await?;
    let added: Vec<RowWithId<'_>> = ids.into_iter().zip(added).collect();
    let changed: Vec<RowWithId<'_>> = there(ImportOutcome::Changed).collect();
    let pictured: Vec<RowWithId<'_>> = there(ImportOutcome::Pictured).collect();
    insert(conn, &added).await?;
    set_counts(conn, &added).await?;
    update(conn, &changed).await?;
    links::forget(conn, &changed).await?;
    let placed: Vec<RowWithId<'_>> = added.into_iter().chain(changed).collect();
    links::add(conn, &placed).await?;
    add_pictures(conn, &pictured).await?;
    let placed: Vec<RowWithId<'_>> = placed.into_iter().chain(pictured).collect();
    save_imports(conn, source, &placed).await?;
    record_clearance(conn, source, &placed).await
}

/// Reserves ids for new videos.
async fn reserve(conn: &mut PgConnection, count: usize) -> Result<Vec<i64>> {
    let query = sqlx::query_scalar!(
        r#"select nextval(pg_get_serial_sequence('videos', 'id')) as "id!" from generate_series(1, $1::bigint)"#,
        i64::try_from(count).unwrap_or(i64::MAX)
    );
    Ok(query.fetch_all(conn).await?)
}

/// Rows, as one array for each column.
struct Columns {
    ids: Vec<i64>,
    dirs: Vec<String>,
    titles: Vec<String>,
    langs: Vec<String>,
    descriptions: Vec<String>,
    chapters: Vec<String>,
    genders: Vec<String>,
    durations: Vec<i32>,
    cleared: Vec<bool>,
    private: Vec<bool>,
    hd: Vec<bool>,
    sites: Vec<Option<String>>,
    site_ids: Vec<Option<String>>,
    users: Vec<Option<i64>>,
    dates: Vec<Option<time::OffsetDateTime>>,
    publish: Vec<Option<time::OffsetDateTime>>,
    pictures: Vec<Option<String>>,
    keep_pictures: Vec<bool>,
}

impl Columns {
    fn of(placed: &[RowWithId<'_>]) -> Self {
        fn each<T>(placed: &[RowWithId<'_>], value: impl Fn(&ImportRow) -> T) -> Vec<T> {
            placed.iter().map(|(_, row)| value(row)).collect()
        }
        Self {
            ids: placed.iter().map(|(id, _)| *id).collect(),
            dirs: each(placed, |row| row.dir.clone()),
            titles: each(placed, |row| row.title.clone()),
            langs: each(placed, |row| row.lang.to_owned()),
            descriptions: each(placed, |row| row.description.clone()),
            chapters: each(placed, |row| row.chapters.clone()),
            genders: each(placed, |row| row.gender.to_owned()),
            durations: each(placed, |row| row.duration),
            cleared: each(placed, |row| row.is_cleared),
            private: each(placed, |row| row.is_private),
            hd: each(placed, |row| row.is_hd),
            sites: each(placed, |row| row.embed.as_ref().map(|(site, _)| site.clone())),
            site_ids: each(placed, |row| row.embed.as_ref().map(|(_, id)| id.clone())),
            users: each(placed, |row| row.user_id),
            dates: each(placed, |row| row.date),
            publish: each(placed, |row| row.publish_at),
            pictures: each(placed, |row| row.picture_key().map(str::to_owned)),
            keep_pictures: each(placed, ImportRow::keeps_picture),
        }
    }
}

/// Inserts new videos. They are published (1), or scheduled (6) by a trigger, if they are cleared, and otherwise await a
/// decision (2) or a film (3).
async fn insert(conn: &mut PgConnection, placed: &[RowWithId<'_>]) -> Result<()> {
    if placed.is_empty() {
        return Ok(());
    }
    let columns = Columns::of(placed);
    let query = sqlx::query!(
        "insert into videos (id, dir, title, lang, description, gender, duration, status_id, is_private, is_hd, ex_tube, ex_id,
                             user_id, post_date, picture_key, publish_at, chapters)
         overriding system value
         select r.id, r.dir, r.title, r.lang, r.description, r.gender, r.duration,
                case when r.site is null then draft() when r.cleared then published() else in_review() end, r.private, r.hd,
                r.site, r.site_id, r.user_id, coalesce(r.date, now()), r.picture, r.publish_at, r.chapters
         from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::bool[], $9::bool[],
                     $10::bool[], $11::text[], $12::text[], $13::bigint[], $14::timestamptz[], $15::text[], $16::timestamptz[],
                     $17::text[])
              as r(id, dir, title, lang, description, gender, duration, cleared, private, hd, site, site_id, user_id, date, picture,
                   publish_at, chapters)",
        &columns.ids,
        &columns.dirs,
        &columns.titles,
        &columns.langs,
        &columns.descriptions,
        &columns.genders,
        &columns.durations,
        &columns.cleared,
        &columns.private,
        &columns.hd,
        &columns.sites as _,
        &columns.site_ids as _,
        &columns.users as _,
        &columns.dates as _,
        &columns.pictures as _,
        &columns.publish as _,
        &columns.chapters
    );
    run(query, conn).await
}

/// Sets the imported views and votes of new videos. Updates leave them alone, because later counts are this site's own.
async fn set_counts(conn: &mut PgConnection, placed: &[RowWithId<'_>]) -> Result<()> {
    let counted: Vec<&RowWithId<'_>> =
        placed.iter().filter(|(_, row)| (row.viewed, row.likes, row.dislikes) != (0, 0, 0)).collect();
    if counted.is_empty() {
        return Ok(());
    }
    let query = sqlx::query!(
        "update video_stats s set viewed = r.viewed, likes = r.likes, dislikes = r.dislikes
         from unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[]) as r(id, viewed, likes, dislikes) where s.video_id = r.id",
        &counted.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
        &counted.iter().map(|(_, row)| row.viewed).collect::<Vec<_>>(),
        &counted.iter().map(|(_, row)| row.likes).collect::<Vec<_>>(),
        &counted.iter().map(|(_, row)| row.dislikes).collect::<Vec<_>>()
    );
    run(query, conn).await
}

/// Updates changed videos. Chapters of a film's file stay unless the row has others. Videos that were hidden by a person
/// or by reports stay hidden, videos without a film keep waiting for it, and videos with a revoked consent await a
/// decision.
async fn update(conn: &mut PgConnection, placed: &[RowWithId<'_>]) -> Result<()> {
    if placed.is_empty() {
        return Ok(());
    }
    let columns = Columns::of(placed);
    let query = sqlx::query!(
        "update videos v set dir = r.dir, title = r.title, lang = r.lang, description = r.description, gender = r.gender,
                chapters = case when v.media_key is null or r.chapters <> '' then r.chapters else v.chapters end,
                duration = case when v.media_key is null then r.duration else v.duration end, is_private = r.private,
                is_hd = case when v.media_key is null then r.hd else v.is_hd end, ex_tube = r.site, ex_id = r.site_id,
                user_id = coalesce(r.user_id, v.user_id), post_date = coalesce(r.date, v.post_date),
                publish_at = coalesce(r.publish_at, v.publish_at), revision = v.revision + 1,
                picture_key = case when r.keeps_picture or v.media_key is not null then v.picture_key else r.picture end,
                status_id = case
                    when r.site is null and v.media_key is null then draft()
                    when exists (select from report_hides h where h.section = 'video' and h.object_id = v.id) then v.status_id
                    when r.cleared and not exists (
                        select from performer_consents p where p.video_id = v.id and p.revoked_at is not null) then published()
                    else in_review() end
         from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::bool[], $9::bool[],
                     $10::bool[], $11::text[], $12::text[], $13::bigint[], $14::timestamptz[], $15::text[], $16::bool[],
                     $17::timestamptz[], $18::text[])
              as r(id, dir, title, lang, description, gender, duration, cleared, private, hd, site, site_id, user_id, date, picture,
                   keeps_picture, publish_at, chapters)
         where v.id = r.id and v.status_id not in (rejected(), deleted())",
        &columns.ids,
        &columns.dirs,
        &columns.titles,
        &columns.langs,
        &columns.descriptions,
        &columns.genders,
        &columns.durations,
        &columns.cleared,
        &columns.private,
        &columns.hd,
        &columns.sites as _,
        &columns.site_ids as _,
        &columns.users as _,
        &columns.dates as _,
        &columns.pictures as _,
        &columns.keep_pictures,
        &columns.publish as _,
        &columns.chapters
    );
    run(query, conn).await
}

/// Adds pictures that could not be fetched earlier to unchanged videos. The pictures are unreviewed, so approved
/// videos await a decision again unless the importer is accountable.
async fn add_pictures(conn: &mut PgConnection, placed: &[RowWithId<'_>]) -> Result<()> {
    if placed.is_empty() {
        return Ok(());
    }
    let columns = Columns::of(placed);
    let query = sqlx::query!(
        "update videos v set picture_key = r.picture, revision = v.revision + 1,
                status_id = case when v.status_id in (published(), scheduled()) and not r.cleared then in_review() else v.status_id end
         from unnest($1::bigint[], $2::text[], $3::bool[]) as r(id, picture, cleared)
         where v.id = r.id and v.media_key is null and v.status_id not in (rejected(), deleted())",
        &columns.ids,
        &columns.pictures as _,
        &columns.cleared
    );
    run(query, conn).await
}

/// Records the imported rows.
async fn save_imports(conn: &mut PgConnection, source: &str, placed: &[RowWithId<'_>]) -> Result<()> {
    // The digest matters only if the picture was fetched.
    let brought = |row: &ImportRow| {
        row.picture.as_ref().filter(|picture| picture.key.is_some()).map(|picture| picture.digest.to_vec())
    };
    let query = sqlx::query!(
        "insert into imports (source, source_id, digest, video_id, picture_digest)
         select $1, r.* from unnest($2::text[], $3::bytea[], $4::bigint[], $5::bytea[]) as r(source_id, digest, video_id, picture_digest)
         on conflict (source, source_id) do update set digest = excluded.digest, video_id = excluded.video_id, imported_at = now(),
             picture_digest = coalesce(excluded.picture_digest, imports.picture_digest)",
        source,
        &placed.iter().map(|(_, row)| row.source_id.clone()).collect::<Vec<_>>(),
        &placed.iter().map(|(_, row)| row.digest.to_vec()).collect::<Vec<_>>(),
        &placed.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
        &placed.iter().map(|(_, row)| brought(row)).collect::<Vec<_>>() as _
    );
    run(query, conn).await
}

/// Records that the importer is accountable for the videos that are published without a review.
async fn record_clearance(conn: &mut PgConnection, source: &str, placed: &[RowWithId<'_>]) -> Result<()> {
    let cleared: Vec<i64> = placed.iter().filter(|(_, row)| row.is_cleared).map(|(id, _)| *id).collect();
    if cleared.is_empty() {
        return Ok(());
    }
    let details = json!({ "source": source, "videos": cleared });
    record::add(conn, &Actor::OPERATOR, RecordEntry { act: "import", object: None, details }).await
}
