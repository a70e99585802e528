//! Tests which differences a comparison with the catalog reports.

use lantern_index::IndexName;
use lantern_indexer::Findings;
use serde_json::json;

use crate::support::{App, Insert};

async fn findings(app: &App, index: IndexName) -> (u64, u64, u64) {
    let Findings { missing, different, surplus, .. } = app.indexer.verify(index, false).await.unwrap();
    (missing, different, surplus)
}

#[tokio::test]
async fn verify_ignores_scheduled_refreshes_but_reports_forbidden_entries() {
    let app = App::start().await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    let video = app.video(Insert { title: "Harbour lights", category, model }).await;
    let hidden = app.video(Insert { title: "Mountain lights", category, model }).await;
    app.sql(&format!("update videos set is_private = true where id = {hidden}")).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.indexer.drain().await.unwrap();

    // A visitor from some country watches and rates a video. Nothing has been transferred or refreshed yet.
    app.sql(&format!(
        "update video_stats set viewed = viewed + 5, likes = likes + 1 where video_id = {video};
         update model_stats set viewed = viewed + 5;
         insert into view_countries (country, video_id, viewed) values ('JP', {video}, 5)"
    ))
    .await;
    for index in IndexName::ALL {
        assert_eq!(findings(&app, index).await, (0, 0, 0), "{}", index.uid());
    }
    // Counters without a mark will never be transferred, so they are lost.
    app.sql("delete from counter_marks").await;
    assert_eq!(findings(&app, IndexName::Videos).await, (0, 1, 0));
    assert_eq!(findings(&app, IndexName::Models).await, (0, 1, 0));
    app.indexer.verify(IndexName::Videos, true).await.unwrap();
    assert_eq!(findings(&app, IndexName::Videos).await, (0, 0, 0));

    // A chart may be outdated, but must never list videos hidden from guests.
    app.write("charts", json!([{"id": format!("JP-{hidden}"), "country": "JP", "video_id": hidden}])).await;
    assert_eq!(findings(&app, IndexName::Charts).await, (0, 0, 1));
    app.indexer.verify(IndexName::Charts, true).await.unwrap();
    assert_eq!(findings(&app, IndexName::Charts).await, (0, 0, 0));
    app.finish().await;
}

#[tokio::test]
async fn difference_is_found_during_live_sync() {
    let app = App::start().await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    let video = app.video(Insert { title: "Harbour lights", category, model }).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    // A pending change is not a difference, but a lost one is.
    app.sql("update videos set title = 'Mountain lights'").await;
    assert_eq!(findings(&app, IndexName::Videos).await, (0, 0, 0));
    app.sql(&format!("update videos set title = 'Lost lights' where id = {video}; delete from outbox")).await;
    assert_eq!(findings(&app, IndexName::Videos).await, (0, 1, 0));
    app.finish().await;
}

#[tokio::test]
async fn passages_of_captions_are_compared_and_repaired() {
    let app = App::start().await;
    let category = app.category("travel", "Travel").await;
    let model = app.model("yuki-mori", "Yuki Mori").await;
    let video = app.video(Insert { title: "Harbour lights", category, model }).await;
    app.captions(video).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.indexer.drain().await.unwrap();
    assert_eq!(app.indexer.verify(IndexName::Captions, false).await.unwrap().checked, 3);
    assert_eq!(findings(&app, IndexName::Captions).await, (0, 0, 0));

    // A pending change is not a difference.
    let shorter =
        "update captions set cues = jsonb_build_array(jsonb_build_object('from', 0, 'to', 900, 'text', 'Only')) || (
        select jsonb_agg(cue) from jsonb_array_elements(cues) cue where cue ->> 'text' < 'Line 2')";
    app.sql(shorter).await;
    assert_eq!(findings(&app, IndexName::Captions).await, (0, 0, 0));
    // Lost ones are.
    app.sql(&format!("update captions set lang = 'de' where video_id = {video}; delete from outbox")).await;
    app.write("captions", json!([{"id": "999-en-subtitles-0", "video_id": 999}])).await;
    assert_eq!(findings(&app, IndexName::Captions).await, (2, 0, 3));
    app.sql("update captions set lang = 'en'; update captions set cues = cues - 0; delete from outbox").await;
    assert_eq!(findings(&app, IndexName::Captions).await, (0, 2, 1));
    app.indexer.verify(IndexName::Captions, true).await.unwrap();
    assert_eq!(findings(&app, IndexName::Captions).await, (0, 0, 0));
    app.finish().await;
}
