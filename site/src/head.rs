//! Renders the end of a page's `<head>`.

use lantern_config::Lang;
use maud::{Markup, html};

use crate::{
    document::{Document, SITE},
    oembed::link,
    visitor::Visitor,
};

/// Picture for shared pages that have none, with its width and height.
const PICTURE: &str = "/assets/share.jpg";
const PICTURE_SIZE: [u16; 2] = [1200, 630];

/// Renders the end of the head. `origin` is the site's origin, without a trailing slash.
pub fn write(document: &Document, visitor: &Visitor, origin: &str) -> Markup {
    html! { (metadata(document, visitor, origin)) (posters(document)) }
}

/// Renders the metadata of a page, without preloads.
pub fn metadata(document: &Document, visitor: &Visitor, origin: &str) -> Markup {
    let robots = if document.indexed { "max-image-preview:large, max-video-preview:-1" } else { "noindex" };
    html! {
        title { (document.title) " · " (SITE) }
        meta name="description" content=(document.description);
        meta name="robots" content=(robots);
        (links(document, visitor, origin))
        (cards(document, visitor, origin))
    }
}

/// Preloads the first pictures before the app requests them.
fn posters(document: &Document) -> Markup {
    html! {
        @for (small, large) in &document.posters {
            @if let Some(large) = large {
                @let set = format!("{small} 320w, {large} 640w");
                link rel="preload" as="image" fetchpriority="high" imagesrcset=(set) imagesizes=(document.poster_sizes);
            } @else {
                link rel="preload" as="image" fetchpriority="high" href=(small);
            }
        }
    }
}

fn links(document: &Document, visitor: &Visitor, origin: &str) -> Markup {
    let at = |path: &str| format!("{origin}{path}");
    let [before, after] = &document.around;
    html! {
        @if let Some(address) = &document.address {
            link rel="canonical" href=(at(&address.in_lang(visitor.address_lang)));
            @if document.indexed {
                @for lang in Lang::ALL {
                    link rel="alternate" hreflang=(lang.as_str()) href=(at(&address.in_lang(Some(*lang))));
                }
                link rel="alternate" hreflang="x-default" href=(at(&address.in_lang(None)));
            }
        }
        @if let Some(path) = before { link rel="prev" href=(at(path)); }
        @if let Some(path) = after { link rel="next" href=(at(path)); }
        @if let Some(feed) = &document.feed { link rel="alternate" type="application/rss+xml" href=(at(feed)); }
        @if let (Some(_), Some(address)) = (document.video, &document.address) {
            @let page = at(&address.in_lang(None));
            @for format in link::FORMATS {
                link rel="alternate" type=(format.discovery_type()) href=(at(&link::path(&page, format)));
            }
        }
    }
}

fn cards(document: &Document, visitor: &Visitor, origin: &str) -> Markup {
    let [width, height] = link::SIZE;
    // A player card requires a picture.
    let player = document.player.as_ref().filter(|_| document.image.is_some());
    html! {
        meta property="og:site_name" content=(SITE);
        meta property="og:title" content=(document.title);
        meta property="og:description" content=(document.description);
        meta property="og:locale" content=(locale(visitor.lang()));
        @if document.indexed {
            @for lang in Lang::ALL.iter().filter(|lang| **lang != visitor.lang()) {
                meta property="og:locale:alternate" content=(locale(*lang));
            }
        }
        meta property="og:type" content=(if document.video.is_some() { "video.other" } else { "website" });
        @if let Some(address) = &document.address {
            meta property="og:url" content={ (origin) (address.in_lang(visitor.address_lang)) };
        }
        @if let Some(image) = &document.image {
            meta property="og:image" content={ (origin) (image) };
        } @else {
            @let [width, height] = PICTURE_SIZE;
            meta property="og:image" content={ (origin) (PICTURE) };
            meta property="og:image:width" content=(width);
            meta property="og:image:height" content=(height);
        }
        @if let Some(player) = &document.player {
            meta property="og:video" content=(player);
            meta property="og:video:type" content="text/html";
            meta property="og:video:width" content=(width);
            meta property="og:video:height" content=(height);
        }
        @if let Some(player) = player {
            meta name="twitter:player" content=(player);
            meta name="twitter:player:width" content=(width);
            meta name="twitter:player:height" content=(height);
        }
        meta name="twitter:card" content=(if player.is_some() { "player" } else { "summary_large_image" });
    }
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
