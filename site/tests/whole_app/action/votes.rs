//! Votes.

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{App, BROWSER, count_ok_and_conflicts, done, listing, toasted};

fn form<'a>(section: &'a str, id: &'a str, vote: &'a str) -> [(&'a str, &'a str); 4] {
    [("act", "vote"), ("section", section), ("object_id", id), ("vote", vote)]
}

async fn behind_a_proxy() -> App {
    App::configured(|config| config.server.trusted_proxies = vec!["127.0.0.0/8".to_owned()]).await
}

#[tokio::test]
async fn member_votes_once_per_object() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    app.sql("update video_stats set likes = 0, dislikes = 0 where video_id = 1").await;
    let answer = done(&mika.act(&form("video", "1", "-1")).await);
    assert_eq!(answer, json!({"ok": 1, "code": "vote_success", "likes": 0, "dislikes": 1}));
    for vote in ["-1", "1"] {
        toasted(&mika.act(&form("video", "1", vote)).await, 409, "vote_already_voted");
    }
    for (section, id) in [("album", "1"), ("model", "1"), ("playlist", "1"), ("user", "3")] {
        done(&mika.act(&form(section, id, "1")).await);
        toasted(&mika.act(&form(section, id, "1")).await, 409, "vote_already_voted");
    }
    for (section, id, code) in [
        ("video", "41", "video_not_found"),
        ("video", "50", "video_not_found"),
        ("album", "11", "album_not_found"),
        ("album", "20", "album_not_found"),
        ("model", "99", "model_not_found"),
        ("playlist", "7", "playlist_not_found"),
        ("playlist", "30", "playlist_not_found"),
        ("user", "39", "member_not_found"),
        ("user", "40", "member_not_found"),
    ] {
        mika.act(&form(section, id, "1")).await.refused(404, code);
    }
    for (section, id, vote) in [("video", "1", "2"), ("channel", "1", "1"), ("comment", "1", "1")] {
        mika.act(&form(section, id, vote)).await.refused(422, "invalid");
    }
    mika.act(&form("video", "1", "")).await.refused(422, "required");
    app.finish().await;
}

#[tokio::test]
async fn guests_vote_once_per_address_and_day() {
    let app = behind_a_proxy().await;
    let vote = async |address: &str, vote: &str| app.guest_acts(address, BROWSER, &form("video", "2", vote)).await;
    done(&vote("192.0.2.1", "1").await);
    toasted(&vote("192.0.2.1", "-1").await, 409, "vote_already_voted");
    done(&vote("192.0.2.2", "1").await);
    done(&vote("2001:db8:1:1::1", "1").await);
    toasted(&vote("2001:db8:1:1:ffff::9", "1").await, 409, "vote_already_voted");
    assert_eq!(app.number("select count(*) from votes where guest_key is not null").await, 3);
    let leaks =
        "select count(*) from votes where encode(guest_key, 'escape') like '%192%' or octet_length(guest_key) <> 16";
    assert_eq!(app.number(leaks).await, 0, "only a keyed hash is stored");
    // A guest may vote again the next day.
    app.sql("update votes set voted_on = voted_on - 1 where guest_key is not null").await;
    done(&vote("192.0.2.1", "1").await);
    // A member and a guest with the same address vote separately.
    let mika = app.member("mika").await;
    done(&mika.act(&form("video", "2", "1")).await);
    app.finish().await;
}

#[tokio::test]
async fn voter_can_retract_own_vote() {
    let app = behind_a_proxy().await;
    app.sql("update video_stats set likes = 0, dislikes = 0 where video_id = 2").await;
    let mika = app.member("mika").await;
    let guest = async |address: &str, vote: &str| app.guest_acts(address, BROWSER, &form("video", "2", vote)).await;
    done(&mika.act(&form("video", "2", "1")).await);
    done(&guest("192.0.2.1", "1").await);
    // Retracting a vote that was never cast changes nothing.
    let counts = |likes: i64, dislikes: i64| json!({"ok": 1, "likes": likes, "dislikes": dislikes});
    assert_eq!(done(&guest("192.0.2.2", "0").await), counts(2, 0));
    assert_eq!(done(&guest("192.0.2.1", "0").await), counts(1, 0));
    assert_eq!(done(&guest("192.0.2.1", "0").await), counts(1, 0), "already retracted");
    assert_eq!(done(&mika.act(&form("video", "2", "0")).await), counts(0, 0));
    // After retracting, a voter may vote the other way.
    done(&mika.act(&form("video", "2", "-1")).await);
    done(&guest("192.0.2.1", "-1").await);
    let state = mika.get("/api/member_state.php?section=video&object_id=2").await.json();
    assert_eq!(state["vote"], -1);
    // A guest cannot retract yesterday's vote.
    app.sql("update votes set voted_on = voted_on - 1 where guest_key is not null").await;
    assert_eq!(done(&guest("192.0.2.1", "0").await), counts(0, 2));
    mika.act(&form("video", "50", "0")).await.refused(404, "video_not_found");
    app.finish().await;
}

#[tokio::test]
async fn guest_votes_are_rate_limited_per_address() {
    let app = App::configured(|config| {
        config.limits.guest_vote = serde_json::from_value(
            json!({"kind": "gcra", "burst": 3, "per_seconds": 3600, "cells": 1, "exempt_loopback": false}),
        )
        .unwrap();
    })
    .await;
    for id in ["1", "2", "3"] {
        done(&app.guest_acts("127.0.0.1", BROWSER, &form("video", id, "1")).await);
    }
    app.guest_acts("127.0.0.1", BROWSER, &form("video", "3", "0")).await.refused(429, "too_many_attempts");
    let refused = app.guest_acts("127.0.0.1", BROWSER, &form("video", "4", "1")).await;
    refused.refused(429, "too_many_attempts");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 3000);
    app.finish().await;
}

#[tokio::test]
async fn concurrent_votes_reach_the_index_exactly() {
    let app = App::start().await;
    app.sql("update video_stats set likes = 0, dislikes = 0 where video_id = 1").await;
    let crowd = app.crowd(32).await;
    // Each member votes up and down concurrently, and one of the two votes counts.
    let up = crowd.iter().map(|member| async move { member.act(&form("video", "1", "1")).await });
    let down = crowd.iter().map(|member| async move { member.act(&form("video", "1", "-1")).await });
    let (mut replies, others) = tokio::join!(join_all(up), join_all(down));
    replies.extend(others);
    assert_eq!(count_ok_and_conflicts(&replies, "vote_already_voted"), (32, 32));
    let likes = app.number("select likes from video_stats where video_id = 1").await;
    assert_eq!(likes + app.number("select dislikes from video_stats where video_id = 1").await, 32);
    assert_eq!(app.number("select count(*) from votes where vote = 1").await, likes);

    app.sql("update votes set vote = 1").await;
    app.counters().await;
    let list = app.json(&listing("latest-updates", 1, "all..1.all.all.all")).await;
    let expected = app.number("select (rating::numeric * 100) from video_stats where video_id = 1").await;
    let rating = list["videos"][0]["rating"].as_f64().unwrap();
    assert_eq!((list["videos"][0]["video_id"].as_i64(), (rating * 100.0).round() as i64), (Some(1), expected));
    app.finish().await;
}
