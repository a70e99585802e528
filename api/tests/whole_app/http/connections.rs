//! What a connection may hold, on real sockets: nobody keeps a place by doing nothing.

use std::{net::SocketAddr, time::Duration};

use lantern_config::{Config, Mode};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use crate::support::App;

/// Far above the second that the tests configure; what isn't there by then never comes.
const LONG: Duration = Duration::from_secs(20);
const WHOLE: &[u8] = b"GET /robots.txt HTTP/1.1\r\nhost: tube.example\r\n\r\n";

async fn send(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes).await.unwrap();
    stream
}

/// Whether the other end closes, and what it sent before.
async fn closed(mut stream: TcpStream) -> Option<Vec<u8>> {
    let mut sent = Vec::new();
    // A connection that is reset is closed, too.
    timeout(LONG, stream.read_to_end(&mut sent)).await.ok().map(|_| sent)
}

/// Whether a request on this connection is answered.
async fn answered(stream: &mut TcpStream) -> bool {
    let mut start = [0; 15];
    let read = timeout(LONG, stream.read_exact(&mut start)).await;
    matches!(read, Ok(Ok(_))) && start == *b"HTTP/1.1 200 OK"
}

fn impatient(config: &mut Config) {
    config.server.header_timeout = 1;
    config.server.write_timeout = 1;
}

#[tokio::test]
async fn half_a_head_holds_a_connection_for_a_time_only() {
    let app = App::empty(impatient).await;
    let (address, _stop, _) = app.listen().await;
    let mut halves = Vec::new();
    for part in [&b""[..], b"GET / HT", &WHOLE[..WHOLE.len() - 2], b"PRI * HTTP/2.0\r\n\r\nSM"].repeat(10) {
        halves.push(send(address, part).await);
    }
    // Visitors are served meanwhile.
    assert!(answered(&mut send(address, WHOLE).await).await);
    for (number, half) in halves.into_iter().enumerate() {
        let sent = closed(half).await.unwrap_or_else(|| panic!("number {number} is still open"));
        assert!(!sent.starts_with(b"HTTP/1.1 200"), "{number}");
    }
    // One that was used rests no longer either.
    assert!(closed(send(address, WHOLE).await).await.is_some());
    app.finish().await;
}

#[tokio::test]
async fn a_client_has_so_many_connections() {
    let app = App::empty(|config| {
        // In development loopback is free.
        config.mode = Mode::Production;
        config.server.connections_per_client = 2;
    })
    .await;
    let (address, _stop, _) = app.listen().await;
    let mut first = send(address, WHOLE).await;
    let mut second = send(address, WHOLE).await;
    assert!(answered(&mut first).await && answered(&mut second).await);
    assert_eq!(closed(send(address, b"").await).await.as_deref(), Some(&b""[..]));
    second.write_all(WHOLE).await.unwrap();
    assert!(timeout(LONG, second.read(&mut [0; 64])).await.is_ok(), "those it has go on");
    drop(first);
    // The place is free once the server has seen the end, which it does before it accepts again or soon after.
    let third = async { while !answered(&mut send(address, WHOLE).await).await {} };
    timeout(LONG, third).await.unwrap();
    app.finish().await;
}

#[tokio::test]
async fn a_proxy_has_no_bound_of_its_own() {
    let app = App::empty(|config| {
        config.mode = Mode::Production;
        config.server.connections_per_client = 1;
        config.server.trusted_proxies = vec!["127.0.0.1".to_owned()];
    })
    .await;
    let (address, _stop, _) = app.listen().await;
    let mut held = Vec::new();
    for _ in 0..5 {
        let mut stream = send(address, WHOLE).await;
        assert!(answered(&mut stream).await);
        held.push(stream);
    }
    app.finish().await;
}

#[tokio::test]
async fn who_takes_nothing_of_an_answer_loses_the_place_to_who_waits() {
    let app = App::configured(|config| {
        impatient(config);
        config.server.connections = 1;
    })
    .await;
    // More than the system keeps between two ends.
    app.media("demo/01/poster.jpg", &vec![0; 64 << 20]);
    let (address, _stop, _) = app.listen().await;
    let mut film = send(address, b"GET /media/p/demo/01/poster.jpg HTTP/1.1\r\nhost: tube.example\r\n\r\n").await;
    assert!(answered(&mut film).await, "it begins");
    assert!(answered(&mut send(address, WHOLE).await).await, "the only place is free again");
    let taken = closed(film).await.map(|sent| sent.len());
    assert!(taken.is_some_and(|taken| taken < 64 << 20), "{taken:?} bytes of the film");
    app.finish().await;
}

#[tokio::test]
async fn at_the_end_open_connections_are_closed() {
    let app = App::empty(|_| {}).await;
    let (address, stop, serving) = app.listen().await;
    let mut resting = send(address, WHOLE).await;
    assert!(answered(&mut resting).await);
    drop(stop);
    timeout(LONG, serving).await.unwrap().unwrap();
    assert!(closed(resting).await.is_some() && TcpStream::connect(address).await.is_err());
    app.finish().await;
}

#[tokio::test]
async fn a_request_names_one_host() {
    let app = App::start().await;
    let (address, _stop, _) = app.listen().await;
    // Also where the answer is in memory.
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
/// The head and the beginning of a form with a film of so many bytes; its name is no film's.
fn refused_form(cookie: &str, bytes: usize) -> (String, Vec<u8>) {
    let beginning = "--x\r\ncontent-disposition: form-data; name=\"video\"; filename=\"no film.mp4\"\r\n\r\nfilm";
    let head = format!(
        "POST /api/video_edit.php HTTP/1.1\r\nhost: tube.example\r\ncookie: {cookie}\r\nsec-fetch-site: same-origin\r\n\
         content-type: multipart/form-data; boundary=x\r\ncontent-length: {}\r\n\r\n{beginning}",
        beginning.len() + bytes
    );
    (head, vec![b'-'; bytes])
}

/// More than the system keeps between two ends.
const FILM: usize = 32 << 20;

#[tokio::test]
async fn who_is_refused_while_sending_reads_why() {
    let app = App::empty(|_| {}).await;
    let member = app.member("mona").await;
    let (address, _stop, _) = app.listen().await;
    for (cookie, status, code) in [("", "401", "need_auth"), (&*member.cookie, "422", "video_bad_filename")] {
        let (head, film) = refused_form(cookie, FILM);
        let mut stream = send(address, head.as_bytes()).await;
        // As programs do that look for the answer when all is sent.
        stream.write_all(&film).await.unwrap();
        let answer = String::from_utf8(closed(stream).await.unwrap()).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.contains(code), "{answer}");
    }
    app.finish().await;
}

#[tokio::test]
async fn who_sends_on_after_a_refusal_is_read_from_for_a_while_only() {
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
            assert!(stream.write_all(&film).await.is_err(), "more than is read");
        }
        assert!(answered(&mut send(address, WHOLE).await).await, "the only place is free again");
        app.finish().await;
    }
}
