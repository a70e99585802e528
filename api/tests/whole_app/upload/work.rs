//! The work on films when something goes wrong: nothing is done twice, lost, or shown half.

use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::Path,
    time::{Duration, SystemTime},
};

use lantern_catalog::{
    films,
    fingerprints::{FRAMES, Fingerprint},
    jobs,
};
use lantern_testing::film;
use nix::{sys::stat::Mode, unistd::mkfifo};
use serde_json::json;
use sqlx::postgres::PgPoolOptions;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::films::{EDIT, app, described, form, latest, sent, work, worker, worker_on};
use crate::support::App;

/// Folders that hold films, finished or not.
fn made(app: &App) -> Vec<String> {
    let films = app.state().stores.root().join("films");
    let entries = |folder: &Path| {
        let read = std::fs::read_dir(folder).into_iter().flatten();
        read.map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let shards = entries(&films);
    let (left, shards): (Vec<_>, Vec<_>) = shards.into_iter().partition(|path| name(path).starts_with('.'));
    left.iter()
        .map(|path| name(path))
        .chain(shards.iter().flat_map(|shard| entries(shard)).map(|path| name(&path)))
        .collect()
}

#[tokio::test]
async fn the_same_bytes_are_one_video_until_it_is_deleted() {
    let app = app().await;
    let (mona, nils, film) = (app.member("mona").await, app.member("nils").await, film("4", 1));
    described(&mona, &film).await;
    described(&nils, &film).await;
    let worker = worker(&app, |_| {});
    // Both are begun before either is a video.
    let (stop, other) = (CancellationToken::new(), worker.clone());
    let (one, two) = tokio::join!(worker.work_once(&stop), other.work_once(&stop));
    assert!(one.unwrap() && two.unwrap());
    let states = [latest(&mona).await, latest(&nils).await];
    let failed: Vec<_> = states.iter().filter(|upload| upload["state"] == "failed").collect();
    assert_eq!((failed.len(), &failed[0]["error_code"]), (1, &json!("video_duplicate")), "{states:?}");
    assert_eq!(made(&app).len(), 1);
    described(&mona, &film).await;
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["error_code"], "video_duplicate");
    app.sql("update videos set status_id = 5 where status_id = 3").await;
    described(&mona, &film).await;
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["state"], "done");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn a_film_is_as_long_as_the_site_takes() {
    let app = app().await;
    let mona = app.member("mona").await;
    let worker = worker(&app, |_| {});
    for (seconds, exclusive, code) in [
        ("2.2", "0", json!("video_too_short")),
        ("2.2", "1", json!(null)),
        ("1.2", "1", json!("video_too_short")),
        ("21", "0", json!("video_too_long")),
    ] {
        let token = sent(&mona, &film(seconds, 2)).await;
        let mut said = form(&token, "Of some length").to_vec();
        said.push(("exclusive", exclusive));
        assert_eq!(mona.post(EDIT, &said).await.status, 200);
        assert!(work(&worker).await);
        assert_eq!(latest(&mona).await["error_code"], code, "{seconds} s, {exclusive}");
    }
    // Its index would be at its end.
    let cut = film("4", 3);
    let token = sent(&mona, &cut[..cut.len() / 2]).await;
    assert_eq!(mona.post(EDIT, &form(&token, "Cut")).await.status, 200);
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["error_code"], "video_corrupted_file");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn a_job_whose_worker_died_is_done_by_the_next_and_ended_once() {
    let app = app().await;
    let mona = app.member("mona").await;
    described(&mona, &film("4", 4)).await;
    let mut conn = app.pool().acquire().await.unwrap();
    let dead = jobs::claim(&mut conn, films::KIND, Duration::from_millis(1)).await.unwrap().unwrap();
    let left = app.state().stores.root().join(format!("films/.part-{}-abc", dead.id));
    std::fs::create_dir_all(&left).unwrap();
    let worker = worker(&app, |_| {});
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["state"], "done");
    assert!(!left.exists(), "what it left is removed");
    // It lives after all, and comes too late.
    let upload = dead.payload["upload"].as_i64().unwrap();
    let late = films::FilmVideo {
        media_key: "films/aa/late",
        sha256: b"other",
        fingerprint: Fingerprint { seconds: 9.0, frames: [None; FRAMES] },
        duration: 9,
        height: 240,
        group: 0,
        dir: |_| "late".to_owned(),
    };
    assert_eq!(
        films::finish(&mut conn, &dead, upload, &late, &app.state().config.films.likeness).await.unwrap(),
        films::WorkOutcome::Lost
    );
    assert!(!films::fail(app.pool(), &dead, upload, "video_upload_error", "late").await.unwrap());
    assert!(!jobs::report(&mut conn, &dead, &json!({}), Duration::from_secs(9)).await.unwrap());
    assert_eq!((latest(&mona).await["state"].clone(), made(&app).len()), (json!("done"), 1));
    assert_eq!(app.numbers("select count(*) from videos where media_key = 'films/aa/late'").await, [0]);
    app.drain().await;
    app.finish().await;
}

