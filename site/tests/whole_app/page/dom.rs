//! Parses pages as a browser would.

use axum::http::Method;
use scraper::{Html, Selector};
use serde_json::Value;

use crate::support::{App, Reply};

/// The cookie set by the age gate.
pub const ADULT: (&str, &str) = ("cookie", "age_agreed=1");

pub struct Dom(Html);

impl Dom {
    pub fn parse(reply: &Reply) -> Self {
        Self(Html::parse_document(&reply.text()))
    }

    /// Returns the text of every element that the selector matches.
    pub fn texts(&self, selector: &str) -> Vec<String> {
        let selector = Selector::parse(selector).unwrap();
        let texts = self.0.select(&selector).map(|found| found.text().collect::<String>());
        texts.map(|text| text.trim().to_owned()).collect()
    }

    /// Returns an attribute of every element that the selector matches.
    pub fn attrs(&self, selector: &str, name: &str) -> Vec<String> {
        let selector = Selector::parse(selector).unwrap();
        let found = self.0.select(&selector);
        found.filter_map(|found| found.attr(name).map(str::to_owned)).collect()
    }

    /// Returns the attribute of the only matching element.
    #[track_caller]
    pub fn attr(&self, selector: &str, name: &str) -> Option<String> {
        let mut found = self.attrs(selector, name);
        assert!(found.len() < 2, "{selector} {name}: {found:?}");
        found.pop()
    }

    /// Returns the `content` of a meta element.
    #[track_caller]
    pub fn meta(&self, name: &str) -> String {
        let content = self.attr(&format!("meta[name='{name}'],meta[property='{name}']"), "content");
        content.unwrap_or_else(|| panic!("no meta {name}"))
    }

    pub fn title(&self) -> String {
        self.texts("head > title").join("|")
    }

    pub fn canonical(&self) -> Option<String> {
        self.attr("head > link[rel='canonical']", "href")
    }

    /// Returns the language and address of the page's `hreflang` versions.
    pub fn versions(&self) -> Vec<(String, String)> {
        let of = |name| self.attrs("head > link[rel='alternate'][hreflang]", name);
        of("hreflang").into_iter().zip(of("href")).collect()
    }

    /// Returns the app's embedded boot data.
    pub fn boot(&self) -> Value {
        serde_json::from_str(&self.texts("script#boot").concat()).unwrap()
    }

    /// Returns the structured data of this type.
    pub fn data(&self, kind: &str) -> Option<Value> {
        let text = self.texts("script[type='application/ld+json']").concat();
        let data: Value = if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap() };
        data["@graph"].as_array()?.iter().find(|item| item["@type"] == kind).cloned()
    }
}

impl App {
    /// Requests a page as a visitor who has passed the age gate.
    pub async fn page(&self, path: &str) -> (Reply, Dom) {
        let reply = self.send(Method::GET, path, &[ADULT]).await;
        let dom = Dom::parse(&reply);
        (reply, dom)
    }
}

/// Returns the path in an absolute address on this site.
#[track_caller]
pub fn path(address: &str) -> &str {
    address.strip_prefix("http://127.0.0.1:8080").unwrap_or_else(|| panic!("{address} is not on this site"))
}
