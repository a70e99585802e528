//! Objects that a list contains: `{section}.{object_id}`.

use std::fmt::{self, Display, Formatter};

use lantern_config::{Config, Gender, labels, numbers::parse_number};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::Filter;

use crate::{names::NameKind, path};

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
        match section {
            "all" if object.is_empty() => Ok(Self::All),
            "search" if object.is_empty() => Ok(Self::Search),
            "categories" => Self::categories(object.split(','), config),
            "model" => Self::model(object),
            "channel" => id(object, "channel_not_found").map(Self::Channel),
            "member" => id(object, "member_not_found").map(Self::Member),
            "playlist" => id(object, "playlist_not_found").map(Self::Playlist),
            "top-country" => Self::country(object, config),
            _ => Err(ApiError::NotFound("not_found")),
        }
    }

    /// Validates the object. Fails as [`Self::parse`] does.
    pub fn checked(self, config: &Config) -> ApiResult<Self> {
        match self {
            Self::Categories(dirs) => Self::categories(dirs.iter().map(String::as_str), config),
            Self::Model(dir) => Self::model(&dir),
            Self::TopCountry(code) => Self::country(&code, config),
            Self::All | Self::Channel(_) | Self::Member(_) | Self::Playlist(_) | Self::Search => Ok(self),
        }
    }

    /// Returns the objects in one to `listing.max_categories` categories. Fails with 404: `category_not_found` for a malformed dir,
    /// `not_found` for too many.
    fn categories<'a>(dirs: impl Iterator<Item = &'a str>, config: &Config) -> ApiResult<Self> {
        let dirs = dirs.take(config.listing.max_categories + 1).map(|dir| path::dir(dir, "category_not_found"));
        let mut dirs: Vec<String> = dirs.collect::<ApiResult<_>>()?;
        if dirs.len() > config.listing.max_categories {
            return Err(ApiError::NotFound("not_found"));
        }
        dirs.sort_unstable();
        dirs.dedup();
        Ok(Self::Categories(dirs))
    }

    /// Returns the videos of a model. Fails with 404 `model_not_found` for a malformed dir.
    fn model(dir: &str) -> ApiResult<Self> {
        path::dir(dir, "model_not_found").map(Self::Model)
    }

    /// Returns the chart of a country or, for `visitors.default_country`, of the whole world. Fails with 404 for other codes.
    fn country(code: &str, config: &Config) -> ApiResult<Self> {
        let known = code == config.visitors.default_country || labels::is_country(code);
        if known { Ok(Self::TopCountry(code.to_owned())) } else { Err(ApiError::NotFound("not_found")) }
    }

    /// Returns the filter for an orientation. Sections of a model, channel, member or playlist have none: their pages are the same for
    /// every visitor (ADR 9).
    pub fn orientation(&self, gender: Gender) -> Option<Filter> {
        match self {
            Self::Model(_) | Self::Channel(_) | Self::Member(_) | Self::Playlist(_) => None,
            Self::All | Self::Categories(_) | Self::TopCountry(_) | Self::Search => {
                Some(Filter::eq("gender", gender.as_str()))
            }
        }
    }

    /// Returns the conditions that select the objects. Charts and playlists have none, because their objects are looked up elsewhere.
    pub fn filters(&self) -> Vec<Filter> {
        match self {
            Self::All | Self::Search | Self::TopCountry(_) | Self::Playlist(_) => Vec::new(),
            Self::Categories(dirs) => dirs.iter().map(|dir| NameKind::Categories.filter(dir)).collect(),
            Self::Model(dir) => vec![NameKind::Models.filter(dir)],
            Self::Channel(id) => vec![Filter::eq("channel_id", *id)],
            Self::Member(id) => vec![Filter::eq("user_id", *id)],
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
