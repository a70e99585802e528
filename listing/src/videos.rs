//! URL of a list of videos:
//! `{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.{type}.{duration}.{date}`.

use std::fmt::{self, Display, Formatter, Write as _};

use lantern_config::{Config, DateRange, Gender, VideoSort};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::Filter;

use crate::{
    facets::{Choices, Facet, Place},
    names::Names,
    path::{self, lifetime_of, number, page_of, word},
    section::Section,
};

/// A list of videos. [`Display`] writes the canonical path of its URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoList {
    /// Time in seconds for which clients may cache the response.
    pub lifetime: u32,
    /// Orientation of the videos.
    pub gender: Gender,
    /// Sort order.
    pub sort: VideoSort,
    /// Items per page, from 1 to `listing.max_page_size`.
    pub count: u32,
    /// Videos to list.
    pub section: Section,
    /// Page number, starting at 1.
    pub page: u32,
    /// Chosen value of each facet.
    pub choices: Choices,
    /// Restriction by names.
    pub names: Names,
}

impl VideoList {
    /// Parses the five path segments, the last one without `.json`, and the query parameters that `value` returns by name.
    ///
    /// # Errors
    /// 404 for a path outside the grammar, for a lifetime that is not in `lifetimes`, and for pages beyond `search.max_total_hits`.
    /// 422 `invalid` for other values of parameters, and the errors of [`Names::checked`].
    pub fn parse<'a>(
        segments: [&str; 5],
        value: impl Fn(&'static str) -> Option<&'a str>,
        lifetimes: &[u32],
        config: &Config,
    ) -> ApiResult<Self> {
        let unknown = || ApiError::NotFound("not_found");
        let [lifetime, gender, sort, count, file] = segments;
        let lifetime = lifetime_of(lifetime, lifetimes)?;
        // Split from the right, because only the object may contain dots.
        let in_path = Facet::of(Place::Path).count();
        let mut parts = file.rsplitn(in_path + 2, '.');
        let values: Vec<&str> = parts.by_ref().take(in_path).collect();
        let (page, head) = parts.next().zip(parts.next()).ok_or_else(unknown)?;
        let (section, object) = head.split_once('.').ok_or_else(unknown)?;
        let mut list = Self {
            lifetime,
            gender: word(gender)?,
            sort: word(sort)?,
            count: number(count, 1..=config.listing.max_page_size)?,
            section: Section::parse(section, object, config)?,
            page: page_of(page)?,
            choices: Choices::default(),
            names: Names::default(),
        };
        for (facet, value) in Facet::of(Place::Path).rev().zip(values) {
            list.choices.choose(facet, value, unknown())?;
        }
        path::offset(list.page, list.count, config)?;
        for facet in Facet::of(Place::Query) {
            list.choices.choose(facet, value(facet.name).unwrap_or_default(), ApiError::invalid(facet.name))?;
        }
        list.names = Names::parse(value, config)?;
        Ok(list)
    }

    /// Validates the object, the page and the names of a list that doesn't come from [`Self::parse`]. Fails like [`Self::parse`].
    pub fn checked(self, config: &Config) -> ApiResult<Self> {
        let section = self.section.checked(config)?;
        path::offset(self.page, self.count, config)?;
        Ok(Self { section, names: self.names.checked(config)?, ..self })
    }

    /// Returns the zero-based index of the first item on the page.
    pub const fn offset(&self) -> usize {
        (self.page as usize - 1) * self.count as usize
    }

    /// Returns the canonical query parameters, each with a leading `&`.
    pub fn query(&self) -> String {
        let mut out = self.names.to_string();
        for (facet, value) in self.choices.chosen().filter(|(facet, _)| facet.place == Place::Query) {
            let _ = write!(out, "&{}={value}", facet.name);
        }
        out
    }

    /// Returns the condition that the videos meet at the time `now`.
    pub fn filter(&self, now: i64) -> Filter {
        let by_views = self.sort == VideoSort::MostPopular;
        let narrowed = self.choices.filters(by_views, now).chain(self.names.filters());
        Filter::all(self.section.orientation(self.gender).into_iter().chain(narrowed).chain(self.section.filters()))
    }

    /// Returns the condition that the videos of a chart or playlist meet. Neither counts views by day, so a date always refers to the
    /// post date.
    pub fn chart_filter(&self, now: i64) -> Filter {
        Filter::all(self.choices.filters(false, now).chain(self.names.filters()))
    }

