//! How uploaded files are kept, and when they go.

use std::{os::unix::fs::PermissionsExt, time::SystemTime};

use axum::http::Method;
use lantern_catalog::{
    account_removal::{self, RemovalOutcome},
    moderation::{Actor, quarantine, uploads},
    originals::{self, GroupOriginals},
};
use lantern_config::{Config, KeepOriginal, StorageGroup};
use lantern_testing::film;
use time::{Duration, OffsetDateTime};
use tokio_util::sync::CancellationToken;

use crate::{
    moderate::decide::{choose_poster, pending},
    replace::swapped::{published, stream, text},
    support::{App, NOW, bucket::Bucket},
    upload::films::{self, described, replaced, work, worker},
};

/// Returns a site that keeps originals.
pub async fn app(keep: KeepOriginal, change: impl FnOnce(&mut Config)) -> App {
    App::configured(|config| {
        films::short(config);
        config.films.keep_original = keep;
        (config.media.known_seconds, config.media.away_seconds) = (0, 0);
        change(config);
    })
    .await
}

/// Returns the folders of originals in the media folder.
pub fn kept(app: &App) -> Vec<String> {
    let shards = app.media_files("originals");
    let mut folders: Vec<String> = shards
        .iter()
        .flat_map(|shard| {
            app.media_files(&format!("originals/{shard}")).into_iter().map(move |it| format!("originals/{shard}/{it}"))
        })
        .collect();
    folders.sort();
    folders
}

async fn swept(app: &App) -> usize {
    worker(app, |_| {}).remove_due().await.unwrap()
}

async fn key(app: &App, video: i64) -> String {
    text(app, &format!("select media_key from originals where video_id = {video}")).await
}

async fn totals(app: &App) -> Vec<GroupOriginals> {
    originals::totals(&mut app.pool().acquire().await.unwrap()).await.unwrap()
}

#[tokio::test]
async fn original_is_kept_for_nobody_but_the_worker() {
    let app = app(KeepOriginal::Always, |_| {}).await;
    let mona = app.member("mona").await;
    let bytes = film("4", 101);
    described(&mona, &bytes).await;
    let id = choose_poster(&app, &mona).await;
    app.approve(id).await;
    app.drain().await;
    let folder = key(&app, id).await;
    assert_eq!(kept(&app), std::slice::from_ref(&folder));
    let file = app.state().stores.root().join(&folder).join("original");
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(totals(&app).await, [GroupOriginals { group: 0, originals: 1, bytes: bytes.len() as i64 }]);
    assert_eq!(app.media_files("../uploads"), [""; 0], "the upload is gone");

    // No address leads to it, not even one that is signed for it.
    let moderator = app.moderator("nils").await;
    for name in ["original", "original.mp4"] {
        for path in [
            format!("/media/p/{folder}/{name}"),
            app.state().signer.link(&folder, name, NOW + 60).unwrap(),
            app.state().signer.download(&folder, name, "film.mp4", NOW + 60).unwrap(),
        ] {
            app.get(&path).await.refused(404, "file_not_found");
            for member in [&mona, &moderator] {
                member.get(&path).await.refused(404, "file_not_found");
            }
        }
    }
    // The sweep of orphaned folders knows it.
    let orphan = "originals/ff/ffffffffffffffffffffffffffffffff";
    app.media(&format!("{orphan}/original"), b"left by a crash");
    let later = SystemTime::now() + std::time::Duration::from_secs(7200);
    assert_eq!(worker(&app, |_| {}).sweep_films(later).await.unwrap(), 1);
    assert_eq!((swept(&app).await, kept(&app)), (1, vec![folder]));
    app.finish().await;
}

#[tokio::test]
async fn originals_end_as_configured() {
    let app = app(KeepOriginal::Never, |_| {}).await;
    let mona = app.member("mona").await;
    pending(&app, &mona, 102).await;
    assert_eq!(kept(&app), [""; 0]);

    let keep = |keep| move |config: &mut Config| config.films.keep_original = keep;
    let mut ids = Vec::new();
    for (number, until) in
        [(103, KeepOriginal::UntilApproved), (104, KeepOriginal::UntilApproved), (105, KeepOriginal::Always)]
    {
        described(&mona, &film("4", number)).await;
        assert!(work(&worker(&app, keep(until))).await);
        ids.push(choose(&app, &mona).await);
    }
    let always = key(&app, ids[2]).await;
    assert_eq!((swept(&app).await, kept(&app).len()), (0, 3));
    // One is approved at once and one for later.
    app.sql(&format!("update videos set publish_at = now() + interval '1 day' where id = {}", ids[1])).await;
    for id in &ids {
        app.approve(*id).await;
    }
    assert_eq!((swept(&app).await, kept(&app)), (2, vec![always]));

    // A deleted video can come back with its original, until its film is removed.
    app.change(&format!("update videos set status_id = deleted() where id = {}", ids[2])).await;
    assert_eq!((swept(&app).await, kept(&app).len()), (0, 1));
    app.sql("update videos set deleted_at = now() - interval '169 hours' where deleted_at is not null").await;
    assert_eq!((swept(&app).await, kept(&app).len()), (2, 0));
    assert_eq!(totals(&app).await, []);
    app.drain().await;
    app.finish().await;
}

