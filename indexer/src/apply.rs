//! Updates the documents of given objects: reads their current rows, then writes or deletes the documents.
//!
//! The outbox only records *that* an object changed, and its current state is read here. Applying changes is therefore idempotent and
//! independent of their order.

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

/// Returns the indexes that hold an outbox entity's documents.
const fn indexes_of(entity: Entity) -> &'static [IndexName] {
    match entity {
        Entity::Video => &[IndexName::Videos, IndexName::Captions],
        Entity::Album => &[IndexName::Albums],
        Entity::Model => &[IndexName::Models],
        Entity::Category => &[IndexName::Categories],
        Entity::Playlist => &[IndexName::Playlists],
        Entity::User => &[IndexName::Members],
    }
}

/// Returns the entity of an index whose documents are made of single rows.
pub fn entity_of(index: IndexName) -> Option<Entity> {
    Entity::ALL.iter().copied().find(|entity| indexes_of(*entity).contains(&index))
}

/// An object whose document the engine rejects, with the error.
pub type RejectedObject = ((Entity, i64), Error);

/// Like [`apply`], but skips and returns objects whose documents the engine rejects, instead of failing for all objects. Bisects a failing
/// batch until the rejected document is isolated.
pub async fn apply_accepted(
    indexer: &Indexer,
    lease: &Lease,
    keys: &[(Entity, i64)],
    indexes: &[IndexName],
    uid: &(dyn Fn(IndexName) -> String + Send + Sync),
) -> Result<(Change, Vec<RejectedObject>), Error> {
    let (mut change, mut refused) = (Change::Objects(Vec::new()), Vec::new());
    let mut parts = vec![keys];
    while let Some(part) = parts.pop() {
        let applied = match (apply(indexer, lease, part, indexes, uid).await, part) {
            (Ok(applied), _) => applied,
            (Err(error), _) if !error.is_rejection() => return Err(error),
            (Err(error), &[key]) => {
                refused.push((key, error));
                // Pages rendered from the catalog have changed even if the index has not.
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

/// Applies `keys`, as the writer with this lease, to the `indexes` they belong to. `uid` selects either an index or its shadow. Returns the
/// change for cache invalidation.
pub async fn apply(
    indexer: &Indexer,
    lease: &Lease,
    keys: &[(Entity, i64)],
    indexes: &[IndexName],
    uid: &(dyn Fn(IndexName) -> String + Send + Sync),
) -> Result<Change, Error> {
    let mut objects = keys.to_vec();
    if keys.iter().any(|(entity, _)| *entity == Entity::Category) {
        // There are so few categories that every list contains all of them.
        objects.push((Entity::Category, LIST));
    }
    let mut change = Change::Objects(objects);
    let mut by_index: BTreeMap<IndexName, Vec<i64>> = BTreeMap::new();
    for (entity, id) in keys.iter().filter(|(_, id)| *id != LIST) {
        for index in indexes_of(*entity) {
            by_index.entry(*index).or_default().push(*id);
        }
    }
    // Submit all tasks before waiting for any, so that the engine can batch them.
    let mut submitted = Vec::new();
    for (index, ids) in by_index {
        // Suggestions and entries of charts follow other documents, but nothing follows captions.
        if index == IndexName::Captions && !indexes.contains(&index) {
            continue;
        }
        for ids in ids.chunks(at_once(index)) {
            let mut built = {
                let mut conn = indexer.pool.acquire().await?;
                documents::build(index, &mut conn, ids).await?
            };
            if index == IndexName::Captions {
                documents::captions::keep_changes(&indexer.client, &uid(index), ids, &mut built).await?;
            }
            // The rows may be outdated if this process was paused and another one has become the writer.
            indexer.check(lease).await?;
            if !built.gone.is_empty() && is_named_elsewhere(index) {
                change = Change::Everything;
            }
            if indexes.contains(&index) {
                submitted.extend(write(indexer, &uid(index), &built.documents, &built.gone).await?);
            }
            if indexes.contains(&IndexName::Suggestions) {
                let suggestions = uid(IndexName::Suggestions);
                submitted.extend(write(indexer, &suggestions, &built.suggestions, &built.suggestions_gone).await?);
            }
            if index == IndexName::Videos && indexes.contains(&IndexName::Charts) && !built.gone.is_empty() {
                let filter = Filter::in_("video_id", built.gone.iter().filter_map(|id| id.parse::<i64>().ok()));
                submitted
                    .extend(tasks::delete_where(&indexer.client, &uid(IndexName::Charts), &filter.to_string()).await?);
            }
        }
    }
    for task in submitted {
        tasks::finished(&indexer.client, task).await?;
        // Videos come first, so that lists of videos need not wait for totals.
        indexer.changes.note(&change);
    }
    Ok(change)
}

/// Returns the number of objects whose documents are built together. Those of 100 captioned films of an hour take 30 MB; all other objects
/// have a document each.
const fn at_once(index: IndexName) -> usize {
    if matches!(index, IndexName::Captions) { 100 } else { usize::MAX }
}

/// Whether responses about other objects include names from this index without being tagged with the named objects.
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
