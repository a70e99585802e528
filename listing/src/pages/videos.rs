//! Lists of videos.

use lantern_config::{Gender, VideoSort, lifetimes};

use super::{
    PAGE_SIZE,
    address::{Address, model},
    query::Params,
};
use crate::{
    facets::Choices,
    names::{Names, distinct},
    section::Section,
    videos::VideoList,
};

/// Videos on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// All videos, or those that are in every one of these categories.
    Browse(Vec<String>),
    /// Results for a query.
    Search(String),
    /// A country's chart, or `None` for the visitor's country.
    Country(Option<String>),
    /// Videos of a model.
    Model(String),
}

impl Scope {
    /// Returns the categories in a path, or `None` if there are more than may be combined.
    pub fn categories(dirs: &str, most: usize) -> Option<Self> {
        (dirs.split(',').count() <= most).then(|| Self::Browse(distinct(dirs, most)))
    }

    /// Returns the chart of the country in the parameters. A malformed country counts as absent.
    pub fn country(params: &Params) -> Self {
        let country = params.get("country");
        Self::Country(matches!(country.as_bytes(), [b'A'..=b'Z', b'A'..=b'Z']).then(|| country.to_owned()))
    }
}

/// A list of videos as its address describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoPage {
    /// Videos to list.
    pub scope: Scope,
    /// Sort order.
    pub sort: VideoSort,
    /// Page number, starting at 1.
    pub page: u32,
    /// Chosen value of each facet, which is one of its words.
    pub choices: Choices,
    /// Names to filter by, as selected.
    pub names: Names,
}

impl VideoPage {
    /// Returns a results page without filters.
    pub fn new(scope: Scope, sort: VideoSort, page: u32) -> Self {
        Self { scope, sort, page, choices: Choices::default(), names: Names::default() }
    }

    /// Applies the filters in the parameters, with at most `most` names of each kind.
    #[must_use]
    pub fn filtered_by(self, params: &Params, most: usize) -> Self {
        let mut names = Names::of_page(|name| params.get(name), most);
        // A list to browse has its categories in the path.
        if let Scope::Browse(_) = self.scope {
            names.categories.clear();
        }
        Self { names, choices: Choices::of_page(|name| params.get(name)), ..self }
    }

    /// Whether a filter narrows the list. Such lists are numerous and overlap, so they are not indexed.
    pub fn is_filtered(&self) -> bool {
        self.choices != Choices::default() || !self.names.is_empty()
    }

    /// Returns the list that the page requests, still to be validated by [`VideoList::checked`].
    pub fn list(&self, gender: Gender, country: &str) -> VideoList {
        let Self { scope, sort, page, choices, names } = self.clone();
        let section = match scope {
            Scope::Browse(dirs) if dirs.is_empty() => Section::All,
            Scope::Browse(dirs) => Section::Categories(dirs),
            Scope::Search(_) => Section::Search,
            Scope::Country(named) => Section::TopCountry(named.unwrap_or_else(|| country.to_owned())),
            Scope::Model(dir) => Section::Model(dir),
        };
        let lifetime = if sort == VideoSort::LatestUpdates { lifetimes::LATEST } else { lifetimes::DEFAULT };
        VideoList { lifetime, gender, sort, count: PAGE_SIZE, section, page, choices, names }
    }

    /// Returns the address of a results page for an orientation. A model's address is the same for all orientations.
    pub fn of_gender(&self, page: u32, gender: Gender) -> Address {
        let address = self.address(page);
        if matches!(self.scope, Scope::Model(_)) { address } else { address.gender(gender) }
    }

    /// Returns the address of a results page.
    pub fn address(&self, page: u32) -> Address {
        let sort = self.sort;
        let address = match &self.scope {
            Scope::Browse(dirs) if dirs.is_empty() => Address::new(format!("/videos/{sort}/{page}/")),
            Scope::Browse(dirs) => {
                // All of these categories must match, so their order doesn't matter.
                let mut dirs = dirs.clone();
                dirs.sort_unstable();
                Address::new(format!("/categories/{}/{sort}/{page}/", dirs.join(",")))
            }
            Scope::Search(text) => {
                Address::new(format!("/search/{page}/")).with("s", text, "").with("sort", sort.as_str(), "relevance")
            }
            Scope::Country(country) => Address::new(format!("/top-country/{page}/")).with(
                "country",
                country.as_deref().unwrap_or_default(),
                "",
            ),
            Scope::Model(dir) if page == 1 && sort == VideoSort::LatestUpdates && !self.is_filtered() => {
                Address::new(model(dir))
            }
            Scope::Model(dir) => {
                Address::new(format!("/model/{dir}/videos/{page}/")).with("sort", sort.as_str(), "latest-updates")
            }
        };
        self.with_filters(address)
    }

    /// Returns the address of the list's feed, with the country of a chart.
    pub fn feed(&self, country: &str, gender: Gender) -> Address {
        let address = match &self.scope {
            // Lists for models, members and playlists are the same for every orientation.
            Scope::Model(dir) => return self.with_filters(Address::new(format!("/model/{dir}/feed/"))),
            Scope::Browse(dirs) if dirs.is_empty() => Address::new(format!("/videos/{}/feed/", self.sort)),
            Scope::Browse(dirs) => Address::new(format!("/categories/{}/{}/feed/", dirs.join(","), self.sort)),
            Scope::Country(_) => Address::new("/top-country/feed/").with("country", country, ""),
            Scope::Search(text) => Address::new("/search/feed/").with("s", text, ""),
        };
        self.with_filters(address).gender(gender)
    }

    fn with_filters(&self, address: Address) -> Address {
        let named = self.names.pairs().fold(address, |address, (name, dirs)| address.with(name, &dirs, ""));
        self.choices.chosen().fold(named, |address, (facet, value)| address.with(facet.name, &value, ""))
    }
}
