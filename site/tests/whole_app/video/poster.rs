//! Custom posters for videos, which the videos' members upload.

use axum::{body::Body, http::Method};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::Value;

use crate::{
    area::pictures::{encoded, flag, marked},
    support::{App, Reply, Session, done},
};

const PATH: &str = "/api/video_poster.php";

/// Sends a picture as a browser's form would.
pub async fn send(session: &Session, video: i64, picture: &[u8]) -> Reply {
    send_with(session, &[("video_id", &video.to_string())], picture).await
}

async fn send_with(session: &Session, fields: &[(&str, &str)], picture: &[u8]) -> Reply {
    let mut head = String::new();
    for (name, value) in fields {
        head += &format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    }
    head +=
        "--x\r\ncontent-disposition: form-data; name=\"poster\"; filename=\"a.png\"\r\ncontent-type: image/png\r\n\r\n";
    let body = [head.as_bytes(), picture, b"\r\n--x--\r\n"].concat();
    let headers = [("content-type", "multipart/form-data; boundary=x"), ("sec-fetch-site", "same-origin")];
    session.send(Method::POST, PATH, &headers, Body::from(body)).await
}

/// Sends a picture with the left edge, upper edge, width and height of a crop.
async fn send_cropped(session: &Session, [x, y, width, height]: [&str; 4], picture: &[u8]) -> Reply {
    let crop = [("crop_x", x), ("crop_y", y), ("crop_width", width), ("crop_height", height)];
    send_with(session, &[&[("video_id", "2")], &crop[..]].concat(), picture).await
}

/// Colors of the quarters of a picture: top left, top right, bottom left, bottom right.
const QUARTERS: [[u8; 3]; 4] = [[200, 30, 30], [30, 180, 30], [30, 30, 200], [200, 180, 30]];

/// Returns a picture whose quarters have these colors.
fn quartered(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        Rgb(QUARTERS[usize::from(x >= width / 2) + 2 * usize::from(y >= height / 2)])
    })
}

/// Returns whether all of the three stored sizes show only this color.
async fn is_all(owner: &Session, poster: &Value, color: [u8; 3]) -> bool {
    let stem = poster.as_str().unwrap().strip_suffix("-320.jpg").unwrap();
    for (width, height) in [(1280, 720), (640, 360), (320, 180)] {
        let stored =
            image::load_from_memory(&owner.get(&format!("{stem}-{width}.jpg")).await.body).unwrap().into_rgb8();
        assert_eq!(stored.dimensions(), (width, height));
        let is_like = |pixel: &Rgb<u8>| pixel.0.iter().zip(color).all(|(one, other)| one.abs_diff(other) < 12);
        if !stored.pixels().all(is_like) {
            return false;
        }
    }
    true
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

#[tokio::test]
async fn only_the_chosen_part_is_stored() {
    let app = App::start().await;
    let owner = app.sign_in(1, "uploader").await;
    // The corners of the picture and of the crop are taken apart from each other, so that a shift by one quarter shows.
    let picture = encoded(quartered(800, 1000), ImageFormat::Png);
    for (at, [x, y]) in [["0", "0"], ["400", "0"], ["0", "500"], ["400", "500"]].into_iter().enumerate() {
        let sent = done(&send_cropped(&owner, [x, y, "400", "225"], &picture).await);
        assert!(is_all(&owner, &sent["poster"], QUARTERS[at]).await, "{at}");
        assert_eq!(sent["status_id"], 2, "it needs a new decision");
    }
    // A part of another shape is cropped around its center: here, to the rows 219 to 281 of the left half.
    let sent = done(&send_cropped(&owner, ["0", "0", "400", "500"], &picture).await);
    assert!(is_all(&owner, &sent["poster"], QUARTERS[0]).await);
    let sent = done(&send_cropped(&owner, ["200", "0", "400", "500"], &picture).await);
    assert!(!is_all(&owner, &sent["poster"], QUARTERS[0]).await, "it spans two quarters");
    // The moderator sees what is stored.
    let moderator = app.moderator("otto").await;
    let review = moderator.get("/api/moderate/upload?section=video&id=2").await.json();
    assert_eq!(review["frames"][0], sent["poster"].as_str().unwrap().replace("-320", "-640"), "{review}");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn crop_counts_pixels_of_the_upright_picture() {
    let app = App::start().await;
    let owner = app.sign_in(1, "uploader").await;
    // The file is 600 pixels wide and 500 high, and its orientation makes it upright, with red at the top.
    let upright = marked(600, 500);
    for (y, color) in [("0", [220, 20, 20]), ("319", [20, 20, 220])] {
        let sent = done(&send_cropped(&owner, ["0", y, "500", "281"], &upright).await);
        assert!(is_all(&owner, &sent["poster"], color).await, "{y}");
    }
    let reply = send_cropped(&owner, ["0", "0", "600", "281"], &upright).await;
    assert_eq!(reply.json()["info"]["code"], "crop_outside", "the upright picture is 500 pixels wide");
    // What a PNG shows through becomes white, as without a crop.
    let mut clear = RgbaImage::from_pixel(400, 400, Rgba([200, 30, 30, 255]));
    image::imageops::replace(&mut clear, &RgbaImage::new(400, 200), 0, 0);
    let clear = encoded(DynamicImage::from(clear), ImageFormat::Png);
    for (y, color) in [("0", [255; 3]), ("200", QUARTERS[0])] {
        let sent = done(&send_cropped(&owner, ["20", y, "320", "180"], &clear).await);
        assert!(is_all(&owner, &sent["poster"], color).await, "{y}");
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn invalid_crop_is_refused_with_its_reason() {
    let app = App::start().await;
    let owner = app.sign_in(1, "uploader").await;
    let picture = encoded(quartered(800, 1000), ImageFormat::Png);
    for (crop, why) in [
        (["401", "0", "400", "225"], "crop_outside"),
        (["0", "776", "400", "225"], "crop_outside"),
        (["0", "0", "4294967295", "225"], "crop_outside"),
        (["4294967295", "0", "400", "225"], "crop_outside"),
        (["0", "0", "159", "90"], "crop_too_small"),
        (["0", "0", "160", "89"], "crop_too_small"),
        (["0", "0", "0", "0"], "crop_too_small"),
    ] {
        let reply = send_cropped(&owner, crop, &picture).await;
        reply.refused(422, "screen_upload_error");
        let answer = reply.json();
        assert_eq!((&answer["field"], &answer["info"]["code"]), (&"poster".into(), &why.into()), "{crop:?}");
    }
    for crop in [["-1", "0", "400", "225"], ["0.5", "0", "400", "225"], ["0", "0", "4294967296", "225"]] {
        send_cropped(&owner, crop, &picture).await.refused(422, "invalid");
    }
    let fields = [("video_id", "2"), ("crop_x", "0"), ("crop_y", "0"), ("crop_width", "400")];
    let reply = send_with(&owner, &fields, &picture).await;
    reply.refused(422, "required");
    assert_eq!(reply.json()["field"], "crop_height");
    let own = owner.get("/api/video_edit.php?video_id=2").await.json();
    assert_eq!(own["poster"], Value::Null);
    app.finish().await;
}
