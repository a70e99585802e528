//! Pictures in albums: accepted formats, error codes, limits and cleanup.

use image::{Frame, ImageFormat, RgbaImage, codecs::gif::GifEncoder};
use lantern_config::{Gcra, Policy};
use serde_json::{Value, json};

use super::edit::{EDIT, files, form, ids, photo, send, sent, with};
use crate::{
    area::pictures::{SECRET, bomb, encoded, fetched, flag, is_red, marked},
    support::{App, NOW, PATIENCE},
};

/// Returns a GIF with two frames.
fn animated() -> Vec<u8> {
    let mut gif = Vec::new();
    let mut encoder = GifEncoder::new(&mut gif);
    for red in [255, 0] {
        encoder.encode_frame(Frame::new(RgbaImage::from_pixel(320, 320, image::Rgba([red, 0, 0, 255])))).unwrap();
    }
    drop(encoder);
    gif
}

#[tokio::test]
async fn pictures_of_every_format_are_reencoded_in_three_sizes() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let of_kind = |format| [encoded(flag(330, 320), format), SECRET.to_vec()].concat();
    let kinds = [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif].map(of_kind);
    // Each half has a single color, so the picture is the same in all formats.
    let made =
        sent(&mona, &form("Of every kind"), &[&kinds[0], &kinds[1], &kinds[2], &kinds[3], &marked(400, 640)]).await;
    let same = [1, 2, 3].map(|index| json!({ "index": index, "code": "photo_duplicate" }));
    assert_eq!(made["refused"], json!(same));
    let turned = &made["photos"][1];
    assert_eq!((&turned["width"], &turned["height"]), (&json!(640), &json!(400)), "rotated as Exif specifies");
    app.sql("update albums set status_id = published() where is_new").await;
    app.drain().await;
    for (size, width) in [("thumb", 320), ("src", 640), ("large", 640)] {
        let (bytes, picture) = fetched(&app, &turned[size]).await;
        assert_eq!(picture.dimensions(), (width, width * 5 / 8), "{size}");
        assert!(is_red(picture.get_pixel(width / 2, 20)) && !is_red(picture.get_pixel(width / 2, width * 5 / 8 - 20)));
        assert!(
            !bytes.windows(SECRET.len()).any(|part| part == SECRET) && !bytes.windows(4).any(|part| part == b"Exif")
        );
    }
    // A tall picture is scaled by its height, and nothing is enlarged.
    let tall =
        sent(&mona, &[("album_id", &made["album_id"].to_string())], &[&encoded(flag(320, 3400), ImageFormat::Png)])
            .await;
    app.sql("update albums set status_id = published() where is_new").await;
    app.drain().await;
    assert_eq!(fetched(&app, &tall["photos"][2]["thumb"]).await.1.dimensions(), (60, 640));
    assert_eq!(files(&app).len(), 9);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn unsuitable_pictures_are_refused_with_their_error_code() {
    let app = App::configured(|config| config.pictures.photo_bytes = 60_000).await;
    let mona = app.member("mona").await;
    let (svg, script) = (
        &b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"[..],
        b"GIF89a/*<script>alert(1)</script>*/=0",
    );
    let (bomb, animated, png) = (bomb(16_000), animated(), photo(1));
    let small = encoded(flag(319, 900), ImageFormat::Png);
    let huge = [&png[..], &vec![0; 60_000]].concat();
    let hostile: [(&[u8], &str); 10] = [
        (svg, "file_invalid_type"),
        (b"<?php echo 1;", "file_invalid_type"),
        (b"", "file_invalid_type"),
        (&png[..png.len() / 2], "file_invalid_type"),
        (b"\xff\xd8\xff\xe0", "file_invalid_type"),
        (script, "invalid_img_size"),
        (&bomb[..59_000.min(bomb.len())], "invalid_img_size"),
        (&small, "invalid_img_size"),
        (&animated, "photo_animated"),
        (&huge, "file_too_large"),
    ];
    let bytes: Vec<&[u8]> = hostile.iter().map(|(bytes, _)| *bytes).collect();
    let reply = send(&mona, &form("None of it"), &bytes).await;
    reply.refused(422, "file_invalid_type");
    let codes: Vec<Value> = hostile.iter().map(|(_, code)| json!({ "field": "photos", "code": code })).collect();
    assert_eq!(reply.json()["codes"], json!(codes));
    assert_eq!((files(&app).len(), app.numbers("select count(*) from albums where is_new").await), (0, vec![0]));
    // The valid picture among them is accepted, regardless of its file name.
    let made = sent(&mona, &form("One of it"), &[&[svg, &png][..], &bytes[5..]].concat()).await;
    let refused: Vec<u64> =
        made["refused"].as_array().unwrap().iter().map(|one| one["index"].as_u64().unwrap()).collect();
    assert_eq!((refused, ids(&made).len(), files(&app).len()), (vec![0, 2, 3, 4, 5, 6], 1, 3));
    let left = std::fs::read_dir(app.state().incoming.folder().await.unwrap()).unwrap().count();
    assert_eq!(left, 0, "temporary files are removed");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn albums_forms_and_members_have_limits() {
    let app = App::configured(|config| {
        (config.albums.max_photos, config.albums.form_photos, config.albums.undecided) = (3, 4, 2);
        config.albums.form_bytes = 200_000;
        config.limits.photo = Policy::Gcra(Gcra { burst: 11, per_seconds: 3600, cells: 1, exempt_loopback: false });
    })
    .await;
    let mona = app.member("mona").await;
    let photos: Vec<Vec<u8>> = (0..6).map(photo).collect();
    let some = |range: std::ops::Range<usize>| photos[range].iter().map(Vec::as_slice).collect::<Vec<_>>();
    let reply = send(&mona, &form("Five at once"), &some(0..5)).await;
    reply.refused(422, "too_many_photos");
    assert_eq!(reply.json()["info"]["bound"], 4);
    send(&mona, &form("Too much"), &[&vec![0; 200_000]]).await.refused(413, "body_too_large");
    let made = sent(&mona, &form("Three of four"), &some(0..4)).await;
    assert_eq!((ids(&made).len(), &made["refused"]), (3, &json!([{ "index": 3, "code": "too_many_photos" }])));
    let album = made["album_id"].to_string();
    let of = ("album_id", album.as_str());
    // One picture is removed and one is added. A picture that is already in the album is refused, even with different
    // bytes.
    let first = ids(&made)[0].to_string();
    let again = [photos[1].as_slice(), b"another file"].concat();
    let full = sent(&mona, &[of, ("remove", &first)], &[&again, &photos[4]]).await;
    assert_eq!((ids(&full).len(), &full["refused"]), (3, &json!([{ "index": 0, "code": "photo_duplicate" }])));
    send(&mona, &[of], &some(5..6)).await.refused(422, "too_many_photos");
    send(&mona, &form("A twelfth"), &some(0..1)).await.refused(429, "too_many_attempts");
    assert_eq!(files(&app).len(), 9, "refused pictures leave no files");

    assert_eq!(mona.post(EDIT, &with(&form("A second"), &[("draft", "1")])).await.status, 200);
    mona.post(EDIT, &with(&form("A third"), &[("draft", "1")])).await.refused(403, "upload_quota");
    // Text fields have a separate limit, in either kind of form.
    let long = "x".repeat(66_000);
    send(&mona, &[("description", &long)], &[]).await.refused(413, "body_too_large");
    mona.post(EDIT, &[("description", &long)]).await.refused(413, "body_too_large");
    let wrong = mona.post(EDIT, &[("title", "ab"), ("draft", "1")]).await.json();
    let fields: Vec<&str> =
        wrong["codes"].as_array().unwrap().iter().map(|one| one["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["title", "lang", "orientation", "categories"]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn refuses_pictures_without_free_disk_space() {
    let app = App::configured(|config| config.uploads.reserve_bytes = u64::MAX / 2).await;
    let mona = app.member("mona").await;
    send(&mona, &form("No room"), &[&photo(1)]).await.refused(507, "disk_full");
    app.finish().await;
}

#[tokio::test]
async fn album_is_completed_after_its_client_disconnects() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let (form, one) = (form("Gone"), photo(7));
    {
        let photos: [&[u8]; 1] = [&one];
        let sending = send(&mona, &form, &photos);
        tokio::pin!(sending);
        while files(&app).is_empty() {
            tokio::select! {
                biased;
                reply = &mut sending => panic!("answered with {} before a file was seen", reply.status),
                () = tokio::task::yield_now() => {}
            }
        }
    }
    let named = "select count(*) from photos where digest is not null";
    let finished = async { while app.numbers(named).await != [1] {} };
    assert!(tokio::time::timeout(PATIENCE, finished).await.is_ok(), "no row names the files");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn orphaned_files_are_not_served_and_are_removed() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let made = sent(&mona, &with(&form("A draft"), &[("draft", "1")]), &[&photo(1)]).await;
    let referenced = files(&app);
    let stem = |digit: &str| format!("{}/{}", digit.repeat(2), digit.repeat(24));
    for digit in ["a", "b"] {
        app.media(&format!("albums/{}-640.jpg", stem(digit)), b"orphaned");
        mona.get(&format!("/media/p/albums/{}-640.jpg", stem(digit))).await.refused(404, "file_not_found");
    }
    app.media("albums/aa/notes.txt", b"an operator's");
    let aged = |path: &str, minutes: u64| {
        let path = app.state().stores.root().join("albums").join(path);
        let now = std::time::UNIX_EPOCH + std::time::Duration::from_secs(NOW.unsigned_abs());
        let file = std::fs::File::options().write(true).open(path).unwrap();
        file.set_modified(now - std::time::Duration::from_secs(60 * minutes)).unwrap();
    };
    referenced.iter().for_each(|path| aged(path, 60));
    aged(&format!("{}-640.jpg", stem("a")), 60);
    aged(&format!("{}-640.jpg", stem("b")), 59);
    aged("aa/notes.txt", 60);
    assert_eq!(app.sweep_pictures().await, 1);
    let left = files(&app);
    assert!(referenced.iter().all(|path| left.contains(path)) && left.len() == referenced.len() + 2, "{left:?}");

    // An abandoned draft is removed, too.
    let album = made["album_id"].to_string();
    let age = |days: u32| format!("update albums set created_at = now() - interval '{days} days' where id = {album}");
    app.sql(&age(6)).await;
    app.sweep_albums().await;
    assert_eq!(mona.get(&format!("{EDIT}?album_id={album}")).await.status, 200);
    app.sql(&age(8)).await;
    app.sweep_albums().await;
    mona.get(&format!("{EDIT}?album_id={album}")).await.refused(404, "album_not_found");
    // Members may delete their own drafts.
    let second = sent(&mona, &with(&form("Another"), &[("draft", "1")]), &[]).await["album_id"].to_string();
    assert_eq!(mona.post(EDIT, &[("album_id", &second), ("act", "2")]).await.status, 200);
    app.drain().await;
    app.finish().await;
}
