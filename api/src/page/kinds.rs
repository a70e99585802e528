//! What is neither call nor file of the table: the pages' one handler answers it by the kind of the address.
//!
//! A kind with a template of its own is a call of the document like any other. The rest, whose addresses are those of
//! `web/routes.rs`, stand as kinds under `x-pages`.

use lantern_config::Config;
use lantern_http::openapi::{Doc, refusal};
use serde_json::{Map, Value, json};

use super::{embed, feed};
use crate::web::{Page, ScreenMatch};

/// Where the document has a kind of page.
enum KindPlace {
    Calls(fn(&Config) -> Vec<Doc>),
    Kind(fn() -> Doc),
}

/// Every kind of page.
fn pages() -> [Page; 6] {
    let (screen, feed) = (Page::Shown(ScreenMatch::default()), Page::Feed(ScreenMatch::default()));
    [screen, Page::Missing, Page::Elsewhere(String::new()), Page::Profile, Page::Embed(1), feed]
}

/// A new kind needs a place of its own here.
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

/// The other kinds by name, as `x-pages` has them.
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
    kind("screen", "A screen of the app, as HTML with the answers of the calls it makes first")
        .about(
            "Its statuses are those of its main call; a page past the end of a list is 404. Asked with `Accept: \
             application/vnd.lantern.head+json` it says only what stands in its head, with the page's status as a member.",
        )
        .answers_html(200, "The screen, or the age gate in its place.")
        .also_as("application/vnd.lantern.head+json", &json!({ "type": "object" }), &head)
        .answers_html(403, "It is not for this visitor.")
        .answers_html(404, "What it would show isn't there.")
        .answers_html(410, "What it would show was deleted.")
        .answers_html(429, "Too many searches, or too much that is hidden or missing.")
        .answers_html(500, "Its main call failed.")
        .answers_html(503, "Its main call is not possible now.")
}

fn missing() -> Doc {
    let head = json!({ "status": 404, "lang": "en", "head": {}, "data": null });
    kind("missing", "Any address that means nothing: the app's page for that")
        .about("Below `/api/`, `/assets/`, `/media/` and `/sitemap/` it is the error `not_found` as JSON.")
        .answers_html(404, "There is nothing.")
        .answers_with(
            "Asked for the head alone.",
            "application/vnd.lantern.head+json",
            &json!({ "type": "object" }),
            &head,
        )
        .refuses(refusal(404, &[("not_found", "no call and no file")]))
}

fn elsewhere() -> Doc {
    kind("redirect", "Another spelling of a screen's address").redirects_with(
        308,
        "To the one it has.",
        "/videos/top-rated/1/",
    )
}

fn profile() -> Doc {
    kind("profile", "Where a member edits the profile, and to guests every screen where members work").redirects_with(
        307,
        "Members go to their own page. Guests go to the home page, whose `next` parameter holds the requested address.",
        "/members/2/info/",
    )
}

fn file() -> Doc {
    kind("file", "A file of the app")
        .about("Those with a digest in their name never change.")
        .answers_with("The file; its type is that of its name.", "*/*", &json!({}), &json!(""))
        .cache_control("public, max-age=31536000, immutable")
        .tagged()
}
