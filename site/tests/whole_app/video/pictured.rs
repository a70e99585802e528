//! Videos that have an imported picture but no film on this site.

use lantern_catalog::{
    account_removal::{self, RemovalOutcome},
    moderation::{Actor, quarantine, queue, uploads},
};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::{
    page::dom::path,
    support::{App, NOW, listing},
    upload::films::worker,
};

/// Returns the media key of a picture, which is named by a digit.
fn key(digit: &str) -> String {
    format!("videos/{}/{}", digit.repeat(2), digit.repeat(24))
}

/// Replaces a video's film with this picture and another site's player.
async fn pictured(app: &App, id: i64, digit: &str) {
    for width in [1280, 640, 320] {
        app.media(&format!("{}-{width}.jpg", key(digit)), b"a picture");
    }
    app.change(&format!(
        "update videos set media_key = null, picture_key = '{}', ex_tube = 'videos', ex_id = 'x{id}' where id = {id}",
        key(digit)
    ))
    .await;
}

async fn embedding() -> App {
    let app = App::configured(|config| {
        config.embeds.insert("videos".to_owned(), "https://player.example/embed/{id}".to_owned());
    });
    app.await
}

/// Returns the digits of the pictures that exist in all sizes.
fn existing(app: &App) -> String {
    let files = |digit: &&str| app.media_files(&format!("videos/{}", digit.repeat(2))).len();
    ["a", "b", "c", "d", "e"].iter().filter(|digit| files(digit) == 3).copied().collect()
}

#[tokio::test]
async fn video_without_a_film_is_shown_by_its_picture() {
    let app = embedding().await;
    pictured(&app, 4, "a").await;
    let at = |width: u32| format!("/media/p/{}-{width}.jpg", key("a"));
    let pictures = json!({ "thumb": at(320), "thumbsrc": at(640), "scr": "", "img": at(1280) });
    let shown = app.json("/api/json/video/86400/0/4.json").await["video"].clone();
    let list = app.json(&listing("latest-updates", 60, "all..1.all.all.all")).await;
    let listed = list["videos"].as_array().unwrap().iter().find(|card| card["video_id"] == 4).unwrap();
    for (name, value) in pictures.as_object().unwrap() {
        assert_eq!((&shown[name], &listed[name]), (value, value), "{name}");
    }
    for width in [1280, 640, 320] {
        let reply = app.get(&at(width)).await;
        assert_eq!(
            (reply.status, reply.header("cache-tag"), reply.header("content-type")),
            (200, "video-4", "image/jpeg")
        );
    }
    let (_, dom) = app.page("/videos/4/video-4/").await;
    assert_eq!(path(&dom.meta("og:image")), at(1280));
    let data = dom.data("VideoObject").unwrap();
    assert_eq!(path(data["thumbnailUrl"][0].as_str().unwrap()), at(1280));
    // Without a film, there are neither streams nor frames.
    for call in ["/api/videofile.php?video_id=4", "/media/t/160x90/0/0/4/10/2.jpg"] {
        assert_eq!(app.get(call).await.status, 404, "{call}");
    }

    // Moderators see the picture.
    assert_eq!(queue::find(app.pool(), "video", 4).await.unwrap().unwrap().photos, [key("a")]);

    // The picture of a hidden video is not served.
    let member = app.member("member").await;
    for (state, of_member) in [("is_private = true", 200), ("is_private = false, status_id = in_review()", 404)] {
        app.change(&format!("update videos set {state} where id = 4")).await;
        app.get(&at(320)).await.refused(404, "file_not_found");
        assert_eq!(member.get(&at(320)).await.status, of_member, "{state}");
    }
    app.change("update videos set status_id = published() where id = 4").await;
    assert_eq!(app.get(&at(320)).await.status, 200);
    pictured(&app, 4, "b").await;
    app.get(&at(320)).await.refused(404, "file_not_found");
    app.finish().await;
}

