//! An engine for each test and short words for what tests do.

use std::time::Duration;

use lantern_engine::{Engine, EngineOptions, Keys, SearchClient, Transport};
use meilisearch_sdk::errors::{Error, ErrorCode};
use meilisearch_sdk::indexes::Index;
use meilisearch_sdk::task_info::TaskInfo;
use meilisearch_sdk::tasks::Task;
use serde_json::{Value, json};

pub const MASTER: &str = "a master key of a test";

/// An engine in its own folder and a client of it.
pub struct Fixture {
    pub engine: Engine,
    pub client: SearchClient,
    pub url: Option<String>,
    _folder: tempfile::TempDir,
}

fn engine() -> (Engine, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut options = EngineOptions::new(folder.path());
    options.initial_map_size = 256 << 20;
    options.queue_map_size = 256 << 20;
    (Engine::open(options).unwrap(), folder)
}

pub fn keys() -> Keys {
    Keys::new(MASTER, "a search key of a test")
}

pub fn in_process() -> Fixture {
    let (engine, folder) = engine();
    let client = Transport::in_process(engine.router(keys()), Some(MASTER));
    Fixture { engine, client, url: None, _folder: folder }
}

pub async fn over_http() -> Fixture {
    let (engine, folder) = engine();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = engine.router(keys());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let client = Transport::http(&url, Some(MASTER)).unwrap();
    Fixture { engine, client, url: Some(url), _folder: folder }
}

impl Fixture {
    /// Another client of the same engine, with another key.
    pub fn client_with(&self, key: Option<&str>) -> SearchClient {
        match &self.url {
            Some(url) => Transport::http(url, key).unwrap(),
            None => Transport::in_process(self.engine.router(keys()), key),
        }
    }

    /// Waits for a task, whatever becomes of it.
    pub async fn wait(&self, task: TaskInfo) -> Task {
        let quickly = Some(Duration::from_millis(2));
        task.wait_for_completion(&self.client, quickly, Some(Duration::from_secs(60))).await.unwrap()
    }

    /// Waits for a task that must succeed.
    pub async fn done(&self, task: Result<TaskInfo, Error>) -> Task {
        let task = self.wait(task.unwrap()).await;
        assert!(task.is_success(), "{task:?}");
        task
    }

    /// Waits for a task that must fail and answers why.
    pub async fn failed(&self, task: Result<TaskInfo, Error>) -> ErrorCode {
        let task = self.wait(task.unwrap()).await;
        assert!(task.is_failure(), "{task:?}");
        task.unwrap_failure().error_code
    }

    /// An index `films` with eight documents and rich settings.
    pub async fn films(&self) -> Index<Transport> {
        let index = self.client.index("films");
        self.done(self.client.create_index("films", Some("id")).await).await;
        let settings = meilisearch_sdk::settings::Settings::new()
            .with_searchable_attributes(["title", "titles", "about"])
            .with_filterable_attributes(["id", "year", "genres", "country", "labels", "minutes"])
            .with_sortable_attributes(["year", "id", "minutes"])
            .with_ranking_rules(["sort", "words", "typo", "proximity", "attribute", "exactness"]);
        self.done(index.set_settings(&settings).await).await;
        self.done(index.add_documents(&films(), None).await).await;
        index
    }
}

/// The code of an error answered at once.
pub fn code<T>(answer: Result<T, Error>) -> ErrorCode {
    match answer.err() {
        Some(Error::Meilisearch(error)) => error.error_code,
        other => panic!("an error of the protocol was expected, not {other:?}"),
    }
}

pub fn films() -> Vec<Value> {
    let film = |id: u32, title: &str, german: &str, year: u32, genres: &[&str], country: &str| {
        json!({
            "id": id, "title": title, "titles": { "de": german }, "year": year, "genres": genres, "country": country,
            "minutes": 90 + id, "about": format!("A quiet evening walk, number {id}, through the old harbour of {title}"),
            "labels": { "en": { "genres": genres } },
        })
    };
    vec![
        film(1, "Northern Lights", "Nordlicht", 2001, &["nature", "travel"], "NO"),
        film(2, "City of Rain", "Stadt im Regen", 2003, &["city"], "GB"),
        film(3, "Morning Dance", "Tanz am Morgen", 2003, &["dance", "music"], "FR"),
        film(4, "Harbour Lights", "Hafenlichter", 2010, &["city", "travel"], "DE"),
        film(5, "Mountain Music", "Bergmusik", 2012, &["music", "nature"], "AT"),
        film(6, "The Quiet Garden", "Der stille Garten", 2015, &["nature"], "JP"),
        film(7, "Lanterns", "Laternen", 2019, &["city", "nature"], "JP"),
        film(8, "Desert Road", "Wüstenstraße", 2021, &["travel"], "MA"),
    ]
}
