//! Tests the indexer with a real Postgres and a real engine: committed changes are searchable, hidden objects disappear, and rebuilds lose
//! nothing.
#![expect(clippy::unwrap_used, reason = "tests may panic")]
#![expect(clippy::print_stdout, reason = "reports which variant of a test ran")]

mod captions;
mod counters;
mod full_disk;
mod lost;
mod refused;
mod support;
mod truncated;
mod verify;

use std::time::Duration;

use lantern_catalog::{changes::Changes, outbox::Entity};
use lantern_config::Lang;
use lantern_index::{IndexName, settings::searched};
use lantern_testing::TestDb;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection, postgres::PgConnectOptions};
use support::{App, Insert};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn committed_change_reaches_every_affected_index() {
    let app = App::start().await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    let video = app.video(Insert { title: "Harbour lights", category, model }).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();

    assert_eq!(app.ids("videos", "harbour").await, [video.to_string()]);
    assert_eq!(app.total("categories", category).await, Some(1));

    app.sql(&format!("update videos set title = 'Mountain lights' where id = {video}")).await;
    app.indexer.drain().await.unwrap();
    assert!(app.ids("videos", "harbour").await.is_empty());
    assert_eq!(app.ids("videos", "mountain").await, [video.to_string()]);

    // A hidden video is removed from lists and totals. Suggestions that would have no results are removed too.
    app.sql(&format!("update videos set is_private = true where id = {video}")).await;
    app.indexer.drain().await.unwrap();
    assert!(app.ids("videos", "").await.is_empty());
    assert!(app.ids("charts", "").await.is_empty());
    assert_eq!(app.total("categories", category).await, Some(0));
    assert!(app.ids("suggestions", "").await.is_empty());

    app.sql(&format!("update videos set is_private = false where id = {video}")).await;
    app.indexer.drain().await.unwrap();
    assert_eq!(app.ids("videos", "mountain").await, [video.to_string()]);
    assert_eq!(app.ids("suggestions", "").await.len(), 2);

    // The video is also found by a model's new name.
    app.sql(&format!("update models set title = 'Hana Sato', aliases = '{{佐藤花}}' where id = {model}")).await;
    app.indexer.drain().await.unwrap();
    let document = app.document("videos", &video.to_string()).await.unwrap();
    assert!(document["keys"].as_array().unwrap().contains(&json!("n:hana")), "{document}");

    app.sql(&format!("delete from videos where id = {video}")).await;
    app.indexer.drain().await.unwrap();
    assert!(app.ids("videos", "").await.is_empty());
    app.finish().await;
}

#[tokio::test]
async fn rebuild_replays_concurrent_changes_and_leaves_nothing_behind() {
    let app = App::start().await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    for _ in 0..30 {
        app.video(Insert { title: "Harbour lights", category, model }).await;
    }
    // There are more countries than fit on a page of charts.
    app.sql("insert into view_countries select 'A' || chr(65 + n), 7 + n % 2, 5 from generate_series(0, 25) n").await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.indexer.drain().await.unwrap();
    assert_eq!(app.ids("charts", "").await.len(), 26);

    // Simulate a process that died halfway: its rebuild is unfinished, and the objects that changed are dirty.
    let checkpoints = app.indexer.checkpoints();
    checkpoints.begin("another version").unwrap();
    app.sql("update videos set title = 'Mountain lights' where id = 7").await;
    app.sql("delete from videos where id = 8").await;
    app.indexer.drain().await.unwrap();
    assert!(!checkpoints.dirty().unwrap().is_empty());
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();

    assert_eq!(app.ids("videos", "").await.len(), 29);
    assert_eq!(app.ids("videos", "mountain").await, ["7"]);
    assert_eq!(app.ids("charts", "").await.len(), 13, "entries of a deleted video remain");
    assert_eq!(
        app.indexes().await.len(),
        IndexName::ALL.len() + 1,
        "expected the live indexes and the consumer's, but no shadow"
    );
    for index in IndexName::ALL {
        let found = app.indexer.verify(index, false).await.unwrap();
        assert_eq!((found.missing, found.different, found.surplus), (0, 0, 0), "{}", index.uid());
    }
    app.finish().await;
}

#[tokio::test]
async fn verify_finds_and_repairs_differences() {
    let app = App::start().await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    for _ in 0..5 {
        app.video(Insert { title: "Harbour lights", category, model }).await;
    }
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.indexer.drain().await.unwrap();
    app.write("videos", json!([{"id": 2, "title": "Something else"}, {"id": 900, "title": "Nothing"}])).await;
    app.delete("videos", "3").await;

    let index = IndexName::Videos;
    let found = app.indexer.verify(index, true).await.unwrap();
    assert_eq!((found.missing, found.different, found.surplus), (1, 1, 1));
    let found = app.indexer.verify(index, false).await.unwrap();
    assert_eq!((found.checked, found.missing, found.different, found.surplus), (5, 0, 0, 0));
    app.finish().await;
}

