//! Tests which passages of captions are written when their video changes.

use lantern_index::IndexName;
use serde_json::json;

use crate::support::{App, Insert};

#[tokio::test]
async fn only_changed_passages_are_written() {
    let app = App::start().await;
    let (category, model) = (app.category("travel", "Travel").await, app.model("yuki-mori", "Yuki Mori").await);
    let video = app.video(Insert { title: "Harbour lights", category, model }).await;
    app.captions(video).await;
    app.indexer.rebuild(&IndexName::ALL, &|_| {}).await.unwrap();
    app.indexer.drain().await.unwrap();

    let writes = app.writes(IndexName::Captions).await;
    app.sql("update videos set title = 'Mountain lights'").await;
    app.indexer.drain().await.unwrap();
    assert_eq!(app.document("videos", &video.to_string()).await.unwrap()["title"], json!("Mountain lights"));
    assert_eq!(app.writes(IndexName::Captions).await, writes, "captions were written again");

    // The last of three passages changes, and then it is gone.
    app.sql("update captions set cues = jsonb_set(cues, '{24,text}', '\"Good night\"')").await;
    app.indexer.drain().await.unwrap();
    assert_eq!(app.writes(IndexName::Captions).await, writes + 1);
    let last = format!("{video}-en-subtitles-2");
    let lines = app.document("captions", &last).await.unwrap()["lines"].clone();
    assert!(lines.as_str().unwrap().ends_with("24 Good night"), "{lines}");
    app.sql("update captions set cues = jsonb_path_query_array(cues, '$[0 to 10]')").await;
    app.indexer.drain().await.unwrap();
    assert_eq!(app.document("captions", &last).await, None);
    app.finish().await;
}
