//! A search engine for a test: its own embedded one, or, where `LANTERN__SEARCH__URL` names a Meilisearch server, that server
//! emptied. Tests share a server's index names, so with one they have to run one after the other.

use std::path::Path;

use lantern_config::Config;
use lantern_engine::{Engine, EngineOptions};
use lantern_index::{SearchClient, Transport};
use meilisearch_sdk::indexes::IndexesQuery;

/// First map of a test's index, in bytes: small, so that many fit side by side.
const MAP_SIZE: usize = 64 << 20;

/// The engine of one test.
pub struct TestSearch {
    /// Its client.
    pub client: SearchClient,
    /// The engine itself, unless it is a server.
    pub engine: Option<Engine>,
}

/// Names a server for the tests.
const VARIABLE: &str = "LANTERN__SEARCH__URL";

impl TestSearch {
    /// Whether it is a server, so that no index is a folder.
    #[must_use]
    pub fn is_server() -> bool {
        std::env::var_os(VARIABLE).is_some()
    }

    /// Opens an engine in `folder`, or empties the server and names it in `config`.
    ///
    /// # Errors
    /// The folder can't be used, or the server doesn't do as told.
    pub async fn open(folder: &Path, config: &mut Config) -> anyhow::Result<Self> {
        Self::open_with(folder, config, |_| {}).await
    }

    /// As [`TestSearch::open`]; `change` has a say in the options of the test's own engine.
    ///
    /// # Errors
    /// As [`TestSearch::open`].
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

    /// Closes an own engine.
    pub async fn close(self) {
        if let Some(engine) = self.engine {
            engine.shutdown().await;
        }
    }
}
