//! A page's content as plain HTML: what everybody sees first, and all there is for crawlers and people without scripts. The app draws its
//! own in its place, where the same things stand (`web/src/styles/plain.css`).

use lantern_config::{Gender, Lang};
use lantern_search::index::{ModelCard, VideoCard};
use maud::{Markup, html};

use super::{
    address::{self, Address},
    document::{Document, First, SITE},
    texts::text,
    visitor::Visitor,
};
use crate::album::show::Picture;

/// Sections of the site, and whether orientations see different things there.
const SECTIONS: [(&str, &str, bool); 7] = [
    ("/videos/latest-updates/1/", "nav.videos", true),
    ("/categories/", "nav.categories", true),
    ("/models/most-popular/1/", "nav.models", true),
    ("/playlists/most-popular/1/", "nav.playlists", true),
    ("/albums/latest-updates/1/", "nav.albums", true),
    ("/community/recent/1/", "nav.community", false),
    ("/top-country/1/", "nav.topCountry", true),
];

/// The whole page around its content.
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
            main class={ "page " (document.look) } {
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

/// The search, where the app has its own.
fn search(lang: Lang, query: &str) -> Markup {
    html! {
        form role="search" action="/search/1/" {
            input type="search" name="s" value=[Some(query).filter(|query| !query.is_empty())] aria-label=(text(lang, "search.label"))
                placeholder=(text(lang, "search.placeholder"));
        }
    }
}

/// Links in a row; nothing where there are none.
pub fn nav(label: &str, links: impl IntoIterator<Item = (String, impl AsRef<str>)>) -> Markup {
    let mut links = links.into_iter().peekable();
    html! {
        @if links.peek().is_some() {
            nav aria-label=(label) { @for (path, title) in links { a href=(path) { (title.as_ref()) } " " } }
        }
    }
}

/// Videos with picture, title and length.
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

/// The picture of a video in its two widths, as the app asks for it. What isn't seen first is loaded when it comes near.
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

/// Models with picture and name.
pub fn models(models: &[ModelCard]) -> Markup {
    html! {
        ul.model-grid {
            @for model in models {
                li { a href=(address::model(&model.dir)) { (picture(&model.thumbs, 320)) (model.title) } }
            }
        }
    }
}

/// Anything with a picture, a name and a word about it.
pub struct Tile {
    /// Where it leads; nowhere for what has no page.
    pub path: Option<String>,
    pub title: String,
    /// Language of the title, where it has one.
    pub lang: Option<String>,
    /// 320 pixels wide, or empty.
    pub picture: String,
    /// A word about it, or empty.
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

/// Photos, each with its words.
pub fn photos<'a>(photos: impl Iterator<Item = (&'a Picture, String)>) -> Markup {
    html! {
        ul.video-grid {
            @for (Picture { src, width, height, .. }, alt) in photos {
                li { img src=(src) alt=(alt) width=(width) height=(height) loading="lazy"; }
            }
        }
    }
}

/// A picture 320 pixels wide and so many high; its words stand beside it.
fn picture(path: &str, height: u16) -> Markup {
    html! {
        // Loaded when it comes near, so hardly ever where the app takes the place of this content.
        @if !path.is_empty() { img src=(path) alt="" width="320" height=(height) loading="lazy"; }
    }
}
