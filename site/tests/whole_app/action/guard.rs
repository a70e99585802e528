//! Actions are only for members, only in their name, and only from the site's pages.

use axum::{body::Body, http::Method};

use crate::support::{App, BROWSER, STAT, done, form_body, toasted};

/// One example of each action that needs a session.
const MEMBER_ACTIONS: [&[(&str, &str)]; 16] = [
    &[("act", "favourite"), ("section", "add"), ("object_id", "1")],
    &[("act", "watch_later"), ("section", "rem"), ("object_id", "1")],
    &[("act", "playlist"), ("section", "new"), ("title", "Evenings"), ("desc", "For evenings")],
    &[("act", "playlist"), ("section", "upd"), ("object_id", "1"), ("title", "Evenings"), ("desc", "For evenings")],
    &[("act", "playlist"), ("section", "del"), ("object_id", "1")],
    &[("act", "playlist"), ("section", "add"), ("object_id", "1"), ("video_id", "1")],
    &[("act", "playlist"), ("section", "rem"), ("object_id", "1"), ("video_id", "1")],
    &[("act", "playlist"), ("section", "move"), ("object_id", "1"), ("video_id", "1"), ("position", "1")],
    &[("act", "comm"), ("section", "video"), ("object_id", "1"), ("msg", "What an evening!")],
    &[("act", "comm_del"), ("comment_id", "1")],
    &[("act", "comm_undel"), ("comment_id", "1")],
    &[("act", "wall"), ("object_id", "3"), ("msg", "What an evening!")],
    &[("act", "wall_del"), ("wall_id", "1")],
    &[("act", "wall_undel"), ("wall_id", "1")],
    &[("act", "subscribe"), ("section", "add"), ("object_type", "user"), ("object_id", "3")],
    &[("act", "friend"), ("section", "add"), ("object_id", "3")],
];

#[tokio::test]
async fn guests_and_banned_members_get_401() {
    let app = App::start().await;
    let banned = app.member("dora").await;
    app.change(&format!("update users set status_id = banned() where id = {}", banned.id)).await;
    for form in MEMBER_ACTIONS {
        toasted(&app.guest_acts("192.0.2.1", BROWSER, form).await, 401, "need_auth");
        toasted(&banned.act(form).await, 401, "need_auth");
    }
    app.finish().await;
}

/// Guests learn that they need a session before the fields of the action are read.
#[tokio::test]
async fn session_is_checked_before_the_fields() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let guest = async |form: &[(&str, &str)]| app.guest_acts("192.0.2.1", BROWSER, form).await;
    for (fields, code) in [(&[("act", "favourite")][..], "required"), (&[("act", "mute"), ("section", "x")], "invalid")]
    {
        toasted(&guest(fields).await, 401, "need_auth");
        let reply = mika.act(fields).await;
        reply.refused(422, code);
        assert_eq!(reply.json()["field"], "section");
    }
    for (fields, field) in [
        (&[("act", "view"), ("section", "video")][..], "object_id"),
        (&[("act", "vote"), ("section", "video"), ("object_id", "1")], "vote"),
        (&[("act", "found"), ("object_id", "1"), ("s", "night"), ("lang", "en")], "position"),
    ] {
        let reply = guest(fields).await;
        reply.refused(422, "required");
        assert_eq!(reply.json()["field"], field);
    }
    // Only the fields of the action are read.
    done(&guest(&[("act", "view"), ("section", "video"), ("object_id", "1"), ("vote", "x")]).await);
    app.finish().await;
}

#[tokio::test]
async fn ignores_claimed_member_ids() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    for form in MEMBER_ACTIONS {
        let claimed = [form, &[("user_id", "2"), ("author_id", "2"), ("member", "2"), ("status_id", "6")]].concat();
        let reply = mika.act(&claimed).await;
        // Playlist, comment and entry 1 belong to other members.
        let is_foreign = match form[0].1 {
            "playlist" => form[1].1 != "new",
            act => act.ends_with("del"),
        };
        assert_eq!(reply.status, if is_foreign { 404 } else { 200 }, "{form:?}: {}", reply.text());
    }
    let mine = |table: &str, column: &str| format!("select count(*) from {table} where {column} = {}", mika.id);
    for (table, column) in [
        ("favourites", "user_id"),
        ("playlists", "user_id"),
        ("comments", "user_id"),
        ("walls", "author_id"),
        ("subscriptions", "user_id"),
        ("friends", "user_id"),
    ] {
        assert_eq!(app.number(&mine(table, column)).await, 1, "{table}");
    }
    assert_eq!(app.number("select count(*) from favourites where user_id = 2").await, 0);
    assert_eq!(app.number(&format!("select status_id from users where id = {}", mika.id)).await, 1);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn refuses_cross_site_actions() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    for form in MEMBER_ACTIONS {
        let body = form_body(form);
        for headers in [
            &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")][..],
            &[("sec-fetch-site", "same-site")],
            &[("origin", "https://evil.example")],
            // An older browser sends the cookie without any of these headers.
            &[],
        ] {
            let kind = [("content-type", "application/x-www-form-urlencoded")];
            let reply = mika.send(Method::POST, STAT, &[&kind[..], headers].concat(), Body::from(body.clone())).await;
            reply.refused(403, "cross_site");
        }
    }
    assert_eq!(app.number(&format!("select count(*) from favourites where user_id = {}", mika.id)).await, 0);
    app.finish().await;
}

#[tokio::test]
async fn accepts_only_known_actions_in_every_form_encoding() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    mika.act(&[]).await.refused(422, "required");
    mika.act(&[("act", "explode"), ("object_id", "1")]).await.refused(422, "invalid");
    mika.get(STAT).await.refused(405, "method_not_allowed");
    let json = r#"{"act": "favourite", "section": "add", "object_id": 1, "user_id": 2}"#;
    let kind = [("content-type", "application/json"), ("sec-fetch-site", "same-origin")];
    done(&mika.send(Method::POST, STAT, &kind, Body::from(json)).await);
    let parts = "--x\r\ncontent-disposition: form-data; name=\"act\"\r\n\r\nfavourite\r\n--x\r\ncontent-disposition: form-data; \
        name=\"section\"\r\n\r\nadd\r\n--x\r\ncontent-disposition: form-data; name=\"object_id\"\r\n\r\n2\r\n--x--\r\n";
    let kind = [("content-type", "multipart/form-data; boundary=x"), ("sec-fetch-site", "same-origin")];
    done(&mika.send(Method::POST, STAT, &kind, Body::from(parts)).await);
    let favourites = format!("select video_id from favourites where user_id = {} order by 1", mika.id);
    assert_eq!(app.numbers(&favourites).await, [1, 2]);
    app.finish().await;
}

#[tokio::test]
async fn actions_are_rate_limited_per_member() {
    let app = App::configured(|config| {
        config.limits.act = serde_json::from_value(
            serde_json::json!({"kind": "gcra", "burst": 4, "per_seconds": 3600, "cells": 1, "exempt_loopback": false}),
        )
        .unwrap();
    })
    .await;
    let mika = app.member("mika").await;
    let form = [("act", "favourite"), ("section", "add"), ("object_id", "1")];
    done(&mika.act(&form).await);
    for _ in 0..3 {
        toasted(&mika.act(&form).await, 409, "favorites_already_added");
    }
    mika.act(&form).await.refused(429, "too_many_attempts");
    done(&app.member("anna").await.act(&form).await);
    app.finish().await;
}
