//! Uploaded pictures in storage groups: stored, served, moved and removed, also while the store fails.

use axum::http::Method;
use image::ImageFormat;
use lantern_catalog::storage::{self, pictures};
use lantern_config::{Config, StorageGroup};
use lantern_media::worker::Worker;
use serde_json::Value;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::{
    area::pictures::{encoded, flag, send as send_profile},
    own_album::edit::{self, form, photo, sent},
    support::{App, Session, bucket::Bucket, done},
    upload::films::{self, worker},
    video::poster,
};

/// Creates a site whose group 1 is this, without caches for permissions and places, and without reviews of profiles.
async fn site(group: StorageGroup, change: impl FnOnce(&mut Config)) -> App {
    App::configured(|config| {
        films::short(config);
        (config.media.known_seconds, config.media.away_seconds) = (0, 0);
        config.moderation.review_profiles = false;
        config.storage.new_pictures = 1;
        config.storage.groups.insert(1, group);
        change(config);
    })
    .await
}

/// A storage group and the number of files in it.
enum Group {
    Folder(TempDir),
    Bucket(Bucket),
}

impl Group {
    async fn both() -> [Self; 2] {
        [Self::Folder(tempfile::tempdir().unwrap()), Self::Bucket(Bucket::start().await)]
    }

    fn settings(&self) -> StorageGroup {
        match self {
            Self::Folder(folder) => {
                StorageGroup { folder: folder.path().to_str().unwrap().to_owned(), ..StorageGroup::default() }
            }
            Self::Bucket(bucket) => bucket.group(),
        }
    }

    fn requests(&self) -> usize {
        match self {
            Self::Folder(_) => 0,
            Self::Bucket(bucket) => bucket.requests(),
        }
    }

    fn count(&self) -> usize {
        match self {
            Self::Folder(folder) => local_files(folder.path()),
            Self::Bucket(bucket) => bucket.names().len(),
        }
    }
}

/// Counts the uploaded pictures' files in a folder.
fn local_files(root: &std::path::Path) -> usize {
    let count = |top| walkdir(&root.join(top));
    ["members", "albums", "videos"].into_iter().map(count).sum()
}

fn walkdir(folder: &std::path::Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let count = |entry: std::fs::DirEntry| if entry.path().is_dir() { walkdir(&entry.path()) } else { 1 };
    entries.map(|entry| count(entry.unwrap())).sum()
}

fn on_disk(app: &App) -> usize {
    local_files(app.state().stores.root())
}

/// Sends an avatar and a cover. Returns the addresses.
async fn profile(session: &Session) -> [String; 2] {
    let (avatar, cover) = (encoded(flag(200, 200), ImageFormat::Png), encoded(flag(1300, 400), ImageFormat::Png));
    let answer = done(&send_profile(session, &[("u_ava", "a.png", &avatar), ("u_cover", "c.png", &cover)]).await);
    ["avatar", "cover"].map(|name| answer["user"][name].as_str().unwrap().to_owned())
}

/// Sends a picture of every kind and makes all of them public. Returns the addresses.
async fn one_of_each(app: &App, session: &Session) -> Vec<String> {
    let [avatar, cover] = profile(session).await;
    let album = sent(session, &form("Harbour lights"), &[&photo(1)]).await;
    let owner = app.sign_in(1, "uploader").await;
    let poster = done(&poster::send(&owner, 2, &encoded(flag(640, 400), ImageFormat::Png)).await);
    app.change(
        "update albums set status_id = published() where is_new; update videos set status_id = published() where id = 2",
    )
    .await;
    let address = |value: &Value| value.as_str().unwrap().to_owned();
    vec![avatar, cover, address(&album["photos"][0]["thumb"]), address(&poster["poster"])]
}

/// Files of one picture of every kind.
const FILES: usize = 2 + 2 + 3 + 3;

/// Makes all scheduled removals due, and carries them out. Returns how many removed files.
async fn remove_all(app: &App, worker: &Worker) -> usize {
    app.sql("update jobs set run_at = now() where kind = 'film_removal'").await;
    worker.remove_due().await.unwrap()
}

