//! The screen for an address, parsed as in the app (`web/src/search/codec.ts`). The table of addresses matches the path, and this module
//! reads the parameters.

use lantern_config::{DateRange, ModelFilter, ModelSort, VideoSort, VideoType};

use super::{community::Community, fixed::FixedPage, query::Params, routes::ScreenMatch};
use crate::Names;

/// The screen for an address.
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
    /// A model, with a list of videos or with information.
    Model {
        /// Name in URLs.
        dir: String,
        /// The videos, or `None` on the information page.
        videos: Option<VideosScreen>,
    },
    /// Comments on a model.
    ModelWall(String),
    /// A video.
    Video(i64),
    /// Watch history. A guest's history is stored in the browser, so the page has no content for it.
    History(u32),
    /// Saved searches, which are stored like the history.
    SavedSearches,
    /// What the visitor has muted.
    Muted,
    /// Albums, playlists and members.
    Community(Community),
    /// Sign-in, sign-up, information about the site, site map and the like.
    Fixed(FixedPage),
}

/// Which videos a list contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All videos, or those that are in every one of these categories.
    Browse(Vec<String>),
    /// Results for a query.
    Search(String),
    /// A country's chart, or `None` for the visitor's country.
    Country(Option<String>),
    /// A model's videos.
    Model(String),
}

/// A list of videos as its address describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideosScreen {
    /// Which videos it contains.
    pub scope: Scope,
    /// Sort order.
    pub sort: VideoSort,
    /// Page number, starting at 1.
    pub page: u32,
    /// HD or uncensored only.
    pub kind: VideoType,
    /// `all`, `short`, `medium` or `long`.
    pub duration: &'static str,
    /// Period of the post date.
    pub date: DateRange,
    /// Names to filter by, as selected.
    pub names: Names,
}

/// A list of models as its address describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelsScreen {
    /// Sort order.
    pub sort: ModelSort,
    /// Page number, starting at 1.
    pub page: u32,
    /// Filters in the order of the contract. Ranges have the form `min.max`, where either end may be open.
    pub filters: Vec<(ModelFilter, String)>,
}

const DURATIONS: [&str; 4] = ["all", "short", "medium", "long"];

impl Screen {
    /// Returns the screen for a matched address, or `None` if the path has more categories than may be combined
    /// (`listing.max_categories`).
    pub fn of(shown: &ScreenMatch, params: &Params, max_categories: usize) -> Option<Self> {
        let page = || shown.parse("page").unwrap_or(1);
        let dir = || shown.place("dir").map(str::to_owned);
        let videos = |scope, sort| Self::Videos(VideosScreen::new(scope, sort, page(), params, max_categories));
        Some(match shown.screen {
            "home" => Self::Home,
            "categories" => Self::Categories,
            "video" => Self::Video(shown.parse("id")?),
            "history" => Self::History(page()),
            "saved-searches" => Self::SavedSearches,
            "muted" => Self::Muted,
            "videos" => videos(Scope::Browse(Vec::new()), shown.parse("video_sort")?),
            "category" => {
                let dirs = shown.place("dirs").filter(|dirs| dirs.split(',').count() <= max_categories)?;
                videos(Scope::Browse(names(dirs, max_categories)), shown.parse("video_sort")?)
            }
            "search" => {
                let text = params.get("s").trim().to_owned();
                videos(Scope::Search(text), params.word("sort").unwrap_or(VideoSort::Relevance))
            }
            "country" => videos(Scope::Country(country(params)), VideoSort::MostPopular),
            "models" => Self::Models(ModelsScreen::new(shown.parse("model_sort")?, page(), params)),
            "model" => Self::Model { dir: dir()?, videos: Some(model(dir()?, shown, params, max_categories)) },
            "model-info" => Self::Model { dir: dir()?, videos: None },
            "model-wall" => Self::ModelWall(dir()?),
            _ => match FixedPage::of(shown) {
                Some(page) => Self::Fixed(page),
                None => Self::Community(Community::of(shown, params)?),
            },
        })
    }
}

/// Returns the list of a model's videos. The model's main page is the first page of the latest videos, regardless of its parameters.
fn model(dir: String, shown: &ScreenMatch, params: &Params, most: usize) -> VideosScreen {
    let sort = params.word("sort").filter(|sort| *sort != VideoSort::Relevance).unwrap_or(VideoSort::LatestUpdates);
    match shown.parse("page") {
        Some(page) => VideosScreen::new(Scope::Model(dir), sort, page, params, most),
        None => VideosScreen::new(Scope::Model(dir), VideoSort::LatestUpdates, 1, &Params::default(), most),
    }
}

impl VideosScreen {
    fn new(scope: Scope, sort: VideoSort, page: u32, params: &Params, most: usize) -> Self {
        let (kind, duration, date) = (VideoType::All, "all", DateRange::All);
        Self { scope, sort, page, kind, duration, date, names: Names::default() }.filtered_by(params, most)
    }

