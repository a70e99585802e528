//! Draining. A node that is stopping gets no new work and completes the work it has received.

use std::{sync::Arc, time::Duration};

use lantern_http::server::Port;
use lantern_site::Site;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use crate::support::App;

/// A timeout far above the time that any step needs.
const TIMEOUT: Duration = Duration::from_secs(20);
const REQUEST: &[u8] = b"GET /robots.txt HTTP/1.1\r\nhost: tube.example\r\n\r\n";

/// Reads the next response and returns it in lowercase.
async fn response(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let reading = async {
        while !text.contains("User-agent") {
            let mut part = [0; 4096];
            let read = stream.read(&mut part).await.unwrap();
            assert!(read > 0, "closed after {text:?}");
            text.push_str(std::str::from_utf8(&part[..read]).unwrap());
        }
    };
    timeout(TIMEOUT, reading).await.unwrap();
    text.to_ascii_lowercase()
}

async fn is_closed(stream: &mut TcpStream) -> bool {
    matches!(timeout(TIMEOUT, stream.read(&mut [0; 64])).await, Ok(Ok(0)))
}

#[tokio::test]
async fn draining_node_answers_and_closes_each_connection() {
    let app = App::start().await;
    let (address, _stop, _) = app.listen().await;
    let mut keep_alive = TcpStream::connect(address).await.unwrap();
    keep_alive.write_all(REQUEST).await.unwrap();
    assert!(!response(&mut keep_alive).await.contains("connection: close"));
    assert_eq!(app.watch("/health/ready").await.status, 200);

    app.state().health.draining().cancel();
    let ready = app.watch("/health/ready").await;
    assert_eq!((ready.status, ready.json()["status"].as_str()), (503, Some("draining")));
    assert_eq!(app.watch("/health/live").await.status, 200);
    let mut fresh = TcpStream::connect(address).await.unwrap();
    for stream in [&mut keep_alive, &mut fresh] {
        stream.write_all(REQUEST).await.unwrap();
        let answer = response(stream).await;
        assert!(answer.starts_with("http/1.1 200") && answer.contains("connection: close"), "{answer}");
        assert!(is_closed(stream).await);
    }
    app.finish().await;
}

#[tokio::test]
async fn connections_established_before_shutdown_are_answered() {
    let app = App::empty(|_| {}).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    // When the server is stopped, the connections are waiting to be accepted, each with its request already sent.
    let mut waiting = Vec::new();
    for _ in 0..50 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(REQUEST).await.unwrap();
        waiting.push(stream);
    }
    let stop = CancellationToken::new();
    stop.cancel();
    let server = Arc::new(Site::new(app.state().clone()).server(listener));
    timeout(TIMEOUT, server.run(stop)).await.unwrap();
    for mut stream in waiting {
        assert!(response(&mut stream).await.starts_with("http/1.1 200"));
        assert!(is_closed(&mut stream).await);
    }
    assert!(TcpStream::connect(address).await.is_err(), "the port is closed, although the server still exists");
    app.finish().await;
}

#[tokio::test]
async fn reserved_port_refuses_connections_until_it_listens() {
    let port = Port::reserve("localhost", 0).await.unwrap();
    let address = port.address();
    assert!(TcpStream::connect(address).await.is_err());
    let listener = port.listen().unwrap();
    assert!(TcpStream::connect(address).await.is_ok());
    let error_kind =
        Port::reserve("127.0.0.1", listener.local_addr().unwrap().port()).await.err().map(|error| error.kind());
    assert_eq!(error_kind, address.is_ipv4().then_some(std::io::ErrorKind::AddrInUse));
}
