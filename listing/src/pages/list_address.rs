//! Addresses of lists.

use lantern_config::{DateRange, Gender, VideoType};

use super::{
    address::{Address, model},
    screen::{ModelsScreen, Scope, VideosScreen},
};

/// Returns the address of a results page in a list of videos, for an orientation. A model's address is the same for all
/// orientations.
pub fn listing(list: &VideosScreen, page: u32, gender: Gender) -> Address {
    let address = videos(list, page);
    if matches!(list.scope, Scope::Model(_)) { address } else { address.gender(gender) }
}

/// Returns the address of a results page in a list of videos.
pub fn videos(list: &VideosScreen, page: u32) -> Address {
    let VideosScreen { sort, .. } = list;
    let address = match &list.scope {
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
        Scope::Country(country) => {
            Address::new(format!("/top-country/{page}/")).with("country", country.as_deref().unwrap_or_default(), "")
        }
        Scope::Model(dir) if page == 1 && sort.as_str() == "latest-updates" && !list.is_filtered() => {
            Address::new(model(dir))
        }
        Scope::Model(dir) => {
            Address::new(format!("/model/{dir}/videos/{page}/")).with("sort", sort.as_str(), "latest-updates")
        }
    };
    with_filters(address, list)
}

/// Adds the filters for a list of videos.
pub fn with_filters(address: Address, list: &VideosScreen) -> Address {
    let named = list.names.pairs().into_iter().fold(address, |address, (name, dirs)| address.with(name, &dirs, ""));
    named.with("type", list.kind.as_str(), VideoType::All.as_str()).with("duration", list.duration, "all").with(
        "date",
        list.date.as_str(),
        DateRange::All.as_str(),
    )
}

/// Returns the address of a results page in a list of models.
pub fn models(list: &ModelsScreen, page: u32) -> Address {
    list.filters.iter().fold(Address::new(format!("/models/{}/{page}/", list.sort)), |address, (filter, value)| {
        address.with(filter.as_str(), value, "")
    })
}

#[cfg(test)]
mod tests {
    use lantern_config::Lang;

    use super::*;
    use crate::pages::{
        query::Params,
        routes::{Page, resolve},
        screen::Screen,
    };

    fn screen(path: &str, query: &str) -> Option<Screen> {
        let Page::Shown(shown) = resolve(path, None) else { panic!("{path}") };
        Screen::of(&shown, &Params::parse(query), 3)
    }

    fn canonical(path: &str, query: &str) -> String {
        match screen(path, query).expect("screen") {
            Screen::Videos(list) | Screen::Model { videos: Some(list), .. } => videos(&list, list.page).in_lang(None),
            Screen::Models(list) => models(&list, list.page).in_lang(None),
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
            assert_eq!(listing(&list, 1, Gender::She).in_lang(None), expected);
        }
    }
}
