//! Generated parts of the sitemap, as they are served.

use std::time::Duration;

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::{Result, run};

/// A part to store.
#[derive(Debug)]
pub struct NewPart<'a> {
    /// Name of the part, as in the middle of its address.
    pub name: &'a str,
    /// Content, as it is served.
    pub body: &'a [u8],
    /// ETag of the content.
    pub tag: &'a str,
    /// Hash of the content without counters.
    pub gist: &'a str,
    /// When the part's rows were read, by the clock that [`now`] reads.
    pub read_at: OffsetDateTime,
}

/// A requested part.
#[derive(Debug)]
pub struct Part {
    /// ETag of the content.
    pub tag: String,
    /// The content, or `None` if the client has it cached.
    pub body: Option<Vec<u8>>,
}

/// Returns the database's current time.
pub async fn now(pool: &PgPool) -> Result<OffsetDateTime> {
    Ok(sqlx::query_scalar!(r#"select clock_timestamp() as "now!""#).fetch_one(pool).await?)
}

/// Stores a part, unless the stored one was read later or has the same gist and is younger than `counters_every`.
pub async fn keep(pool: &PgPool, part: &NewPart<'_>, counters_every: Duration) -> Result<()> {
    let query = sqlx::query!(
        "insert into sitemap_parts as old (name, body, tag, gist, read_at) values ($1, $2, $3, $4, $6)
         on conflict (name) do update set body = excluded.body, tag = excluded.tag, gist = excluded.gist, made_at = now(),
             read_at = excluded.read_at
         where old.read_at < excluded.read_at
           and (old.gist <> excluded.gist or old.made_at < now() - make_interval(secs => $5))",
        part.name,
        part.body,
        part.tag,
        part.gist,
        counters_every.as_secs_f64(),
        part.read_at
    );
    run(query, pool).await
}

/// Deletes all parts not in `names`.
pub async fn keep_only(pool: &PgPool, names: &[String]) -> Result<()> {
    run(sqlx::query!("delete from sitemap_parts where name <> all($1)", names), pool).await
}

/// Deletes a part that has become empty.
pub async fn remove(pool: &PgPool, name: &str) -> Result<()> {
    run(sqlx::query!("delete from sitemap_parts where name = $1", name), pool).await
}

/// Lists the names of stored parts.
pub async fn names(pool: &PgPool) -> Result<Vec<String>> {
    Ok(sqlx::query_scalar!("select name from sitemap_parts order by name").fetch_all(pool).await?)
}

/// Lists the objects taken down since their part was generated, each with kind and id.
pub async fn stale(pool: &PgPool) -> Result<Vec<(String, i64)>> {
    let query = sqlx::query!("select section, object_id from sitemap_stale order by section, object_id limit 1000");
    Ok(query.fetch_all(pool).await?.into_iter().map(|row| (row.section, row.object_id)).collect())
}

/// Records that the part containing an object was regenerated.
pub async fn freshen(pool: &PgPool, section: &str, id: i64) -> Result<()> {
    let query = sqlx::query!("delete from sitemap_stale where section = $1 and object_id = $2", section, id);
    run(query, pool).await
}

/// Returns the part `name`. Its content is left out if the client has one of `tags`.
pub async fn find(pool: &PgPool, name: &str, tags: &[String]) -> Result<Option<Part>> {
    let query = sqlx::query_as!(
        Part,
        r#"select tag, case when tag = any($2) or '*' = any($2) then null else body end as body from sitemap_parts where name = $1"#,
        name,
        tags
    );
    Ok(query.fetch_optional(pool).await?)
}
