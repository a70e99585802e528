//! Custom posters for videos, which the videos' members upload.

use axum::{body::Body, http::Method};
use image::ImageFormat;
use serde_json::Value;

use crate::{
    area::pictures::{encoded, flag},
    support::{App, Reply, Session, done},
};

const PATH: &str = "/api/video_poster.php";

/// Sends a picture as a browser's form would.
pub async fn send(session: &Session, video: i64, picture: &[u8]) -> Reply {
    let fields = format!(
        "--x\r\ncontent-disposition: form-data; name=\"video_id\"\r\n\r\n{video}\r\n\
         --x\r\ncontent-disposition: form-data; name=\"poster\"; filename=\"a.png\"\r\ncontent-type: image/png\r\n\r\n"
    );
    let body = [fields.as_bytes(), picture, b"\r\n--x--\r\n"].concat();
    let headers = [("content-type", "multipart/form-data; boundary=x"), ("sec-fetch-site", "same-origin")];
    session.send(Method::POST, PATH, &headers, Body::from(body)).await
}

async fn shown(app: &App) -> Value {
    app.json("/api/json/video/3600/0/2.json").await["video"].clone()
}

#[tokio::test]
async fn custom_poster_is_shown_after_approval() {
    let app = App::start().await;
    let owner = app.sign_in(1, "uploader").await;
    let before = shown(&app).await;
    let sent = done(&send(&owner, 2, &encoded(flag(640, 400), ImageFormat::Png)).await);
    assert_eq!(sent["status_id"], 2, "it needs a new decision");
    let poster = sent["poster"].as_str().unwrap();
    assert_eq!(owner.get(poster).await.status, 200);
    app.get(poster).await.refused(404, "file_not_found");
    assert_eq!(owner.get("/api/video_edit.php?video_id=2").await.json()["poster"], *poster);
    app.change("update videos set status_id = published() where id = 2").await;
    let now = shown(&app).await;
    assert_eq!(
        (&now["thumb"], &now["scr"]),
        (&sent["poster"], &before["scr"]),
        "the animated preview is still the film's"
    );
    assert!(now["img"].as_str().unwrap().ends_with("-1280.jpg"), "{now}");
    assert_eq!(app.get(poster).await.status, 200);
    // Another picture gets another address, and choosing a screenshot replaces both pictures.
    let other = done(&send(&owner, 2, &encoded(flag(320, 200), ImageFormat::Jpeg)).await);
    assert_ne!(other["poster"], *poster);
    done(&owner.post("/api/video_edit.php", &[("video_id", "2"), ("shot", "3")]).await);
    app.change("update videos set status_id = published() where id = 2").await;
    let now = shown(&app).await;
    assert!(now["thumb"].as_str().unwrap().ends_with("/shot-3-320.webp"), "{now}");
    assert_eq!(app.number("select count(*) from jobs where kind = 'film_removal' and payload->>'key' like 'videos/%' and payload->'group' = '0'").await, 2);
    app.finish().await;
}

#[tokio::test]
async fn refused_poster_has_the_specified_code_with_its_reason() {
    let app = App::start().await;
    let owner = app.sign_in(1, "uploader").await;
    let picture = encoded(flag(640, 400), ImageFormat::Png);
    done(&send(&owner, 2, &picture).await);
    app.sql(
        "update media_prints set banned_at = now() where section = 'video' and object_id = 2 and part like 'videos/%'",
    )
    .await;
    for (picture, why) in [
        (b"no picture".to_vec(), "file_invalid_type"),
        (encoded(flag(100, 60), ImageFormat::Png), "invalid_img_size"),
        (picture.clone(), "photo_banned"),
    ] {
        let reply = send(&owner, 2, &picture).await;
        reply.refused(422, "screen_upload_error");
        let answer = reply.json();
        assert_eq!((&answer["field"], &answer["info"]["code"]), (&"poster".into(), &why.into()));
    }
    send(&owner, 2, b"").await.refused(422, "need_select_screenshot");
    owner.post(PATH, &[("video_id", "2")]).await.refused(422, "need_select_screenshot");
    let other = encoded(flag(400, 640), ImageFormat::Png);
    send(&app.member("mona").await, 2, &other).await.refused(404, "video_not_found");
    app.guest_posts(PATH, &[("video_id", "2")]).await.refused(401, "need_auth");
    app.drain().await;
    app.finish().await;
}
