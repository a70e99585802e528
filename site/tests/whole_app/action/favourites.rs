//! Favorites and "watch later".

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{App, count_ok_and_conflicts, done, toasted};

#[tokio::test]
async fn adding_twice_conflicts_and_removing_is_idempotent() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    for (act, already) in [("favourite", "favorites_already_added"), ("watch_later", "watch_later_already_added")] {
        let send = async |section, id| mika.act(&[("act", act), ("section", section), ("object_id", id)]).await;
        assert_eq!(done(&send("add", "1").await), json!({"ok": 1}));
        toasted(&send("add", "1").await, 409, already);
        for _ in 0..2 {
            done(&send("rem", "1").await);
        }
        done(&send("add", "1").await);
        // These videos are private, deleted, awaiting moderation and nonexistent, respectively.
        for id in ["41", "50", "47", "999"] {
            send("add", id).await.refused(404, "video_not_found");
        }
        send("new", "1").await.refused(422, "invalid");
        send("", "1").await.refused(422, "required");
        for id in ["0", "-1", "x", "9223372036854775808"] {
            send("add", id).await.refused(422, "invalid");
        }
        send("add", "").await.refused(422, "required");
    }
    assert_eq!(app.number("select favourites from video_stats where video_id = 1").await, 1);
    assert_eq!(app.numbers(&format!("select video_id from watch_later where user_id = {}", mika.id)).await, [1]);
    app.finish().await;
}

#[tokio::test]
async fn owner_can_favourite_a_private_video() {
    let app = App::start().await;
    // The video was uploaded by member 41 % 2 + 1.
    let owner = app.sign_in(2, "other").await;
    owner.acts(&[("act", "favourite"), ("section", "add"), ("object_id", "41")]).await;
    let deleted = owner.act(&[("act", "favourite"), ("section", "add"), ("object_id", "50")]).await;
    deleted.refused(404, "video_not_found");
    app.finish().await;
}

#[tokio::test]
async fn concurrent_clicks_are_counted_exactly() {
    let app = App::start().await;
    let crowd = app.crowd(32).await;
    for act in ["favourite", "watch_later"] {
        let form = [("act", act), ("section", "add"), ("object_id", "1")];
        // Each member clicks twice.
        let replies = join_all(crowd.iter().chain(&crowd).map(|member| member.act(&form))).await;
        let code = if act == "favourite" { "favorites_already_added" } else { "watch_later_already_added" };
        assert_eq!(count_ok_and_conflicts(&replies, code), (32, 32));
    }
    assert_eq!(app.number("select favourites from video_stats where video_id = 1").await, 32);
    assert_eq!(app.number("select count(*) from watch_later where video_id = 1").await, 32);
    let form = [("act", "favourite"), ("section", "rem"), ("object_id", "1")];
    let replies = join_all(crowd.iter().chain(&crowd).map(|member| member.act(&form))).await;
    replies.iter().for_each(|reply| drop(done(reply)));
    assert_eq!(app.number("select favourites from video_stats where video_id = 1").await, 0);
    app.finish().await;
}