    /// Applies the filters in the parameters, with at most `most` names of each kind.
    pub fn filtered_by(self, params: &Params, most: usize) -> Self {
        let duration = params.get("duration");
        let listed = |name| names(params.get(name), most);
        // A list to browse has its categories in the path.
        let categories = if let Scope::Browse(_) = self.scope { Vec::new() } else { listed("categories") };
        Self {
            names: Names {
                categories,
                not_categories: listed("not_categories"),
                models: listed("models"),
                not_models: listed("not_models"),
            },
            kind: params.word("type").unwrap_or(VideoType::All),
            duration: DURATIONS.into_iter().find(|word| *word == duration).unwrap_or("all"),
            date: params.word("date").unwrap_or(DateRange::All),
            ..self
        }
    }

    /// Whether a filter narrows the list. Such lists are numerous and overlap, so they are not indexed.
    pub fn is_filtered(&self) -> bool {
        self.kind != VideoType::All || self.duration != "all" || self.date != DateRange::All || !self.names.is_empty()
    }
}

impl ModelsScreen {
    fn new(sort: ModelSort, page: u32, params: &Params) -> Self {
        let value = |filter: &ModelFilter| {
            let value = params.get(filter.as_str());
            let fits = !value.is_empty() && (!is_range(*filter) || split_range(value).is_some());
            fits.then(|| (*filter, value.to_owned()))
        };
        Self { sort, page, filters: ModelFilter::ALL.iter().filter_map(value).collect() }
    }
}

/// Whether a filter's value is `min.max` instead of one code.
pub fn is_range(filter: ModelFilter) -> bool {
    matches!(filter, ModelFilter::Age | ModelFilter::Height | ModelFilter::Weight)
}

/// Splits a range into its two ends, one of which may be empty.
pub fn split_range(value: &str) -> Option<(&str, &str)> {
    let digits = |text: &str| text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    value.split_once('.').filter(|(low, high)| digits(low) && digits(high) && value.len() > 1)
}

/// Returns the first `most` distinct items of a comma-separated list, in order.
fn names(list: &str, most: usize) -> Vec<String> {
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
    use lantern_config::ADDRESSES;

    use crate::pages::routes::{Page, resolve};

    fn screen(path: &str, query: &str) -> Option<Screen> {
        of(path, query, 3)
    }

    fn of(path: &str, query: &str, max_categories: usize) -> Option<Screen> {
        match resolve(path, None) {
            Page::Shown(shown) | Page::Feed(shown) => Screen::of(&shown, &Params::parse(query), max_categories),
            other => panic!("{path} is not a screen: {other:?}"),
        }
    }

    #[test]
    fn every_shown_row_of_the_table_has_a_screen() {
        let mut screens = 0;
        for (pattern, what) in &ADDRESSES.addresses {
            if what.starts_with('/') || ["embed", "uploads", "profile"].contains(&what.as_str()) {
                continue;
            }
            let filled = |part: &str| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                Some("id" | "page") => "7".to_owned(),
                Some("dir" | "dirs" | "any") => "night".to_owned(),
                Some(words) => ADDRESSES.words[words][0].clone(),
                None => part.to_owned(),
            };
            let path: Vec<String> = pattern.split('/').map(filled).collect();
            assert!(screen(&path.join("/"), "").is_some(), "{pattern}");
            screens += 1;
        }
        assert!(screens > 30, "the table is read");
    }

    #[test]
    fn invalid_parameters_are_ignored() {
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
    fn path_with_too_many_categories_has_no_screen() {
        let Some(Screen::Videos(list)) = screen("/categories/b,a,b/longest/1/", "") else { panic!("a list") };
        assert_eq!(list.scope, Scope::Browse(["b", "a"].map(str::to_owned).to_vec()), "in the order of the address");
        for path in ["/categories/a,b,c,d/longest/1/", "/categories/a,a,a,a/longest/1/"] {
            assert_eq!(screen(path, ""), None, "{path}: pages would be endless");
        }
        let list = of("/categories/a,b,c,d/longest/1/", "", 4);
        assert!(matches!(list, Some(Screen::Videos(_))));
    }

    #[test]
    fn search_takes_only_the_first_categories() {
        let Some(Screen::Videos(list)) = screen("/search/1/", "s=x&categories=b,a,b,c,d") else { panic!("a list") };
        assert_eq!(list.names.categories, ["b", "a", "c"]);
    }

    #[test]
    fn every_list_is_filtered_by_its_names() {
        let query = "models=mika,yui&not_categories=a&categories=b&not_models=lind";
        for (path, categories) in [
            ("/videos/longest/1/", 0),
            ("/categories/c/longest/1/", 0),
            ("/top-country/1/", 1),
            ("/model/x/videos/1/", 1),
        ] {
            let Some(Screen::Videos(list) | Screen::Model { videos: Some(list), .. }) = screen(path, query) else {
                panic!("{path}")
            };
            assert!(list.is_filtered());
            let Names { models, not_categories, not_models, .. } = &list.names;
            let chosen = (models.len(), not_categories.len(), not_models.len(), list.names.categories.len());
            assert_eq!(chosen, (2, 1, 1, categories), "{path}");
        }
    }
}
