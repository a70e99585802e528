//! Words of the titles that guests see, by language.

use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::{Result, run};

/// A title of a visible video.
#[derive(Debug)]
pub struct Title {
    /// The video.
    pub id: i64,
    /// The language of the title.
    pub lang: String,
    /// As it is shown.
    pub title: String,
}

/// The words of a language.
#[derive(Debug)]
pub struct WordList {
    /// The language.
    pub lang: String,
    /// A line each: the word, a tab, how many videos have it.
    pub list: String,
    /// When that was found.
    pub learned_at: OffsetDateTime,
}

/// The titles, in every language, of the first `limit` visible videos with ids above `after`, by id.
pub async fn titles(conn: &mut PgConnection, after: i64, limit: i64) -> Result<Vec<Title>> {
    let query = sqlx::query_as!(
        Title,
        r#"with page as (select id, lang, title from videos where visible and id > $1 order by id limit $2)
           select id as "id!", lang as "lang!", title as "title!"
           from (select id, lang, title from page
                 union all select t.video_id, t.lang, t.title from video_translations t join page on page.id = t.video_id) all_titles
           order by id"#,
        after,
        limit
    );
    Ok(query.fetch_all(conn).await?)
}

/// Stores the words of a language, unless they are those that are there.
pub async fn keep(conn: &mut PgConnection, lang: &str, list: &str) -> Result<()> {
    let query = sqlx::query!(
        "insert into words (lang, list) values ($1, $2)
         on conflict (lang) do update set list = excluded.list, learned_at = clock_timestamp() where words.list <> excluded.list",
        lang,
        list
    );
    run(query, conn).await
}

/// When words were found for the last time; `None` before the first time.
pub async fn learned_at(pool: &PgPool) -> Result<Option<OffsetDateTime>> {
    Ok(sqlx::query_scalar!("select max(learned_at) from words").fetch_one(pool).await?)
}

/// All of them.
pub async fn load(pool: &PgPool) -> Result<Vec<WordList>> {
    Ok(sqlx::query_as!(WordList, "select lang, list, learned_at from words").fetch_all(pool).await?)
}
