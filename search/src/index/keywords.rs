//! The words at the foot of every page, sampled once a day and language.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use lantern_catalog::{
    changes::Object,
    keywords::{self, Drawn},
    outbox::Entity,
    search_log,
};
use lantern_config::{Config, Lang};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::{Filter, IndexName, SearchClient, SuggestionDoc, display, text::TermList};
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use time::OffsetDateTime;
use tokio::sync::Mutex;

use super::{ListQuery, lists as index};

const DAY: i64 = 86_400;
/// Size of the pool, as a multiple of the sample.
const DRAW_FROM: usize = 10;
/// Of so many sampled names one is a spare: for names that are gone before the day ends.
const SPARE: usize = 4;

/// The day's sample, by language; the catalog stores it for all nodes.
pub struct Keywords {
    source: Source,
    kept: Mutex<HashMap<Lang, (i64, Arc<Drawn>)>>,
}

/// What keywords are made from.
pub struct Source {
    pub pool: PgPool,
    pub search: SearchClient,
    pub config: Arc<Config>,
    /// What may not be suggested.
    pub prohibited: TermList,
    /// The time in unix seconds.
    pub now: fn() -> i64,
}

/// The words of a page and whose names are among them.
pub struct PageKeywords {
    /// Each once.
    pub titles: Vec<String>,
    /// Models that are named; an answer with the words shows them. (Lists of categories are shown beside them anyway.)
    pub models: Vec<Object>,
}

impl Keywords {
    /// None is drawn yet.
    pub fn new(source: Source) -> Self {
        Self { source, kept: Mutex::default() }
    }

    /// Today's keywords: frequent searches of former days, then names of categories and models where those are few. A name that
    /// changes or goes does so here too.
    pub async fn today(&self, lang: Lang) -> ApiResult<PageKeywords> {
        let drawn = self.drawn(lang).await?;
        let id = |doc: &SuggestionDoc| doc.id.clone();
        let names =
            index::in_order(&self.source.search, IndexName::Suggestions, SuggestionDoc::fields(), &drawn.names, id)
                .await?;
        let wanted = self.source.config.listing.keywords as usize;
        let (mut titles, mut models, mut known) = (Vec::new(), Vec::new(), HashSet::new());
        for query in drawn.queries.iter().filter(|query| known.insert(query.to_lowercase())).take(wanted) {
            titles.push(query.clone());
        }
        for name in names {
            let title = display(&name.title, &name.titles, lang);
            if titles.len() < wanted && known.insert(title.to_lowercase()) {
                titles.push(title.to_owned());
                models.extend(name.id.strip_prefix("model-").and_then(|id| Some((Entity::Model, id.parse().ok()?))));
            }
        }
        Ok(PageKeywords { titles, models })
    }

    /// Draws the day's sample in every language before somebody waits for it.
    pub async fn sample(&self) -> ApiResult<()> {
        for lang in Lang::ALL.iter().copied() {
            self.drawn(lang).await?;
        }
        Ok(())
    }

    async fn drawn(&self, lang: Lang) -> ApiResult<Arc<Drawn>> {
        let day = (self.source.now)() / DAY;
        let mut kept = self.kept.lock().await;
        if let Some((of, drawn)) = kept.get(&lang)
            && *of == day
        {
            return Ok(Arc::clone(drawn));
        }
        let date = OffsetDateTime::from_unix_timestamp(day * DAY).map_err(ApiError::internal)?.date();
        let drawn = match keywords::of_day(&self.source.pool, date, lang).await? {
            Some(drawn) => drawn,
            None => keywords::keep(&self.source.pool, date, lang, draw(&self.source, lang, day).await?).await?,
        };
        let drawn = Arc::new(drawn);
        kept.insert(lang, (day, Arc::clone(&drawn)));
        Ok(drawn)
    }
}

async fn draw(source: &Source, lang: Lang, day: i64) -> ApiResult<Drawn> {
    let wanted = source.config.listing.keywords as usize;
    let most = i64::try_from(wanted * DRAW_FROM).unwrap_or(i64::MAX);
    let min_count = source.config.search_log.min_count.into();
    let mut queries = search_log::of_closed_days(&source.pool, lang, min_count, most).await?;
    queries.retain(|query| !source.prohibited.found_in(query));
    let queries = at_random(queries, wanted, day);
    let missing = wanted - queries.len();
    if missing == 0 {
        return Ok(Drawn { queries, names: Vec::new() });
    }
    let mut known: HashSet<String> = queries.iter().map(|query| query.to_lowercase()).collect();
    let mut names = names(&source.search, wanted * DRAW_FROM).await?;
    // Several models may have one name, and a category too.
    names.retain(|name| known.insert(display(&name.title, &name.titles, lang).to_lowercase()));
    let ids = names.into_iter().map(|name| name.id).collect();
    Ok(Drawn { queries, names: at_random(ids, missing + missing.div_ceil(SPARE), day) })
}

/// The best known categories and models that have videos.
async fn names(search: &SearchClient, most: usize) -> ApiResult<Vec<SuggestionDoc>> {
    let query = ListQuery {
        index: IndexName::Suggestions,
        filter: Filter::in_("type", ["category", "model"]),
        sort: ["weight:desc", "id:asc"],
        offset: 0,
        limit: most,
        fields: SuggestionDoc::fields(),
    };
    Ok(index::page(search, query).await?.0)
}

/// `wanted` of the words; the choice is the same on every node and changes with `round`.
pub fn at_random(mut words: Vec<String>, wanted: usize, round: i64) -> Vec<String> {
    words.sort_by_cached_key(|word| lot(round, word.as_bytes()));
    words.truncate(wanted);
    words
}

/// The random number of a thing in a round; the smallest are in the sample.
pub fn lot(round: i64, thing: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(round.to_be_bytes()).chain_update(thing).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_change_with_the_round_only() {
        let words = || (0..50).map(|n| format!("word {n}")).collect::<Vec<_>>();
        assert_eq!(at_random(words(), 10, 1), at_random(words(), 10, 1));
        assert_ne!(at_random(words(), 10, 1), at_random(words(), 10, 2));
        assert_eq!(at_random(words(), 10, 1).len(), 10);
    }
}
