//! Remakes that fail, are interrupted, or have become unneeded.

use std::time::Duration;

use lantern_catalog::{
    films::{self, Remake, RemakeOutcome, UnneededRemake},
    moderation::{Actor, quarantine, uploads},
    queue,
};
use lantern_config::KeepOriginal;
use lantern_testing::film;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::{
    originals::{app, kept},
    remade::{bigger, place, remakes, requested, state, unfinished},
};
use crate::{
    replace::swapped::{published, stream},
    upload::films::{described, replaced, work, worker},
};

#[tokio::test]
async fn remake_of_a_dead_worker_is_done_once_by_the_next() {
    let app = app(KeepOriginal::Always, |_| {}).await;
    let mona = app.member("mona").await;
    let id = published(&app, &mona, 124).await;
    let remake = requested(&app, id, false).await;
    let mut conn = app.pool().acquire().await.unwrap();
    let dead = queue::claim(&mut conn, queue::FILM_REMAKE, 1, Duration::from_secs(60)).await.unwrap().remove(0);
    let left = app.state().stores.root().join(format!("films/.part-{}-abc", dead.id));
    std::fs::create_dir_all(&left).unwrap();
    let worker = worker(&app, bigger);
    assert!(!remakes(&worker).await, "its lease lasts");
    app.sql("update jobs set claimed_until = clock_timestamp() - interval '1 second' where kind = 'film_remake'").await;

    // A worker that is stopped gives the film back.
    let stop = CancellationToken::new();
    let stopping = async {
        while state(&app).await != "running" || unfinished(&app).len() < 2 {
            tokio::task::yield_now().await;
        }
        stop.cancel();
    };
    let (claimed, ()) = tokio::join!(worker.remake_once(&stop), stopping);
    assert!(claimed.unwrap());
    assert_eq!((state(&app).await.as_str(), place(&app, id).await.0), ("queued", remake.key.clone()));
    assert!(remakes(&worker).await && !remakes(&worker).await);
    assert_eq!((state(&app).await.as_str(), left.exists(), unfinished(&app).len()), ("done", false, 0));
    let (key, _) = place(&app, id).await;
    assert_ne!(key, remake.key);

    // The first worker was only slow and finishes too late.
    let late = films::RemadeFilm {
        home: 0,
        media_key: "films/aa/late",
        height: 240,
        second_codec: None,
        audio_tracks: &[],
        has_lost_audio: false,
        encoding: &Value::Null,
        former_for: Duration::ZERO,
    };
    assert_eq!(films::finish_remake(&mut conn, &dead, &remake.key, &late).await.unwrap(), RemakeOutcome::Unneeded);
    assert_eq!(films::finish_remake(&mut conn, &dead, &key, &late).await.unwrap(), RemakeOutcome::Lost);
    assert_eq!(place(&app, id).await.0, key);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn failed_remake_leaves_the_film_and_says_why() {
    let app = app(KeepOriginal::Always, |_| {}).await;
    let mona = app.member("mona").await;
    let id = published(&app, &mona, 125).await;
    let (old, before) = (stream(&app, id).await, place(&app, id).await);
    let original = app.state().stores.root().join(&kept(&app)[0]).join("original");
    let bytes = std::fs::read(&original).unwrap();
    let remake = requested(&app, id, false).await;
    let worker = worker(&app, bigger);
    let job = app.numbers("select id from jobs where kind = 'film_remake'").await[0];
    let retried = async || films::retry_remake(app.pool(), job, &remake).await.unwrap();
    let shorter = film("2", 125);
    for (damage, why) in [
        (
            Some(&bytes[..bytes.len() - 1]),
            format!("has {} of {} bytes, or other content", bytes.len() - 1, bytes.len()),
        ),
        (Some(&*vec![7; bytes.len()]), "or other content than the upload".to_owned()),
        (None, "is missing in group 0".to_owned()),
    ] {
        match damage {
            Some(damaged) => std::fs::write(&original, damaged).unwrap(),
            None => std::fs::remove_file(&original).unwrap(),
        }
        assert!(remakes(&worker).await);
        let failed = state(&app).await;
        assert!(failed.starts_with("failed: ") && failed.contains(&why), "{failed}");
        assert_eq!((place(&app, id).await, app.get(&old).await.status), (before.clone(), 200));
        assert_eq!((app.media_files(&before.0[..8]).len(), unfinished(&app).len()), (1, 0));
        assert_eq!(retried().await, Ok(()));
    }
    // Even a file that passes for the original must not shorten the film.
    std::fs::write(&original, &shorter).unwrap();
    app.sql(&format!(
        "update originals set size_bytes = {}, sha256 = decode('{}', 'hex')",
        shorter.len(),
        hex::encode(<sha2::Sha256 as sha2::Digest>::digest(&shorter))
    ))
    .await;
    assert!(remakes(&worker).await);
    assert_eq!(state(&app).await, "failed: it would last 2 s instead of 4 s");

    app.sql("delete from originals").await;
    assert_eq!(retried().await, Err(UnneededRemake::NoOriginal));
    let second = requested(&app, id, false).await;
    assert!(remakes(&worker).await);
    assert_eq!(state(&app).await, "failed: its original was not kept, or is gone by now");
    assert_eq!(place(&app, id).await, before);

    // The largest rendition is another source.
    requested(&app, id, true).await;
    assert_eq!(
        films::retry_remake(app.pool(), job, &Remake { from_rendition: true, ..second }).await.unwrap(),
        Err(UnneededRemake::Requested)
    );
    assert!(remakes(&worker).await);
    assert_eq!(state(&app).await, "done");
    app.drain().await;
    let playlist = app.get(&stream(&app, id).await).await;
    assert_eq!((playlist.status, playlist.text().matches("RESOLUTION=").count()), (200, 2));
    assert_eq!(retried().await, Err(UnneededRemake::Gone));
    app.finish().await;
}

#[tokio::test]
async fn uploads_go_first_and_unneeded_remakes_leave_nothing() {
    let app = app(KeepOriginal::Always, |_| {}).await;
    let mona = app.member("mona").await;
    let (id, other) = (published(&app, &mona, 126).await, published(&app, &mona, 127).await);
    let remake = requested(&app, id, false).await;
    described(&mona, &film("4", 128)).await;
    let worker = worker(&app, bigger);
    assert!(!remakes(&worker).await, "an upload waits");
    assert!(work(&worker).await && remakes(&worker).await);
    let (remade, _) = place(&app, id).await;
    assert_ne!(remade, remake.key);

    // A film that was replaced is not remade, and its former files are not shown any more.
    let old = app.state().signer.link(&remake.key, "video.mp4", crate::support::NOW + 600).unwrap();
    assert_eq!(app.get(&old).await.status, 200);
    requested(&app, id, false).await;
    let replacement = replaced(&app, &mona, id, &film("4", 129)).await["video"]["video_id"].as_i64().unwrap();
    app.approve(replacement).await;
    app.drain().await;
    let (replaced_by, _) = place(&app, id).await;
    assert!(remakes(&worker).await);
    assert_eq!((state(&app).await.as_str(), place(&app, id).await.0), ("done", replaced_by));
    assert_eq!(place(&app, replacement).await.0, remade);
    assert_eq!(app.get(&old).await.status, 404);

    // A take-down removes the former files with the current ones.
    requested(&app, other, false).await;
    assert!(remakes(&worker).await);
    let former = app.numbers(&format!("select count(*) from former_films where video_id = {other}")).await;
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", other, "").await.unwrap());
    let late = time::OffsetDateTime::now_utc() + time::Duration::days(31);
    assert_eq!((former, quarantine::end_due(app.pool(), 30, late).await.unwrap()), (vec![1], 1));
    assert_eq!(worker.remove_due().await.unwrap(), 3, "its film, its former files and its original");
    assert_eq!(app.numbers(&format!("select count(*) from former_films where video_id = {other}")).await, [0]);
    app.drain().await;
    app.finish().await;
}
