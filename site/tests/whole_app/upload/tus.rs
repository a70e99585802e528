//! Uploads with tus 1.0: pieces, lost connections, checksums, and termination.

use axum::{body::Body, http::Method};
use base64::prelude::{BASE64_STANDARD, Engine};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use crate::support::{App, Reply, Session};

pub const PATH: &str = "/api/uploads/";
pub const VERSION: (&str, &str) = ("tus-resumable", "1.0.0");
pub const OURS: (&str, &str) = ("sec-fetch-site", "same-origin");
pub const PIECE: (&str, &str) = ("content-type", "application/offset+octet-stream");

/// Creates an upload of this many bytes.
pub async fn begin(session: &Session, bytes: &str) -> Reply {
    begin_with(session, bytes, "").await
}

/// Creates the upload of a new film for a video.
pub async fn begin_replacing(session: &Session, bytes: usize, video: i64) -> Reply {
    begin_with(session, &bytes.to_string(), &format!(",replaces {}", BASE64_STANDARD.encode(video.to_string()))).await
}

async fn begin_with(session: &Session, bytes: &str, more: &str) -> Reply {
    let metadata = format!("filetype dmlkZW8vbXA0,filename {}{more}", BASE64_STANDARD.encode("夜の市場.mp4"));
    let headers = [VERSION, OURS, ("upload-length", bytes), ("upload-metadata", &metadata)];
    session.send(Method::POST, PATH, &headers, Body::empty()).await
}

/// Creates an upload that must be accepted, and returns its address.
pub async fn begun(session: &Session, bytes: usize) -> String {
    location(&begin(session, &bytes.to_string()).await)
}

/// Returns the address of an upload that must have been created.
pub fn location(reply: &Reply) -> String {
    assert_eq!((reply.status, reply.header("tus-resumable")), (201, "1.0.0"), "{}", reply.text());
    reply.header("location").to_owned()
}

/// Sends a piece with additional headers.
async fn send(session: &Session, url: &str, offset: usize, more: &[(&str, &str)], body: Body) -> Reply {
    let offset = offset.to_string();
    let headers = [VERSION, OURS, PIECE, ("upload-offset", &offset)];
    session.send(Method::PATCH, url, &[&headers, more].concat(), body).await
}

pub async fn piece(session: &Session, url: &str, offset: usize, bytes: &'static str) -> Reply {
    send(session, url, offset, &[], Body::from(bytes)).await
}

/// Returns the stored offset, requested in the same way as by a client that lost its connection.
async fn offset(session: &Session, url: &str) -> String {
    let reply = session.send(Method::HEAD, url, &[VERSION], Body::empty()).await;
    assert_eq!((reply.status, reply.header("cache-control")), (200, "private, no-store"));
    reply.header("upload-offset").to_owned()
}

/// Returns the only upload in a member's list.
async fn listed(session: &Session) -> Value {
    session.get(PATH).await.json()["uploads"][0].clone()
}

fn stored(app: &App, url: &str) -> Vec<u8> {
    std::fs::read(app.state().incoming.path(url.strip_prefix(PATH).unwrap())).unwrap()
}

#[tokio::test]
async fn upload_in_pieces_is_complete_with_the_last_one() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let offered = app.send(Method::OPTIONS, PATH, &[]).await;
    assert_eq!((offered.status, offered.header("tus-version")), (204, "1.0.0"));
    assert_eq!(offered.header("tus-extension"), "creation,termination,checksum,expiration");
    assert_eq!(
        (offered.header("tus-max-size"), offered.header("tus-checksum-algorithm")),
        ("10737418240", "sha1,sha256")
    );

    let url = begun(&mona, 15).await;
    assert_eq!(offset(&mona, &url).await, "0");
    let reply = piece(&mona, &url, 0, "one ").await;
    assert_eq!((reply.status, reply.header("upload-offset")), (204, "4"));
    assert!(reply.header("upload-expires").ends_with(" GMT"));
    let upload = listed(&mona).await;
    assert_eq!((&upload["url"], &upload["file_name"]), (&json!(url), &json!("夜の市場.mp4")));
    assert_eq!((&upload["received_bytes"], &upload["state"]), (&json!(4), &json!("receiving")));

    let checksum = format!("sha256 {}", BASE64_STANDARD.encode(Sha256::digest("two ")));
    assert_eq!(send(&mona, &url, 4, &[("upload-checksum", &checksum)], Body::from("two ")).await.status, 204);
    let reply = piece(&mona, &url, 8, "and ten").await;
    assert_eq!((reply.status, reply.header("upload-offset"), reply.header("upload-expires")), (204, "15", ""));
    assert_eq!((stored(&app, &url), &listed(&mona).await["state"]), (b"one two and ten".to_vec(), &json!("received")));
    piece(&mona, &url, 15, "more").await.refused(409, "upload_offset");
    app.finish().await;
}

