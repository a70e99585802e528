//! Objects that a viewer has muted, as filters for engine queries.

use std::str::FromStr;

use lantern_catalog::mutes;
use lantern_config::{Config, Mutes};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::{Filter, IndexName};
use lantern_listing::{Section, VideoList, is_dir};
use sqlx::PgPool;

use crate::index::{Reader, VideoId, VideoQuery, find};

/// Objects excluded from a viewer's lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exclusions {
    /// Ids of videos.
    pub videos: Vec<i64>,
    /// URL names of categories.
    pub categories: Vec<String>,
    /// URL names of models.
    pub models: Vec<String>,
    /// Ids of members.
    pub members: Vec<i64>,
}

/// What a list may show to the viewer. A muted object is not excluded from its own page.
#[derive(Debug, Clone)]
pub struct ListBounds {
    exclusions: Exclusions,
    filter: Filter,
}

impl Exclusions {
    /// Parses the mutes that a guest's browser sent. `value` returns the list with a given name.
    ///
    /// # Errors
    /// 422 for an invalid name or id, or for more values than `mutes` allows.
    pub fn parse<'a>(value: impl Fn(&str) -> Option<&'a str>, bounds: &Mutes) -> ApiResult<Self> {
        let many = |bound: u32| usize::try_from(bound).unwrap_or(usize::MAX);
        let per_kind = many(bounds.per_kind);
        let exclusions = Self {
            videos: values("videos", value("videos"), many(bounds.watched))?,
            categories: values("categories", value("categories"), per_kind)?,
            models: values("models", value("models"), per_kind)?,
            members: values("members", value("members"), per_kind)?,
        };
        for (field, dirs) in [("categories", &exclusions.categories), ("models", &exclusions.models)] {
            if !dirs.iter().all(|dir| is_dir(dir)) {
                return Err(ApiError::invalid(field));
            }
        }
        Ok(exclusions)
    }

    /// Loads a member's mutes.
    pub async fn of_member(pool: &PgPool, config: &Config, member: i64) -> ApiResult<Self> {
        let muted = mutes::list(pool, member).await?;
        let videos = match muted.watched {
            true => mutes::watched(pool, member, config.mutes.watched.into()).await?,
            false => Vec::new(),
        };
        Ok(Self {
            videos,
            categories: muted.categories,
            models: muted.models,
            members: muted.members.into_iter().map(|member| member.id).collect(),
        })
    }

    /// Returns the bounds of a list. Objects that the list itself names are not excluded.
    pub fn within(mut self, list: &VideoList) -> ListBounds {
        match &list.section {
            Section::Categories(dirs) => self.categories.retain(|dir| !dirs.contains(dir)),
            Section::Model(dir) => self.models.retain(|muted| muted != dir),
            Section::Member(id) => self.members.retain(|muted| muted != id),
            Section::All | Section::Channel(_) | Section::Playlist(_) | Section::TopCountry(_) | Section::Search => {}
        }
        self.categories.retain(|dir| !list.names.categories.contains(dir));
        self.models.retain(|dir| !list.names.models.contains(dir));
        self.allowed()
    }

    /// Returns the bounds of any other list.
    pub fn allowed(self) -> ListBounds {
        let filter = self.filter("id", [without("user_id", self.members.iter().copied())]);
        ListBounds { exclusions: self, filter }
    }

    fn filter<const N: usize>(&self, id: &str, others: [Filter; N]) -> Filter {
        let of_all = [
            without(id, self.videos.iter().copied()),
            without("category_dirs", self.categories.iter().map(String::as_str)),
            without("model_dirs", self.models.iter().map(String::as_str)),
        ];
        Filter::all(of_all.into_iter().chain(others))
    }
}

impl ListBounds {
    /// Excludes nothing, so the result is the same for every viewer.
    pub fn everything() -> Self {
        Exclusions::default().allowed()
    }

    /// Filter for videos.
    pub fn filter(&self) -> Filter {
        self.filter.clone()
    }

    /// Filter for models.
    pub fn models(&self) -> Filter {
        without("dir", self.exclusions.models.iter().map(String::as_str))
    }

