//! URL of a list of albums or playlists: `{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}`.

use lantern_config::{Config, Gender, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::Filter;

use crate::{
    path::{self, lifetime_of, number, page_of, word},
    section::Section,
    sorts::ObjectSort,
};

/// Content and order of a list. `S` is the vocabulary of sort orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectList<S> {
    /// Time in seconds for which clients may cache the response, which is one of [`lifetimes::LISTS`].
    pub lifetime: u32,
    /// Orientation of the listed objects.
    pub gender: Gender,
    /// Sort order.
    pub sort: S,
    /// Items per page, from 1 to `listing.max_page_size`.
    pub count: u32,
    /// Objects to list.
    pub section: Section,
    /// Page number, starting at 1.
    pub page: u32,
}

impl<S: ObjectSort> ObjectList<S> {
    /// Parses the five path segments, the last one without `.json`.
    ///
    /// # Errors
    /// 404 for anything outside the grammar, for sections that the call doesn't support, and for pages beyond `search.max_total_hits`.
    pub fn parse(segments: [&str; 5], config: &Config) -> ApiResult<Self> {
        let [lifetime, gender, sort, count, file] = segments;
        let unknown = || ApiError::NotFound("not_found");
        // None of the parts contains a dot.
        let mut parts = file.split('.');
        let (Some(section), Some(object), Some(page), None) = (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(unknown());
        };
        let list = Self {
            lifetime: lifetime_of(lifetime, lifetimes::LISTS)?,
            gender: word(gender)?,
            sort: word(sort)?,
            count: number(count, 1..=config.listing.max_page_size)?,
            section: Section::parse(section, object, config)?,
            page: page_of(page)?,
        };
        list.checked(config)
    }

    /// Validates the section and the page. Fails as [`Self::parse`] does.
    pub fn checked(self, config: &Config) -> ApiResult<Self> {
        path::offset(self.page, self.count, config)?;
        if S::has(&self.section) { Ok(self) } else { Err(ApiError::NotFound("not_found")) }
    }

    /// Returns the zero-based index of the first item on the page.
    pub const fn offset(&self) -> usize {
        (self.page as usize - 1) * self.count as usize
    }

    /// Returns the condition that the objects meet.
    pub fn filter(&self) -> Filter {
        Filter::all(self.section.orientation(self.gender).into_iter().chain(self.section.filters()))
    }

    /// Returns the canonical URL. It is used as the cache key.
    pub fn canonical(&self) -> String {
        let Self { lifetime, gender, sort, count, section, page } = self;
        format!("{}/{lifetime}/{gender}/{sort}/{count}/{section}.{page}", S::CALL)
    }
}

#[cfg(test)]
mod tests {
    use lantern_config::AlbumSort;

    use super::*;

    fn parse(file: &str) -> ApiResult<ObjectList<AlbumSort>> {
        ObjectList::parse(["86400", "str", "top-rated", "60", file], &Config::default())
    }

    #[test]
    fn equal_lists_have_the_same_canonical_url() {
        let one = parse("categories.night,city.2").expect("path");
        assert_eq!(one, parse("categories.city,night.2").expect("path"));
        assert_eq!(one.canonical(), "albums/86400/str/top-rated/60/categories.city,night.2");
        assert_eq!((one.offset(), parse("all..1").expect("path").offset()), (60, 0));
    }

    #[test]
    fn malformed_urls_are_rejected() {
        for file in [
            "",
            "all",
            "all.1",
            "all..0",
            "all..01",
            "all..1.all",
            "all.x.1",
            "member.x.1",
            "member.0.1",
            "channel.1.1",
            "search..1",
            "categories..1",
            "all..99999999999",
        ] {
            assert!(parse(file).is_err(), "{file}");
        }
    }
}
