//! The keywords in the footer of every page, sampled once per day for each language.

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
/// Size of the pool from which the sample is drawn, as a multiple of the sample size.
const POOL_FACTOR: usize = 10;
/// One spare name is added for every this many names, in case some names disappear during the day.
const NAMES_PER_SPARE: usize = 4;

/// Today's sample in each language. The catalog stores it for all nodes.
pub struct Keywords {
    source: Source,
    cache: Mutex<HashMap<Lang, (i64, Arc<Drawn>)>>,
}

/// Data sources for keywords.
pub struct Source {
    /// Catalog.
    pub pool: PgPool,
    /// Search client.
    pub search: SearchClient,
    /// Settings.
    pub config: Arc<Config>,
    /// Terms that may not be suggested.
    pub prohibited: TermList,
    /// Current time in Unix seconds.
    pub now: fn() -> i64,
}

/// The keywords of a page, and the models among them.
pub struct PageKeywords {
    /// Titles, without duplicates.
    pub titles: Vec<String>,
    /// Models named by the keywords, which a cached response therefore shows. (Categories are shown elsewhere on the
    /// page anyway.)
    pub models: Vec<Object>,
}

impl Keywords {
    /// Creates an empty cache.
    pub fn new(source: Source) -> Self {
        Self { source, cache: Mutex::default() }
    }

    /// Returns today's keywords. These are frequent searches from previous days, supplemented by names of categories
    /// and models if there are too few. Names that are changed or deleted are updated at once.
    pub async fn today(&self, lang: Lang) -> ApiResult<PageKeywords> {
        let sampled = self.sample_of_today(lang).await?;
        let id = |doc: &SuggestionDoc| doc.id.clone();
        let names =
            index::in_order(&self.source.search, IndexName::Suggestions, SuggestionDoc::fields(), &sampled.names, id)
                .await?;
        let wanted = self.source.config.listing.keywords as usize;
        let (mut titles, mut models, mut known) = (Vec::new(), Vec::new(), HashSet::new());
        for query in sampled.queries.iter().filter(|query| known.insert(query.to_lowercase())).take(wanted) {
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

    /// Samples keywords in every language before the first request of the day.
    pub async fn sample(&self) -> ApiResult<()> {
        for lang in Lang::ALL.iter().copied() {
            self.sample_of_today(lang).await?;
        }
        Ok(())
    }

    async fn sample_of_today(&self, lang: Lang) -> ApiResult<Arc<Drawn>> {
        let day = (self.source.now)() / DAY;
        let mut cache = self.cache.lock().await;
        if let Some((of, sampled)) = cache.get(&lang)
            && *of == day
        {
            return Ok(Arc::clone(sampled));
        }
        let date = OffsetDateTime::from_unix_timestamp(day * DAY).map_err(ApiError::internal)?.date();
        let sampled = match keywords::of_day(&self.source.pool, date, lang).await? {
            Some(sampled) => sampled,
            None => keywords::keep(&self.source.pool, date, lang, sample(&self.source, lang, day).await?).await?,
        };
        let sampled = Arc::new(sampled);
        cache.insert(lang, (day, Arc::clone(&sampled)));
        Ok(sampled)
    }
}

async fn sample(source: &Source, lang: Lang, day: i64) -> ApiResult<Drawn> {
    let wanted = source.config.listing.keywords as usize;
    let most = i64::try_from(wanted * POOL_FACTOR).unwrap_or(i64::MAX);
    let min_count = source.config.search_log.min_count.into();
    let mut queries = search_log::of_closed_days(&source.pool, lang, min_count, most).await?;
    queries.retain(|query| !source.prohibited.found_in(query));
    let queries = at_random(queries, wanted, day);
    let missing = wanted - queries.len();
    if missing == 0 {
        return Ok(Drawn { queries, names: Vec::new() });
    }
    let mut known: HashSet<String> = queries.iter().map(|query| query.to_lowercase()).collect();
    let mut names = names(&source.search, wanted * POOL_FACTOR).await?;
    // Several models and categories may share a name.
    names.retain(|name| known.insert(display(&name.title, &name.titles, lang).to_lowercase()));
    let ids = names.into_iter().map(|name| name.id).collect();
    Ok(Drawn { queries, names: at_random(ids, missing + missing.div_ceil(NAMES_PER_SPARE), day) })
}

/// Returns the best known categories and models with videos.
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

/// Returns a sample of `wanted` words. It is the same on every node and changes with `round`.
pub fn at_random(mut words: Vec<String>, wanted: usize, round: i64) -> Vec<String> {
    words.sort_by_cached_key(|word| lot(round, word.as_bytes()));
    words.truncate(wanted);
    words
}

/// Returns the pseudorandom rank of `thing` in a round. The things with the lowest ranks are sampled.
pub fn lot(round: i64, thing: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(round.to_be_bytes()).chain_update(thing).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_changes_with_the_round_only() {
        let words = || (0..50).map(|n| format!("word {n}")).collect::<Vec<_>>();
        assert_eq!(at_random(words(), 10, 1), at_random(words(), 10, 1));
        assert_ne!(at_random(words(), 10, 1), at_random(words(), 10, 2));
        assert_eq!(at_random(words(), 10, 1).len(), 10);
    }
}
