//! Films whose sound can't be decoded. Their members learn that they play without it.

use std::process::Command;

use lantern_catalog::moderation::uploads::DecisionOutcome;
use lantern_testing::film;
use serde_json::json;

use super::films::{EDIT, app, described, latest, work, worker};

/// Returns a film with sound, of a codec that ffmpeg knows or doesn't know.
fn film_with_sound(number: u8, is_known: bool) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("film.mp4"), film("4", number)).unwrap();
    let made = Command::new("ffmpeg")
        .current_dir(folder.path())
        .args(["-nostdin", "-v", "error", "-i", "film.mp4", "-f", "lavfi", "-i", "sine=f=440"])
        .args(["-c:v", "copy", "-c:a", "pcm_s16le", "-t", "4", "film.mov"])
        .status();
    assert!(made.unwrap().success());
    let mut bytes = std::fs::read(folder.path().join("film.mov")).unwrap();
    if !is_known {
        let at = bytes.windows(4).rposition(|word| word == b"sowt").unwrap();
        bytes[at..at + 4].copy_from_slice(b"apac");
    }
    bytes
}

#[tokio::test]
async fn member_learns_that_the_sound_of_a_film_is_lost() {
    let app = app().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let worker = worker(&app, |_| {});
    for (number, is_known) in [(21, true), (22, false)] {
        described(&mona, &film_with_sound(number, is_known)).await;
        assert!(work(&worker).await);
        let done = latest(&mona).await;
        assert_eq!((&done["state"], &done["video"]["has_lost_audio"]), (&json!("done"), &json!(!is_known)), "{done}");
    }
    let id = latest(&mona).await["video"]["video_id"].as_i64().unwrap();
    let shown = mona.post(EDIT, &[("video_id", &id.to_string()), ("shot", "7")]).await;
    assert_eq!((shown.status, app.approve(id).await), (200, DecisionOutcome::Done));
    assert_eq!(latest(&mona).await["video"]["has_lost_audio"], true, "it stays visible after the decision");
    let own = mona.get("/api/member_lists.php?list=uploaded_videos").await.json();
    let lost: Vec<_> = own["videos"].as_array().unwrap().iter().map(|video| &video["has_lost_audio"]).collect();
    assert_eq!(lost, [true, false], "{own}");
    // In lists of other members, it is not mentioned.
    let saved =
        nils.post("/api/stat.php", &[("act", "favourite"), ("section", "add"), ("object_id", &id.to_string())]).await;
    assert_eq!(saved.status, 200, "{}", saved.text());
    let favourites = nils.get("/api/member_lists.php?list=favourite_videos").await.json();
    assert_eq!(favourites["videos"][0]["has_lost_audio"], false, "{favourites}");
    app.drain().await;
    app.finish().await;
}
