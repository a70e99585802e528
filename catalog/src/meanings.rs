//! Words that mean the same, in one language or two.

use lantern_config::Lang;
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::{Result, run, words::Title};

/// A word or some words of a language.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side {
    /// The language.
    pub lang: String,
    /// As it is written.
    pub word: String,
}

impl Side {
    /// A word of a language.
    #[must_use]
    pub fn new(lang: Lang, word: &str) -> Self {
        Self { lang: lang.as_str().to_owned(), word: word.to_owned() }
    }
}

/// Two words that mean the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Meaning {
    /// Language of the first.
    pub lang: String,
    /// As it is written.
    pub word: String,
    /// Language of the second.
    pub other_lang: String,
    /// As it is written.
    pub other: String,
    /// `translation`, `synonym` or `spelling`.
    pub kind: String,
    /// `learned`, `shipped` or `operator`.
    pub origin: String,
    /// How sure it is, up to 1.
    pub weight: f32,
    /// Whether an operator said no.
    pub refused: bool,
}

/// Two words in the order in which the catalog has them; `None` where they are one.
fn ordered(a: Side, b: Side) -> Option<(Side, Side)> {
    match a.cmp(&b) {
        std::cmp::Ordering::Less => Some((a, b)),
        std::cmp::Ordering::Greater => Some((b, a)),
        std::cmp::Ordering::Equal => None,
    }
}

/// What was learned.
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

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Puts what was learned in the place of what was learned before. Rows of other origins stay as they are, and rows that say the
/// same aren't written.
pub async fn keep(conn: &mut PgConnection, learned: &MeaningPairs) -> Result<()> {
    let MeaningPairs { langs, words, other_langs, others, weights } = learned;
    let mut tx = sqlx::Connection::begin(conn).await?;
    let gone = sqlx::query!(
        "with l as (select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) l(lang, word, other_lang, other))
         delete from meanings m where origin = 'learned' and not exists (select from l
            where (l.lang, l.word, l.other_lang, l.other) = (m.lang, m.word, m.other_lang, m.other))",
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

/// When they changed for the last time.
pub async fn changed_at(pool: &PgPool) -> Result<OffsetDateTime> {
    Ok(sqlx::query_scalar!("select changed_at from meanings_change").fetch_one(pool).await?)
}

/// All that are used, surest first.
pub async fn load(pool: &PgPool) -> Result<Vec<Meaning>> {
    let query = sqlx::query_as!(
        Meaning,
        "select lang, word, other_lang, other, kind, origin, weight, refused from meanings where not refused
         order by weight desc, lang, word, other_lang, other"
    );
    Ok(query.fetch_all(pool).await?)
}

/// Which are wanted.
#[derive(Debug, Default)]
pub struct WantedMeanings {
    /// One of the words, whatever its case.
    pub word: Option<String>,
    /// One of the languages.
    pub lang: Option<Lang>,
    /// Where it comes from.
    pub origin: Option<String>,
    /// Rows at most.
    pub limit: i64,
}

/// Those that are wanted, by word.
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

/// What an operator says of two words; it stays whatever is learned. False where both are one.
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

/// Takes an operator's word back, so that titles decide again. False where there was none.
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

/// The titles of categories, those of one after the other.
pub async fn labels(conn: &mut PgConnection) -> Result<Vec<Title>> {
    let query =
        sqlx::query_as!(Title, "select category_id as id, lang, title from category_titles order by category_id, lang");
    Ok(query.fetch_all(conn).await?)
}
