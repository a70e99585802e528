//! What the document says of one call.

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
};

/// A call's documentation, built up in the order in which it is read.
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
    files: Vec<Param>,
    needs_files: bool,
    bytes: Option<&'static str>,
    members: bool,
    page: bool,
    answers: BTreeMap<u16, Value>,
    // Written out with the document alone: a site that starts has no use for it.
    refusals: Vec<Refusal>,
    schemas: Vec<(String, RefOr<Schema>)>,
}

impl Doc {
    /// A `GET` of `template` that needs nothing and refuses what every call refuses.
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

    /// A `GET` below `/api/json/`, where an address outside the contract is 404.
    pub fn read(tag: &'static str, id: &'static str, template: &'static str, summary: &'static str) -> Self {
        Self::new(tag, id, template, summary).refuses(errors::unknown_address())
    }

    /// A call by any method, whose body, if it has one, is no form.
    pub fn call(
        method: Method,
        tag: &'static str,
        id: &'static str,
        template: &'static str,
        summary: &'static str,
    ) -> Self {
        Self { method, ..Self::new(tag, id, template, summary) }
    }

    /// A `POST` of a form to `template` that refuses what every form is refused for.
    pub fn post(tag: &'static str, id: &'static str, template: &'static str, summary: &'static str) -> Self {
        let doc = Self { method: Method::POST, ..Self::new(tag, id, template, summary) };
        doc.refuses_all(errors::of_forms())
    }

    /// A `GET` of an address among the pages: what can't be decoded or read there is no address, or counts as absent.
    pub fn page(tag: &'static str, id: &'static str, template: &'static str, summary: &'static str) -> Self {
        Self { page: true, ..Self::new(tag, id, template, summary) }
    }

    /// A `POST` to such an address, whose body nobody reads.
    pub fn page_post(tag: &'static str, id: &'static str, template: &'static str, summary: &'static str) -> Self {
        Self { method: Method::POST, ..Self::page(tag, id, template, summary) }.refuses(errors::cross_site())
    }

    /// Is for members only: without a session it is refused with 401.
    pub fn for_members(mut self) -> Self {
        self.members = true;
        self.refuses(errors::need_auth())
    }

    /// Takes a field of the form ([`super::params::field`]). A value that none of its fields can have is refused.
    pub fn field(mut self, field: Param) -> Self {
        if self.form.is_empty() {
            self = self.refuses(errors::invalid());
        }
        self.form.push(field);
        self
    }

    pub fn fields(self, fields: impl IntoIterator<Item = Param>) -> Self {
        fields.into_iter().fold(self, Self::field)
    }

    /// Takes a file, which makes the form multipart.
    pub fn file(mut self, name: &str, description: &str) -> Self {
        let schema = json!({ "type": "string", "format": "binary" });
        self.files.push(super::params::field(name, description, schema, ""));
        self.needs_files = true;
        self
    }

    /// Takes a file, when the form is multipart; without one it may be written in any way.
    pub fn file_or_none(self, name: &str, description: &str) -> Self {
        Self { needs_files: self.needs_files, ..self.file(name, description) }
    }

    /// Takes a body of bytes of this type.
    pub fn takes_bytes(self, kind: &'static str) -> Self {
        Self { bytes: Some(kind), ..self }
    }

