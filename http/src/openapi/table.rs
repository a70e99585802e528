//! Table of calls: handlers and their documentation. The path of a call is only in its documentation.

use std::fmt::{Display, Write as _};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    handler::Handler,
    routing::{MethodRouter, on},
};
use lantern_errors::ApiError;

use super::{Doc, errors::Refusal};

/// Calls with the state `S`, as a router and the documentation of each call.
pub struct Calls<S> {
    router: Router<S>,
    docs: Vec<Doc>,
}

impl<S: Clone + Send + Sync + 'static> Default for Calls<S> {
    /// Creates an empty table.
    fn default() -> Self {
        Self { router: Router::new(), docs: Vec::new() }
    }
}

impl<S: Clone + Send + Sync + 'static> Calls<S> {
    /// Adds a call with the method and path of its documentation.
    pub fn serve<H, T>(self, handler: H, doc: Doc) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        let handler = on(doc.method(), handler);
        self.add(handler, doc)
    }

    /// Adds a call whose form contains files, with a body limit in bytes. [`crate::envelope::Settings::bounds`] is checked first and must
    /// allow the same limit for the path.
    pub fn serve_files<H, T>(self, handler: H, doc: Doc, limit: usize) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        let handler = on(doc.method(), handler).layer(DefaultBodyLimit::max(limit));
        self.add(handler, doc)
    }

    fn add(mut self, handler: MethodRouter<S>, doc: Doc) -> Self {
        self.router = self.router.route(&route(doc.template()), handler);
        self.docs.push(doc);
        self
    }

    /// Adds an error to the documentation of all calls added so far.
    pub fn refusing(mut self, refusal: Refusal) -> Self {
        self.docs = self.docs.into_iter().map(|doc| doc.refuses(refusal)).collect();
        self
    }

    /// Returns the router, which responds to other methods with 405 `method_not_allowed`.
    pub fn into_router(self) -> Router<S> {
        self.router.method_not_allowed_fallback(async || ApiError::Method)
    }

    /// Returns the documentation of all calls.
    pub fn into_docs(self) -> Vec<Doc> {
        self.docs
    }
}

/// Converts a path template into a route. axum supports one parameter per segment; templates may have any number, with text in between.
fn route(template: &str) -> String {
    let segment = |(at, segment): (usize, &str)| match segment.contains('{') {
        true => format!("{{{at}}}"),
        false => segment.to_owned(),
    };
    template.split('/').enumerate().map(segment).collect::<Vec<_>>().join("/")
}

/// Fills the parameters of a path template with `values` in order.
pub fn address(template: &str, values: &[&dyn Display]) -> String {
    let mut out = String::new();
    let mut values = values.iter();
    for part in template.split('{') {
        match part.split_once('}') {
            Some((_, text)) => drop(values.next().map(|value| write!(out, "{value}{text}"))),
            None => out.push_str(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{address, route};

    #[test]
    fn values_replace_parameters() {
        assert_eq!(address("/main/{lifetime}/{gender}.{lang}.json", &[&600, &"str", &"en"]), "/main/600/str.en.json");
    }

    #[test]
    fn segment_with_parameters_becomes_one_route_parameter() {
        assert_eq!(route("/main/{lifetime}/{gender}.{lang}.json"), "/main/{2}/{3}");
        assert_eq!(route("/static/tf/videos.{id}.json"), "/static/tf/{3}");
        assert_eq!(route("/api/uploads/"), "/api/uploads/");
    }
}
