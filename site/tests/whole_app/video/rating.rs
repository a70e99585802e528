//! Ratings. Each has the same value everywhere, and videos with few votes do not come first in the ranking.

use serde_json::Value;

use crate::support::{App, listing};

#[tokio::test]
async fn rating_is_the_share_of_likes_everywhere() {
    let app = App::start().await;
    let votes = |table: &str| format!("update {table}_stats set likes = 10, dislikes = 2 where {table}_id = 1;");
    app.sql(&["video", "album", "playlist"].map(votes).concat()).await;
    app.counters().await;
    let mika = app.member("mika").await;
    mika.acts(&[("act", "favourite"), ("section", "add"), ("object_id", "1")]).await;
    let first = |answer: Value, list: &str| answer[list][0].clone();
    let newest = |kind: &str| format!("/api/json/{kind}/86400/str/latest-updates/1/all..1.json");
    let search = "/api/videos2.php?params=86400/str/latest-updates/1/search..1.all.all.all&s=harbour";
    for (shown, whose) in [
        (first(app.json(&listing("latest-updates", 1, "all..1.all.all.all")).await, "videos"), "a list's video"),
        (first(app.json(search).await, "videos"), "a search's video"),
        (first(mika.get("/api/member_lists.php?list=favourite_videos").await.json(), "videos"), "a favourite"),
        (app.json("/api/json/video/86400/0/1.json").await["video"].clone(), "a video's page"),
        (first(app.json(&newest("albums")).await, "albums"), "a list's album"),
        (app.json("/api/json/album/86400/0/1.json").await["album"].clone(), "an album's page"),
        (first(app.json(&newest("playlists")).await, "playlists"), "a list's playlist"),
        (app.json("/api/json/playlist/86400/0/1.json").await["playlist"].clone(), "a playlist's page"),
    ] {
        // 10 out of 12 votes are 83 %.
        assert_eq!(shown["rating"].as_f64(), Some(4.17), "{whose}: {shown}");
    }
    app.finish().await;
}

#[tokio::test]
async fn single_like_does_not_lead_top_rated() {
    let app = App::start().await;
    app.sql(
        "update video_stats set likes = 0, dislikes = 0;
         update video_stats set likes = 1 where video_id = 1;
         update video_stats set likes = 990, dislikes = 10 where video_id = 2;
         update video_stats set likes = 40, dislikes = 10 where video_id = 3;",
    )
    .await;
    app.counters().await;
    let best = app.json(&listing("top-rated", 3, "all..1.all.all.all")).await;
    let shown: Vec<_> =
        best["videos"].as_array().unwrap().iter().map(|card| (&card["video_id"], &card["rating"])).collect();
    let shown: Vec<_> =
        shown.into_iter().map(|(id, rating)| (id.as_i64().unwrap(), rating.as_f64().unwrap())).collect();
    assert_eq!(shown, [(2, 4.95), (3, 4.0), (1, 5.0)]);
    app.finish().await;
}
