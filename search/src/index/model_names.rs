//! Names of models, cached until the index changes, because every list counts its most frequent models by name.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use lantern_catalog::changes::Changes;
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, SearchClient};
use meilisearch_sdk::search::{SearchQuery, Selectors};

use super::{ModelDoc, Ref};

/// Maximum number of cached names, which take a few megabytes. The cache is cleared when the limit is exceeded.
const CAPACITY: usize = 50_000;

/// Names of models in one generation of the index.
pub struct ModelNames {
    search: SearchClient,
    changes: Changes,
    cache: Mutex<TitleCache>,
}

#[derive(Default)]
struct TitleCache {
    generation: u64,
    titles: HashMap<String, String>,
}

impl ModelNames {
    /// Creates an empty cache.
    pub fn new(search: SearchClient, changes: Changes) -> Self {
        Self { search, changes, cache: Mutex::default() }
    }

    /// Returns the models with the URL names `dirs`, in the same order. An unknown model gets its dir as the title.
    pub async fn of(&self, dirs: &[String]) -> ApiResult<Vec<Ref>> {
        // Get the generation before reading the index, so that a concurrent change invalidates the result.
        let generation = self.changes.generation();
        let mut known: HashMap<String, String> = HashMap::with_capacity(dirs.len());
        {
            let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
            if cache.generation != generation || cache.titles.len() > CAPACITY {
                *cache = TitleCache { generation, ..TitleCache::default() };
            }
            let titles = dirs.iter().filter_map(|dir| cache.titles.get_key_value(dir));
            known.extend(titles.map(|(dir, title)| (dir.clone(), title.clone())));
        }
        let missing: Vec<&String> = dirs.iter().filter(|dir| !known.contains_key(*dir)).collect();
        if !missing.is_empty() {
            let read = read(&self.search, &missing).await?;
            let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
            if cache.generation == generation {
                cache.titles.extend(read.iter().map(|model| (model.dir.clone(), model.title.clone())));
            }
            known.extend(read.into_iter().map(|model| (model.dir, model.title)));
        }
        Ok(dirs.iter().map(|dir| Ref { title: known.get(dir).unwrap_or(dir).clone(), dir: dir.clone() }).collect())
    }
}

async fn read(search: &SearchClient, dirs: &[&String]) -> ApiResult<Vec<Ref>> {
    let index = search.index(IndexName::Models.uid());
    let filter = Filter::in_("dir", dirs.iter().copied()).to_string();
    let found = SearchQuery::new(&index)
        .with_filter(&filter)
        .with_limit(dirs.len())
        .with_attributes_to_retrieve(Selectors::Some(ModelDoc::NAME))
        .build()
        .execute::<Ref>()
        .await?;
    Ok(found.hits.into_iter().map(|hit| hit.result).collect())
}
