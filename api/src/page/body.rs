//! A page's content as plain HTML, for crawlers and people without scripts; the app draws its own in its place.

use std::fmt::Write as _;

use lantern_config::Gender;

use super::{
    address::{self, Address},
    document::{Document, SITE},
    escape::Escaped,
    texts::text,
    visitor::Visitor,
};
use crate::{
    album::show::Picture,
    index::{ModelCard, VideoCard},
};

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
pub fn write(document: &Document, visitor: &Visitor) -> String {
    let (lang, gender) = (visitor.lang(), visitor.gender);
    let mut out = String::with_capacity(document.main.len() + 2048);
    let home = Address::new("/").gender(gender).in_lang(None);
    let _ = write!(out, "<div class=\"plain\"><header class=\"page\"><a href=\"{home}\"><b>{SITE}</b></a>");
    let sections = SECTIONS.map(|(path, key, oriented)| {
        let address = Address::new(path);
        let address = if oriented { address.gender(gender) } else { address };
        (address.in_lang(None), text(lang, key))
    });
    nav(&mut out, &text(lang, "nav.main"), sections.into_iter());
    if let Some(address) = &document.orientations {
        let view =
            |gender: &Gender| (address.clone().gender(*gender).in_lang(None), text(lang, &format!("gender.{gender}")));
        nav(&mut out, &text(lang, "header.orientation"), Gender::ALL.iter().map(view));
    }
    let _ = write!(out, "</header><main class=\"page\">{}", document.main);
    let [before, after] = &document.around;
    let steps = [(before, "pages.previous"), (after, "pages.next")];
    let steps = steps.into_iter().filter_map(|(path, key)| Some((path.clone()?, text(lang, key))));
    nav(&mut out, &text(lang, "pages.label"), steps);
    let _ = write!(out, "</main><footer class=\"page\">{}</footer></div>", Escaped(text(lang, "footer.adults")));
    out
}

/// Links in a row; nothing where there are none.
pub fn nav(out: &mut String, label: &str, links: impl Iterator<Item = (String, impl AsRef<str>)>) {
    let mut links = links.peekable();
    if links.peek().is_none() {
        return;
    }
    let _ = write!(out, "<nav aria-label=\"{}\">", Escaped(label));
    for (path, title) in links {
        let _ = write!(out, "<a href=\"{}\">{}</a> ", Escaped(path), Escaped(title));
    }
    out.push_str("</nav>");
}

/// The heading of a page.
pub fn heading(out: &mut String, title: &str) {
    let _ = write!(out, "<h1>{}</h1>", Escaped(title));
}

/// The heading of a page, in a language of its own.
pub fn heading_in(out: &mut String, lang: &str, title: &str) {
    let _ = write!(out, "<h1 lang=\"{lang}\">{}</h1>", Escaped(title));
}

/// The heading of a part of it.
pub fn subheading(out: &mut String, title: &str) {
    let _ = write!(out, "<h2>{}</h2>", Escaped(title));
}

/// A paragraph.
pub fn paragraph(out: &mut String, words: &str) {
    let _ = write!(out, "<p>{}</p>", Escaped(words));
}

/// A paragraph in a language of its own.
pub fn paragraph_in(out: &mut String, lang: &str, words: &str) {
    let _ = write!(out, "<p lang=\"{lang}\">{}</p>", Escaped(words));
}

/// The player, in a frame of its own.
pub fn player(out: &mut String, id: i64, title: &str) {
    // Where scripts run the app has its own player, and this one must not load.
    let _ = write!(
        out,
        "<noscript><iframe src=\"{}\" title=\"{}\" allow=\"fullscreen\"></iframe></noscript>",
        address::embed(id),
        Escaped(title)
    );
}

/// Videos with picture, title and length.
pub fn videos(out: &mut String, cards: &[VideoCard]) {
    out.push_str("<ul class=\"video-grid\">");
    for card in cards {
        let _ = write!(
            out,
            "<li><a href=\"{}\">{}{}</a> <small>{}</small></li>",
            Escaped(address::video(card.video_id, &card.dir)),
            TilePicture(&card.pictures.thumb, 180),
            Escaped(&card.title),
            Escaped(&card.duration)
        );
    }
    out.push_str("</ul>");
}

/// Models with picture and name.
pub fn models(out: &mut String, models: &[ModelCard]) {
    out.push_str("<ul class=\"model-grid\">");
    for model in models {
        let (path, picture) = (address::model(&model.dir), TilePicture(&model.thumbs, 320));
        let _ = write!(out, "<li><a href=\"{}\">{picture}{}</a></li>", Escaped(path), Escaped(&model.title));
    }
    out.push_str("</ul>");
}

/// Anything with a picture, a name and a word about it.
pub struct Tile {
    /// Where it leads; nowhere for what has no page.
    pub path: Option<String>,
    /// Its name.
    pub title: String,
    /// 320 pixels wide, or empty.
    pub picture: String,
    /// A word about it, or empty.
    pub note: String,
}

/// A list of them.
pub fn tiles(out: &mut String, tiles: &[Tile]) {
    out.push_str("<ul class=\"model-grid\">");
    for Tile { path, title, picture, note } in tiles {
        let inner = format!("{}{}", TilePicture(picture, 320), Escaped(title));
        let _ = match path {
            Some(path) => write!(out, "<li><a href=\"{}\">{inner}</a>", Escaped(path)),
            None => write!(out, "<li>{inner}"),
        };
        let _ = write!(out, " <small>{}</small></li>", Escaped(note));
    }
    out.push_str("</ul>");
}

/// Photos, each with its words.
pub fn photos<'a>(out: &mut String, photos: impl Iterator<Item = (&'a Picture, String)>) {
    out.push_str("<ul class=\"video-grid\">");
    for (Picture { src, width, height, .. }, alt) in photos {
        let _ = write!(
            out,
            "<li><img src=\"{}\" alt=\"{}\" width=\"{width}\" height=\"{height}\" loading=\"lazy\" /></li>",
            Escaped(src),
            Escaped(alt)
        );
    }
    out.push_str("</ul>");
}

/// A picture 320 pixels wide and so many high; its words stand beside it.
struct TilePicture<'a>(&'a str, u16);

impl std::fmt::Display for TilePicture<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self(path, height) = self;
        if path.is_empty() {
            return Ok(());
        }
        // Loaded when it comes near, so never where the app takes the place of this content.
        write!(f, "<img src=\"{}\" alt=\"\" width=\"320\" height=\"{height}\" loading=\"lazy\" />", Escaped(path))
    }
}
