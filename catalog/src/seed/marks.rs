//! Marker words appended to titles. A benchmark recognizes its own changes by them.

use sqlx::PgPool;

use crate::Result;

/// Maximum length of a title that leaves room for a marker.
const LONGEST: i32 = 100;

/// Returns up to `most` visible videos whose titles leave room for a marker.
pub async fn markable(pool: &PgPool, most: i64) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar!(
        "select id from videos where visible and length(title) <= $1 order by random() limit $2",
        LONGEST,
        most
    );
    Ok(ids.fetch_all(pool).await?)
}

/// Appends `word` to a title.
pub async fn mark(pool: &PgPool, id: i64, word: &str) -> Result<()> {
    sqlx::query!("update videos set title = title || ' ' || $2 where id = $1", id, word).execute(pool).await?;
    Ok(())
}

/// Removes `word` from the end of all titles that have it.
pub async fn unmark(pool: &PgPool, word: &str) -> Result<()> {
    sqlx::query!(
        "update videos set title = left(title, -length($1) - 1) where right(title, length($1) + 1) = ' ' || $1",
        word
    )
    .execute(pool)
    .await?;
    Ok(())
}
