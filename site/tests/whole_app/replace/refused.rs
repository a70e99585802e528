//! Which films may replace which.

use lantern_testing::film;
use serde_json::json;

use super::swapped::{APPROVE, decide, published};
use crate::{
    moderate::{
        decide::{choose_poster, pending},
        likeness::encoded,
    },
    support::App,
    upload::{
        films::{self, described, latest, replaced, short, work, worker},
        tus::begin_replacing,
    },
};

#[tokio::test]
async fn only_the_owner_replaces_and_only_what_is_or_will_be_shown() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let id = published(&app, &mona, 101).await;
    begin_replacing(&nils, 9, id).await.refused(404, "video_not_found");
    begin_replacing(&mona, 9, 999_999).await.refused(404, "video_not_found");
    assert_eq!(begin_replacing(&app.guest(), 9, id).await.status, 401);
    for (status, expected) in [(1, 201), (2, 201), (3, 404), (4, 404), (5, 404), (6, 201)] {
        app.sql(&format!(
            "delete from uploads where replaces is not null;
             update videos set status_id = {status}, publish_at = case {status} when 6 then now() + interval '1 day' end where id = {id}"
        ))
        .await;
        assert_eq!(begin_replacing(&mona, 9, id).await.status, expected, "{status}");
    }
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn bytes_decide_even_for_the_same_video() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let (own, other, banned) = (encoded(1), film("4", 103), film("4", 104));
    described(&mona, &own).await;
    let id = choose_poster(&app, &mona).await;
    app.approve(id).await;
    described(&nils, &other).await;
    assert!(work(&worker(&app, |_| {})).await);
    app.sql(&format!(
        "insert into media_prints (section, object_id, part, digest, banned_at) values ('video', 0, 'x', sha256('\\x{}'), now())",
        banned.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    ))
    .await;
    for (bytes, code) in [(&own, "video_same_film"), (&other, "video_duplicate"), (&banned, "video_banned")] {
        assert_eq!(replaced(&app, &mona, id, bytes).await["error_code"], code);
    }
    let told = mona.get("/api/member_lists.php?list=notifications").await.json()["notifications"][0].clone();
    assert_eq!((&told["kind"], &told["object_id"]), (&json!("film_refused"), &json!(id)), "{told}");
    // A better encoding of the same film is what members replace films for.
    assert_eq!(replaced(&app, &mona, id, &encoded(2)).await["video"]["status_id"], 2);
    // Meanwhile it is a film of hers like others.
    described(&mona, &encoded(3)).await;
    assert!(work(&worker(&app, |_| {})).await);
    assert_eq!(latest(&mona).await["error_code"], "video_duplicate");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn new_film_counts_towards_the_quota() {
    let app = App::configured(|config| {
        short(config);
        config.uploads.member_bytes = 1_000_000;
    })
    .await;
    let mona = app.member("mona").await;
    let id = published(&app, &mona, 105).await;
    begin_replacing(&mona, 1_000_001, id).await.refused(403, "upload_quota");
    assert_eq!(begin_replacing(&mona, 600_000, id).await.status, 201);
    crate::upload::tus::begin(&mona, "600000").await.refused(403, "upload_quota");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn reports_are_decided_before_the_film_they_are_about_is_replaced() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.moderator("nils").await);
    let id = published(&app, &mona, 106).await;
    let replacement = replaced(&app, &mona, id, &film("4", 107)).await["video"]["video_id"].as_i64().unwrap();
    app.sql(&format!(
        "insert into reports (subject, email, message, section, object_id) values ('', 'a@b.example', 'Look', 'video', {id})"
    ))
    .await;
    decide(&nils, replacement, &APPROVE).await.refused(409, "film_reported");
    app.sql("update reports set state = 'resolved', closed_at = now()").await;
    assert_eq!(decide(&nils, replacement, &APPROVE).await.status, 200);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn consents_of_the_video_are_those_of_its_new_film() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.moderator("nils").await);
    let id = pending(&app, &mona, 108).await;
    app.approve(id).await;
    app.change(&format!(
        "insert into video_models (video_id, model_id) select {id}, id from models where dir = 'mika-sato'"
    ))
    .await;
    let replacement = replaced(&app, &mona, id, &film("4", 109)).await["video"]["video_id"].as_i64().unwrap();
    decide(&nils, replacement, &APPROVE).await.refused(409, "consent_missing");
    app.change(&format!(
        "insert into performer_consents (model_id, video_id, signed_on, document_kind, document_ref, verified_by, verified_at)
         select id, {id}, '2026-01-01', 'passport', 'x', 'nils', now() from models where dir = 'mika-sato'"
    ))
    .await;
    assert_eq!(decide(&nils, replacement, &APPROVE).await.status, 200);
    app.drain().await;
    app.finish().await;
}
