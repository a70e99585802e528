//! Connection limits and timeouts on real sockets. An idle client cannot hold a connection.

use std::{net::SocketAddr, time::Duration};

use lantern_config::{Config, Mode};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::App;

/// A timeout far above the one second that the tests configure.
const TIMEOUT: Duration = Duration::from_secs(20);
const REQUEST: &[u8] = b"GET /robots.txt HTTP/1.1\r\nhost: tube.example\r\n\r\n";

async fn send(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    stream
}

/// Returns what the server sent before it closed the connection, or `None` if the server did not close it.
async fn closed(mut stream: TcpStream) -> Option<Vec<u8>> {
    let mut sent = Vec::new();
    // A reset connection counts as closed.
    timeout(TIMEOUT, stream.read_to_end(&mut sent)).await.ok().map(|_| sent)
}

/// Whether a request on this connection is answered.
async fn answered(stream: &mut TcpStream) -> bool {
    let mut start = [0; 15];
    let read = timeout(TIMEOUT, stream.read_exact(&mut start)).await;
    matches!(read, Ok(Ok(_))) && start == *b"HTTP/1.1 200 OK"
}

fn short_timeouts(config: &mut Config) {
    config.server.header_timeout = 1;
    config.server.write_timeout = 1;
}

#[tokio::test]
async fn incomplete_request_heads_time_out() {
    let app = App::empty(short_timeouts).await;
    let (address, _stop, _) = app.listen().await;
    let mut incomplete = Vec::new();
    for incomplete_head in
        [&b""[..], b"GET / HT", &REQUEST[..REQUEST.len() - 2], b"PRI * HTTP/2.0\r\n\r\nSM"].repeat(10)
    {
        incomplete.push(send(address, incomplete_head).await);
    }
    // In the meantime, other clients are served.
    assert!(answered(&mut send(address, REQUEST).await).await);
    for (number, stream) in incomplete.into_iter().enumerate() {
        let sent = closed(stream).await.unwrap_or_else(|| panic!("number {number} is still open"));
        assert!(!sent.starts_with(b"HTTP/1.1 200"), "{number}");
    }
    // Idle keep-alive connections time out too.
    assert!(closed(send(address, REQUEST).await).await.is_some());
    app.finish().await;
}

#[tokio::test]
async fn connections_per_client_are_limited() {
    let app = App::empty(|config| {
        // In development mode, loopback is exempt.
        config.mode = Mode::Production;
        config.server.connections_per_client = 2;
    })
    .await;
    let (address, _stop, _) = app.listen().await;
    let mut first = send(address, REQUEST).await;
    let mut second = send(address, REQUEST).await;
    assert!(answered(&mut first).await && answered(&mut second).await);
    assert_eq!(closed(send(address, b"").await).await.as_deref(), Some(&b""[..]));
    second.write_all(REQUEST).await.unwrap();
    let mut rest = Vec::<u8>::new();
    let next_response = async {
        while !rest.windows(15).any(|part| part == b"HTTP/1.1 200 OK") {
            assert!(second.read_buf(&mut rest).await.unwrap() > 0, "its open connection is closed");
        }
    };
    timeout(TIMEOUT, next_response).await.expect("its open connection continues");
    drop(first);
    // The slot becomes free once the server has noticed the close, which may be before or soon after it accepts again.
    let third = async { while !answered(&mut send(address, REQUEST).await).await {} };
    timeout(TIMEOUT, third).await.unwrap();
    app.finish().await;
}

#[tokio::test]
async fn trusted_proxies_are_exempt_from_the_connection_limit() {
    let app = App::empty(|config| {
        config.mode = Mode::Production;
        config.server.connections_per_client = 1;
        config.server.trusted_proxies = vec!["127.0.0.1".to_owned()];
    })
    .await;
    let (address, _stop, _) = app.listen().await;
    let mut held = Vec::new();
    for _ in 0..5 {
        let mut stream = send(address, REQUEST).await;
        assert!(answered(&mut stream).await);
        held.push(stream);
    }
    app.finish().await;
}

