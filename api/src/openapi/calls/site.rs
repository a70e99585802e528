//! What other sites and crawlers read.

use lantern_config::Config;
use serde_json::json;

use crate::{
    openapi::{
        Doc,
        errors::{invalid, refusal, too_often, unknown_address},
        params::{self, query, segment},
    },
    page::{OembedAnswer, sitemap},
};

const TAG: &str = "site";

/// `/api/openapi.json`
#[must_use]
pub fn openapi(_: &Config) -> Doc {
    let schema = json!({ "type": "object", "required": ["openapi", "info", "paths"] });
    let example = json!({ "openapi": "3.1.0", "info": { "title": "Lantern", "version": env!("CARGO_PKG_VERSION") }, "paths": {} });
    Doc::new(TAG, "openapi", "/api/openapi.json", "This document")
        .answers_with("OpenAPI 3.1.", "application/json", &schema, &example)
        .kept("public, max-age=3600")
        .tagged()
}

/// `/oembed`
#[must_use]
pub fn oembed(config: &Config) -> Doc {
    let example = format!("{}/videos/1/a-tea-ceremony-in-manila/", config.public_url());
    let format = json!({ "type": "string", "enum": ["json", "xml"], "default": "json" });
    let most = json!({ "type": "integer", "minimum": 1, "maximum": u32::MAX });
    Doc::new(TAG, "oembed", "/oembed", "What another site needs to show a video of ours (oEmbed 1.0)")
        .takes(
            query("url", "Address of a video's page or player on this site.", json!({ "type": "string" }), example)
                .required(),
        )
        .takes(query(
            "format",
            "How the answer is written; `xml` has the same members as elements of `oembed`.",
            format,
            "json",
        ))
        .takes_all([
            query("maxwidth", "Widest the player may be, in pixels.", most.clone(), 426),
            query("maxheight", "Highest the player may be, in pixels.", most, 265),
        ])
        .takes(params::lang())
        .answers::<OembedAnswer>("The video.")
        .also_as(
            "text/xml",
            &json!({ "type": "string" }),
            &json!(
                "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?><oembed><version>1.0</version></oembed>"
            ),
        )
        .kept("public, max-age=3600")
        .for_other_sites()
        .refuses(refusal(401, &[("dont_have_permission", "the video is private or not released yet")]))
        .refuses(refusal(404, &[("video_not_found", "the address is no video's of this site, or it was deleted")]))
        .refuses(refusal(422, &[("required", "`url` is not there")]))
        .refuses(invalid())
        .refuses(too_often())
        .refuses(refusal(501, &[("invalid", "`format` is neither")]))
}

/// `/embed/{id}/`, both ways
#[must_use]
pub fn player(_: &Config) -> Vec<Doc> {
    let shown = |doc: Doc| {
        let lang = json!({ "type": "string" });
        doc.takes(params::id("id", 1))
            .takes(query("lang", "Language of its words; otherwise, or if unknown, the visitor's own.", lang, "en"))
            .answers_html(404, "No such video.")
            .answers_html(410, "The video was deleted.")
            .refuses(too_often())
    };
    vec![
        shown(Doc::page(TAG, "embed", "/embed/{id}/", "The player alone, for frames on other sites"))
            .about("Where the age gate applies the answer is its form, which is posted to the same address.")
            .answers_html(200, "The player or the age gate.")
            .answers_html(403, "The video is private."),
        shown(Doc::page_post(TAG, "embed_agreed", "/embed/{id}/", "The player for who is an adult"))
            .about(
                "What the age gate of the player is sent to. The consent is the request itself: in another site's frame no \
                 cookie would come back.",
            )
            .answers_html(200, "The player.")
            .answers_html(403, "The video is private, or the frame has no origin of its own: the way to the video's page.")
            .refuses(refusal(404, &[("not_found", "no id that a video could have")])),
    ]
}

/// `/agree/`
#[must_use]
pub fn agree(_: &Config) -> Doc {
    // A second slash or a backslash would lead to another site.
    let here =
        json!({ "type": "string", "pattern": "^/(?:[^/\\\\\\x00-\\x1f\\x7f-\\x9f][^\\x00-\\x1f\\x7f-\\x9f]*)?$" });
    Doc::post(TAG, "agree", "/agree/", "The age gate's form, for people without scripts")
        .about("Leaves the cookie `age_agreed`, as the app's button does. `malformed` is also a `to` that is missing or leads elsewhere.")
        .field(params::field("to", "Where to go on: an address on this site without its origin.", here, "/videos/1/").required())
        .redirects("There.", "/videos/1/")
}

/// `/sitemap.xml`
#[must_use]
pub fn sitemap(_: &Config) -> Doc {
    let example = json!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"></sitemapindex>"
    );
    Doc::new(TAG, "sitemap", "/sitemap.xml", "The list of all sitemaps")
        .about("Made every `sitemap.refresh_seconds`, as its parts are; 503 before the first time.")
        .answers_with("A sitemap index.", "application/xml", &json!({ "type": "string" }), &example)
        .kept("public, max-age=600")
        .tagged()
}

/// `/sitemap/{name}.xml.gz`
#[must_use]
pub fn sitemap_part(config: &Config) -> Doc {
    let name = json!({ "type": "string", "pattern": format!(
        "^(?:{}|(?:{})-(?:0|[1-9][0-9]{{0,8}}))$",
        sitemap::WHOLE.join("|"),
        sitemap::blocks().join("|")
    ) });
    let about = format!(
        "As `/sitemap.xml` names them: `{}`, `{}-N`, where N counts blocks of {} ids.",
        sitemap::WHOLE.join("`, `"),
        sitemap::blocks().join("-N`, `"),
        config.sitemap.urls_per_file
    );
    Doc::new(TAG, "sitemap_part", "/sitemap/{name}.xml.gz", "One sitemap")
        .takes(segment("name", &about, name, "videos-0"))
        .answers_with(
            "Pages with their languages, pictures and films, packed with gzip.",
            "application/gzip",
            &json!({ "type": "string", "format": "binary" }),
            &json!(""),
        )
        .kept("public, max-age=600")
        .tagged()
        .refuses(unknown_address())
}

/// `/robots.txt`
#[must_use]
pub fn robots(_: &Config) -> Doc {
    let example = json!(
        "User-agent: *\nDisallow: /api/videos2.php\nDisallow: /api/suggester.php\nDisallow: /agree/\n\nSitemap: https://tube.example/sitemap.xml\n"
    );
    Doc::new(TAG, "robots", "/robots.txt", "What crawlers may read")
        .answers_with("Rules.", "text/plain", &json!({ "type": "string" }), &example)
        .kept("public, max-age=86400")
}
