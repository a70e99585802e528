//! Bringing named objects up to date: read their current rows, write or delete their documents.
//!
//! The outbox says only *that* something changed; what is true is read here. That makes applying
//! idempotent and free of order.

use std::collections::BTreeMap;

use lantern_catalog::{
    changes::{Change, LIST},
    outbox::Entity,
};
use lantern_engine::filter::Filter;
use meilisearch_sdk::task_info::TaskInfo;
use serde_json::value::RawValue;

use crate::{Error, IndexName, Indexer, documents, tasks};

/// The index whose documents an outbox entity is.
const fn index_of(entity: Entity) -> IndexName {
    match entity {
        Entity::Video => IndexName::Videos,
        Entity::Album => IndexName::Albums,
        Entity::Model => IndexName::Models,
        Entity::Category => IndexName::Categories,
        Entity::Playlist => IndexName::Playlists,
        Entity::User => IndexName::Members,
    }
}

/// Applies `keys` to those of `indexes` they belong to; `uid` names the index or its shadow. Answers what changed for caches.
pub async fn apply(
    indexer: &Indexer,
    keys: &[(Entity, i64)],
    indexes: &[IndexName],
    uid: &(dyn Fn(IndexName) -> String + Send + Sync),
) -> Result<Change, Error> {
    let mut objects = keys.to_vec();
    if keys.iter().any(|(entity, _)| *entity == Entity::Category) {
        // There are few enough that each list of them names all.
        objects.push((Entity::Category, LIST));
    }
    let mut change = Change::Objects(objects);
    let mut by_index: BTreeMap<IndexName, Vec<i64>> = BTreeMap::new();
    for (entity, id) in keys {
        by_index.entry(index_of(*entity)).or_default().push(*id);
    }
    // Everything is handed over before anything is waited for, so that the engine batches what it can.
    let mut handed = Vec::new();
    for (index, ids) in by_index {
        let built = {
            let mut conn = indexer.pool.acquire().await?;
            documents::build(index, &mut conn, &ids).await?
        };
        if !built.gone.is_empty() && is_named_elsewhere(index) {
            change = Change::Everything;
        }
        if indexes.contains(&index) {
            handed.extend(write(indexer, &uid(index), &built.documents, &built.gone).await?);
        }
        if indexes.contains(&IndexName::Suggestions) {
            let suggestions = uid(IndexName::Suggestions);
            handed.extend(write(indexer, &suggestions, &built.suggestions, &built.suggestions_gone).await?);
        }
        if index == IndexName::Videos && indexes.contains(&IndexName::Charts) && !built.gone.is_empty() {
            let filter = Filter::in_("video_id", built.gone.iter().filter_map(|id| id.parse::<i64>().ok()));
            handed.extend(tasks::delete_where(&indexer.client, &uid(IndexName::Charts), &filter.to_string()).await?);
        }
    }
    for task in handed {
        tasks::finished(&indexer.client, task).await?;
        // Videos come first; what shows them need not wait for totals.
        indexer.changes.note(&change);
    }
    Ok(change)
}

/// Whether answers about other objects show its documents by name, without being tagged with them.
const fn is_named_elsewhere(index: IndexName) -> bool {
    matches!(index, IndexName::Categories | IndexName::Models)
}

async fn write(
    indexer: &Indexer,
    uid: &str,
    documents: &[Box<RawValue>],
    gone: &[String],
) -> Result<impl Iterator<Item = TaskInfo> + use<>, Error> {
    let deleted = tasks::delete(&indexer.client, uid, gone).await?;
    let replaced = tasks::replace(&indexer.client, uid, documents).await?;
    Ok(deleted.into_iter().chain(replaced))
}
