//! Sessions: identity, lifetime, and protection against cross-site requests.

use axum::{
    body::Body,
    http::{Method, Request},
};
use serde_json::json;

use crate::support::{App, Session};

async fn name(session: &Session) -> serde_json::Value {
    let reply = session.get("/api/me.php").await;
    assert_eq!((reply.status, reply.header("cache-control")), (200, "private, no-store"));
    reply.json()["user"]["username"].clone()
}

#[tokio::test]
async fn session_identifies_the_member() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    app.sql(&format!(
        "insert into messages (sender_id, recipient_id, body) values (1, {0}, 'one'), (2, {0}, 'two'), ({0}, 1, 'three');
         update messages set read_at = now() where body = 'two';
         insert into friends (user_id, friend_id) values (2, {0}), ({0}, 1)",
        mika.id
    ))
    .await;
    let user = mika.get("/api/me.php").await.json()["user"].clone();
    let expected = json!({"user_id": mika.id, "username": "mika", "avatar": null, "status_id": 1,
        "unread_messages": 1, "friend_requests": 1, "unread_notifications": 2, "refresh_seconds": 60, "is_moderator": false, "is_premium": false});
    assert_eq!(user, expected);
    let mut stranger = app.sign_in(1, "uploader").await;
    assert_eq!(name(&stranger).await, "uploader");
    stranger.cookie = stranger.cookie.replace("session=", "other=");
    assert_eq!(name(&stranger).await, json!(null));
    app.finish().await;
}

#[tokio::test]
async fn session_ends_by_age_idleness_ban_and_sign_out() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    for ended in [
        "update sessions set created_at = created_at - interval '2 days', expires_at = to_timestamp(1790000000)",
        "update sessions set last_used_at = to_timestamp(1790000000) - interval '30 days'",
    ] {
        let session = app.sign_in(mika.id, "mika").await;
        assert_eq!(name(&session).await, "mika");
        app.sql(ended).await;
        assert_eq!(name(&session).await, json!(null), "{ended}");
    }
    let (session, other) = (app.sign_in(mika.id, "mika").await, app.sign_in(mika.id, "mika").await);
    let out = session.post("/api/logout.php", &[]).await;
    assert_eq!((out.status, out.json()), (200, json!({"ok": 1})));
    let cookies: Vec<&str> = out.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    assert_eq!(cookies[0], "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    assert!(cookies[1].starts_with("logout=1; Path=/;") && !cookies[1].contains("HttpOnly"), "{}", cookies[1]);
    assert_eq!(name(&session).await, json!(null), "a replayed cookie");
    assert_eq!(name(&other).await, "mika");
    app.change(&format!("update users set status_id = banned() where id = {}", mika.id)).await;
    assert_eq!(name(&other).await, json!(null));
    app.change(&format!("update users set status_id = ordinary() where id = {}", mika.id)).await;
    assert_eq!(name(&other).await, json!(null), "a ban ends sessions for good");
    app.finish().await;
}

#[tokio::test]
async fn session_use_is_recorded_once_a_minute() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let used = "select extract(epoch from last_used_at)::bigint from sessions";
    for (ago, recorded) in [(59, 59), (60, 0)] {
        app.sql(&format!("update sessions set last_used_at = to_timestamp(1790000000 - {ago})")).await;
        assert_eq!(name(&mika).await, "mika");
        assert_eq!(app.numbers(used).await, [1_790_000_000 - recorded]);
    }
    app.finish().await;
}

#[tokio::test]
async fn refuses_cross_site_forms() {
    let app = App::start().await;
    let mika = app.member("mika").await;
    let post =
        async |headers: &[(&str, &str)]| mika.send(Method::POST, "/api/logout.php", headers, Body::empty()).await;
    for headers in [
        &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")][..],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
        &[("origin", "https://evil.example"), ("host", "tube.example")],
        &[("origin", "null"), ("host", "tube.example")],
        &[],
    ] {
        post(headers).await.refused(403, "cross_site");
        assert_eq!(name(&mika).await, "mika", "{headers:?}");
    }
    // A request without cookies has no session to abuse.
    let bare = Request::post("/api/logout.php").body(Body::empty()).unwrap();
    assert_eq!(app.call(bare).await.status, 200);
    assert_eq!(post(&[("origin", "https://tube.example"), ("host", "tube.example")]).await.status, 200);
    assert_eq!(name(&mika).await, json!(null));
    app.finish().await;
}
