//! Documentation of a call.

use std::collections::BTreeMap;

use axum::{http::Method, routing::MethodFilter};
use serde_json::{Map, Value, json};
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema},
};

use super::{
    errors::{self, Refusal},
    params::Param,
    variants::{self, or_absent},
};

/// Documentation of a call as an OpenAPI operation, built by chained methods.
#[must_use]
pub struct Doc {
    method: Method,
    id: &'static str,
    template: &'static str,
    tag: &'static str,
    summary: &'static str,
    description: String,
    params: Vec<Param>,
    form: Vec<Param>,
    /// Schemas of the form's variants, if the value of one field decides which other fields there are.
    variants: Vec<Value>,
    examples: Vec<Value>,
    files: Vec<Param>,
    needs_files: bool,
    bytes: Option<&'static str>,
    members: bool,
    page: bool,
    answers: BTreeMap<u16, Value>,
    // Refusals are rendered only together with the API document, so that they do not slow down startup.
    refusals: Vec<Refusal>,
    schemas: Vec<(String, RefOr<Schema>)>,
}

impl Doc {
    /// Creates the documentation of a `GET` that is open to everyone, with the path `template` and the errors of all calls
    /// ([`errors::everywhere`]).
    pub fn new(tag: &'static str, id: &'static str, template: &'static str, summary: &'static str) -> Self {
        let doc = Self {
            method: Method::GET,
            id,
            template,
            tag,
            summary,
            description: String::new(),
            params: Vec::new(),
            form: Vec::new(),
            variants: Vec::new(),
            examples: Vec::new(),
            files: Vec::new(),
            needs_files: false,
            bytes: None,
            members: false,
            page: false,
            answers: BTreeMap::new(),
            refusals: Vec::new(),
            schemas: Vec::new(),
        };
        doc.refuses_all(errors::everywhere())
    }

    /// Creates the documentation of a `GET` below `/api/json/`, where a path segment outside its vocabulary, range or format is a 404.
    pub fn read(tag: &'static str, id: &'static str, template: &'static str, summary: &'static str) -> Self {
        Self::new(tag, id, template, summary).refuses(errors::unknown_address())
    }

    /// Creates the documentation of a call with any method whose body, if any, is not a form.
    pub fn call(
        method: Method,
        tag: &'static str,
        id: &'static str,
        template: &'static str,
        summary: &'static str,
    ) -> Self {
        Self { method, ..Self::new(tag, id, template, summary) }
    }

    /// Creates the documentation of a `POST` of a form, with the errors of all forms ([`errors::of_forms`]).
    pub fn post(tag: &'static str, id: &'static str, template: &'static str, summary: &'static str) -> Self {
        let doc = Self { method: Method::POST, ..Self::new(tag, id, template, summary) };
        doc.refuses_all(errors::of_forms())
    }

    /// Creates the documentation of a `GET` of a page. On pages, malformed paths are a 404 and malformed parameters count as absent.
    pub fn page(tag: &'static str, id: &'static str, template: &'static str, summary: &'static str) -> Self {
        Self { page: true, ..Self::new(tag, id, template, summary) }
    }

    /// Creates the documentation of a `POST` to a page, whose body is ignored.
    pub fn page_post(tag: &'static str, id: &'static str, template: &'static str, summary: &'static str) -> Self {
        Self { method: Method::POST, ..Self::page(tag, id, template, summary) }.refuses(errors::cross_site())
    }

    /// Restricts the call to members. Without a session, it fails with 401.
    pub fn for_members(mut self) -> Self {
        self.members = true;
        self.refuses(errors::need_auth())
    }

    /// Adds a form field ([`super::params::field`]). Invalid values fail with 422.
    pub fn field(mut self, field: Param) -> Self {
        if self.form.is_empty() {
            self = self.refuses(errors::invalid());
        }
        self.form.push(field);
        self
    }

    /// Adds several form fields, like [`Self::field`].
    pub fn fields(self, fields: impl IntoIterator<Item = Param>) -> Self {
        fields.into_iter().fold(self, Self::field)
    }

    /// Adds the variants of an enum that is deserialized from the form, instead of single fields. The enum's `title` is the name of the
    /// field that selects the variant, and its `example` is a form. Invalid values fail with 422.
    pub fn variants<T: ToSchema>(mut self) -> Self {
        if self.variants.is_empty() {
            self = self.refuses(errors::invalid());
        }
        let (variants, example) = variants::of::<T>();
        self.variants.extend(variants);
        self.examples.extend((!example.is_null()).then_some(example));
        self
    }

    /// Adds a required file, so that the form must be multipart.
    pub fn file(mut self, name: &str, description: &str) -> Self {
        let schema = json!({ "type": "string", "format": "binary" });
        self.files.push(super::params::field(name, description, schema, ""));
        self.needs_files = true;
        self
    }

    /// Adds an optional file, which requires multipart. Without it, the form may have any encoding.
    pub fn file_or_none(self, name: &str, description: &str) -> Self {
        Self { needs_files: self.needs_files, ..self.file(name, description) }
    }

