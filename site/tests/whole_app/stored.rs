//! Films in a bucket. They are served like those on the disk, and moved and removed safely despite store failures.

use axum::http::Method;
use lantern_catalog::{
    moderation::{Actor, quarantine, uploads},
    storage::{self, Move, UnneededMove},
};
use lantern_config::{Config, StorageGroup};
use lantern_media::worker::Worker;
use lantern_testing::film;
use serde_json::json;
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::{
    support::{App, NOW, Reply, bucket::Bucket},
    upload::films::{self, described, latest, work, worker},
};

const KEY: &str = "films/ab/abcdef0123456789abcdef0123456789";
const FILES: [(&str, &str); 7] = [
    ("video.mp4", "0123456789"),
    ("hls/master.m3u8", "#EXTM3U\n"),
    ("hls/480-0.m4s", "0123456789"),
    ("timeline.vtt", "WEBVTT\n"),
    ("poster.jpg", "jpeg"),
    ("poster.webp", "webp"),
    ("shot-4-320.webp", "picture"),
];

/// Creates a site with a bucket as storage group 1, and without caches for permissions and failures.
async fn site(bucket: &Bucket, change: impl FnOnce(&mut Config)) -> App {
    let group = bucket.group();
    let app = App::configured(|config| {
        films::short(config);
        (config.media.known_seconds, config.media.away_seconds) = (0, 0);
        config.storage.groups.insert(1, group);
        change(config);
    })
    .await;
    for (file, text) in FILES {
        app.media(&format!("{KEY}/{file}"), text.as_bytes());
    }
    app.change(&format!("update videos set media_key = '{KEY}', sg_id = 0 where id = 1")).await;
    app
}

async fn moves(app: &App, worker: &Worker, to: i32) -> bool {
    storage::request_moves(&mut app.pool().acquire().await.unwrap(), to, Some(1)).await.unwrap();
    worker.move_once(&CancellationToken::new()).await.unwrap()
}

/// Returns the storage group of video 1.
async fn group(app: &App) -> i64 {
    app.numbers("select sg_id::bigint from videos where id = 1").await[0]
}

/// Returns the signed addresses of the film and of its HLS playlist.
async fn links(app: &App) -> (String, String) {
    let urls = app.json("/api/videofile.php?video_id=1").await["video_url"].clone();
    let url = |at: usize| urls[at]["url"].as_str().unwrap().to_owned();
    (url(1), url(0))
}

fn on_disk(app: &App) -> bool {
    app.state().stores.root().join(KEY).exists()
}

/// Folder of a second film.
const OTHER: &str = "films/cd/cdef0123456789abcdef0123456789ab";

/// Returns the names of the film's files in the storage group of its video.
async fn live(app: &App, video: i64) -> Vec<String> {
    let found = sqlx::query_as::<_, (String, i32)>("select media_key, sg_id from videos where id = $1")
        .bind(video)
        .fetch_one(app.pool())
        .await
        .unwrap();
    let store = app.state().stores.group(found.1).unwrap();
    store.files(&found.0).await.unwrap().into_keys().collect()
}

async fn get_with(app: &App, path: &str, headers: &[(&str, &str)]) -> Reply {
    app.send(Method::GET, path, headers).await
}

