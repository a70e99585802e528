//! Members' pictures: accepted formats, re-encoding, decompression bombs, false headers and orphaned files.

use std::io::Write;

use axum::{body::Body, http::Method};
use flate2::{Compression, write::ZlibEncoder};
use image::{DynamicImage, Frame, ImageFormat, Rgb, RgbImage, RgbaImage, codecs::gif::GifEncoder};
use serde_json::Value;

use crate::support::{App, NOW, PATIENCE, Reply, Session, done};

const PATH: &str = "/api/member.php";
/// Metadata that no stored file may contain.
pub const SECRET: &[u8] = b"52.5200N 13.4050E";

/// Starts a site that shows pictures without review.
async fn unreviewed() -> App {
    App::configured(|config| config.moderation.review_profiles = false).await
}

/// Posts files like a browser's form.
pub async fn send(session: &Session, files: &[(&str, &str, &[u8])]) -> Reply {
    let mut body = Vec::new();
    for (field, name, bytes) in files {
        let head = format!(
            "--x\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\ncontent-type: image/jpeg\r\n\r\n"
        );
        body.extend([head.as_bytes(), bytes, b"\r\n"].concat());
    }
    body.extend(b"--x--\r\n");
    let headers = [("content-type", "multipart/form-data; boundary=x"), ("sec-fetch-site", "same-origin")];
    session.send(Method::POST, PATH, &headers, Body::from(body)).await
}

pub fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Returns a picture that is red at the top and blue at the bottom.
pub fn flag(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |_, y| if y < height / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) })
}

/// Fetches and decodes the picture at an address from a response.
pub async fn fetched(app: &App, address: &Value) -> (Vec<u8>, RgbImage) {
    let reply = app.get(address.as_str().unwrap()).await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "image/jpeg"), "{address}");
    let picture = image::load_from_memory(&reply.body).unwrap().into_rgb8();
    (reply.body, picture)
}

pub fn is_red(pixel: &Rgb<u8>) -> bool {
    pixel[0] > 150 && pixel[2] < 100
}

/// Returns the sorted names of a member's picture files.
fn files(app: &App, session: &Session) -> Vec<String> {
    let mut names = app.media_files(&format!("members/{}", session.id));
    names.sort();
    names
}

#[tokio::test]
async fn every_format_is_cropped_and_re_encoded() {
    let app = unreviewed().await;
    let mona = app.member("mona").await;
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
        let mut avatar = encoded(flag(400, 300), format);
        avatar.extend(SECRET);
        let cover = encoded(flag(1300, 400), format);
        let answer = done(&send(&mona, &[("u_ava", "a.jpg", &avatar), ("u_cover", "c.jpg", &cover)]).await);
        let (bytes, picture) = fetched(&app, &answer["user"]["avatar"]).await;
        assert_eq!(picture.dimensions(), (320, 320), "{format:?}");
        assert!(is_red(picture.get_pixel(160, 20)) && !is_red(picture.get_pixel(160, 300)), "{format:?}");
        assert!(!bytes.windows(SECRET.len()).any(|part| part == SECRET));
        let (_, picture) = fetched(&app, &answer["user"]["cover"]).await;
        assert_eq!(picture.dimensions(), (1250, 250), "{format:?}");
        // The files of the previous picture are deleted.
        assert_eq!(files(&app, &mona).len(), 4, "{format:?}: {:?}", files(&app, &mona));
    }
    app.drain().await;
    let shown = app.json(&format!("/api/json/member/7200/0/{}.json", mona.id)).await["member"].clone();
    fetched(&app, &shown["avatar"]).await;
    fetched(&app, &shown["cover"]).await;
    let cleared = done(&mona.post(PATH, &[("u_ava_rem", "1"), ("u_cover_rem", "1")]).await);
    assert_eq!((&cleared["user"]["avatar"], &cleared["user"]["cover"]), (&Value::Null, &Value::Null));
    assert_eq!(files(&app, &mona), [""; 0]);
    app.drain().await;
    app.finish().await;
}

