//! Document payloads, which are validated and converted to one document per line.

use axum::http::HeaderMap;
use bytes::Bytes;
use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::body::{content_type, invalid_type};
use super::error::{ApiError, Code};

/// Content types of documents.
enum Format {
    Json,
    Ndjson,
}

/// Documents in the form that the indexer takes.
pub struct Documents {
    /// JSON objects, one per line.
    pub lines: Bytes,
    pub count: u64,
}

/// Validates `body` against its content type: an array of objects, a single object, or one object per line.
pub fn documents(headers: &HeaderMap, body: &Bytes) -> Result<Documents, ApiError> {
    let format = format(headers)?;
    if body.is_empty() {
        let kind = if matches!(format, Format::Json) { "json" } else { "ndjson" };
        return Err(ApiError::new(Code::MissingPayload, format!("A {kind} payload is missing.")));
    }
    let mut lines = Vec::with_capacity(body.len() + 1);
    let count = match format {
        Format::Json => json(body, &mut lines),
        Format::Ndjson => ndjson(body, &mut lines),
    }?;
    Ok(Documents { lines: lines.into(), count })
}

fn json(body: &[u8], lines: &mut Vec<u8>) -> Result<u64, ApiError> {
    let malformed = |error: serde_json::Error| malformed("json", error);
    if body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        let documents: Vec<&RawValue> = serde_json::from_slice(body).map_err(malformed)?;
        documents.iter().try_for_each(|document| push("json", document, lines))?;
        return Ok(documents.len() as u64);
    }
    push("json", serde_json::from_slice(body).map_err(malformed)?, lines)?;
    Ok(1)
}

fn ndjson(body: &[u8], lines: &mut Vec<u8>) -> Result<u64, ApiError> {
    let mut count = 0;
    for document in Deserializer::from_slice(body).into_iter::<&RawValue>() {
        push("ndjson", document.map_err(|error| malformed("ndjson", error))?, lines)?;
        count += 1;
    }
    Ok(count)
}

/// Appends a document as one line. In JSON, raw line breaks occur only between tokens, where a space is equivalent.
fn push(kind: &str, document: &RawValue, lines: &mut Vec<u8>) -> Result<(), ApiError> {
    let text = document.get().as_bytes();
    if text.first() != Some(&b'{') {
        return Err(malformed(kind, "data are neither an object nor a list of objects"));
    }
    lines.extend(text.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    lines.push(b'\n');
    Ok(())
}

fn malformed(kind: &str, cause: impl std::fmt::Display) -> ApiError {
    let message = format!("The `{kind}` payload provided is malformed. `Couldn't serialize document value: {cause}`.");
    ApiError::new(Code::MalformedPayload, message)
}

fn format(headers: &HeaderMap) -> Result<Format, ApiError> {
    let accepted = ["application/json", "application/x-ndjson"];
    match content_type(headers, &accepted)? {
        "application/json" => Ok(Format::Json),
        "application/x-ndjson" => Ok(Format::Ndjson),
        "text/csv" => Err(ApiError::not_implemented("Reading documents from CSV")),
        other => Err(invalid_type(other, &accepted)),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, header};

    use super::*;

    fn read(kind: &'static str, body: &'static str) -> Result<(String, u64), Code> {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(kind))]);
        documents(&headers, &Bytes::from_static(body.as_bytes()))
            .map(|documents| (String::from_utf8(documents.lines.to_vec()).unwrap(), documents.count))
            .map_err(|error| match error.body().code.as_str() {
                "malformed_payload" => Code::MalformedPayload,
                "missing_payload" => Code::MissingPayload,
                "not_implemented" => Code::NotImplemented,
                _ => Code::InvalidContentType,
            })
    }

    #[test]
    fn documents_become_one_line_each() {
        let lines = |text: &str, count| Ok((text.to_owned(), count));
        assert_eq!(read("application/json", "[{\n\"a\": \"x\\ny\"\r\n}, {}]"), lines("{ \"a\": \"x\\ny\"  }\n{}\n", 2));
        assert_eq!(read("application/json; charset=utf-8", " {\"a\":1} "), lines("{\"a\":1}\n", 1));
        assert_eq!(read("application/x-ndjson", "{\"a\":1}\n{\"a\":2}\n"), lines("{\"a\":1}\n{\"a\":2}\n", 2));
        assert_eq!(read("application/json", "[]"), lines("", 0));
    }

    #[test]
    fn invalid_payloads_are_refused() {
        assert_eq!(read("application/json", "[1]"), Err(Code::MalformedPayload));
        assert_eq!(read("application/json", "[{}"), Err(Code::MalformedPayload));
        assert_eq!(read("application/x-ndjson", "{} nonsense"), Err(Code::MalformedPayload));
        assert_eq!(read("application/json", ""), Err(Code::MissingPayload));
        assert_eq!(read("text/csv", "a,b"), Err(Code::NotImplemented));
        assert_eq!(read("text/plain", "{}"), Err(Code::InvalidContentType));
    }
}
