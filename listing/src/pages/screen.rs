//! The screen for an address, parsed as in the app (`web/src/search/codec.ts`). The table of addresses matches the path, and
//! the lists of [`super`] read the parameters.

use lantern_config::VideoSort;

use super::{ModelPage, Scope, VideoPage, community::Community, fixed::FixedPage, query::Params, routes::ScreenMatch};

/// The screen for an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Screen {
    /// `/`
    Home,
    /// `/categories/`
    Categories,
    /// A list of videos.
    Videos(VideoPage),
    /// A list of models.
    Models(ModelPage),
    /// A model, with a list of videos or with information.
    Model {
        /// Name in URLs.
        dir: String,
        /// The videos, or `None` on the information page.
        videos: Option<VideoPage>,
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

impl Screen {
    /// Returns the screen for a matched address, or `None` if the path has more categories than may be combined
    /// (`listing.max_categories`).
    pub fn of(shown: &ScreenMatch, params: &Params, max_categories: usize) -> Option<Self> {
        let page = || shown.parse("page").unwrap_or(1);
        let dir = || shown.place("dir").map(str::to_owned);
        let videos =
            |scope, sort| Self::Videos(VideoPage::new(scope, sort, page()).filtered_by(params, max_categories));
        Some(match shown.screen {
            "home" => Self::Home,
            "categories" => Self::Categories,
            "video" => Self::Video(shown.parse("id")?),
            "history" => Self::History(page()),
            "saved-searches" => Self::SavedSearches,
            "muted" => Self::Muted,
            "videos" => videos(Scope::Browse(Vec::new()), shown.parse("video_sort")?),
            "category" => videos(Scope::categories(shown.place("dirs")?, max_categories)?, shown.parse("video_sort")?),
            "search" => {
                let text = params.get("s").trim().to_owned();
                videos(Scope::Search(text), params.word("sort").unwrap_or(VideoSort::Relevance))
            }
            "country" => videos(Scope::country(params), VideoSort::MostPopular),
            "models" => Self::Models(ModelPage::new(shown.parse("model_sort")?, page(), params)),
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
fn model(dir: String, shown: &ScreenMatch, params: &Params, most: usize) -> VideoPage {
    let sort = params.word("sort").filter(|sort| *sort != VideoSort::Relevance).unwrap_or(VideoSort::LatestUpdates);
    match shown.parse("page") {
        Some(page) => VideoPage::new(Scope::Model(dir), sort, page).filtered_by(params, most),
        None => VideoPage::new(Scope::Model(dir), VideoSort::LatestUpdates, 1),
    }
}

#[cfg(test)]
mod tests {
    use lantern_config::{ADDRESSES, DateRange, Gender, Lang};

    use super::*;
    use crate::{
        Choices, Names,
        pages::{
            address::Address,
            routes::{Page, resolve},
        },
    };

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
        assert_eq!((list.choices, list.page), (Choices { date: DateRange::Week, ..Choices::default() }, 2));
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

    fn canonical(path: &str, query: &str) -> String {
        match screen(path, query).expect("screen") {
            Screen::Videos(list) | Screen::Model { videos: Some(list), .. } => list.address(list.page).in_lang(None),
            Screen::Models(list) => list.address(list.page).in_lang(None),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn equivalent_addresses_have_one_canonical_form() {
        for (path, query, expected) in [
            ("/videos/longest/2/", "utm_source=x&fr=y&date=week&type=hd", "/videos/longest/2/?type=hd&date=week"),
            ("/categories/b,a,b/longest/1/", "type=all", "/categories/a,b/longest/1/"),
            ("/search/1/", "categories=b,a&s=+x%26y+&sort=relevance", "/search/1/?s=x%26y&categories=b,a"),
            ("/search/1/", "not_categories=c&s=x&categories=a", "/search/1/?s=x&categories=a&not_categories=c"),
            ("/model/mika-sato/videos/1/", "sort=latest-updates", "/model/mika-sato/"),
            ("/model/mika-sato/videos/1/", "models=yui,yui", "/model/mika-sato/videos/1/?models=yui"),
            ("/videos/longest/1/", "type=hd&models=b,a&categories=c", "/videos/longest/1/?models=b,a&type=hd"),
            ("/categories/a/longest/1/", "not_categories=b", "/categories/a/longest/1/?not_categories=b"),
            ("/search/1/", "not_models=b,a&s=x&models=c", "/search/1/?s=x&models=c&not_models=b,a"),
            ("/top-country/1/", "models=b&categories=a&country=JP", "/top-country/1/?country=JP&categories=a&models=b"),
            ("/model/mika-sato/videos/1/", "sort=longest", "/model/mika-sato/videos/1/?sort=longest"),
            ("/top-country/1/", "country=JP", "/top-country/1/?country=JP"),
            ("/models/alphabet/1/", "race=asian&age=25.34&x=1", "/models/alphabet/1/?race=asian&age=25.34"),
        ] {
            assert_eq!(canonical(path, query), expected);
        }
    }

    #[test]
    fn language_and_orientation_are_part_of_the_address() {
        let address = Address::new("/videos/longest/1/").gender(Gender::Gay);
        assert_eq!(address.in_lang(Some(Lang::De)), "/videos/longest/1/?gender=gay&lang=de");
        assert_eq!(Address::new("/").gender(Gender::Str).in_lang(None), "/");
        for (path, expected) in [("/videos/longest/1/", "/videos/longest/1/?gender=she"), ("/model/a/", "/model/a/")] {
            let Some(Screen::Videos(list) | Screen::Model { videos: Some(list), .. }) = screen(path, "") else {
                panic!("{path}")
            };
            assert_eq!(list.of_gender(1, Gender::She).in_lang(None), expected);
        }
    }
}
