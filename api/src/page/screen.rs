//! What a page's address asks for, read as the app in the browser reads it (`web/src/search/codec.ts`).

use std::str::FromStr;

use lantern_config::{DateRange, ModelFilter, ModelSort, VideoSort, VideoType};

use super::{community::Community, fixed::Fixed, query::Params};

/// The screen of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Screen {
    /// `/`
    Home,
    /// `/categories/`
    Categories,
    /// A list of videos.
    Videos(VideosScreen),
    /// A list of models.
    Models(ModelsScreen),
    /// A model with a list of videos, or with what is known about her or him.
    Model {
        /// Name in URLs.
        dir: String,
        /// The videos; `None` on the page of information.
        videos: Option<VideosScreen>,
    },
    /// What members write about a model.
    ModelWall(String),
    /// One video.
    Video(i64),
    /// What was watched: a guest's browser keeps it, so there is nothing to say of it here.
    History(u32),
    /// Albums, playlists and members.
    Community(Community),
    /// Signing in and up, pages about the site, its map.
    Fixed(Fixed),
}

/// Which videos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All, or those in every one of these categories.
    Browse(Vec<String>),
    /// What is found for a text, in these categories.
    Search {
        /// The words.
        text: String,
        /// All must match.
        categories: Vec<String>,
        /// None may match.
        not_categories: Vec<String>,
    },
    /// A country's chart; `None` is the visitor's.
    Country(Option<String>),
    /// A model's.
    Model(String),
}

/// A list of videos as its address describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideosScreen {
    /// Which videos.
    pub scope: Scope,
    /// Their order.
    pub sort: VideoSort,
    /// From 1.
    pub page: u32,
    /// HD or uncensored only.
    pub kind: VideoType,
    /// `all`, `short`, `medium` or `long`.
    pub duration: &'static str,
    /// Window of the post date.
    pub date: DateRange,
}

/// A list of models as its address describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelsScreen {
    /// Their order.
    pub sort: ModelSort,
    /// From 1.
    pub page: u32,
    /// Filters in the order of the contract; ranges as `min.max`, either end may be open.
    pub filters: Vec<(ModelFilter, String)>,
}

const DURATIONS: [&str; 4] = ["all", "short", "medium", "long"];

impl Screen {
    /// The screen of a path that [`crate::web::resolve`] shows; `None` for one it doesn't, and for a path that names more categories
    /// than may be chosen at once (`listing.max_categories`).
    pub fn of(path: &str, params: &Params, max_categories: usize) -> Option<Self> {
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        let chosen = |name| categories(params.get(name), max_categories);
        let videos = |scope, sort, page: &str| Some(VideosScreen::new(scope, sort, page.parse().ok()?, params));
        Some(match segments[..] {
            [] => Self::Home,
            ["categories"] => Self::Categories,
            ["videos", id] => Self::Video(id.parse().ok()?),
            ["videos", "history", page] => Self::History(page.parse().ok()?),
            ["videos", first, second] => match VideoSort::from_str(first) {
                Ok(sort) => Self::Videos(videos(Scope::Browse(Vec::new()), sort, second)?),
                Err(_) => Self::Video(first.parse().ok()?),
            },
            ["categories", dirs, ..] if dirs.split(',').count() > max_categories => return None,
            ["categories", dirs, sort, page] => {
                Self::Videos(videos(Scope::Browse(categories(dirs, max_categories)), sort.parse().ok()?, page)?)
            }
            ["search", page] => {
                let scope = Scope::Search {
                    text: params.get("s").trim().to_owned(),
                    categories: chosen("categories"),
                    not_categories: chosen("not_categories"),
                };
                Self::Videos(videos(scope, params.word("sort").unwrap_or(VideoSort::Relevance), page)?)
            }
            ["top-country", page] => {
                Self::Videos(videos(Scope::Country(country(params)), VideoSort::MostPopular, page)?)
            }
            ["models", sort, page] => Self::Models(ModelsScreen::new(sort.parse().ok()?, page.parse().ok()?, params)),
            ["model", dir, "info"] => Self::Model { dir: dir.to_owned(), videos: None },
            ["model", dir, "wall"] => Self::ModelWall(dir.to_owned()),
            ["model", dir] => {
                let videos =
                    VideosScreen::new(Scope::Model(dir.to_owned()), VideoSort::LatestUpdates, 1, &Params::default());
                Self::Model { dir: dir.to_owned(), videos: Some(videos) }
            }
            ["model", dir, "videos", page] => {
                let sort = params.word("sort").filter(|sort| *sort != VideoSort::Relevance);
                let sort = sort.unwrap_or(VideoSort::LatestUpdates);
                Self::Model { dir: dir.to_owned(), videos: videos(Scope::Model(dir.to_owned()), sort, page) }
            }
            _ => match Fixed::of(&segments) {
                Some(page) => Self::Fixed(page),
                None => Self::Community(Community::of(&segments, params)?),
            },
        })
    }
}

impl VideosScreen {
    fn new(scope: Scope, sort: VideoSort, page: u32, params: &Params) -> Self {
        let duration = params.get("duration");
        Self {
            scope,
            sort,
            page,
            kind: params.word("type").unwrap_or(VideoType::All),
            duration: DURATIONS.into_iter().find(|word| *word == duration).unwrap_or("all"),
            date: params.word("date").unwrap_or(DateRange::All),
        }
    }

