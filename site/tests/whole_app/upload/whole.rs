//! Films that are uploaded in one form together with their metadata.

use axum::{body::Body, extract::FromRef, http::Method};
use futures_util::{StreamExt, stream};
use lantern_testing::film;
use lantern_uploads::Intake;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{
    films::{EDIT, app, latest, short, work, worker},
    tus::{OURS, PATH, VERSION},
};
use crate::support::{App, PATIENCE, Reply, Session};

const FORM: (&str, &str) = ("content-type", "multipart/form-data; boundary=x");
const END: &str = "\r\n--x--\r\n";

pub const TEXTS: [(&str, &str); 4] =
    [("title", "Evenings by the harbour"), ("lang", "en"), ("orientation", "str"), ("categories", "dance,city")];

fn texts(fields: &[(&str, &str)]) -> String {
    let part = |(name, value): &(&str, &str)| {
        format!("--x\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    fields.iter().map(part).collect()
}

/// Returns the part header that precedes the bytes of a film.
fn head(name: &str) -> String {
    format!("--x\r\ncontent-disposition: form-data; name=\"video\"; filename=\"{name}\"\r\n\r\n")
}

async fn send(session: &Session, parts: &[&[u8]]) -> Reply {
    let body = parts.concat();
    let length = body.len().to_string();
    session.send(Method::POST, EDIT, &[FORM, OURS, ("content-length", &length)], Body::from(body)).await
}

/// Sends a form with texts and a film.
pub async fn sent(session: &Session, fields: &[(&str, &str)], name: &str, film: &[u8]) -> Reply {
    send(session, &[texts(fields).as_bytes(), head(name).as_bytes(), film, END.as_bytes()]).await
}

/// Returns the numbers of rows and files that belong to uploads.
async fn left(app: &App) -> (usize, usize) {
    let files = std::fs::read_dir(app.state().incoming.folder().await.unwrap()).unwrap().count();
    (app.numbers("select id from uploads").await.len(), files)
}

#[tokio::test]
async fn film_in_one_form_is_processed_like_any_upload() {
    let app = app().await;
    let mona = app.member("mona").await;
    let film = film("3", 21);
    // Fields may precede and follow the film, and its file name doesn't matter.
    let around = [texts(&TEXTS[..2]), head("Film7.AVI"), format!("\r\n{}", texts(&TEXTS[2..]))];
    let private = [texts(&[("visible", "1"), ("exclusive", "0")]), "--x--\r\n".to_owned()];
    let reply = send(
        &mona,
        &[&around[0], &around[1]]
            .map(|part| part.as_bytes())
            .into_iter()
            .chain([&film[..]])
            .chain([&around[2], &private[0], &private[1]].map(|part| part.as_bytes()))
            .collect::<Vec<_>>(),
    )
    .await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let waiting = latest(&mona).await;
    assert_eq!(reply.json(), json!({ "ok": 1, "upload": waiting["token"] }));
    assert_eq!(
        ["state", "step", "title", "file_name", "size_bytes", "received_bytes"].map(|key| waiting[key].clone()),
        [
            json!("processing"),
            json!("waiting"),
            json!(TEXTS[0].1),
            json!("Film7.AVI"),
            json!(film.len()),
            json!(film.len())
        ]
    );
    let token = waiting["token"].as_str().unwrap();
    assert_eq!(std::fs::read(app.state().incoming.path(token)).unwrap(), film);
    assert!(work(&worker(&app, |_| {})).await);
    let done = latest(&mona).await;
    assert_eq!((&done["state"], left(&app).await), (&json!("done"), (1, 0)), "{done}");
    let own = mona.get(&format!("{EDIT}?video_id={}", done["video"]["video_id"])).await.json();
    assert_eq!(
        (&own["visible"], &own["categories"]),
        (&json!(1), &json!(["city", "dance"])),
        "1 is private in the upload form"
    );
    // The same bytes are refused as a duplicate.
    assert_eq!(sent(&mona, &TEXTS, "again.mp4", &film).await.status, 200);
    assert!(work(&worker(&app, |_| {})).await);
    assert_eq!(latest(&mona).await["error_code"], "video_duplicate");
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn refused_form_leaves_no_files() {
    let app = App::configured(|config| {
        short(config);
        (config.uploads.max_bytes, config.uploads.member_bytes) = (2000, 2000);
    })
    .await;
    let mona = app.member("mona").await;
    let film = [7; 1000];
    sent(&app.guest(), &TEXTS, "film.mp4", &film).await.refused(401, "need_auth");
    for name in ["film", "film.exe", "film.mp4.txt", "my film.mp4", "夜.mp4", ".mp4"] {
        let reply = sent(&mona, &TEXTS, name, &film).await;
        reply.refused(422, "video_bad_filename");
        assert_eq!(reply.json()["field"], "video", "{name}");
    }
    sent(&mona, &TEXTS, "film.mp4", b"").await.refused(422, "video_corrupted_file");
    sent(&mona, &TEXTS, "film.mp4", &[7; 2001]).await.refused(413, "video_size_limit");
    sent(&mona, &TEXTS, "film.mp4", &vec![7; 70_000]).await.refused(413, "video_size_limit");
    let endless = Body::from_stream(stream::iter(
        [texts(&TEXTS), head("film.mp4"), "7".repeat(5000), END.to_owned()].map(Ok::<_, std::io::Error>),
    ));
    mona.send(Method::POST, EDIT, &[FORM, OURS], endless).await.refused(413, "video_size_limit");
    for (more, code) in [
        (("visible", "2"), "invalid"),
        (("title", "ab"), "min_length"),
        (("categories", "nowhere"), "invalid"),
        (("video_id", "1"), "invalid"),
        (("upload", "x"), "invalid"),
        (("act", "2"), "invalid"),
        (("shot", "1"), "invalid"),
    ] {
        // If a field is repeated, the first one counts.
        let fields = [&[more], &TEXTS[..]].concat();
        sent(&mona, &fields, "film.mp4", &film).await.refused(422, code);
        let after = format!("\r\n{}--x--\r\n", texts(&fields));
        send(&mona, &[head("film.mp4").as_bytes(), &film, after.as_bytes()]).await.refused(422, code);
    }
    sent(&mona, &TEXTS[1..], "film.mp4", &film).await.refused(422, "required");
    let second = [&b"\r\n"[..], head("second.mp4").as_bytes()].concat();
    send(&mona, &[texts(&TEXTS).as_bytes(), head("film.mp4").as_bytes(), &film, &second, &film, END.as_bytes()])
        .await
        .refused(422, "invalid");
    let cut = send(&mona, &[texts(&TEXTS).as_bytes(), head("film.mp4").as_bytes(), &film]).await;
    cut.refused(400, "video_upload_error");
    assert_eq!(cut.json()["info"], json!({ "code": "malformed" }));
    assert_eq!(left(&app).await, (0, 0));
    // Without a film, it is a normal form. An empty file field counts as no film.
    sent(&mona, &[("video_id", "1")], "", b"").await.refused(422, "need_select_screenshot");
    mona.post(EDIT, &[("title", &*"x".repeat(66_000))]).await.refused(413, "body_too_large");
    send(&mona, &[texts(&[("title", &*"x".repeat(66_000))]).as_bytes(), END.as_bytes()])
        .await
        .refused(413, "body_too_large");
    // A complete upload counts until it has been processed.
    assert_eq!(sent(&mona, &TEXTS, "film.mp4", &film).await.status, 200);
    sent(&mona, &TEXTS, "film.mp4", &film).await.refused(403, "upload_quota");
    assert_eq!(left(&app).await, (1, 1));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn refuses_films_without_free_disk_space() {
    let app = App::configured(|config| config.uploads.reserve_bytes = u64::MAX / 2).await;
    let mona = app.member("mona").await;
    sent(&mona, &TEXTS, "film.mp4", b"film").await.refused(507, "disk_full");
    assert_eq!(left(&app).await, (0, 0));
    app.finish().await;
}

/// Sends a form whose body the test streams through the channel.
fn open(mona: &Session) -> (mpsc::Sender<Result<Vec<u8>, std::io::Error>>, tokio::task::JoinHandle<Reply>) {
    let (sender, receiver) = mpsc::channel(1);
    let body =
        stream::unfold(receiver, async |mut receiver: mpsc::Receiver<_>| Some((receiver.recv().await?, receiver)));
    let mona = mona.at("127.0.0.1");
    let length = (8 << 20).to_string();
    let sending = tokio::spawn(async move {
        let headers = [FORM, OURS, ("content-length", &*length)];
        mona.send(Method::POST, EDIT, &headers, Body::from_stream(body.boxed())).await
    });
    (sender, sending)
}

async fn until(app: &App, mona: &Session, met: impl Fn(&Value) -> bool) {
    let waiting = async {
        while !met(&latest(mona).await) {
            tokio::task::yield_now().await;
        }
    };
    let seen = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(seen.is_ok(), "{} {:?}", latest(mona).await, left(app).await);
}

#[tokio::test]
async fn streamed_film_is_stored_on_disk_and_removed_if_aborted() {
    let app = App::configured(|config| config.uploads.sync_bytes = 1 << 20).await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let begun = async || {
        let (sender, sending) = open(&mona);
        sender.send(Ok([texts(&TEXTS), head("film.mp4")].concat().into_bytes())).await.unwrap();
        for part in 0..4 {
            sender.send(Ok(vec![part; 1 << 20])).await.unwrap();
        }
        until(&app, &mona, |upload| upload["received_bytes"].as_u64() >= Some(3 << 20)).await;
        (sender, sending)
    };
    // The connection is lost.
    let (sender, sending) = begun().await;
    let receiving = latest(&mona).await;
    assert_eq!(
        (&receiving["state"], &receiving["title"], left(&app).await),
        (&json!("receiving"), &json!(null), (1, 1))
    );
    let url = receiving["url"].as_str().unwrap();
    let piece = super::tus::piece(&mona, url, 3 << 20, "x").await;
    piece.refused(423, "upload_locked");
    nils.send(Method::DELETE, url, &[VERSION, OURS], Body::empty()).await.refused(404, "upload_not_found");
    sender.send(Err(std::io::Error::other("connection lost"))).await.unwrap();
    sending.await.unwrap().refused(400, "video_upload_error");
    assert_eq!(left(&app).await, (0, 0));
    // The client disconnects, so the server drops the request.
    let (sender, sending) = begun().await;
    sending.abort();
    assert!(sending.await.unwrap_err().is_cancelled());
    drop(sender);
    // Its row is removed before its file.
    let removed = async {
        while left(&app).await != (0, 0) {
            tokio::task::yield_now().await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, removed).await.is_ok(), "{:?}", left(&app).await);
    // Either another session of the member terminates the upload, or it expires.
    for expires in [true, false] {
        let (sender, sending) = begun().await;
        if expires {
            // Received bytes extend the upload's expiry, so it is set repeatedly.
            while left(&app).await.0 > 0 {
                app.sql("update uploads set expires_at = to_timestamp(0)").await;
                lantern_uploads::sweep(&Intake::from_ref(&app.state().app)).await.unwrap();
            }
        } else {
            let url = format!("{PATH}{}", latest(&mona).await["token"].as_str().unwrap());
            assert_eq!(mona.send(Method::DELETE, &url, &[VERSION, OURS], Body::empty()).await.status, 204);
        }
        // The request may already have ended.
        sender.send(Ok(END.into())).await.ok();
        drop(sender);
        sending.await.unwrap().refused(404, "upload_not_found");
        assert_eq!(left(&app).await, (0, 0));
    }
    app.finish().await;
}
