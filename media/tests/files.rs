//! Tests the media routes by calling them in process, on a folder of small files.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{fs, path::PathBuf, time::UNIX_EPOCH};

use axum::{
    Router,
    body::Body,
    http::{HeaderValue, Request, Response, StatusCode, header},
};
use http_body_util::BodyExt;
use lantern_media::{FileOrigin, MediaState, links::Signer, router, stores::Stores};
use tower::ServiceExt;

const NOW: i64 = 1_800_000_000;

/// Returns the routes' state. They read a few bytes at a time, so that a film consists of several pieces.
fn state(root: PathBuf, signer: &Signer, accel_prefix: &str) -> MediaState {
    MediaState {
        stores: Stores::local(root, accel_prefix.to_owned()),
        signer: signer.clone(),
        picture_cache: HeaderValue::from_static("public, max-age=600"),
        read_bytes: 4,
        now: || NOW,
    }
}

struct Site {
    folder: tempfile::TempDir,
    signer: Signer,
    router: Router,
}

fn site() -> Site {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("media");
    fs::create_dir_all(root.join("demo/03/hls")).unwrap();
    fs::create_dir_all(root.join("demo/pictures")).unwrap();
    fs::write(root.join("demo/03/video.mp4"), "0123456789").unwrap();
    fs::write(root.join("demo/03/hls/master.m3u8"), "#EXTM3U\n").unwrap();
    fs::write(root.join("demo/03/timeline.vtt"), "WEBVTT\n").unwrap();
    fs::write(root.join("demo/03/shot-4-320.webp"), "picture").unwrap();
    fs::write(root.join("demo/pictures/07-640.webp"), "picture").unwrap();
    fs::write(root.join("demo/03/notes.txt"), "internal").unwrap();
    fs::write(folder.path().join("secret.key"), "secret").unwrap();
    let signer = Signer::new(b"secret");
    let router = router(state(root, &signer, ""));
    Site { folder, signer, router }
}

impl Site {
    async fn send(&self, method: &str, url: &str, headers: &[(&str, &str)]) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    fn video(&self) -> String {
        self.signer.link("demo/03", "video.mp4", NOW + 60).unwrap()
    }
}

fn header(response: &Response<Body>, name: header::HeaderName) -> &str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