#[tokio::test]
async fn film_in_bucket_is_served_like_one_on_disk_and_removed_after_takedown() {
    let bucket = Bucket::start().await;
    let app = site(&bucket, |_| {}).await;
    let (film, list) = links(&app).await;
    let worker = worker(&app, |_| {});
    assert!(moves(&app, &worker, 1).await);
    assert_eq!((group(&app).await, bucket.names().len()), (1, FILES.len()));
    assert_eq!(bucket.names()[0], format!("lantern/a/{KEY}/hls/480-0.m4s"));
    assert_eq!((worker.remove_due().await.unwrap(), on_disk(&app)), (1, false));

    // Existing links to the film are served from the bucket.
    let whole = app.get(&film).await;
    assert_eq!((whole.status, whole.text().as_str()), (200, "0123456789"));
    assert_eq!((whole.header("content-type"), whole.header("content-length")), ("video/mp4", "10"));
    assert_eq!(whole.header("cache-control"), "private, max-age=21600");
    let (tag, date) = (whole.header("etag").to_owned(), whole.header("last-modified").to_owned());
    let range = ("range", "bytes=2-4");
    for (headers, status, text, content_range) in [
        (vec![range], 206, "234", "bytes 2-4/10"),
        (vec![("range", "bytes=-3")], 206, "789", "bytes 7-9/10"),
        (vec![range, ("if-range", tag.as_str())], 206, "234", "bytes 2-4/10"),
        (vec![range, ("if-range", "\"other\"")], 200, "0123456789", ""),
        (vec![("range", "bytes=10-")], 416, "", "bytes */10"),
        (vec![("if-none-match", tag.as_str())], 304, "", ""),
        (vec![("if-modified-since", date.as_str())], 304, "", ""),
        (vec![("if-match", "\"other\"")], 412, "", ""),
    ] {
        let reply = get_with(&app, &film, &headers).await;
        assert_eq!((reply.status, reply.text().as_str()), (status, text), "{headers:?}");
        assert_eq!(reply.header("content-range"), content_range, "{headers:?}");
    }
    let head = app.send(Method::HEAD, &film, &[]).await;
    assert_eq!((head.status, head.header("content-length"), head.body.len()), (200, "10", 0));
    assert_eq!(app.get(&list).await.text(), "#EXTM3U\n");
    let folder = film.strip_suffix("/video.mp4").unwrap();
    app.get(&format!("{folder}/none.mp4")).await.refused(404, "file_not_found");
    let poster = get_with(&app, &format!("/media/p/{KEY}/poster.jpg"), &[("accept", "image/webp")]).await;
    assert_eq!((poster.text().as_str(), poster.header("content-type")), ("webp", "image/webp"));
    assert_eq!((poster.header("vary"), poster.header("cache-tag")), ("accept", "video-1"));
    assert_eq!(poster.header("cache-control"), "public, max-age=86400, s-maxage=3600");
    let offer = app.json("/api/download.php?video_id=1").await;
    assert_eq!(offer["bytes"], 10);

    // Refused requests don't reach the store.
    app.change("update videos set is_private = true where id = 1").await;
    let requests = bucket.requests();
    for path in [&film, &list, &format!("/media/p/{KEY}/shot-4-320.webp")] {
        app.get(path).await.refused(404, "file_not_found");
    }
    assert_eq!(bucket.requests(), requests);
    assert_eq!(app.member("mona").await.get(&film).await.text(), "0123456789");

    // The files of a deleted film stay while it can be restored, whereas a take-down blocks access immediately.
    app.change(
        "update videos set is_private = false, status_id = deleted(), restore_status_id = published() where id = 1",
    )
    .await;
    assert_eq!(worker.remove_due().await.unwrap(), 0);
    app.sql("update videos set status_id = published(), restore_status_id = null where id = 1").await;
    assert_eq!(app.get(&film).await.status, 200);
    app.sql(
        "insert into uploads (token, user_id, kind, file_name, size_bytes, state, expires_at, sha256, video_id)
         values ('t', 1, 'video', 'f', 10, 'done', now(), sha256('0123456789'), 1)",
    )
    .await;
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", 1, "").await.unwrap());
    app.get(&film).await.refused(404, "file_not_found");
    // Its files stay until the quarantine ends.
    assert_eq!((worker.remove_due().await.unwrap(), bucket.names().is_empty()), (0, false));
    let late = OffsetDateTime::now_utc() + Duration::days(31);
    assert_eq!(quarantine::end_due(app.pool(), 30, late).await.unwrap(), 1);
    assert_eq!(worker.remove_due().await.unwrap(), 1);
    assert_eq!(bucket.names(), [""; 0]);
    assert_eq!(app.numbers("select count(*) from jobs where kind = 'film_removal'").await, [0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn redirects_to_the_store_expire_with_their_link() {
    let bucket = Bucket::start().await;
    let app = site(&bucket, |config| config.storage.groups.get_mut(&1).unwrap().redirect = true).await;
    let worker = worker(&app, |_| {});
    assert!(moves(&app, &worker, 1).await);
    let (film, list) = links(&app).await;
    let short = app.state().signer.link(KEY, "video.mp4", NOW + 30).unwrap();
    let download = app.state().signer.download(KEY, "video.mp4", "quiet-river.mp4", NOW + 60).unwrap();
    let client = reqwest::Client::new();
    for (path, seconds, disposition) in
        [(&film, 900, None), (&short, 30, None), (&download, 60, Some("attachment; filename=\"quiet-river.mp4\""))]
    {
        let sent = app.get(path).await;
        assert_eq!((sent.status, sent.header("cache-control")), (302, "no-store"), "{path}: {}", sent.text());
        let address = sent.header("location");
        assert!(address.contains(&format!("X-Amz-Expires={seconds}&")), "{address}");
        let reply = client.get(address).header("range", "bytes=2-4").send().await.unwrap();
        let sent_disposition =
            reply.headers().get("content-disposition").map(|value| value.to_str().unwrap().to_owned());
        assert_eq!((reply.status().as_u16(), sent_disposition.as_deref()), (206, disposition), "{path}");
        assert_eq!(reply.text().await.unwrap(), "234", "{path}");
        let forged = address.replace("video.mp4", "hls/480-0.m4s");
        assert_eq!(client.get(forged).send().await.unwrap().status(), 403);
    }
    // The site itself serves HLS playlists and public pictures.
    assert_eq!(app.get(&list).await.text(), "#EXTM3U\n");
    assert_eq!(app.get(&format!("/media/p/{KEY}/shot-4-320.webp")).await.text(), "picture");
    let origin = bucket.group().endpoint;
    for page in ["/", "/embed/1/"] {
        let policy = app.get(page).await.header("content-security-policy").to_owned();
        for source in ["img-src 'self'", "media-src 'self'", "connect-src 'self'"] {
            assert!(policy.contains(&format!("{source} {origin}")), "{page}: {policy}");
        }
    }
    app.change("update videos set is_private = true where id = 1").await;
    app.get(&film).await.refused(404, "file_not_found");
    app.get(&app.state().signer.link(KEY, "video.mp4", NOW).unwrap()).await.refused(403, "link_expired");
    app.finish().await;
}

#[tokio::test]
async fn store_failures_lose_no_files_and_show_no_incomplete_film() {
    let bucket = Bucket::start().await;
    let app = site(&bucket, |config| config.storage.new_films = 1).await;
    let worker = worker(&app, |config| config.storage.retry_seconds = 0);
    let (film_url, _) = links(&app).await;
    let last = "select count(*) from jobs where kind = 'film_move' and state = 'queued' and last_error is not null";

    // Only three files were uploaded, so the film stays in its group.
    bucket.refuse(&[Method::PUT], 3);
    assert!(moves(&app, &worker, 1).await);
    assert!(bucket.names().len() < FILES.len());
    assert_eq!((group(&app).await, app.numbers(last).await), (0, vec![1]));
    assert_eq!(app.get(&film_url).await.text(), "0123456789");
    // The uploaded files can't be verified.
    bucket.refuse(&[Method::GET, Method::HEAD], 0);
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    assert_eq!((group(&app).await, on_disk(&app)), (0, true));
    // A worker died after uploading all files, so the next one claims its job.
    app.sql("update jobs set state = 'running', claimed_until = now() where kind = 'film_move'").await;
    bucket.refuse(&[], 0);
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    assert_eq!((group(&app).await, bucket.names().len()), (1, FILES.len()));
    assert_eq!((worker.remove_due().await.unwrap(), on_disk(&app)), (1, false));

    bucket.refuse(&[Method::GET, Method::HEAD, Method::PUT, Method::POST, Method::DELETE], 0);
    for path in [&film_url, &format!("/media/p/{KEY}/poster.jpg")] {
        let reply = app.get(path).await;
        reply.refused(503, "store_unavailable");
        assert_eq!((reply.header("retry-after"), &reply.json()["info"]), ("5", &json!({ "retry_after": 5 })));
    }
    app.get("/api/download.php?video_id=1").await.refused(503, "store_unavailable");
    // Cached metadata doesn't hide that the bytes are unavailable.
    bucket.refuse(&[], 0);
    assert_eq!(app.get(&film_url).await.status, 200);
    bucket.refuse(&[Method::GET], 0);
    app.get(&film_url).await.refused(503, "store_unavailable");

    // A film that is transcoded while the store is unavailable waits on the disk and is visible to its member.
    let mona = app.member("mona").await;
    described(&mona, &film("4", 41)).await;
    bucket.refuse(&[Method::PUT, Method::POST], 0);
    assert!(work(&worker).await);
    let shot = latest(&mona).await["video"]["shots"][3].as_str().unwrap().to_owned();
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    assert_eq!(mona.get(&shot).await.status, 200);
    let upload = latest(&mona).await;
    assert_eq!((&upload["state"], &upload["video"]["status_id"]), (&json!("done"), &json!(3)), "{upload}");
    assert_eq!(app.numbers(last).await, [1], "its move is retried, and the reason is recorded");
    bucket.refuse(&[], 0);
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    assert_eq!(worker.remove_due().await.unwrap(), 1);
    assert_eq!(app.numbers("select count(*) from videos where sg_id = 1").await, [2]);
    assert_eq!((mona.get(&shot).await.status, app.get(&shot).await.status), (200, 404));

    // Removals wait for the store, even those for deleted rows. A film that is deleted during its move leaves no files.
    let before = bucket.names().len();
    bucket.refuse(&[Method::GET, Method::POST, Method::DELETE], 0);
    app.change("delete from videos where id = 1").await;
    assert_eq!(worker.remove_due().await.unwrap(), 0);
    assert_eq!(bucket.names().len(), before);
    bucket.refuse(&[], 0);
    assert_eq!(worker.remove_due().await.unwrap(), 1);
    assert_eq!(bucket.names().len(), before - FILES.len());
    let left = bucket.names();
    app.sql(&format!(
        "insert into jobs (kind, payload) values ('film_move', '{}')",
        json!({ "video": 1, "key": left[0].split('/').skip(2).take(3).collect::<Vec<_>>().join("/"), "to": 1 })
    ))
    .await;
    app.change("delete from videos where sg_id = 1").await;
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    worker.remove_due().await.unwrap();
    assert_eq!(
        (bucket.names(), app.numbers("select count(*) from jobs where kind = 'film_removal'").await),
        (Vec::new(), vec![0])
    );
    app.finish().await;
}

#[tokio::test]
async fn corrupted_copy_never_replaces_the_film() {
    let bucket = Bucket::start().await;
    let app = site(&bucket, |_| {}).await;
    let worker = worker(&app, |config| config.storage.retry_seconds = 0);
    // The file has the same length but different content.
    bucket.damage(Some("hls/480-0.m4s"));
    assert!(moves(&app, &worker, 1).await);
    assert_eq!((group(&app).await, worker.remove_due().await.unwrap(), on_disk(&app)), (0, 0, true));
    let why = "select count(*) from jobs where kind = 'film_move' and last_error like 'hls/480-0.m4s was read back%'";
    assert_eq!(app.numbers(why).await, [1]);
    bucket.damage(None);
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    assert_eq!(group(&app).await, 1);
    // While a file is missing in the new group, the files in the old group are not removed.
    let key = format!("lantern/a/{KEY}/poster.jpg");
    let (object, bytes) = (bucket.path(&key), std::fs::read(bucket.path(&key)).unwrap());
    std::fs::remove_file(&object).unwrap();
    assert_eq!((worker.remove_due().await.unwrap(), on_disk(&app)), (0, true));
    std::fs::write(&object, bytes).unwrap();
    assert_eq!((worker.remove_due().await.unwrap(), on_disk(&app)), (1, false));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn film_behind_a_gateway_that_ignores_ranges_is_moved_and_played() {
    let bucket = Bucket::start().await;
    bucket.ignore_ranges();
    let app = site(&bucket, |_| {}).await;
    let worker = worker(&app, |_| {});
    let (film, list) = links(&app).await;
    assert!(moves(&app, &worker, 1).await);
    assert_eq!((group(&app).await, worker.remove_due().await.unwrap(), on_disk(&app)), (1, 1, false));
    for (range, status, text, content_range) in [
        ("", 200, "0123456789", ""),
        ("bytes=0-", 206, "0123456789", "bytes 0-9/10"),
        ("bytes=0-0", 206, "0", "bytes 0-0/10"),
        ("bytes=4-7", 206, "4567", "bytes 4-7/10"),
        ("bytes=-1", 206, "9", "bytes 9-9/10"),
    ] {
        let reply = get_with(&app, &film, &[("range", range)]).await;
        assert_eq!((reply.status, reply.text().as_str()), (status, text), "{range}");
        assert_eq!(reply.header("content-range"), content_range, "{range}");
        assert_eq!(reply.header("content-length"), text.len().to_string(), "{range}");
    }
    assert_eq!(app.get(&list).await.text(), "#EXTM3U\n");
    // Nothing is lost on the way back.
    assert!(moves(&app, &worker, 0).await);
    assert_eq!((group(&app).await, live(&app, 1).await.len()), (0, FILES.len()));
    assert_eq!((worker.remove_due().await.unwrap(), bucket.names().len()), (1, 0));
    assert_eq!(app.get(&film).await.text(), "0123456789");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn film_that_moves_back_during_removal_keeps_its_files() {
    let bucket = Bucket::start().await;
    let app = site(&bucket, |_| {}).await;
    let worker = worker(&app, |config| config.storage.retry_seconds = 0);
    for (file, text) in FILES {
        app.media(&format!("{OTHER}/{file}"), text.as_bytes());
    }
    app.change(&format!("update videos set media_key = '{OTHER}', sg_id = 0 where id = 2")).await;
    storage::request_moves(&mut app.pool().acquire().await.unwrap(), 1, None).await.unwrap();
    for _ in 0..2 {
        assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    }
    assert_eq!(worker.remove_due().await.unwrap(), 2);
    // The first film is deleted, and the second one moves to the disk. The files of both are due for removal from the bucket.
    app.change("delete from videos where id = 1").await;
    let (back, forth) = (0, 1);
    storage::request_moves(&mut app.pool().acquire().await.unwrap(), back, Some(2)).await.unwrap();
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    assert_eq!(app.numbers("select count(*) from jobs where kind = 'film_removal' and run_at <= now()").await, [2]);
    let held = bucket.hold(&[Method::POST, Method::DELETE]);
    let removing = tokio::spawn({
        let worker = worker.clone();
        async move { worker.remove_due().await }
    });
    held.reached().await;
    storage::request_moves(&mut app.pool().acquire().await.unwrap(), forth, Some(2)).await.unwrap();
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    assert_eq!(app.numbers("select sg_id::bigint from videos where id = 2").await, [1]);
    drop(held);
    assert_eq!(removing.await.unwrap().unwrap(), 2, "the files of the first film, and the old ones of the second");
    assert_eq!((bucket.names().len(), on_disk(&app)), (FILES.len(), false));
    assert_eq!(live(&app, 2).await.len(), FILES.len());
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn moves_to_a_group_wait_until_removal_there_ends() {
    let bucket = Bucket::start().await;
    let app = site(&bucket, |_| {}).await;
    let worker = worker(&app, |config| config.storage.retry_seconds = 0);
    for to in [1, 0] {
        assert!(moves(&app, &worker, to).await);
    }
    // A move of the film to the bucket is requested while its files there are being removed.
    let held = bucket.hold(&[Method::POST, Method::DELETE]);
    let removing = tokio::spawn({
        let worker = worker.clone();
        async move { worker.remove_due().await }
    });
    held.reached().await;
    assert!(moves(&app, &worker, 1).await);
    let why = "select count(*) from jobs where kind = 'film_move' and last_error = 'files are still being removed from group 1'";
    assert_eq!((group(&app).await, app.numbers(why).await), (0, vec![1]));
    let named = sqlx::query("update videos set sg_id = 1 where id = 1").execute(app.pool()).await.unwrap_err();
    assert!(named.to_string().contains("are being removed from storage group 1"), "{named}");
    drop(held);
    assert_eq!(removing.await.unwrap().unwrap(), 1);
    assert!(bucket.names().is_empty() && on_disk(&app));
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    assert_eq!((group(&app).await, live(&app, 1).await.len()), (1, FILES.len()));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn film_stays_complete_during_concurrent_moves_and_removals() {
    let bucket = Bucket::start().await;
    let folder = tempfile::tempdir().unwrap();
    let second = StorageGroup { folder: folder.path().to_str().unwrap().to_owned(), ..StorageGroup::default() };
    let app = site(&bucket, |config| drop(config.storage.groups.insert(2, second))).await;
    let workers = [0; 2].map(|_| worker(&app, |config| config.storage.retry_seconds = 0));
    let stop = CancellationToken::new();
    // The random numbers are seeded, so that failures are reproducible.
    let mut seed = 39_u64;
    for round in 0..40 {
        for _ in 0..2 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let to = i32::try_from((seed >> 33) % 3).unwrap();
            storage::request_moves(&mut app.pool().acquire().await.unwrap(), to, Some(1)).await.unwrap();
        }
        let [one, two] = &workers;
        let (first, second, third, fourth) =
            tokio::join!(one.move_once(&stop), two.remove_due(), two.move_once(&stop), one.remove_due());
        let (moves, removals) = ([first, third], [second, fourth]);
        moves.into_iter().for_each(|moved| assert!(moved.is_ok(), "{moved:?}"));
        removals.into_iter().for_each(|removed| assert!(removed.is_ok(), "{removed:?}"));
        // End the leases of jobs that lost a race.
        app.sql("update jobs set claimed_until = now() where state = 'running'").await;
        assert_eq!(live(&app, 1).await.len(), FILES.len(), "round {round}");
    }
    while workers[0].move_once(&stop).await.unwrap() {}
    workers[0].remove_due().await.unwrap();
    assert_eq!(live(&app, 1).await.len(), FILES.len());
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn move_that_crashes_its_worker_is_abandoned_and_film_stays() {
    let bucket = Bucket::start().await;
    let app = site(&bucket, |_| {}).await;
    let worker = worker(&app, |config| config.films.attempts = 2);
    storage::request_moves(&mut app.pool().acquire().await.unwrap(), 1, Some(1)).await.unwrap();
    app.sql("update jobs set state = 'running', claimed_until = now(), lost = 1").await;
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    assert_eq!(app.numbers("select count(*) from jobs where kind = 'film_move' and state = 'failed'").await, [1]);
    assert_eq!((group(&app).await, on_disk(&app), bucket.names().len()), (0, true, 0));

    // An operator retries it, while the files of the failed attempt are still to be removed.
    let job = app.numbers("select id from jobs where kind = 'film_move'").await[0];
    let film = Move { video: 1, key: KEY.to_owned(), to: 1 };
    let retry = async || storage::retry_move(app.pool(), job, &film).await.unwrap();
    app.sql("insert into jobs (kind, payload) select kind, payload from jobs where kind = 'film_move'").await;
    assert_eq!(retry().await, Err(UnneededMove::Requested));
    app.sql("delete from jobs where kind = 'film_move' and state = 'queued'").await;
    assert_eq!((retry().await, retry().await), (Ok(()), Err(UnneededMove::Requested)));
    assert!(worker.move_once(&CancellationToken::new()).await.unwrap());
    assert_eq!((group(&app).await, bucket.names().len()), (1, FILES.len()));
    assert_eq!(retry().await, Err(UnneededMove::There));
    app.change("update videos set status_id = deleted() where id = 1").await;
    assert_eq!(retry().await, Err(UnneededMove::Gone));
    app.finish().await;
}