#[tokio::test]
async fn bytes_before_a_lost_connection_count_and_uncounted_ones_after_a_crash_do_not() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let url = begun(&mona, 12).await;
    let broken = stream::iter([Ok("one "), Ok("tw"), Err(std::io::Error::other("connection lost"))]);
    send(&mona, &url, 0, &[], Body::from_stream(broken)).await.refused(400, "malformed");
    assert_eq!((offset(&mona, &url).await, stored(&app, &url)), ("6".to_owned(), b"one tw".to_vec()));
    // A piece with a checksum counts either completely or not at all.
    let broken = stream::iter([Ok("o thr"), Err(std::io::Error::other("connection lost"))]);
    let checksum = ("upload-checksum", "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=");
    send(&mona, &url, 6, &[checksum], Body::from_stream(broken)).await.refused(400, "malformed");
    send(&mona, &url, 6, &[checksum], Body::from("o ten.")).await.refused(460, "upload_checksum");
    assert_eq!(offset(&mona, &url).await, "6");
    // This is the state after a crash between writing the file and the row.
    std::fs::write(app.state().incoming.path(&url[PATH.len()..]), "one two but more than was counted").unwrap();
    assert_eq!(piece(&mona, &url, 6, "o ten.").await.status, 204);
    assert_eq!(stored(&app, &url), b"one two ten.");
    app.finish().await;
}

#[tokio::test]
async fn stalled_request_is_replaced_by_the_next_and_its_bytes_count() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let url = begun(&mona, 7).await;
    let (sender, receiver) = mpsc::channel::<Result<&'static str, std::io::Error>>(1);
    let body = stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
    let hanging = tokio::spawn({
        let (mona, url) = (mona.at("127.0.0.1"), url.clone());
        async move { send(&mona, &url, 0, &[], Body::from_stream(body.boxed())).await }
    });
    sender.send(Ok("one")).await.unwrap();
    // Sending the second chunk completes once the first one has been received, because the channel holds one.
    sender.send(Ok(" ")).await.unwrap();
    sender.reserve().await.unwrap();
    // A request for the offset also ends the request that is appending.
    assert_eq!(offset(&mona, &url).await, "4");
    hanging.await.unwrap().refused(423, "upload_locked");
    assert_eq!(piece(&mona, &url, 4, "two").await.status, 204);
    assert_eq!(stored(&app, &url), b"one two");
    app.finish().await;
}

#[tokio::test]
async fn invalid_pieces_change_nothing() {
    let app = App::start().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    let url = begun(&mona, 6).await;
    piece(&nils, &url, 0, "theirs").await.refused(404, "upload_not_found");
    piece(&app.guest(), &url, 0, "nobody").await.refused(401, "need_auth");
    for (token, status, code) in
        [("another", 404, "upload_not_found"), (&"x".repeat(43), 404, "upload_not_found"), ("%FF", 400, "malformed")]
    {
        piece(&mona, &format!("{PATH}{token}"), 0, "x").await.refused(status, code);
    }
    piece(&mona, &url, 3, "gap").await.refused(409, "upload_offset");
    assert_eq!(nils.send(Method::HEAD, &url, &[VERSION], Body::empty()).await.status, 404);
    for (headers, status, code) in [
        (&[OURS, PIECE, ("upload-offset", "0")][..], 412, "tus_version"),
        (&[OURS, PIECE, ("upload-offset", "0"), ("tus-resumable", "0.2.2")], 412, "tus_version"),
        (&[OURS, VERSION, ("upload-offset", "0")], 415, "unsupported_media_type"),
        (&[OURS, VERSION, PIECE], 422, "required"),
        (&[OURS, VERSION, PIECE, ("upload-offset", "-1")], 422, "invalid"),
        (&[OURS, VERSION, PIECE, ("upload-offset", "0"), ("upload-checksum", "md5 AAAA")], 422, "invalid"),
        (&[VERSION, PIECE, ("upload-offset", "0"), ("sec-fetch-site", "cross-site")], 403, "cross_site"),
    ] {
        let reply = mona.send(Method::PATCH, &url, headers, Body::from("abc")).await;
        reply.refused(status, code);
        assert_eq!(reply.header("tus-version"), if status == 412 { "1.0.0" } else { "" });
    }
    assert_eq!(offset(&mona, &url).await, "0");
    // More bytes are sent than announced. Those that fit count and complete the upload.
    piece(&mona, &url, 0, "enough and more").await.refused(413, "body_too_large");
    assert_eq!((offset(&mona, &url).await, stored(&app, &url)), ("6".to_owned(), b"enough".to_vec()));
    app.finish().await;
}

