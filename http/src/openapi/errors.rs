//! Errors as the document tells of them; the bodies themselves are written by [`crate::envelope`].

use std::{collections::HashMap, mem};

use lantern_errors::{Info, NOTIFY, RETRY_UNAVAILABLE};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

const JSON: &str = "application/json";

/// The body of every error. Members that don't apply are left out.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody<'a> {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    pub error: u8,
    /// What is wrong; clients translate by it.
    #[schema(example = "not_found")]
    pub code: &'a str,
    /// The parameter that is wrong; `notify` asks for the code's text as a toast.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub field: Option<&'a str>,
    /// Every parameter that is wrong, with its code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<FieldCode<'a>>,
    /// The codes alone, for `report.php`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<&'a str>,
    /// Figures that belong to the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub info: Option<Info>,
    /// Also in the header `x-request-id` and in the server's log.
    #[schema(example = "01a1fd02-c62b-715b-be78-95b1fc93caa6", format = "uuid")]
    pub request_id: String,
}

/// A parameter that is wrong.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldCode<'a> {
    /// Its name.
    #[schema(example = "lang")]
    pub field: &'a str,
    /// What is wrong with it.
    #[schema(example = "invalid")]
    pub code: &'a str,
    /// Figures that belong to its code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub info: Option<Info>,
}

/// A status with the codes it can carry here.
#[derive(Clone, Copy)]
pub struct Refusal {
    status: u16,
    codes: &'static [(&'static str, &'static str)],
}

/// A status and its codes, each with when it is sent.
pub const fn refusal(status: u16, codes: &'static [(&'static str, &'static str)]) -> Refusal {
    Refusal { status, codes }
}

/// What any call can be refused with.
pub fn everywhere() -> [Refusal; 4] {
    [
        refusal(413, &[("body_too_large", "the request announces a body larger than `server.body_limit`")]),
        refusal(414, &[("address_too_long", "path and query together are longer than 8 KiB")]),
        refusal(500, &[("internal", "our fault; the log has it under `request_id`")]),
        refusal(503, &[("unavailable", "the catalog or the engine is away or overloaded")]),
    ]
}

/// What can't be decoded.
pub const fn malformed() -> Refusal {
    refusal(400, &[("malformed", "a broken percent escape, bytes that are not UTF-8, or a NUL")])
}

/// An address outside the contract.
pub const fn unknown_address() -> Refusal {
    refusal(404, &[("not_found", "a segment outside its vocabulary, range or form")])
}

/// A parameter outside its vocabulary or range.
pub const fn invalid() -> Refusal {
    refusal(422, &[("invalid", "a parameter outside its vocabulary or range; `field` names it")])
}

/// More often than one client may ask.
pub const fn too_often() -> Refusal {
    refusal(429, &[("too_many_attempts", "more than `limits` of the configuration allows this client")])
}

/// Only for members.
pub const fn need_auth() -> Refusal {
    refusal(401, &[("need_auth", "nobody is signed in, or the session has ended")])
}

/// Not from our own pages.
pub const fn cross_site() -> Refusal {
    refusal(403, &[("cross_site", "the browser says that another site's page asks")])
}

/// What any call that takes a form can be refused with.
pub fn of_forms() -> [Refusal; 4] {
    [
        malformed(),
        cross_site(),
        refusal(408, &[("body_too_slow", "the body stopped coming, or took too long")]),
        refusal(415, &[("unsupported_media_type", "the body is neither a form nor JSON")]),
    ]
}

/// The headers of every answer.
pub fn request_id() -> Value {
    json!({ "x-request-id": { "$ref": "#/components/headers/RequestId" } })
}

/// An answer of which nothing is said yet.
pub fn bare() -> Value {
    json!({ "description": "", "headers": request_id() })
}

/// Moves what several calls have alike out of them: the example of each code, and every refusal, to which references lead
/// instead. Returns both by their place among the components.
pub fn shared(document: &mut Value) -> Value {
    let mut examples = Map::new();
    let mut times: HashMap<String, usize> = HashMap::new();
    each_refusal(document, |status, answer| {
        for (code, example) in answer["content"][JSON]["examples"].as_object_mut().into_iter().flatten() {
            let name = format!("{code}.{status}");
            let reference = json!({ "$ref": format!("#/components/examples/{name}") });
            examples.insert(name, mem::replace(example, reference));
        }
        *times.entry(answer.to_string()).or_default() += 1;
    });
    let mut responses = Map::new();
    each_refusal(document, |status, answer| {
        if times[&answer.to_string()] < 2 {
            return;
        }
        let codes = answer["content"][JSON]["examples"].as_object().into_iter().flat_map(Map::keys);
        let mut name = codes.cloned().collect::<Vec<_>>().join(".");
        // The same codes may be sent for other reasons.
        while responses.get(&name).is_some_and(|known| *known != *answer) {
            name = format!("{name}.{status}");
        }
        let reference = json!({ "$ref": format!("#/components/responses/{name}") });
        responses.insert(name, mem::replace(answer, reference));
    });
    let request_id = json!({ "description": "Names the request in the server's log.",
        "schema": { "type": "string", "format": "uuid" }, "example": "01a1fd02-c62b-715b-be78-95b1fc93caa6" });
    json!({ "headers": { "RequestId": request_id }, "responses": responses, "examples": examples })
}

/// Every answer of the document with an error as JSON.
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
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The answer, together with the codes that the same status has for other reasons already.
    pub fn into_answer(self, before: Option<Value>) -> Value {
        let mut empty = self.empty();
        let mut answer = before.unwrap_or_else(|| empty.clone());
        // So far the status is a page's.
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
            headers["Retry-After"] = json!({ "description": "Seconds after which to try again.",
                "schema": { "type": "integer", "minimum": 1 }, "example": RETRY_UNAVAILABLE });
        }
        // The codes narrow the common body; a sibling of a reference does so in OpenAPI 3.1.
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
