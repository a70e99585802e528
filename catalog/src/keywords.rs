//! Footer keywords, sampled once per day.

use lantern_config::Lang;
use sqlx::PgPool;
use time::Date;

use crate::Result;

/// The sample for one day and language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Search queries, shown first.
    pub queries: Vec<String>,
    /// Ids of categories and models in the suggestion index. There are slightly more than are shown.
    pub names: Vec<String>,
}

/// Returns the sample for a day, if it exists.
pub async fn of_day(pool: &PgPool, day: Date, lang: Lang) -> Result<Option<Drawn>> {
    let query =
        sqlx::query_as!(Drawn, "select queries, names from keywords where day = $1 and lang = $2", day, lang.as_str());
    Ok(query.fetch_optional(pool).await?)
}

/// Stores a sample and returns the one that takes effect: if two nodes store one, the first wins. Deletes the samples
/// of earlier days.
pub async fn keep(pool: &PgPool, day: Date, lang: Lang, drawn: Drawn) -> Result<Drawn> {
    let query = sqlx::query!(
        "insert into keywords (day, lang, queries, names) values ($1, $2, $3, $4) on conflict do nothing",
        day,
        lang.as_str(),
        &drawn.queries,
        &drawn.names
    );
    query.execute(pool).await?;
    sqlx::query!("delete from keywords where day < $1", day).execute(pool).await?;
    Ok(of_day(pool, day, lang).await?.unwrap_or(drawn))
}
