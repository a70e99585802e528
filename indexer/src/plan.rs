//! What differs between the live indexes and what this program would build, and what that calls for: a rebuild, a change of
//! settings where they are, or nothing.

use std::collections::{BTreeMap, BTreeSet};

use lantern_config::Config;
use lantern_index::{IndexName, settings};
use meilisearch_sdk::{indexes::IndexesQuery, settings::Settings};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{Error, Indexer};

/// Raised whenever the shape of a document changes, so that an upgraded program rebuilds.
pub(crate) const DOCUMENT_VERSION: u32 = 10;
/// The oldest shape that this program can read: an index of it is served until the new one is built. Raised to [`DOCUMENT_VERSION`]
/// with a shape that the API could not read beside the new one.
const READABLE_SINCE: u32 = 10;
/// Settings that change neither documents nor what is stored of them; the engine applies them to a live index at once.
const TUNING: [&str; 4] = ["faceting", "pagination", "rankingRules", "searchCutoffMs"];

/// What an index was built with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Make {
    /// [`DOCUMENT_VERSION`].
    documents: u32,
    /// Digest of the settings that say how documents are stored: another one needs a rebuild.
    fields: String,
    /// Digest of the other settings.
    tuning: String,
}

/// What each index was built with, by uid; the catalog keeps it as JSON. Indexes of an older program say something else, which is nothing.
pub(crate) type Makes = BTreeMap<String, Make>;

/// What the live indexes need.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Indexes to be built anew.
    pub rebuild: Vec<IndexName>,
    /// Those of them that aren't there.
    pub absent: Vec<IndexName>,
    /// Indexes that only need other settings.
    pub tune: Vec<IndexName>,
    /// Whether what is there may be read meanwhile: it has followed the catalog, in a shape that this program knows.
    pub is_readable: bool,
}

