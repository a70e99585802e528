//! The words at the foot of every page, as they were sampled for a day.

use lantern_config::Lang;
use sqlx::PgPool;
use time::Date;

use crate::Result;

/// The sample of a day and language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Searches, first.
    pub queries: Vec<String>,
    /// Ids of categories and models in the index of suggestions, some more than are shown.
    pub names: Vec<String>,
}

/// The sample of that day, if there is one.
pub async fn of_day(pool: &PgPool, day: Date, lang: Lang) -> Result<Option<Drawn>> {
    let query =
        sqlx::query_as!(Drawn, "select queries, names from keywords where day = $1 and lang = $2", day, lang.as_str());
    Ok(query.fetch_optional(pool).await?)
}

/// Stores a sample and returns the one that counts: of two nodes the first. Former days are forgotten.
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
