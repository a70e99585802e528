//! Names of models, cached while the index stays as it is: every list counts its commonest models by name.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use lantern_catalog::changes::Changes;
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, SearchClient};
use meilisearch_sdk::search::{SearchQuery, Selectors};

use super::{ModelDoc, Ref};

/// Names cached at most, a few megabytes; with more they are forgotten and read again.
const MOST: usize = 50_000;

/// The names as of the generation they were read in.
pub struct ModelNames {
    search: SearchClient,
    changes: Changes,
    kept: Mutex<TitleCache>,
}

#[derive(Default)]
struct TitleCache {
    generation: u64,
    titles: HashMap<String, String>,
}

impl ModelNames {
    /// None is known yet.
    pub fn new(search: SearchClient, changes: Changes) -> Self {
        Self { search, changes, kept: Mutex::default() }
    }

    /// The models called `dirs` in URLs, in that order; one without a name is called as in URLs.
    pub async fn of(&self, dirs: &[String]) -> ApiResult<Vec<Ref>> {
        // Read before the index: a change in between is then seen next time.
        let generation = self.changes.generation();
        let mut known: HashMap<String, String> = HashMap::with_capacity(dirs.len());
        {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.generation != generation || kept.titles.len() > MOST {
                *kept = TitleCache { generation, ..TitleCache::default() };
            }
            let titles = dirs.iter().filter_map(|dir| kept.titles.get_key_value(dir));
            known.extend(titles.map(|(dir, title)| (dir.clone(), title.clone())));
        }
        let missing: Vec<&String> = dirs.iter().filter(|dir| !known.contains_key(*dir)).collect();
        if !missing.is_empty() {
            let read = read(&self.search, &missing).await?;
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.generation == generation {
                kept.titles.extend(read.iter().map(|model| (model.dir.clone(), model.title.clone())));
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