#[tokio::test]
async fn nothing_links_to_a_missing_player() {
    let app = embedding().await;
    pictured(&app, 4, "a").await;
    pictured(&app, 6, "b").await;
    app.change("update videos set ex_tube = 'others' where id = 6").await;
    assert_eq!(app.page("/embed/4/").await.0.status, 404);
    let oembed = async |id: i64| app.json(&format!("/oembed?url=http://127.0.0.1:8080/videos/{id}/")).await;

    // The video is played by a listed site.
    let elsewhere = "https://player.example/embed/x4";
    let page = app.page("/videos/4/video-4/").await.1;
    assert_eq!((page.meta("og:video"), page.meta("twitter:player")), (elsewhere.to_owned(), elsewhere.to_owned()));
    assert_eq!(page.meta("twitter:card"), "player");
    assert_eq!(page.data("VideoObject").unwrap()["embedUrl"], elsewhere);
    let card = oembed(4).await;
    assert_eq!((&card["type"], &card["width"]), (&json!("video"), &json!(426)));
    let html = card["html"].as_str().unwrap();
    assert!(html.contains(elsewhere) && html.contains(r#"sandbox="allow-scripts allow-same-origin""#), "{html}");

    // A video from a site that is not listed has no player.
    let (reply, page) = app.page("/videos/6/video-6/").await;
    assert!(!reply.text().contains("/embed/6/"), "it has no embedded player");
    assert!(page.attrs("meta[property='og:video'],meta[name='twitter:player']", "content").is_empty());
    assert_eq!(page.meta("twitter:card"), "summary_large_image");
    assert_eq!(page.data("VideoObject").unwrap()["embedUrl"], json!(null));
    let card = oembed(6).await;
    assert_eq!((&card["type"], &card["html"], &card["width"]), (&json!("link"), &json!(null), &json!(null)));

    // If the first video in a list has no picture, the preview of the list shows that of the next video.
    let longest = app.ids(&listing("longest", 60, "all..1.all.all.all")).await;
    app.change(&format!("update videos set media_key = null, picture_key = null where id = {}", longest[0])).await;
    let image = app.page("/videos/longest/1/").await.1.meta("og:image");
    assert!(image.ends_with("/poster.jpg"), "{image}");
    app.finish().await;
}

#[tokio::test]
async fn pictures_are_removed_like_films() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    for (id, digit) in [(4, "a"), (6, "b"), (7, "c"), (8, "d"), (9, "e")] {
        pictured(&app, id, digit).await;
    }
    let swept = async || worker(&app, |_| {}).remove_due().await.unwrap();
    assert_eq!((swept().await, existing(&app)), (0, "abcde".to_owned()));
    // A picture is removed immediately with the account or the row, after the quarantine of a take-down, or after the grace period of a
    // deletion.
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", 4, "").await.unwrap());
    app.change(&format!("update videos set user_id = {}, is_private = true where id = 6", mona.id)).await;
    let mut transaction = app.pool().begin().await.unwrap();
    assert_eq!(account_removal::remove(&mut transaction, mona.id, false).await.unwrap(), RemovalOutcome::Gone);
    transaction.commit().await.unwrap();
    app.change("delete from videos where id = 7; update videos set status_id = deleted() where id = 8").await;
    assert_eq!((swept().await, existing(&app)), (2, "ade".to_owned()));
    let late = OffsetDateTime::now_utc() + Duration::days(31);
    assert_eq!(quarantine::end_due(app.pool(), 30, late).await.unwrap(), 1);
    assert_eq!((swept().await, existing(&app)), (1, "de".to_owned()));
    app.sql("update videos set deleted_at = deleted_at - interval '169 hours' where id = 8").await;
    assert_eq!((swept().await, existing(&app)), (1, "e".to_owned()));
    // A picture that has been replaced is removed, but not one that a video references.
    pictured(&app, 9, "a").await;
    app.sql(&format!("select removals_add('{}', 0)", key("a"))).await;
    assert_eq!((swept().await, existing(&app)), (1, "a".to_owned()));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn unreferenced_pictures_are_removed() {
    let app = App::start().await;
    pictured(&app, 4, "a").await;
    let left = |digit: &str, minutes: u64| {
        let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(NOW.unsigned_abs() - 60 * minutes);
        for width in [1280, 640, 320] {
            let file = format!("{}-{width}.jpg", key(digit));
            app.media(&file, b"a picture");
            let file = std::fs::File::options().write(true).open(app.state().stores.root().join(file)).unwrap();
            file.set_modified(at).unwrap();
        }
    };
    left("a", 60);
    left("b", 60);
    left("c", 59);
    assert_eq!((app.sweep_pictures().await, existing(&app)), (1, "ac".to_owned()));
    app.finish().await;
}
