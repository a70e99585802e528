//! Compares the live indexes with those this program would build, and plans what is needed: a rebuild, an update of settings in place, or
//! nothing.

use std::collections::{BTreeMap, BTreeSet};

use lantern_config::Config;
use lantern_index::{IndexName, settings};
use meilisearch_sdk::{indexes::IndexesQuery, settings::Settings};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{Error, Indexer};

/// Version of the documents' shape. Increment it whenever the shape changes, so that an upgraded program rebuilds the indexes.
pub(crate) const DOCUMENT_VERSION: u32 = 11;
/// Oldest shape that this program can read. An index with such a shape is served until the new one is built. Set it to [`DOCUMENT_VERSION`]
/// when the API can no longer read older shapes.
const READABLE_SINCE: u32 = 10;
/// Settings that affect neither documents nor their storage. The engine applies them to a live index at once.
const TUNING: [&str; 4] = ["faceting", "pagination", "rankingRules", "searchCutoffMs"];

/// Version and settings that an index was built with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BuildInfo {
    /// [`DOCUMENT_VERSION`].
    documents: u32,
    /// Digest of the settings that affect how documents are stored. Changing them requires a rebuild.
    fields: String,
    /// Digest of the other settings.
    tuning: String,
}

/// Builds of all indexes by uid, stored in the catalog as JSON. Formats written by older programs count as unknown.
pub(crate) type Builds = BTreeMap<String, BuildInfo>;

/// Work that the live indexes need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Indexes to rebuild.
    pub rebuild: Vec<IndexName>,
    /// The indexes in `rebuild` that are missing.
    pub absent: Vec<IndexName>,
    /// Indexes that only need new settings.
    pub tune: Vec<IndexName>,
    /// Whether the existing indexes can be read until the work is done, because they are in sync with the catalog and have a shape that
    /// this program knows.
    pub is_readable: bool,
}