/// Chooses a screenshot for the member's latest video, and returns its id.
async fn choose(app: &App, member: &crate::support::Session) -> i64 {
    let id = films::latest(member).await["video"]["video_id"].as_i64().unwrap();
    app.sql(&format!("update videos set status_id = in_review(), shot = 5 where id = {id}")).await;
    id
}

#[tokio::test]
async fn originals_go_with_taken_down_videos_and_with_their_member() {
    let app = app(KeepOriginal::Always, |_| {}).await;
    let (mona, olga) = (app.member("mona").await, app.member("olga").await);
    let (taken, public) = (published(&app, &mona, 106).await, published(&app, &olga, 107).await);
    let [of_taken, of_public] = [key(&app, taken).await, key(&app, public).await];
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", taken, "").await.unwrap());
    assert_eq!((swept(&app).await, kept(&app).len()), (0, 2), "a take-down can be reversed");
    let late = OffsetDateTime::now_utc() + Duration::days(31);
    assert_eq!(quarantine::end_due(app.pool(), 30, late).await.unwrap(), 1);
    assert_eq!((swept(&app).await, kept(&app).contains(&of_taken)), (2, false));

    let mut transaction = app.pool().begin().await.unwrap();
    assert_eq!(account_removal::remove(&mut transaction, olga.id, false).await.unwrap(), RemovalOutcome::Gone);
    transaction.commit().await.unwrap();
    assert_eq!(kept(&app), [of_public]);
    assert_eq!((swept(&app).await, kept(&app).len()), (1, 0));
    app.drain().await;
    assert_eq!(app.get(&stream(&app, public).await).await.status, 200, "public videos stay without an owner");
    app.finish().await;
}

#[tokio::test]
async fn replaced_film_takes_its_original_along() {
    let app = app(KeepOriginal::UntilApproved, |_| {}).await;
    let mona = app.member("mona").await;
    described(&mona, &film("4", 108)).await;
    assert!(work(&worker(&app, |config| config.films.keep_original = KeepOriginal::Always)).await);
    let id = choose(&app, &mona).await;
    app.approve(id).await;
    let former = key(&app, id).await;
    let replacement = replaced(&app, &mona, id, &film("4", 109)).await["video"]["video_id"].as_i64().unwrap();
    let new = key(&app, replacement).await;
    app.approve(replacement).await;
    assert_eq!(key(&app, replacement).await, former, "it is kept with the former film");
    assert_eq!((swept(&app).await, kept(&app)), (1, vec![former]), "{new} was kept until it was approved");
    app.sql("update videos set deleted_at = now() - interval '169 hours' where deleted_at is not null").await;
    assert_eq!((swept(&app).await, kept(&app).len()), (2, 0));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn originals_move_to_their_group_and_back_verified() {
    let (bucket, disk) = (Bucket::start().await, tempfile::tempdir().unwrap());
    let app = app(KeepOriginal::Always, |config| {
        config.storage.groups.insert(1, bucket.group());
        let folder = disk.path().to_str().unwrap().to_owned();
        config.storage.groups.insert(2, StorageGroup { folder, ..StorageGroup::default() });
        config.storage.originals = 1;
    })
    .await;
    let mona = app.member("mona").await;
    let bytes = film("4", 110);
    described(&mona, &bytes).await;
    let id = choose_poster(&app, &mona).await;
    let folder = key(&app, id).await;
    let worker = worker(&app, |config| config.storage.retry_seconds = 0);
    let moved = async || worker.move_once(&CancellationToken::new()).await.unwrap();

    // The copy must be complete and right before the original leaves the disk.
    bucket.refuse(&[Method::PUT], 0);
    assert!(moved().await);
    bucket.refuse(&[], 0);
    bucket.damage(Some("original"));
    assert!(moved().await);
    let why =
        "select count(*) from jobs where kind = 'film_move' and last_error like 'original was read back from group 1%'";
    assert_eq!((app.numbers(why).await, kept(&app)), (vec![1], vec![folder.clone()]));
    bucket.damage(None);
    assert!(moved().await && !moved().await);
    assert_eq!(worker.remove_due().await.unwrap(), 1);
    assert_eq!((bucket.names(), kept(&app).len()), (vec![format!("lantern/a/{folder}/original")], 0));
    assert_eq!(totals(&app).await, [GroupOriginals { group: 1, originals: 1, bytes: bytes.len() as i64 }]);
    assert_eq!(app.numbers("select sg_id::bigint from videos where media_key like 'films/%'").await, [0]);

    let mut conn = app.pool().acquire().await.unwrap();
    assert_eq!(originals::request_moves(&mut conn, 2, None).await.unwrap(), 1);
    assert_eq!(originals::request_moves(&mut conn, 2, Some(id)).await.unwrap(), 0, "it is enqueued");
    assert!(moved().await);
    assert_eq!((worker.remove_due().await.unwrap(), bucket.names().len()), (1, 0));
    let file = disk.path().join(&folder).join("original");
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

    // The original is removed from wherever it is.
    app.change(&format!("update videos set status_id = deleted(), deleted_at = '-infinity' where id = {id}")).await;
    assert_eq!((worker.remove_due().await.unwrap(), disk.path().join(&folder).exists()), (2, false));
    app.drain().await;
    app.finish().await;
}
