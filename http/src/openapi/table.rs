//! Calls: what serves them and what the document says of them, in one table. The address of each stands in its documentation
//! alone.

use std::fmt::{Display, Write as _};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    handler::Handler,
    routing::{MethodRouter, on},
};
use lantern_errors::ApiError;

use super::{Doc, errors::Refusal};

/// Calls of a state: the router that serves them and their documentation.
pub struct Calls<S> {
    router: Router<S>,
    docs: Vec<Doc>,
}

impl<S: Clone + Send + Sync + 'static> Calls<S> {
    /// No calls yet.
    pub fn new() -> Self {
        Self { router: Router::new(), docs: Vec::new() }
    }

    /// A call: what serves it, where and how its documentation says.
    pub fn serve<H, T>(self, handler: H, doc: Doc) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        let handler = on(doc.method(), handler);
        self.add(handler, doc)
    }

    /// A call that takes a form with files of at most so many bytes altogether. The address must be among those of
    /// `envelope::body_limit`, which refuses what is announced larger.
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

    /// Says of each call so far that it is refused with this.
    pub fn refusing(mut self, refusal: Refusal) -> Self {
        self.docs = self.docs.into_iter().map(|doc| doc.refuses(refusal)).collect();
        self
    }

    /// The router; other methods are refused as the contract has it.
    pub fn into_router(self) -> Router<S> {
        self.router.method_not_allowed_fallback(async || ApiError::Method)
    }

    pub fn into_docs(self) -> Vec<Doc> {
        self.docs
    }
}

/// The route of an address: axum takes one parameter a segment, the contract has any number of them with text between.
fn route(template: &str) -> String {
    let segment = |(at, segment): (usize, &str)| match segment.contains('{') {
        true => format!("{{{at}}}"),
        false => segment.to_owned(),
    };
    template.split('/').enumerate().map(segment).collect::<Vec<_>>().join("/")
}

/// The address of a call with these values of its parameters, in their order.
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
    fn values_take_the_places_of_parameters() {
        assert_eq!(address("/main/{lifetime}/{gender}.{lang}.json", &[&600, &"str", &"en"]), "/main/600/str.en.json");
    }

    #[test]
    fn a_segment_with_parameters_is_one_of_the_route() {
        assert_eq!(route("/main/{lifetime}/{gender}.{lang}.json"), "/main/{2}/{3}");
        assert_eq!(route("/static/tf/videos.{id}.json"), "/static/tf/{3}");
        assert_eq!(route("/api/uploads/"), "/api/uploads/");
    }
}
