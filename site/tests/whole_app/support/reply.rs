//! A response that has been read to its end.

use axum::{
    body::to_bytes,
    http::{HeaderMap, header},
    response::Response,
};

#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    pub async fn read(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Self { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Returns the `Cookie` header that a browser would send back. Removed cookies are left out.
    pub fn cookies(&self) -> String {
        let set = self.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
        let stored = set.filter(|cookie| !cookie.contains("Max-Age=0")).filter_map(|cookie| cookie.split(';').next());
        stored.collect::<Vec<_>>().join("; ")
    }

    /// Asserts a documented error, which has the envelope, the code and a request id and is not cacheable.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.text());
        let body = self.json();
        assert_eq!((&body["error"], &body["code"]), (&1.into(), &code.into()));
        assert_eq!(body["request_id"], self.header("x-request-id"));
        assert_eq!(self.header(header::CACHE_CONTROL.as_str()), "no-store");
    }
}
