//! Shared helpers: documents, options, and two ways to call an engine.

use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use http_body_util::BodyExt;
use lantern_engine::{Engine, EngineOptions, Keys};
use lantern_index::{SearchClient, Transport};
use meilisearch_sdk::errors::Error;
use meilisearch_sdk::indexes::Index;
use meilisearch_sdk::settings::Settings;
use meilisearch_sdk::task_info::TaskInfo;
use serde_json::{Value, json};
use tower::ServiceExt;

const QUICKLY: Option<Duration> = Some(Duration::from_millis(1));
const PATIENTLY: Option<Duration> = Some(Duration::from_secs(120));

pub fn options(path: &Path) -> EngineOptions {
    let mut options = EngineOptions::new(path);
    options.initial_map_size = 1 << 30;
    options.queue_map_size = 1 << 30;
    options
}

pub fn connect(engine: &Engine) -> SearchClient {
    Transport::in_process(engine.trusted_router(), None)
}

pub fn document(id: u64) -> Value {
    json!({
        "id": id, "title": format!("Evening number {id} in the old town"), "year": 1990 + id % 30,
        "tags": [format!("tag-{}", id % 97), format!("kind-{}", id % 7)], "viewed": id * 7919 % 100_003,
        "about": format!("A long walk past {} lanterns and {} bridges, told slowly", id % 113, id % 41),
    })
}

pub fn documents(ids: impl IntoIterator<Item = u64>) -> Vec<Value> {
    ids.into_iter().map(document).collect()
}

pub async fn succeed(client: &SearchClient, task: Result<TaskInfo, Error>) {
    let task = task.unwrap().wait_for_completion(client, QUICKLY, PATIENTLY).await.unwrap();
    assert!(task.is_success(), "{task:?}");
}

pub async fn prepared(client: &SearchClient, uid: &str, count: u64) -> Index<Transport> {
    let index = client.index(uid);
    succeed(client, client.create_index(uid, Some("id")).await).await;
    let settings = Settings::new()
        .with_filterable_attributes(["id", "year", "tags"])
        .with_sortable_attributes(["id", "viewed"])
        .with_searchable_attributes(["title", "about"]);
    succeed(client, index.set_settings(&settings).await).await;
    succeed(client, index.add_documents(&documents(0..count), None).await).await;
    index
}

pub async fn total(index: &Index<Transport>) -> usize {
    index.get_stats().await.unwrap().number_of_documents
}

/// An engine's routes, called in the same way as over HTTP. This is for details that the SDK hides.
#[derive(Clone)]
pub struct Raw(Router);

impl Raw {
    const KEY: &str = "a key of more than sixteen bytes";

    pub fn new(engine: &Engine) -> Self {
        Self(engine.router(Keys::from_master(Self::KEY)))
    }

    /// Sends a request and returns the status and body of the response.
    pub async fn call(&self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {}", Self::KEY))
            .header(header::CONTENT_TYPE, "application/json")
            .body(body.map_or_else(Body::empty, |body| Body::from(body.to_string())))
            .unwrap();
        let response = self.0.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    /// Sends a GET request that must return 200, and returns the body.
    pub async fn get(&self, path: &str) -> Value {
        let (status, body) = self.call("GET", path, None).await;
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Sends a write and returns its finished task.
    pub async fn write(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let (status, summary) = self.call(method, path, body).await;
        assert_eq!(status, 202, "{method} {path}: {summary}");
        self.finished(summary["taskUid"].as_u64().unwrap()).await
    }

    /// Waits for a task to finish, and returns it.
    pub async fn finished(&self, uid: u64) -> Value {
        let mut polls = tokio::time::interval(Duration::from_millis(1));
        let waiting = async {
            loop {
                polls.tick().await;
                let task = self.get(&format!("/tasks/{uid}")).await;
                if !["enqueued", "processing"].contains(&task["status"].as_str().unwrap()) {
                    return task;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(120), waiting).await.unwrap()
    }
}
