//! Routes and what the document says of them, in one table.

use axum::{
    Router,
    extract::DefaultBodyLimit,
    handler::Handler,
    routing::{MethodFilter, MethodRouter, get, on, post},
};

use super::{Doc, errors::Refusal};
use crate::http::ApiError;

/// Calls of a state: the router that serves them and their documentation.
pub struct Calls<S> {
    router: Router<S>,
    docs: Vec<Doc>,
    prefix: &'static str,
}

impl<S: Clone + Send + Sync + 'static> Calls<S> {
    /// No calls yet; the addresses of those to come all begin with `prefix`.
    pub fn below(prefix: &'static str) -> Self {
        Self { router: Router::new(), docs: Vec::new(), prefix }
    }

    /// A call: where it is served, by what, and its documentation. axum takes one parameter a segment, the document as many
    /// as the contract has.
    pub fn get<H, T>(self, route: &str, handler: H, doc: Doc) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        self.on(route, get(handler), doc)
    }

    /// A call that takes a form.
    pub fn post<H, T>(self, route: &str, handler: H, doc: Doc) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        self.on(route, post(handler), doc)
    }

    /// A call that takes a form with files of at most so many bytes altogether. The address must be among those of
    /// `envelope::body_limit`, which refuses what is announced larger.
    pub fn post_files<H, T>(self, route: &str, handler: H, doc: Doc, limit: usize) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        self.on(route, post(handler).layer(DefaultBodyLimit::max(limit)), doc)
    }

    /// A call by another method.
    pub fn by<H, T>(self, method: MethodFilter, route: &str, handler: H, doc: Doc) -> Self
    where
        H: Handler<T, S>,
        T: 'static,
    {
        self.on(route, on(method, handler), doc)
    }

    fn on(mut self, route: &str, handler: MethodRouter<S>, doc: Doc) -> Self {
        let route = format!("{}{route}", self.prefix);
        debug_assert!(same_address(&route, doc.template()), "{route} is documented as {}", doc.template());
        self.router = self.router.route(&route, handler);
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

/// Whether a route of axum and a template of the document have the same segments, parameters aside.
fn same_address(route: &str, template: &str) -> bool {
    let (route, template): (Vec<&str>, Vec<&str>) = (route.split('/').collect(), template.split('/').collect());
    let same = |(served, documented): (&&str, &&str)| {
        served == documented || served.starts_with('{') && documented.contains('{')
    };
    route.len() == template.len() && route.iter().zip(&template).all(same)
}

#[cfg(test)]
mod tests {
    use super::same_address;

    #[test]
    fn an_address_is_documented_as_it_is_served() {
        assert!(same_address("/main/{lifetime}/{file}", "/main/{lifetime}/{gender}.{lang}.json"));
        assert!(same_address("/static/tf/{file}", "/static/tf/videos.{id}.json"));
        assert!(!same_address("/main/{lifetime}/{file}", "/other/{lifetime}/{gender}.{lang}.json"));
        assert!(!same_address("/main/{lifetime}/{file}", "/main/{gender}.{lang}.json"));
        assert!(!same_address("/robots.txt", "/{robots}.txt"));
    }
}
