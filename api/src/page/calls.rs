//! The calls a screen makes first, spelled exactly as the app spells them (`web/src/api/endpoints.ts`,
//! `web/src/search/request.ts`): an answer under another address would be requested again.

use lantern_config::{Config, Lang, ModelFilter, VideoSort, lifetimes};

use super::{
    fixed::Fixed,
    query,
    screen::{ModelsScreen, Scope, Screen, VideosScreen, is_range, parts},
    visitor::Visitor,
};

/// Items of a list's page (docs/PRODUCT.md).
pub const PAGE_SIZE: u32 = 60;
/// Related videos beside the player, one of `listing.related_counts`.
const RELATED: u32 = 12;

/// What an answer is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The frame of every page.
    Main,
    /// The list of videos.
    Videos,
    /// The blocks of the home page.
    Home,
    /// A list of models.
    Models,
    /// The model.
    Model,
    /// The video.
    Video,
    /// Its relatives.
    Related,
    /// All categories.
    Categories,
    /// A list of albums.
    Albums,
    /// The album.
    Album,
    /// A list of playlists.
    Playlists,
    /// The playlist.
    Playlist,
    /// A list of members.
    Members,
    /// The member.
    Member,
    /// What was written on a wall.
    Comments,
    /// What a member follows.
    Subscriptions,
}

/// A call of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// What the answer is for.
    pub part: Part,
    /// Path and query.
    pub url: String,
}

/// Every call the screen makes before anyone touches it.
pub fn of(screen: &Screen, visitor: &Visitor, config: &Config) -> Vec<Call> {
    let mut calls = vec![main(visitor)];
    let mut add = |part, url: String| calls.push(Call { part, url });
    match screen {
        Screen::Home => {
            let (gender, country) = (visitor.gender, &visitor.country);
            add(Part::Home, format!("/api/json/home/{}/{gender}.{country}.{}.json", lifetimes::LATEST, visitor.lang()));
        }
        Screen::Categories | Screen::Fixed(Fixed::Sitemap) => {
            let url =
                format!("/api/json/categories/{}/{}.all.{}.json", lifetimes::DEFAULT, visitor.gender, visitor.lang());
            add(Part::Categories, url);
        }
        Screen::Fixed(_) => {}
        Screen::Videos(list) => {
            if let Some(url) = videos(list, visitor, config) {
                add(Part::Videos, url);
            }
        }
        Screen::Models(list) => add(Part::Models, models(list, visitor)),
        Screen::Model { dir, videos: list } => {
            add(Part::Model, model(dir));
            if let Some(url) = list.as_ref().and_then(|list| videos(list, visitor, config)) {
                add(Part::Videos, url);
            }
        }
        Screen::ModelWall(dir) => {
            add(Part::Model, model(dir));
            // Names are ASCII, so characters are bytes.
            let prefix = &dir[..dir.len().min(2)];
            add(Part::Comments, format!("/api/json/model_wall/{}/{prefix}/{dir}.1.json", lifetimes::DEFAULT));
        }
        Screen::History(_) => {}
        Screen::Video(id) => {
            add(Part::Video, video(*id, visitor.lang()));
            add(Part::Comments, comments("video", *id));
            add(Part::Related, related(*id, visitor.lang()));
        }
        Screen::Community(screen) => {
            for (part, url) in screen.calls(visitor) {
                add(part, url);
            }
        }
    }
    calls
}

/// What every page's frame needs.
pub fn main(visitor: &Visitor) -> Call {
    let url = format!("/api/json/main/{}/{}.{}.json", lifetimes::HOME, visitor.gender, visitor.lang());
    Call { part: Part::Main, url }
}

/// One video.
pub fn video(id: i64, lang: Lang) -> String {
    format!("/api/json/video/{}/{}/{id}.json?lang={lang}", lifetimes::DEFAULT, bucket(id))
}

/// One model; the same in every language.
pub fn model(dir: &str) -> String {
    // Names are ASCII, so characters are bytes.
    let prefix = &dir[..dir.len().min(2)];
    format!("/api/json/model/{}/{prefix}/{dir}.json", lifetimes::DEFAULT)
}

/// Signed links to a video's streams.
pub fn video_file(id: i64) -> String {
    format!("/api/videofile.php?video_id={id}&lifetime={}", lifetimes::VIDEO_FILE[0])
}

/// What members wrote under an object.
pub fn comments(section: &str, id: i64) -> String {
    format!("/api/json/comments/{}/{section}/{}/{id}.json", lifetimes::DEFAULT, bucket(id))
}

fn related(id: i64, lang: Lang) -> String {
    let lifetime = lifetimes::RELATED;
    format!("/api/json/videos_related2/{lifetime}/{RELATED}/{}/{id}.all.1.json?lang={lang}", bucket(id))
}

/// The folder of an id in the paths of the API.
pub fn bucket(id: i64) -> i64 {
    id / 1000 * 1000
}

/// The call of a list of videos; `None` for a search there is nothing to ask about.
pub fn videos(list: &VideosScreen, visitor: &Visitor, config: &Config) -> Option<String> {
    let lang = visitor.lang();
    let lifetime = if list.sort == VideoSort::LatestUpdates { lifetimes::LATEST } else { lifetimes::DEFAULT };
    let head = format!("{lifetime}/{}/{}/{PAGE_SIZE}", visitor.gender, list.sort);
    let tail = format!("{}.{}.{}.{}", list.page, list.kind, list.duration, list.date);
    let object = match &list.scope {
        Scope::Search { text, categories, not_categories } => {
            let length = text.chars().count();
            let fits = (config.listing.search_min..=config.listing.search_max).contains(&length);
            let params = format!("{head}/search..{tail}");
            let pairs = [
                ("params", &*params),
                ("s", text),
                ("lang", lang.as_str()),
                ("categories", &in_order(categories)),
                ("not_categories", &in_order(not_categories)),
            ];
            return fits.then(|| format!("/api/videos2.php{}", query::write(&pairs)));
        }
        Scope::Browse(categories) if categories.is_empty() => "all.".to_owned(),
        Scope::Browse(categories) => format!("categories.{}", in_order(categories)),
        Scope::Country(country) => format!("top-country.{}", country.as_ref().unwrap_or(&visitor.country)),
        Scope::Model(dir) => format!("model.{dir}"),
    };
    Some(format!("/api/json/videos2/{head}/{object}.{tail}.json?lang={lang}"))
}

/// Chosen values as InstantSearch sends them, whatever their order in the address.
fn in_order(values: &[String]) -> String {
    let mut values = values.to_vec();
    values.sort_unstable();
    values.join(",")
}

fn models(list: &ModelsScreen, visitor: &Visitor) -> String {
    let filters: String =
        list.filters.iter().map(|(filter, value)| format!("-{filter}~{}", wanted(*filter, value))).collect();
    format!(
        "/api/json/models/{}/{}/filt{filters}/{}/{PAGE_SIZE}/{}.json?lang={}",
        lifetimes::DEFAULT,
        visitor.gender,
        list.sort,
        list.page,
        visitor.lang()
    )
}

/// A filter's value as a path segment; an open end is left to the API's own bound.
fn wanted(filter: ModelFilter, value: &str) -> String {
    match parts(value).filter(|_| is_range(filter)) {
        Some((low, high)) => {
            format!("{}.{}", if low.is_empty() { "0" } else { low }, if high.is_empty() { "999" } else { high })
        }
        None => segment(value),
    }
}

/// As a browser's `encodeURIComponent`.
fn segment(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    let spell = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    value.bytes().map(spell).collect()
}
