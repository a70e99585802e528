//! Ranges from gateways that send the whole object when asked for a part of it, which HTTP permits (RFC 9110, section 14.2).

use std::ops::Range;

use axum::{
    body::{Bytes, HttpBody},
    http::{
        HeaderMap, HeaderValue, Method, Response, StatusCode,
        header::{CONTENT_LENGTH, CONTENT_RANGE, RANGE},
    },
};
use futures_util::{TryStreamExt, stream};
use http_body_util::{BodyStream, StreamBody};

/// Returns the range that a request asks for. Only ranges with both ends are sent to stores.
pub(super) fn requested(method: &Method, headers: &HeaderMap) -> Option<Range<u64>> {
    let range = headers.get(RANGE).filter(|_| method == Method::GET)?.to_str().ok()?;
    let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    Some(first.parse().ok()?..last.parse::<u64>().ok()?.checked_add(1)?)
}

/// Changes the head of a response with the whole object to that of the requested part. Returns whether the body must be cut to this part.
pub(super) fn narrow<B>(response: &mut Response<B>, range: &Range<u64>) -> bool {
    let length = response.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let contains = |length: &u64| range.start < range.end && range.end <= *length;
    let Some(length) = length.filter(contains).filter(|_| response.status() == StatusCode::OK) else { return false };
    let content_range = format!("bytes {}-{}/{length}", range.start, range.end - 1);
    let Ok(content_range) = HeaderValue::try_from(content_range) else { return false };
    *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(range.end - range.start));
    response.headers_mut().insert(CONTENT_RANGE, content_range);
    true
}

/// Returns the part of a body that is in the range. Nothing after it is read.
pub(super) fn cut(body: reqwest::Body, range: Range<u64>) -> impl HttpBody<Data = Bytes, Error = reqwest::Error> {
    let state = (BodyStream::new(body), range.start, range.end - range.start);
    StreamBody::new(stream::try_unfold(state, |(mut frames, mut before, mut left)| async move {
        if left == 0 {
            return Ok(None);
        }
        let Some(frame) = frames.try_next().await? else { return Ok(None) };
        let frame = frame.map_data(|mut bytes: Bytes| {
            before -= bytes.split_to(at_most(before, &bytes)).len() as u64;
            bytes.truncate(at_most(left, &bytes));
            left -= bytes.len() as u64;
            bytes
        });
        Ok(Some((frame, (frames, before, left))))
    }))
}

fn at_most(number: u64, bytes: &Bytes) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use std::io;

    use axum::{
        Router,
        body::{Body, to_bytes},
        extract::State,
        http::header::{ETAG, LAST_MODIFIED},
        response::IntoResponse,
    };
    use futures_util::StreamExt;
    use lantern_config::{Config, Storage, StorageGroup};

    use super::*;
    use crate::stores::Bucket;

    /// How a gateway answers a request for a range.
    #[derive(Clone, Copy)]
    enum Gateway {
        /// With the whole object.
        Ignores,
        /// With the whole object if the range is whole too, and with the range otherwise.
        Widens,
        /// With the whole object, of which only the first bytes ever arrive.
        Stalls,
        /// With the whole object, of which the last byte is lost.
        Loses,
    }

    const LENGTH: u64 = 300_000;
    /// Number of bytes that a gateway that stalls sends.
    const SENT: usize = 1000;

    fn object() -> Bytes {
        (0..LENGTH).map(|at| (at % 251) as u8).collect()
    }

    async fn answer(State(gateway): State<Gateway>, method: Method, headers: HeaderMap) -> Response<Body> {
        let common = [(ETAG, "\"tag\""), (LAST_MODIFIED, "Sat, 28 Nov 2026 23:00:00 GMT")];
        let object = object();
        let whole = |body: Body| (common.clone(), [(CONTENT_LENGTH, LENGTH.to_string())], body).into_response();
        let streamed = |bytes: Bytes| stream::iter([Ok::<_, io::Error>(bytes)]);
        match (gateway, requested(&method, &headers)) {
            (Gateway::Widens, Some(range)) if range != (0..LENGTH) => {
                let span = [(CONTENT_RANGE, format!("bytes {}-{}/{LENGTH}", range.start, range.end - 1))];
                let part = object.slice(range.start as usize..range.end as usize);
                (StatusCode::PARTIAL_CONTENT, common, span, part).into_response()
            }
            (Gateway::Stalls, Some(_)) => {
                whole(Body::from_stream(streamed(object.slice(..SENT)).chain(stream::pending())))
            }
            (Gateway::Loses, Some(_)) => {
                let end = stream::once(async {
                    // What was sent so far leaves this server first.
                    tokio::task::yield_now().await;
                    Err(io::Error::other("lost"))
                });
                whole(Body::from_stream(streamed(object.slice(..object.len() - 1)).chain(end)))
            }
            _ => whole(object.into()),
        }
    }

    async fn bucket(gateway: Gateway) -> Bucket {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(axum::serve(listener, Router::new().fallback(answer).with_state(gateway)).into_future());
        let group = StorageGroup {
            bucket: "films".to_owned(),
            endpoint,
            access_key: "key".to_owned(),
            secret_key: "secret".to_owned(),
            ..StorageGroup::default()
        };
        Bucket::new(1, &group, &Storage { silent_ms: 500, ..Config::default().storage }).unwrap()
    }

    async fn read(bucket: &Bucket, range: Range<u64>) -> Result<Bytes, axum::Error> {
        let version = bucket.find("film.mp4").await.unwrap().unwrap();
        let body = bucket.body("film.mp4", range, &version).await.unwrap().unwrap();
        to_bytes(body, usize::MAX).await
    }

    #[tokio::test]
    async fn range_is_exact_whatever_the_gateway_sends() {
        for gateway in [Gateway::Ignores, Gateway::Widens] {
            let bucket = bucket(gateway).await;
            for range in [0..LENGTH, 0..1, 5..10, 70_000..200_000, LENGTH - 1..LENGTH] {
                let expected = object().slice(range.start as usize..range.end as usize);
                assert!(read(&bucket, range.clone()).await.unwrap() == expected, "{range:?}");
            }
        }
    }

    #[tokio::test]
    async fn nothing_after_the_range_is_read() {
        let bucket = bucket(Gateway::Stalls).await;
        let end = SENT as u64;
        assert_eq!(read(&bucket, 10..end).await.unwrap(), object().slice(10..SENT));
        read(&bucket, 10..end + 1).await.unwrap_err();
    }

    #[tokio::test]
    async fn incomplete_object_is_an_error() {
        let bucket = bucket(Gateway::Loses).await;
        assert_eq!(read(&bucket, 10..20).await.unwrap(), object().slice(10..20));
        read(&bucket, 10..LENGTH).await.unwrap_err();
    }
}
