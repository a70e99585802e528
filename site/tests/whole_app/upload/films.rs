//! The path from an upload to a public video, and its metadata along the way.

use axum::{body::Body, http::Method};
use lantern_catalog::moderation::uploads::{DecisionOutcome, Verdict};
use lantern_config::Config;
use lantern_media::{incoming::Incoming, tool::Tools, worker::Worker};
use lantern_testing::film;
use serde_json::{Value, json};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use super::tus::{OURS, PATH, PIECE, VERSION, begin_replacing, begun, location, piece};
use crate::support::{App, Session};

pub const EDIT: &str = "/api/video_edit.php";

/// Returns a site that accepts films of three seconds, and exclusive ones of two.
pub async fn app() -> App {
    App::configured(short).await
}

pub fn short(config: &mut Config) {
    (config.films.other_seconds, config.films.exclusive_seconds, config.films.max_seconds) = (3, 2, 20);
}

pub fn worker(app: &App, change: impl FnOnce(&mut Config)) -> Worker {
    worker_on(app, app.pool().clone(), change)
}

/// Returns a worker with separate connections.
pub fn worker_on(app: &App, pool: PgPool, change: impl FnOnce(&mut Config)) -> Worker {
    let state = app.state();
    let mut config = Config::clone(&state.config);
    change(&mut config);
    let incoming = Incoming::new(state.incoming.path("x").parent().unwrap().to_owned());
    Worker::new(pool, incoming, state.stores.clone(), &config, Tools::own())
}

pub async fn work(worker: &Worker) -> bool {
    worker.work_once(&CancellationToken::new()).await.unwrap()
}

/// Sends a whole film and returns its token.
pub async fn sent(member: &Session, film: &[u8]) -> String {
    let url = begun(member, film.len()).await;
    filled(member, &url, film).await
}

/// Sends a whole film to an upload that has begun, and returns its token.
pub async fn filled(member: &Session, url: &str, film: &[u8]) -> String {
    let headers = [VERSION, OURS, PIECE, ("upload-offset", "0")];
    let reply = member.send(Method::PATCH, url, &headers, Body::from(film.to_vec())).await;
    assert_eq!(reply.status, 204, "{}", reply.text());
    url.strip_prefix(PATH).unwrap().to_owned()
}

/// Sends a new film for a video, processes it, and returns its entry in the member's list.
pub async fn replaced(app: &App, member: &Session, video: i64, film: &[u8]) -> Value {
    let url = location(&begin_replacing(member, film.len(), video).await);
    filled(member, &url, film).await;
    assert!(work(&worker(app, |_| {})).await);
    latest(member).await
}

pub fn form<'a>(token: &'a str, title: &'a str) -> [(&'a str, &'a str); 5] {
    [("upload", token), ("title", title), ("lang", "en"), ("orientation", "str"), ("categories", "dance,city")]
}

/// Sends a film with its metadata and returns its token.
pub async fn described(member: &Session, film: &[u8]) -> String {
    let token = sent(member, film).await;
    let reply = member.post(EDIT, &form(&token, "Evenings by the harbour")).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    token
}

/// Returns the latest upload in a member's list.
pub async fn latest(member: &Session) -> Value {
    member.get(PATH).await.json()["uploads"][0].clone()
}

