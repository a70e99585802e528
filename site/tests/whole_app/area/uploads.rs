//! How members with `status_id` 6 manage their uploads with `video_edit.php`.

use axum::{body::Body, http::Method};
use lantern_catalog::managed;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use crate::support::{App, NOW, Session, done, video_ids};

const PATH: &str = "/api/video_edit.php";

async fn edit(session: &Session, act: &str, video: i64, days: &str) -> Value {
    let form = [("act", act), ("video_id", &*video.to_string()), ("days", days)];
    done(&session.post(PATH, &form).await)
}

async fn manager(app: &App) -> Session {
    app.change("update users set status_id = manages_uploads() where id = 1").await;
    app.sign_in(1, "uploader").await
}

/// Whether the owner's public list currently contains the video. A cached list may be served one more time, so each
/// call uses a different page size.
async fn listed(app: &App, video: i64, count: u32) -> bool {
    app.drain().await;
    let path = format!("/api/json/videos2/3600/str/latest-updates/{count}/member.1.1.all.all.all.json");
    app.ids(&path).await.contains(&video)
}

fn at(days: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(NOW).unwrap() + Duration::days(days)
}

#[tokio::test]
async fn owner_hides_and_shows_a_video() {
    let app = App::start().await;
    let session = manager(&app).await;
    assert!(listed(&app, 2, 10).await);
    assert_eq!(edit(&session, "3", 2, "").await, json!({"ok": 1, "is_private": true}));
    assert!(!listed(&app, 2, 11).await);
    assert_eq!(edit(&session, "3", 2, "").await, json!({"ok": 1, "is_private": false}));
    assert!(listed(&app, 2, 12).await);
    app.finish().await;
}

#[tokio::test]
async fn deleted_video_is_restored_when_due_with_its_former_status() {
    let app = App::start().await;
    let session = manager(&app).await;
    assert_eq!(edit(&session, "2", 2, "").await, json!({"ok": 1}));
    assert!(!listed(&app, 2, 13).await);
    session.post(PATH, &[("act", "2"), ("video_id", "2")]).await.refused(404, "video_not_found");
    let uploads = session.get("/api/member_lists.php?list=uploaded_videos&count=100&page=2").await.json();
    let deleted = uploads["videos"].as_array().unwrap().iter().find(|video| video["video_id"] == 2);
    assert_eq!(deleted.map(|video| &video["status_id"]), Some(&json!(5)), "an owner who may re-add it sees it");
    // The default is seven days.
    assert_eq!(edit(&session, "4", 2, "").await["readd_at"], "2026-09-28T14:13:20Z");
    assert_eq!(edit(&session, "4", 2, "3").await["readd_at"], "2026-09-24T14:13:20Z");
    assert_eq!(managed::bring_back(app.pool(), at(3) - Duration::seconds(1)).await.unwrap(), 0);
    assert_eq!(managed::bring_back(app.pool(), at(3)).await.unwrap(), 1);
    assert_eq!(managed::bring_back(app.pool(), at(3)).await.unwrap(), 0);
    assert!(listed(&app, 2, 14).await);
    // Video 94 was never approved, so it awaits moderation again.
    edit(&session, "2", 94, "").await;
    edit(&session, "4", 94, "1").await;
    assert_eq!(managed::bring_back(app.pool(), at(1)).await.unwrap(), 1);
    assert_eq!(app.number("select status_id from videos where id = 94").await, 2);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn scheduled_restoration_can_be_cancelled() {
    let app = App::start().await;
    let session = manager(&app).await;
    edit(&session, "4", 2, "3").await;
    app.change("update videos set deleted_at = now() - interval '9 days' where id = 2").await;
    assert_eq!(edit(&session, "2", 2, "").await, json!({"ok": 1}));
    assert_eq!(managed::bring_back(app.pool(), at(400)).await.unwrap(), 0);
    assert!(!listed(&app, 2, 15).await);
    let grace =
        "select count(*) from videos where id = 2 and readd_at is null and deleted_at > now() - interval '1 day'";
    assert_eq!(app.number(grace).await, 1, "its files are retained as if it were deleted now");
    session.post(PATH, &[("act", "2"), ("video_id", "2")]).await.refused(404, "video_not_found");
    // It may be scheduled again and keeps its status.
    edit(&session, "4", 2, "1").await;
    assert_eq!(managed::bring_back(app.pool(), at(1)).await.unwrap(), 1);
    assert!(listed(&app, 2, 16).await);
    // The owner cannot manage a video that a moderator has deleted in the meantime.
    app.change("update videos set status_id = deleted(), readd_at = now() where id = 2").await;
    session.post(PATH, &[("act", "2"), ("video_id", "2")]).await.refused(404, "video_not_found");
    app.change("update videos set status_id = published(), readd_at = null where id = 2").await;
    app.finish().await;
}

#[tokio::test]
async fn owner_cannot_restore_a_moderated_deletion() {
    let app = App::start().await;
    let session = manager(&app).await;
    app.change("update videos set status_id = deleted() where id = 2").await;
    for act in ["2", "3", "4"] {
        session.post(PATH, &[("act", act), ("video_id", "2")]).await.refused(404, "video_not_found");
    }
    let uploads = session.get("/api/member_lists.php?list=uploaded_videos&count=100&page=2").await.json();
    assert!(!video_ids(&uploads).contains(&2));
    app.finish().await;
}

#[tokio::test]
async fn refuses_invalid_forms() {
    let app = App::start().await;
    let session = manager(&app).await;
    for (form, code) in [
        (&[("video_id", "2")][..], "need_select_screenshot"),
        (&[("days", "2")], "required"),
        (&[("act", "3")], "required"),
        (&[("act", "1"), ("video_id", "2")], "invalid"),
        (&[("act", "delete"), ("video_id", "2")], "invalid"),
        (&[("act", "4"), ("video_id", "2"), ("days", "0")], "invalid"),
        (&[("act", "4"), ("video_id", "2"), ("days", "366")], "invalid"),
        (&[("act", "4"), ("video_id", "2"), ("days", "-1")], "invalid"),
        (&[("act", "3"), ("video_id", "x")], "invalid"),
    ] {
        session.post(PATH, form).await.refused(422, code);
    }
    let video = [("act", "3"), ("video_id", "2"), ("status_id", "6"), ("user_id", "1")];
    app.member("mona").await.post(PATH, &video).await.refused(403, "dont_have_permission");
    app.guest_posts(PATH, &video).await.refused(401, "need_auth");
    let cross = [("content-type", "application/x-www-form-urlencoded"), ("sec-fetch-site", "cross-site")];
    session.send(Method::POST, PATH, &cross, Body::from("act=3&video_id=2")).await.refused(403, "cross_site");
    app.finish().await;
}