async fn move_all(app: &App, worker: &Worker, to: i32) -> u64 {
    let moves = pictures::request_moves(&mut app.pool().acquire().await.unwrap(), to).await.unwrap();
    while worker.move_picture_once(&CancellationToken::new()).await.unwrap() {}
    moves
}

async fn has_local_files(app: &App) -> bool {
    storage::has_local_files(&mut app.pool().acquire().await.unwrap()).await.unwrap()
}

async fn totals(app: &App) -> Vec<(i32, i64)> {
    pictures::totals(&mut app.pool().acquire().await.unwrap()).await.unwrap()
}

#[tokio::test]
async fn pictures_of_every_kind_are_served_from_their_group() {
    for group in Group::both().await {
        let app = site(group.settings(), |_| {}).await;
        let mona = app.member("mona").await;
        let worker = worker(&app, |_| {});
        let addresses = one_of_each(&app, &mona).await;
        assert_eq!((group.count(), on_disk(&app)), (FILES, 0));
        assert_eq!((totals(&app).await, has_local_files(&app).await), (vec![(1, 4)], false));
        for address in &addresses {
            let before = group.requests();
            let whole = app.get(address).await;
            assert!(group.requests() <= before + 1, "a whole picture costs one request to its store");
            assert_eq!((whole.status, whole.header("content-type")), (200, "image/jpeg"), "{address}");
            assert_eq!(whole.header("cache-control"), "public, max-age=86400, s-maxage=3600");
            assert_eq!(whole.header("access-control-allow-origin"), "*");
            let head = app.send(Method::HEAD, address, &[]).await;
            assert_eq!((head.status, head.body.len()), (200, 0));
            assert_eq!(head.header("content-length"), whole.body.len().to_string());
            let tag = whole.header("etag").to_owned();
            assert_eq!(app.send(Method::GET, address, &[("if-none-match", &tag)]).await.status, 304);
            let part = app.send(Method::GET, address, &[("range", "bytes=2-4")]).await;
            assert_eq!((part.status, &part.body[..]), (206, &whole.body[2..5]));
        }
        // The removals that were scheduled before the files were written find that the pictures are shown.
        assert_eq!(remove_all(&app, &worker).await, 0);
        assert_eq!(group.count(), FILES);
        assert_eq!(app.numbers("select count(*) from jobs where kind = 'film_removal'").await, [0]);
        // A taken-down picture isn't served although its files are still there.
        app.change("update videos set status_id = deleted() where id = 2").await;
        app.get(&addresses[3]).await.refused(404, "file_not_found");
        app.drain().await;
        app.finish().await;
    }
}

#[tokio::test]
async fn pictures_that_nothing_shows_are_removed_from_their_group() {
    for group in Group::both().await {
        let app = site(group.settings(), |config| config.albums.grace_hours = 1).await;
        let mona = app.member("mona").await;
        let worker = worker(&app, |_| {});
        let first = one_of_each(&app, &mona).await;
        assert_eq!(remove_all(&app, &worker).await, 0);

        // Replaced pictures of a profile.
        let second = profile(&mona).await;
        app.drain().await;
        assert_eq!((worker.remove_due().await.unwrap(), group.count()), (2, FILES));
        app.get(&first[0]).await.refused(404, "file_not_found");
        assert_eq!(app.get(&second[0]).await.status, 200);
        assert_eq!(app.numbers("select count(*) from picture_groups").await, [4]);

        // A deleted album, after its grace.
        app.change("update albums set status_id = deleted() where is_new").await;
        app.sql("update albums set deleted_at = now() - interval '2 hours' where is_new").await;
        assert_eq!(app.sweep_albums().await, 1);
        assert_eq!((worker.remove_due().await.unwrap(), group.count()), (1, FILES - 3));

        // The poster of a deleted row, and the pictures of a member whose row is deleted.
        app.change("delete from videos where id = 2").await;
        assert_eq!((worker.remove_due().await.unwrap(), group.count()), (1, FILES - 6));
        app.change(&format!("update users set avatar_key = null, cover_key = null where id = {}", mona.id)).await;
        assert_eq!((worker.remove_due().await.unwrap(), group.count()), (2, 0));
        assert_eq!(app.numbers("select count(*) from picture_groups").await, [0]);
        assert_eq!(remove_all(&app, &worker).await, 2, "the removals scheduled with the second pictures");
        app.drain().await;
        app.finish().await;
    }
}

