//! Creates a database, an engine folder and an indexer for each test.

use std::{sync::Arc, time::Duration};

use lantern_catalog::{outbox, queue};
use lantern_config::Config;
use lantern_engine::{Engine, EngineOptions};
use lantern_index::{IndexName, SearchClient};
use lantern_indexer::{
    Indexer,
    requests::{self, Work},
};
use lantern_testing::{TestDb, TestSearch};
use meilisearch_sdk::tasks::TasksSearchQuery;
use serde_json::Value;
use sqlx::AssertSqlSafe;
use tempfile::TempDir;

pub struct App {
    db: TestDb,
    pub client: SearchClient,
    search: TestSearch,
    pub indexer: Indexer,
    config: Config,
    _folder: TempDir,
}

/// Fields of a video that tests specify.
pub struct Insert {
    pub title: &'static str,
    pub category: i64,
    pub model: i64,
}

impl App {
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts with other options of the embedded engine.
    pub async fn start_with(change: impl FnOnce(&mut EngineOptions)) -> Self {
        Self::start_as(Config::default(), change).await
    }

    /// Starts with other options of the embedded engine and another configuration.
    pub async fn start_as(mut config: Config, change: impl FnOnce(&mut EngineOptions)) -> Self {
        let db = TestDb::create().await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let search = TestSearch::open_with(&folder.path().join("index"), &mut config, change).await.unwrap();
        let client = search.client.clone();
        let indexer =
            Indexer::new(db.pool.clone(), client.clone(), Arc::new(config.clone()), &folder.path().join("sled"))
                .unwrap();
        indexer.join().await.unwrap();
        Self { db, client, search, indexer, config, _folder: folder }
    }

    /// Returns the embedded engine, or `None` if a server is used.
    pub fn engine(&self) -> Option<&Engine> {
        self.search.engine.as_ref()
    }

    /// Returns a copy of the configuration.
    pub fn config(&self) -> Config {
        self.config.clone()
    }

    /// Returns another indexer on the same index. It acts like a process that doesn't know it was superseded.
    pub fn second(&self, client: SearchClient) -> Indexer {
        self.indexer.with_client(client)
    }

    pub async fn sql(&self, statement: &str) {
        sqlx::raw_sql(AssertSqlSafe(statement.to_owned())).execute(&self.db.pool).await.unwrap();
    }

    async fn insert(&self, statement: String) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(&self.db.pool).await.unwrap()
    }

    /// Runs a query and returns its only column as text.
    pub async fn rows(&self, select: &str) -> Vec<String> {
        sqlx::query_scalar(AssertSqlSafe(select.to_owned())).fetch_all(&self.db.pool).await.unwrap()
    }

    pub async fn category(&self, dir: &str, title: &str) -> i64 {
        let id = self.insert(format!("insert into categories (dir) values ('{dir}') returning id")).await;
        self.sql(&format!("insert into category_titles values ({id}, 'en', '{title}')")).await;
        id
    }

    pub async fn model(&self, dir: &str, title: &str) -> i64 {
        self.insert(format!(
            "insert into models (dir, title, gender, birth_date) values ('{dir}', '{title}', 'str', '1990-01-01') returning id"
        ))
        .await
    }

    pub async fn video(&self, insert: Insert) -> i64 {
        let id = self
            .insert(format!(
                "insert into videos (dir, title, lang, gender, duration) values ('video', '{}', 'en', 'str', 600) returning id",
                insert.title
            ))
            .await;
        self.sql(&format!(
            "insert into video_categories values ({id}, {}); insert into video_models values ({id}, {})",
            insert.category, insert.model
        ))
        .await;
        id
    }

    /// Returns the ids found by a query, in ascending order.
    pub async fn ids(&self, uid: &str, query: &str) -> Vec<String> {
        let index = self.client.index(uid);
        let found = index.search().with_query(query).with_limit(100).execute::<Value>().await.unwrap();
        let mut ids: Vec<String> = found
            .hits
            .iter()
            .map(|hit| hit.result["id"].as_str().map_or_else(|| hit.result["id"].to_string(), str::to_owned))
            .collect();
        ids.sort();
        ids
    }

    pub async fn document(&self, uid: &str, id: &str) -> Option<Value> {
        self.client.index(uid).get_document::<Value>(id).await.ok()
    }

    /// Returns the total of a category over all genders.
    pub async fn total(&self, uid: &str, id: i64) -> Option<i64> {
        let document = self.document(uid, &id.to_string()).await?;
        document["total"].as_object().map(|totals| totals.values().filter_map(Value::as_i64).sum())
    }

    pub async fn indexes(&self) -> Vec<String> {
        self.client.list_all_indexes().await.unwrap().results.into_iter().map(|index| index.uid).collect()
    }

    pub async fn write(&self, uid: &str, documents: Value) {
        let documents: Vec<Value> = documents.as_array().unwrap().clone();
        let task = self.client.index(uid).add_or_replace(&documents, Some("id")).await.unwrap();
        task.wait_for_completion(&self.client, None, None).await.unwrap();
    }

    pub async fn delete(&self, uid: &str, id: &str) {
        let task = self.client.index(uid).delete_document(id).await.unwrap();
        task.wait_for_completion(&self.client, None, None).await.unwrap();
    }

    /// Gives a video English captions with 25 lines, one per second, "Line 0" to "Line 24". They have three passages.
    pub async fn captions(&self, video: i64) {
        self.sql(&format!(
            "insert into captions (video_id, lang, kind, cues)
             select {video}, 'en', 'subtitles', jsonb_agg(jsonb_build_object('from', n * 1000, 'to', n * 1000 + 900, 'text', 'Line ' || n))
             from generate_series(0, 24) n"
        ))
        .await;
    }

    /// Returns the number of tasks of an index and its shadow that the engine remembers.
    pub async fn writes(&self, index: IndexName) -> usize {
        let mut query = TasksSearchQuery::new(&self.client);
        let (uid, shadow) = (index.uid(), index.shadow_uid());
        query.with_index_uids([uid, &shadow]).with_limit(1000);
        self.client.get_tasks_with(&query).await.unwrap().results.len()
    }

    pub async fn waiting(&self) -> i64 {
        outbox::lag(&mut self.db.pool.acquire().await.unwrap()).await.unwrap().waiting
    }

    pub async fn request_rebuild(&self) -> i64 {
        let mut conn = self.db.pool.acquire().await.unwrap();
        let payload = serde_json::to_value(requests::Request::default()).unwrap();
        let kind = Work::Rebuild.kind(&self.indexer.consumer().await.unwrap());
        queue::enqueue(&mut conn, &kind, &payload).await.unwrap()
    }

    pub async fn claim_rebuild(&self) -> Option<i64> {
        let mut conn = self.db.pool.acquire().await.unwrap();
        let kind = Work::Rebuild.kind(&self.indexer.consumer().await.unwrap());
        queue::claim(&mut conn, &kind, 1, Duration::from_secs(3600)).await.unwrap().pop().map(|job| job.id)
    }

    pub async fn rebuild_state(&self, id: i64) -> String {
        queue::get(&mut self.db.pool.acquire().await.unwrap(), id).await.unwrap().unwrap().state
    }

    /// Checks that the outbox is empty and nothing is parked, and closes the engine.
    pub async fn finish(self) {
        let lag = outbox::lag(&mut self.db.pool.acquire().await.unwrap()).await.unwrap();
        assert_eq!((lag.waiting, lag.parked), (0, 0));
        self.search.close().await;
    }
}
