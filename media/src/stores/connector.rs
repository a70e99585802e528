//! HTTP client for buckets, based on the reqwest client used elsewhere.

use std::error::Error;

use async_trait::async_trait;
use axum::http;
use http_body_util::BodyExt;
use object_store::{
    ClientOptions,
    client::{
        HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
    },
};

use super::ranges;

/// Provides a single client.
#[derive(Debug, Clone)]
pub struct Connector(pub reqwest::Client);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.clone()))
    }
}

#[async_trait]
impl HttpService for Connector {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let range = ranges::requested(request.method(), request.headers());
        let request = reqwest::Request::try_from(request.map(reqwest::Body::wrap)).map_err(failed)?;
        let mut response: http::Response<reqwest::Body> = self.0.execute(request).await.map_err(failed)?.into();
        Ok(match range.filter(|range| ranges::narrow(&mut response, range)) {
            Some(range) => response.map(|body| HttpResponseBody::new(ranges::cut(body, range).map_err(failed))),
            None => response.map(|body| HttpResponseBody::new(body.map_err(failed))),
        })
    }
}

/// Classifies an error, which determines whether it is retried. URLs may be signed and are removed.
fn failed(error: reqwest::Error) -> HttpError {
    let broken = |error: &(dyn Error + 'static)| {
        use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
        let kind = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        matches!(kind, Some(BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof))
    };
    let mut causes = std::iter::successors(error.source(), |cause| (*cause).source());
    let kind = if error.is_timeout() {
        HttpErrorKind::Timeout
    } else if error.is_connect() {
        HttpErrorKind::Connect
    } else if error.is_decode() {
        HttpErrorKind::Decode
    } else if causes.any(broken) {
        HttpErrorKind::Interrupted
    } else {
        HttpErrorKind::Request
    };
    HttpError::new(kind, error.without_url())
}
