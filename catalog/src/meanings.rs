//! Synonyms and translations: pairs of words that have the same meaning in one language or in two.

use lantern_config::Lang;
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::{Result, run, words::Title};

/// One side of a pair: a word or phrase in a language.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side {
    /// The language.
    pub lang: String,
    /// The word or phrase.
    pub word: String,
}

impl Side {
    /// Creates a side.
    #[must_use]
    pub fn new(lang: Lang, word: &str) -> Self {
        Self { lang: lang.as_str().to_owned(), word: word.to_owned() }
    }
}

/// A pair of words with the same meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    /// Language of the first word.
    pub lang: String,
    /// The first word.
    pub word: String,
    /// Language of the second word.
    pub other_lang: String,
    /// The second word.
    pub other: String,
    /// `translation`, `synonym` or `spelling`.
    pub kind: String,
    /// `learned`, `shipped` or `operator`.
    pub origin: String,
    /// Confidence, up to 1.
    pub weight: f32,
    /// Whether an operator refused the pair.
    pub refused: bool,
}

/// Sorts two words into the order in which pairs are stored. Returns `None` if they are equal.
fn ordered(a: Side, b: Side) -> Option<(Side, Side)> {
    match a.cmp(&b) {
        std::cmp::Ordering::Less => Some((a, b)),
        std::cmp::Ordering::Greater => Some((b, a)),
        std::cmp::Ordering::Equal => None,
    }
}

/// Learned pairs.
#[derive(Debug, Default)]
pub struct MeaningPairs {
    langs: Vec<String>,
    words: Vec<String>,
    other_langs: Vec<String>,
    others: Vec<String>,
    weights: Vec<f32>,
}

impl MeaningPairs {
    /// Adds a pair.
    pub fn push(&mut self, a: Side, b: Side, weight: f32) {
        if let Some((a, b)) = ordered(a, b) {
            self.langs.push(a.lang);
            self.words.push(a.word);
            self.other_langs.push(b.lang);
            self.others.push(b.word);
            self.weights.push(weight);
        }
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns whether there are no pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Replaces the learned pairs. Rows of other origins are left alone, and unchanged rows are skipped.
pub async fn keep(conn: &mut PgConnection, learned: &MeaningPairs) -> Result<()> {
    let MeaningPairs { langs, words, other_langs, others, weights } = learned;
    let mut tx = sqlx::Connection::begin(conn).await?;
    // Postgres doesn't know the length of the arrays. It hashes the list for `not in`, whereas `not exists` may compare each row with each.
    let gone = sqlx::query!(
        "delete from meanings where origin = 'learned' and (lang, word, other_lang, other) not in
            (select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]))",
        langs,
        words,
        other_langs,
        others
    );
    run(gone, &mut *tx).await?;
    let new = sqlx::query!(
        "insert into meanings (lang, word, other_lang, other, kind, origin, weight)
         select lang, word, other_lang, other, 'translation', 'learned', weight
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::real[]) l(lang, word, other_lang, other, weight)
         on conflict (lang, word, other_lang, other) do update set weight = excluded.weight
         where meanings.origin = 'learned' and abs(meanings.weight - excluded.weight) > 0.05",
        langs,
        words,
        other_langs,
        others,
        weights
    );
    run(new, &mut *tx).await?;
    Ok(tx.commit().await?)
}

/// Returns the time of the last change to the pairs.
pub async fn changed_at(pool: &PgPool) -> Result<OffsetDateTime> {
    Ok(sqlx::query_scalar!("select changed_at from meanings_change").fetch_one(pool).await?)
}

/// Returns all active pairs, highest confidence first.
pub async fn load(pool: &PgPool) -> Result<Vec<Meaning>> {
    let query = sqlx::query_as!(
        Meaning,
        "select lang, word, other_lang, other, kind, origin, weight, refused from meanings where not refused
         order by weight desc, lang, word, other_lang, other"
    );
    Ok(query.fetch_all(pool).await?)
}

/// Filter for [`list`].
#[derive(Debug, Default)]
pub struct WantedMeanings {
    /// One of the words, case-insensitive.
    pub word: Option<String>,
    /// One of the languages.
    pub lang: Option<Lang>,
    /// Origin of the pair.
    pub origin: Option<String>,
    /// Maximum number of rows.
    pub limit: i64,
}

/// Lists the pairs that match a filter, ordered by word.
pub async fn list(pool: &PgPool, wanted: &WantedMeanings) -> Result<Vec<Meaning>> {
    let query = sqlx::query_as!(
        Meaning,
        "select lang, word, other_lang, other, kind, origin, weight, refused from meanings
         where ($1::text is null or lower(word) = lower($1) or lower(other) = lower($1))
            and ($2::text is null or lang = $2 or other_lang = $2) and ($3::text is null or origin = $3)
         order by lang, word, other_lang, other limit $4",
        wanted.word,
        wanted.lang.map(Lang::as_str),
        wanted.origin,
        wanted.limit
    );
    Ok(query.fetch_all(pool).await?)
}

/// Stores an operator's decision on a pair, which takes precedence over learned pairs. Returns `false` if both words
/// are equal.
pub async fn decide(pool: &PgPool, a: Side, b: Side, kind: &str, refused: bool) -> Result<bool> {
    let Some((a, b)) = ordered(a, b) else { return Ok(false) };
    let query = sqlx::query!(
        "insert into meanings (lang, word, other_lang, other, kind, origin, refused) values ($1, $2, $3, $4, $5, 'operator', $6)
         on conflict (lang, word, other_lang, other) do update
         set kind = excluded.kind, origin = 'operator', weight = 1, refused = excluded.refused",
        a.lang,
        a.word,
        b.lang,
        b.word,
        kind,
        refused
    );
    run(query, pool).await?;
    Ok(true)
}

/// Removes an operator's decision, so that the pair can be learned again. Returns `false` if there was no decision.
pub async fn forget(pool: &PgPool, a: Side, b: Side) -> Result<bool> {
    let Some((a, b)) = ordered(a, b) else { return Ok(false) };
    let query = sqlx::query!(
        "delete from meanings where (lang, word, other_lang, other) = ($1, $2, $3, $4) and origin = 'operator'",
        a.lang,
        a.word,
        b.lang,
        b.word
    );
    Ok(query.execute(pool).await?.rows_affected() > 0)
}

/// Returns the titles of all categories, grouped by category.
pub async fn labels(conn: &mut PgConnection) -> Result<Vec<Title>> {
    let query =
        sqlx::query_as!(Title, "select category_id as id, lang, title from category_titles order by category_id, lang");
    Ok(query.fetch_all(conn).await?)
}
