//! New films that never replace the former one: rejected, cancelled, or for a video that is gone.

use axum::{body::Body, http::Method};
use lantern_catalog::{
    account_removal,
    moderation::{
        Actor, quarantine,
        uploads::{self, DecisionOutcome},
    },
};
use lantern_testing::film;
use serde_json::json;

use super::swapped::{APPROVE, decide, page, published, stream, text};
use crate::{
    moderate::decide::inspect,
    support::{App, Session},
    upload::{
        films::{self, EDIT, latest, replaced, work, worker},
        tus::{OURS, VERSION, begin_replacing, location},
    },
};

async fn cancel(member: &Session, url: &str) -> u16 {
    member.send(Method::DELETE, url, &[VERSION, OURS], Body::empty()).await.status
}

/// Returns how many videos exist that replace another and are not deleted.
async fn open(app: &App) -> i64 {
    app.numbers("select count(*) from videos where replaces is not null and status_id <> deleted()").await[0]
}

#[tokio::test]
async fn rejected_film_leaves_the_former_one() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.moderator("nils").await);
    let id = published(&app, &mona, 71).await;
    let before = page(&app, id).await;
    let sent = replaced(&app, &mona, id, &film("5", 72)).await;
    let replacement = sent["video"]["video_id"].as_i64().unwrap();
    assert_eq!(decide(&nils, replacement, &[("verdict", "reject"), ("reason", "quality")]).await.status, 200);
    app.drain().await;
    assert_eq!(page(&app, id).await, before);
    assert_eq!(app.get(&stream(&app, id).await).await.status, 200);
    let rejected = latest(&mona).await;
    assert_eq!(
        (&rejected["replaces"], &rejected["video"]["status_id"], &rejected["video"]["reason"]),
        (&json!(id), &json!(4), &json!("quality")),
        "{rejected}"
    );
    let told = mona.get("/api/member_lists.php?list=notifications").await.json()["notifications"][0].clone();
    assert_eq!((&told["kind"], &told["object_id"]), (&json!("film_refused"), &json!(id)), "{told}");
    let seen = inspect(&nils, replacement).await;
    let decision = &seen["decisions"][0];
    assert_eq!((&decision["act"], &decision["details"]["replaces"]), (&json!("reject"), &json!(id)));
    assert_eq!((&seen["status_id"], &seen["uploader"]["rejected"]), (&json!(5), &json!(1)));
    decide(&nils, replacement, &APPROVE).await.refused(409, "not_waiting");
    // Another one may follow, and the rejected one is put away.
    let next = replaced(&app, &mona, id, &film("5", 73)).await;
    assert_eq!(next["video"]["status_id"], 2);
    assert_eq!(cancel(&mona, sent["url"].as_str().unwrap()).await, 204);
    assert_eq!((open(&app).await, latest(&mona).await["url"].clone()), (1, next["url"].clone()));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn owner_cancels_a_new_film_at_every_stage() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let id = published(&app, &mona, 74).await;
    let before = page(&app, id).await;
    // While it is sent.
    let url = location(&begin_replacing(&mona, 9, id).await);
    begin_replacing(&mona, 9, id).await.refused(403, "film_replacing");
    assert_eq!((cancel(&nils, &url).await, cancel(&mona, &url).await, cancel(&mona, &url).await), (404, 204, 404));
    // While it waits for a worker.
    let url = location(&begin_replacing(&mona, 9, id).await);
    films::filled(&mona, &url, b"some text").await;
    assert_eq!(latest(&mona).await["state"], "processing");
    begin_replacing(&mona, 9, id).await.refused(403, "film_replacing");
    assert_eq!(cancel(&mona, &url).await, 204);
    assert!(work(&worker(&app, |_| {})).await);
    // While it is reviewed.
    let sent = replaced(&app, &mona, id, &film("5", 75)).await;
    begin_replacing(&mona, 9, id).await.refused(403, "film_replacing");
    let replacement = sent["video"]["video_id"].as_i64().unwrap();
    let key = text(&app, &format!("select media_key from videos where id = {replacement}")).await;
    assert_eq!(cancel(&mona, sent["url"].as_str().unwrap()).await, 204);
    assert_eq!(app.approve(replacement).await, DecisionOutcome::NotWaiting);
    assert_eq!(worker(&app, |_| {}).remove_due().await.unwrap(), 1, "nobody has seen it");
    assert!(!app.state().stores.root().join(key).exists());
    assert_eq!((open(&app).await, page(&app, id).await), (0, before));
    assert_eq!(app.numbers("select count(*) from uploads where replaces is not null").await, [0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn new_film_ends_with_its_video() {
    let app = films::app().await;
    let mona = app.member("mona").await;
    app.change(&format!("update users set status_id = manages_uploads() where id = {}", mona.id)).await;
    for (at, end) in ["deleted", "taken down", "rejected", "account"].into_iter().enumerate() {
        let id = published(&app, &mona, 76 + 3 * u8::try_from(at).unwrap()).await;
        let sent = replaced(&app, &mona, id, &film("5", 77 + 3 * u8::try_from(at).unwrap())).await;
        let replacement = sent["video"]["video_id"].as_i64().unwrap();
        match end {
            "deleted" => assert_eq!(mona.post(EDIT, &[("act", "2"), ("video_id", &id.to_string())]).await.status, 200),
            "taken down" => assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", id, "").await.unwrap()),
            "rejected" => {
                app.sql(&format!("update videos set status_id = in_review() where id = {id}")).await;
                app.decide(id, uploads::Verdict::Reject("quality")).await;
            }
            _ => {
                let mut conn = app.pool().acquire().await.unwrap();
                account_removal::remove(&mut conn, mona.id, false).await.unwrap();
            }
        }
        assert_eq!((app.approve(replacement).await, open(&app).await), (DecisionOutcome::NotWaiting, 0), "{end}");
        let ends = format!("select status_id::bigint from videos where id = {replacement} and replaced_at is null");
        assert_eq!(app.numbers(&ends).await, [5], "{end}");
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn film_on_its_way_ends_with_its_video() {
    let app = films::app().await;
    let mona = app.member("mona").await;
    let id = published(&app, &mona, 90).await;
    let url = location(&begin_replacing(&mona, 5, id).await);
    films::filled(&mona, &url, b"words").await;
    let worker = worker(&app, |_| {});
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", id, "").await.unwrap());
    assert!(work(&worker).await);
    assert_eq!(app.numbers("select count(*) from uploads where replaces is not null").await, [0]);
    begin_replacing(&mona, 9, id).await.refused(404, "video_not_found");
    // The video comes back, without the film that was to replace its own.
    quarantine::restore(app.pool(), &Actor::OPERATOR, "video", id, "").await.unwrap();
    app.drain().await;
    assert_eq!((page(&app, id).await["duration"].clone(), open(&app).await), (json!("0:04"), 0));
    app.finish().await;
}

#[tokio::test]
async fn new_film_can_be_taken_down_but_not_restored() {
    let app = films::app().await;
    let mona = app.member("mona").await;
    let id = published(&app, &mona, 91).await;
    let bytes = film("5", 92);
    let replacement = replaced(&app, &mona, id, &bytes).await["video"]["video_id"].as_i64().unwrap();
    assert!(uploads::take_down(app.pool(), &Actor::OPERATOR, "video", replacement, "").await.unwrap());
    assert_eq!(replaced(&app, &mona, id, &bytes).await["error_code"], "video_banned");
    quarantine::restore(app.pool(), &Actor::OPERATOR, "video", replacement, "").await.unwrap();
    assert_eq!(open(&app).await, 0);
    assert_eq!(replaced(&app, &mona, id, &bytes).await["video"]["status_id"], 2, "it may be sent again");
    app.drain().await;
    app.finish().await;
}
