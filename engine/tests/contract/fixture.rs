//! An engine for a test, and helpers. Index names are unique for each test, so that tests can share a server.

use std::time::Duration;

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, Request};
use bytes::Bytes;
use lantern_index::{SearchClient, Transport};
use meilisearch_sdk::errors::{Error, ErrorCode};
use meilisearch_sdk::indexes::{Index, IndexesQuery};
use meilisearch_sdk::settings::Settings;
use meilisearch_sdk::task_info::TaskInfo;
use meilisearch_sdk::tasks::Task;
use serde_json::{Value, json};

use crate::wire::OpenEngine;

/// Context of a test.
#[derive(Clone)]
pub struct Fixture {
    opened: OpenEngine,
    /// A client with the master key.
    pub client: SearchClient,
    prefix: String,
}

/// A raw response.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Fixture {
    pub fn new(opened: OpenEngine) -> Self {
        let client = opened.wire.client(Some(&opened.master));
        let prefix = format!("t{}", uuid::Uuid::new_v4().simple());
        Self { opened, client, prefix }
    }

    /// Deletes the test's indexes.
    pub async fn clean(&self) {
        let indexes = IndexesQuery::new(&self.client).with_limit(10_000).execute().await.unwrap();
        for index in indexes.results.into_iter().filter(|index| index.uid.starts_with(&self.prefix)) {
            self.done(index.delete().await).await;
        }
    }

    /// Returns this test's uid for the index `name`.
    pub fn uid(&self, name: &str) -> String {
        format!("{}-{name}", self.prefix)
    }

    pub fn index(&self, name: &str) -> Index<Transport> {
        self.client.index(self.uid(name))
    }

    /// Returns a client for the same engine with another key.
    pub fn client_with(&self, key: Option<&str>) -> SearchClient {
        self.opened.wire.client(key)
    }

    /// Returns a client with the search key.
    pub fn searcher(&self) -> SearchClient {
        self.client_with(self.opened.search.as_deref())
    }

    /// Sends a request with exactly these headers.
    pub async fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.opened.wire.send(request.body(Bytes::from(body.to_owned())).unwrap()).await;
        let (parts, body) = response.into_parts();
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Answer { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    /// Sends a body of type `kind` with the master key.
    pub async fn send_as(&self, kind: &str, method: &str, path: &str, body: &str) -> Answer {
        let key = format!("Bearer {}", self.opened.master);
        self.raw(method, path, &[(AUTHORIZATION.as_str(), &key), (CONTENT_TYPE.as_str(), kind)], body).await
    }

    /// Sends JSON with the master key.
    pub async fn send(&self, method: &str, path: &str, body: &str) -> Answer {
        self.send_as("application/json", method, path, body).await
    }

    /// Sends a request without a body, with the master key.
    pub async fn call(&self, method: &str, path: &str) -> Answer {
        let key = format!("Bearer {}", self.opened.master);
        self.raw(method, path, &[(AUTHORIZATION.as_str(), &key)], "").await
    }

    /// Waits for an accepted task to finish, and returns it.
    pub async fn finished(&self, accepted: &Answer) -> Value {
        assert!((200..300).contains(&accepted.status), "{accepted:?}");
        let path = format!("/tasks/{}", accepted.body["taskUid"]);
        let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
        loop {
            let task = self.call("GET", &path).await.body;
            if !matches!(task["status"].as_str(), Some("enqueued" | "processing")) {
                return task;
            }
            assert!(tokio::time::Instant::now() < deadline, "{task}");
            tokio::task::yield_now().await;
        }
    }

    /// Waits for a task, whatever its outcome.
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

    /// Waits for a task that must fail and returns its error code.
    pub async fn failed(&self, task: Result<TaskInfo, Error>) -> ErrorCode {
        let task = self.wait(task.unwrap()).await;
        assert!(task.is_failure(), "{task:?}");
        task.unwrap_failure().error_code
    }

    /// Creates an index `films` with eight documents and extensive settings.
    pub async fn films(&self) -> Index<Transport> {
        let index = self.index("films");
        self.done(self.client.create_index(&index.uid, Some("id")).await).await;
        let settings = Settings::new()
            .with_searchable_attributes(["title", "titles", "about"])
            .with_filterable_attributes(["id", "year", "genres", "country", "labels", "minutes"])
            .with_sortable_attributes(["year", "id", "minutes"])
            .with_ranking_rules(["sort", "words", "typo", "proximity", "attribute", "exactness"]);
        self.done(index.set_settings(&settings).await).await;
        self.done(index.add_documents(&films(), None).await).await;
        index
    }

    /// Runs a search with a JSON body. The search must succeed.
    pub async fn search(&self, index: &Index<Transport>, body: &Value) -> Value {
        let answer = self.send("POST", &format!("/indexes/{}/search", index.uid), &body.to_string()).await;
        assert_eq!(answer.status, 200, "{body}: {answer:?}");
        answer.body
    }
}

/// Returns the code of an immediate error.
pub fn code<T>(answer: Result<T, Error>) -> ErrorCode {
    match answer.err() {
        Some(Error::Meilisearch(error)) => error.error_code,
        other => panic!("expected a protocol error, got {other:?}"),
    }
}

/// Returns the names of an object's members, in order.
pub fn keys(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Returns the ids of the hits.
pub fn hit_ids(answer: &Value) -> Vec<u64> {
    answer["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_u64().unwrap()).collect()
}

fn films() -> Vec<Value> {
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
