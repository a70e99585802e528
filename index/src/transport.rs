//! Transports between a search client and an engine.

use std::borrow::Cow;

use async_trait::async_trait;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, header};
use bytes::Bytes;
use futures_util::AsyncReadExt;
use futures_util::io::AsyncRead;
use http_body_util::BodyExt;
use meilisearch_sdk::errors::{Error, MeilisearchCommunicationError, MeilisearchError};
use meilisearch_sdk::request::{HttpClient, Method};
use meilisearch_sdk::reqwest::ReqwestClient;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tower::ServiceExt;

use crate::client::SearchClient;

/// Transport of requests.
#[derive(Clone)]
pub enum Transport {
    /// Calls the router of an engine in this process.
    InProcess {
        /// The engine's routes.
        router: Router,
        /// `Authorization` header sent with each request.
        authorization: Option<HeaderValue>,
    },
    /// Sends HTTP requests to a remote engine or Meilisearch server.
    Http(ReqwestClient),
}

/// Placeholder host in URLs that never leave the process.
const IN_PROCESS_HOST: &str = "http://in-process";

impl Transport {
    /// Creates a client that calls `router`, authenticated with `key` if required. If the key is not a valid header value, the router
    /// rejects it in the same way as any wrong key.
    pub fn in_process(router: Router, key: Option<&str>) -> SearchClient {
        let authorization = key.and_then(|key| HeaderValue::from_str(&format!("Bearer {key}")).ok());
        SearchClient::new(IN_PROCESS_HOST, key, Self::InProcess { router, authorization })
    }

    /// Creates a client for the server at `url`.
    pub fn http(url: &str, key: Option<&str>) -> Result<SearchClient, Error> {
        if key.is_some_and(|key| HeaderValue::from_str(&format!("Bearer {key}")).is_err()) {
            return Err(Error::InvalidRequest);
        }
        let http = ReqwestClient::new(key)?;
        Ok(SearchClient::new(url.trim_end_matches('/'), key, Self::Http(http)))
    }
}

impl std::fmt::Debug for Transport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::InProcess { .. } => "Transport::InProcess",
            Self::Http(_) => "Transport::Http",
        })
    }
}

#[async_trait]
impl HttpClient for Transport {
    async fn request<Query, Content, Output>(
        &self,
        url: &str,
        method: Method<Query, Content>,
        expected_status_code: u16,
    ) -> Result<Output, Error>
    where
        Query: Serialize + Send + Sync,
        Content: Serialize + Send + Sync,
        Output: DeserializeOwned + 'static + Send,
    {
        let (router, authorization) = match self {
            Self::Http(http) => return http.request(url, method, expected_status_code).await,
            Self::InProcess { router, authorization } => (router, authorization),
        };
        let content = method.body().map(serde_json::to_vec).transpose()?.map(|body| ("application/json", body.into()));
        let request = request(url, &method, content, authorization.as_ref())?;
        answer(router.clone(), request, url, expected_status_code).await
    }

    async fn stream_request<
        Query: Serialize + Send + Sync,
        Content: AsyncRead + Send + Sync + 'static,
        Output: DeserializeOwned + 'static,
    >(
        &self,
        url: &str,
        method: Method<Query, Content>,
        content_type: &str,
        expected_status_code: u16,
    ) -> Result<Output, Error> {
        let (router, authorization) = match self {
            Self::Http(http) => return http.stream_request(url, method, content_type, expected_status_code).await,
            Self::InProcess { router, authorization } => (router, authorization),
        };
        let head = request(url, &method, None, authorization.as_ref())?;
        let request = match method.into_body() {
            None => head,
            Some(body) => {
                let mut bytes = Vec::new();
                std::pin::pin!(body).read_to_end(&mut bytes).await.map_err(other)?;
                let (mut parts, _) = head.into_parts();
                let content_type = HeaderValue::from_str(content_type).map_err(|_| Error::InvalidRequest)?;
                parts.headers.insert(header::CONTENT_TYPE, content_type);
                Request::from_parts(parts, Body::from(bytes))
            }
        };
        answer(router.clone(), request, url, expected_status_code).await
    }

    fn is_tokio(&self) -> bool {
        true
    }
}

fn request<Query: Serialize, Content>(
    url: &str,
    method: &Method<Query, Content>,
    content: Option<(&'static str, Bytes)>,
    authorization: Option<&HeaderValue>,
) -> Result<Request<Body>, Error> {
    let verb = match method {
        Method::Get { .. } => "GET",
        Method::Post { .. } => "POST",
        Method::Patch { .. } => "PATCH",
        Method::Put { .. } => "PUT",
        Method::Delete { .. } => "DELETE",
    };
    let query = yaup::to_string(method.query())?;
    let path = url.strip_prefix(IN_PROCESS_HOST).unwrap_or(url);
    let mut request = Request::builder().method(verb).uri(escape(&format!("{path}{query}")).as_ref());
    if let Some(key) = authorization {
        request = request.header(header::AUTHORIZATION, key);
    }
    match content {
        Some((kind, bytes)) => request.header(header::CONTENT_TYPE, kind).body(Body::from(bytes)),
        None => request.body(Body::empty()),
    }
    .map_err(other)
}

/// Percent-encodes characters that are invalid in a URL, as an HTTP client does.
fn escape(path: &str) -> Cow<'_, str> {
    let stands = |byte: u8| byte.is_ascii_graphic() && !br#""<>\^`{|}"#.contains(&byte);
    if path.bytes().all(stands) {
        return Cow::Borrowed(path);
    }
    let mut escaped = String::with_capacity(path.len() + 8);
    for byte in path.bytes() {
        if stands(byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    Cow::Owned(escaped)
}

/// Calls the router and parses its response in the same way as the SDK parses a server's response.
async fn answer<Output: DeserializeOwned>(
    router: Router,
    request: Request<Body>,
    url: &str,
    expected: u16,
) -> Result<Output, Error> {
    let response = router.oneshot(request).await.map_err(other)?;
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.map_err(other)?.to_bytes();
    let body: &[u8] = if bytes.is_empty() { b"null" } else { &bytes };
    if status == expected {
        return Ok(serde_json::from_slice(body)?);
    }
    match serde_json::from_slice::<MeilisearchError>(body) {
        Ok(error) => Err(error.into()),
        Err(_) => {
            let url = url.to_owned();
            Err(MeilisearchCommunicationError { status_code: status, message: None, url }.into())
        }
    }
}

fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Other(error.into())
}
