//! Handlers that panic. Only their own request fails, and it gets a documented error.

use std::time::Duration;

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::App;

/// A timeout far above the time that any step needs.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Sets a date that Postgres supports but Rust's `time` doesn't, so that reading the row panics.
const POISON: &str = "update videos set post_date = 'infinity' where id = 20";
const VIDEO: &str = "/api/json/video/86400/0/20.json";

/// Sends a request on a connection that is kept alive. Returns the status, the head in lowercase and the body.
async fn ask(stream: &mut TcpStream, path: &str) -> (u16, String, Vec<u8>) {
    let request = format!("GET {path} HTTP/1.1\r\nhost: tube.example\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut read = Vec::new();
    let reading = async {
        loop {
            let text = String::from_utf8_lossy(&read).into_owned();
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let head = head.to_ascii_lowercase();
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
                if body.len() >= length.unwrap_or(0) {
                    let status = head["http/1.1 ".len()..][..3].parse().unwrap();
                    return (status, head, body.as_bytes().to_vec());
                }
            }
            assert!(stream.read_buf(&mut read).await.unwrap() > 0, "{path}: closed after {text:?}");
        }
    };
    timeout(TIMEOUT, reading).await.unwrap()
}

#[tokio::test]
async fn panicking_handler_answers_500_and_its_connection_lives_on() {
    let app = App::start().await;
    app.sql(POISON).await;
    let (address, _stop, _) = app.listen().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut other = TcpStream::connect(address).await.unwrap();
    for round in 0..3 {
        let (status, head, body) = ask(&mut stream, VIDEO).await;
        assert_eq!(status, 500, "{round}: {head}");
        let error: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&error["error"], &error["code"]), (&1.into(), &"internal".into()), "{error}");
        let id = head.lines().find_map(|line| line.strip_prefix("x-request-id: ")).unwrap();
        assert_eq!(error["request_id"], id);
        assert!(head.contains("cache-control: no-store"), "{head}");
        assert!(!head.contains("connection: close"), "{head}");
        assert!(!error.to_string().contains("panic"), "the cause is only in the log: {error}");
        for stream in [&mut stream, &mut other] {
            assert_eq!(ask(stream, "/robots.txt").await.0, 200);
            assert_eq!(ask(stream, "/api/json/video/86400/0/12.json").await.0, 200);
        }
    }
    // The page of the video fails in the same way.
    assert_eq!(ask(&mut stream, "/videos/20/night-market/").await.0, 500);

    // The failure isn't stored anywhere.
    app.sql("update videos set post_date = now() where id = 20").await;
    assert_eq!(ask(&mut stream, VIDEO).await.0, 200);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn requests_that_wait_for_a_panicking_computation_all_get_500() {
    let app = App::start().await;
    app.sql(POISON).await;
    let replies = futures_util::future::join_all((0..50).map(|_| app.get(VIDEO))).await;
    for reply in replies {
        reply.refused(500, "internal");
    }
    app.sql("update videos set post_date = now() where id = 20").await;
    assert_eq!(app.get(VIDEO).await.status, 200);
    app.drain().await;
    app.finish().await;
}
