//! What a site answers that has nothing to show yet: its indexes are built for the first time, or missed changes.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::body::Body;
use hyper::{
    Request, Response, StatusCode,
    body::Incoming,
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, RETRY_AFTER},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use lantern_config::errors;
use tokio::{net::TcpListener, sync::Semaphore, task::JoinSet};

use crate::cookies;

/// Seconds after which it is worth another try: twenty thousand videos take half a minute.
const COME_AGAIN: HeaderValue = HeaderValue::from_static("30");
/// Connections at once; each is closed with its answer.
const CONNECTIONS: usize = 256;
/// For the head of a request.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two tries to accept while the machine has no files left.
const ACCEPT_AGAIN: Duration = Duration::from_secs(1);
/// The code whose text is shown.
const CODE: &str = "unavailable";

/// Answers every request with 503 for as long as it is polled; connections that are open when it is dropped are closed.
pub async fn serve(listener: &TcpListener) -> Infallible {
    let (places, mut open) = (Arc::new(Semaphore::new(CONNECTIONS)), JoinSet::new());
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).keep_alive(false);
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        tokio::select! {
            Some(_) = open.join_next() => {}
            (place, accepted) = accepted => match accepted {
                Ok((stream, _)) => {
                    let connection = http.serve_connection(TokioIo::new(stream), service_fn(answer));
                    open.spawn(async move {
                        // Whatever the client did, it isn't served.
                        drop(connection.await);
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::debug!(%error, "a connection can't be accepted");
                    tokio::time::sleep(ACCEPT_AGAIN).await;
                }
            },
        }
    }
}

async fn answer(request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    let lang = cookies::lang(request.headers());
    let text = errors::text(CODE, lang).unwrap_or_default();
    let (kind, body) = if request.uri().path().starts_with("/api/") {
        let body = serde_json::json!({ "error": 1, "code": CODE }).to_string();
        ("application/json", body)
    } else {
        let page = format!(
            "<!doctype html><html lang=\"{lang}\"><meta charset=\"utf-8\"><meta name=\"robots\" content=\"noindex\">\
             <meta name=\"viewport\" content=\"width=device-width\"><title>503</title><p>{text}</p></html>"
        );
        ("text/html; charset=utf-8", page)
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    let headers = response.headers_mut();
    headers.insert(RETRY_AFTER, COME_AGAIN);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    async fn ask(listener: &TcpListener, head: &str) -> String {
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        stream.write_all(format!("GET {head}\r\n\r\n").as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn every_request_is_told_to_come_again_in_its_language() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let asking = async {
            let page = ask(&listener, "/videos/1/ HTTP/1.1\r\nHost: x\r\nCookie: app_lang=de").await;
            assert!(page.starts_with("HTTP/1.1 503 ") && page.contains("\r\nretry-after: 30\r\n"), "{page}");
            assert!(page.contains("<html lang=\"de\">") && page.contains("Das geht gerade nicht."), "{page}");
            let call = ask(&listener, "/api/json/main/14400/str.en.json HTTP/1.1\r\nHost: x").await;
            assert!(call.starts_with("HTTP/1.1 503 ") && call.contains("\"code\":\"unavailable\""), "{call}");
        };
        tokio::select! {
            never = serve(&listener) => match never {},
            () = asking => {}
        }
    }
}
