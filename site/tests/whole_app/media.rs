//! Removed media are no longer served on any node, not even through links handed out earlier.

use std::time::Instant;

use axum::{
    body::Body,
    http::{HeaderValue, Method, Request},
};
use lantern_media::MediaState;
use tower::ServiceExt;

use crate::{
    report::send::{complain, no_captcha},
    support::{App, NOW, PATIENCE, Reply},
};

/// Pictures of a clip, which are available by name.
const PICTURES: [&str; 4] = ["poster.jpg", "sprite.webp", "shot-3-320.webp", "shot-3-640.webp"];
/// Files of a film, which are available only by signed link.
const FILM: [&str; 5] = ["video.mp4", "hls/master.m3u8", "hls/480-0.m4s", "timeline.vtt", "timeline.jpg"];

/// Gives the video a separate folder with files on every node.
async fn film(nodes: &[&App], id: i64) -> String {
    let key = format!("films/{id}");
    for node in nodes {
        for file in PICTURES.iter().chain(&FILM) {
            node.media(&format!("{key}/{file}"), b"0123456789");
        }
    }
    nodes[0].change(&format!("update videos set media_key = '{key}' where id = {id}")).await;
    key
}

/// Returns the addresses of all files of the video. The signed ones are as returned by `videofile.php`.
async fn addresses(app: &App, id: i64) -> Vec<String> {
    let answer = app.json(&format!("/api/videofile.php?video_id={id}")).await;
    let mp4 = answer["video_url"][1]["url"].as_str().unwrap().to_owned();
    let folder = mp4.strip_suffix("/video.mp4").unwrap();
    let key = folder.splitn(6, '/').nth(5).unwrap();
    let pictures = PICTURES.iter().map(|file| format!("/media/p/{key}/{file}"));
    pictures.chain(FILM.iter().map(|file| format!("{folder}/{file}"))).collect()
}

async fn all_are_served(node: &App, paths: &[String], when: &str) {
    for path in paths {
        let reply = node.get(path).await;
        assert_eq!((reply.status, &reply.body[..]), (200, &b"0123456789"[..]), "{path} {when}: {}", reply.text());
    }
}

/// Checks that full, range, conditional and HEAD requests all get 404.
async fn none_is_served(node: &App, paths: &[String], when: &str) {
    for path in paths {
        let started = Instant::now();
        while node.get(path).await.status == 200 {
            assert!(started.elapsed() < PATIENCE, "{path} is still served {when}");
            tokio::task::yield_now().await;
        }
        for headers in [&[][..], &[("range", "bytes=2-4")], &[("if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT")]] {
            node.send(Method::GET, path, headers).await.refused(404, "file_not_found");
        }
        assert_eq!(node.send(Method::HEAD, path, &[]).await.status, 404, "{path} {when}");
    }
}

#[tokio::test]
async fn files_of_hidden_videos_are_refused_on_every_node() {
    let app = App::start().await;
    let other = app.another_node().await;
    for (id, change) in [
        (1, "update videos set status_id = deleted() where id = 1"),
        (2, "update videos set status_id = rejected() where id = 2"),
        (3, "update videos set status_id = in_review() where id = 3"),
        (4, "update videos set status_id = draft() where id = 4"),
        (5, "update videos set is_private = true where id = 5"),
        (6, "update videos set media_key = 'films/another' where id = 6"),
        (7, "delete from videos where id = 7"),
    ] {
        film(&[&app, &other], id).await;
        let paths = addresses(&app, id).await;
        for node in [&app, &other] {
            all_are_served(node, &paths, change).await;
        }
        app.change(change).await;
        for node in [&app, &other] {
            none_is_served(node, &paths, change).await;
        }
    }
    // A video that is shown again is served again.
    let paths = {
        app.change("update videos set is_private = false where id = 5").await;
        addresses(&app, 5).await
    };
    for node in [&app, &other] {
        for path in &paths {
            let started = Instant::now();
            while node.get(path).await.status != 200 {
                assert!(started.elapsed() < PATIENCE, "{path} is not served again");
                tokio::task::yield_now().await;
            }
        }
    }
    other.finish().await;
    app.finish().await;
}