async fn text(response: Response<Body>) -> String {
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn pictures_need_no_link_and_have_a_content_type() {
    let site = site();
    for url in ["/media/p/demo/03/shot-4-320.webp", "/media/p/demo/pictures/07-640.webp"] {
        let response = site.send("GET", url, &[]).await;
        assert_eq!(response.status(), StatusCode::OK, "{url}");
        assert_eq!(header(&response, header::CONTENT_TYPE), "image/webp");
        assert_eq!(header(&response, header::CACHE_CONTROL), "public, max-age=600");
        let path = url.strip_prefix("/media/p/").unwrap().to_owned();
        assert_eq!(response.extensions().get(), Some(&FileOrigin::Picture(path)));
        assert_eq!(text(response).await, "picture");
    }
}

#[tokio::test]
async fn only_pictures_are_public() {
    let site = site();
    for url in [
        "/media/p/demo/03/video.mp4",
        "/media/p/demo/03/hls/master.m3u8",
        "/media/p/demo/03/timeline.vtt",
        "/media/p/demo/03/notes.txt",
        "/media/p/demo/03/shot-5-320.webp",
        "/media/p/demo/03/",
        "/media/p/../secret.key",
        "/media/p/demo/%2e%2e/%2e%2e/secret.key",
        "/media/p/demo/03/..%2f..%2f..%2fsecret.key",
        "/media/p/%2fetc%2fpasswd",
        "/media/p/demo/03/shot-4-320.webp%00.webp",
    ] {
        let response = site.send("GET", url, &[]).await;
        assert_eq!(response.status(), StatusCode::NOT_FOUND, "{url}");
        assert_eq!(text(response).await, r#"{"error":1,"code":"file_not_found"}"#, "{url}");
    }
    assert!(site.folder.path().join("secret.key").exists(), "the secret file exists");
    let response = site.send("GET", "/media/p/%ff", &[]).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn signed_link_supports_ranges() {
    let site = site();
    let url = site.video();
    let whole = site.send("GET", &url, &[]).await;
    assert_eq!(whole.status(), StatusCode::OK);
    assert_eq!(header(&whole, header::CONTENT_TYPE), "video/mp4");
    assert_eq!(header(&whole, header::ACCEPT_RANGES), "bytes");
    assert_eq!(header(&whole, header::CACHE_CONTROL), "private, max-age=60");
    assert_eq!(text(whole).await, "0123456789");

    for (range, part, content_range) in [
        ("bytes=2-4", "234", "bytes 2-4/10"),
        ("bytes=1-8", "12345678", "bytes 1-8/10"),
        ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=-2", "89", "bytes 8-9/10"),
        ("bytes=-20", "0123456789", "bytes 0-9/10"),
    ] {
        let response = site.send("GET", &url, &[("range", range)]).await;
        assert_eq!(response.status(), StatusCode::PARTIAL_CONTENT, "{range}");
        assert_eq!(header(&response, header::CONTENT_RANGE), content_range);
        assert_eq!(header(&response, header::CONTENT_LENGTH), part.len().to_string());
        assert_eq!(text(response).await, part);
    }
    for range in ["bytes=0-1,4-5", "items=0-1", "bytes=4-2"] {
        let response = site.send("GET", &url, &[("range", range)]).await;
        assert_eq!((response.status(), header(&response, header::CONTENT_RANGE)), (StatusCode::OK, ""), "{range}");
        assert_eq!(text(response).await, "0123456789", "{range}");
    }

    let beyond = site.send("GET", &url, &[("range", "bytes=10-")]).await;
    assert_eq!(beyond.status(), StatusCode::RANGE_NOT_SATISFIABLE);
    assert_eq!(header(&beyond, header::CONTENT_RANGE), "bytes */10");
    assert_eq!(header(&beyond, header::CACHE_CONTROL), "no-store");

    let head = site.send("HEAD", &url, &[("range", "bytes=2-4")]).await;
    assert_eq!(head.status(), StatusCode::OK);
    assert_eq!(header(&head, header::CONTENT_LENGTH), "10");
    assert_eq!(text(head).await, "");

    let post = site.send("POST", &url, &[]).await;
    assert_eq!(post.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn range_of_a_changed_file_returns_the_whole_file() {
    let site = site();
    let url = site.video();
    let whole = site.send("GET", &url, &[]).await;
    let modified = header(&whole, header::LAST_MODIFIED).to_owned();
    let tag = header(&whole, header::ETAG).to_owned();
    assert!(!modified.is_empty() && tag.starts_with('"'));

    for known in [&modified, &tag] {
        let same = site.send("GET", &url, &[("range", "bytes=2-4"), ("if-range", known)]).await;
        assert_eq!(same.status(), StatusCode::PARTIAL_CONTENT, "{known}");
        assert_eq!(text(same).await, "234");
    }
    for (name, value) in [("if-modified-since", &modified), ("if-none-match", &tag)] {
        let known = site.send("GET", &url, &[(name, value)]).await;
        assert_eq!((known.status(), header(&known, header::ETAG)), (StatusCode::NOT_MODIFIED, tag.as_str()), "{name}");
        assert_eq!(header(&known, header::CACHE_CONTROL), "private, max-age=60");
        assert_eq!(text(known).await, "");
    }
    let file = site.folder.path().join("media/demo/03/video.mp4");
    fs::write(&file, "abcdefghij").unwrap();
    // The length is the same, and the modification time may be too.
    fs::File::options().write(true).open(&file).unwrap().set_modified(UNIX_EPOCH).unwrap();
    for stale in [&modified, &tag] {
        let changed = site.send("GET", &url, &[("range", "bytes=2-4"), ("if-range", stale)]).await;
        assert_eq!(changed.status(), StatusCode::OK, "{stale}");
        assert_eq!(text(changed).await, "abcdefghij");
    }
    let other = site.send("GET", &url, &[("range", "bytes=2-4"), ("if-match", &tag)]).await;
    assert_eq!((other.status(), header(&other, header::CACHE_CONTROL)), (StatusCode::PRECONDITION_FAILED, "no-store"));
}

/// Clients must not mistake a partial response for the whole film.
#[tokio::test]
async fn truncated_file_aborts_the_response() {
    let site = site();
    let response = site.send("GET", &site.video(), &[]).await;
    fs::write(site.folder.path().join("media/demo/03/video.mp4"), "01").unwrap();
    assert_eq!(header(&response, header::CONTENT_LENGTH), "10");
    response.into_body().collect().await.unwrap_err();
}

#[tokio::test]
async fn download_link_has_a_file_name_and_opens_nothing_else() {
    let site = site();
    let url = site.signer.download("demo/03", "video.mp4", "quiet-river.mp4", NOW + 8_640_000).unwrap();
    let response = site.send("GET", &url, &[("range", "bytes=2-4")]).await;
    assert_eq!(response.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(header(&response, header::CONTENT_DISPOSITION), "attachment; filename=\"quiet-river.mp4\"");
    assert_eq!(header(&response, header::CONTENT_TYPE), "video/mp4");
    assert_eq!(response.extensions().get(), Some(&FileOrigin::Film("demo/03".to_owned())));
    assert_eq!(text(response).await, "234");
    for (url, status) in [
        (url.replace("quiet-river", "other"), StatusCode::FORBIDDEN),
        (url.replace("/media/d/", "/media/s/"), StatusCode::FORBIDDEN),
        (site.video().replace("/media/s/", "/media/d/"), StatusCode::FORBIDDEN),
        (url.replace(&(NOW + 8_640_000).to_string(), "soon"), StatusCode::NOT_FOUND),
    ] {
        assert_eq!(site.send("GET", &url, &[]).await.status(), status, "{url}");
    }
}

#[tokio::test]
async fn playlists_and_captions_have_content_types() {
    let site = site();
    for (file, content_type) in
        [("hls/master.m3u8", "application/vnd.apple.mpegurl"), ("timeline.vtt", "text/vtt; charset=utf-8")]
    {
        let url = site.signer.link("demo/03", file, NOW + 60).unwrap();
        let response = site.send("GET", &url, &[]).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(header(&response, header::CONTENT_TYPE), content_type);
        assert_eq!(response.extensions().get(), Some(&FileOrigin::Film("demo/03".to_owned())), "the signed folder");
    }
}

#[tokio::test]
async fn invalid_links_are_refused() {
    let site = site();
    let good = site.video();
    let old = site.signer.link("demo/03", "video.mp4", NOW).unwrap();
    let elsewhere = site.signer.link("demo/04", "video.mp4", NOW + 60).unwrap().replace("demo/04", "demo/03");
    let later = good.replace(&(NOW + 60).to_string(), &(NOW + 6000).to_string());
    let missing = site.signer.link("demo/03", "other.mp4", NOW + 60).unwrap();
    let internal = site.signer.link("demo/03", "notes.txt", NOW + 60).unwrap();
    let folder = site.signer.link("demo/03", "hls", NOW + 60).unwrap();
    let climbing = good.replace("demo/03/", "demo/03/%2e%2e/04/");
    for (url, status, code) in [
        (old, StatusCode::FORBIDDEN, "link_expired"),
        (elsewhere, StatusCode::FORBIDDEN, "dont_have_permission"),
        (later, StatusCode::FORBIDDEN, "dont_have_permission"),
        (format!("/media/s/soon/{}/demo/03/video.mp4", "0".repeat(64)), StatusCode::NOT_FOUND, "file_not_found"),
        (missing, StatusCode::NOT_FOUND, "file_not_found"),
        (internal, StatusCode::NOT_FOUND, "file_not_found"),
        (folder, StatusCode::NOT_FOUND, "file_not_found"),
        (climbing, StatusCode::NOT_FOUND, "file_not_found"),
    ] {
        let response = site.send("GET", &url, &[]).await;
        assert_eq!(response.status(), status, "{url}");
        let body = text(response).await;
        assert_eq!(body, format!(r#"{{"error":1,"code":"{code}"}}"#), "{url}");
    }
}