/// Returns a JPEG as a rotated camera would store it. It is `width` wide and red on the left, with an EXIF orientation that puts red at
/// the top.
pub fn marked(width: u32, height: u32) -> Vec<u8> {
    let jpeg = encoded(image::imageops::rotate270(&flag(height, width)), ImageFormat::Jpeg);
    let tiff = [&b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"[..], SECRET].concat();
    let exif = [&b"Exif\0\0"[..], &tiff].concat();
    let length = u16::try_from(exif.len() + 2).unwrap().to_be_bytes();
    [&jpeg[..2], b"\xff\xe1", &length, &exif, &jpeg[2..]].concat()
}

#[tokio::test]
async fn exif_orientation_is_applied_and_metadata_removed() {
    let app = unreviewed().await;
    let mona = app.member("mona").await;
    let answer = done(&send(&mona, &[("u_ava", "IMG_1.jpg", &marked(400, 300))]).await);
    let (bytes, picture) = fetched(&app, &answer["user"]["avatar"]).await;
    assert!(is_red(picture.get_pixel(160, 20)) && !is_red(picture.get_pixel(160, 300)), "rotated");
    assert!(!bytes.windows(4).any(|part| part == b"Exif") && !bytes.windows(SECRET.len()).any(|part| part == SECRET));

    // The first of several frames is stored.
    let mut gif = Vec::new();
    let mut encoder = GifEncoder::new(&mut gif);
    for red in [255, 0] {
        encoder.encode_frame(Frame::new(RgbaImage::from_pixel(120, 120, image::Rgba([red, 0, 0, 255])))).unwrap();
    }
    drop(encoder);
    let answer = done(&send(&mona, &[("u_ava", "a.gif", &gif)]).await);
    let (_, picture) = fetched(&app, &answer["user"]["avatar"]).await;
    assert!(is_red(picture.get_pixel(160, 160)));
    app.drain().await;
    app.finish().await;
}

/// Returns a valid PNG with one bit per pixel, all 0. It has only a few kilobytes at any size.
pub fn bomb(side: u32) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        let named = [&kind[..], data].concat();
        let mut crc = flate2::Crc::new();
        crc.update(&named);
        [&u32::try_from(data.len()).unwrap().to_be_bytes()[..], &named, &crc.sum().to_be_bytes()].concat()
    };
    let header = [&side.to_be_bytes()[..], &side.to_be_bytes(), &[1, 0, 0, 0, 0]].concat();
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::best());
    let row = vec![0; side as usize / 8 + 1];
    for _ in 0..side {
        rows.write_all(&row).unwrap();
    }
    let rows = rows.finish().unwrap();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &header), &chunk(b"IDAT", &rows), &chunk(b"IEND", &[])].concat()
}

#[tokio::test]
async fn refuses_invalid_dimensions_before_decoding() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let png = bomb(16_000);
    assert!(png.len() < 100_000, "{} bytes claim 256 million pixels", png.len());
    let mut gif = encoded(flag(120, 120), ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    let mut lying = encoded(flag(120, 120), ImageFormat::Jpeg);
    let frame = lying.windows(2).position(|marker| marker == b"\xff\xc0").unwrap();
    lying[frame + 5..frame + 9].copy_from_slice(&[0xff, 0xdc, 0xff, 0xdc]);
    for (name, bytes) in [("bomb.png", &png), ("screen.gif", &gif), ("frame.jpg", &lying)] {
        let reply = send(&mona, &[("u_ava", name, bytes)]).await;
        reply.refused(422, "invalid_img_size");
        assert_eq!(reply.json()["field"], "u_ava", "{name}");
    }
    for (field, width, height) in
        [("u_ava", 99, 400), ("u_ava", 400, 99), ("u_cover", 1249, 250), ("u_cover", 1250, 249)]
    {
        let small = encoded(flag(width, height), ImageFormat::Png);
        let reply = send(&mona, &[(field, "small.png", &small)]).await;
        reply.refused(422, "invalid_img_size");
        assert_eq!(reply.json()["field"], field);
    }
    assert_eq!(files(&app, &mona), [""; 0]);
    app.finish().await;
}