    /// Returns the sort keys, which define a total order, or `None` for relevance.
    pub const fn sort_keys(&self) -> Option<[&'static str; 2]> {
        let key = match (self.sort, self.choices.date) {
            (VideoSort::Relevance, _) => return None,
            (VideoSort::LatestUpdates, _) => "post_date:desc",
            (VideoSort::Longest, _) => "duration:desc",
            (VideoSort::MostCommented, _) => "comments:desc",
            (VideoSort::TopRated, _) => "standing:desc",
            (VideoSort::MostPopular, DateRange::Day) => "viewed_day:desc",
            (VideoSort::MostPopular, DateRange::Week) => "viewed_week:desc",
            (VideoSort::MostPopular, DateRange::Month) => "viewed_month:desc",
            (VideoSort::MostPopular, DateRange::All | DateRange::Year) => "viewed:desc",
        };
        Some([key, "id:desc"])
    }
}

impl Display for VideoList {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self { lifetime, gender, sort, count, section, page, choices, .. } = self;
        write!(out, "{lifetime}/{gender}/{sort}/{count}/{section}.{page}")?;
        Facet::of(Place::Path).try_for_each(|facet| write!(out, ".{}", facet.get(choices)))
    }
}

#[cfg(test)]
mod tests {
    use lantern_config::VideoType;

    use super::*;
    use crate::facets::Duration;

    const DAY: i64 = 86_400;

    fn sorted(sort: &str, file: &str) -> ApiResult<VideoList> {
        let segments = ["86400", "str", sort, "60", file];
        VideoList::parse(segments, |_| None, &[86_400], &Config::default())
    }

    fn parse(file: &str) -> ApiResult<VideoList> {
        sorted("latest-updates", file)
    }

    #[test]
    fn equal_lists_have_the_same_canonical_url() {
        let one = parse("categories.night,city.2.all.all.all").expect("path");
        let other = parse("categories.city,night,city.2...").expect("path");
        assert_eq!(one, other);
        assert_eq!(one.to_string(), "86400/str/latest-updates/60/categories.city,night.2.all.all.all");
        let same = parse("all..1.hd.10-30.week").expect("path");
        let (kind, duration, date) = (VideoType::Hd, Duration::Minutes(10, 30), DateRange::Week);
        let choices = Choices { kind, duration, date, ..same.choices };
        assert_eq!(same.choices, choices);
        assert!(same.to_string().ends_with("/all..1.hd.10-30.week"));
    }

    #[test]
    fn date_filters_by_post_date_unless_it_is_the_views_window() {
        let list = |sort, date| sorted(sort, &format!("all..1.all.all.{date}")).expect("path");
        let filter = |sort, date| list(sort, date).filter(10 * DAY).to_string();
        assert!(filter("latest-updates", "week").contains("post_date 259200 TO 864000"));
        assert!(!filter("most-popular", "week").contains("post_date"));
        assert!(filter("most-popular", "year").contains("post_date"));
        assert_eq!(list("most-popular", "week").sort_keys(), Some(["viewed_week:desc", "id:desc"]));
    }

    #[test]
    fn all_categories_must_match() {
        let filter = sorted("longest", "categories.a,b.1.hd.short.all").expect("path").filter(0).to_string();
        assert_eq!(
            filter,
            "gender = \"str\" AND is_hd = true AND duration < 600 AND category_dirs = \"a\" AND category_dirs = \"b\""
        );
    }

    #[test]
    fn charts_filter_by_post_date_only() {
        let filter = |file| sorted("most-popular", file).expect("path").chart_filter(10 * DAY);
        assert!(filter("top-country.JP.1.all.all.week").to_string().contains("post_date 259200 TO 864000"));
        assert!(filter("top-country.JP.1.all.all.all").matches_everything());
    }

    #[test]
    fn malformed_urls_are_rejected() {
        for file in [
            "",
            ".",
            "all",
            "all..1.all.all",
            "all..0.all.all.all",
            "all..01.all.all.all",
            "all..-1.all.all.all",
            "all..1.4k.all.all",
            "all..1.all.30-10.all",
            "all..1.all.0-9999.all",
            "all..1.all.all.decade",
            "all.x.1.all.all.all",
            "categories..1.all.all.all",
            "categories.a,b,c,d.1.all.all.all",
            "categories.a\" OR id > 0.1.all.all.all",
            "model.../../x.1.all.all.all",
            "top-country.jp.1.all.all.all",
            "top-country.ZZ.1.all.all.all",
            "member.1e3.1.all.all.all",
            "playlist.0.1.all.all.all",
            "playlist..1.all.all.all",
            "history..1.all.all.all",
            "all..99999999999.all.all.all",
        ] {
            assert!(parse(file).is_err(), "{file}");
        }
    }

    #[test]
    fn other_lifetimes_are_rejected() {
        let config = Config::default();
        for lifetime in ["1", "086400", "-86400", "86401", ""] {
            let segments = [lifetime, "str", "longest", "60", "all..1.all.all.all"];
            assert!(VideoList::parse(segments, |_| None, &[86400], &config).is_err(), "{lifetime}");
        }
    }
}
