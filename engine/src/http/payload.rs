//! Bodies with documents, checked and laid out one document a line.

use axum::http::{HeaderMap, header};
use bytes::Bytes;
use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::error::{ApiError, Code};

/// The content types documents come in.
enum Format {
    Json,
    Ndjson,
}

/// Documents as the indexer takes them.
pub struct Documents {
    /// JSON objects, each on its line.
    pub lines: Bytes,
    pub count: u64,
}

/// Checks that `body` is what its content type says: an array of objects or a single one, or objects on lines.
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
    let malformed = |error| malformed("json", error);
    if body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        let documents: Vec<&RawValue> = serde_json::from_slice(body).map_err(malformed)?;
        documents.iter().try_for_each(|document| push(document, lines))?;
        return Ok(documents.len() as u64);
    }
    push(serde_json::from_slice(body).map_err(malformed)?, lines)?;
    Ok(1)
}

fn ndjson(body: &[u8], lines: &mut Vec<u8>) -> Result<u64, ApiError> {
    let mut count = 0;
    for document in Deserializer::from_slice(body).into_iter::<&RawValue>() {
        push(document.map_err(|error| malformed("ndjson", error))?, lines)?;
        count += 1;
    }
    Ok(count)
}

/// Adds a document as one line. Raw line breaks stand only between tokens in JSON, where a space says the same.
fn push(document: &RawValue, lines: &mut Vec<u8>) -> Result<(), ApiError> {
    let text = document.get().as_bytes();
    if text.first() != Some(&b'{') {
        let message = "The json payload provided is malformed. `Documents must be objects.`";
        return Err(ApiError::new(Code::MalformedPayload, message));
    }
    lines.extend(text.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }));
    lines.push(b'\n');
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "used as a conversion of errors")]
fn malformed(kind: &str, error: serde_json::Error) -> ApiError {
    ApiError::new(Code::MalformedPayload, format!("The {kind} payload provided is malformed. `{error}`."))
}

fn format(headers: &HeaderMap) -> Result<Format, ApiError> {
    let accepted = "`application/json`, `application/x-ndjson`";
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        let message =
            format!("A Content-Type header is missing. Accepted values for the Content-Type header are: {accepted}");
        return Err(ApiError::new(Code::MissingContentType, message));
    };
    let value = value.to_str().unwrap_or_default();
    match value.split(';').next().unwrap_or_default().trim() {
        "application/json" => Ok(Format::Json),
        "application/x-ndjson" => Ok(Format::Ndjson),
        other => Err(ApiError::new(
            Code::InvalidContentType,
            format!(
                "The Content-Type `{other}` is invalid. Accepted values for the Content-Type header are: {accepted} (CSV \
                 isn't implemented by this engine)."
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn read(kind: &'static str, body: &'static str) -> Result<(String, u64), Code> {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(kind))]);
        documents(&headers, &Bytes::from_static(body.as_bytes()))
            .map(|documents| (String::from_utf8(documents.lines.to_vec()).unwrap(), documents.count))
            .map_err(|error| match error.body().code.as_str() {
                "malformed_payload" => Code::MalformedPayload,
                "missing_payload" => Code::MissingPayload,
                _ => Code::InvalidContentType,
            })
    }

    #[test]
    fn documents_stand_on_a_line_each() {
        let lines = |text: &str, count| Ok((text.to_owned(), count));
        assert_eq!(read("application/json", "[{\n\"a\": \"x\\ny\"\r\n}, {}]"), lines("{ \"a\": \"x\\ny\"  }\n{}\n", 2));
        assert_eq!(read("application/json; charset=utf-8", " {\"a\":1} "), lines("{\"a\":1}\n", 1));
        assert_eq!(read("application/x-ndjson", "{\"a\":1}\n{\"a\":2}\n"), lines("{\"a\":1}\n{\"a\":2}\n", 2));
        assert_eq!(read("application/json", "[]"), lines("", 0));
    }

    #[test]
    fn other_things_are_refused() {
        assert_eq!(read("application/json", "[1]"), Err(Code::MalformedPayload));
        assert_eq!(read("application/json", "[{}"), Err(Code::MalformedPayload));
        assert_eq!(read("application/x-ndjson", "{} nonsense"), Err(Code::MalformedPayload));
        assert_eq!(read("application/json", ""), Err(Code::MissingPayload));
        assert_eq!(read("text/csv", "a,b"), Err(Code::InvalidContentType));
    }
}
