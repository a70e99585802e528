//! Documentation of errors. [`crate::envelope`] writes the error bodies.

use std::{collections::HashMap, mem};

use lantern_errors::{Info, NOTIFY, RETRY_UNAVAILABLE};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

/// Media type of errors.
const JSON: &str = "application/json";

/// Body of all errors. Members that do not apply are omitted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody<'a> {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    pub error: u8,
    /// Error code, by which clients find the text to show.
    #[schema(example = "not_found")]
    pub code: &'a str,
    /// The invalid parameter, or `notify` to show the text of the code as a toast.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub field: Option<&'a str>,
    /// All invalid parameters with their codes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<FieldCode<'a>>,
    /// Only the codes, for `report.php`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<&'a str>,
    /// Details of the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub info: Option<Info>,
    /// Id of the request, also in the header `x-request-id` and in the log of the server.
    #[schema(example = "01a1fd02-c62b-715b-be78-95b1fc93caa6", format = "uuid")]
    pub request_id: String,
}

/// An invalid parameter.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldCode<'a> {
    /// Name of the parameter.
    #[schema(example = "lang")]
    pub field: &'a str,
    /// Error code.
    #[schema(example = "invalid")]
    pub code: &'a str,
    /// Details of the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub info: Option<Info>,
}

/// An error status of a call, and its codes.
#[derive(Clone, Copy)]
pub struct Refusal {
    status: u16,
    /// Codes, each with the condition under which it is sent.
    codes: &'static [(&'static str, &'static str)],
}

/// Returns a status and its codes, each with the condition under which it is sent.
pub const fn refusal(status: u16, codes: &'static [(&'static str, &'static str)]) -> Refusal {
    Refusal { status, codes }
}

/// Returns the errors of all calls.
pub fn everywhere() -> [Refusal; 4] {
    [
        refusal(413, &[("body_too_large", "the request announces a body larger than `server.body_limit`")]),
        refusal(414, &[("address_too_long", "path and query together are longer than 8 KiB")]),
        refusal(500, &[("internal", "a server error, logged with `request_id`")]),
        refusal(503, &[("unavailable", "the catalog or the engine is unavailable or overloaded")]),
    ]
}

/// Returns 400, sent if the request cannot be decoded.
pub const fn malformed() -> Refusal {
    refusal(400, &[("malformed", "a malformed percent escape, invalid UTF-8, or a NUL")])
}

/// Returns 404, sent if a path segment is outside its vocabulary, range or format.
pub const fn unknown_address() -> Refusal {
    refusal(404, &[("not_found", "a path segment is outside its vocabulary, range or format")])
}

/// Returns 422, sent if a parameter is outside its vocabulary or range.
pub const fn invalid() -> Refusal {
    refusal(422, &[("invalid", "a parameter is outside its vocabulary or range; `field` names it")])
}

/// Returns 429, sent if the client exceeds a rate limit.
pub const fn too_often() -> Refusal {
    refusal(429, &[("too_many_attempts", "the client exceeds a limit configured in `limits`")])
}

/// Returns 401, sent if the call requires a member.
pub const fn need_auth() -> Refusal {
    refusal(401, &[("need_auth", "not signed in, or the session has ended")])
}

/// Returns 403, sent if the request comes from another site.
pub const fn cross_site() -> Refusal {
    refusal(403, &[("cross_site", "according to the browser, a page of another site sent the request")])
}

/// Returns the errors of all calls with a form.
pub fn of_forms() -> [Refusal; 4] {
    [
        malformed(),
        cross_site(),
        refusal(408, &[("body_too_slow", "the body stalled or arrived too slowly")]),
        refusal(415, &[("unsupported_media_type", "the body is neither a form nor JSON")]),
    ]
}

/// Returns the headers of all responses.
pub fn request_id() -> Value {
    json!({ "x-request-id": { "$ref": "#/components/headers/RequestId" } })
}

/// Returns a response without a description or content.
pub fn bare() -> Value {
    json!({ "description": "", "headers": request_id() })
}

