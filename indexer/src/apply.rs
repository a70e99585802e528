//! Bringing named objects up to date: read their current rows, write or delete their documents.
//!
//! The outbox says only *that* something changed; what is true is read here. That makes applying
//! idempotent and free of order.

use std::collections::BTreeMap;

use lantern_catalog::outbox::Entity;
use lantern_engine::filter::Filter;
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

/// Applies `keys` to those of `indexes` they belong to; `uid` names the index or its shadow.
pub async fn apply(
    indexer: &Indexer,
    keys: &[(Entity, i64)],
    indexes: &[IndexName],
    uid: &(dyn Fn(IndexName) -> String + Send + Sync),
) -> Result<(), Error> {
    let mut by_index: BTreeMap<IndexName, Vec<i64>> = BTreeMap::new();
    for (entity, id) in keys {
        by_index.entry(index_of(*entity)).or_default().push(*id);
    }
    for (index, ids) in by_index {
        let built = {
            let mut conn = indexer.pool.acquire().await?;
            documents::build(index, &mut conn, &ids).await?
        };
        if indexes.contains(&index) {
            write(indexer, &uid(index), &built.documents, &built.gone).await?;
        }
        if indexes.contains(&IndexName::Suggestions) && !(built.suggestions.is_empty() && built.suggestions_gone.is_empty()) {
            write(indexer, &uid(IndexName::Suggestions), &built.suggestions, &built.suggestions_gone).await?;
        }
        if index == IndexName::Videos && indexes.contains(&IndexName::Charts) && !built.gone.is_empty() {
            let filter = Filter::in_("video_id", built.gone.iter());
            tasks::delete_where(&indexer.client, &uid(IndexName::Charts), &filter.to_string()).await?;
        }
    }
    Ok(())
}

async fn write(indexer: &Indexer, uid: &str, documents: &[Box<RawValue>], gone: &[String]) -> Result<(), Error> {
    tasks::delete(&indexer.client, uid, gone).await?;
    tasks::replace(&indexer.client, uid, documents).await
}
