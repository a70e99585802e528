//! Bringing named objects up to date: read their current rows, write or delete their documents.
//!
//! The outbox says only *that* something changed; what is true is read here. That makes applying
//! idempotent and free of order.

use std::collections::BTreeMap;

use lantern_catalog::{
    changes::{Change, LIST},
    consumers::Lease,
    outbox::Entity,
};
use lantern_index::{Filter, IndexName};
use meilisearch_sdk::task_info::TaskInfo;
use serde_json::value::RawValue;

use crate::{Error, Indexer, documents, tasks};

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

/// The entity whose documents an index holds, one for each.
pub fn entity_of(index: IndexName) -> Option<Entity> {
    Entity::ALL.iter().copied().find(|entity| index_of(*entity) == index)
}

/// An object whose document the engine refuses, and what it says.
pub type RefusedObject = ((Entity, i64), Error);

/// As [`apply`], but the objects whose documents the engine refuses are left out and answered with the reason, instead of
/// failing all others: what fails together is halved until the one at fault is alone.
pub async fn apply_willing(
    indexer: &Indexer,
    lease: &Lease,
    keys: &[(Entity, i64)],
    indexes: &[IndexName],
    uid: &(dyn Fn(IndexName) -> String + Send + Sync),
) -> Result<(Change, Vec<RefusedObject>), Error> {
    let (mut change, mut refused) = (Change::Objects(Vec::new()), Vec::new());
    let mut parts = vec![keys];
    while let Some(part) = parts.pop() {
        let applied = match (apply(indexer, lease, part, indexes, uid).await, part) {
            (Ok(applied), _) => applied,
            (Err(error), _) if !error.is_refusal() => return Err(error),
            (Err(error), &[key]) => {
                refused.push((key, error));
                // The catalog's own pages of it have changed all the same.
                Change::Objects(vec![key])
            }
            (Err(_), _) => {
                let (left, right) = part.split_at(part.len() / 2);
                parts.extend([right, left]);
                continue;
            }
        };
        change = change.and(applied);
    }
    Ok((change, refused))
}

/// Applies `keys`, as the writer with this lease, to those of `indexes` they belong to; `uid` names the index or its shadow. Answers what changed for caches.
pub async fn apply(
    indexer: &Indexer,
    lease: &Lease,
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
        // What was read may be old by now, if this process was paused and another one writes.
        indexer.check(lease).await?;
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
