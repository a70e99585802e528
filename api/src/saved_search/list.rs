//! A list of videos identified by its address, to return to later.

use lantern_config::{Config, Gender, Lang};
use lantern_listing::{
    VideoList,
    pages::{Page, Scope, VideoPage, feed_address, query::Params, resolve, screen::Screen},
};
use lantern_search::{exclusions::ListBounds, length, request::SearchRequest};

/// Maximum length of an address in bytes. It leaves room for the longest query, the categories and the filters, all percent-encoded.
const LONGEST: usize = 2000;

/// The first page of a list of videos.
pub struct SavedList {
    page: VideoPage,
    gender: Gender,
}

impl SavedList {
    /// Parses an address on this site. Returns `None` if it can't have new videos. This is the case for anything other than a list of
    /// videos, for a search without a valid query, and for a country's chart, which ranks what is being watched.
    pub fn parse(address: &str, config: &Config) -> Option<Self> {
        if address.len() > LONGEST || !address.starts_with('/') {
            return None;
        }
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let params = Params::parse(query);
        let Page::Shown(shown) = resolve(path, Some(query)) else { return None };
        let mut page = match Screen::of(&shown, &params, config.listing.max_categories)? {
            Screen::Videos(list) | Screen::Model { videos: Some(list), .. } => list,
            _ => return None,
        };
        page.page = 1;
        match &page.scope {
            Scope::Country(_) => return None,
            Scope::Search(text) if !length::fits(&config.listing, text) => return None,
            _ => {}
        }
        let list = Self { page, gender: params.word("gender").unwrap_or(Gender::Str) };
        (list.address().len() <= LONGEST).then_some(list)
    }

    /// Returns the canonical path and query.
    pub fn address(&self) -> String {
        self.page.of_gender(1, self.gender).in_lang(None)
    }

    /// Returns the address of the list's feed in a language.
    pub fn feed(&self, lang: Lang) -> String {
        feed_address::of_saved(&self.page, self.gender).in_lang(Some(lang))
    }

    /// Returns the list to request.
    pub fn list(&self) -> VideoList {
        // Charts, which would need the visitor's country, are never parsed.
        VideoList { count: 1, ..self.page.list(self.gender, "") }
    }

    /// Returns the search to request, or `None` for any other list.
    pub fn search(&self, lang: Lang) -> Option<SearchRequest> {
        let Scope::Search(text) = &self.page.scope else { return None };
        Some(SearchRequest { text: text.clone(), list: self.list(), allowed: ListBounds::everything(), lang })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(address: &str) -> Option<String> {
        SavedList::parse(address, &Config::default()).map(|list| list.address())
    }

    #[test]
    fn equivalent_addresses_are_one_list() {
        for (given, canonical) in [
            ("/search/3/?date=week&s=+night++market&x=1", "/search/1/?s=night++market&date=week"),
            ("/categories/b,a/longest/2/?gender=gay", "/categories/a,b/longest/1/?gender=gay"),
            ("/videos/top-rated/1/?gender=str&type=hd", "/videos/top-rated/1/?type=hd"),
            ("/model/mika-sato/", "/model/mika-sato/"),
            ("/videos/longest/4/?models=yui&not_categories=b", "/videos/longest/1/?not_categories=b&models=yui"),
        ] {
            assert_eq!(address(given).as_deref(), Some(canonical), "{given}");
        }
    }

    #[test]
    fn addresses_without_new_videos_are_not_saved() {
        let long = format!("/search/1/?s=cat&x={}", "x".repeat(LONGEST));
        for given in [
            "",
            "videos/longest/1/",
            "//evil.example/videos/longest/1/",
            "https://evil.example/videos/longest/1/",
            "/",
            "/videos/1/a/",
            "/top-country/1/?country=JP",
            "/search/1/",
            "/search/1/?s=a",
            "/models/alphabet/1/",
            "/videos/longest/feed/",
            &long,
        ] {
            assert_eq!(address(given), None, "{given}");
        }
    }
}
