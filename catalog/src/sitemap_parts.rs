//! Sitemaps that are made, as they are sent.

use std::time::Duration;

use sqlx::PgPool;

use crate::{Result, run};

/// A part to be stored.
#[derive(Debug)]
pub struct NewPart<'a> {
    /// Its name, without what its address has around it.
    pub name: &'a str,
    /// As it is sent.
    pub body: &'a [u8],
    /// Names the bytes.
    pub tag: &'a str,
    /// Names what is said apart from counters.
    pub gist: &'a str,
}

/// A requested part.
#[derive(Debug)]
pub struct Part {
    /// Names the bytes.
    pub tag: String,
    /// The bytes; `None` when the client has them.
    pub body: Option<Vec<u8>>,
}

/// Whether the sitemaps are due; if so, they are the caller's to make, and due again after `every`.
pub async fn claim(pool: &PgPool, every: Duration) -> Result<bool> {
    let claimed = sqlx::query!(
        "update sitemap_schedule set due_at = now() + make_interval(secs => $1) where due_at <= now()",
        every.as_secs_f64()
    );
    Ok(claimed.execute(pool).await?.rows_affected() > 0)
}

/// Stores a part, unless the one that is there says the same and is younger than `counters_every`.
pub async fn keep(pool: &PgPool, part: &NewPart<'_>, counters_every: Duration) -> Result<()> {
    let query = sqlx::query!(
        "insert into sitemap_parts as old (name, body, tag, gist) values ($1, $2, $3, $4)
         on conflict (name) do update set body = excluded.body, tag = excluded.tag, gist = excluded.gist, made_at = now()
         where old.gist <> excluded.gist or old.made_at < now() - make_interval(secs => $5)",
        part.name,
        part.body,
        part.tag,
        part.gist,
        counters_every.as_secs_f64()
    );
    run(query, pool).await
}

/// Forgets every part that is none of these.
pub async fn keep_only(pool: &PgPool, names: &[String]) -> Result<()> {
    run(sqlx::query!("delete from sitemap_parts where name <> all($1)", names), pool).await
}

/// The part `name`, without its bytes for who knows one of `tags`.
pub async fn find(pool: &PgPool, name: &str, tags: &[String]) -> Result<Option<Part>> {
    let query = sqlx::query_as!(
        Part,
        r#"select tag, case when tag = any($2) or '*' = any($2) then null else body end as body from sitemap_parts where name = $1"#,
        name,
        tags
    );
    Ok(query.fetch_optional(pool).await?)
}
