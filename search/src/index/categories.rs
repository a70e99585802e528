//! Titles of categories, cached per generation of the index: every card and facet needs them.

use std::{collections::HashMap, sync::Arc};

use lantern_catalog::changes::Changes;
use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{IndexName, SearchClient};
use meilisearch_sdk::search::{SearchQuery, Selectors};
use tokio::sync::Mutex;

use super::{CategoryDoc, Ref, display};

/// All categories of the index.
#[derive(Debug, Default)]
pub struct Categories {
    /// In their configured order.
    pub list: Vec<CategoryDoc>,
    by_dir: HashMap<String, usize>,
}

impl Categories {
    fn new(list: Vec<CategoryDoc>) -> Self {
        let by_dir = list.iter().enumerate().map(|(at, c)| (c.dir.clone(), at)).collect();
        Self { list, by_dir }
    }

    /// Whether there is such a category.
    #[must_use]
    pub fn knows(&self, dir: &str) -> bool {
        self.by_dir.contains_key(dir)
    }

    /// The title in `lang`; a category made since the last look goes by its dir.
    #[must_use]
    pub fn title<'a>(&'a self, dir: &'a str, lang: Lang) -> &'a str {
        self.by_dir.get(dir).map_or(dir, |at| {
            let category = &self.list[*at];
            display(&category.title, &category.titles, lang)
        })
    }

    #[must_use]
    pub fn refs(&self, dirs: Vec<String>, lang: Lang) -> Vec<Ref> {
        dirs.into_iter().map(|dir| Ref { title: self.title(&dir, lang).to_owned(), dir }).collect()
    }
}

/// The categories as of the generation they were read in.
pub struct CategoryNames {
    search: SearchClient,
    changes: Changes,
    /// Read at most.
    most: usize,
    kept: Mutex<Option<(u64, Arc<Categories>)>>,
}

impl CategoryNames {
    /// At most so many.
    pub fn new(search: SearchClient, changes: Changes, most: usize) -> Self {
        Self { search, changes, most, kept: Mutex::default() }
    }

    /// The current categories; read again after a change of the index.
    pub async fn current(&self) -> ApiResult<Arc<Categories>> {
        // Read before the index: a change in between is then seen next time.
        let generation = self.changes.generation();
        let mut kept = self.kept.lock().await;
        if let Some((of, categories)) = kept.as_ref()
            && *of == generation
        {
            return Ok(Arc::clone(categories));
        }
        let categories = Arc::new(Categories::new(self.load().await?));
        *kept = Some((generation, Arc::clone(&categories)));
        Ok(categories)
    }

    async fn load(&self) -> ApiResult<Vec<CategoryDoc>> {
        let index = self.search.index(IndexName::Categories.uid());
        let found = SearchQuery::new(&index)
            .with_limit(self.most)
            .with_sort(&["position:asc", "id:asc"])
            .with_attributes_to_retrieve(Selectors::Some(CategoryDoc::fields()))
            .build()
            .execute::<CategoryDoc>()
            .await?;
        Ok(found.hits.into_iter().map(|hit| hit.result).collect())
    }
}