    /// Whether a filter narrows the list. Such lists are many and overlap.
    pub fn is_filtered(&self) -> bool {
        self.kind != VideoType::All || self.duration != "all" || self.date != DateRange::All
    }
}

impl ModelsScreen {
    fn new(sort: ModelSort, page: u32, params: &Params) -> Self {
        let value = |filter: &ModelFilter| {
            let value = params.get(filter.as_str());
            let fits = !value.is_empty() && (!is_range(*filter) || parts(value).is_some());
            fits.then(|| (*filter, value.to_owned()))
        };
        Self { sort, page, filters: ModelFilter::ALL.iter().filter_map(value).collect() }
    }
}

/// Whether the filter holds `min.max` instead of one code.
pub fn is_range(filter: ModelFilter) -> bool {
    matches!(filter, ModelFilter::Age | ModelFilter::Height | ModelFilter::Weight)
}

/// The two ends of a range, of which one may be empty.
pub fn parts(value: &str) -> Option<(&str, &str)> {
    let digits = |text: &str| text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    value.split_once('.').filter(|(low, high)| digits(low) && digits(high) && value.len() > 1)
}

/// The first of a comma-separated list, without repetition, in their order.
fn categories(list: &str, most: usize) -> Vec<String> {
    let mut dirs: Vec<String> = Vec::new();
    for dir in list.split(',').filter(|dir| !dir.is_empty()) {
        if dirs.len() < most && !dirs.iter().any(|known| known == dir) {
            dirs.push(dir.to_owned());
        }
    }
    dirs
}

fn country(params: &Params) -> Option<String> {
    let country = params.get("country");
    matches!(country.as_bytes(), [b'A'..=b'Z', b'A'..=b'Z']).then(|| country.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::{Page, resolve};

    fn screen(path: &str, query: &str) -> Option<Screen> {
        Screen::of(path, &Params::parse(query), 3)
    }

    #[test]
    fn every_page_that_is_shown_has_a_screen() {
        for path in [
            "/",
            "/videos/latest-updates/1/",
            "/videos/12/",
            "/videos/12/night-market/",
            "/categories/",
            "/categories/a,b/top-rated/2/",
            "/search/1/",
            "/top-country/3/",
            "/models/alphabet/1/",
            "/model/mika-sato/",
            "/model/mika-sato/info/",
            "/model/mika-sato/wall/",
            "/model/mika-sato/videos/2/",
            "/videos/history/1/",
            "/albums/top-rated/1/",
            "/album/7/night/",
            "/playlists/count-videos/1/",
            "/playlist/7/2/",
            "/community/recent/3/",
            "/members/7/",
            "/members/7/info/",
            "/members/7/subscriptions/",
            "/members/7/uploaded_videos/2/",
            "/members/7/favourite_videos/1/",
            "/members/7/watch_later_videos/2/",
            "/members/7/history/1/",
            "/members/7/messages/",
            "/signin/",
            "/signup/",
            "/confirm/",
            "/restore-password/",
            "/information/2257/",
            "/sitemap-page/",
        ] {
            assert_eq!(resolve(path, None), Page::Shown, "{path}");
            assert!(screen(path, "").is_some(), "{path}");
        }
        assert_eq!(screen("/nothing/", ""), None);
    }

    #[test]
    fn parameters_that_make_no_sense_are_not_there() {
        let Some(Screen::Videos(list)) = screen("/videos/longest/2/", "type=4k&duration=30-10&date=week&sort=x") else {
            panic!("a list");
        };
        assert_eq!((list.kind, list.duration, list.date, list.page), (VideoType::All, "all", DateRange::Week, 2));
        let Some(Screen::Models(list)) = screen("/models/alphabet/1/", "age=25.&height=x&weight=.&race=asian") else {
            panic!("models");
        };
        assert_eq!(list.filters, [(ModelFilter::Race, "asian".to_owned()), (ModelFilter::Age, "25.".to_owned())]);
    }

    #[test]
    fn a_path_names_no_more_categories_than_may_be_chosen() {
        let Some(Screen::Videos(list)) = screen("/categories/b,a,b/longest/1/", "") else { panic!("a list") };
        assert_eq!(list.scope, Scope::Browse(["b", "a"].map(str::to_owned).to_vec()), "in the order of the address");
        for path in ["/categories/a,b,c,d/longest/1/", "/categories/a,a,a,a/longest/1/"] {
            assert_eq!(screen(path, ""), None, "{path}: addresses without end would be pages");
        }
        let list = Screen::of("/categories/a,b,c,d/longest/1/", &Params::default(), 4);
        assert!(matches!(list, Some(Screen::Videos(_))));
    }

    #[test]
    fn of_a_search_the_first_categories_count() {
        let Some(Screen::Videos(list)) = screen("/search/1/", "s=x&categories=b,a,b,c,d") else { panic!("a list") };
        let Scope::Search { categories, .. } = list.scope else { panic!("a search") };
        assert_eq!(categories, ["b", "a", "c"]);
    }
}