/// Replaces the example of each code, and each error response that several calls have in common, with references. Returns the referenced
/// parts, and the headers, as `components` of the document.
pub fn shared(document: &mut Value) -> Value {
    let mut examples = Map::new();
    let mut counts: HashMap<String, usize> = HashMap::new();
    each_refusal(document, |status, answer| {
        for (code, example) in answer["content"][JSON]["examples"].as_object_mut().into_iter().flatten() {
            let name = format!("{code}.{status}");
            let reference = json!({ "$ref": format!("#/components/examples/{name}") });
            examples.insert(name, mem::replace(example, reference));
        }
        *counts.entry(answer.to_string()).or_default() += 1;
    });
    let mut responses = Map::new();
    each_refusal(document, |status, answer| {
        if counts[&answer.to_string()] < 2 {
            return;
        }
        let codes = answer["content"][JSON]["examples"].as_object().into_iter().flat_map(Map::keys);
        let mut name = codes.cloned().collect::<Vec<_>>().join(".");
        // Other calls may send the same codes under different conditions.
        while responses.get(&name).is_some_and(|known| *known != *answer) {
            name = format!("{name}.{status}");
        }
        let reference = json!({ "$ref": format!("#/components/responses/{name}") });
        responses.insert(name, mem::replace(answer, reference));
    });
    let request_id = json!({ "description": "Identifies the request in the log of the server.",
        "schema": { "type": "string", "format": "uuid" }, "example": "01a1fd02-c62b-715b-be78-95b1fc93caa6" });
    json!({ "headers": { "RequestId": request_id }, "responses": responses, "examples": examples })
}

/// Calls `visit` with each JSON error response of the document and its status.
fn each_refusal(document: &mut Value, mut visit: impl FnMut(&str, &mut Value)) {
    let parts = document.as_object_mut().into_iter().flatten();
    let mut calls = Vec::new();
    for (name, part) in parts {
        let items = part.as_object_mut().into_iter().flat_map(Map::values_mut);
        match name.as_str() {
            "paths" => calls.extend(items.filter_map(Value::as_object_mut).flat_map(Map::values_mut)),
            "x-pages" => calls.extend(items),
            _ => {}
        }
    }
    for call in calls {
        for (status, answer) in call["responses"].as_object_mut().into_iter().flatten() {
            if answer.pointer("/content/application~1json/examples").is_some() {
                visit(status, answer);
            }
        }
    }
}

impl Refusal {
    /// Returns the HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// Returns the response, merged into `before`, the response that the call already has for this status.
    pub fn into_answer(self, before: Option<Value>) -> Value {
        let mut empty = self.empty();
        let mut answer = before.unwrap_or_else(|| empty.clone());
        // The existing response is not a JSON error, but a page, for example.
        if answer["content"].get(JSON).is_none() {
            answer["content"][JSON] = empty["content"][JSON].take();
            if let (Some(headers), Some(own)) = (answer["headers"].as_object_mut(), empty["headers"].as_object_mut()) {
                headers.append(own);
            }
        }
        for (code, when) in self.codes {
            if answer["content"][JSON]["examples"][*code].is_object() {
                continue;
            }
            let line = format!("- `{code}`: {when}");
            let described = answer["description"].as_str().unwrap_or_default();
            answer["description"] = json!(if described.is_empty() { line } else { format!("{described}\n{line}") });
            let content = &mut answer["content"][JSON];
            if let Some(codes) = content["schema"]["properties"]["code"]["enum"].as_array_mut() {
                codes.push(json!(code));
            }
            content["examples"][*code] = json!({ "value": self.example(code) });
        }
        answer
    }

    fn empty(self) -> Value {
        let mut headers = request_id();
        if matches!(self.status, 429 | 503) {
            headers["Retry-After"] = json!({ "description": "Seconds until the next attempt.",
                "schema": { "type": "integer", "minimum": 1 }, "example": RETRY_UNAVAILABLE });
        }
        // In OpenAPI 3.1, siblings of a reference restrict the common body to these codes.
        let schema = json!({ "$ref": "#/components/schemas/Error", "properties": { "code": { "enum": [] } } });
        json!({ "description": "", "headers": headers,
            "content": { JSON: { "schema": schema, "examples": {} } } })
    }

    fn example(self, code: &str) -> Value {
        let mut body = json!({ "error": 1, "code": code });
        if self.status == 409 || code == "need_auth" {
            body["field"] = json!(NOTIFY);
        }
        if let Some(field) = match self.status {
            422 => Some("lang"),
            501 => Some("format"),
            _ => None,
        } {
            body["field"] = json!(field);
            body["codes"] = json!([{ "field": field, "code": code }]);
        }
        if matches!(self.status, 429 | 503) {
            body["info"] = json!({ "retry_after": RETRY_UNAVAILABLE });
        }
        body["request_id"] = json!("01a1fd02-c62b-715b-be78-95b1fc93caa6");
        body
    }
}
