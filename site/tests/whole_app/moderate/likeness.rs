//! Re-encoded films, which are refused for the same member and shown to moderators for others.

use std::{process::Command, time::Duration};

use futures_util::future::join_all;
use lantern_catalog::{
    films::{self, FilmVideo, WorkOutcome},
    fingerprints::{FRAMES, Fingerprint, Frames},
    queue,
};
use serde_json::{Value, json};

use super::decide::{QUEUE, choose_poster, inspect};
use crate::{
    support::Session,
    upload::films::{app, described, latest, work, worker},
};

const TAKE_DOWN: &str = "/api/moderate/take_down";

/// Returns one of several encodings, selected by number, of a cellular automaton whose frames all differ.
pub fn encoded(number: u8) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let (width, crf) = (160 + 16 * u32::from(number), 20 + 4 * number);
    let picture = format!(
        "cellauto=s=20x15:r=5/2:rule=30:seed=7:full=1,scale=160:120:flags=neighbor,fps=12,scale={width}:-2,eq=brightness=0.0{number}"
    );
    let status = Command::new("ffmpeg")
        .current_dir(folder.path())
        .args(["-nostdin", "-v", "error", "-f", "lavfi", "-i", &picture, "-t", "4", "-crf", &crf.to_string()])
        .args(["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "film.mp4"])
        .status();
    assert!(status.unwrap().success());
    std::fs::read(folder.path().join("film.mp4")).unwrap()
}

/// Returns the queue's rows for these members.
async fn queue(moderator: &Session) -> Vec<Value> {
    let queue = moderator.get(QUEUE).await.json();
    let rows = queue["uploads"].as_array().unwrap().iter();
    rows.filter(|row| ["mona", "nils", "olga"].contains(&row["username"].as_str().unwrap_or_default()))
        .cloned()
        .collect()
}

#[tokio::test]
async fn other_encoding_of_a_film_is_recognized_also_after_take_down() {
    let app = app().await;
    let (mona, nils, rita) = (app.member("mona").await, app.member("nils").await, app.moderator("rita").await);
    described(&mona, &encoded(1)).await;
    let first = choose_poster(&app, &mona).await;
    described(&mona, &encoded(2)).await;
    assert!(work(&worker(&app, |_| {})).await);
    assert_eq!(latest(&mona).await["error_code"], "video_duplicate", "her own film again");

    // Another member's copy is queued first, so that a moderator decides.
    described(&nils, &encoded(3)).await;
    let copy = choose_poster(&app, &nils).await;
    let rows = queue(&rita).await;
    // Each film resembles the other, so the older one comes first.
    let marks: Vec<_> = rows.iter().map(|row| (row["id"].as_i64().unwrap(), row["like"].clone())).collect();
    assert_eq!(marks, [(first, json!(1)), (copy, json!(1))]);
    app.approve(first).await;
    let seen = inspect(&rita, copy).await;
    let like = &seen["like"][0];
    assert_eq!(
        (&like["id"], &like["username"], &like["status_id"], &like["banned_at"]),
        (&json!(first), &json!("mona"), &json!(1), &json!(null)),
        "{like}"
    );
    assert!(like["distance"].as_f64().unwrap() <= 8.0, "{like}");
    assert_eq!(rita.get(like["frames"][9].as_str().unwrap()).await.status, 200);
    assert_eq!(inspect(&rita, first).await["like"][0]["id"], copy);

    // After the take-down, similar films of any member and age are queued first.
    let number = first.to_string();
    assert_eq!(rita.post(TAKE_DOWN, &[("section", "video"), ("id", &number)]).await.status, 200);
    let olga = app.member("olga").await;
    described(&olga, &encoded(4)).await;
    let late = choose_poster(&app, &olga).await;
    app.sql("update videos set created_at = now() - interval '1 year' where status_id = in_review() and id <= 3").await;
    let rows = queue(&rita).await;
    let marks: Vec<_> = rows.iter().map(|row| (row["id"].as_i64().unwrap(), row["is_like_banned"].clone())).collect();
    assert_eq!(marks, [(copy, json!(true)), (late, json!(true))]);
    let seen = inspect(&rita, late).await;
    let like = seen["like"].as_array().unwrap();
    let marks: Vec<_> = like.iter().map(|like| (like["id"].as_i64().unwrap(), like["banned_at"].is_string())).collect();
    assert_eq!(marks, [(first, true), (copy, false)]);
    assert_eq!(like[0]["frames"], json!([]));
    app.drain().await;
    app.finish().await;
}

/// Finishes four films of a member concurrently, with these frames and different bytes. Returns the outcomes.
async fn finish_concurrently(frames: Frames) -> Vec<WorkOutcome> {
    let app = app().await;
    let mona = app.member("mona").await;
    let mut conn = app.pool().acquire().await.unwrap();
    let mut works = Vec::new();
    for number in 0..4_u8 {
        described(&mona, &[number; 9]).await;
        works.push(queue::claim(&mut conn, queue::FILM, 1, Duration::from_secs(60)).await.unwrap().remove(0));
    }
    let fingerprint = Fingerprint { seconds: 9.0, frames };
    let outcomes = join_all(works.iter().zip(["a", "b", "c", "d"]).map(|(job, name)| {
        let sha256 = [name.as_bytes()[0]; 32];
        let (pool, bounds) = (app.pool().clone(), app.state().config.films.likeness);
        async move {
            let video = FilmVideo {
                has_lost_audio: false,
                media_key: name,
                home: 0,
                sha256: &sha256,
                fingerprint,
                duration: 9,
                chapters: &[],
                audio_tracks: &[],
                height: 240,
                second_codec: None,
                group: 0,
                original: None,
                encoding: &Value::Null,
                captions: &[],
                dir: |_| "evenings".to_owned(),
            };
            let mut conn = pool.acquire().await.unwrap();
            films::finish(&mut conn, job, job.payload["upload"].as_i64().unwrap(), &video, &bounds).await.unwrap()
        }
    }))
    .await;
    app.drain().await;
    app.finish().await;
    outcomes
}

#[tokio::test]
async fn concurrent_encodings_of_a_film_become_one_video() {
    let frames: Vec<_> = (1..=FRAMES as i64).map(|at| Some(at.wrapping_mul(0x5851_f42d_4c95_7f2d))).collect();
    let outcomes = finish_concurrently(frames.try_into().unwrap()).await;
    let again = outcomes.iter().filter(|outcome| matches!(outcome, WorkOutcome::Again(_))).count();
    assert_eq!(again, 3, "{outcomes:?}");
}

#[tokio::test]
async fn similar_static_films_are_left_to_moderators() {
    let outcomes = finish_concurrently([Some(0x0f0f_0f0f); FRAMES]).await;
    assert!(outcomes.iter().all(|outcome| matches!(outcome, WorkOutcome::Video(_))), "{outcomes:?}");
}
