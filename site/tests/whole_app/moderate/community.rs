//! Profiles, which are reviewed before publication, hidden by reports, and cleared item by item.

use axum::{body::Body, http::Method};
use image::{ImageFormat, RgbImage, imageops};
use lantern_config::Config;
use lantern_testing::scene;
use serde_json::{Value, json};

use super::evasion::delete_account;
use crate::{
    area::pictures::encoded,
    own_album::edit::{form, send as send_album, sent},
    report::send::{complain, no_captcha},
    support::{App, NOW, Reply, STAT, Session, done},
};

const PROFILE: &str = "/api/member.php";
const COMMUNITY: &str = "/api/moderate/community";
const DECIDE: &str = "/api/moderate/profile";
const CLEAR: &str = "/api/moderate/clear";

async fn send(member: &Session, field: &str, picture: &RgbImage) -> Reply {
    let head = format!("--x\r\ncontent-disposition: form-data; name=\"{field}\"; filename=\"a.png\"\r\n\r\n");
    let png = encoded(picture.clone(), ImageFormat::Png);
    let body = [head.as_bytes(), &png, b"\r\n--x--\r\n"].concat();
    let headers = [("content-type", "multipart/form-data; boundary=x"), ("sec-fetch-site", "same-origin")];
    member.send(Method::POST, PROFILE, &headers, Body::from(body)).await
}

/// Returns the response with a member's public profile.
async fn page(app: &App, id: i64) -> Reply {
    app.drain().await;
    app.get(&format!("/api/json/member/7200/0/{id}.json")).await
}

async fn shown(app: &App, id: i64) -> Value {
    page(app, id).await.json()["member"].clone()
}

/// Returns the queue's row for a member's change.
async fn change(moderator: &Session, member: &Session, kind: &str) -> Option<Value> {
    let queue = moderator.get(COMMUNITY).await.json();
    let rows = queue["profiles"].as_array().unwrap();
    rows.iter().find(|row| row["user_id"] == member.id && row["kind"] == kind).cloned()
}

async fn decide(moderator: &Session, row: &Value, verdict: &str) -> Reply {
    let (user, revision) = (row["user_id"].to_string(), row["revision"].to_string());
    let kind = row["kind"].as_str().unwrap();
    let form = [("user_id", user.as_str()), ("kind", kind), ("revision", &revision), ("verdict", verdict)];
    moderator.post(DECIDE, &form).await
}

async fn clear(moderator: &Session, what: &str, id: i64) -> Reply {
    moderator.post(CLEAR, &[("what", what), ("id", &id.to_string())]).await
}

#[tokio::test]
async fn new_picture_is_visible_only_to_its_member_until_reviewed() {
    let app = App::start().await;
    let (mona, nils, olga) = (app.member("mona").await, app.moderator("nils").await, app.member("olga").await);
    olga.get(COMMUNITY).await.refused(403, "dont_have_permission");
    let mut before = Value::Null;
    for (seed, verdict) in [(1, "approve"), (2, "reject"), (3, "approve")] {
        let answer = done(&send(&mona, "u_ava", &scene(seed, 400, 400)).await);
        let new = answer["user"]["avatar"].as_str().unwrap().to_owned();
        assert_eq!((&answer["waiting"], &shown(&app, mona.id).await["avatar"]), (&json!(["avatar"]), &before));
        assert_eq!(mona.get("/api/me.php").await.json()["user"]["avatar"], *new);
        let seen = [mona.get(&new).await, nils.get(&new).await, olga.get(&new).await, app.get(&new).await];
        assert_eq!(seen.map(|reply| reply.status), [200, 200, 404, 404], "{verdict}");
        let row = change(&nils, &mona, "avatar").await.unwrap();
        assert_eq!((&row["picture"], &row["before"], &row["username"]), (&json!(new), &before, &json!("mona")));
        assert_eq!(decide(&nils, &row, verdict).await.status, 200);
        decide(&nils, &row, verdict).await.refused(409, "not_waiting");
        if verdict == "approve" {
            before = json!(new);
        }
        assert_eq!(shown(&app, mona.id).await["avatar"], before, "{verdict}");
        assert_eq!(mona.get(PROFILE).await.json()["user"]["avatar"], before, "{verdict}");
    }
    assert_eq!(app.get(before.as_str().unwrap()).await.status, 200);
    // Replaced and rejected pictures are orphans, whereas a pending one is referenced.
    done(&send(&mona, "u_cover", &scene(4, 1300, 300)).await);
    app.age_pictures("members");
    assert_eq!(app.sweep_pictures().await, 2);
    let row = change(&nils, &mona, "cover").await.unwrap();
    assert_eq!(nils.get(row["picture"].as_str().unwrap()).await.status, 200);
    // Once the picture has been replaced, a decision on the former one is refused.
    done(&send(&mona, "u_cover", &scene(5, 1300, 300)).await);
    decide(&nils, &row, "approve").await.refused(409, "changed_meanwhile");
    done(&mona.post(PROFILE, &[("u_cover_rem", "1"), ("u_ava_rem", "1")]).await);
    assert_eq!((change(&nils, &mona, "cover").await, &shown(&app, mona.id).await["avatar"]), (None, &Value::Null));
    assert_eq!(app.media_files(&format!("members/{}", mona.id)), [""; 0]);
    app.finish().await;
}