impl Plan {
    /// Whether nothing needs to be done.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rebuild.is_empty() && self.tune.is_empty()
    }

    /// Describes the plan to an operator. Returns `None` if it is empty.
    #[must_use]
    pub fn describe(&self) -> Option<String> {
        let names = |indexes: &[IndexName]| indexes.iter().map(|index| index.uid()).collect::<Vec<_>>().join(", ");
        let mut parts = Vec::new();
        if !self.rebuild.is_empty() {
            let meanwhile = match (self.is_readable, self.absent.is_empty()) {
                (true, true) => "the old ones are served meanwhile",
                (true, false) => "the others are served meanwhile",
                (false, _) => "the site waits for them",
            };
            parts.push(format!("to rebuild: {} ({meanwhile})", names(&self.rebuild)));
        }
        if !self.tune.is_empty() {
            parts.push(format!("to update settings: {}", names(&self.tune)));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Returns the builds that `config` results in.
pub(crate) fn builds(config: &Config) -> Result<Builds, Error> {
    let build = |index: IndexName| {
        let Value::Object(settings) = serde_json::to_value(settings::settings(index, config))? else {
            return Err(Error::Request("settings are not an object".to_owned()));
        };
        let (tuning, fields): (BTreeMap<String, Value>, BTreeMap<String, Value>) =
            settings.into_iter().partition(|(name, _)| TUNING.contains(&name.as_str()));
        let digest = |part: &BTreeMap<String, Value>| -> Result<String, Error> {
            Ok(hex::encode(&Sha256::digest(serde_json::to_vec(part)?)[..8]))
        };
        Ok((
            index.uid().to_owned(),
            BuildInfo { documents: DOCUMENT_VERSION, fields: digest(&fields)?, tuning: digest(&tuning)? },
        ))
    };
    IndexName::ALL.into_iter().map(build).collect()
}

/// Parses a consumer's record of its indexes. Returns `None` if the record is missing or has a format from another version of the program.
pub(crate) fn parse_builds(built: Option<&str>) -> Option<Builds> {
    serde_json::from_str(built?).ok()
}

/// Plans the work for indexes that were built with `built`. Only those in `existing_uids` exist.
pub(crate) fn plan(existing_uids: &BTreeSet<String>, built: Option<&Builds>, wanted: &Builds) -> Plan {
    let mut plan = Plan { is_readable: built.is_some(), ..Plan::default() };
    for index in IndexName::ALL {
        let (build, wanted) = (built.and_then(|built| built.get(index.uid())), wanted.get(index.uid()));
        if !existing_uids.contains(index.uid()) {
            plan.absent.push(index);
            plan.rebuild.push(index);
            continue;
        }
        match (build, wanted) {
            (Some(build), Some(wanted)) if (build.documents, &build.fields) == (wanted.documents, &wanted.fields) => {
                if build.tuning != wanted.tuning {
                    plan.tune.push(index);
                }
            }
            (build, wanted) => {
                let known = build.zip(wanted).is_some_and(|(build, wanted)| {
                    build.fields == wanted.fields && (READABLE_SINCE..=DOCUMENT_VERSION).contains(&build.documents)
                });
                plan.is_readable &= known;
                plan.rebuild.push(index);
            }
        }
    }
    plan.is_readable &= plan.absent.len() < IndexName::ALL.len();
    plan
}

/// Describes what starting with these settings would do to indexes built with `built`, as stored in the catalog. Returns `None` if it would
/// do nothing.
///
/// # Errors
/// If the settings cannot be serialized.
pub fn foresee(config: &Config, built: Option<&str>) -> Result<Option<String>, Error> {
    let all = IndexName::ALL.iter().map(|index| index.uid().to_owned()).collect();
    Ok(plan(&all, parse_builds(built).as_ref(), &builds(config)?).describe())
}

impl Indexer {
    /// Plans the work that the live indexes need.
    ///
    /// # Errors
    /// If another process is the writer, or Postgres or the engine is unavailable.
    pub async fn plan(&self) -> Result<Plan, Error> {
        let built = parse_builds(self.join().await?.built.as_deref());
        let plan = plan(&self.existing_uids().await?, built.as_ref(), &builds(&self.config)?);
        *self.absent.write().unwrap_or_else(std::sync::PoisonError::into_inner) = plan.absent.iter().copied().collect();
        Ok(plan)
    }

    /// Whether any live index is missing, was built differently, or missed changes.
    ///
    /// # Errors
    /// See [`Indexer::plan`].
    pub async fn needs_rebuild(&self) -> Result<bool, Error> {
        Ok(!self.plan().await?.rebuild.is_empty())
    }

    /// Returns the indexes that changes can be written to. Missing indexes receive the changes when they are rebuilt.
    pub(crate) fn present(&self) -> Vec<IndexName> {
        let absent = self.absent.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        IndexName::ALL.into_iter().filter(|index| !absent.contains(index)).collect()
    }

    /// Records that indexes exist again.
    pub(crate) fn mark_present(&self, indexes: &[IndexName]) {
        self.absent.write().unwrap_or_else(std::sync::PoisonError::into_inner).retain(|index| !indexes.contains(index));
    }

    /// Returns the uids of all indexes, including shadows. It lists all indexes instead of requesting each one, because the SDK logs
    /// requests for a missing index as errors.
    pub(crate) async fn existing_uids(&self) -> Result<BTreeSet<String>, Error> {
        let mut query = IndexesQuery::new(&self.client);
        query.with_limit(1000);
        let indexes = self.client.list_all_indexes_with(&query).await?.results;
        Ok(indexes.into_iter().map(|index| index.uid).collect())
    }

    /// Updates the settings of live indexes in place. Documents stay unchanged and searches continue.
    ///
    /// # Errors
    /// If another process is the writer, or Postgres or the engine is unavailable.
    pub async fn tune(&self, indexes: &[IndexName]) -> Result<(), Error> {
        let lease = self.join().await?;
        for index in indexes {
            let Settings { faceting, pagination, ranking_rules, search_cutoff_ms, .. } =
                settings::settings(*index, &self.config);
            let mut tuning = Settings::new();
            (tuning.faceting, tuning.pagination) = (faceting, pagination);
            (tuning.ranking_rules, tuning.search_cutoff_ms) = (ranking_rules, search_cutoff_ms);
            self.check(&lease).await?;
            let task = self.client.index(index.uid()).set_settings(&tuning).await?;
            crate::tasks::finished(&self.client, task).await?;
            tracing::info!(index = index.uid(), "updated the settings of an index without a rebuild");
        }
        self.record_builds(&lease, indexes).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> BTreeSet<String> {
        IndexName::ALL.iter().map(|index| index.uid().to_owned()).collect()
    }

    fn config(change: impl FnOnce(&mut Config)) -> Builds {
        let mut config = Config::default();
        change(&mut config);
        builds(&config).unwrap()
    }

    #[test]
    fn settings_without_effect_on_documents_are_applied_in_place() {
        let built = config(|_| {});
        assert!(plan(&all(), Some(&built), &built).is_empty());
        for wanted in [
            config(|config| config.listing.max_facet_values += 1),
            config(|config| config.search.budget_ms += 1),
            config(|config| config.search.max_total_hits += 1),
        ] {
            let plan = plan(&all(), Some(&built), &wanted);
            assert_eq!((plan.rebuild.len(), plan.tune.len(), plan.is_readable), (0, IndexName::ALL.len(), true));
            assert!(plan.describe().unwrap().starts_with("to update settings: "));
        }
    }

    #[test]
    fn changed_shape_is_rebuilt_and_known_shapes_are_served_meanwhile() {
        let wanted = config(|_| {});
        let with = |change: &dyn Fn(&mut BuildInfo)| {
            let mut built = wanted.clone();
            change(built.get_mut("albums").unwrap());
            plan(&all(), Some(&built), &wanted)
        };
        let fields = with(&|build| build.fields.clear());
        assert_eq!((fields.rebuild.as_slice(), fields.is_readable), ([IndexName::Albums].as_slice(), false));
        let old = with(&|build| build.documents = READABLE_SINCE - 1);
        assert_eq!((old.rebuild.as_slice(), old.is_readable), ([IndexName::Albums].as_slice(), false));
        let future = with(&|build| build.documents = DOCUMENT_VERSION + 1);
        assert!(!future.is_readable);
    }

    #[test]
    fn missing_indexes_are_rebuilt_while_others_are_served() {
        let wanted = config(|_| {});
        let mut existing_uids = all();
        existing_uids.remove("videos");
        let missing = plan(&existing_uids, Some(&wanted), &wanted);
        let videos = vec![IndexName::Videos];
        assert_eq!((&missing.rebuild, &missing.absent, missing.is_readable), (&videos, &videos, true));
        // Indexes that missed changes may list objects that have since been hidden.
        let doubted = plan(&all(), None, &wanted);
        assert_eq!((doubted.rebuild.len(), doubted.is_readable), (IndexName::ALL.len(), false));
        let first = plan(&BTreeSet::new(), Some(&wanted), &wanted);
        assert_eq!((first.absent.len(), first.is_readable), (IndexName::ALL.len(), false));
    }

    #[test]
    fn records_of_older_programs_are_ignored() {
        assert_eq!(parse_builds(Some("5f1c")), None);
        assert_eq!(parse_builds(None), None);
        let builds = config(|_| {});
        assert_eq!(parse_builds(Some(&serde_json::to_string(&builds).unwrap())), Some(builds));
    }
}
