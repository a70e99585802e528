//! URL of a list of videos:
//! `{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.{type}.{duration}.{date}`.

use std::fmt::{self, Display, Formatter, Write as _};

use lantern_config::{Config, DateRange, Gender, VideoSort, VideoType, labels, numbers::parse_number};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::Filter;

use crate::{
    names::Names,
    path::{self, lifetime_of, number, page_of, word},
};

/// Allowed duration of listed videos.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duration {
    /// No bound.
    All,
    /// Under ten minutes.
    Short,
    /// Ten to thirty minutes.
    Medium,
    /// Over thirty minutes.
    Long,
    /// Minimum and maximum in minutes, at most [`LONGEST_MINUTES`].
    Minutes(u32, u32),
}

/// Maximum duration of a video in minutes. This is one day, as enforced by the catalog.
pub const LONGEST_MINUTES: u32 = 1440;

impl Duration {
    /// Parses the duration in a URL. An empty text means [`Self::All`]. Fails with 404 for anything outside the grammar.
    pub fn parse(text: &str) -> ApiResult<Self> {
        Ok(match text {
            "" | "all" => Self::All,
            "short" => Self::Short,
            "medium" => Self::Medium,
            "long" => Self::Long,
            range => {
                let (from, to) = range.split_once('-').ok_or(ApiError::NotFound("not_found"))?;
                let from = number(from, 0..=LONGEST_MINUTES)?;
                Self::Minutes(from, number(to, from..=LONGEST_MINUTES)?)
            }
        })
    }

    fn write(self, out: &mut String) {
        let word = match self {
            Self::All => "all",
            Self::Short => "short",
            Self::Medium => "medium",
            Self::Long => "long",
            Self::Minutes(from, to) => {
                let _ = write!(out, "{from}-{to}");
                return;
            }
        };
        out.push_str(word);
    }
}

/// Objects that a list contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Section {
    /// All objects.
    All,
    /// Objects in all of these categories, given by `dir`, sorted and without duplicates.
    Categories(Vec<String>),
    /// Videos of the model with this `dir`.
    Model(String),
    /// Videos of the channel with this id.
    Channel(i64),
    /// Public uploads of the member with this id.
    Member(i64),
    /// Public videos of the playlist with this id, in playlist order and of any orientation.
    Playlist(i64),
    /// Most watched videos in the country with this code (ISO 3166-1 alpha-2).
    TopCountry(String),
    /// Results of a search, whose query is not part of the path.
    Search,
}

impl Section {
    /// Parses `section` and `object_id` of a URL.
    ///
    /// # Errors
    /// 404: `category_not_found`, `model_not_found`, `channel_not_found`, `member_not_found` or `playlist_not_found` for a malformed
    /// object, otherwise `not_found`.
    pub fn parse(section: &str, object: &str, config: &Config) -> ApiResult<Self> {
        Ok(match section {
            "all" if object.is_empty() => Self::All,
            "search" if object.is_empty() => Self::Search,
            "categories" => Self::Categories(category_dirs(object, config)?),
            "model" => Self::Model(path::dir(object, "model_not_found")?),
            "channel" => Self::Channel(id(object, "channel_not_found")?),
            "member" => Self::Member(id(object, "member_not_found")?),
            "playlist" => Self::Playlist(id(object, "playlist_not_found")?),
            "top-country" if object == config.visitors.default_country || labels::is_country(object) => {
                Self::TopCountry(object.to_owned())
            }
            _ => return Err(ApiError::NotFound("not_found")),
        })
    }
}

impl Section {
    /// Returns the filter for an orientation. Sections of a model, channel, member or playlist have none: their pages are the same for
    /// every visitor (ADR 9).
    pub fn orientation(&self, gender: Gender) -> Vec<Filter> {
        match self {
            Self::Model(_) | Self::Channel(_) | Self::Member(_) | Self::Playlist(_) => Vec::new(),
            Self::All | Self::Categories(_) | Self::TopCountry(_) | Self::Search => {
                vec![Filter::eq("gender", gender.as_str())]
            }
        }
    }
}

impl Display for Section {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => write!(out, "all."),
            Self::Categories(dirs) => write!(out, "categories.{}", dirs.join(",")),
            Self::Model(dir) => write!(out, "model.{dir}"),
            Self::Channel(id) => write!(out, "channel.{id}"),
            Self::Member(id) => write!(out, "member.{id}"),
            Self::Playlist(id) => write!(out, "playlist.{id}"),
            Self::TopCountry(code) => write!(out, "top-country.{code}"),
            Self::Search => write!(out, "search."),
        }
    }
}