impl Plan {
    /// Whether the indexes are as they should be.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rebuild.is_empty() && self.tune.is_empty()
    }

    /// What it calls for, as a sentence for an operator; `None` for nothing.
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
            parts.push(format!("to build anew: {} ({meanwhile})", names(&self.rebuild)));
        }
        if !self.tune.is_empty() {
            parts.push(format!("to get other settings: {}", names(&self.tune)));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// What `config` would build each index with.
pub(crate) fn makes(config: &Config) -> Result<Makes, Error> {
    let make = |index: IndexName| {
        let Value::Object(settings) = serde_json::to_value(settings::settings(index, config))? else {
            return Err(Error::Request("settings are no object".to_owned()));
        };
        let (tuning, fields): (BTreeMap<String, Value>, BTreeMap<String, Value>) =
            settings.into_iter().partition(|(name, _)| TUNING.contains(&name.as_str()));
        let digest = |part: &BTreeMap<String, Value>| -> Result<String, Error> {
            Ok(hex::encode(&Sha256::digest(serde_json::to_vec(part)?)[..8]))
        };
        Ok((
            index.uid().to_owned(),
            Make { documents: DOCUMENT_VERSION, fields: digest(&fields)?, tuning: digest(&tuning)? },
        ))
    };
    IndexName::ALL.into_iter().map(make).collect()
}

/// What a consumer notes of its indexes; `None` when that is nothing, or in the words of another program.
pub(crate) fn noted_makes(built: Option<&str>) -> Option<Makes> {
    serde_json::from_str(built?).ok()
}

/// The plan for indexes of which those in `there` exist and were built with `built`.
pub(crate) fn plan(there: &BTreeSet<String>, built: Option<&Makes>, wanted: &Makes) -> Plan {
    let mut plan = Plan { is_readable: built.is_some(), ..Plan::default() };
    for index in IndexName::ALL {
        let (make, wanted) = (built.and_then(|built| built.get(index.uid())), wanted.get(index.uid()));
        if !there.contains(index.uid()) {
            plan.absent.push(index);
            plan.rebuild.push(index);
            continue;
        }
        match (make, wanted) {
            (Some(make), Some(wanted)) if (make.documents, &make.fields) == (wanted.documents, &wanted.fields) => {
                if make.tuning != wanted.tuning {
                    plan.tune.push(index);
                }
            }
            (make, wanted) => {
                let known = make.zip(wanted).is_some_and(|(make, wanted)| {
                    make.fields == wanted.fields && (READABLE_SINCE..=DOCUMENT_VERSION).contains(&make.documents)
                });
                plan.is_readable &= known;
                plan.rebuild.push(index);
            }
        }
    }
    plan.is_readable &= plan.absent.len() < IndexName::ALL.len();
    plan
}

/// What a start with these settings does to indexes that were built with `built`, as the catalog has it; `None` for nothing.
///
/// # Errors
/// The settings can't be written as JSON.
pub fn foresee(config: &Config, built: Option<&str>) -> Result<Option<String>, Error> {
    let all = IndexName::ALL.iter().map(|index| index.uid().to_owned()).collect();
    Ok(plan(&all, noted_makes(built).as_ref(), &makes(config)?).describe())
}

impl Indexer {
    /// What the live indexes need.
    ///
    /// # Errors
    /// Another process writes them; Postgres or the engine can't be read.
    pub async fn plan(&self) -> Result<Plan, Error> {
        let built = noted_makes(self.join().await?.built.as_deref());
        let plan = plan(&self.there().await?, built.as_ref(), &makes(&self.config)?);
        *self.absent.write().unwrap_or_else(std::sync::PoisonError::into_inner) = plan.absent.iter().copied().collect();
        Ok(plan)
    }

    /// Whether the live indexes are missing, were built otherwise, or missed changes.
    ///
    /// # Errors
    /// As [`Indexer::plan`].
    pub async fn needs_rebuild(&self) -> Result<bool, Error> {
        Ok(!self.plan().await?.rebuild.is_empty())
    }

    /// The indexes that changes can be written to; what is missing is built anew and reads them then.
    pub(crate) fn present(&self) -> Vec<IndexName> {
        let absent = self.absent.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        IndexName::ALL.into_iter().filter(|index| !absent.contains(index)).collect()
    }

    /// Notes that indexes are there again.
    pub(crate) fn note_present(&self, indexes: &[IndexName]) {
        self.absent.write().unwrap_or_else(std::sync::PoisonError::into_inner).retain(|index| !indexes.contains(index));
    }

    /// Uids of all indexes, shadows among them. Read by listing, because a request for an unknown index is an error the SDK logs.
    pub(crate) async fn there(&self) -> Result<BTreeSet<String>, Error> {
        let mut query = IndexesQuery::new(&self.client);
        query.with_limit(1000);
        let indexes = self.client.list_all_indexes_with(&query).await?.results;
        Ok(indexes.into_iter().map(|index| index.uid).collect())
    }

    /// Gives live indexes other settings, where they are: no document changes, and searches go on.
    ///
    /// # Errors
    /// Another process writes the indexes; Postgres or the engine is away.
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
            tracing::info!(index = index.uid(), "an index has the configured settings now; it was not built anew");
        }
        self.note_made(&lease, indexes).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> BTreeSet<String> {
        IndexName::ALL.iter().map(|index| index.uid().to_owned()).collect()
    }

    fn config(change: impl FnOnce(&mut Config)) -> Makes {
        let mut config = Config::default();
        change(&mut config);
        makes(&config).unwrap()
    }

    #[test]
    fn settings_that_change_no_documents_are_applied_in_place() {
        let built = config(|_| {});
        assert!(plan(&all(), Some(&built), &built).is_empty());
        for wanted in [
            config(|config| config.listing.max_facet_values += 1),
            config(|config| config.search.budget_ms += 1),
            config(|config| config.search.max_total_hits += 1),
        ] {
            let plan = plan(&all(), Some(&built), &wanted);
            assert_eq!((plan.rebuild.len(), plan.tune.len(), plan.is_readable), (0, 8, true));
            assert!(plan.describe().unwrap().starts_with("to get other settings: "));
        }
    }

    #[test]
    fn another_shape_is_built_anew_and_known_ones_are_served_meanwhile() {
        let wanted = config(|_| {});
        let with = |change: &dyn Fn(&mut Make)| {
            let mut built = wanted.clone();
            change(built.get_mut("albums").unwrap());
            plan(&all(), Some(&built), &wanted)
        };
        let fields = with(&|make| make.fields.clear());
        assert_eq!((fields.rebuild.as_slice(), fields.is_readable), ([IndexName::Albums].as_slice(), false));
        let old = with(&|make| make.documents = READABLE_SINCE - 1);
        assert_eq!((old.rebuild.as_slice(), old.is_readable), ([IndexName::Albums].as_slice(), false));
        let future = with(&|make| make.documents = DOCUMENT_VERSION + 1);
        assert!(!future.is_readable);
    }

    #[test]
    fn what_is_missing_is_built_anew_and_the_rest_is_served() {
        let wanted = config(|_| {});
        let mut there = all();
        there.remove("videos");
        let missing = plan(&there, Some(&wanted), &wanted);
        let videos = vec![IndexName::Videos];
        assert_eq!((&missing.rebuild, &missing.absent, missing.is_readable), (&videos, &videos, true));
        // What missed changes may list what was hidden meanwhile.
        let doubted = plan(&all(), None, &wanted);
        assert_eq!((doubted.rebuild.len(), doubted.is_readable), (8, false));
        let first = plan(&BTreeSet::new(), Some(&wanted), &wanted);
        assert_eq!((first.absent.len(), first.is_readable), (8, false));
    }

    #[test]
    fn the_notes_of_an_older_program_say_nothing() {
        assert_eq!(noted_makes(Some("5f1c")), None);
        assert_eq!(noted_makes(None), None);
        let makes = config(|_| {});
        assert_eq!(noted_makes(Some(&serde_json::to_string(&makes).unwrap())), Some(makes));
    }
}
