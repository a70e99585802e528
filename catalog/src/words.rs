//! Words that occur in public titles, by language.

use lantern_config::Gender;
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::{Result, run};

/// A title of a visible video.
#[derive(Debug)]
pub struct Title {
    /// Id of the video.
    pub id: i64,
    /// Language of the title.
    pub lang: String,
    /// Title as shown.
    pub title: String,
}

/// The words of one language.
#[derive(Debug)]
pub struct WordList {
    /// The language.
    pub lang: String,
    /// The words, one per line: the word, a tab, and the number of videos that contain it.
    pub list: String,
    /// When the list was computed.
    pub learned_at: OffsetDateTime,
}

/// Returns the titles, in all languages, of the first `limit` visible videos with ids above `after`, ordered by id. With a `gender`, only
/// videos with this orientation count.
pub async fn titles(conn: &mut PgConnection, gender: Option<Gender>, after: i64, limit: i64) -> Result<Vec<Title>> {
    let query = sqlx::query_as!(
        Title,
        r#"with page as (select id, lang, title from videos
                         where visible and id > $1 and ($3::text is null or gender = $3) order by id limit $2)
           select id as "id!", lang as "lang!", title as "title!"
           from (select id, lang, title from page
                 union all select t.video_id, t.lang, t.title from video_translations t join page on page.id = t.video_id) all_titles
           order by id"#,
        after,
        limit,
        gender.map(Gender::as_str)
    );
    Ok(query.fetch_all(conn).await?)
}

/// Stores the words of a language, unless they are unchanged.
pub async fn keep(conn: &mut PgConnection, lang: &str, list: &str) -> Result<()> {
    let query = sqlx::query!(
        "insert into words (lang, list) values ($1, $2)
         on conflict (lang) do update set list = excluded.list, learned_at = clock_timestamp() where words.list <> excluded.list",
        lang,
        list
    );
    run(query, conn).await
}

/// Returns when words were last learned, or `None` if they never were.
pub async fn learned_at(pool: &PgPool) -> Result<Option<OffsetDateTime>> {
    Ok(sqlx::query_scalar!("select max(learned_at) from words").fetch_one(pool).await?)
}

/// Returns the words of all languages.
pub async fn load(pool: &PgPool) -> Result<Vec<WordList>> {
    Ok(sqlx::query_as!(WordList, "select lang, list, learned_at from words").fetch_all(pool).await?)
}

/// Returns the names, in all languages, and the aliases of at most `limit` models with visible videos.
pub async fn model_names(pool: &PgPool, limit: i64) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select distinct unnest(array[m.title] || m.aliases || array(select name from model_names n where n.model_id = m.id)) as "name!"
           from (select id, title, aliases from models
                 where exists (select from video_models vm join videos v on v.id = vm.video_id where vm.model_id = models.id and v.visible)
                 order by id limit $1) m"#,
        limit
    );
    Ok(query.fetch_all(pool).await?)
}
