//! Subscriptions, friends, and the state of an object's buttons.

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{App, Session, count_ok_and_conflicts, done, toasted};

fn friend<'a>(section: &'a str, id: &'a str) -> [(&'a str, &'a str); 3] {
    [("act", "friend"), ("section", section), ("object_id", id)]
}

fn subscribe<'a>(section: &'a str, kind: &'a str, id: &'a str) -> [(&'a str, &'a str); 4] {
    [("act", "subscribe"), ("section", section), ("object_type", kind), ("object_id", id)]
}

#[tokio::test]
async fn models_channels_and_members_are_followed_once() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let list = format!("/api/json/subscriptions/7200/0/{}.1.json", mika.id);
    assert_eq!(app.json(&list).await["total_count"], 0);
    for (kind, id) in [("model", "1"), ("channel", "1"), ("user", "3")] {
        done(&mika.act(&subscribe("add", kind, id)).await);
        toasted(&mika.act(&subscribe("add", kind, id)).await, 409, "subscribe_already_added");
    }
    app.drain().await;
    assert_eq!(app.json(&list).await["total_count"], 3);
    let me = mika.id.to_string();
    toasted(&mika.act(&subscribe("add", "user", &me)).await, 409, "subscribe_cant_subscribe_myself");
    for (kind, id, code) in [
        ("model", "99", "model_not_found"),
        ("channel", "9", "channel_not_found"),
        ("user", "39", "member_not_found"),
        ("user", "40", "member_not_found"),
    ] {
        mika.act(&subscribe("add", kind, id)).await.refused(404, code);
    }
    for kind in ["video", "album", "x"] {
        mika.act(&subscribe("add", kind, "1")).await.refused(422, "invalid");
    }
    mika.act(&subscribe("accept", "user", "3")).await.refused(422, "invalid");
    for _ in 0..2 {
        done(&mika.act(&subscribe("rem", "user", "3")).await);
    }
    app.drain().await;
    assert_eq!(app.json(&list).await["total_count"], 2);
    app.finish().await;
}

#[tokio::test]
async fn concurrent_subscriptions_reach_the_index_exactly() {
    let app = App::start().await;
    app.sql("update model_stats set subscribers = 0 where model_id = 1").await;
    let crowd = app.crowd(32).await;
    let form = subscribe("add", "model", "1");
    let replies = join_all(crowd.iter().chain(&crowd).map(|member| member.act(&form))).await;
    assert_eq!(count_ok_and_conflicts(&replies, "subscribe_already_added"), (32, 32));
    app.drain().await;
    app.counters().await;
    let model = app.json("/api/json/model/86400/mi/mika-sato.json").await;
    assert_eq!(model["model"]["statistics"]["subscribers"], 32);
    app.finish().await;
}

#[tokio::test]
async fn friend_requests_are_sent_accepted_and_removed() {
    let app = App::start().await;
    let (mika, anna) = (app.member("mika").await, app.member("anna").await);
    let (to_mika, to_anna) = (mika.id.to_string(), anna.id.to_string());
    let friends = async |of: &Session| {
        app.drain().await;
        app.json(&format!("/api/json/friends/7200/0/{}.1.json", of.id)).await["total_count"].clone()
    };
    toasted(&mika.act(&friend("add", &to_mika)).await, 409, "add_friend_cant_add_myself");
    for id in ["39", "40", "999"] {
        mika.act(&friend("add", id)).await.refused(404, "member_not_found");
    }
    assert_eq!(done(&mika.act(&friend("add", &to_anna)).await)["friend"], "requested");
    toasted(&mika.act(&friend("add", &to_anna)).await, 409, "add_friend_already_added");
    mika.act(&friend("accept", &to_anna)).await.refused(404, "friend_not_found");
    assert_eq!(friends(&mika).await, 0);
    for _ in 0..2 {
        assert_eq!(done(&anna.act(&friend("accept", &to_mika)).await)["friend"], "accepted");
    }
    assert_eq!((friends(&mika).await, friends(&anna).await), (json!(1), json!(1)));
    toasted(&anna.act(&friend("add", &to_mika)).await, 409, "add_friend_already_added");
    for _ in 0..2 {
        done(&mika.act(&friend("rem", &to_anna)).await);
    }
    assert_eq!(friends(&anna).await, 0);
    mika.act(&friend("ask", &to_anna)).await.refused(422, "invalid");
    // Of two concurrent mutual requests, one accepts the other.
    let (one, other) = tokio::join!(async { mika.act(&friend("add", &to_anna)).await }, async {
        anna.act(&friend("add", &to_mika)).await
    });
    let mut states = [done(&one)["friend"].to_string(), done(&other)["friend"].to_string()];
    states.sort();
    assert_eq!(states, ["\"accepted\"", "\"requested\""]);
    assert_eq!(friends(&mika).await, 1);
    app.finish().await;
}