    /// Filter for the chart that `whole` selects. The documents of a chart do not contain the uploaders, so videos of muted members are
    /// looked up separately.
    pub async fn in_chart(&self, reader: &Reader, whole: Filter) -> ApiResult<Filter> {
        let filter = self.exclusions.filter("video_id", []);
        if self.exclusions.members.is_empty() {
            return Ok(filter);
        }
        let entries = VideoQuery {
            index: IndexName::Charts,
            limit: usize::try_from(reader.config.sync.chart_size).unwrap_or(usize::MAX),
            fields: lantern_index::ChartDoc::fields(),
            counts: &[],
            ..VideoQuery::new(whole)
        };
        let entries = find::<lantern_index::ChartDoc>(reader, entries).await?.hits;
        let ids = Filter::in_("id", entries.iter().map(|entry| entry.video_id));
        let of_members = VideoQuery {
            limit: entries.len(),
            fields: &["id"],
            counts: &[],
            ..VideoQuery::new(ids.and(Filter::in_("user_id", self.exclusions.members.iter().copied())))
        };
        let of_members = find::<VideoId>(reader, of_members).await?.hits;
        Ok(filter.and(without("video_id", of_members.into_iter().map(|video| video.id))))
    }
}

fn without<V: Into<lantern_index::FilterValue>>(field: &str, values: impl IntoIterator<Item = V>) -> Filter {
    Filter::in_(field, values).not()
}

/// Parses at most `most` comma-separated values.
fn values<T: FromStr>(field: &'static str, text: Option<&str>, most: usize) -> ApiResult<Vec<T>> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let values: Vec<&str> = text.split(',').take(most.saturating_add(1)).collect();
    if values.len() > most {
        return Err(ApiError::invalid(field));
    }
    values.into_iter().map(|value| value.parse().map_err(|_| ApiError::invalid(field))).collect()
}

#[cfg(test)]
mod tests {
    use lantern_config::Config;

    use super::*;
    use lantern_listing::Names;

    fn exclusions() -> Exclusions {
        let dirs = |dirs: [&str; 2]| dirs.map(str::to_owned).to_vec();
        Exclusions {
            videos: vec![3, 4],
            categories: dirs(["travel", "city"]),
            models: dirs(["yui", "mika"]),
            members: vec![7],
        }
    }

    fn list(section: Section, names: Names) -> VideoList {
        let segments = ["86400", "str", "latest-updates", "60", "all..1.all.all.all"];
        let list = VideoList::parse(segments, |_| None, &[86_400], &Config::default()).expect("list");
        VideoList { section, names, ..list }
    }

    #[test]
    fn muted_objects_are_excluded_except_on_their_own_page() {
        let filter = |section: Section| exclusions().within(&list(section, Names::default())).filter().to_string();
        let all = filter(Section::All);
        for part in [
            "id IN [3, 4]",
            "category_dirs IN [\"travel\", \"city\"]",
            "model_dirs IN [\"yui\", \"mika\"]",
            "user_id IN [7]",
        ] {
            assert!(all.contains(part), "{part}: {all}");
        }
        assert!(filter(Section::Categories(vec!["city".to_owned()])).contains("category_dirs IN [\"travel\"]"));
        assert!(filter(Section::Model("yui".to_owned())).contains("model_dirs IN [\"mika\"]"));
        assert!(!filter(Section::Member(7)).contains("user_id"));
        let names = Names { models: vec!["yui".to_owned()], ..Names::default() };
        let filter = exclusions().within(&list(Section::All, names)).filter().to_string();
        assert!(filter.contains("model_dirs IN [\"mika\"]"), "a requested model is not excluded: {filter}");
    }

    #[test]
    fn no_mutes_exclude_nothing() {
        assert!(ListBounds::everything().filter().matches_everything());
        assert!(ListBounds::everything().models().matches_everything());
        assert_eq!(exclusions().allowed().models().to_string(), "NOT dir IN [\"yui\", \"mika\"]");
    }

    #[test]
    fn values_are_parsed_strictly_and_bounded() {
        assert_eq!(values::<i64>("videos", Some("1,2"), 2).unwrap(), [1, 2]);
        for text in ["1,2,3", "", "1,", "x", "1;2"] {
            assert!(values::<i64>("videos", Some(text), 2).is_err(), "{text:?}");
        }
    }
}
