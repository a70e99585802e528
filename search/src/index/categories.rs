//! Titles of categories, cached until the index changes, because every card and facet needs them.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use lantern_catalog::changes::Changes;
use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{IndexName, SearchClient, text};
use meilisearch_sdk::search::{SearchQuery, Selectors};
use tokio::sync::Mutex;

use super::{CategoryDoc, Ref, display};

/// All categories in the index.
#[derive(Debug, Default)]
pub struct Categories {
    /// Categories in their configured order.
    pub list: Vec<CategoryDoc>,
    by_dir: HashMap<String, usize>,
    /// Categories by each word of their labels ([`text::key`]).
    by_word: HashMap<(Lang, String), BTreeSet<usize>>,
}

impl Categories {
    /// Creates the list and looks up the words of its labels.
    pub(crate) fn new(list: Vec<CategoryDoc>) -> Self {
        let by_dir = list.iter().enumerate().map(|(at, c)| (c.dir.clone(), at)).collect();
        let mut by_word: HashMap<(Lang, String), BTreeSet<usize>> = HashMap::new();
        for (at, category) in list.iter().enumerate() {
            for lang in Lang::ALL {
                let label = display(&category.title, &category.titles, *lang);
                for word in text::key(label, *lang).split(' ').filter(|word| !word.is_empty()) {
                    by_word.entry((*lang, word.to_owned())).or_default().insert(at);
                }
            }
        }
        Self { list, by_dir, by_word }
    }

    /// Returns the dirs of the categories whose label in the language has all words of `text`.
    #[must_use]
    pub fn labelled(&self, text: &str, lang: Lang) -> Vec<&str> {
        let with = |word: &str| self.by_word.get(&(lang, word.to_owned()));
        let mut words =
            text::key(text, lang).split(' ').map(with).collect::<Option<Vec<_>>>().unwrap_or_default().into_iter();
        let Some(first) = words.next() else { return Vec::new() };
        let rest: Vec<_> = words.collect();
        let has_all = |at: &&usize| rest.iter().all(|others| others.contains(at));
        first.iter().filter(has_all).map(|at| self.list[*at].dir.as_str()).collect()
    }

    /// Returns the labels of all categories in all languages.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let all =
            self.list.iter().flat_map(|category| std::iter::once(&category.title).chain(category.titles.values()));
        all.map(String::as_str)
    }

    /// Whether the category exists.
    #[must_use]
    pub fn knows(&self, dir: &str) -> bool {
        self.by_dir.contains_key(dir)
    }

    /// Returns the title in `lang`, or the dir for a category that is newer than the cache.
    #[must_use]
    pub fn title<'a>(&'a self, dir: &'a str, lang: Lang) -> &'a str {
        self.by_dir.get(dir).map_or(dir, |at| {
            let category = &self.list[*at];
            display(&category.title, &category.titles, lang)
        })
    }

    /// Returns the names and titles of the categories with these dirs, in the same order.
    #[must_use]
    pub fn refs(&self, dirs: Vec<String>, lang: Lang) -> Vec<Ref> {
        dirs.into_iter().map(|dir| Ref { title: self.title(&dir, lang).to_owned(), dir }).collect()
    }
}

/// The categories in one generation of the index.
pub struct CategoryNames {
    search: SearchClient,
    changes: Changes,
    /// Maximum number of categories to read.
    most: usize,
    cache: Mutex<Option<(u64, Arc<Categories>)>>,
}

impl CategoryNames {
    /// Creates an empty cache for at most `most` categories.
    pub fn new(search: SearchClient, changes: Changes, most: usize) -> Self {
        Self { search, changes, most, cache: Mutex::default() }
    }

    /// Returns the current categories. They are read again after the index has changed.
    pub async fn current(&self) -> ApiResult<Arc<Categories>> {
        // Get the generation before reading the index, so that a concurrent change invalidates the result.
        let generation = self.changes.generation();
        let mut cache = self.cache.lock().await;
        if let Some((of, categories)) = cache.as_ref()
            && *of == generation
        {
            return Ok(Arc::clone(categories));
        }
        let categories = Arc::new(Categories::new(self.load().await?));
        *cache = Some((generation, Arc::clone(&categories)));
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
