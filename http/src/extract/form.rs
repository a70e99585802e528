//! Forms: urlencoded, multipart text fields or a flat JSON object, all read the same way.
//!
//! Only the fields of the handler's own type are looked at, so that nothing else can be assigned. An empty field counts as
//! absent, of a repeated one the first counts, as in addresses. A field that must be there is 422 `required`, one that can't
//! be read 422 `invalid`; text beyond the contract's lengths is for the handler to refuse.

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequest, Multipart, Request, rejection::BytesRejection},
    http::{StatusCode, header},
};
use lantern_errors::{ApiError, ApiResult};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{
    fields,
    query::{Query, no_nul},
};

/// The fields of a form, as `T`: a struct whose fields are texts, numbers, truth values or options of those.
pub struct Form<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if kind_of(&request) != JSON {
            return fields::read(&pairs(request, state).await?).map(Self);
        }
        let object = object(request, state).await?;
        fields::read_json(&texts(&object)?, &object).map(Self)
    }
}

/// Names and texts of a form of any kind, in their order. Fails with 400, 413 or 415 for what is no form or too large.
pub async fn pairs<S: Send + Sync>(request: Request, state: &S) -> ApiResult<Vec<(String, String)>> {
    match kind_of(&request).as_str() {
        MULTIPART => multipart(request, state).await,
        JSON => texts(&object(request, state).await?),
        "application/x-www-form-urlencoded" => urlencoded(&bytes(request, state).await?),
        // A form without fields has no type.
        "" if bytes(request, state).await?.is_empty() => Ok(Vec::new()),
        _ => Err(ApiError::MediaType),
    }
}

/// Whether a form may have files.
pub fn is_multipart(request: &Request) -> bool {
    kind_of(request) == MULTIPART
}

const MULTIPART: &str = "multipart/form-data";
const JSON: &str = "application/json";

fn kind_of(request: &Request) -> String {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

async fn bytes<S: Send + Sync>(request: Request, state: &S) -> ApiResult<Bytes> {
    Bytes::from_request(request, state).await.map_err(|refused| of_body(&refused))
}

fn of_body(refused: &BytesRejection) -> ApiError {
    of_status(refused.status())
}

/// Why a body could not be read.
pub fn of_status(status: StatusCode) -> ApiError {
    if status == StatusCode::PAYLOAD_TOO_LARGE { ApiError::BodyTooLarge } else { ApiError::Malformed("body") }
}

fn urlencoded(body: &[u8]) -> ApiResult<Vec<(String, String)>> {
    let text = std::str::from_utf8(body).map_err(|_| ApiError::Malformed("UTF-8"))?;
    Query::parse(text).map(Query::into_pairs)
}

/// Parts with a file name are not text: a call that takes files reads them itself.
async fn multipart<S: Send + Sync>(request: Request, state: &S) -> ApiResult<Vec<(String, String)>> {
    let mut parts = Multipart::from_request(request, state).await.map_err(|refused| of_status(refused.status()))?;
    let mut pairs = Vec::new();
    while let Some(part) = parts.next_field().await.map_err(|refused| of_status(refused.status()))? {
        let name = part.name().unwrap_or_default().to_owned();
        if part.file_name().is_some() {
            continue;
        }
        let bytes = part.bytes().await.map_err(|refused| of_status(refused.status()))?;
        let value = String::from_utf8(bytes.into()).map_err(|_| ApiError::Malformed("UTF-8"))?;
        pairs.push((name, no_nul(value)?));
    }
    Ok(pairs)
}

async fn object<S: Send + Sync>(request: Request, state: &S) -> ApiResult<Map<String, Value>> {
    let read = Json::<Map<String, Value>>::from_request(request, state).await;
    read.map(|Json(object)| object).map_err(|refused| of_status(refused.status()))
}

fn texts(object: &Map<String, Value>) -> ApiResult<Vec<(String, String)>> {
    let written = object.iter().filter_map(|(name, value)| match value {
        Value::Null => None,
        Value::String(text) => Some((name, text.clone())),
        // Lists and objects are no value of any field: they read as what they are not.
        other => Some((name, other.to_string())),
    });
    written.map(|(name, value)| Ok((name.clone(), no_nul(value)?))).collect()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    struct TestForm {
        name: String,
        age: Option<u8>,
        agree: Option<bool>,
    }

    async fn read(kind: &str, body: impl Into<Body>) -> Result<TestForm, ApiError> {
        let request = Request::post("/").header("content-type", kind).body(body.into()).unwrap();
        Form::from_request(request, &()).await.map(|Form(sent)| sent)
    }

    const PARTS: &str = "--x\r\ncontent-disposition: form-data; name=\"name\"\r\n\r\nMika & Ö\r\n\
        --x\r\ncontent-disposition: form-data; name=\"age\"\r\n\r\n33\r\n\
        --x\r\ncontent-disposition: form-data; name=\"agree\"; filename=\"a\"\r\n\r\n\0\r\n--x--\r\n";

    #[tokio::test]
    async fn every_kind_of_form_says_the_same() {
        let said = TestForm { name: "Mika & Ö".to_owned(), age: Some(33), agree: None };
        let form = "name=Mika+%26+%C3%96&age=33&agree=&user_id=1&name=second";
        assert_eq!(read("application/x-www-form-urlencoded; charset=UTF-8", form).await.unwrap(), said);
        let json = r#"{"name": "Mika & Ö", "age": 33, "agree": null, "user_id": [1]}"#;
        assert_eq!(read("application/json", json).await.unwrap(), said);
        assert_eq!(read("multipart/form-data; boundary=x", PARTS).await.unwrap(), said);
    }

    #[tokio::test]
    async fn what_is_no_form_is_refused_for_what_it_is() {
        let refused = async |kind: &str, body: &str| {
            let error = read(kind, body.to_owned()).await.unwrap_err();
            (error.status().as_u16(), error.code())
        };
        let form = "application/x-www-form-urlencoded";
        assert_eq!(refused(form, "name=%zz").await, (400, "malformed"));
        assert_eq!(refused(form, "name=a%00").await, (400, "malformed"));
        assert_eq!(refused("application/json", "{\"name\":").await, (400, "malformed"));
        assert_eq!(refused("application/json", "[1]").await, (400, "malformed"));
        assert_eq!(refused("application/json", r#"{"name":"a\u0000"}"#).await, (400, "malformed"));
        assert_eq!(refused("multipart/form-data", PARTS).await, (400, "malformed"));
        assert_eq!(refused("text/plain", "name=a").await, (415, "unsupported_media_type"));
        assert_eq!(refused("", "name=a").await, (415, "unsupported_media_type"));
        assert_eq!(refused(form, "age=3").await, (422, "required"));
        assert_eq!(refused(form, "name=&age=3").await, (422, "required"));
        assert_eq!(refused(form, "name=a&age=300").await, (422, "invalid"));
        for json in [
            r#"{"name":"a","agree":{}}"#,
            r#"{"name":"a","agree":"on"}"#,
            r#"{"name":"a","age":"33"}"#,
            r#"{"name":5}"#,
            r#"{"name":{}}"#,
        ] {
            assert_eq!(refused("application/json", json).await, (422, "invalid"), "{json}");
        }
    }
}
