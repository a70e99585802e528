//! Server for the time before the site is ready, while its indexes are being built for the first time or have missed
//! changes.

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

/// Value of `Retry-After` in seconds. Indexing twenty thousand videos takes half a minute.
const RETRY_SECONDS: HeaderValue = HeaderValue::from_static("30");
/// Maximum number of concurrent connections. Each is closed after its response.
const CONNECTIONS: usize = 256;
/// Timeout for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Pause before the next `accept` when file descriptors are exhausted.
const ACCEPT_RETRY: Duration = Duration::from_secs(1);
/// Error code of the response, whose text is shown on pages.
const CODE: &str = "unavailable";

/// Responds to every request with 503 until the future is dropped, which closes all open connections.
pub async fn serve(listener: &TcpListener) -> Infallible {
    let (places, mut open) = (Arc::new(Semaphore::new(CONNECTIONS)), JoinSet::new());
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).keep_alive(false);
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        tokio::select! {
            Some(_) = open.join_next() => {}
            (place, accepted) = accepted => match accepted {
                Ok((stream, _)) => {
                    let connection = http.serve_connection(TokioIo::new(stream), service_fn(respond));
                    open.spawn(async move {
                        // Errors of the client do not matter.
                        drop(connection.await);
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::debug!(%error, "failed to accept a connection");
                    tokio::time::sleep(ACCEPT_RETRY).await;
                }
            },
        }
    }
}

async fn respond(request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
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
    headers.insert(RETRY_AFTER, RETRY_SECONDS);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    async fn get(listener: &TcpListener, head: &str) -> String {
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        stream.write_all(format!("GET {head}\r\n\r\n").as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        response
    }

    #[tokio::test]
    async fn pages_and_calls_get_503_in_the_language_of_the_visitor() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let requests = async {
            let page = get(&listener, "/videos/1/ HTTP/1.1\r\nHost: x\r\nCookie: app_lang=de").await;
            assert!(page.starts_with("HTTP/1.1 503 ") && page.contains("\r\nretry-after: 30\r\n"), "{page}");
            assert!(page.contains("<html lang=\"de\">") && page.contains("Das geht gerade nicht."), "{page}");
            let call = get(&listener, "/api/json/main/14400/str.en.json HTTP/1.1\r\nHost: x").await;
            assert!(call.starts_with("HTTP/1.1 503 ") && call.contains("\"code\":\"unavailable\""), "{call}");
        };
        tokio::select! {
            never = serve(&listener) => match never {},
            () = requests => {}
        }
    }
}
