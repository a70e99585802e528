//! How the films of deleted videos are removed.

use lantern_catalog::{
    account_removal::{self, RemovalOutcome},
    managed,
    moderation::{Actor, quarantine, uploads},
};
use time::{Duration, OffsetDateTime};

use super::films::{EDIT, worker};
use crate::support::{App, NOW, Session, done};

/// Creates a member's video with a separate film, named by a digit.
async fn video(app: &App, owner: &Session, digit: u8, more: &str) -> i64 {
    app.media(&format!("films/0{digit}/film/video.mp4"), b"a film");
    let insert = format!(
        "insert into videos (dir, title, lang, gender, duration, user_id, media_key, status_id, is_private)
         values ('film', 'A film', 'en', 'str', 700, {}, 'films/0{digit}/film', {more}) returning id",
        owner.id
    );
    app.numbers(&insert).await[0]
}

/// Returns the digits of the films that exist.
fn existing(app: &App) -> Vec<u8> {
    (0..8).filter(|digit| app.media_files(&format!("films/0{digit}/film")) == ["video.mp4"]).collect()
}

async fn swept(app: &App) -> usize {
    worker(app, |_| {}).remove_due().await.unwrap()
}

#[tokio::test]
async fn deleted_film_is_retained_for_the_grace_period() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    app.change(&format!("update users set status_id = manages_uploads() where id = {}", mona.id)).await;
    let mut ids = Vec::new();
    for digit in 0..4 {
        ids.push(video(&app, &mona, digit, "1, false").await);
    }
    let link = app.json(&format!("/api/videofile.php?video_id={}", ids[1])).await["video_url"][1]["url"].clone();
    assert_eq!(app.get(link.as_str().unwrap()).await.status, 200);
    for (act, id) in [("2", ids[1]), ("4", ids[2]), ("2", ids[3])] {
        done(&mona.post(EDIT, &[("act", act), ("video_id", &id.to_string())]).await);
    }
    app.drain().await;
    assert_eq!(app.get(link.as_str().unwrap()).await.status, 404, "access ends immediately");
    assert_eq!((swept(&app).await, existing(&app)), (0, vec![0, 1, 2, 3]));
    app.sql("update videos set deleted_at = deleted_at - interval '167 hours' where deleted_at is not null").await;
    assert_eq!(swept(&app).await, 0);
    // An operator has restored the video within the grace period, so deleting it again starts a new period.
    app.change(&format!("update videos set status_id = in_review() where id = {}", ids[3])).await;
    app.change(&format!("update videos set status_id = deleted() where id = {}", ids[3])).await;
    app.sql("update videos set deleted_at = deleted_at - interval '2 hours' where deleted_at is not null").await;
    assert_eq!((swept(&app).await, swept(&app).await, existing(&app)), (1, 0, vec![0, 2, 3]));
    let again = [("act", "4"), ("video_id", &*ids[1].to_string())];
    mona.post(EDIT, &again).await.refused(404, "video_not_found");
    // A video that is scheduled to return keeps its film, no matter how long it is hidden.
    let due = OffsetDateTime::from_unix_timestamp(NOW).unwrap() + Duration::days(8);
    assert_eq!(managed::bring_back(app.pool(), due).await.unwrap(), 1);
    app.drain().await;
    assert_eq!(app.get(&format!("/api/videofile.php?video_id={}", ids[2])).await.status, 200);
    app.finish().await;
}

#[tokio::test]
async fn films_of_removed_accounts_go_immediately_and_those_taken_down_after_quarantine() {
    let app = App::start().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let taken = video(&app, &nils, 0, "1, false").await;
    for (digit, more) in [(1, "1, false"), (2, "1, true"), (3, "2, false"), (4, "5, false")] {
        video(&app, &mona, digit, more).await;
    }
    app.change(
        "update videos set status_id = deleted(), restore_status_id = published(), readd_at = now() where media_key = 'films/03/film'",
    )
    .await;
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", taken, "").await.unwrap());
    let mut transaction = app.pool().begin().await.unwrap();
    assert_eq!(account_removal::remove(&mut transaction, mona.id, false).await.unwrap(), RemovalOutcome::Gone);
    transaction.commit().await.unwrap();
    assert_eq!((swept(&app).await, existing(&app)), (3, vec![0, 1]), "public videos stay without an owner");
    let late = OffsetDateTime::now_utc() + Duration::days(31);
    assert_eq!(quarantine::end_due(app.pool(), 30, late).await.unwrap(), 1);
    assert_eq!((swept(&app).await, existing(&app)), (1, vec![1]));
    let due = OffsetDateTime::now_utc() + Duration::days(1);
    assert_eq!(managed::bring_back(app.pool(), due).await.unwrap(), 0, "a video without an owner is not restored");
    app.drain().await;
    app.finish().await;
}