    /// Requires a binary body of this media type.
    pub fn takes_bytes(self, kind: &'static str) -> Self {
        Self { bytes: Some(kind), ..self }
    }

    /// Sets the description, which explains more than the summary.
    pub fn about(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds a parameter. A malformed encoding fails with 400, except on pages.
    pub fn takes(mut self, param: Param) -> Self {
        if self.params.is_empty() && !self.page {
            self = self.refuses(errors::malformed());
        }
        self.params.push(param);
        self
    }

    /// Adds several parameters, like [`Self::takes`].
    pub fn takes_all(self, params: impl IntoIterator<Item = Param>) -> Self {
        params.into_iter().fold(self, Self::takes)
    }

    /// Adds a response 200 with `T` as JSON.
    pub fn answers<T: ToSchema>(mut self, description: &str) -> Self {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        let content = json!({ "schema": { "$ref": format!("#/components/schemas/{}", T::name()) } });
        self.answer(200, description, Some(("application/json", content)))
    }

    /// Adds a response without a body.
    pub fn answers_empty(self, status: u16, description: &str) -> Self {
        self.answer(status, description, None)
    }

    /// Adds a response 200 of the media type `kind` with an explicit schema.
    pub fn answers_with(self, description: &str, kind: &str, schema: &Value, example: &Value) -> Self {
        self.answer(200, description, Some((kind, json!({ "schema": schema, "example": example }))))
    }

    /// Adds another media type to the response 200, which must have been added before.
    pub fn also_as(mut self, kind: &str, schema: &Value, example: &Value) -> Self {
        if let Some(answer) = self.answers.get_mut(&200) {
            answer["content"][kind] = json!({ "schema": schema, "example": example });
        }
        self
    }

    /// Adds a response with an HTML page.
    pub fn answers_html(self, status: u16, description: &str) -> Self {
        let html = json!({ "schema": { "type": "string" }, "example": "<!doctype html><html lang=\"en\">…</html>" });
        self.answer(status, description, Some(("text/html", html)))
    }

    /// Adds the responses that a static file server sends for a file with one of these media types, including those to range and
    /// conditional requests.
    pub fn answers_file(self, description: &str, kinds: &[&str]) -> Self {
        let file = json!({ "schema": { "type": "string", "format": "binary" }, "example": "" });
        let part = "The part that `Range` requests. A request for several parts returns the whole file.";
        kinds
            .iter()
            .fold(self, |doc, kind| {
                doc.answer(200, "", Some((kind, file.clone()))).answer(206, "", Some((kind, file.clone())))
            })
            .answer(200, description, None)
            .answer(206, part, None)
            .with_header(200, "ETag", "Identifies the version of the file.", "\"18a1b2c3d4e5f607-23c53\"")
            .with_header(
                206,
                "Content-Range",
                "The returned part and the size of the file in bytes.",
                "bytes 0-1023/146515",
            )
            .answer(
                304,
                "`If-None-Match` names the current version, or the file has not changed since `If-Modified-Since`.",
                None,
            )
            .answer(
                412,
                "`If-Match` does not name the current version, or the file has changed since `If-Unmodified-Since`.",
                None,
            )
            .answer(416, "The file has no such part.", None)
            .with_header(416, "Content-Range", "The size of the file in bytes.", "bytes */146515")
    }

    /// Adds a redirect with status 303. `example` is an example of a target.
    pub fn redirects(self, description: &str, example: &str) -> Self {
        self.redirects_with(303, description, example)
    }

    /// Adds a redirect with this status. `example` is an example of a target.
    pub fn redirects_with(self, status: u16, description: &str, example: &str) -> Self {
        self.answer(status, description, None).with_header(status, "Location", "Target of the redirect.", example)
    }

    /// Adds an `ETag` to the response 200, and a response 304 for clients that already have it.
    pub fn tagged(self) -> Self {
        let about = "Tag of the response, for `If-None-Match`.";
        self.with_header(200, "ETag", about, "\"d41d8cd98f00b204e9800998ecf8427e\"").answer(
            304,
            "`If-None-Match` names the current response.",
            None,
        )
    }

    /// Adds `Cache-Control` to the response 200; `control` is an example.
    pub fn cache_control(self, control: &str) -> Self {
        self.with_header(200, "Cache-Control", "How long browsers and proxies may cache the response.", control)
    }

    /// Adds the `Cache-Control` of cached calls and an `ETag`. The lifetime in the example is a day; the path may specify another.
    pub fn cached(self) -> Self {
        self.cache_control("public, max-age=86400, stale-while-revalidate=8640").tagged()
    }

    /// Allows scripts of any site to read the response.
    pub fn for_other_sites(self) -> Self {
        self.with_header(200, "Access-Control-Allow-Origin", "Scripts of any site may read the response.", "*")
    }

    /// Adds an error.
    pub fn refuses(mut self, refusal: Refusal) -> Self {
        self.refusals.push(refusal);
        self
    }

    /// Adds several errors.
    pub fn refuses_all(mut self, refusals: impl IntoIterator<Item = Refusal>) -> Self {
        self.refusals.extend(refusals);
        self
    }

    /// Adds a description and content to the response with this status.
    fn answer(mut self, status: u16, description: &str, content: Option<(&str, Value)>) -> Self {
        let answer = self.answers.entry(status).or_insert_with(errors::bare);
        answer["description"] = match answer["description"].as_str() {
            Some(before) if !before.is_empty() && !description.is_empty() => json!(format!("{description}\n{before}")),
            Some(before) if description.is_empty() => json!(before),
            _ => json!(description),
        };
        if let Some((kind, content)) = content {
            answer["content"][kind] = content;
        }
        self
    }

    /// Adds a header to the response with this status, which must have been added before.
    pub fn with_header(mut self, status: u16, name: &str, description: &str, example: &str) -> Self {
        if let Some(headers) = self.answers.get_mut(&status).and_then(|answer| answer["headers"].as_object_mut()) {
            let header = json!({ "description": description, "schema": { "type": "string" }, "example": example });
            headers.insert(name.to_owned(), header);
        }
        self
    }

    /// Returns the HTTP method as a filter for the router.
    pub fn method(&self) -> MethodFilter {
        MethodFilter::try_from(self.method.clone()).unwrap_or_else(|_| unreachable!("a method that axum knows"))
    }

    /// Returns the path template with its parameters in braces.
    pub fn template(&self) -> &'static str {
        self.template
    }

