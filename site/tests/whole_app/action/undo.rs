//! Undoing an action affects only the member's own object that the request names.

use serde_json::json;

use crate::support::{App, BROWSER, STAT, Session, done};

async fn both(members: [&Session; 2], form: &[(&str, &str)]) {
    for member in members {
        done(&member.act(form).await);
    }
}

#[tokio::test]
async fn removals_do_not_affect_other_members() {
    let app = App::start().await;
    let (mika, anna) = (app.member("mika").await, app.member("anna").await);
    let of = async |member: &Session, table: &str, column: &str| {
        app.numbers(&format!("select {column} from {table} where user_id = {} order by 1", member.id)).await
    };
    for (act, table, column, id) in [
        ("favourite", "favourites", "video_id", "1"),
        ("watch_later", "watch_later", "video_id", "1"),
        ("block", "blocks", "blocked_id", "3"),
        ("history", "history", "video_id", "1"),
    ] {
        both([&mika, &anna], &[("act", act), ("section", "add"), ("object_id", id)]).await;
        done(&mika.act(&[("act", act), ("section", "rem"), ("object_id", id)]).await);
        assert!(of(&mika, table, column).await.is_empty(), "{act}");
        assert_eq!(of(&anna, table, column).await, [id.parse::<i64>().unwrap()], "{act}");
    }
    both([&mika, &anna], &[("act", "history"), ("section", "pause")]).await;
    done(&mika.act(&[("act", "history"), ("section", "resume")]).await);
    assert_eq!(app.numbers("select user_id from history_pauses").await, [anna.id]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn unsubscribing_affects_only_the_named_kind() {
    let app = App::start().await;
    let (mika, anna) = (app.member("mika").await, app.member("anna").await);
    for kind in ["model", "channel", "user"] {
        let form = [("act", "subscribe"), ("section", "add"), ("object_type", kind), ("object_id", "1")];
        both([&mika, &anna], &form).await;
    }
    let form = [("act", "subscribe"), ("section", "rem"), ("object_type", "channel"), ("object_id", "1")];
    done(&mika.act(&form).await);
    done(&mika.act(&[("act", "vote"), ("section", "album"), ("object_id", "1"), ("vote", "1")]).await);
    for (member, section, subscribed, vote) in [
        (&mika, "model", true, 0),
        (&mika, "channel", false, 0),
        (&mika, "user", true, 0),
        (&mika, "album", false, 1),
        (&mika, "video", false, 0),
        (&anna, "model", true, 0),
        (&anna, "channel", true, 0),
        (&anna, "album", false, 0),
    ] {
        let state = member.get(&format!("/api/member_state.php?section={section}&object_id=1")).await.json();
        assert_eq!((&state["subscribed"], &state["vote"]), (&json!(subscribed), &json!(vote)), "{section}");
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn removing_a_friend_keeps_the_others() {
    let app = App::start().await;
    let people = [app.member("mika").await, app.member("anna").await, app.member("rei").await];
    let ids = people.each_ref().map(|member| member.id.to_string());
    for (requester, recipient) in [(0, 1), (2, 0), (1, 2)] {
        done(&people[requester].act(&[("act", "friend"), ("section", "add"), ("object_id", &ids[recipient])]).await);
        done(&people[recipient].act(&[("act", "friend"), ("section", "accept"), ("object_id", &ids[requester])]).await);
    }
    done(&people[0].act(&[("act", "friend"), ("section", "rem"), ("object_id", &ids[1])]).await);
    let left =
        app.numbers(&format!("select user_id from friends where user_id > {} order by 1", people[0].id - 1)).await;
    assert_eq!(left, [people[1].id, people[2].id], "the third member remains a friend of both");
    // A request from a member who has since been banned cannot be accepted.
    done(&people[0].act(&[("act", "friend"), ("section", "add"), ("object_id", &ids[1])]).await);
    app.change(&format!("update users set status_id = banned() where id = {}", people[0].id)).await;
    let accepted = people[1].act(&[("act", "friend"), ("section", "accept"), ("object_id", &ids[0])]).await;
    accepted.refused(404, "friend_not_found");
    app.finish().await;
}

#[tokio::test]
async fn playback_position_is_kept_until_updated() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let left = format!("select stopped_at::bigint from history where user_id = {}", mika.id);
    let watch = [("act", "history"), ("section", "add"), ("object_id", "1")];
    for (second, known) in [(Some("40"), 40), (None, 40), (Some("0"), 0)] {
        let more: Vec<(&str, &str)> = second.map(|second| ("stopped_at", second)).into_iter().collect();
        done(&mika.act(&[&watch[..], &more].concat()).await);
        assert_eq!(app.numbers(&left).await, [known], "{second:?}");
    }
    app.finish().await;
}

#[tokio::test]
async fn hidden_video_creates_no_playlist() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let form = [("act", "playlist"), ("section", "new"), ("title", "Evenings"), ("desc", "For evenings")];
    for video in ["41", "50", "999"] {
        mika.act(&[&form[..], &[("video_id", video)]].concat()).await.refused(404, "video_not_found");
    }
    assert_eq!(app.number(&format!("select count(*) from playlists where user_id = {}", mika.id)).await, 0);
    app.finish().await;
}

#[tokio::test]
async fn votes_count_against_the_action_limit() {
    let app = App::configured(|config| {
        let policy = json!({"kind": "gcra", "burst": 2, "per_seconds": 3600, "cells": 1, "exempt_loopback": false});
        config.limits.act = serde_json::from_value(policy).unwrap();
    })
    .await;
    let mika = app.member("mika").await;
    let vote =
        async |id: &str| mika.act(&[("act", "vote"), ("section", "video"), ("object_id", id), ("vote", "1")]).await;
    done(&vote("1").await);
    done(&vote("2").await);
    vote("3").await.refused(429, "too_many_attempts");
    mika.get("/api/account_export.php").await.refused(429, "too_many_attempts");
    app.finish().await;
}

#[tokio::test]
async fn views_count_once_per_member_and_once_per_guest_address() {
    let app = App::configured(|config| config.server.trusted_proxies = vec!["127.0.0.0/8".to_owned()]).await;
    let (mika, anna) = (app.member("mika").await, app.member("anna").await);
    let view = [("act", "view"), ("section", "video"), ("object_id", "1")];
    let before = app.number("select viewed from video_stats where video_id = 1").await;
    for address in ["192.0.2.1", "192.0.2.2"] {
        done(&mika.post_with(STAT, &view, &[("x-forwarded-for", address)]).await);
    }
    done(&anna.post_with(STAT, &view, &[("x-forwarded-for", "192.0.2.1")]).await);
    done(&app.guest_acts("192.0.2.1", BROWSER, &view).await);
    app.flush().await;
    assert_eq!(app.number("select viewed from video_stats where video_id = 1").await, before + 3);
    app.finish().await;
}

#[tokio::test]
async fn cached_visibility_distinguishes_kinds() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let view =
        async |section: &str, id: &str| mika.act(&[("act", "view"), ("section", section), ("object_id", id)]).await;
    for (kind, id) in [("channel", "9"), ("album", "11")] {
        done(&view("video", id).await);
        view(kind, id).await.refused(404, &format!("{kind}_not_found"));
    }
    app.finish().await;
}
