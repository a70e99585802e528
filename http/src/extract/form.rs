//! Forms, which may be urlencoded, multipart text fields or a flat JSON object, all with the same semantics.
//!
//! Only the fields of the handler's type are read, so that nothing else can be assigned. As in URLs, an empty field counts as absent, and
//! the first of several fields with the same name counts. A missing required field fails with 422 `required`, and a malformed one with
//! 422 `invalid`. Handlers check the length of texts.

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

/// Extracts the fields of a form as `T`, a struct whose fields are texts, numbers, booleans, unit enums or options of those.
pub struct Form<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        Fields::from_request(request, state).await?.read().map(Self)
    }
}

/// Extracts a form whose fields the handler reads later, for example after checking the session.
pub struct Fields {
    pairs: Vec<(String, String)>,
    object: Option<Map<String, Value>>,
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if kind_of(&request) != JSON {
            return Ok(Self { pairs: pairs(request, state).await?, object: None });
        }
        let object = object(request, state).await?;
        Ok(Self { pairs: texts(&object)?, object: Some(object) })
    }
}

impl Fields {
    /// Deserializes the fields of `T`, a struct as for [`Form`] or an enum named like the field that selects its variant.
    ///
    /// # Errors
    /// 422 `required` or `invalid` for the first field that is missing or malformed.
    pub fn read<T: DeserializeOwned>(&self) -> ApiResult<T> {
        fields::read(&self.pairs, self.object.as_ref())
    }
}

/// Returns the names and values of a form in any encoding, in order.
///
/// # Errors
/// 400 for malformed bodies, 413 for bodies that are too large, 415 for other content types.
pub async fn pairs<S: Send + Sync>(request: Request, state: &S) -> ApiResult<Vec<(String, String)>> {
    match kind_of(&request).as_str() {
        MULTIPART => multipart(request, state).await,
        JSON => texts(&object(request, state).await?),
        "application/x-www-form-urlencoded" => urlencoded(&bytes(request, state).await?),
        // A form without fields has no content type.
        "" if bytes(request, state).await?.is_empty() => Ok(Vec::new()),
        _ => Err(ApiError::MediaType),
    }
}

/// Returns whether the form is multipart and so may contain files.
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

/// Returns the error for a body that was rejected with `status`. This is 413 if the body was too large, otherwise 400.
pub fn of_status(status: StatusCode) -> ApiError {
    if status == StatusCode::PAYLOAD_TOO_LARGE { ApiError::BodyTooLarge } else { ApiError::Malformed("body") }
}

fn urlencoded(body: &[u8]) -> ApiResult<Vec<(String, String)>> {
    let text = std::str::from_utf8(body).map_err(|_| ApiError::Malformed("UTF-8"))?;
    Query::parse(text).map(Query::into_pairs)
}

/// Skips parts with a file name. Calls that accept files read those parts separately.
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
    let pairs = object.iter().filter_map(|(name, value)| match value {
        Value::Null => None,
        Value::String(text) => Some((name, text.clone())),
        // No field accepts lists or objects, so these fail to parse later.
        other => Some((name, other.to_string())),
    });
    pairs.map(|(name, value)| Ok((name.clone(), no_nul(value)?))).collect()
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
    async fn all_encodings_are_equivalent() {
        let expected = TestForm { name: "Mika & Ö".to_owned(), age: Some(33), agree: None };
        let form = "name=Mika+%26+%C3%96&age=33&agree=&user_id=1&name=second";
        assert_eq!(read("application/x-www-form-urlencoded; charset=UTF-8", form).await.unwrap(), expected);
        let json = r#"{"name": "Mika & Ö", "age": 33, "agree": null, "user_id": [1]}"#;
        assert_eq!(read("application/json", json).await.unwrap(), expected);
        assert_eq!(read("multipart/form-data; boundary=x", PARTS).await.unwrap(), expected);
    }

    #[tokio::test]
    async fn invalid_forms_are_rejected_with_specific_codes() {
        let rejection = async |kind: &str, body: &str| {
            let error = read(kind, body.to_owned()).await.unwrap_err();
            (error.status().as_u16(), error.code())
        };
        let form = "application/x-www-form-urlencoded";
        assert_eq!(rejection(form, "name=%zz").await, (400, "malformed"));
        assert_eq!(rejection(form, "name=a%00").await, (400, "malformed"));
        assert_eq!(rejection("application/json", "{\"name\":").await, (400, "malformed"));
        assert_eq!(rejection("application/json", "[1]").await, (400, "malformed"));
        assert_eq!(rejection("application/json", r#"{"name":"a\u0000"}"#).await, (400, "malformed"));
        assert_eq!(rejection("multipart/form-data", PARTS).await, (400, "malformed"));
        assert_eq!(rejection("text/plain", "name=a").await, (415, "unsupported_media_type"));
        assert_eq!(rejection("", "name=a").await, (415, "unsupported_media_type"));
        assert_eq!(rejection(form, "age=3").await, (422, "required"));
        assert_eq!(rejection(form, "name=&age=3").await, (422, "required"));
        assert_eq!(rejection(form, "name=a&age=300").await, (422, "invalid"));
        for json in [
            r#"{"name":"a","agree":{}}"#,
            r#"{"name":"a","agree":"on"}"#,
            r#"{"name":"a","age":"33"}"#,
            r#"{"name":5}"#,
            r#"{"name":{}}"#,
        ] {
            assert_eq!(rejection("application/json", json).await, (422, "invalid"), "{json}");
        }
    }
}
