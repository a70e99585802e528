//! The end of a page's `<head>`.

use std::fmt::Write as _;

use lantern_config::Lang;

use super::{
    address,
    document::{Document, SITE},
    escape::Escaped,
    oembed::link,
    visitor::Visitor,
};

/// Writes the head. `origin` is the site's address without a slash.
pub fn write(document: &Document, visitor: &Visitor, origin: &str) -> String {
    let mut head = facts(document, visitor, origin);
    posters(&mut head, document);
    head
}

/// What the head says of the page, without what it asks to load.
pub fn facts(document: &Document, visitor: &Visitor, origin: &str) -> String {
    let mut head = String::with_capacity(4096);
    let title = format!("{} · {SITE}", document.title);
    let robots = if document.indexed { "max-image-preview:large, max-video-preview:-1" } else { "noindex" };
    // Writing to a String can't fail, here and below.
    let _ = write!(
        head,
        "<title>{}</title><meta name=\"description\" content=\"{}\" /><meta name=\"robots\" content=\"{robots}\" />",
        Escaped(&title),
        Escaped(&document.description)
    );
    links(&mut head, document, visitor, origin);
    cards(&mut head, document, visitor, origin);
    head
}

/// Asks for the first pictures before the app knows of them, spelled as its cards ask
/// (`web/src/shared/cards/video-card.tsx`): a picture requested otherwise would be loaded twice.
fn posters(head: &mut String, document: &Document) {
    for (small, large) in &document.posters {
        let _ = match large {
            Some(large) => write!(
                head,
                "<link rel=\"preload\" as=\"image\" fetchpriority=\"high\" imagesrcset=\"{} 320w, {} 640w\" \
                 imagesizes=\"(width &gt;= 40rem) 320px, 48vw\" />",
                Escaped(small),
                Escaped(large)
            ),
            None => {
                write!(head, "<link rel=\"preload\" as=\"image\" fetchpriority=\"high\" href=\"{}\" />", Escaped(small))
            }
        };
    }
}

fn links(head: &mut String, document: &Document, visitor: &Visitor, origin: &str) {
    let mut link = |rel: &str, more: &str, path: &str| {
        let _ = write!(head, "<link rel=\"{rel}\"{more} href=\"{}\" />", Escaped(format!("{origin}{path}")));
    };
    if let Some(address) = &document.address {
        link("canonical", "", &address.in_lang(visitor.asked_lang));
        if document.indexed {
            for lang in Lang::ALL {
                link("alternate", &format!(" hreflang=\"{lang}\""), &address.in_lang(Some(*lang)));
            }
            link("alternate", " hreflang=\"x-default\"", &address.in_lang(None));
        }
    }
    let [before, after] = &document.around;
    for (rel, path) in [("prev", before), ("next", after)] {
        if let Some(path) = path {
            link(rel, "", path);
        }
    }
    if let Some(feed) = &document.feed {
        link("alternate", " type=\"application/rss+xml\"", feed);
    }
    if let (Some(_), Some(address)) = (document.video, &document.address) {
        for format in link::FORMATS {
            let page = format!("{origin}{}", address.in_lang(None));
            let path = link::path(&page, format);
            link("alternate", &format!(" type=\"{}\"", format.discovered()), &path);
        }
    }
}

/// Open Graph and Twitter.
fn cards(head: &mut String, document: &Document, visitor: &Visitor, origin: &str) {
    let mut meta = |kind: &str, name: &str, content: &str| {
        let _ = write!(head, "<meta {kind}=\"{name}\" content=\"{}\" />", Escaped(content));
    };
    meta("property", "og:site_name", SITE);
    meta("property", "og:title", &document.title);
    meta("property", "og:description", &document.description);
    meta("property", "og:locale", locale(visitor.lang()));
    if document.indexed {
        for lang in Lang::ALL.iter().filter(|lang| **lang != visitor.lang()) {
            meta("property", "og:locale:alternate", locale(*lang));
        }
    }
    meta("property", "og:type", if document.video.is_some() { "video.other" } else { "website" });
    if let Some(address) = &document.address {
        meta("property", "og:url", &format!("{origin}{}", address.in_lang(visitor.asked_lang)));
    }
    let mut card = "summary";
    if let Some(image) = &document.image {
        meta("property", "og:image", &format!("{origin}{image}"));
        card = "summary_large_image";
    }
    if let Some(id) = document.video {
        let player = format!("{origin}{}", address::embed(id));
        let [width, height] = link::SIZE.map(|size| size.to_string());
        for (name, content) in [
            ("og:video", player.as_str()),
            ("og:video:type", "text/html"),
            ("og:video:width", &width),
            ("og:video:height", &height),
        ] {
            meta("property", name, content);
        }
        // A card with a player needs a picture.
        if document.image.is_some() {
            for (name, content) in [
                ("twitter:player", player.as_str()),
                ("twitter:player:width", &width),
                ("twitter:player:height", &height),
            ] {
                meta("name", name, content);
            }
            card = "player";
        }
    }
    meta("name", "twitter:card", card);
}

fn locale(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "en_US",
        Lang::Ru => "ru_RU",
        Lang::De => "de_DE",
        Lang::Fr => "fr_FR",
        Lang::Es => "es_ES",
        Lang::Pl => "pl_PL",
        Lang::It => "it_IT",
        Lang::Pt => "pt_BR",
        Lang::Ja => "ja_JP",
        Lang::Nl => "nl_NL",
    }
}