fn id(text: &str, unknown: &'static str) -> ApiResult<i64> {
    parse_number(text).filter(|id| *id > 0).ok_or(ApiError::NotFound(unknown))
}

/// Parses one to `listing.max_categories` comma-separated category dirs. Fails with 404: `category_not_found` for a malformed dir,
/// `not_found` for too many.
fn category_dirs(text: &str, config: &Config) -> ApiResult<Vec<String>> {
    let mut dirs: Vec<String> = text
        .split(',')
        .take(config.listing.max_categories + 1)
        .map(|dir| path::dir(dir, "category_not_found"))
        .collect::<ApiResult<_>>()?;
    if dirs.len() > config.listing.max_categories {
        return Err(ApiError::NotFound("not_found"));
    }
    dirs.sort_unstable();
    dirs.dedup();
    Ok(dirs)
}

/// Content and order of a list of videos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoList {
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
    /// Restriction to HD or uncensored videos.
    pub kind: VideoType,
    /// Restriction by duration.
    pub duration: Duration,
    /// Period in which the video was posted or, for `most-popular`, viewed.
    pub date: DateRange,
    /// Restriction by names, which are query parameters and not part of the path.
    pub names: Names,
}

impl VideoList {
    /// Returns the zero-based index of the first item on the page.
    pub fn offset(&self) -> usize {
        (self.page as usize - 1) * self.count as usize
    }
}

/// A list of videos and the cache lifetime in its URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPath {
    /// Time in seconds for which clients may cache the response.
    pub lifetime: u32,
    /// The list.
    pub list: VideoList,
}

impl ListPath {
    /// Parses the five path segments, the last one without `.json`. `names` stays empty (see [`Self::named`]).
    ///
    /// # Errors
    /// 404 for anything outside the grammar, for a lifetime that is not in `lifetimes`, and for pages beyond `search.max_total_hits`.
    pub fn parse(segments: [&str; 5], lifetimes: &[u32], config: &Config) -> ApiResult<Self> {
        let [lifetime, gender, sort, count, file] = segments;
        let lifetime = lifetime_of(lifetime, lifetimes)?;
        // Split from the right, because the last four parts never contain a dot.
        let mut parts = file.rsplitn(5, '.');
        let mut next = || parts.next().ok_or(ApiError::NotFound("not_found"));
        let (date, duration, kind, page, head) = (next()?, next()?, next()?, next()?, next()?);
        let (section, object) = head.split_once('.').ok_or(ApiError::NotFound("not_found"))?;
        let list = VideoList {
            gender: word(gender)?,
            sort: word(sort)?,
            count: number(count, 1..=config.listing.max_page_size)?,
            section: Section::parse(section, object, config)?,
            page: page_of(page)?,
            kind: word(or_all(kind))?,
            duration: Duration::parse(duration)?,
            date: word(or_all(date))?,
            names: Names::default(),
        };
        if list.offset() + list.count as usize > config.search.max_total_hits {
            return Err(ApiError::NotFound("not_found"));
        }
        Ok(Self { lifetime, list })
    }

    /// Restricts the list by names.
    #[must_use]
    pub fn named(mut self, names: Names) -> Self {
        self.list.names = names;
        self
    }

    /// Returns the canonical URL without names. It is used as the cache key.
    pub fn canonical(&self) -> String {
        let list = &self.list;
        let mut out = format!("videos2/{}/{}/{}/{}/", self.lifetime, list.gender, list.sort, list.count);
        let _ = write!(out, "{}.{}.{}.", list.section, list.page, list.kind);
        list.duration.write(&mut out);
        let _ = write!(out, ".{}", list.date);
        out
    }
}

fn or_all(text: &str) -> &str {
    if text.is_empty() { "all" } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(file: &str) -> ApiResult<ListPath> {
        let config = Config::default();
        ListPath::parse(["86400", "str", "latest-updates", "60", file], &[86400], &config)
    }

    #[test]
    fn equal_lists_have_the_same_canonical_url() {
        let one = parse("categories.night,city.2.all.all.all").expect("path");
        let other = parse("categories.city,night,city.2...").expect("path");
        assert_eq!(one, other);
        assert_eq!(one.canonical(), "videos2/86400/str/latest-updates/60/categories.city,night.2.all.all.all");
        let same = parse("all..1.hd.10-30.week").expect("path");
        assert_eq!(same.list.duration, Duration::Minutes(10, 30));
        assert!(same.canonical().ends_with("/all..1.hd.10-30.week"));
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
            assert!(ListPath::parse(segments, &[86400], &config).is_err(), "{lifetime}");
        }
    }
}