#[tokio::test]
async fn held_pictures_stay_until_they_are_released() {
    let group = Group::Bucket(Bucket::start().await);
    let app = site(group.settings(), |_| {}).await;
    let mona = app.member("mona").await;
    let worker = worker(&app, |_| {});
    profile(&mona).await;
    app.sql(&format!(
        "update media_prints set held_at = now() where section = 'user' and object_id = {0};
         update users set avatar_key = null, cover_key = null where id = {0}",
        mona.id
    ))
    .await;
    assert_eq!((remove_all(&app, &worker).await, group.count()), (0, 4));
    app.sweep_pictures().await;
    assert_eq!((worker.remove_due().await.unwrap(), group.count()), (2, 0));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn pictures_are_refused_without_leftovers_while_the_store_is_unavailable() {
    let bucket = Bucket::start().await;
    let app = site(bucket.group(), |_| {}).await;
    let mona = app.member("mona").await;
    let owner = app.sign_in(1, "uploader").await;
    let worker = worker(&app, |config| config.storage.retry_seconds = 0);
    let addresses = one_of_each(&app, &mona).await;
    remove_all(&app, &worker).await;

    let png = encoded(flag(640, 400), ImageFormat::Png);
    for spared in [0, 1] {
        for kind in ["profile", "album", "poster"] {
            // One of the picture's files may have been written.
            bucket.refuse(&[Method::PUT], spared);
            let reply = match kind {
                "profile" => send_profile(&mona, &[("u_ava", "a.png", &png)]).await,
                "album" => edit::send(&mona, &form("Evenings"), &[&photo(2)]).await,
                _ => poster::send(&owner, 2, &png).await,
            };
            reply.refused(503, "store_unavailable");
            assert_eq!(reply.header("retry-after"), "5", "{kind}");
        }
    }
    bucket.refuse(&[], 0);
    assert_eq!(app.numbers("select count(*) from albums where is_new and title = 'Evenings'").await, [0]);
    assert_eq!(worker.remove_due().await.unwrap(), 6);
    assert_eq!((bucket.names().len(), on_disk(&app)), (FILES, 0));
    assert_eq!(remove_all(&app, &worker).await, 6, "also scheduled before the files were written");
    assert_eq!(app.numbers("select count(*) from picture_groups").await, [4]);

    // Pages go on working without the files, which return with the store.
    bucket.refuse(&[Method::GET, Method::HEAD], 0);
    for address in &addresses {
        let reply = app.get(address).await;
        reply.refused(503, "store_unavailable");
        assert_eq!(reply.header("retry-after"), "5");
    }
    assert_eq!(app.get("/").await.status, 200);
    app.json("/api/json/video/3600/0/2.json").await;
    bucket.refuse(&[], 0);
    for address in &addresses {
        assert_eq!(app.get(address).await.status, 200, "{address}");
    }
    // A copy that differs from what was sent isn't shown.
    bucket.damage(Some("-320.jpg"));
    send_profile(&mona, &[("u_ava", "a.png", &png)]).await.refused(503, "store_unavailable");
    bucket.damage(None);
    assert_eq!(worker.remove_due().await.unwrap(), 1);
    assert_eq!(app.get(&addresses[0]).await.status, 200);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn pictures_move_between_groups_while_they_are_served() {
    let bucket = Bucket::start().await;
    bucket.ignore_ranges();
    let app = site(bucket.group(), |config| config.storage.new_pictures = 0).await;
    let mona = app.member("mona").await;
    let worker = worker(&app, |config| config.storage.retry_seconds = 0);
    let addresses = one_of_each(&app, &mona).await;
    assert_eq!((bucket.names().len(), on_disk(&app), totals(&app).await), (0, FILES, vec![(0, 4)]));
    assert!(has_local_files(&app).await);
    let mut before = Vec::new();
    for address in &addresses {
        before.push(app.get(address).await.body);
    }

    // Copies that can't be written, read back or that differ leave the pictures where they are.
    bucket.damage(Some("-640.jpg"));
    let requested = pictures::request_moves(&mut app.pool().acquire().await.unwrap(), 1).await.unwrap();
    assert_eq!(requested, 4);
    for _ in 0..4 {
        assert!(worker.move_picture_once(&CancellationToken::new()).await.unwrap());
    }
    assert_eq!((totals(&app).await, on_disk(&app)), (vec![(0, 4)], FILES));
    let why = "select count(*) from jobs where kind = 'picture_move' and last_error like '%-640.jpg was read back%'";
    assert!(app.numbers(why).await[0] > 0);
    bucket.damage(None);
    assert_eq!(pictures::request_moves(&mut app.pool().acquire().await.unwrap(), 1).await.unwrap(), 0);
    while worker.move_picture_once(&CancellationToken::new()).await.unwrap() {}
    assert_eq!((totals(&app).await, bucket.names().len()), (vec![(1, 4)], FILES));
    assert_eq!((worker.remove_due().await.unwrap(), on_disk(&app)), (4, 0));
    for (address, before) in addresses.iter().zip(&before) {
        let reply = app.get(address).await;
        assert!(reply.status == 200 && reply.body == *before, "{address}");
        let part = app.send(Method::GET, address, &[("range", "bytes=2-4")]).await;
        assert_eq!((part.status, &part.body[..]), (206, &before[2..5]));
    }
    assert_eq!(app.numbers("select count(*) from jobs where kind = 'picture_move'").await, [0]);
    // The removals scheduled when the moves began find the pictures in their new group.
    assert_eq!((remove_all(&app, &worker).await, bucket.names().len()), (0, FILES));

    // Fingerprints are computed from the store.
    let uploaded = "part ~ '^(members|albums|videos)/'";
    app.sql(&format!("update media_prints set looked_at = null, digest = null where {uploaded}")).await;
    assert_eq!(app.state().pictures.fingerprint(app.pool()).await.unwrap(), 4);
    let seen = format!("select count(*) from media_prints where digest is not null and {uploaded}");
    assert_eq!(app.numbers(&seen).await, [4]);

    assert_eq!(move_all(&app, &worker, 0).await, 4);
    assert_eq!((worker.remove_due().await.unwrap(), bucket.names().len(), on_disk(&app)), (4, 0, FILES));
    assert_eq!((totals(&app).await, app.get(&addresses[2]).await.body == before[2]), (vec![(0, 4)], true));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn picture_that_is_replaced_during_its_move_leaves_nothing() {
    let bucket = Bucket::start().await;
    let app = site(bucket.group(), |config| config.storage.new_pictures = 0).await;
    let mona = app.member("mona").await;
    let worker = worker(&app, |config| config.storage.retry_seconds = 0);
    profile(&mona).await;
    pictures::request_moves(&mut app.pool().acquire().await.unwrap(), 1).await.unwrap();
    let held = bucket.hold(&[Method::PUT]);
    let moving = tokio::spawn({
        let worker = worker.clone();
        async move { worker.move_picture_once(&CancellationToken::new()).await }
    });
    held.reached().await;
    // The removal of what the move writes waits for it.
    assert_eq!(remove_all(&app, &worker).await, 0);
    profile(&mona).await;
    drop(held);
    assert!(moving.await.unwrap().unwrap());
    while worker.move_picture_once(&CancellationToken::new()).await.unwrap() {}
    app.sql("update jobs set claimed_until = now() where kind = 'picture_move'").await;
    while worker.move_picture_once(&CancellationToken::new()).await.unwrap() {}
    remove_all(&app, &worker).await;
    assert_eq!((bucket.names(), on_disk(&app), totals(&app).await), (Vec::new(), 4, vec![(0, 2)]));
    app.drain().await;
    app.finish().await;
}