#[tokio::test]
async fn nodes_are_notified_at_commit_without_the_index() {
    let app = App::start().await;
    let other = app.another_node().await;
    film(&[&app, &other], 1).await;
    let paths = addresses(&app, 1).await;
    all_are_served(&other, &paths, "before").await;
    // The outbox is not applied.
    app.sql("update videos set status_id = deleted() where id = 1").await;
    none_is_served(&other, &paths, "although the index is behind").await;
    app.drain().await;
    other.finish().await;
    app.finish().await;
}

#[tokio::test]
async fn shared_folder_is_served_while_one_video_is_visible() {
    let app = App::start().await;
    film(&[&app], 1).await;
    let paths = addresses(&app, 1).await;
    app.change("update videos set media_key = 'films/1' where id in (2, 3)").await;
    app.change("update videos set status_id = deleted() where id = 1").await;
    all_are_served(&app, &paths, "with two of three").await;
    app.change("delete from videos where id = 2").await;
    all_are_served(&app, &paths, "with one of three").await;
    app.change("update videos set is_private = true where id = 3").await;
    none_is_served(&app, &paths, "with none").await;
    app.finish().await;
}

#[tokio::test]
async fn hidden_files_are_served_only_to_permitted_viewers() {
    let app = App::start().await;
    film(&[&app], 1).await;
    let paths = addresses(&app, 1).await;
    let owner_id = app.numbers("select user_id from videos where id = 1").await[0];
    let (member, owner) = (app.member("member").await, app.sign_in(owner_id, "owner").await);
    // Each row has a state, and the status for a member and for the owner (docs/PERMISSIONS.md).
    for (state, of_member, of_owner) in [
        ("is_private = true", 200, 200),
        ("is_private = false, status_id = in_review()", 404, 200),
        ("status_id = rejected()", 404, 200),
        ("status_id = deleted()", 404, 404),
    ] {
        app.change(&format!("update videos set {state} where id = 1")).await;
        none_is_served(&app, &paths, state).await;
        for path in &paths {
            for (session, status) in [(&member, of_member), (&owner, of_owner)] {
                let reply = session.get(path).await;
                assert_eq!(reply.status, status, "{path} with {state} for {}", session.username);
                if status == 200 {
                    assert_eq!(reply.header("cache-control"), "private, no-cache", "{path}");
                    assert_eq!(reply.header("cache-tag"), "", "not cached elsewhere");
                }
            }
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn pictures_are_removed_with_their_object() {
    let app = App::start().await;
    let other = app.another_node().await;
    let (own, cover) = (format!("members/9/{:024x}", 1), format!("members/9/{:024x}", 2));
    app.change(&format!(
        "update photos set media_key = 'photos/' || id where album_id = 1;
         update models set picture_key = 'people/1' where id = 1;
         update channels set picture_key = 'channels/1', cf1 = 'channels/2' where id = 1;
         update categories set media_key = 'categories/travel', shot = 4 where id = 1;
         update users set avatar_key = '{own}', cover_key = '{cover}' where id = 9;
         update users set avatar_key = 'people/10' where id = 10"
    ))
    .await;
    let photo = app.numbers("select id from photos where album_id = 1 order by position").await[0];
    for (file, change, back) in [
        (
            format!("photos/{photo}-320.webp"),
            "update albums set status_id = rejected() where id = 1",
            "update albums set status_id = published() where id = 1",
        ),
        (
            format!("photos/{photo}-640.webp"),
            "update albums set is_private = true where id = 1",
            "update albums set is_private = false where id = 1",
        ),
        (format!("photos/{photo}-320.webp"), "delete from photos where album_id = 1", ""),
        ("people/1-640.webp".to_owned(), "delete from models where id = 1", ""),
        ("channels/1-320.webp".to_owned(), "update channels set picture_key = null where id = 1", ""),
        ("channels/2-640.webp".to_owned(), "delete from channels where id = 1", ""),
        ("categories/travel/shot-4-320.webp".to_owned(), "delete from categories where id = 1", ""),
        (
            format!("{own}-320.jpg"),
            "update users set status_id = banned() where id = 9",
            "update users set status_id = ordinary() where id = 9",
        ),
        (
            format!("{cover}-1250.jpg"),
            "update users set email_confirmed_at = null where id = 9",
            "update users set email_confirmed_at = now() where id = 9",
        ),
        (format!("{cover}-640.jpg"), "update users set cover_key = null where id = 9", ""),
        (format!("{own}-640.jpg"), "delete from users where id = 9", ""),
        ("people/10-320.webp".to_owned(), "delete from users where id = 10", ""),
    ] {
        let paths = [format!("/media/p/{file}")];
        for node in [&app, &other] {
            node.media(&file, b"0123456789");
            all_are_served(node, &paths, "before").await;
        }
        app.change(change).await;
        // In tests, the node that makes the change gets no notifications and learns about changes from the outbox,
        // which lacks channels.
        none_is_served(&other, &paths, change).await;
        if !change.contains("channels") {
            none_is_served(&app, &paths, change).await;
        }
        if !back.is_empty() {
            app.change(back).await;
            all_are_served(&app, &paths, back).await;
        }
    }
    other.finish().await;
    app.finish().await;
}

#[tokio::test]
async fn unreferenced_file_is_not_served() {
    let app = App::start().await;
    app.media("left/1-320.webp", b"0123456789");
    app.get("/media/p/left/1-320.webp").await.refused(404, "file_not_found");
    app.finish().await;
}

#[tokio::test]
async fn video_hidden_by_reports_stops_playing() {
    let app = App::configured(no_captcha).await;
    film(&[&app], 1).await;
    let paths = addresses(&app, 1).await;
    all_are_served(&app, &paths, "before").await;
    for n in 0..4 {
        let member = app.proven(&format!("proven{n}"), n).await;
        assert_eq!(complain(&member, "video", "1", "illegal").await.status, 200);
    }
    app.drain().await;
    none_is_served(&app, &paths, "although reports hid it").await;
    app.finish().await;
}

/// Returns a metric of the permission checks.
async fn metric(app: &App, name: &str) -> u64 {
    let text = app.watch("/metrics").await.text();
    let line = text.lines().find(|line| line.starts_with(&format!("lantern_media_{name} "))).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn permission_of_a_film_is_queried_once_for_many_viewers() {
    let app = App::start().await;
    film(&[&app], 1).await;
    let paths: Vec<String> =
        addresses(&app, 1).await.into_iter().filter(|path| path.starts_with("/media/s/")).collect();
    let before = metric(&app, "asked_total").await;
    let spawn_request = |n: usize| {
        let (site, request) = (app.guest().site, Request::get(&paths[n % paths.len()]).body(Body::empty()).unwrap());
        tokio::spawn(async move { Reply::read(site.oneshot(request).await.unwrap()).await.status })
    };
    let tasks: Vec<_> = (0..500).map(spawn_request).collect();
    for reply in tasks {
        assert_eq!(reply.await.unwrap(), 200);
    }
    assert_eq!(metric(&app, "asked_total").await - before, 1, "one query for a whole film");
    // Refusals are cached, too, until something changes.
    app.change("update videos set status_id = deleted() where id = 1").await;
    let before = metric(&app, "asked_total").await;
    for _ in 0..20 {
        none_is_served(&app, &paths, "after").await;
    }
    assert_eq!(metric(&app, "asked_total").await - before, 1);
    app.finish().await;
}

#[tokio::test]
async fn forged_links_and_missing_files_cause_no_query() {
    let app = App::start().await;
    film(&[&app], 1).await;
    let paths = addresses(&app, 1).await;
    let before = metric(&app, "asked_total").await;
    app.get(&paths[4].replacen("/media/s/", "/media/s/1", 1)).await.refused(403, "dont_have_permission");
    for n in 0..20 {
        app.get(&format!("/media/p/guess/{n}-320.webp")).await.refused(404, "file_not_found");
    }
    assert_eq!(metric(&app, "asked_total").await, before);
    app.finish().await;
}

#[tokio::test]
async fn without_a_database_cached_permissions_remain_valid() {
    let app = App::start().await;
    film(&[&app], 1).await;
    film(&[&app], 2).await;
    let (cached, uncached) = (addresses(&app, 1).await, addresses(&app, 2).await);
    all_are_served(&app, &cached, "before").await;
    // A node without notifications must assume that anything may have changed.
    app.deafen();
    app.pool().close().await;
    all_are_served(&app, &cached, "while the catalog is unavailable").await;
    app.get(&uncached[0]).await.refused(503, "unavailable");
}

/// A change that causes no notifications.
const SILENT_CHANGE: &str =
    "begin; set local session_replication_role = replica; update videos set status_id = deleted() where id = 1; commit";

#[tokio::test]
async fn cached_permissions_expire_without_notifications() {
    for (seconds, status) in [(0, 404), (3600, 200)] {
        let app = App::configured(|config| config.media.known_seconds = seconds).await;
        film(&[&app], 1).await;
        let paths = addresses(&app, 1).await;
        all_are_served(&app, &paths, "before").await;
        app.sql(SILENT_CHANGE).await;
        for path in &paths {
            assert_eq!(app.get(path).await.status, status, "{path} with {seconds} s");
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn without_grace_period_nothing_is_served_unchecked() {
    let app = App::configured(|config| config.media.away_seconds = 0).await;
    film(&[&app], 1).await;
    let paths = addresses(&app, 1).await;
    all_are_served(&app, &paths, "before").await;
    app.deafen();
    app.pool().close().await;
    app.get(&paths[0]).await.refused(503, "unavailable");
}

#[tokio::test]
async fn files_have_cache_tags_and_lifetimes() {
    let app = App::start().await;
    film(&[&app], 1).await;
    for path in addresses(&app, 1).await {
        let reply = app.get(&path).await;
        assert_eq!(reply.header("cache-tag"), "video-1", "{path}");
        let expected = if path.starts_with("/media/p/") {
            "public, max-age=86400, s-maxage=3600"
        } else {
            "private, max-age=21600"
        };
        assert_eq!(reply.header("cache-control"), expected, "{path}");
    }
    app.finish().await;
}

/// Measures how long it takes to serve a film segment with the permission check and without it: `cargo nextest run
/// --release -p lantern-api --run-ignored only --no-capture film_segment`.
#[tokio::test]
#[ignore = "a measurement"]
async fn film_segment_is_served_about_as_fast_as_a_file() {
    let app = App::start().await;
    film(&[&app], 1).await;
    // This is the size of four seconds of the largest demo film.
    app.media("films/1/hls/480-0.m4s", &vec![7; 350_000]);
    let path = addresses(&app, 1).await.into_iter().find(|path| path.ends_with(".m4s")).unwrap();
    let bare = lantern_media::router(MediaState {
        stores: app.state().stores.clone(),
        signer: app.state().signer.clone(),
        picture_cache: HeaderValue::from_static("no-store"),
        read_bytes: app.state().config.media.read_bytes as usize,
        now: || NOW,
    });
    let mut ratios = Vec::new();
    for _ in 0..15 {
        let began = Instant::now();
        for _ in 0..200 {
            assert_eq!(app.get(&path).await.body.len(), 350_000);
        }
        let whole = began.elapsed();
        let began = Instant::now();
        for _ in 0..200 {
            let request = Request::get(&path).body(Body::empty()).unwrap();
            assert_eq!(Reply::read(bare.clone().oneshot(request).await.unwrap()).await.body.len(), 350_000);
        }
        let alone = began.elapsed();
        eprintln!("site {:.1} µs, file service alone {:.1} µs", whole.as_secs_f64() * 5e3, alone.as_secs_f64() * 5e3);
        ratios.push(whole.as_secs_f64() / alone.as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    eprintln!("ratio {:.3} (median of {})", ratios[ratios.len() / 2], ratios.len());
    app.finish().await;
}