    /// What a reader must know beyond the summary.
    pub fn about(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Takes a parameter. A malformed encoding of any is refused, except among the pages.
    pub fn takes(mut self, param: Param) -> Self {
        if self.params.is_empty() && !self.page {
            self = self.refuses(errors::malformed());
        }
        self.params.push(param);
        self
    }

    pub fn takes_all(self, params: impl IntoIterator<Item = Param>) -> Self {
        params.into_iter().fold(self, Self::takes)
    }

    /// Answers 200 with `T` as JSON.
    pub fn answers<T: ToSchema>(mut self, description: &str) -> Self {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        let content = json!({ "schema": { "$ref": format!("#/components/schemas/{}", T::name()) } });
        self.answer(200, description, Some(("application/json", content)))
    }

    /// Answers without a body.
    pub fn answers_empty(self, status: u16, description: &str) -> Self {
        self.answer(status, description, None)
    }

    /// Answers 200 with something else than an object of our own.
    pub fn answers_with(self, description: &str, kind: &str, schema: &Value, example: &Value) -> Self {
        self.answer(200, description, Some((kind, json!({ "schema": schema, "example": example }))))
    }

    /// Answers the same in another form.
    pub fn also_as(mut self, kind: &str, schema: &Value, example: &Value) -> Self {
        if let Some(answer) = self.answers.get_mut(&200) {
            answer["content"][kind] = json!({ "schema": schema, "example": example });
        }
        self
    }

    /// Answers with a page that is there to be looked at.
    pub fn answers_html(self, status: u16, description: &str) -> Self {
        let html = json!({ "schema": { "type": "string" }, "example": "<!doctype html><html lang=\"en\">…</html>" });
        self.answer(status, description, Some(("text/html", html)))
    }

    /// Answers with a file of one of these types, or with the part of it that `Range` names, as a static file server does.
    pub fn answers_file(self, description: &str, kinds: &[&str]) -> Self {
        let file = json!({ "schema": { "type": "string", "format": "binary" }, "example": "" });
        let part = "The part of it that `Range` names. Of several parts at once the answer is the whole.";
        kinds
            .iter()
            .fold(self, |doc, kind| {
                doc.answer(200, "", Some((kind, file.clone()))).answer(206, "", Some((kind, file.clone())))
            })
            .answer(200, description, None)
            .answer(206, part, None)
            .with_header(200, "ETag", "Of its version.", "\"18a1b2c3d4e5f607-23c53\"")
            .with_header(206, "Content-Range", "Which part it is, of how many bytes.", "bytes 0-1023/146515")
            .answer(304, "The version of `If-None-Match`, or unchanged since `If-Modified-Since`.", None)
            .answer(412, "No version of `If-Match`, or changed since `If-Unmodified-Since`.", None)
            .answer(416, "It has no such part.", None)
            .with_header(416, "Content-Range", "How many bytes there are.", "bytes */146515")
    }

    pub fn redirects(self, description: &str, example: &str) -> Self {
        self.leads(303, description, example)
    }

    /// Answers with a status that leads elsewhere.
    pub fn leads(self, status: u16, description: &str, example: &str) -> Self {
        self.answer(status, description, None).with_header(status, "Location", "Where to.", example)
    }

    /// Has an `ETag`, and answers 304 without a body to whoever has it already.
    pub fn tagged(self) -> Self {
        let about = "Tag of these very bytes, for `If-None-Match`.";
        self.with_header(200, "ETag", about, "\"d41d8cd98f00b204e9800998ecf8427e\"").answer(
            304,
            "`If-None-Match` names the present answer.",
            None,
        )
    }

    /// Is kept: the answer says for how long in `Cache-Control`.
    pub fn kept(self, control: &str) -> Self {
        self.with_header(200, "Cache-Control", "How long browsers and proxies may keep the answer.", control)
    }

    /// Is kept for a day, unless the lifetime in its address says otherwise, and tagged.
    pub fn cached(self) -> Self {
        self.kept("public, max-age=86400, stale-while-revalidate=8640").tagged()
    }

    /// May be read by scripts of any site.
    pub fn for_other_sites(self) -> Self {
        self.with_header(200, "Access-Control-Allow-Origin", "Any site's script may read the answer.", "*")
    }

    /// Refuses with an error of the contract.
    pub fn refuses(mut self, refusal: Refusal) -> Self {
        self.refusals.push(refusal);
        self
    }

    pub fn refuses_all(mut self, refusals: impl IntoIterator<Item = Refusal>) -> Self {
        self.refusals.extend(refusals);
        self
    }

    /// Adds to what the status answers with here.
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

    /// An answer has this header.
    pub fn with_header(mut self, status: u16, name: &str, description: &str, example: &str) -> Self {
        if let Some(headers) = self.answers.get_mut(&status).and_then(|answer| answer["headers"].as_object_mut()) {
            let header = json!({ "description": description, "schema": { "type": "string" }, "example": example });
            headers.insert(name.to_owned(), header);
        }
        self
    }

    /// How it is called.
    pub fn method(&self) -> MethodFilter {
        MethodFilter::try_from(self.method.clone()).unwrap_or_else(|_| unreachable!("a method that axum knows"))
    }

    /// The address with its parameters.
    pub fn template(&self) -> &'static str {
        self.template
    }

    /// Schemas of the answers, by name.
    pub fn schemas(&self) -> &[(String, RefOr<Schema>)] {
        &self.schemas
    }

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

    /// What it answers, with the errors that it refuses with.
    fn responses(&self) -> BTreeMap<u16, Value> {
        let mut answers = self.answers.clone();
        for refusal in &self.refusals {
            let before = answers.remove(&refusal.status());
            answers.insert(refusal.status(), refusal.into_answer(before));
        }
        answers
    }

    /// The schema of the form, if the call takes one, with its name.
    pub fn form(&self) -> Option<(String, Value)> {
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
            // As `extract::Form` reads it: an empty field, or null in JSON, counts as absent.
            let or_absent = json!({ "anyOf": [field["schema"], { "enum": ["", null] }] });
            (name_of(field), described(field, if is_required(field) { &field["schema"] } else { &or_absent }))
        });
        let properties: Map<String, Value> = fields.chain(files).collect();
        let schema = json!({ "description": format!("What `{}` takes.", self.id), "type": "object",
            "required": required, "properties": properties, "examples": [example] });
        Some((format!("{}_form", self.id), schema))
    }

    /// With files that must come a form is multipart, otherwise it may be written in any way.
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
