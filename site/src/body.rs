//! A page's content as plain HTML. Every visitor sees it first, and crawlers and visitors without scripts see nothing else. The app
//! replaces it with content in the same layout (`web/src/styles/plain.css`).

use lantern_api::album::show::Picture;
use lantern_config::{Gender, Lang};
use lantern_listing::pages::address::{self, Address};
use lantern_search::index::{ModelCard, VideoCard};
use maud::{Markup, html};

use crate::{
    document::{Document, First, SITE},
    texts::text,
    visitor::Visitor,
};

/// Sections of the site, each with its path, the key of its text, and whether its content differs by orientation.
const SECTIONS: [(&str, &str, bool); 7] = [
    ("/videos/latest-updates/1/", "nav.videos", true),
    ("/categories/", "nav.categories", true),
    ("/models/most-popular/1/", "nav.models", true),
    ("/playlists/most-popular/1/", "nav.playlists", true),
    ("/albums/latest-updates/1/", "nav.albums", true),
    ("/community/recent/1/", "nav.community", false),
    ("/top-country/1/", "nav.topCountry", true),
];

/// Renders the whole page: header, content and footer.
pub fn write(document: &Document, visitor: &Visitor) -> Markup {
    let (lang, gender) = (visitor.lang(), visitor.gender);
    let sections = SECTIONS.map(|(path, key, oriented)| {
        let address = Address::new(path);
        let address = if oriented { address.gender(gender) } else { address };
        (address.in_lang(None), text(lang, key))
    });
    let views = document.orientations.iter().flat_map(|address| {
        let view = |of: &Gender| (address.clone().gender(*of).in_lang(None), text(lang, &format!("gender.{of}")));
        Gender::ALL.iter().map(view)
    });
    let [before, after] = &document.around;
    let steps = [(before, "pages.previous"), (after, "pages.next")];
    let steps = steps.into_iter().filter_map(|(path, key)| Some((path.clone()?, text(lang, key))));
    html! {
        div.plain {
            header.page {
                a href=(Address::new("/").gender(gender).in_lang(None)) { b { (SITE) } }
                (nav(&text(lang, "nav.main"), sections))
                (nav(&text(lang, "header.orientation"), views))
                (search(lang, &document.search))
            }
            main class={ "page " (document.layout) } {
                (document.main)
                (nav(&text(lang, "pages.label"), steps))
                @for block in document.text.iter().flat_map(|blocks| blocks.iter()) {
                    @if block.heading { h2 { (block.text) } } @else { p { (block.text) } }
                }
            }
            footer.page { (text(lang, "footer.adults")) }
        }
    }
}

/// Renders the search form, in the place where the app renders its search form.
fn search(lang: Lang, query: &str) -> Markup {
    html! {
        form role="search" action="/search/1/" {
            input type="search" name="s" value=[Some(query).filter(|query| !query.is_empty())] aria-label=(text(lang, "search.label"))
                placeholder=(text(lang, "search.placeholder"));
        }
    }
}

/// Renders links in a row, or nothing if there are no links.
pub fn nav(label: &str, links: impl IntoIterator<Item = (String, impl AsRef<str>)>) -> Markup {
    let mut links = links.into_iter().peekable();
    html! {
        @if links.peek().is_some() {
            nav aria-label=(label) { @for (path, title) in links { a href=(path) { (title.as_ref()) } " " } }
        }
    }
}

/// Renders videos with their picture, title and length.
pub fn videos(cards: &[VideoCard], first: First) -> Markup {
    html! {
        ul.video-grid {
            @for (at, card) in cards.iter().enumerate() {
                li {
                    a href=(address::video(card.video_id, &card.dir)) lang=(card.title_lang) {
                        (poster(card, first.sizes, at < first.cards)) span { (card.title) }
                    }
                    " " small { (card.duration) }
                }
            }
        }
    }
}

/// Renders the picture of a video in both widths, as the app requests it. Pictures after the first ones are loaded lazily.
fn poster(card: &VideoCard, sizes: &str, is_first: bool) -> Markup {
    let [small, large] = [&card.pictures.thumb, &card.pictures.thumbsrc];
    let loading = if is_first { "eager" } else { "lazy" };
    html! {
        @if !small.is_empty() {
            @let set = format!("{small} 320w, {large} 640w");
            img src=(small) srcset=(set) sizes=(sizes) alt="" width="320" height="180" loading=(loading);
        }
    }
}

/// Renders models with their picture and name.
pub fn models(models: &[ModelCard]) -> Markup {
    html! {
        ul.model-grid {
            @for model in models {
                li {
                    a href=(address::model(&model.dir)) {
                        (picture(&model.thumbs, 320)) (model.title) @if let Some(detail) = &model.detail { " " (detail) }
                    }
                }
            }
        }
    }
}

/// An object with a picture, a title and a note.
pub struct Tile {
    /// Address of the object's page, if it has one.
    pub path: Option<String>,
    pub title: String,
    /// Language of the title, if known.
    pub lang: Option<String>,
    /// Path of a picture 320 pixels wide, or an empty string.
    pub picture: String,
    /// Short note, or an empty string.
    pub note: String,
}

pub fn tiles(tiles: &[Tile]) -> Markup {
    html! {
        ul.model-grid {
            @for Tile { path, title, lang, picture: thumb, note } in tiles {
                li {
                    @let named = html! { (picture(thumb, 320)) (title) };
                    @if let Some(path) = path { a href=(path) lang=[lang] { (named) } } @else { (named) }
                    " " small { (note) }
                }
            }
        }
    }
}

/// Renders photos, each with its alternative text.
pub fn photos<'a>(photos: impl Iterator<Item = (&'a Picture, String)>) -> Markup {
    html! {
        ul.video-grid {
            @for (Picture { src, width, height, .. }, alt) in photos {
                li { img src=(src) alt=(alt) width=(width) height=(height) loading="lazy"; }
            }
        }
    }
}

/// Renders a picture 320 pixels wide. It has no alternative text because its title is next to it.
fn picture(path: &str, height: u16) -> Markup {
    html! {
        // It is lazy because the app usually replaces this content before the picture would load.
        @if !path.is_empty() { img src=(path) alt="" width="320" height=(height) loading="lazy"; }
    }
}