#[tokio::test]
async fn new_profile_texts_await_review_while_old_ones_stay() {
    let app = App::start().await;
    let (mona, nils) = (app.member("mona").await, app.moderator("nils").await);
    let first = done(&mona.post(PROFILE, &[("about", "First"), ("city", "Osaka"), ("country", "JP")]).await);
    assert_eq!((&first["user"]["about"], &first["waiting"]), (&json!("First"), &json!(["texts"])));
    let page = shown(&app, mona.id).await;
    assert_eq!((&page["about"], &page["city"], &page["country"]), (&json!(null), &json!(null), &json!("JP")));
    let row = change(&nils, &mona, "texts").await.unwrap();
    let texts = json!([{ "field": "about", "before": null, "text": "First" }, { "field": "city", "before": null, "text": "Osaka" }]);
    assert_eq!(row["texts"], texts);
    assert_eq!(decide(&nils, &row, "approve").await.status, 200);
    assert_eq!(shown(&app, mona.id).await["about"], "First");
    // Resubmitting the form changes nothing. A changed text awaits review, and a removal takes effect at once.
    let form = [("about", "First"), ("city", "Osaka"), ("country", "JP"), ("interests", "")];
    assert_eq!(done(&mona.post(PROFILE, &form).await)["waiting"], json!([]));
    done(&mona.post(PROFILE, &[("about", "Second"), ("city", "")]).await);
    let page = shown(&app, mona.id).await;
    assert_eq!((&page["about"], &page["city"]), (&json!("First"), &json!(null)));
    let row = change(&nils, &mona, "texts").await.unwrap();
    assert_eq!(row["texts"], json!([{ "field": "about", "before": "First", "text": "Second" }]));
    // Reverting to the public text leaves nothing to review.
    assert_eq!(done(&mona.post(PROFILE, &[("about", "First")]).await)["waiting"], json!([]));
    decide(&nils, &row, "approve").await.refused(409, "not_waiting");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn profile_review_can_be_disabled() {
    let app = App::configured(|config: &mut Config| config.moderation.review_profiles = false).await;
    let mona = app.member("mona").await;
    let answer = done(&send(&mona, "u_ava", &scene(1, 400, 400)).await);
    assert_eq!(answer["waiting"], json!([]));
    done(&mona.post(PROFILE, &[("about", "At once")]).await);
    let page = shown(&app, mona.id).await;
    assert_eq!((&page["about"], &page["avatar"]), (&json!("At once"), &answer["user"]["avatar"]));
    app.finish().await;
}

#[tokio::test]
async fn banned_picture_is_recognized_when_altered() {
    let app = App::start().await;
    let (mona, nils, olga) = (app.member("mona").await, app.moderator("nils").await, app.member("olga").await);
    let picture = scene(1, 600, 500);
    let created = sent(&mona, &form("One"), &[&encoded(picture.clone(), ImageFormat::Png)]).await;
    let album = created["album_id"].to_string();
    assert_eq!(nils.post("/api/moderate/take_down", &[("section", "album"), ("id", &album)]).await.status, 200);
    let smaller = imageops::resize(&picture, 598, 498, imageops::FilterType::Triangle);
    let changed = [
        ("scaled by two pixels", smaller.clone()),
        ("mirrored", imageops::flip_horizontal(&smaller)),
        ("rotated", imageops::rotate90(&smaller)),
    ];
    for (name, picture) in &changed {
        send_album(&olga, &form("Two"), &[&encoded(picture.clone(), ImageFormat::Jpeg)])
            .await
            .refused(422, "photo_banned");
        let reply = send(&olga, "u_ava", picture).await;
        reply.refused(422, "photo_banned");
        assert_eq!(reply.json()["field"], "u_ava", "{name}");
    }
    send(&olga, "u_cover", &imageops::resize(&picture, 1302, 1085, imageops::FilterType::Triangle))
        .await
        .refused(422, "photo_banned");
    assert_eq!(app.media_files(&format!("members/{}", olga.id)), [""; 0]);
    // Another picture passes. One without stored fingerprints also passes, until a job has computed them.
    done(&send(&olga, "u_ava", &scene(2, 400, 400)).await);
    let old =
        sent(&mona, &form("Old"), &[&encoded(scene(3, 500, 500), ImageFormat::Png)]).await["album_id"].to_string();
    app.sql(&format!(
        "update media_prints set looks = '{{}}', looked_at = null where object_id = {old} and section = 'album'"
    ))
    .await;
    assert_eq!(nils.post("/api/moderate/take_down", &[("section", "album"), ("id", &old)]).await.status, 200);
    assert_eq!(app.state().pictures.fingerprint(app.pool()).await.unwrap(), 1);
    assert_eq!(app.state().pictures.fingerprint(app.pool()).await.unwrap(), 0);
    let smaller = imageops::resize(&scene(3, 500, 500), 498, 498, imageops::FilterType::Triangle);
    send(&olga, "u_ava", &smaller).await.refused(422, "photo_banned");
    app.drain().await;
    app.finish().await;
}

/// Creates a member with an approved picture and text.
async fn member_with_profile(app: &App, name: &str, moderator: &Session, seed: u32) -> (Session, String) {
    let member = app.member(name).await;
    let avatar =
        done(&send(&member, "u_ava", &scene(seed, 400, 400)).await)["user"]["avatar"].as_str().unwrap().to_owned();
    done(&member.post(PROFILE, &[("about", "About me")]).await);
    for kind in ["avatar", "texts"] {
        let row = change(moderator, &member, kind).await.unwrap();
        assert_eq!(decide(moderator, &row, "approve").await.status, 200);
    }
    app.drain().await;
    (member, avatar)
}

/// Hides a profile through reports by trusted members from different networks.
async fn hide(app: &App, member: &Session) {
    for n in 1..=4 {
        let juror = app.settled(&format!("juror{n}-{}", member.id)).await;
        let upheld_reports = format!(
            "insert into reports (subject, email, message, section, object_id, reason, is_severe, user_id, state, closed_at)
             select '', 'a@b.example', 'Right', 'video', id, 'illegal', true, {}, 'resolved', to_timestamp({NOW}) - interval '1 day'
             from generate_series(900001, 900004) id",
            juror.id
        );
        app.change(&upheld_reports).await;
        let juror = juror.at(&format!("198.51.{n}.7"));
        assert_eq!(complain(&juror, "user", &member.id.to_string(), "non_consensual").await.status, 200);
    }
    app.drain().await;
}

#[tokio::test]
async fn reports_hide_a_profile_until_they_are_rejected() {
    let app = App::configured(no_captcha).await;
    let nils = app.moderator("nils").await;
    let (mona, avatar) = member_with_profile(&app, "mona", &nils, 1).await;
    assert_eq!(app.get(&avatar).await.status, 200);
    hide(&app, &mona).await;
    page(&app, mona.id).await.refused(404, "member_not_found");
    assert_eq!((app.get(&avatar).await.status, nils.get(&avatar).await.status), (404, 200));
    app.age_pictures("members");
    app.sweep_pictures().await;
    let queue = nils.get(COMMUNITY).await.json();
    let reported = queue["reported"].as_array().unwrap().iter().find(|row| row["id"] == mona.id).unwrap().clone();
    assert_eq!(
        (&reported["section"], &reported["is_hidden"], &reported["avatar"]),
        (&json!("user"), &json!(true), &json!(avatar))
    );
    assert!(reported["said"].as_str().unwrap().contains("About me"), "{reported}");
    let report = reported["reports"][0]["id"].to_string();
    assert_eq!(
        nils.post("/api/moderate/reports", &[("id", &*report), ("verdict", "reject")]).await.json()["restored"],
        true
    );
    let page = shown(&app, mona.id).await;
    assert_eq!((&page["avatar"], &page["about"]), (&json!(avatar), &json!("About me")));
    assert_eq!(app.get(&avatar).await.status, 200);
    // A moderator can't be hidden by reports.
    hide(&app, &nils).await;
    assert_eq!(app.numbers("select count(*) from users where hidden_at is not null").await, [0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn moderator_clears_each_kind_separately() {
    let app = App::configured(no_captcha).await;
    let (nils, olga) = (app.moderator("nils").await, app.member("olga").await);
    let (mona, avatar) = member_with_profile(&app, "mona", &nils, 1).await;
    done(&send(&mona, "u_cover", &scene(2, 1300, 300)).await);
    hide(&app, &mona).await;
    clear(&olga, "avatar", mona.id).await.refused(403, "dont_have_permission");
    assert_eq!(clear(&nils, "avatar", mona.id).await.status, 200);
    // The profile is visible without the picture, its reports have been closed, and the picture is banned.
    let page = shown(&app, mona.id).await;
    assert_eq!((&page["avatar"], &page["about"]), (&json!(null), &json!("About me")));
    assert_eq!((app.get(&avatar).await.status, nils.get(&avatar).await.status), (404, 200));
    assert_eq!(app.numbers("select count(*) from reports where state in ('open', 'in_review')").await, [0]);
    send(&mona, "u_ava", &imageops::resize(&scene(1, 400, 400), 398, 398, imageops::FilterType::Triangle))
        .await
        .refused(422, "photo_banned");
    assert_eq!(clear(&nils, "cover", mona.id).await.status, 200, "a pending picture");
    assert_eq!(change(&nils, &mona, "cover").await, None);
    send(&olga, "u_cover", &scene(2, 1300, 300)).await.refused(422, "photo_banned");
    assert_eq!(clear(&nils, "profile", mona.id).await.status, 200);
    assert_eq!(shown(&app, mona.id).await["about"], json!(null));

    let new = [("act", "playlist"), ("section", "new"), ("title", "A title"), ("desc", "Some words")];
    let playlist = done(&mona.post(STAT, &new).await)["playlist_id"].as_i64().unwrap();
    let comment = [("act", "comm"), ("section", "video"), ("object_id", "1"), ("msg", "A comment to clear")];
    let comment = done(&mona.post(STAT, &comment).await)["comment_id"].as_i64().unwrap();
    let wall = [("act", "wall"), ("object_id", &*olga.id.to_string()), ("msg", "An entry to clear")];
    let wall = done(&mona.post(STAT, &wall).await)["wall_id"].as_i64().unwrap();
    let reporter = app.settled("reporter").await;
    for (section, id) in [("playlist", playlist), ("comment", comment), ("wall", wall)] {
        assert_eq!(complain(&reporter, section, &id.to_string(), "insult").await.status, 200, "{section}");
        let queue = nils.get(COMMUNITY).await.json();
        let row = queue["reported"].as_array().unwrap().iter().find(|row| row["section"] == section).unwrap().clone();
        assert_eq!((&row["id"], &row["username"]), (&json!(id), &json!("mona")), "{row}");
        assert_eq!(clear(&nils, section, id).await.status, 200);
    }
    let left = format!(
        "select count(*) from playlists where id = {playlist} and (title = 'A title' or description = 'Some words')
         union all select count(*) from comments where id = {comment} and deleted_at is null
         union all select count(*) from walls where id = {wall} and deleted_at is null"
    );
    assert_eq!(app.numbers(&left).await, [0, 0, 0]);
    clear(&nils, "comment", comment).await.refused(404, "comment_not_found");
    clear(&nils, "wall", wall).await.refused(404, "wall_not_found");
    clear(&nils, "playlist", 999_999).await.refused(404, "playlist_not_found");
    clear(&nils, "avatar", 999_999).await.refused(404, "member_not_found");
    assert_eq!(nils.get(COMMUNITY).await.json()["reported"], json!([]));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn pictures_of_a_reported_member_are_retained_until_decided() {
    let app = App::configured(no_captcha).await;
    let nils = app.moderator("nils").await;
    let (mona, avatar) = member_with_profile(&app, "mona", &nils, 1).await;
    let reporter = app.settled("reporter").await;
    assert_eq!(complain(&reporter, "user", &mona.id.to_string(), "illegal").await.status, 200);
    done(&mona.post(PROFILE, &[("u_ava_rem", "1")]).await);
    let other = done(&send(&mona, "u_ava", &scene(2, 400, 400)).await)["user"]["avatar"].as_str().unwrap().to_owned();
    delete_account(&mona, "1").await;
    app.age_pictures("members");
    app.sweep_pictures().await;
    app.drain().await;
    for picture in [&avatar, &other] {
        assert_eq!((app.get(picture).await.status, nils.get(picture).await.status), (404, 200));
    }
    let report = app.numbers("select id from reports where state = 'open'").await[0].to_string();
    assert_eq!(nils.post("/api/moderate/reports", &[("id", &*report), ("verdict", "reject")]).await.status, 200);
    app.sweep_pictures().await;
    assert_eq!(app.media_files(&format!("members/{}", mona.id)), [""; 0]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn refuses_names_that_resemble_staff() {
    let app = App::configured(no_captcha).await;
    for name in ["admin", "Adm1n_7", "Lantern-Support"] {
        let form = [("usr", name), ("eml", "somebody@mail.example"), ("pwd", "a long password"), ("agree18", "1")];
        let reply = app.guest_posts("/api/signup.php", &form).await;
        reply.refused(422, "name_reserved");
        assert_eq!(reply.json()["field"], "usr");
    }
    app.finish().await;
}
