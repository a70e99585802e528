//! Operators' texts below lists, identified by language and by the path of the list's first page.

use lantern_config::Lang;
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::{Result, run};

/// Maximum length of a text in characters.
pub const BODY_MOST: usize = 5000;
/// Maximum number of texts. Every node holds all of them in memory, which takes at most 10 MB.
pub const TEXTS_MOST: i64 = 2000;

/// A text below a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListText {
    /// Path of the list's first page.
    pub path: String,
    /// Language of the text.
    pub lang: String,
    /// Paragraphs separated by empty lines. A heading starts with `# `.
    pub body: String,
}

/// Version of the table: the time of the newest change, and the number of rows.
pub type Version = (Option<OffsetDateTime>, i64);

/// Returns the current version of the table.
pub async fn version(pool: &PgPool) -> Result<Version> {
    let query = sqlx::query!(r#"select max(updated_at) as newest, count(*) as "count!" from list_texts"#);
    let row = query.fetch_one(pool).await?;
    Ok((row.newest, row.count))
}

/// Lists all texts, or only those of one path or language.
pub async fn list(pool: &PgPool, path: Option<&str>, lang: Option<Lang>) -> Result<Vec<ListText>> {
    let query = sqlx::query_as!(
        ListText,
        "select path, lang, body from list_texts
         where ($1::text is null or path = $1) and ($2::text is null or lang = $2) order by path, lang limit $3",
        path,
        lang.map(Lang::as_str),
        TEXTS_MOST
    );
    Ok(query.fetch_all(pool).await?)
}

/// Sets the text below a list. Returns `false` if there are already [`TEXTS_MOST`] texts.
pub async fn set(pool: &PgPool, text: &ListText) -> Result<bool> {
    let mut tx = pool.begin().await?;
    // Writers are serialized, so that the limit holds. Readers are not blocked.
    run(sqlx::query!("lock table list_texts in share row exclusive mode"), &mut *tx).await?;
    let query = sqlx::query!(
        "insert into list_texts (path, lang, body)
         select $1, $2, $3 where (select count(*) from list_texts where (path, lang) <> ($1, $2)) < $4
         on conflict (path, lang) do update set body = excluded.body",
        text.path,
        text.lang,
        text.body,
        TEXTS_MOST
    );
    let is_set = query.execute(&mut *tx).await?.rows_affected() > 0;
    tx.commit().await?;
    Ok(is_set)
}

/// Removes a text. Returns `false` if there was none.
pub async fn remove(pool: &PgPool, path: &str, lang: Lang) -> Result<bool> {
    let query = sqlx::query!("delete from list_texts where path = $1 and lang = $2", path, lang.as_str());
    Ok(query.execute(pool).await?.rows_affected() > 0)
}
