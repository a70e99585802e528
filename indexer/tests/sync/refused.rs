//! Tests that documents rejected by the engine are parked and retried, and block nothing else.

use lantern_config::Config;
use lantern_index::IndexName;
use lantern_indexer::Step;

use crate::support::{App, Insert};

/// Maximum size of a request body in the engine, in bytes. It is larger than every document except the one to be rejected.
const MAX_BODY: usize = 64 << 10;

/// Creates three videos, of which the second has a description too large for a request.
async fn with_oversized_document() -> (App, [i64; 3]) {
    with_oversized_document_as(Config::default()).await
}

async fn with_oversized_document_as(config: Config) -> (App, [i64; 3]) {
    let app = App::start_as(config, |options| options.max_body = MAX_BODY).await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    let mut videos = [0; 3];
    for video in &mut videos {
        *video = app.video(Insert { title: "Harbour lights", category, model }).await;
    }
    app.sql("alter table videos drop constraint videos_description_length").await;
    app.sql(&describe(videos[1], MAX_BODY)).await;
    (app, videos)
}

fn describe(video: i64, length: usize) -> String {
    format!("update videos set description = repeat('lantern ', {length} / 8) where id = {video}")
}

#[tokio::test]
async fn rejected_document_is_parked_and_the_rebuild_continues() {
    let (app, videos) = with_oversized_document().await;
    if app.engine().is_none() {
        return;
    }
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    assert!(!app.indexer.needs_rebuild().await.unwrap(), "the next start must not rebuild");
    app.indexer.drain().await.unwrap();
    let others = [videos[0].to_string(), videos[2].to_string()];
    assert_eq!(app.ids("videos", "").await, others);
    let parked = app.rows("select entity || entity_id || ' ' || parked from outbox where parked is not null").await;
    assert_eq!(parked.len(), 1, "{parked:?}");
    assert!(parked[0].starts_with(&format!("video{} ", videos[1])) && parked[0].contains("payload"), "{parked:?}");
    assert_eq!(app.waiting().await, 0);

    // Other objects of the same batch are applied.
    app.sql("update videos set is_private = true where id <> 0").await;
    app.sql("update videos set is_private = false").await;
    app.indexer.drain().await.unwrap();
    assert_eq!(app.ids("videos", "").await, others);
    assert_eq!(
        app.rows("select 'parked' from outbox where parked is not null").await.len(),
        1,
        "expected one parked row per object"
    );

    // Once the document is corrected, the change itself is applied and the parked row is removed.
    app.sql(&describe(videos[1], 80)).await;
    app.indexer.drain().await.unwrap();
    assert_eq!(app.ids("videos", "").await.len(), 3);
    app.finish().await;
}

#[tokio::test]
async fn rebuild_with_pages_ahead_skips_rejected_documents_only() {
    let mut config = Config::default();
    (config.sync.rebuild_batch, config.sync.rebuild_ahead) = (1, 2);
    let (app, videos) = with_oversized_document_as(config).await;
    if app.engine().is_none() {
        return;
    }
    let done = std::sync::Mutex::new(Vec::new());
    let report = |step: Step| {
        if step.index == IndexName::Videos {
            done.lock().unwrap().push(step.done);
        }
    };
    app.indexer.rebuild(&IndexName::ALL, &report).await.unwrap();
    assert_eq!(*done.lock().unwrap(), [0, 1, 2, 3], "expected page by page, in order");
    assert_eq!(app.ids("videos", "").await, [videos[0], videos[2]].map(|id| id.to_string()));
}

#[tokio::test]
async fn parked_objects_are_retried_with_growing_pauses() {
    let (app, videos) = with_oversized_document().await;
    if app.engine().is_none() {
        return;
    }
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.indexer.drain().await.unwrap();
    let pauses =
        "select round(extract(epoch from retry_at - clock_timestamp()) / 10)::text || ' ' || refusals from outbox";
    let count = app.rows("select refusals::text from outbox").await[0].parse::<usize>().unwrap();
    // Without any change, due objects are retried and wait longer after each rejection.
    let mut seen = Vec::new();
    for _ in 0..6 {
        seen.push(app.rows(pauses).await.remove(0));
        app.sql("update outbox set retry_at = clock_timestamp()").await;
        app.indexer.drain().await.unwrap();
    }
    let expected: Vec<String> = (count..)
        .zip([3, 12, 60, 360, 2160].into_iter().chain(std::iter::repeat(2160)).skip(count - 1))
        .take(6)
        .map(|(refusals, tens)| format!("{tens} {refusals}"))
        .collect();
    assert_eq!(seen, expected);

    // The cause is corrected without any change in the outbox.
    let mend = describe(videos[1], 80);
    app.sql(&format!("alter table videos disable trigger user; {mend}; alter table videos enable trigger user")).await;
    app.indexer.drain().await.unwrap();
    assert_eq!(app.ids("videos", "").await.len(), 2, "retried before it was due");
    app.sql("update outbox set retry_at = clock_timestamp()").await;
    app.indexer.drain().await.unwrap();
    assert_eq!(app.ids("videos", "").await.len(), 3);
    app.finish().await;
}

#[tokio::test]
async fn rejected_document_blocks_neither_counters_nor_repairs() {
    let (app, videos) = with_oversized_document().await;
    if app.engine().is_none() {
        return;
    }
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.indexer.drain().await.unwrap();
    let model = app.model("hana-sato", "Hana Sato").await;
    app.sql(&format!("update models set aliases = array[repeat('lantern ', {MAX_BODY} / 8)] where id = {model}")).await;
    app.indexer.drain().await.unwrap();
    app.sql("update model_stats set viewed = viewed + 1; update video_stats set viewed = viewed + 7").await;
    app.indexer.transfer_counters().await.unwrap();
    assert_eq!(app.document("videos", &videos[0].to_string()).await.unwrap()["viewed"], 7);
    assert!(app.rows("select entity from counter_marks").await.is_empty(), "marks remain");

    app.delete("videos", &videos[2].to_string()).await;
    let found = app.indexer.verify(IndexName::Videos, true).await.unwrap();
    assert_eq!((found.missing, found.surplus), (2, 0));
    assert_eq!(app.document("videos", &videos[2].to_string()).await.unwrap()["viewed"], 7);
}
