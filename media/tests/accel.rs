//! Tests Lantern's responses with `X-Accel-Redirect`, and how a real nginx in front of it handles them, if nginx is installed.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::{
    fs,
    path::Path,
    process::{Child, Command},
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{HeaderValue, Request, StatusCode},
};
use http_body_util::BodyExt;
use lantern_media::{MediaState, links::Signer, router, stores::Stores};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{UnixListener, UnixStream},
};
use tower::ServiceExt;

const NOW: i64 = 1_800_000_000;

fn state(root: &Path) -> MediaState {
    MediaState {
        stores: Stores::local(root.to_owned(), "/inside/".to_owned()),
        signer: Signer::new(b"secret"),
        picture_cache: HeaderValue::from_static("public, max-age=600"),
        read_bytes: 65_536,
        now: || NOW,
    }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let film = folder.path().join("media/demo/03");
    fs::create_dir_all(&film).unwrap();
    fs::write(film.join("video.mp4"), "0123456789").unwrap();
    folder
}

#[tokio::test]
async fn permitted_files_are_named_and_not_sent() {
    let folder = folder();
    let state = state(&folder.path().join("media"));
    let url = state.signer.download("demo/03", "video.mp4", "quiet-river.mp4", NOW + 60).unwrap();
    let forged = url.replace("quiet", "other");
    let missing = state.signer.link("demo/03", "other.mp4", NOW + 60).unwrap();
    let site = router(state);
    let ask = async |url: &str| site.clone().oneshot(Request::get(url).body(Body::empty()).unwrap()).await.unwrap();
    let named = ask(&url).await;
    assert_eq!(named.status(), StatusCode::OK);
    assert_eq!(named.headers()["x-accel-redirect"], "/inside/demo/03/video.mp4");
    assert_eq!(named.headers()["content-type"], "video/mp4");
    assert_eq!(named.headers()["content-disposition"], "attachment; filename=\"quiet-river.mp4\"");
    assert!(named.into_body().collect().await.unwrap().to_bytes().is_empty());
    for (url, status) in [(forged, StatusCode::FORBIDDEN), (missing, StatusCode::NOT_FOUND)] {
        let refused = ask(&url).await;
        assert_eq!((refused.status(), refused.headers().get("x-accel-redirect")), (status, None), "{url}");
    }
}

/// An nginx process, which is killed at the end of the test.
struct Nginx(Child);

impl Drop for Nginx {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts nginx between two sockets in the folder, configured as in docs/OPERATIONS.md. Returns `None` if it isn't installed.
async fn nginx(folder: &Path) -> Option<Nginx> {
    let program = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
        .into_iter()
        .find(|path| Path::new(path).exists())?;
    let at = folder.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {at}/{kind};\n"))
        .concat();
    let config = format!(
        "daemon off; master_process off; pid {at}/nginx.pid; error_log {at}/error.log; events {{ }}
         http {{
             access_log off; types {{ }} {temporary}
             server {{
                 listen unix:{at}/front.sock;
                 location / {{ proxy_pass http://unix:{at}/lantern.sock; }}
                 location /inside/ {{
                     internal;
                     alias {at}/media/;
                     add_header X-Content-Type-Options $upstream_http_x_content_type_options always;
                 }}
             }}
         }}"
    );
    fs::write(folder.join("nginx.conf"), config).unwrap();
    let log = folder.join("error.log");
    let child = Command::new(program).arg("-e").arg(&log).arg("-c").arg(folder.join("nginx.conf")).spawn().unwrap();
    let mut nginx = Nginx(child);
    let started = Instant::now();
    while UnixStream::connect(folder.join("front.sock")).await.is_err() {
        let ended = nginx.0.try_wait().unwrap();
        let said = || fs::read_to_string(&log).unwrap_or_default();
        assert!(ended.is_none() && started.elapsed() < Duration::from_secs(20), "nginx failed to start: {}", said());
        tokio::task::yield_now().await;
    }
    Some(nginx)
}

async fn ask(folder: &Path, path: &str, headers: &str) -> String {
    let mut stream = UnixStream::connect(folder.join("front.sock")).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn nginx_serves_named_files_and_nothing_else() {
    let folder = folder();
    let state = state(&folder.path().join("media"));
    let url = state.signer.link("demo/03", "video.mp4", NOW + 60).unwrap();
    let listener = UnixListener::bind(folder.path().join("lantern.sock")).unwrap();
    let site = tokio::spawn(axum::serve(listener, router(state)).into_future());
    let Some(_nginx) = nginx(folder.path()).await else { return };
    let part = ask(folder.path(), &url, "Range: bytes=2-4\r\n").await;
    assert!(part.starts_with("HTTP/1.1 206") && part.ends_with("\r\n\r\n234"), "{part}");
    let head = part.to_ascii_lowercase();
    for header in [
        "content-range: bytes 2-4/10",
        "content-type: video/mp4",
        "cache-control: private, max-age=60",
        "x-content-type-options: nosniff",
    ] {
        assert!(head.contains(header), "{header}: {part}");
    }
    let whole = ask(folder.path(), &url, "").await;
    assert!(whole.starts_with("HTTP/1.1 200") && whole.ends_with("\r\n\r\n0123456789"), "{whole}");
    let forged = ask(folder.path(), &url.replace("/media/s/1", "/media/s/2"), "").await;
    assert!(forged.starts_with("HTTP/1.1 403") && !forged.contains("0123456789"), "{forged}");
    let direct = ask(folder.path(), "/inside/demo/03/video.mp4", "").await;
    assert!(direct.starts_with("HTTP/1.1 404"), "{direct}");
    site.abort();
}