#[tokio::test]
async fn uploaded_film_becomes_a_public_video_after_approval() {
    let app = app().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let token = sent(&mona, &film("4", 1)).await;
    assert_eq!(
        (latest(&mona).await["state"].clone(), latest(&mona).await["step"].clone()),
        (json!("received"), json!(null))
    );
    let worker = worker(&app, |_| {});
    assert!(!work(&worker).await, "it has no metadata yet");
    nils.post(EDIT, &form(&token, "Somebody else's")).await.refused(404, "upload_not_found");
    assert_eq!(mona.post(EDIT, &form(&token, "Evenings by the harbour")).await.json(), json!({ "ok": 1 }));
    let waiting = latest(&mona).await;
    assert_eq!(
        (&waiting["state"], &waiting["step"], &waiting["title"]),
        (&json!("processing"), &json!("waiting"), &json!("Evenings by the harbour"))
    );
    assert!(work(&worker).await && !work(&worker).await);
    assert!(!app.state().incoming.path(&token).exists(), "the upload is removed after transcoding");

    let done = latest(&mona).await;
    assert_eq!((&done["state"], &done["video"]["status_id"]), (&json!("done"), &json!(3)), "{done}");
    let id = done["video"]["video_id"].as_i64().unwrap();
    let (page, file) =
        (format!("/api/json/video/86400/{}/{id}.json", id / 1000), format!("/api/videofile.php?video_id={id}"));
    let shots = done["video"]["shots"].as_array().unwrap();
    assert_eq!(shots.len(), 10);
    for shot in shots {
        let shot = shot.as_str().unwrap();
        let seen = [mona.get(shot).await.status, nils.get(shot).await.status, app.get(shot).await.status];
        assert_eq!(seen, [200, 404, 404], "{shot}");
    }
    app.get(&page).await.refused(404, "video_not_found");
    mona.post(EDIT, &[("video_id", &id.to_string())]).await.refused(422, "need_select_screenshot");
    mona.post(EDIT, &[("video_id", &id.to_string()), ("shot", "10")]).await.refused(422, "invalid");
    nils.post(EDIT, &[("video_id", &id.to_string()), ("shot", "7")]).await.refused(404, "video_not_found");
    let chosen = mona.post(EDIT, &[("video_id", &id.to_string()), ("shot", "7")]).await.json();
    assert_eq!(chosen, json!({ "ok": 1, "status_id": 2 }));
    assert_eq!(app.get(&file).await.status, 404, "it waits for a decision");

    app.sql("update videos set post_date = now() - interval '3 days' where status_id = in_review()").await;
    assert_eq!(app.approve(id).await, DecisionOutcome::Done);
    let age = format!("select extract(epoch from now() - post_date)::bigint from videos where id = {id}");
    assert!(app.numbers(&age).await[0] < 60, "its date is that of the approval");
    app.drain().await;
    let video = app.json(&page).await["video"].clone();
    assert_eq!((&video["title"], &video["duration"]), (&json!("Evenings by the harbour"), &json!("0:04")), "{video}");
    assert!(video["thumb"].as_str().unwrap().ends_with("shot-7-320.webp"), "{video}");
    assert_eq!(video["categories"].as_array().unwrap().len(), 2);
    let streams = app.json(&file).await["video_url"].clone();
    assert_eq!((&streams[0]["type"], &streams[0]["height"]), (&json!("hls"), &json!(240)));
    for stream in streams.as_array().unwrap() {
        assert_eq!(app.get(stream["url"].as_str().unwrap()).await.status, 200);
    }
    let found = app.ids("/api/videos2.php?params=86400/str/relevance/10/search..1.all..&s=evenings").await;
    assert!(found.contains(&id), "{found:?}");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn metadata_of_a_film_is_validated_as_a_whole() {
    let app = app().await;
    let mona = app.member("mona").await;
    let token = sent(&mona, &film("4", 2)).await;
    let all = |changed: &[(&'static str, &'static str)]| {
        let unchanged =
            form(&token, "A title").into_iter().filter(|(name, _)| !changed.iter().any(|(other, _)| other == name));
        unchanged.chain(changed.iter().copied()).collect::<Vec<_>>()
    };
    let wrong = mona.post(EDIT, &[("upload", &*token), ("title", "ab")]).await.json();
    let fields: Vec<&str> =
        wrong["codes"].as_array().unwrap().iter().map(|wrong| wrong["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["title", "lang", "orientation", "categories"], "{wrong}");
    for (change, code) in [
        (("categories", "city,dance,light,music"), "invalid"),
        (("categories", "nowhere"), "invalid"),
        (("categories", " , "), "required"),
        (("models", "nobody"), "invalid"),
        (("orientation", "x"), "invalid"),
        (("visible", "2"), "invalid"),
        (("lang", "xx"), "invalid"),
    ] {
        mona.post(EDIT, &all(&[change])).await.refused(422, code);
    }
    let bad = app.state().config.safety.prohibited_terms[0].clone();
    mona.post(EDIT, &form(&token, &format!("So {bad} it is"))).await.refused(422, "prohibited_terms");
    mona.post(EDIT, &[("title", "Nothing named")]).await.refused(422, "required");
    assert_eq!(latest(&mona).await["state"], "received");
    // The second set of metadata replaces the first.
    assert_eq!(mona.post(EDIT, &all(&[])).await.status, 200);
    let second = all(&[("title", "Second"), ("visible", "1"), ("models", "mika-sato, anna-lind")]);
    assert_eq!(mona.post(EDIT, &second).await.status, 200);
    assert!(work(&worker(&app, |_| {})).await);
    let id = latest(&mona).await["video"]["video_id"].clone();
    let own = mona.get(&format!("{EDIT}?video_id={id}")).await.json();
    assert_eq!(
        (&own["title"], &own["visible"], &own["models"], &own["status_id"]),
        (&json!("Second"), &json!(1), &json!(["anna-lind", "mika-sato"]), &json!(3)),
        "{own}"
    );
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn metadata_may_be_sent_before_the_last_piece() {
    let app = app().await;
    let mona = app.member("mona").await;
    let url = begun(&mona, 5).await;
    let token = url.strip_prefix(PATH).unwrap();
    assert_eq!(mona.post(EDIT, &form(token, "Sent before")).await.status, 200);
    assert_eq!(latest(&mona).await["state"], "receiving");
    assert_eq!(piece(&mona, &url, 0, "words").await.status, 204);
    assert_eq!(latest(&mona).await["state"], "processing");
    assert!(work(&worker(&app, |_| {})).await);
    let failed = latest(&mona).await;
    assert_eq!((&failed["state"], &failed["error_code"]), (&json!("failed"), &json!("video_corrupted_file")));
    assert!(!app.state().incoming.path(token).exists());
    let removed = mona.send(Method::DELETE, &url, &[VERSION, OURS], Body::empty()).await;
    assert_eq!((removed.status, latest(&mona).await), (204, json!(null)));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn edited_video_needs_a_new_decision() {
    let app = app().await;
    let mona = app.member("mona").await;
    described(&mona, &film("4", 3)).await;
    assert!(work(&worker(&app, |_| {})).await);
    let id = latest(&mona).await["video"]["video_id"].to_string();
    assert_eq!(mona.post(EDIT, &[("video_id", &id), ("shot", "0")]).await.json()["status_id"], 2);
    assert_eq!(app.approve(id.parse().unwrap()).await, DecisionOutcome::Done);
    let revised = |title: &'static str, visible: &'static str| {
        let mut form = form("", title).to_vec();
        form[0] = ("video_id", &id);
        form.push(("visible", visible));
        form
    };
    let same = "Evenings by the harbour";
    assert_eq!(
        mona.post(EDIT, &revised(same, "1")).await.json()["status_id"],
        1,
        "a change of visibility needs no review"
    );
    assert_eq!(mona.post(EDIT, &revised(same, "0")).await.json()["status_id"], 1);
    assert_eq!(mona.post(EDIT, &revised("Mornings", "0")).await.json()["status_id"], 2);
    let own = mona.get(&format!("{EDIT}?video_id={id}")).await.json();
    assert_eq!((&own["title"], &own["shot"]), (&json!("Mornings"), &json!(0)));
    assert_eq!(app.decide(id.parse().unwrap(), Verdict::Reject("quality")).await, DecisionOutcome::Done);
    let rejected = latest(&mona).await["video"].clone();
    assert_eq!((&rejected["status_id"], &rejected["reason"]), (&json!(4), &json!("quality")));
    assert_eq!(
        mona.post(EDIT, &revised("Noons", "0")).await.json()["status_id"],
        2,
        "a rejected video may be corrected"
    );
    app.drain().await;
    app.finish().await;
}
