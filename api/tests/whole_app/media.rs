//! What is taken away stops being served, whatever was handed out before, on the node that heard of it last, too.

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

/// Pictures of a clip that everybody may ask for by name.
const PICTURES: [&str; 4] = ["poster.jpg", "sprite.webp", "shot-3-320.webp", "shot-3-640.webp"];
/// What only a signed link opens.
const FILM: [&str; 5] = ["video.mp4", "hls/master.m3u8", "hls/480-0.m4s", "timeline.vtt", "timeline.jpg"];

/// Gives the video a folder of its own, with files in it on every node.
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

/// Every address of the video's files, those with a signature as `videofile.php` hands them out now.
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

/// Whole, in part, by its head and for who has it already: nothing of it is there.
async fn none_is_served(node: &App, paths: &[String], when: &str) {
    for path in paths {
        let heard = Instant::now();
        while node.get(path).await.status == 200 {
            assert!(heard.elapsed() < PATIENCE, "{path} is still served {when}");
            tokio::task::yield_now().await;
        }
        for headers in [&[][..], &[("range", "bytes=2-4")], &[("if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT")]] {
            node.send(Method::GET, path, headers).await.refused(404, "file_not_found");
        }
        assert_eq!(node.send(Method::HEAD, path, &[]).await.status, 404, "{path} {when}");
    }
}

