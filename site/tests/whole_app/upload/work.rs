//! Processing of films after failures. Nothing is done twice, lost or shown incomplete.

use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::Path,
    time::{Duration, SystemTime},
};

use axum::extract::FromRef;
use lantern_catalog::{
    films,
    fingerprints::{FRAMES, Fingerprint},
    queue,
};
use lantern_testing::film;
use lantern_uploads::Intake;
use nix::{sys::stat::Mode, unistd::mkfifo};
use serde_json::{Value, json};
use sqlx::postgres::PgPoolOptions;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::films::{EDIT, app, described, form, latest, sent, work, worker, worker_on};
use crate::support::{App, NOW};

/// Returns the names of the folders that contain films, finished or not.
fn film_folders(app: &App) -> Vec<String> {
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
async fn identical_films_are_duplicates_until_the_first_is_deleted() {
    let app = app().await;
    let (mona, nils, film) = (app.member("mona").await, app.member("nils").await, film("4", 1));
    described(&mona, &film).await;
    described(&nils, &film).await;
    let worker = worker(&app, |_| {});
    // Both films are processed concurrently.
    let (stop, other) = (CancellationToken::new(), worker.clone());
    let (one, two) = tokio::join!(worker.work_once(&stop), other.work_once(&stop));
    assert!(one.unwrap() && two.unwrap());
    let states = [latest(&mona).await, latest(&nils).await];
    let failed: Vec<_> = states.iter().filter(|upload| upload["state"] == "failed").collect();
    assert_eq!((failed.len(), &failed[0]["error_code"]), (1, &json!("video_duplicate")), "{states:?}");
    assert_eq!(film_folders(&app).len(), 1);
    described(&mona, &film).await;
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["error_code"], "video_duplicate");
    app.sql("update videos set status_id = deleted() where status_id = draft()").await;
    described(&mona, &film).await;
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["state"], "done");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn film_duration_must_be_within_the_limits() {
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
        let mut fields = form(&token, "Of some length").to_vec();
        fields.push(("exclusive", exclusive));
        assert_eq!(mona.post(EDIT, &fields).await.status, 200);
        assert!(work(&worker).await);
        assert_eq!(latest(&mona).await["error_code"], code, "{seconds} s, {exclusive}");
    }
    // The index, which is at the end of the file, is cut off.
    let cut = film("4", 3);
    let token = sent(&mona, &cut[..cut.len() / 2]).await;
    assert_eq!(mona.post(EDIT, &form(&token, "Cut")).await.status, 200);
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["error_code"], "video_corrupted_file");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn job_of_a_dead_worker_is_finished_once_by_the_next() {
    let app = app().await;
    let mona = app.member("mona").await;
    described(&mona, &film("4", 4)).await;
    let mut conn = app.pool().acquire().await.unwrap();
    let dead = queue::claim(&mut conn, queue::FILM, 1, Duration::from_secs(60)).await.unwrap().remove(0);
    app.sql("update jobs set claimed_until = clock_timestamp() - interval '1 second'").await;
    let left = app.state().stores.root().join(format!("films/.part-{}-abc", dead.id));
    std::fs::create_dir_all(&left).unwrap();
    let worker = worker(&app, |_| {});
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["state"], "done");
    assert!(!left.exists(), "its unfinished folder is removed");
    // The first worker was only slow and finishes too late.
    let upload = dead.payload["upload"].as_i64().unwrap();
    let late = films::FilmVideo {
        media_key: "films/aa/late",
        home: 0,
        sha256: b"other",
        fingerprint: Fingerprint { seconds: 9.0, frames: [None; FRAMES] },
        duration: 9,
        chapters: &[],
        audio_tracks: &[],
        height: 240,
        second_codec: None,
        has_lost_audio: false,
        group: 0,
        original: None,
        encoding: &Value::Null,
        captions: &[],
        dir: |_| "late".to_owned(),
    };
    assert_eq!(
        films::finish(&mut conn, &dead, upload, &late, &app.state().config.films.likeness).await.unwrap(),
        films::WorkOutcome::Lost
    );
    let failure = films::FilmFailure { code: "video_upload_error", why: "late", keep_hours: Some(1) };
    assert!(!films::fail(app.pool(), &dead, upload, &failure).await.unwrap());
    assert!(!queue::report(&mut conn, &dead, &json!({}), Duration::from_secs(9)).await.unwrap());
    assert_eq!((latest(&mona).await["state"].clone(), film_folders(&app).len()), (json!("done"), 1));
    assert_eq!(app.numbers("select count(*) from videos where media_key = 'films/aa/late'").await, [0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn progress_of_a_dead_worker_is_not_shown() {
    let app = app().await;
    let mona = app.member("mona").await;
    described(&mona, &film("4", 12)).await;
    let mut conn = app.pool().acquire().await.unwrap();
    let job = queue::claim(&mut conn, queue::FILM, 1, Duration::from_secs(60)).await.unwrap().remove(0);
    let progress = json!({ "upload": job.payload["upload"], "step": "encoding", "percent": 40 });
    assert!(queue::report(&mut conn, &job, &progress, Duration::from_secs(60)).await.unwrap());
    let shown = async || {
        let upload = latest(&mona).await;
        json!([upload["state"], upload["step"], upload["percent"], upload["retry_at"]])
    };
    assert_eq!(shown().await, json!(["processing", "encoding", 40, null]));
    app.sql("update jobs set claimed_until = clock_timestamp() - interval '1 second'").await;
    assert_eq!(shown().await, json!(["processing", "waiting", null, null]));
    app.finish().await;
}

#[tokio::test]
async fn film_waits_while_the_folder_of_uploads_is_missing() {
    let app = app().await;
    let mona = app.member("mona").await;
    let token = described(&mona, &film("4", 13)).await;
    let folder = app.state().incoming.folder().await.unwrap();
    let aside = folder.with_extension("aside");
    std::fs::rename(&folder, &aside).unwrap();
    let worker = worker(&app, |_| {});
    assert!(work(&worker).await);
    let waits = latest(&mona).await;
    assert_eq!((&waits["state"], &waits["step"]), (&json!("processing"), &json!("waiting")), "{waits}");
    assert!(waits["retry_at"].is_string(), "{waits}");
    let why = "select count(*) from jobs where state = 'queued' and last_error like 'can''t read the upload in %'";
    assert_eq!(app.numbers(why).await, [1]);
    std::fs::rename(&aside, &folder).unwrap();
    app.sql("update jobs set run_at = now() where kind = 'film'").await;
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["state"], "done");
    // In a folder that exists, a missing file is gone for good.
    described(&mona, &film("4", 14)).await;
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::create_dir(&folder).unwrap();
    assert!(work(&worker).await && !app.state().incoming.path(&token).exists());
    let failed = latest(&mona).await;
    assert_eq!((&failed["error_code"], &failed["is_kept"]), (&json!("video_upload_error"), &json!(false)));
    app.drain().await;
    app.finish().await;
}

/// Starts processing a film that is read from the returned pipe, and terminates all connections of the worker.
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
async fn failure_is_recorded_after_lost_connections() {
    let app = app().await;
    let mona = app.member("mona").await;
    let token = described(&mona, &film("4", 7)).await;
    let (working, writer) = with_broken_connections(&app, &token).await;
    // The film is empty.
    drop(writer);
    assert!(working.await.unwrap().unwrap());
    assert_eq!(latest(&mona).await["error_code"], "video_upload_error");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn processing_continues_after_lost_connections() {
    let app = app().await;
    let mona = app.member("mona").await;
    let film = film("4", 10);
    let token = described(&mona, &film).await;
    let (working, mut writer) = with_broken_connections(&app, &token).await;
    // The next reader reads the file itself.
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
    while film_folders(&app).is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    stop.cancel();
    assert!(working.await.unwrap().unwrap());
    assert_eq!(film_folders(&app), [""; 0], "unfinished folders are removed");
    assert_eq!(app.numbers("select attempts::bigint from jobs where kind = 'film' and state = 'queued'").await, [0]);
    assert!(work(&worker).await);
    assert_eq!(latest(&mona).await["state"], "done");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn transient_failures_are_retried_and_abandoned_with_their_reason() {
    let app = app().await;
    let mona = app.member("mona").await;
    let token = described(&mona, &film("4", 6)).await;
    let full = worker(&app, |config| (config.uploads.reserve_bytes, config.films.attempts) = (1 << 60, 2));
    assert!(work(&full).await && !work(&full).await, "it waits for its retry");
    let waiting = latest(&mona).await;
    assert_eq!((&waiting["state"], &waiting["step"]), (&json!("processing"), &json!("waiting")));
    assert!(waiting["retry_at"].is_string(), "{waiting}");
    app.sql("update jobs set run_at = now() where kind = 'film'").await;
    assert_eq!(latest(&mona).await["retry_at"], json!(null), "it waits for a worker only");
    assert!(work(&full).await);
    let failed = latest(&mona).await;
    assert_eq!((&failed["state"], &failed["error_code"]), (&json!("failed"), &json!("video_upload_error")));
    assert_eq!((&failed["is_kept"], app.state().incoming.path(&token).exists()), (&json!(true), true));
    let why = app
        .numbers(
            "select count(*) from jobs where state = 'failed' and attempts = 2 and last_error like 'the disk has%'",
        )
        .await;
    assert_eq!((why, film_folders(&app)), (vec![1], Vec::new()));

    // An operator retries it. Then it goes through review as usual.
    let job = app.numbers("select id from jobs where kind = 'film'").await[0];
    assert!(films::retry(app.pool(), job).await.unwrap() && !films::retry(app.pool(), job).await.unwrap());
    let again = latest(&mona).await;
    assert_eq!((&again["state"], &again["step"]), (&json!("processing"), &json!("waiting")));
    assert_eq!((&again["error_code"], &again["is_kept"]), (&json!(null), &json!(false)));
    assert!(work(&worker(&app, |_| {})).await);
    let done = latest(&mona).await;
    assert_eq!((&done["state"], &done["video"]["status_id"]), (&json!("done"), &json!(3)), "{done}");
    assert!(!app.state().incoming.path(&token).exists());
    let id = done["video"]["video_id"].to_string();
    assert_eq!(mona.post(EDIT, &[("video_id", &id), ("shot", "7")]).await.json()["status_id"], 2);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn film_that_crashes_its_worker_fails_with_a_code() {
    let app = app().await;
    let mona = app.member("mona").await;
    let token = described(&mona, &film("4", 11)).await;
    let worker = worker(&app, |config| config.films.attempts = 3);
    // Each worker claims the job and dies.
    for tries in 1..=3 {
        let mut conn = app.pool().acquire().await.unwrap();
        let taken = queue::claim(&mut conn, queue::FILM, 1, Duration::from_secs(60)).await.unwrap().remove(0);
        assert_eq!((taken.attempts, taken.lost), (tries, tries - 1));
        app.sql("update jobs set claimed_until = clock_timestamp() - interval '1 second'").await;
    }
    assert!(work(&worker).await);
    let failed = latest(&mona).await;
    assert_eq!((&failed["state"], &failed["error_code"]), (&json!("failed"), &json!("video_upload_error")));
    assert!(!work(&worker).await && film_folders(&app).is_empty());
    // Its file is removed with the upload, when that expires.
    assert_eq!((&failed["is_kept"], app.state().incoming.path(&token).exists()), (&json!(true), true));
    app.sql(&format!("update uploads set expires_at = to_timestamp({NOW} - 1)")).await;
    assert_eq!(lantern_uploads::sweep(&Intake::from_ref(&app.state().app)).await.unwrap(), 1);
    assert_eq!((latest(&mona).await, app.state().incoming.path(&token).exists()), (json!(null), false));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn orphaned_films_are_removed_and_forgotten_uploads_processed() {
    let app = app().await;
    let mona = app.member("mona").await;
    described(&mona, &film("4", 7)).await;
    let worker = worker(&app, |_| {});
    assert!(work(&worker).await);
    let orphan = app.state().stores.root().join("films/ff/ff00");
    std::fs::create_dir_all(&orphan).unwrap();
    assert_eq!(worker.sweep_films(SystemTime::now()).await.unwrap(), 0, "its row may not be written yet");
    let unfinished = app.state().stores.root().join("films/ff/.part-ff01-x");
    std::fs::create_dir_all(unfinished.join("hls")).unwrap();
    let later = SystemTime::now() + Duration::from_secs(7200);
    assert_eq!(worker.sweep_films(later).await.unwrap(), 2);
    assert_eq!(
        (worker.sweep_films(later).await.unwrap(), unfinished.exists()),
        (0, false),
        "its removal is already scheduled"
    );
    assert_eq!(worker.remove_due().await.unwrap(), 1);
    assert!(!orphan.exists() && film_folders(&app).len() == 1);

    // The node died after the last byte but before it enqueued the processing.
    described(&mona, &film("4", 8)).await;
    app.sql("delete from jobs; update uploads set state = 'received', job_id = null where state = 'processing'").await;
    assert!(!work(&worker).await);
    let mut conn = app.pool().acquire().await.unwrap();
    assert_eq!(films::begin(&mut conn, None).await.unwrap(), 1);
    assert!(work(&worker).await);
    // The member has chosen no picture for a day.
    assert_eq!(films::choose_for_absent(&mut conn, 24).await.unwrap(), 0);
    app.sql("update uploads set ended_at = now() - interval '25 hours'").await;
    assert_eq!(films::choose_for_absent(&mut conn, 24).await.unwrap(), 2);
    assert_eq!(latest(&mona).await["video"]["status_id"], 2);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn film_of_a_deleted_member_is_discarded() {
    let app = app().await;
    let mona = app.member("mona").await;
    described(&mona, &film("4", 9)).await;
    app.sql("delete from users where username = 'mona'").await;
    assert!(work(&worker(&app, |_| {})).await);
    assert_eq!(app.numbers("select count(*) from jobs where kind = 'film' and state = 'done'").await, [1]);
    assert_eq!(film_folders(&app), [""; 0]);
    app.drain().await;
    app.finish().await;
}