/// Begins to work on a film, whose reading waits for the writer that comes back, and breaks all connections of the worker.
async fn with_broken_connections(app: &App, token: &str) -> (JoinHandle<lantern_catalog::Result<bool>>, File) {
    let file = app.state().incoming.path(token);
    std::fs::remove_file(&file).unwrap();
    mkfifo(&file, Mode::S_IRWXU).unwrap();
    let options = app.pool().connect_options().as_ref().clone().application_name("worker");
    let pool = PgPoolOptions::new().min_connections(2).test_before_acquire(false).connect_with(options).await.unwrap();
    let worker = worker_on(app, pool, |_| {});
    let working = tokio::spawn(async move { worker.work_once(&CancellationToken::new()).await });
    let writer =
        tokio::task::spawn_blocking(move || OpenOptions::new().write(true).open(&file)).await.unwrap().unwrap();
    let ended = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                 where application_name = 'worker' and datname = current_database()";
    assert_eq!(app.numbers(ended).await, [2]);
    (working, writer)
}

#[tokio::test]
async fn how_work_ended_is_recorded_though_its_connections_broke() {
    let app = app().await;
    let mona = app.member("mona").await;
    let token = described(&mona, &film("4", 7)).await;
    let (working, writer) = with_broken_connections(&app, &token).await;
    // It brings nothing.
    drop(writer);
    assert!(working.await.unwrap().unwrap());
    assert_eq!(latest(&mona).await["error_code"], "video_upload_error");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn a_film_isn_t_begun_anew_because_connections_broke() {
    let app = app().await;
    let mona = app.member("mona").await;
    let film = film("4", 10);
    let token = described(&mona, &film).await;
    let (working, mut writer) = with_broken_connections(&app, &token).await;
    // Who reads it the next time reads the file itself.
    let file = app.state().incoming.path(&token);
    std::fs::remove_file(&file).unwrap();
    std::fs::write(&file, &film).unwrap();
    tokio::task::spawn_blocking(move || writer.write_all(&film)).await.unwrap().unwrap();
    assert!(working.await.unwrap().unwrap());
    assert_eq!(latest(&mona).await["state"], "done");
    assert_eq!(app.numbers("select attempts::bigint from jobs where kind = 'film'").await, [1]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn a_worker_that_has_to_end_gives_its_job_back() {
    let app = app().await;
    let mona = app.member("mona").await;
    described(&mona, &film("15", 5)).await;
    let (worker, stop) = (worker(&app, |_| {}), CancellationToken::new());
    let working = tokio::spawn({
        let (worker, stop) = (worker.clone(), stop.clone());
        async move { worker.work_once(&stop).await }
    });
    while made(&app).is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    stop.cancel();
    assert!(working.await.unwrap().unwrap());
    assert_eq!(made(&app), [""; 0], "nothing unfinished is left");
    assert_eq!(app.numbers("select attempts::bigint from jobs where kind = 'film' and state = 'queued'").await, [0]);
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["state"], "done");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn what_may_pass_is_tried_again_later_and_given_up_with_its_reason() {
    let app = app().await;
    let mona = app.member("mona").await;
    described(&mona, &film("4", 6)).await;
    let full = worker(&app, |config| (config.uploads.reserve_bytes, config.films.attempts) = (1 << 60, 2));
    assert!(work(&full).await && !work(&full).await, "it waits for its second try");
    let waiting = latest(&mona).await;
    assert_eq!((&waiting["state"], &waiting["step"]), (&json!("processing"), &json!("waiting")));
    app.sql("update jobs set run_at = now() where kind = 'film'").await;
    assert!(work(&full).await);
    let failed = latest(&mona).await;
    assert_eq!((&failed["state"], &failed["error_code"]), (&json!("failed"), &json!("video_upload_error")));
    let why = app
        .numbers(
            "select count(*) from jobs where state = 'failed' and attempts = 2 and last_error like 'the disk has%'",
        )
        .await;
    assert_eq!((why, made(&app)), (vec![1], Vec::new()));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn a_film_that_ends_its_worker_each_time_fails_with_a_code() {
    let app = app().await;
    let mona = app.member("mona").await;
    let token = described(&mona, &film("4", 11)).await;
    let worker = worker(&app, |config| config.films.attempts = 3);
    // Each worker takes it and is never heard of again.
    for tries in 1..=3 {
        let mut conn = app.pool().acquire().await.unwrap();
        let taken = jobs::claim(&mut conn, films::KIND, Duration::from_secs(60)).await.unwrap().unwrap();
        assert_eq!((taken.attempts, taken.lost), (tries, tries - 1));
        app.sql("update jobs set claimed_until = clock_timestamp() - interval '1 second'").await;
    }
    assert!(work(&worker).await);
    let failed = latest(&mona).await;
    assert_eq!((&failed["state"], &failed["error_code"]), (&json!("failed"), &json!("video_upload_error")));
    assert!(!work(&worker).await && made(&app).is_empty() && !app.state().incoming.path(&token).exists());
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn what_nobody_names_is_removed_and_what_nobody_began_is_begun() {
    let app = app().await;
    let mona = app.member("mona").await;
    described(&mona, &film("4", 7)).await;
    let worker = worker(&app, |_| {});
    assert!(work(&worker).await);
    let orphan = app.state().stores.root().join("films/ff/ff00");
    std::fs::create_dir_all(&orphan).unwrap();
    assert_eq!(worker.sweep_films(SystemTime::now()).await.unwrap(), 0, "it may be on its way into the catalog");
    let unfinished = app.state().stores.root().join("films/ff/.part-ff01-x");
    std::fs::create_dir_all(unfinished.join("hls")).unwrap();
    let later = SystemTime::now() + Duration::from_secs(7200);
    assert_eq!(worker.sweep_films(later).await.unwrap(), 2);
    assert_eq!((worker.sweep_films(later).await.unwrap(), unfinished.exists()), (0, false), "its removal is known");
    assert_eq!(worker.remove_due().await.unwrap(), 1);
    assert!(!orphan.exists() && made(&app).len() == 1);

    // Its last byte was counted, and the node ended before it asked for the work.
    described(&mona, &film("4", 8)).await;
    app.sql("delete from jobs; update uploads set state = 'received', job_id = null where state = 'processing'").await;
    assert!(!work(&worker).await);
    let mut conn = app.pool().acquire().await.unwrap();
    assert_eq!(films::begin(&mut conn, None).await.unwrap(), 1);
    assert!(work(&worker).await);
    // Nobody chose a picture for a day.
    assert_eq!(films::choose_for_absent(&mut conn, 24).await.unwrap(), 0);
    app.sql("update uploads set ended_at = now() - interval '25 hours'").await;
    assert_eq!(films::choose_for_absent(&mut conn, 24).await.unwrap(), 2);
    assert_eq!(latest(&mona).await["video"]["status_id"], 2);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn a_film_of_somebody_who_left_is_nobody_s() {
    let app = app().await;
    let mona = app.member("mona").await;
    described(&mona, &film("4", 9)).await;
    app.sql("delete from users where username = 'mona'").await;
    assert!(work(&worker(&app, |_| {})).await);
    assert_eq!(app.numbers("select count(*) from jobs where kind = 'film' and state = 'done'").await, [1]);
    assert_eq!(made(&app), [""; 0]);
    app.drain().await;
    app.finish().await;
}
