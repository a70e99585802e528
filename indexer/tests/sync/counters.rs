//! Tests that counters update existing documents and never create any.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{Router, extract::Request, http::Method, middleware};
use lantern_engine::Keys;
use lantern_index::{IndexName, SearchClient, Transport};

use crate::support::{App, Insert};

/// Returns a client that runs `before` right before the first write of counters reaches the engine.
fn interrupted<F>(app: &App, before: impl Fn() -> F + Send + Sync + 'static) -> Option<SearchClient>
where
    F: Future<Output = ()> + Send + 'static,
{
    let keys = Keys::from_master("a key of this test");
    let router = app.engine()?.router(keys);
    let (before, first) = (Arc::new(before), Arc::new(AtomicBool::new(true)));
    let router = Router::new().fallback_service(router).layer(middleware::from_fn(
        move |request: Request, next: middleware::Next| {
            let (before, first) = (Arc::clone(&before), Arc::clone(&first));
            async move {
                let is_write = request.method() == Method::PUT && request.uri().path() == "/indexes/videos/documents";
                if is_write && first.swap(false, Ordering::SeqCst) {
                    before().await;
                }
                next.run(request).await
            }
        },
    ));
    Some(Transport::in_process(router, Some("a key of this test")))
}

async fn one_video(app: &App) -> i64 {
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    let video = app.video(Insert { title: "Harbour lights", category, model }).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.indexer.drain().await.unwrap();
    video
}

#[tokio::test]
async fn views_of_a_video_without_a_document_create_none() {
    let app = App::start().await;
    let video = one_video(&app).await.to_string();
    // The video is visible in the catalog but not in the index yet, because its change is pending.
    app.delete("videos", &video).await;
    app.sql("update video_stats set viewed = viewed + 41").await;
    app.indexer.transfer_counters().await.unwrap();
    assert_eq!(app.document("videos", &video).await, None);

    // The full document includes its counters.
    app.sql("update videos set title = 'Mountain lights'").await;
    app.indexer.drain().await.unwrap();
    let document = app.document("videos", &video).await.unwrap();
    assert_eq!((&document["title"], &document["viewed"]), (&"Mountain lights".into(), &41.into()));

    app.sql("update videos set is_private = true").await;
    app.indexer.drain().await.unwrap();
    app.sql("update video_stats set viewed = viewed + 1").await;
    app.indexer.transfer_counters().await.unwrap();
    assert_eq!(app.document("videos", &video).await, None, "views of a private video created a document");
    app.finish().await;
}

#[tokio::test]
async fn video_hidden_by_another_writer_before_its_counters_are_written_stays_hidden() {
    let app = Arc::new(App::start().await);
    let video = one_video(&app).await.to_string();
    let other = Arc::clone(&app);
    // Between reading and writing the counters, another process hides the video and removes it from the index.
    let client = interrupted(&app, move || {
        let other = Arc::clone(&other);
        async move {
            other.sql("update videos set is_private = true").await;
            other.indexer.drain().await.unwrap();
        }
    });
    let Some(client) = client else { return };
    let paused = app.second(client);
    app.sql("update video_stats set viewed = viewed + 41").await;
    assert_eq!(paused.transfer_counters().await.unwrap(), 1);
    app.indexer.drain().await.unwrap();
    assert_eq!(app.document("videos", &video).await, None);
    assert_eq!(app.waiting().await, 0);
}
