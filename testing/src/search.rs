//! Provides a search engine for each test. It is an embedded engine or, if `LANTERN__SEARCH__URL` is set, the Meilisearch server at that
//! URL, which is emptied first. Tests share the server's index names, so with a server they must run one at a time.

use std::path::Path;

use lantern_config::Config;
use lantern_engine::{Engine, EngineOptions};
use lantern_index::{SearchClient, Transport};
use meilisearch_sdk::indexes::IndexesQuery;

/// Initial map size of a test's index in bytes. It is small, so that many maps fit side by side.
const MAP_SIZE: usize = 64 << 20;

/// Search engine of one test.
pub struct TestSearch {
    /// Client of the engine.
    pub client: SearchClient,
    /// Embedded engine, or `None` if a server is used.
    pub engine: Option<Engine>,
}

/// Environment variable with the URL of a server.
const VARIABLE: &str = "LANTERN__SEARCH__URL";

impl TestSearch {
    /// Whether tests use a server. In that case, indexes are not folders.
    #[must_use]
    pub fn is_server() -> bool {
        std::env::var_os(VARIABLE).is_some()
    }

    /// Opens an engine in `folder`, or empties the server and sets it in `config`.
    ///
    /// # Errors
    /// If the folder is unusable or the server fails.
    pub async fn open(folder: &Path, config: &mut Config) -> anyhow::Result<Self> {
        Self::open_with(folder, config, |_| {}).await
    }

    /// Like [`TestSearch::open`], but `change` adjusts the options of the embedded engine.
    ///
    /// # Errors
    /// See [`TestSearch::open`].
    pub async fn open_with(
        folder: &Path,
        config: &mut Config,
        change: impl FnOnce(&mut EngineOptions),
    ) -> anyhow::Result<Self> {
        let Ok(url) = std::env::var(VARIABLE) else {
            let mut options = EngineOptions {
                initial_map_size: MAP_SIZE,
                search_queue: config.search.queue,
                ..EngineOptions::new(folder)
            };
            change(&mut options);
            let engine = Engine::open(options)?;
            return Ok(Self { client: Transport::in_process(engine.trusted_router(), None), engine: Some(engine) });
        };
        config.search.url = url;
        config.search.key = std::env::var("LANTERN__SEARCH__KEY").unwrap_or_default();
        let client = Transport::http(&config.search.url, Some(config.search.key.as_str()).filter(|k| !k.is_empty()))?;
        loop {
            let page = client.list_all_indexes_with(&IndexesQuery::new(&client)).await?;
            if page.results.is_empty() {
                return Ok(Self { client, engine: None });
            }
            for index in page.results {
                index.delete().await?.wait_for_completion(&client, None, None).await?;
            }
        }
    }

    /// Shuts down the embedded engine.
    pub async fn close(self) {
        if let Some(engine) = self.engine {
            engine.shutdown().await;
        }
    }
}
