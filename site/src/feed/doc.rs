//! OpenAPI descriptions of the feeds.

use lantern_api::params;
use lantern_config::{Config, Gender, Lang};
use lantern_http::openapi::{Doc, Param, errors::malformed, query, refusal, segment, too_often};
use lantern_listing::{FACETS, NAMES};
use lantern_search::length;
use serde_json::{Value, json};

/// `Cache-Control` of feeds that are sorted by time. Other feeds are cached for longer.
const NEWEST: &str = "public, max-age=3600";
const ORDERED: &str = "public, max-age=14400";

pub fn all(config: &Config) -> Vec<Doc> {
    vec![
        videos(config),
        categories(config),
        search(config),
        country(config),
        model(config),
        member(config),
        playlist(config),
    ]
}

fn feed(id: &'static str, template: &'static str, summary: &'static str, cache_control: &str) -> Doc {
    let example = json!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel></channel></rss>"
    );
    Doc::page("site", id, template, summary)
        .about("The first page of the list, as RSS 2.0 with Media RSS.")
        .answers_with("The feed.", "application/rss+xml", &json!({ "type": "string" }), &example)
        .cache_control(cache_control)
        .tagged()
        .for_other_sites()
        .answers_html(404, "Not the address of a feed.")
}

/// Describes a lenient parameter. An unknown value counts as absent, because feed readers can't correct their request.
fn lenient(name: &str, about: &str, default: &str) -> Param {
    query(name, about, json!({ "type": "string", "default": default }), default)
}

fn with_lang(doc: Doc) -> Doc {
    doc.takes(lenient("lang", "Language of titles; an unknown one counts as the default.", Lang::En.as_str()))
}

/// Adds the parameters for lists that differ by orientation.
fn with_gender(doc: Doc) -> Doc {
    let about = "Orientation of the videos; an unknown one counts as the default.";
    with_lang(doc).takes(lenient("gender", about, Gender::Str.as_str()))
}

/// Adds the filters for lists. A list `with_categories` has none in its path.
fn with_filters(doc: Doc, with_categories: bool) -> Doc {
    let names = NAMES.iter().filter(|facet| with_categories || facet.name != "categories").map(|facet| {
        let about = format!("Comma-separated {}; those beyond the limit are ignored.", facet.about());
        lenient(facet.name, &about, "")
    });
    let choices = FACETS.iter().map(|facet| {
        let about = format!("{} Same words as in addresses of pages; an unknown one counts as `all`.", facet.title);
        query(facet.name, &about, json!({ "type": "string", "default": "all" }), facet.words().swap_remove(1))
    });
    doc.takes_all(names.chain(choices))
        .refuses(refusal(404, &[("category_not_found", "no such category"), ("model_not_found", "no such model")]))
}

/// Describes an id, with the range that page addresses allow.
fn id(example: i64) -> Param {
    let schema = json!({ "type": "integer", "minimum": 1, "maximum": 999_999_999_999_999_i64 });
    segment("id", "Id of the object.", schema, example)
}

fn dir(pattern: &Value, about: &str, name: &str, example: &str) -> Param {
    segment(name, about, pattern.clone(), example)
}

fn videos(_: &Config) -> Doc {
    let doc = feed("feed_videos", "/videos/{sort}/feed/", "Feed of all videos", ORDERED).takes(params::video_sort());
    with_filters(with_gender(doc), false)
}

fn categories(config: &Config) -> Doc {
    let about = format!("Up to {} comma-separated names that must all match.", config.listing.max_categories);
    let dirs = dir(&params::dirs_schema(config), &about, "dirs", "travel");
    let doc = feed("feed_categories", "/categories/{dirs}/{sort}/feed/", "Feed of a category", ORDERED)
        .takes_all([dirs, params::video_sort()])
        .refuses(refusal(404, &[("not_found", "more categories than a list can combine")]));
    with_filters(with_gender(doc), false)
}

fn search(config: &Config) -> Doc {
    let about = format!("Text to search for. {}", length::about(&config.listing));
    let doc = feed("feed_search", "/search/feed/", "Feed of a search", NEWEST)
        .about("The latest videos that match everything, as RSS 2.0 with Media RSS. The search is never relaxed.")
        .takes(query("s", &about, json!({ "type": "string" }), "night market").required())
        .refuses(refusal(404, &[("not_found", "the text is too short or too long")]))
        .refuses(malformed())
        .refuses(too_often());
    with_filters(with_gender(doc), true)
}

fn country(config: &Config) -> Doc {
    let whole = &config.visitors.default_country;
    let about = format!(
        "ISO 3166-1 alpha-2, or `{whole}` for the whole world; if absent or malformed, the country most likely for `lang`."
    );
    let doc = feed("feed_country", "/top-country/feed/", "Feed of the most watched videos in a country", ORDERED)
        .takes(query("country", &about, json!({ "type": "string" }), "JP"))
        .refuses(refusal(404, &[("not_found", "two capital letters that are no country code")]));
    with_filters(with_gender(doc), true)
}

fn model(_: &Config) -> Doc {
    let dir = dir(&params::dir_schema(), "The model's name in URLs.", "dir", "nguyen-thu-ha");
    let doc = feed("feed_model", "/model/{dir}/feed/", "Feed of a model", NEWEST).takes(dir);
    with_filters(with_lang(doc), true)
}

fn member(_: &Config) -> Doc {
    let doc = feed("feed_member", "/members/{id}/feed/", "Feed of a member's uploads", NEWEST).takes(id(2));
    with_lang(doc.refuses(refusal(404, &[("member_not_found", "no such member")])))
}

fn playlist(_: &Config) -> Doc {
    let doc = feed("feed_playlist", "/playlist/{id}/feed/", "Feed of a playlist", NEWEST)
        .takes(id(1))
        .refuses(refusal(403, &[("playlist_is_private", "only the playlist's owner may see it")]))
        .refuses(refusal(404, &[("playlist_not_found", "no such playlist")]))
        .refuses(too_often());
    with_lang(doc)
}