#[tokio::test]
async fn a_video_s_files_go_with_it_on_every_node() {
    let app = App::start().await;
    let other = app.another_node().await;
    for (id, change) in [
        (1, "update videos set status_id = 5 where id = 1"),
        (2, "update videos set status_id = 4 where id = 2"),
        (3, "update videos set status_id = 2 where id = 3"),
        (4, "update videos set status_id = 3 where id = 4"),
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
    // It comes back as it went.
    let paths = {
        app.change("update videos set is_private = false where id = 5").await;
        addresses(&app, 5).await
    };
    for node in [&app, &other] {
        for path in &paths {
            let heard = Instant::now();
            while node.get(path).await.status != 200 {
                assert!(heard.elapsed() < PATIENCE, "{path} is not back");
                tokio::task::yield_now().await;
            }
        }
    }
    other.finish().await;
    app.finish().await;
}

#[tokio::test]
async fn a_node_hears_at_the_commit_and_needs_no_index_for_it() {
    let app = App::start().await;
    let other = app.another_node().await;
    film(&[&app, &other], 1).await;
    let paths = addresses(&app, 1).await;
    all_are_served(&other, &paths, "before").await;
    // Nobody applies the outbox.
    app.sql("update videos set status_id = 5 where id = 1").await;
    none_is_served(&other, &paths, "although the index is behind").await;
    app.drain().await;
    other.finish().await;
    app.finish().await;
}

#[tokio::test]
async fn a_folder_of_several_is_served_while_one_of_them_may_be() {
    let app = App::start().await;
    film(&[&app], 1).await;
    let paths = addresses(&app, 1).await;
    app.change("update videos set media_key = 'films/1' where id in (2, 3)").await;
    app.change("update videos set status_id = 5 where id = 1").await;
    all_are_served(&app, &paths, "with two of three").await;
    app.change("delete from videos where id = 2").await;
    all_are_served(&app, &paths, "with one of three").await;
    app.change("update videos set is_private = true where id = 3").await;
    none_is_served(&app, &paths, "with none").await;
    app.finish().await;
}

#[tokio::test]
async fn what_is_private_is_served_to_who_may_see_it_alone() {
    let app = App::start().await;
    film(&[&app], 1).await;
    let paths = addresses(&app, 1).await;
    let owner_id = app.numbers("select user_id from videos where id = 1").await[0];
    let (member, owner) = (app.member("member").await, app.sign_in(owner_id, "owner").await);
    // Per state: whether a member and the owner see it (docs/PERMISSIONS.md).
    for (state, of_member, of_owner) in [
        ("is_private = true", 200, 200),
        ("is_private = false, status_id = 2", 404, 200),
        ("status_id = 4", 404, 200),
        ("status_id = 5", 404, 404),
    ] {
        app.change(&format!("update videos set {state} where id = 1")).await;
        none_is_served(&app, &paths, state).await;
        for path in &paths {
            for (session, status) in [(&member, of_member), (&owner, of_owner)] {
                let reply = session.get(path).await;
                assert_eq!(reply.status, status, "{path} with {state} for {}", session.username);
                if status == 200 {
                    assert_eq!(reply.header("cache-control"), "private, no-cache", "{path}");
                    assert_eq!(reply.header("cache-tag"), "", "nobody else keeps it");
                }
            }
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn pictures_go_with_what_they_show() {
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
            "update albums set status_id = 4 where id = 1",
            "update albums set status_id = 1 where id = 1",
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
            "update users set status_id = 5 where id = 9",
            "update users set status_id = 1 where id = 9",
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
        // The node that changed it has no ear for itself in a test; it knows from the outbox, except of channels.
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
async fn a_file_that_nothing_shows_is_not_served() {
    let app = App::start().await;
    app.media("left/1-320.webp", b"0123456789");
    app.get("/media/p/left/1-320.webp").await.refused(404, "file_not_found");
    app.finish().await;
}

#[tokio::test]
async fn a_reported_video_stops_playing_where_it_plays() {
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

/// A figure of the checks.
async fn figure(app: &App, name: &str) -> u64 {
    let text = app.watch("/metrics").await.text();
    let line = text.lines().find(|line| line.starts_with(&format!("lantern_media_{name} "))).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_film_is_asked_for_once_however_many_watch() {
    let app = App::start().await;
    film(&[&app], 1).await;
    let paths: Vec<String> =
        addresses(&app, 1).await.into_iter().filter(|path| path.starts_with("/media/s/")).collect();
    let before = figure(&app, "asked_total").await;
    let ask = |n: usize| {
        let (site, request) = (app.guest().site, Request::get(&paths[n % paths.len()]).body(Body::empty()).unwrap());
        tokio::spawn(async move { Reply::read(site.oneshot(request).await.unwrap()).await.status })
    };
    let asked: Vec<_> = (0..500).map(ask).collect();
    for reply in asked {
        assert_eq!(reply.await.unwrap(), 200);
    }
    assert_eq!(figure(&app, "asked_total").await - before, 1, "one question for a whole film");
    // What is refused is remembered too, until anything changes.
    app.change("update videos set status_id = 5 where id = 1").await;
    let before = figure(&app, "asked_total").await;
    for _ in 0..20 {
        none_is_served(&app, &paths, "after").await;
    }
    assert_eq!(figure(&app, "asked_total").await - before, 1);
    app.finish().await;
}

#[tokio::test]
async fn forged_links_and_missing_files_ask_nothing() {
    let app = App::start().await;
    film(&[&app], 1).await;
    let paths = addresses(&app, 1).await;
    let before = figure(&app, "asked_total").await;
    app.get(&paths[4].replacen("/media/s/", "/media/s/1", 1)).await.refused(403, "dont_have_permission");
    for n in 0..20 {
        app.get(&format!("/media/p/guess/{n}-320.webp")).await.refused(404, "file_not_found");
    }
    assert_eq!(figure(&app, "asked_total").await, before);
    app.finish().await;
}

#[tokio::test]
async fn without_a_database_what_was_allowed_a_moment_ago_goes_on() {
    let app = App::start().await;
    film(&[&app], 1).await;
    film(&[&app], 2).await;
    let (known, asked_never) = (addresses(&app, 1).await, addresses(&app, 2).await);
    all_are_served(&app, &known, "before").await;
    // What a node does that hears nothing any more: everything may have changed.
    app.deafen();
    app.pool().close().await;
    all_are_served(&app, &known, "while the catalog is away").await;
    app.get(&asked_never[0]).await.refused(503, "unavailable");
}

/// A change that nobody is told of.
const UNTOLD: &str =
    "begin; set local session_replication_role = replica; update videos set status_id = 5 where id = 1; commit";

#[tokio::test]
async fn a_node_that_hears_nothing_asks_again_after_a_while() {
    for (seconds, status) in [(0, 404), (3600, 200)] {
        let app = App::configured(|config| config.media.known_seconds = seconds).await;
        film(&[&app], 1).await;
        let paths = addresses(&app, 1).await;
        all_are_served(&app, &paths, "before").await;
        app.sql(UNTOLD).await;
        for path in &paths {
            assert_eq!(app.get(path).await.status, status, "{path} with {seconds} s");
        }
        app.finish().await;
    }
}

#[tokio::test]
async fn with_no_time_of_grace_nothing_is_served_unasked() {
    let app = App::configured(|config| config.media.away_seconds = 0).await;
    film(&[&app], 1).await;
    let paths = addresses(&app, 1).await;
    all_are_served(&app, &paths, "before").await;
    app.deafen();
    app.pool().close().await;
    app.get(&paths[0]).await.refused(503, "unavailable");
}

#[tokio::test]
async fn what_may_disappear_says_so_to_caches() {
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

/// What one part of a film costs, beside the file service alone, which is more than what the check adds: `cargo nextest run --release
/// -p lantern-api --run-ignored only --no-capture a_part_of_a_film`.
#[tokio::test]
#[ignore = "a measurement"]
async fn a_part_of_a_film_is_served_about_as_fast_as_a_file() {
    let app = App::start().await;
    film(&[&app], 1).await;
    // Four seconds of the largest demo film.
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
