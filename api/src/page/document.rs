//! What a page says about itself, before it is written as HTML.

use std::sync::Arc;

use axum::http::StatusCode;
use lantern_config::Lang;
use lantern_search::index::{VideoCard, VideosAnswer};
use maud::Markup;
use serde_json::{Value, json};

use super::{address::Address, list_texts::Blocks};

/// Which pictures of a list are seen first, and how wide they are shown: as many as the app loads at once, and spelled as it asks for
/// them (`video-grid.tsx`, `video-card.tsx`, `home-screen.tsx`). A picture requested otherwise would be loaded twice.
#[derive(Debug, Clone, Copy)]
pub struct First {
    pub cards: usize,
    pub sizes: &'static str,
}

/// A list's first row.
pub const ROW: First = First { cards: 5, sizes: "(width >= 40rem) 320px, 44vw" };
/// The larger cards at the top of the home page.
pub const LARGE: First = First { cards: 3, sizes: "(width >= 40rem) 480px, 88vw" };
/// A list further down.
pub const LATER: First = First { cards: 0, ..ROW };

/// Name of the site, at the end of every title.
pub const SITE: &str = "Lantern";

#[derive(Debug)]
pub struct Document {
    pub status: StatusCode,
    /// Its name, without the site's.
    pub title: String,
    pub description: String,
    /// Its own address; `None` for what is not there.
    pub address: Option<Address>,
    /// Where each orientation sees it, where they see different things.
    pub orientations: Option<Address>,
    /// Whether search engines may keep it.
    pub indexed: bool,
    /// Its picture, a path on this site.
    pub image: Option<String>,
    pub videos: Option<Arc<VideosAnswer>>,
    /// Pictures seen first: 320 and 640 pixels wide, or one of any width.
    pub posters: Vec<(String, Option<String>)>,
    /// How wide they are shown.
    pub poster_sizes: &'static str,
    /// How its content is laid out, as `web/src/styles/plain.css` has it; empty for one thing below the other.
    pub look: &'static str,
    /// What stands in the search box.
    pub search: String,
    /// The video it is about.
    pub video: Option<i64>,
    /// Where that plays in a frame, absolute.
    pub player: Option<String>,
    /// Path of the feed that lists the same.
    pub feed: Option<String>,
    /// Pages above it, from the top, and itself: title and address.
    pub trail: Vec<(String, Address)>,
    pub data: Vec<Value>,
    /// Path of the page before and after it in a list.
    pub around: [Option<String>; 2],
    pub main: Markup,
    /// What an operator says below it.
    pub text: Option<Blocks>,
}

impl Document {
    /// A page with a name and a sentence; the rest is added.
    pub fn new(title: String, description: String) -> Self {
        Self {
            status: StatusCode::OK,
            title,
            description,
            address: None,
            orientations: None,
            indexed: true,
            image: None,
            videos: None,
            posters: Vec::new(),
            poster_sizes: ROW.sizes,
            look: "",
            search: String::new(),
            video: None,
            player: None,
            feed: None,
            trail: Vec::new(),
            data: Vec::new(),
            around: [None, None],
            main: Markup::default(),
            text: None,
        }
    }

    pub fn add(&mut self, part: &Markup) {
        self.main.0.push_str(&part.0);
    }

    /// The same with another status than 200, which nobody keeps.
    pub fn not_there(mut self, status: StatusCode) -> Self {
        self.status = status;
        self.indexed = false;
        self.address = None;
        self.data.clear();
        self
    }

    /// The same for one viewer: nothing that search engines or other sites could take it by.
    pub fn private(mut self) -> Self {
        self.indexed = false;
        self.feed = None;
        self.player = None;
        self.video = None;
        self.data.clear();
        self
    }

    /// The same behind the age gate, which is all there is to see. Its name may be known to those who share a link;
    /// pictures and structured data tell of what stands behind.
    pub fn behind(mut self, gate: Markup) -> Self {
        self.main = gate;
        self.look = "";
        self.image = None;
        self.text = None;
        self.posters.clear();
        self.trail.clear();
        self.data.clear();
        self
    }

    /// All structured data of the page, if it has any; addresses in the language asked for.
    pub fn graph(&self, origin: &str, lang: Option<Lang>) -> Option<Value> {
        let mut graph = self.data.clone();
        if self.indexed && !self.trail.is_empty() {
            let trail = self.trail.iter().map(|(name, address)| (name.as_str(), address.in_lang(lang)));
            graph.push(breadcrumbs(trail, origin));
        }
        (!graph.is_empty()).then(|| json!({"@context": "https://schema.org", "@graph": graph}))
    }
}

fn breadcrumbs<'a>(trail: impl Iterator<Item = (&'a str, String)>, origin: &str) -> Value {
    let item = |(at, (name, path)): (usize, (&str, String))| json!({"@type": "ListItem", "position": at + 1, "name": name, "item": format!("{origin}{path}")});
    json!({"@type": "BreadcrumbList", "itemListElement": trail.enumerate().map(item).collect::<Vec<_>>()})
}

/// A list as search engines read it: names and addresses in order. `None` where there is nothing to list.
pub fn item_list<'a>(items: impl Iterator<Item = (&'a str, String)>, origin: &str) -> Option<Value> {
    let item = |(at, (name, path)): (usize, (&str, String))| json!({"@type": "ListItem", "position": at + 1, "name": name, "url": format!("{origin}{path}")});
    let items: Vec<Value> = items.enumerate().map(item).collect();
    let listed = || json!({"@type": "ItemList", "numberOfItems": items.len(), "itemListElement": items});
    (!items.is_empty()).then(listed)
}

/// Pictures that are seen first.
pub fn posters(cards: &[VideoCard], first: First) -> Vec<(String, Option<String>)> {
    let shown = cards.iter().take(first.cards).map(|card| &card.pictures).filter(|pictures| !pictures.thumb.is_empty());
    shown.map(|pictures| (pictures.thumb.clone(), Some(pictures.thumbsrc.clone()))).collect()
}

/// The picture of a list: that of its first video that has one.
pub fn picture(cards: &[VideoCard]) -> Option<String> {
    cards.iter().map(|card| &card.pictures.img).find(|path| !path.is_empty()).cloned()
}

/// Names and addresses of videos.
pub fn videos(cards: &[VideoCard]) -> impl Iterator<Item = (&str, String)> {
    cards.iter().map(|card| (card.title.as_str(), super::address::video(card.video_id, &card.dir)))
}