#[tokio::test]
async fn member_state_shows_own_actions() {
    let app = App::start().await;
    let (mika, anna) = (app.member("mika").await, app.member("anna").await);
    let state = async |who: &Session, section: &str, id: &str| {
        let reply = who.get(&format!("/api/member_state.php?section={section}&object_id={id}")).await;
        assert_eq!((reply.status, reply.header("cache-control")), (200, "private, no-store"));
        reply.json()
    };
    let nothing = json!({"vote": 0, "favourite": false, "watch_later": false, "playlists": [], "subscribed": false,
        "friend": "none", "blocked": false, "own": false, "stopped_at": 0});
    assert_eq!(state(&mika, "video", "1").await, nothing);
    for act in ["favourite", "watch_later"] {
        mika.acts(&[("act", act), ("section", "add"), ("object_id", "1")]).await;
    }
    mika.acts(&[("act", "vote"), ("section", "video"), ("object_id", "1"), ("vote", "-1")]).await;
    let list =
        [("act", "playlist"), ("section", "new"), ("title", "Evenings"), ("desc", "For evenings"), ("video_id", "1")];
    let list = mika.acts(&list).await["playlist_id"].clone();
    let mut expected = nothing.clone();
    (expected["vote"], expected["favourite"], expected["watch_later"]) = (json!(-1), json!(true), json!(true));
    expected["playlists"] = json!([list]);
    assert_eq!(state(&mika, "video", "1").await, expected);
    assert_eq!(state(&anna, "video", "1").await, nothing, "other members' actions are not included");
    assert_eq!(state(&mika, "playlist", &list.to_string()).await["own"], true);

    let (to_mika, to_anna) = (mika.id.to_string(), anna.id.to_string());
    mika.acts(&friend("add", &to_anna)).await;
    mika.acts(&subscribe("add", "user", &to_anna)).await;
    let seen = state(&mika, "user", &to_anna).await;
    assert_eq!((&seen["friend"], &seen["subscribed"]), (&json!("requested"), &json!(true)));
    assert_eq!(state(&anna, "user", &to_mika).await["friend"], "incoming");
    anna.acts(&friend("accept", &to_mika)).await;
    assert_eq!(state(&mika, "user", &to_anna).await["friend"], "accepted");

    let refused = async |query: &str| mika.get(&format!("/api/member_state.php?{query}")).await;
    refused("section=video&object_id=50").await.refused(404, "video_not_found");
    refused("section=album&object_id=11").await.refused(404, "album_not_found");
    assert_eq!(state(&mika, "video", "41").await, nothing, "members may watch private videos");
    refused("section=user&object_id=39").await.refused(404, "member_not_found");
    refused("section=video").await.refused(422, "required");
    refused("object_id=1").await.refused(422, "required");
    refused("section=x&object_id=1").await.refused(422, "invalid");
    refused("section=video&object_id=0").await.refused(422, "invalid");
    toasted(&app.get("/api/member_state.php?section=video&object_id=1").await, 401, "need_auth");
    app.drain().await;
    app.finish().await;
}