#[tokio::test]
async fn upload_is_terminated_by_delete_or_method_override() {
    let app = App::start().await;
    let (mona, nils) = (app.member("mona").await, app.member("nils").await);
    for headers in [&[VERSION, OURS][..], &[VERSION, OURS, ("x-http-method-override", "DELETE")]] {
        let method = if headers.len() == 2 { Method::DELETE } else { Method::POST };
        let url = begun(&mona, 6).await;
        assert_eq!(piece(&mona, &url, 0, "abc").await.status, 204);
        nils.send(method.clone(), &url, headers, Body::empty()).await.refused(404, "upload_not_found");
        assert_eq!(mona.send(method.clone(), &url, headers, Body::empty()).await.status, 204);
        mona.send(method, &url, headers, Body::empty()).await.refused(404, "upload_not_found");
        assert!(!app.state().incoming.path(&url[PATH.len()..]).exists());
    }
    let url = begun(&mona, 6).await;
    let piece = [VERSION, OURS, PIECE, ("upload-offset", "0"), ("x-http-method-override", "PATCH")];
    assert_eq!(mona.send(Method::POST, &url, &piece, Body::from("abc")).await.header("upload-offset"), "3");
    mona.send(Method::POST, &url, &[VERSION, OURS], Body::empty()).await.refused(405, "method_not_allowed");
    app.finish().await;
}

#[tokio::test]
async fn bytes_of_a_disconnected_client_count() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    let url = begun(&mona, 8 << 20).await;
    let (sender, receiver) = mpsc::channel::<Result<Vec<u8>, std::io::Error>>(1);
    let body = stream::unfold(receiver, async |mut receiver| Some((receiver.recv().await?, receiver)));
    let request = tokio::spawn({
        let (mona, url) = (mona.at("127.0.0.1"), url.clone());
        async move { send(&mona, &url, 0, &[], Body::from_stream(body.boxed())).await }
    });
    for part in 0..5 {
        sender.send(Ok(vec![part; 1 << 20])).await.unwrap();
    }
    sender.reserve().await.unwrap();
    // The server drops the request, as it does when its connection closes. The body gets no error.
    request.abort();
    assert!(request.await.unwrap_err().is_cancelled());
    assert_eq!(offset(&mona, &url).await, (5 << 20).to_string());
    let bytes = stored(&app, &url);
    assert!(bytes.len() == 5 << 20 && bytes.iter().enumerate().all(|(at, byte)| at >> 20 == usize::from(*byte)));
    app.finish().await;
}

#[tokio::test]
async fn upload_with_lost_bytes_is_not_found() {
    let app = App::start().await;
    let mona = app.member("mona").await;
    for is_truncated in [true, false] {
        let url = begun(&mona, 6).await;
        assert_eq!(piece(&mona, &url, 0, "abc").await.status, 204);
        let path = app.state().incoming.path(&url[PATH.len()..]);
        if is_truncated {
            std::fs::write(&path, "a").unwrap()
        } else {
            std::fs::remove_file(&path).unwrap()
        }
        piece(&mona, &url, 3, "def").await.refused(404, "upload_not_found");
        assert_eq!(
            (mona.send(Method::HEAD, &url, &[VERSION], Body::empty()).await.status, path.exists()),
            (404, false)
        );
    }
    app.finish().await;
}
