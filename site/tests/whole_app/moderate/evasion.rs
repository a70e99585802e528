//! Nothing that an uploader does prevents a reported object from being taken down and banned.

use lantern_catalog::moderation::quarantine;
use lantern_testing::film;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::decide::{QUEUE, choose_poster};
use crate::{
    own_album::edit::{approve, files, form, ids, photo, send, sent, with},
    report::send::{complain, no_captcha},
    support::{App, Session, done},
    upload::films::{self, EDIT, described, latest, work, worker},
};

const ALBUM: &str = "/api/album_edit.php";
const TAKE_DOWN: &str = "/api/moderate/take_down";
const NO_PERFORMERS: (&str, &str) = ("nobody", "1");

/// Deletes a member's account.
pub async fn delete_account(member: &Session, uploads: &str) {
    let reply = member.post("/api/account.php", &[("act", "delete"), ("uploads", uploads)]).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
}

async fn take_down(moderator: &Session, section: &str, id: &str) -> u16 {
    moderator.post(TAKE_DOWN, &[("section", section), ("id", id)]).await.status
}

/// Hides an object in the same way as reports.
async fn hide(app: &App, section: &str, id: &str) {
    app.change(&format!(
        "insert into report_hides (section, object_id, before) select '{section}', id, status_id from {section}s where id = {id};
         update {section}s set status_id = in_review() where id = {id};
         insert into reports (subject, email, message, section, object_id, reason, is_severe)
         values ('', 'a@b.example', 'Look', '{section}', {id}, 'illegal', true)"
    ))
    .await;
}

/// Creates a public album. Returns its id and the response to its creation.
async fn shown(app: &App, owner: &Session, moderator: &Session, photos: &[&[u8]]) -> (String, Value) {
    let created = sent(owner, &form("By the harbour"), photos).await;
    assert_eq!(approve(moderator, created["album_id"].as_i64().unwrap(), &[NO_PERFORMERS]).await.status, 200);
    app.drain().await;
    (created["album_id"].to_string(), created)
}

/// Whether the queue contains the object.
async fn is_queued(moderator: &Session, section: &str, id: &str) -> bool {
    let queue = moderator.get(QUEUE).await.json();
    queue["uploads"]
        .as_array()
        .unwrap()
        .iter()
        .any(|row| row["section"] == section && row["id"].as_i64() == id.parse().ok())
}