    /// Returns the schemas of the responses with their names.
    pub fn schemas(&self) -> &[(String, RefOr<Schema>)] {
        &self.schemas
    }

    /// Returns the OpenAPI path item of the call.
    pub fn path_item(&self) -> Value {
        let params: Vec<Value> = self.params.iter().map(Param::to_value).collect();
        let answers: Map<String, Value> =
            self.responses().into_iter().map(|(status, answer)| (status.to_string(), answer)).collect();
        let mut call = json!({ "tags": [self.tag], "summary": self.summary, "operationId": self.id });
        if !self.description.is_empty() {
            call["description"] = json!(self.description);
        }
        if self.members {
            call["security"] = json!([{ "session": [] }]);
        }
        if !params.is_empty() {
            call["parameters"] = json!(params);
        }
        if let Some((form, _)) = self.form() {
            call["requestBody"] = self.body(&form);
        }
        if let Some(kind) = self.bytes {
            let schema = json!({ "type": "string", "format": "binary" });
            call["requestBody"] = json!({ "required": true, "content": { kind: { "schema": schema, "example": "" } } });
        }
        call["responses"] = Value::Object(answers);
        json!({ self.method.as_str().to_ascii_lowercase(): call })
    }

    /// Returns all responses by status, including errors.
    fn responses(&self) -> BTreeMap<u16, Value> {
        let mut answers = self.answers.clone();
        for refusal in &self.refusals {
            let before = answers.remove(&refusal.status());
            answers.insert(refusal.status(), refusal.into_answer(before));
        }
        answers
    }

    /// Returns the name and schema of the form, if the call has one.
    pub fn form(&self) -> Option<(String, Value)> {
        let name = format!("{}_form", self.id);
        let about = format!("Form of `{}`.", self.id);
        if !self.variants.is_empty() {
            let schema = json!({ "description": about, "oneOf": self.variants, "examples": self.examples });
            return Some((name, schema));
        }
        if self.form.is_empty() && self.files.is_empty() {
            return None;
        }
        let fields: Vec<Value> = self.form.iter().map(Param::to_value).collect();
        let required: Vec<&Value> =
            fields.iter().filter(|field| is_required(field)).map(|field| &field["name"]).collect();
        let examples = fields.iter().filter(|field| field["example"] != "");
        let example: Map<String, Value> = examples.map(|field| (name_of(field), field["example"].clone())).collect();
        let files =
            self.files.iter().map(Param::to_value).map(|file| (name_of(&file), described(&file, &file["schema"])));
        let fields = fields.iter().map(|field| {
            let schema = &field["schema"];
            (name_of(field), described(field, &if is_required(field) { schema.clone() } else { or_absent(schema) }))
        });
        let properties: Map<String, Value> = fields.chain(files).collect();
        let schema = json!({ "description": about, "type": "object",
            "required": required, "properties": properties, "examples": [example] });
        Some((name, schema))
    }

    /// Returns the request body: multipart if a file is required, otherwise any form encoding.
    fn body(&self, form: &str) -> Value {
        let kinds: &[&str] = if self.needs_files {
            &["multipart/form-data"]
        } else {
            &["application/x-www-form-urlencoded", "multipart/form-data", "application/json"]
        };
        let content = json!({ "schema": { "$ref": format!("#/components/schemas/{form}") } });
        let content: Map<String, Value> = kinds.iter().map(|kind| ((*kind).to_owned(), content.clone())).collect();
        json!({ "required": true, "content": content })
    }
}

fn is_required(field: &Value) -> bool {
    field["required"] == true
}

fn name_of(field: &Value) -> String {
    field["name"].as_str().unwrap_or_default().to_owned()
}

fn described(field: &Value, schema: &Value) -> Value {
    let mut schema = schema.clone();
    schema["description"] = field["description"].clone();
    schema
}