#[tokio::test]
async fn client_that_reads_nothing_loses_its_connection_slot() {
    let app = App::configured(|config| {
        short_timeouts(config);
        config.server.connections = 1;
    })
    .await;
    // This is more than the socket buffers hold.
    app.media("demo/01/poster.jpg", &vec![0; 64 << 20]);
    let (address, _stop, _) = app.listen().await;
    let mut film = send(address, b"GET /media/p/demo/01/poster.jpg HTTP/1.1\r\nhost: tube.example\r\n\r\n").await;
    assert!(answered(&mut film).await, "the response begins");
    assert!(answered(&mut send(address, REQUEST).await).await, "the only slot is free again");
    let received = closed(film).await.map(|sent| sent.len());
    assert!(received.is_some_and(|received| received < 64 << 20), "{received:?} bytes of the film");
    app.finish().await;
}

#[tokio::test]
async fn shutdown_closes_open_connections() {
    let app = App::empty(|_| {}).await;
    let (address, stop, serving) = app.listen().await;
    let mut idle = send(address, REQUEST).await;
    assert!(answered(&mut idle).await);
    drop(stop);
    timeout(TIMEOUT, serving).await.unwrap().unwrap();
    assert!(closed(idle).await.is_some() && TcpStream::connect(address).await.is_err());
    app.finish().await;
}

#[tokio::test]
async fn requests_without_exactly_one_host_are_refused() {
    let app = App::start().await;
    let (address, _stop, _) = app.listen().await;
    // This includes cached responses.
    for path in ["/robots.txt", "/api/json/videos2/86400/str/longest/20/all..1.all.all.all.json"] {
        for (hosts, status) in [
            ("host: tube.example\r\n", "200"),
            ("", "400"),
            ("host: tube.example\r\nhost: tube.example\r\n", "400"),
            ("host: tube.example\r\nhost: evil.example\r\n", "400"),
            ("host:\r\n", "400"),
            ("host: tube.example\r\n", "200"),
        ] {
            let request = format!("GET {path} HTTP/1.1\r\n{hosts}connection: close\r\n\r\n");
            let sent = closed(send(address, request.as_bytes()).await).await.unwrap();
            let sent = String::from_utf8_lossy(&sent);
            assert!(sent.starts_with(&format!("HTTP/1.1 {status}")), "{path} {hosts:?}: {sent}");
            assert_eq!(sent.contains("\"malformed\""), status == "400", "{sent}");
        }
    }
    app.finish().await;
}

/// Returns the head and beginning of a form with an invalid film name, and a film of `bytes` bytes.
fn refused_form(cookie: &str, bytes: usize) -> (String, Vec<u8>) {
    let beginning = "--x\r\ncontent-disposition: form-data; name=\"video\"; filename=\"no film.mp4\"\r\n\r\nfilm";
    let head = format!(
        "POST /api/video_edit.php HTTP/1.1\r\nhost: tube.example\r\ncookie: {cookie}\r\nsec-fetch-site: same-origin\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: {}\r\n\r\n{beginning}",
        beginning.len() + bytes
    );
    (head, vec![b'-'; bytes])
}

/// Size of a film in bytes, which is more than the socket buffers hold.
const FILM: usize = 32 << 20;

#[tokio::test]
async fn client_refused_while_sending_receives_the_response() {
    let app = App::empty(|_| {}).await;
    let member = app.member("mona").await;
    let (address, _stop, _) = app.listen().await;
    for (cookie, status, code) in [("", "401", "need_auth"), (&*member.cookie, "422", "video_bad_filename")] {
        let (head, film) = refused_form(cookie, FILM);
        let mut stream = send(address, head.as_bytes()).await;
        // Some clients read the response only after sending everything.
        stream.write_all(&film).await.unwrap();
        let answer = String::from_utf8(closed(stream).await.unwrap()).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.contains(code), "{answer}");
    }
    app.finish().await;
}

#[tokio::test]
async fn reading_after_a_refusal_is_limited_in_time_and_bytes() {
    for (seconds, bytes) in [(1, u64::MAX), (3600, 1 << 20)] {
        let app = App::empty(|config| {
            config.server.connections = 1;
            config.server.linger_seconds = seconds;
            config.server.linger_bytes = bytes;
        })
        .await;
        let (address, _stop, _) = app.listen().await;
        let (head, film) = refused_form("", FILM);
        let mut stream = send(address, head.as_bytes()).await;
        if seconds > 1 {
            assert!(stream.write_all(&film).await.is_err(), "more than the server reads");
        }
        assert!(answered(&mut send(address, REQUEST).await).await, "the only slot is free again");
        app.finish().await;
    }
}