#[tokio::test]
async fn album_of_a_deleted_account_is_taken_down_and_its_pictures_banned() {
    let app = App::configured(no_captcha).await;
    let (mona, nils, olga) = (app.member("mona").await, app.moderator("nils").await, app.member("olga").await);
    let (album, created) = shown(&app, &mona, &nils, &[&photo(1), &photo(2)]).await;
    let reporter = app.settled("reporter").await;
    assert_eq!(complain(&reporter, "album", &album, "illegal").await.status, 200);
    delete_account(&mona, "1").await;
    app.drain().await;
    assert_eq!(app.get(created["photos"][0]["large"].as_str().unwrap()).await.status, 404, "hidden from the public");

    // Its files are retained until there is a decision, regardless of the grace period.
    app.sweep_albums().await;
    assert_eq!(files(&app).len(), 6);
    assert!(is_queued(&nils, "album", &album).await);
    let seen = nils.get(&format!("/api/moderate/upload?section=album&id={album}")).await.json();
    assert_eq!((seen["frames"].as_array().unwrap().len(), &seen["uploader"]), (2, &json!(null)), "{seen}");
    assert_eq!(nils.get(seen["frames"][0].as_str().unwrap()).await.status, 200);
    assert_eq!(seen["reports"].as_array().unwrap().len(), 1);

    assert_eq!(take_down(&nils, "album", &album).await, 200);
    assert_eq!(app.numbers("select count(*) from reports where state = 'resolved'").await, [1]);
    send(&olga, &form("Once more"), &[&photo(2)]).await.refused(422, "photo_banned");
    assert!(!is_queued(&nils, "album", &album).await);
    assert_eq!(take_down(&nils, "album", &album).await, 404, "already taken down");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn film_of_a_deleted_account_is_banned_by_its_take_down() {
    let app = films::app().await;
    let (mona, nils, olga) = (app.member("mona").await, app.moderator("nils").await, app.member("olga").await);
    let bytes = film("4", 32);
    described(&mona, &bytes).await;
    let id = choose_poster(&app, &mona).await;
    app.approve(id).await;
    delete_account(&mona, "0").await;
    app.drain().await;
    assert_eq!(app.get(&format!("/api/videofile.php?video_id={id}")).await.status, 200, "public videos stay");
    assert_eq!(app.numbers("select count(*) from uploads").await, [0], "the upload is deleted with the account");
    assert_eq!(take_down(&nils, "video", &id.to_string()).await, 200);
    described(&olga, &bytes).await;
    assert!(work(&worker(&app, |_| {})).await);
    assert_eq!(latest(&olga).await["error_code"], "video_banned");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn film_hidden_by_reports_is_retained_until_decided() {
    let app = films::app().await;
    let (mona, nils) = (app.member("mona").await, app.moderator("nils").await);
    let mut ids = Vec::new();
    for seed in [32, 33] {
        described(&mona, &film("4", seed)).await;
        let id = choose_poster(&app, &mona).await;
        app.approve(id).await;
        hide(&app, "video", &id.to_string()).await;
        ids.push(id.to_string());
    }
    app.change(&format!("update users set status_id = manages_uploads() where id = {}", mona.id)).await;
    done(&mona.post(EDIT, &[("act", "2"), ("video_id", &ids[0])]).await);
    delete_account(&mona, "1").await;
    app.sql("update videos set deleted_at = '-infinity' where deleted_at is not null").await;
    let worker = worker(&app, |_| {});
    assert_eq!(worker.remove_due().await.unwrap(), 0);
    assert!(is_queued(&nils, "video", &ids[0]).await && is_queued(&nils, "video", &ids[1]).await);
    // One video is taken down. The reports on the other are rejected, so its owner's deletion takes effect.
    assert_eq!(take_down(&nils, "video", &ids[0]).await, 200);
    let seen = nils.get(&format!("/api/moderate/upload?section=video&id={}", ids[1])).await.json();
    let report = seen["reports"][0]["id"].to_string();
    assert_eq!(nils.post("/api/moderate/reports", &[("id", &*report), ("verdict", "reject")]).await.status, 200);
    assert_eq!(worker.remove_due().await.unwrap(), 1);
    let late = OffsetDateTime::now_utc() + Duration::days(31);
    assert_eq!(quarantine::end_due(app.pool(), 30, late).await.unwrap(), 1);
    assert_eq!(worker.remove_due().await.unwrap(), 1, "it was not restored");
    app.drain().await;
    app.get(&format!("/api/videofile.php?video_id={}", ids[1])).await.refused(404, "video_not_found");
    app.finish().await;
}

#[tokio::test]
async fn picture_removed_from_a_reported_album_is_only_hidden() {
    let app = App::configured(no_captcha).await;
    let (mona, nils, olga) = (app.member("mona").await, app.moderator("nils").await, app.member("olga").await);
    let (album, created) = shown(&app, &mona, &nils, &[&photo(1), &photo(2)]).await;
    hide(&app, "album", &album).await;
    let (of, first) = (("album_id", album.as_str()), ids(&created)[0].to_string());
    assert_eq!(sent(&mona, &[of, ("remove", &first)], &[]).await["photos"].as_array().unwrap().len(), 1);
    let large = created["photos"][0]["large"].as_str().unwrap();
    assert_eq!((mona.get(large).await.status, nils.get(large).await.status), (404, 200));
    app.sweep_pictures().await;
    let seen = nils.get(&format!("/api/moderate/upload?section=album&id={album}")).await.json();
    assert_eq!((seen["frames"].as_array().unwrap().len(), files(&app).len()), (2, 6), "{seen}");
    // An owner with `status_id` 6 deletes the rest.
    app.change(&format!("update users set status_id = manages_uploads() where id = {}", mona.id)).await;
    assert_eq!(mona.post(ALBUM, &[of, ("act", "2")]).await.status, 200);
    assert!(is_queued(&nils, "album", &album).await);
    assert_eq!(take_down(&nils, "album", &album).await, 200);
    let refused = send(&olga, &form("Once more"), &[&photo(1), &photo(2)]).await;
    refused.refused(422, "photo_banned");
    assert_eq!(refused.json()["codes"].as_array().unwrap().len(), 2);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn removed_picture_is_deleted_once_reports_are_rejected() {
    let app = App::configured(no_captcha).await;
    let (mona, nils) = (app.member("mona").await, app.moderator("nils").await);
    let (album, created) = shown(&app, &mona, &nils, &[&photo(1), &photo(2)]).await;
    hide(&app, "album", &album).await;
    sent(&mona, &[("album_id", album.as_str()), ("remove", &ids(&created)[0].to_string())], &[]).await;
    app.age_pictures("albums");
    app.sweep_pictures().await;
    assert_eq!(files(&app).len(), 6);
    let report = app.numbers("select id from reports").await[0].to_string();
    let form = [("id", report.as_str()), ("verdict", "reject")];
    assert_eq!(nils.post("/api/moderate/reports", &form).await.json()["restored"], true);
    app.sweep_pictures().await;
    assert_eq!(files(&app).len(), 3);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn album_can_be_taken_down_in_every_state() {
    let app = App::configured(|config| {
        no_captcha(config);
        config.albums.undecided = 10;
        config.moderation.step_up_after = 10;
    })
    .await;
    let (mona, nils, olga) = (app.member("mona").await, app.moderator("nils").await, app.member("olga").await);
    let mut albums = Vec::new();
    for n in 1..=5 {
        let created = sent(&mona, &with(&form("One of them"), &[("draft", "1")]), &[&photo(n)]).await;
        albums.push(created["album_id"].to_string());
    }
    // These are a draft, a public album, one hidden by reports, one without an owner, and a deleted one without files.
    app.change(&format!("update albums set status_id = published() where id in ({}, {})", albums[1], albums[2])).await;
    hide(&app, "album", &albums[2]).await;
    app.change(&format!("update albums set user_id = null, status_id = published() where id = {}", albums[3])).await;
    app.change(&format!("update albums set status_id = deleted(), deleted_at = '-infinity' where id = {}", albums[4]))
        .await;
    app.sweep_albums().await;
    assert_eq!(files(&app).len(), 12);
    for album in &albums {
        assert_eq!(take_down(&nils, "album", album).await, 200, "{album}");
    }
    let photos: Vec<Vec<u8>> = (1..=5).map(photo).collect();
    let photos: Vec<&[u8]> = photos.iter().map(Vec::as_slice).collect();
    let refused = send(&olga, &form("Once more"), &photos).await;
    let codes: Vec<Value> = (0..5).map(|_| json!({ "field": "photos", "code": "photo_banned" })).collect();
    assert_eq!(refused.json()["codes"], json!(codes));
    assert_eq!(take_down(&nils, "album", "999999").await, 404);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn reported_text_is_retained_until_the_report_is_closed() {
    let app = App::configured(no_captcha).await;
    let reporter = app.settled("reporter").await;
    for section in ["playlist", "comment", "wall", "user"] {
        assert_eq!(complain(&reporter, section, "1", "insult").await.status, 200, "{section}");
    }
    let retained = "select count(*) from reports where length(said) > 2";
    app.change("delete from playlists where id = 1; delete from comments where id = 1; delete from walls where id = 1")
        .await;
    assert_eq!(app.numbers(retained).await, [4]);
    app.sql("update reports set state = 'rejected', closed_at = now()").await;
    assert_eq!(app.numbers(retained).await, [0]);
    app.drain().await;
    app.finish().await;
}
