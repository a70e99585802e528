//! A page before it is rendered as HTML.

use std::sync::Arc;

use axum::http::StatusCode;
use lantern_config::Lang;
use lantern_listing::pages::address::{self, Address};
use lantern_search::index::{VideoCard, VideosAnswer};
use maud::Markup;
use serde_json::{Value, json};

use crate::list_texts::Blocks;

/// Number of pictures in a list that are loaded eagerly, and their `sizes`. Both match the app (`video-grid.tsx`, `video-card.tsx`,
/// `home-screen.tsx`); otherwise, a picture would be loaded twice.
#[derive(Debug, Clone, Copy)]
pub struct First {
    pub cards: usize,
    pub sizes: &'static str,
}

/// The first row of a list.
pub const ROW: First = First { cards: 5, sizes: "(width >= 40rem) 320px, 44vw" };
/// The larger cards at the top of the home page.
pub const LARGE: First = First { cards: 3, sizes: "(width >= 40rem) 480px, 88vw" };
/// A list further down the page.
pub const LATER: First = First { cards: 0, ..ROW };

/// Name of the site, which is at the end of every title.
pub const SITE: &str = "Lantern";

#[derive(Debug)]
pub struct Document {
    pub status: StatusCode,
    /// Title, without the site's name.
    pub title: String,
    pub description: String,
    /// Canonical address, or `None` for an error page.
    pub address: Option<Address>,
    /// Address to which each orientation is added, if the content differs by orientation.
    pub orientations: Option<Address>,
    /// Whether search engines may index the page.
    pub indexed: bool,
    /// Path of the page's picture.
    pub image: Option<String>,
    pub videos: Option<Arc<VideosAnswer>>,
    /// Pictures to preload: either two of 320 and 640 pixels wide, or one of any width.
    pub posters: Vec<(String, Option<String>)>,
    /// `sizes` of these pictures.
    pub poster_sizes: &'static str,
    /// Class of the layout in `web/src/styles/plain.css`, or an empty string for a single column.
    pub layout: &'static str,
    /// Text in the search box.
    pub search: String,
    /// Id of the video that the page is about.
    pub video: Option<i64>,
    /// Absolute address of the video's embeddable player.
    pub player: Option<String>,
    /// Path of the feed of the same list.
    pub feed: Option<String>,
    /// Breadcrumbs from the home page to this page, each with its title and address.
    pub trail: Vec<(String, Address)>,
    /// Structured data.
    pub data: Vec<Value>,
    /// Paths of the previous and the next results page.
    pub around: [Option<String>; 2],
    pub main: Markup,
    /// The operator's text to show below the page.
    pub text: Option<Blocks>,
}

impl Document {
    /// Creates a page with a title and description. Everything else is set afterwards.
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
            layout: "",
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

    /// Turns the page into an error page with this status, which is not indexed.
    pub fn into_error(mut self, status: StatusCode) -> Self {
        self.status = status;
        self.indexed = false;
        self.address = None;
        self.data.clear();
        self
    }

    /// Makes the page private to one viewer. It is then not indexed and has no links for feed readers and other sites.
    pub fn private(mut self) -> Self {
        self.indexed = false;
        self.feed = None;
        self.player = None;
        self.video = None;
        self.data.clear();
        self
    }

    /// Replaces the page's content with the age gate. The title stays, because a shared link shows it. Pictures and structured data are
    /// removed, because they would reveal the content.
    pub fn behind_gate(mut self, gate: Markup) -> Self {
        self.main = gate;
        self.layout = "";
        self.image = None;
        self.text = None;
        self.posters.clear();
        self.trail.clear();
        self.data.clear();
        self
    }

    /// Returns all structured data of the page, if there is any, with addresses in `lang`.
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

/// Returns a list of names and addresses as structured data, or `None` if the list is empty.
pub fn item_list<'a>(items: impl Iterator<Item = (&'a str, String)>, origin: &str) -> Option<Value> {
    let item = |(at, (name, path)): (usize, (&str, String))| json!({"@type": "ListItem", "position": at + 1, "name": name, "url": format!("{origin}{path}")});
    let items: Vec<Value> = items.enumerate().map(item).collect();
    let listed = || json!({"@type": "ItemList", "numberOfItems": items.len(), "itemListElement": items});
    (!items.is_empty()).then(listed)
}

/// Returns the pictures to preload.
pub fn posters(cards: &[VideoCard], first: First) -> Vec<(String, Option<String>)> {
    let shown = cards.iter().take(first.cards).map(|card| &card.pictures).filter(|pictures| !pictures.thumb.is_empty());
    shown.map(|pictures| (pictures.thumb.clone(), Some(pictures.thumbsrc.clone()))).collect()
}

/// Returns the picture for a list, which is that of the first video that has one.
pub fn picture(cards: &[VideoCard]) -> Option<String> {
    cards.iter().map(|card| &card.pictures.img).find(|path| !path.is_empty()).cloned()
}

/// Returns titles and addresses of videos.
pub fn videos(cards: &[VideoCard]) -> impl Iterator<Item = (&str, String)> {
    cards.iter().map(|card| (card.title.as_str(), address::video(card.video_id, &card.dir)))
}
