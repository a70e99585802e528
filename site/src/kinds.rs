//! Documents the kinds of pages that have no separate route and are served by the page handler.
//!
//! A kind with specific path templates is documented as calls. The other kinds, whose addresses are in `config/addresses.json`, are
//! documented under `x-pages`.

use lantern_config::Config;
use lantern_http::openapi::{Doc, refusal};
use lantern_listing::pages::{Page, ScreenMatch};
use serde_json::{Map, Value, json};

use crate::{embed, feed};

/// Where a kind of page is documented.
enum KindPlace {
    Calls(fn(&Config) -> Vec<Doc>),
    Kind(fn() -> Doc),
}

/// Returns one page of every kind.
fn pages() -> [Page; 6] {
    let (screen, feed) = (Page::Shown(ScreenMatch::default()), Page::Feed(ScreenMatch::default()));
    [screen, Page::Missing, Page::Elsewhere(String::new()), Page::Profile, Page::Embed(1), feed]
}

/// Returns where a page is documented. The match is exhaustive, so that a new kind can't be left undocumented.
const fn place(page: &Page) -> KindPlace {
    match page {
        Page::Shown(_) => KindPlace::Kind(screen),
        Page::Missing => KindPlace::Kind(missing),
        Page::Elsewhere(_) => KindPlace::Kind(elsewhere),
        Page::Profile => KindPlace::Kind(profile),
        Page::Embed(_) => KindPlace::Calls(embed::docs),
        Page::Feed(_) => KindPlace::Calls(feed::doc::all),
    }
}

pub fn calls(config: &Config) -> Vec<Doc> {
    pages()
        .iter()
        .map(place)
        .flat_map(|place| match place {
            KindPlace::Calls(docs) => docs(config),
            KindPlace::Kind(_) => Vec::new(),
        })
        .collect()
}

/// Returns the other kinds by name, for `x-pages`.
pub fn kinds() -> Value {
    let pages = pages();
    let of_pages = pages.iter().map(place).filter_map(|place| match place {
        KindPlace::Kind(doc) => Some(doc()),
        KindPlace::Calls(_) => None,
    });
    let kinds = of_pages.chain([file()]).flat_map(|doc| {
        let item = doc.path_item();
        let call = &item["get"];
        let kind =
            json!({ "summary": call["summary"], "description": call["description"], "responses": call["responses"] });
        call["operationId"].as_str().map(|name| (name.to_owned(), kind))
    });
    Value::Object(kinds.collect::<Map<_, _>>())
}

fn kind(name: &'static str, summary: &'static str) -> Doc {
    Doc::page("site", name, "", summary)
}

fn screen() -> Doc {
    let head = json!({ "status": 200, "lang": "en", "head": {}, "data": null });
    kind("screen", "A screen of the app, as HTML with the answers of its first calls")
        .about(
            "The status is that of the main call; a page past the end of a list is 404. With `Accept: \
             application/vnd.lantern.head+json` the response is only the page's head, with the page's status as a field.",
        )
        .answers_html(200, "The screen, or the age gate in its place.")
        .also_as("application/vnd.lantern.head+json", &json!({ "type": "object" }), &head)
        .answers_html(403, "This visitor may not see the object of the screen.")
        .answers_html(404, "The object of the screen doesn't exist.")
        .answers_html(410, "The object of the screen was deleted.")
        .answers_html(429, "Too many searches, or too many requests for hidden or missing objects.")
        .answers_html(500, "The main call failed.")
        .answers_html(503, "The main call is unavailable.")
}

fn missing() -> Doc {
    let head = json!({ "status": 404, "lang": "en", "head": {}, "data": null });
    kind("missing", "The app's page for any unknown address")
        .about("Below `/api/`, `/assets/`, `/media/` and `/sitemap/` the response is the error `not_found` as JSON.")
        .answers_html(404, "Unknown address.")
        .answers_with(
            "If only the head is requested.",
            "application/vnd.lantern.head+json",
            &json!({ "type": "object" }),
            &head,
        )
        .refuses(refusal(404, &[("not_found", "neither a call nor a file")]))
}

fn elsewhere() -> Doc {
    kind("redirect", "Another spelling of a screen's address").redirects_with(
        308,
        "To the canonical address.",
        "/videos/top-rated/1/",
    )
}

fn profile() -> Doc {
    kind("profile", "The member's own profile; for guests also every screen that requires a session").redirects_with(
        307,
        "Members are redirected to their own page, guests to the home page, whose `next` parameter holds the requested address.",
        "/members/2/info/",
    )
}

fn file() -> Doc {
    kind("file", "A file of the app")
        .about("Files with a digest in their name never change.")
        .answers_with("The file; its name determines the type.", "*/*", &json!({}), &json!(""))
        .cache_control("public, max-age=31536000, immutable")
        .tagged()
}
