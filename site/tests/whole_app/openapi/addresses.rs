//! The OpenAPI document is complete: it contains every route in the router and every address to which a response links.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    io::Read as _,
};

use axum::http::Method;
use flate2::read::GzDecoder;
use regex::Regex;
use serde_json::Value;

use crate::{
    page::dom::ADULT,
    support::{
        App, Reply,
        contract::{assert_documented, operations, requests},
        templates::Templates,
    },
};

const ORIGIN: &str = "http://127.0.0.1:8080";
/// Number of requests per address form.
const MAX_PER_FORM: usize = 3;

/// Returns the path and methods of every route, parsed from the router's debug output.
fn routes(router: &str) -> BTreeMap<String, BTreeSet<String>> {
    let own = router.split("fallback_router").next().unwrap();
    let (endpoints, names) = own.split_once("node: Node").unwrap();
    let name = Regex::new(r#"(RouteId\(\d+\)): "([^"]+)""#).unwrap();
    let names = name.captures_iter(names).map(|found| (found[1].to_owned(), found[2].to_owned()));
    let allow = Regex::new(r#"allow_header: Bytes\(b"([A-Z,]+)"\)"#).unwrap();
    let starts: Vec<_> = Regex::new(r"RouteId\(\d+\)").unwrap().find_iter(endpoints).collect();
    let mut methods: HashMap<&str, BTreeSet<String>> = HashMap::new();
    for (at, start) in starts.iter().enumerate() {
        let end = starts.get(at + 1).map_or(endpoints.len(), |next| next.start());
        let allowed = allow.captures(&endpoints[start.end()..end]).map(|found| found[1].to_owned()).unwrap_or_default();
        methods.insert(start.as_str(), allowed.split(',').map(str::to_ascii_lowercase).collect());
    }
    names.map(|(id, path)| (path, methods[id.as_str()].clone())).collect()
}

/// Returns a path without the names of its parameters. axum allows one parameter per segment, and the document any
/// number.
fn form(path: &str) -> String {
    let segments = path.split('/').map(|segment| if segment.contains('{') { "{}" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn every_route_is_documented_with_its_methods() {
    let app = App::empty(|_| {}).await;
    let document = lantern_site::document(&lantern_config::Config::default());
    let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (template, item) in document["paths"].as_object().unwrap() {
        known.entry(form(template)).or_default().extend(item.as_object().unwrap().keys().cloned());
    }
    let routes = routes(&app.routes());
    assert!(
        routes.len() > 50 && routes.contains_key("/media/p/{*path}") && routes.contains_key("/agree/"),
        "{routes:?}"
    );
    for (path, methods) in &routes {
        let mut documented = known.remove(&form(path)).unwrap_or_else(|| panic!("{path} is not in the document"));
        if documented.contains("get") {
            documented.insert("head".to_owned());
        }
        assert_eq!(*methods, documented, "{path}");
    }
    // Paths without a route are served by the page fallback.
    for (path, methods) in known {
        let concrete = path.replace("{}", "1");
        for (method, status) in [("DELETE", 405), ("GET", 0)] {
            let reply = app.send(method.parse().unwrap(), &concrete, &[]).await;
            let is_page = path.ends_with("/feed/") || path == "/embed/{}/";
            assert!(is_page, "{path} ({methods:?}) has no route");
            assert!(status == 0 || reply.status == status || reply.status == 404, "{path}: {}", reply.status);
        }
    }
    app.finish().await;
}

/// Returns every address on this site within an HTML, XML, JSON or plain text.
fn addresses(text: &str) -> Vec<String> {
    let quoted = Regex::new(&format!(r#"(?:^|["'>(\s\\])(?:{ORIGIN})?(/[^\s"'<>()\\]*)"#)).unwrap();
    quoted.captures_iter(text).map(|found| found[1].replace("&amp;", "&")).collect()
}

fn text_of(reply: &Reply) -> String {
    if reply.header("content-type") != "application/gzip" {
        return reply.text();
    }
    let mut text = String::new();
    GzDecoder::new(&*reply.body).read_to_string(&mut text).unwrap();
    text
}

/// Returns the kinds of page whose documented responses match this one.
fn kinds_of(document: &Value, path: &str, reply: &Reply) -> Vec<String> {
    let kinds = document["x-pages"].as_object().unwrap().iter();
    let content = reply.header("content-type").split(';').next().unwrap();
    let like = |(name, kind): &(&String, &Value)| {
        let answer = &kind["responses"][reply.status.to_string()];
        let contents = &answer["content"];
        let is_file = name.as_str() == "file";
        answer.is_object()
            && (!is_file || path.starts_with("/assets/") || path == "/favicon.ico")
            && (is_file || if reply.body.is_empty() { contents.is_null() } else { contents[content].is_object() })
    };
    kinds.filter(like).map(|(name, _)| name.clone()).collect()
}

/// Returns a page's path with ids and names replaced.
fn page_form(path: &str) -> String {
    let name =
        |segment: &str| segment.contains('-') || segment.contains(',') || segment.bytes().all(|b| b.is_ascii_digit());
    path.split('/').map(|segment| if name(segment) { "*" } else { segment }).collect::<Vec<_>>().join("/")
}

struct Walk<'a> {
    app: &'a App,
    document: &'a Value,
    templates: Templates,
    waiting: VecDeque<String>,
    seen: HashSet<String>,
    requested: HashMap<String, usize>,
    found: BTreeSet<String>,
}

impl Walk<'_> {
    fn take(&mut self, address: &str) {
        let address = address.split('#').next().unwrap();
        if self.seen.insert(address.to_owned()) {
            self.waiting.push_back(address.to_owned());
        }
    }

    /// Counts a request of this form. Returns false once there have been enough.
    fn may_request(&mut self, form: &str) -> bool {
        let requested = self.requested.entry(form.to_owned()).or_default();
        *requested += 1;
        *requested <= MAX_PER_FORM
    }

    async fn visit(&mut self, address: &str) {
        let path = address.split('?').next().unwrap();
        let Some((template, item)) = self.templates.find(path).map(|(name, item)| (name.to_owned(), item.clone()))
        else {
            if self.may_request(&page_form(path)) {
                let reply = self.app.send(Method::GET, address, &[ADULT]).await;
                let kinds = kinds_of(self.document, path, &reply);
                assert!(!kinds.is_empty(), "{address}: {} is not documented", reply.status);
                self.found.extend(kinds);
                self.read(&reply);
            }
            return;
        };
        self.found.insert(template.clone());
        // Forms are linked to, but the test does not submit them.
        if item["get"].is_null() {
            assert!(item["post"].is_object(), "{address}");
            return;
        }
        let unknown = Templates::unknown_parameters(&item["get"], address);
        assert!(unknown.is_empty(), "{address}: {unknown:?} are not documented");
        if self.may_request(&template) {
            let reply = self.app.send(Method::GET, address, &[ADULT]).await;
            assert_documented(self.document, &item["get"], address, &reply);
            // The addresses in its examples don't exist.
            if template != "/api/openapi.json" {
                self.read(&reply);
            }
        }
    }

    fn read(&mut self, reply: &Reply) {
        for address in addresses(&text_of(reply)).into_iter().chain(addresses(reply.header("location"))) {
            self.take(&address);
        }
    }
}

#[tokio::test]
async fn every_linked_address_is_documented() {
    let app = App::demo().await;
    let document = app.json("/api/openapi.json").await;
    let mut walk = Walk {
        app: &app,
        document: &document,
        templates: Templates::of(&document),
        waiting: VecDeque::new(),
        seen: HashSet::new(),
        requested: HashMap::new(),
        found: BTreeSet::new(),
    };
    // The age gate is requested here, because its form is not shown once the gate has been passed.
    walk.read(&app.get("/").await);
    for address in
        ["/", "/sitemap.xml", "/robots.txt", "/nothing/", "/videos/", "/edit/", "/upload-video/", "/upload-album/"]
    {
        walk.take(address);
    }
    for (template, operation) in operations(&document) {
        requests(template, operation).into_iter().for_each(|address| walk.take(&address));
    }
    while let Some(address) = walk.waiting.pop_front() {
        walk.visit(&address).await;
    }
    // Every documented page and operation has been reached.
    let kinds = document["x-pages"].as_object().unwrap().keys();
    let read = operations(&document).into_iter().map(|(template, _)| template);
    let missed: Vec<&String> = kinds.chain(read).filter(|name| !walk.found.contains(*name)).collect();
    assert!(missed.is_empty() && walk.found.contains("/agree/"), "never reached: {missed:?}");
    assert!(walk.seen.len() > 5000, "{} addresses", walk.seen.len());
    let feed = app.get("/videos/longest/feed/").await;
    assert!(
        feed.status == 200 && kinds_of(&document, "/videos/longest/atom/", &feed).is_empty(),
        "a feed is not a page"
    );
    app.finish().await;
}