#[tokio::test]
async fn refuses_files_that_are_not_pictures() {
    let app = App::configured(|config| config.pictures.max_bytes = 60_000).await;
    let mona = app.member("mona").await;
    let png = encoded(flag(200, 200), ImageFormat::Png);
    let bmp = [&b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0"[..], &[0; 56]].concat();
    let cut = &png[..png.len() / 2];
    for bytes in [
        &b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"[..],
        b"<?php echo 1;",
        b"\xff\xd8\xff\xe0",
        b"x",
        &bmp,
        cut,
    ] {
        let reply = send(&mona, &[("u_ava", "photo.jpg", bytes)]).await;
        reply.refused(422, "file_invalid_type");
        assert_eq!(reply.json()["codes"], serde_json::json!([{"field": "u_ava", "code": "file_invalid_type"}]));
    }
    // A script that begins like a GIF claims to be 10,799 pixels wide and 29,500 high.
    send(&mona, &[("u_ava", "a.gif", b"GIF89a/*<script>alert(1)</script>*/=0")]).await.refused(422, "invalid_img_size");
    let large = [&png[..], &vec![0; 60_000]].concat();
    let reply = send(&mona, &[("u_cover", "photo.png", &large)]).await;
    reply.refused(422, "file_too_large");
    assert_eq!(reply.json()["field"], "u_cover");
    // A body far above the limit is not read.
    send(&mona, &[("u_ava", "photo.png", &vec![0; 17 << 20])]).await.refused(413, "body_too_large");
    // If one picture is refused, the other is not stored either.
    let good = encoded(flag(200, 200), ImageFormat::Png);
    send(&mona, &[("u_ava", "a.png", &good), ("u_cover", "c.png", b"x")]).await.refused(422, "file_invalid_type");
    assert_eq!(files(&app, &mona), [""; 0]);
    // An empty file field is ignored.
    done(&send(&mona, &[("u_ava", "", b"")]).await);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn members_cannot_change_pictures_of_others() {
    let app = App::start().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let png = encoded(flag(200, 200), ImageFormat::Png);
    done(&send(&mona, &[("u_ava", "a.png", &png)]).await);
    done(&send(&nils, &[("u_ava", "a.png", &png)]).await);
    let before = files(&app, &mona);
    done(&nils.post(PATH, &[("u_ava_rem", "1"), ("user_id", &mona.id.to_string())]).await);
    assert_eq!((files(&app, &mona), files(&app, &nils).len()), (before, 0));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn account_deletion_removes_only_its_own_pictures() {
    let app = App::start().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let picture = encoded(flag(1300, 400), ImageFormat::Jpeg);
    for member in [&mona, &nils] {
        done(&send(member, &[("u_ava", "a.jpg", &picture), ("u_cover", "c.jpg", &picture)]).await);
        assert!(!files(&app, member).is_empty());
    }
    let others = files(&app, &nils);
    assert_eq!(mona.post("/api/account.php", &[("act", "delete")]).await.status, 200);
    assert_eq!((files(&app, &mona), files(&app, &nils)), (Vec::new(), others));
    app.drain().await;
    app.finish().await;
}

/// Whether the row references a picture of which all files exist.
async fn is_whole(app: &App, session: &Session) -> bool {
    let avatar = session.get(PATH).await.json()["user"]["avatar"].clone();
    let Some(stem) = avatar.as_str().and_then(|path| path.rsplit('/').next()?.split_once('-')) else { return false };
    files(app, session) == [320, 640].map(|width| format!("{}-{width}.jpg", stem.0))
}

#[tokio::test]
async fn upload_completes_after_the_client_disconnects() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let jpeg = encoded(flag(700, 700), ImageFormat::Jpeg);
    {
        let form: [(&str, &str, &[u8]); 1] = [("u_ava", "a.jpg", &jpeg)];
        let upload = send(&mona, &form);
        tokio::pin!(upload);
        // The connection is interrupted once the first file exists.
        while files(&app, &mona).is_empty() {
            tokio::select! {
                biased;
                reply = &mut upload => panic!("answered with {} before a file was seen", reply.status),
                () = tokio::task::yield_now() => {}
            }
        }
    }
    let finished = async { while !is_whole(&app, &mona).await {} };
    let finished = tokio::time::timeout(PATIENCE, finished).await;
    assert!(finished.is_ok(), "orphaned files: {:?}", files(&app, &mona));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn orphaned_pictures_are_removed_after_a_grace_period() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let png = encoded(flag(200, 200), ImageFormat::Png);
    done(&send(&mona, &[("u_ava", "a.png", &png)]).await);
    let referenced = files(&app, &mona);
    let stem = |digit: &str| digit.repeat(24);
    let (old, fresh) = (format!("{}-640.jpg", stem("0")), format!("{}-640.jpg", stem("f")));
    for name in [&old, &fresh] {
        app.media(&format!("members/{}/{name}", mona.id), b"nobody's");
    }
    // One file belongs to a deleted account, and the other is not one of the site's pictures.
    app.media(&format!("members/777/{old}"), b"nobody's");
    app.media("members/777/notes.txt", b"an operator's");
    let aged = |path: String, seconds: u64| {
        let file =
            std::fs::File::options().write(true).open(app.state().stores.root().join("members").join(path)).unwrap();
        let now = std::time::UNIX_EPOCH + std::time::Duration::from_secs(NOW.unsigned_abs());
        file.set_modified(now - std::time::Duration::from_secs(seconds)).unwrap();
    };
    let minutes = 60;
    for name in referenced.iter().chain([&old]) {
        aged(format!("{}/{name}", mona.id), minutes * 60);
    }
    aged(format!("{}/{fresh}", mona.id), minutes * 60 - 1);
    aged(format!("777/{old}"), minutes * 60);
    aged("777/notes.txt".to_owned(), minutes * 60);
    assert_eq!(app.sweep_pictures().await, 2);
    assert_eq!(files(&app, &mona), [referenced, vec![fresh]].concat(), "referenced, or too young to be an orphan");
    assert_eq!(app.media_files("members/777"), ["notes.txt"]);
    app.drain().await;
    app.finish().await;
}