#[tokio::test]
async fn counters_are_transferred_in_bulk_and_never_revive_a_hidden_video() {
    let app = App::start().await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    let video = app.video(Insert { title: "Harbour lights", category, model }).await;
    let hidden = app.video(Insert { title: "Hidden lights", category, model }).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.sql(&format!("update videos set is_private = true where id = {hidden}")).await;
    app.indexer.drain().await.unwrap();

    app.sql("update video_stats set viewed = viewed + 41").await;
    assert_eq!(app.waiting().await, 0, "views must not fire outbox triggers");
    app.indexer.transfer_counters().await.unwrap();
    let document = app.document("videos", &video.to_string()).await.unwrap();
    assert_eq!(document["viewed"], 41);
    assert_eq!(document["title"], "Harbour lights");
    assert_eq!(app.document("videos", &hidden.to_string()).await, None);
    app.finish().await;
}

fn query_of(text: &str) -> String {
    lantern_index::text::query(text, Lang::Ja)
}

#[tokio::test]
async fn japanese_substrings_are_found_through_the_companion() {
    let app = App::start().await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    let video = app.video(Insert { title: "箱根温泉の夏旅行", category, model }).await;
    let other = app.video(Insert { title: "上海の夜景", category, model }).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    for query in ["温泉", "箱根温泉", "旅行", "夏旅行"] {
        assert_eq!(app.ids("videos", &query_of(query)).await, [video.to_string()], "{query}");
    }
    assert_eq!(app.ids("videos", &query_of("夜景")).await, [other.to_string()]);
    // Sharing one character is not a match.
    assert!(app.ids("videos", &query_of("海上")).await.is_empty());
    assert!(app.ids("videos", &query_of("温度")).await.is_empty());
    app.indexer.drain().await.unwrap();
    app.finish().await;
}

#[tokio::test]
async fn documents_are_searchable_in_every_language() {
    let app = App::start().await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    let video = app.video(Insert { title: "箱根温泉", category, model }).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    let document = app.document("videos", &video.to_string()).await.unwrap();
    let words = document["words"].as_object().unwrap();
    assert_eq!(words.len(), Lang::ALL.len() + 1, "required, because the engine rejects fields that no document has");
    assert_eq!(document["texts"], json!({}));
    let index = app.client.index("videos");
    for lang in Lang::ALL {
        let fields = searched(IndexName::Videos, Some(*lang));
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        let mut query = index.search();
        let found = query.with_query("\"ǀ\"").with_attributes_to_search_on(&fields).execute::<Value>().await;
        assert_eq!(found.unwrap().hits.len(), 1, "{lang}");
    }
    app.indexer.drain().await.unwrap();
    app.finish().await;
}

#[tokio::test]
async fn rebuild_of_a_killed_process_is_resumed_by_the_next_one() {
    let app = App::start().await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    app.video(Insert { title: "Harbour lights", category, model }).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.indexer.drain().await.unwrap();

    // A killed process leaves a job in the state `running` and an unfinished rebuild.
    let job = app.request_rebuild().await;
    assert_eq!(app.claim_rebuild().await, Some(job));
    app.indexer.checkpoints().begin("half-way").unwrap();

    let stop = CancellationToken::new();
    let serving = tokio::spawn({
        let (indexer, stop) = (app.indexer.clone(), stop.clone());
        async move { indexer.serve_requests(stop).await }
    });
    while app.rebuild_state(job).await != "done" {
        tokio::task::yield_now().await;
    }
    stop.cancel();
    serving.await.unwrap();
    assert_eq!(app.indexer.checkpoints().rebuilding().unwrap(), None);
    assert_eq!(app.ids("videos", "harbour").await.len(), 1);
    app.finish().await;
}

#[tokio::test]
async fn responses_computed_while_not_listening_are_invalidated() {
    let db = TestDb::create().await.unwrap();
    let options: PgConnectOptions = db.url.parse().unwrap();
    let name = options.get_database().unwrap().to_owned();
    let mut admin = PgConnection::connect_with(&options.database("postgres")).await.unwrap();
    let (changes, pool) = (Changes::default(), lantern_catalog::connect(&db.url, 2).await.unwrap());
    tokio::spawn({
        let changes = changes.clone();
        async move { changes.follow(&pool, CancellationToken::new()).await }
    });
    until(|| changes.generation() > 0).await;

    // The listener's connection is terminated, and for a moment it cannot reconnect.
    let heard = changes.generation();
    for statement in [
        format!("alter database {name} with allow_connections false"),
        format!("select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'"),
    ] {
        sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut admin).await.unwrap();
    }
    until(|| changes.generation() > heard).await;
    let listening = format!("select count(*) from pg_stat_activity where datname = '{name}' and query ilike 'listen%'");
    let listeners = async |admin: &mut PgConnection| -> i64 {
        sqlx::query_scalar(AssertSqlSafe(listening.clone())).fetch_one(admin).await.unwrap()
    };
    // A terminated backend may live on for a moment.
    let ended = async { while listeners(&mut admin).await > 0 {} };
    tokio::time::timeout(Duration::from_secs(10), ended).await.unwrap();
    // A response computed now may miss notifications sent before it listens again.
    let read = changes.end();
    assert!(changes.unchanged(read, &[(Entity::Video, 1)]).is_some());
    let statement = format!("alter database {name} with allow_connections true");
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(&mut admin).await.unwrap();
    until(|| changes.unchanged(read, &[(Entity::Video, 1)]).is_none()).await;
    assert_eq!(listeners(&mut admin).await, 1, "responses must be invalidated once it listens, not before");
}

/// Waits for a condition for up to ten seconds.
async fn until(happened: impl Fn() -> bool) {
    for _ in 0..500 {
        if happened() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the condition was not met in time");
}
