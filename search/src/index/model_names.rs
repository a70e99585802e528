//! Names of models, cached until the index changes, because every list counts its most frequent models by name.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use lantern_catalog::changes::Changes;
use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{ByLang, Filter, IndexName, SearchClient, display};
use meilisearch_sdk::search::{SearchQuery, Selectors};
use serde::Deserialize;

use super::{ModelDoc, Named, Ref, age_of, details};

/// Maximum number of cached models, which take some ten megabytes. The cache is cleared when the limit is exceeded.
const CAPACITY: usize = 50_000;

/// Names of models in one generation of the index.
pub struct ModelNames {
    search: SearchClient,
    changes: Changes,
    cache: Mutex<NameCache>,
}

#[derive(Default)]
struct NameCache {
    generation: u64,
    models: HashMap<String, Arc<NamedModel>>,
}

/// The fields [`ModelDoc::NAME`].
#[derive(Deserialize)]
struct NamedModel {
    dir: String,
    title: String,
    #[serde(default)]
    titles: ByLang,
    country: Option<String>,
    birth: Option<i64>,
}

/// A model with its name, and the detail that tells it apart from others of the list with this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelRef {
    /// The model.
    pub of: Ref,
    /// Detail, as returned by [`details`].
    pub detail: Option<String>,
}

impl ModelNames {
    /// Creates an empty cache.
    pub fn new(search: SearchClient, changes: Changes) -> Self {
        Self { search, changes, cache: Mutex::default() }
    }

    /// Returns the models with the URL names `dirs`, in the same order, with their names in `lang`. An unknown model gets its dir as the
    /// title. Ages are those at the time `now`.
    pub async fn of(&self, dirs: &[String], lang: Lang, now: i64) -> ApiResult<Vec<ModelRef>> {
        let known = self.models(dirs).await?;
        let named = |dir: &String| {
            let model = known.get(dir);
            let title = model.map_or(dir.as_str(), |model| display(&model.title, &model.titles, lang));
            let of = Ref { dir: dir.clone(), title: title.to_owned() };
            let country = model.and_then(|model| model.country.as_deref());
            (of, country, model.and_then(|model| model.birth).map(|birth| age_of(birth, now)))
        };
        let models: Vec<_> = dirs.iter().map(named).collect();
        let names: Vec<Named<'_>> = models
            .iter()
            .map(|(of, country, age)| Named { title: &of.title, dir: &of.dir, country: *country, age: *age })
            .collect();
        let details = details(&names, lang);
        Ok(models.into_iter().zip(details).map(|((of, ..), detail)| ModelRef { of, detail }).collect())
    }

    async fn models(&self, dirs: &[String]) -> ApiResult<HashMap<String, Arc<NamedModel>>> {
        // Get the generation before reading the index, so that a concurrent change invalidates the result.
        let generation = self.changes.generation();
        let mut known: HashMap<String, Arc<NamedModel>> = HashMap::with_capacity(dirs.len());
        {
            let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
            if cache.generation != generation || cache.models.len() > CAPACITY {
                *cache = NameCache { generation, ..NameCache::default() };
            }
            let models = dirs.iter().filter_map(|dir| cache.models.get_key_value(dir));
            known.extend(models.map(|(dir, model)| (dir.clone(), Arc::clone(model))));
        }
        let missing: Vec<&String> = dirs.iter().filter(|dir| !known.contains_key(*dir)).collect();
        if !missing.is_empty() {
            let read = read(&self.search, &missing).await?;
            let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
            if cache.generation == generation {
                cache.models.extend(read.iter().map(|model| (model.dir.clone(), Arc::clone(model))));
            }
            known.extend(read.into_iter().map(|model| (model.dir.clone(), model)));
        }
        Ok(known)
    }
}

async fn read(search: &SearchClient, dirs: &[&String]) -> ApiResult<Vec<Arc<NamedModel>>> {
    let index = search.index(IndexName::Models.uid());
    let filter = Filter::in_("dir", dirs.iter().copied()).to_string();
    let found = SearchQuery::new(&index)
        .with_filter(&filter)
        .with_limit(dirs.len())
        .with_attributes_to_retrieve(Selectors::Some(ModelDoc::NAME))
        .build()
        .execute::<NamedModel>()
        .await?;
    Ok(found.hits.into_iter().map(|hit| Arc::new(hit.result)).collect())
}
