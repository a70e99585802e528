//! A film that comes in another encoding: refused to its own member, and shown to who decides.

use std::{process::Command, time::Duration};

use futures_util::future::join_all;
use lantern_catalog::{
    films::{self, FilmVideo, WorkOutcome},
    fingerprints::{FRAMES, Fingerprint, Frames},
    jobs,
};
use serde_json::{Value, json};

use super::decide::{QUEUE, chosen, look};
use crate::{
    support::Session,
    upload::films::{app, described, latest, work, worker},
};

const TAKE_DOWN: &str = "/api/moderate/take_down";

/// Seconds of cells that come and go, of which every frame is another; the number is of an encoding.
fn encoded(number: u8) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let (width, crf) = (160 + 16 * u32::from(number), 20 + 4 * number);
    let picture = format!(
        "cellauto=s=20x15:r=5/2:rule=30:seed=7:full=1,scale=160:120:flags=neighbor,fps=12,scale={width}:-2,eq=brightness=0.0{number}"
    );
    let made = Command::new("ffmpeg")
        .current_dir(folder.path())
        .args(["-nostdin", "-v", "error", "-f", "lavfi", "-i", &picture, "-t", "4", "-crf", &crf.to_string()])
        .args(["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "film.mp4"])
        .status();
    assert!(made.unwrap().success());
    std::fs::read(folder.path().join("film.mp4")).unwrap()
}

/// The rows of the queue that are of these members.
async fn queue(moderator: &Session) -> Vec<Value> {
    let queue = moderator.get(QUEUE).await.json();
    let rows = queue["uploads"].as_array().unwrap().iter();
    rows.filter(|row| ["mona", "nils", "olga"].contains(&row["username"].as_str().unwrap_or_default()))
        .cloned()
        .collect()
}

#[tokio::test]
async fn another_encoding_of_a_film_is_known_again_also_when_it_was_taken_down() {
    let app = app().await;
    let (mona, nils, rita) = (app.member("mona").await, app.member("nils").await, app.moderator("rita").await);
    described(&mona, &encoded(1)).await;
    let first = chosen(&app, &mona).await;
    described(&mona, &encoded(2)).await;
    assert!(work(&worker(&app, |_| {})).await);
    assert_eq!(latest(&mona).await["error_code"], "video_duplicate", "her own, once more");

    // Somebody else's is for a person to decide on, before what is older.
    described(&nils, &encoded(3)).await;
    let copy = chosen(&app, &nils).await;
    let rows = queue(&rita).await;
    // Each looks like the other one; the older is the first then.
    let said: Vec<_> = rows.iter().map(|row| (row["id"].as_i64().unwrap(), row["like"].clone())).collect();
    assert_eq!(said, [(first, json!(1)), (copy, json!(1))]);
    app.approve(first).await;
    let seen = look(&rita, copy).await;
    let like = &seen["like"][0];
    assert_eq!(
        (&like["id"], &like["username"], &like["status_id"], &like["banned_at"]),
        (&json!(first), &json!("mona"), &json!(1), &json!(null)),
        "{like}"
    );
    assert!(like["distance"].as_f64().unwrap() <= 8.0, "{like}");
    assert_eq!(rita.get(like["frames"][9].as_str().unwrap()).await.status, 200);
    assert_eq!(look(&rita, first).await["like"][0]["id"], copy);

    // Taken down for good: what looks like it goes before all others, whoever sends it and whenever.
    let number = first.to_string();
    assert_eq!(rita.post(TAKE_DOWN, &[("section", "video"), ("id", &number)]).await.status, 200);
    let olga = app.member("olga").await;
    described(&olga, &encoded(4)).await;
    let late = chosen(&app, &olga).await;
    app.sql("update videos set created_at = now() - interval '1 year' where status_id = 2 and id <= 3").await;
    let rows = queue(&rita).await;
    let said: Vec<_> = rows.iter().map(|row| (row["id"].as_i64().unwrap(), row["is_like_banned"].clone())).collect();
    assert_eq!(said, [(copy, json!(true)), (late, json!(true))]);
    let seen = look(&rita, late).await;
    let like = seen["like"].as_array().unwrap();
    let said: Vec<_> = like.iter().map(|like| (like["id"].as_i64().unwrap(), like["banned_at"].is_string())).collect();
    assert_eq!(said, [(first, true), (copy, false)]);
    assert_eq!(like[0]["frames"], json!([]));
    app.drain().await;
    app.finish().await;
}

/// What becomes of four films of a member with these frames, of other bytes each, that end at once.
async fn ended_at_once(frames: Frames) -> Vec<WorkOutcome> {
    let app = app().await;
    let mona = app.member("mona").await;
    let mut conn = app.pool().acquire().await.unwrap();
    let mut works = Vec::new();
    for number in 0..4_u8 {
        described(&mona, &[number; 9]).await;
        works.push(jobs::claim(&mut conn, films::KIND, Duration::from_secs(60)).await.unwrap().unwrap());
    }
    let fingerprint = Fingerprint { seconds: 9.0, frames };
    let ended = join_all(works.iter().zip(["a", "b", "c", "d"]).map(|(job, name)| {
        let sha256 = [name.as_bytes()[0]; 32];
        let (pool, bounds) = (app.pool().clone(), app.state().config.films.likeness);
        async move {
            let made = FilmVideo {
                media_key: name,
                sha256: &sha256,
                fingerprint,
                duration: 9,
                height: 240,
                group: 0,
                dir: |_| "evenings".to_owned(),
            };
            let mut conn = pool.acquire().await.unwrap();
            films::finish(&mut conn, job, job.payload["upload"].as_i64().unwrap(), &made, &bounds).await.unwrap()
        }
    }))
    .await;
    app.drain().await;
    app.finish().await;
    ended
}

#[tokio::test]
async fn of_many_encodings_that_end_at_once_one_becomes_a_video() {
    let frames: Vec<_> = (1..=FRAMES as i64).map(|at| Some(at.wrapping_mul(0x5851_f42d_4c95_7f2d))).collect();
    let ended = ended_at_once(frames.try_into().unwrap()).await;
    let again = ended.iter().filter(|ended| matches!(ended, WorkOutcome::Again(_))).count();
    assert_eq!(again, 3, "{ended:?}");
}

#[tokio::test]
async fn of_films_in_which_nothing_moves_a_person_decides() {
    let ended = ended_at_once([Some(0x0f0f_0f0f); FRAMES]).await;
    assert!(ended.iter().all(|ended| matches!(ended, WorkOutcome::Video(_))), "{ended:?}");
}
