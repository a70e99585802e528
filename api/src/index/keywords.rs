//! The words at the foot of every page, drawn once a day and language.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use lantern_catalog::search_log;
use lantern_config::Lang;
use lantern_engine::Filter;
use lantern_indexer::IndexName;
use sha2::{Digest, Sha256};
use tokio::sync::Mutex;

use super::{
    ListQuery,
    documents::{SuggestionDoc, display},
    lists,
};
use crate::{error::ApiResult, state::AppState};

const DAY: i64 = 86_400;
/// What is drawn from, as a multiple of what is drawn.
const DRAW_FROM: usize = 10;

type Draw = (i64, Arc<[String]>);

/// The keywords of the day they were drawn on.
#[derive(Default)]
pub struct Keywords(Mutex<HashMap<Lang, Draw>>);

impl Keywords {
    /// Today's keywords: frequent searches of former days, then names of categories and models where those are few.
    ///
    /// # Errors
    /// When the catalog or the index can't be read.
    pub async fn today(&self, state: &AppState, lang: Lang) -> ApiResult<Arc<[String]>> {
        let day = (state.now)() / DAY;
        let mut kept = self.0.lock().await;
        if let Some((of, words)) = kept.get(&lang)
            && *of == day
        {
            return Ok(Arc::clone(words));
        }
        let words: Arc<[String]> = draw(state, lang, day).await?.into();
        kept.insert(lang, (day, Arc::clone(&words)));
        Ok(words)
    }
}

async fn draw(state: &AppState, lang: Lang, day: i64) -> ApiResult<Vec<String>> {
    let wanted = state.config.listing.keywords as usize;
    let most = i64::try_from(wanted * DRAW_FROM).unwrap_or(i64::MAX);
    let min_count = state.config.search_log.min_count.into();
    let mut searched = search_log::of_closed_days(&state.pool, lang, min_count, most).await?;
    searched.retain(|query| !state.prohibited.found_in(query));
    let mut words = at_random(searched, wanted, day);
    if words.len() < wanted {
        let known: HashSet<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let mut others = names(state, lang, wanted * 2).await?;
        others.retain(|name| !known.contains(&name.to_lowercase()));
        words.extend(at_random(others, wanted - words.len(), day));
    }
    Ok(words)
}

/// Categories and models that have videos, in the visitor's language.
async fn names(state: &AppState, lang: Lang, most: usize) -> ApiResult<Vec<String>> {
    let query = ListQuery {
        index: IndexName::Suggestions,
        filter: Filter::in_("type", ["category", "model"]),
        sort: ["weight:desc", "id:asc"],
        offset: 0,
        limit: most,
        fields: &["type", "title", "titles", "total"],
    };
    let (found, _) = lists::page::<SuggestionDoc>(state, query).await?;
    Ok(found.into_iter().map(|doc| display(&doc.title, &doc.titles, lang).to_owned()).collect())
}

/// `wanted` of the words; the choice is the same on every node and changes with `round`.
pub fn at_random(mut words: Vec<String>, wanted: usize, round: i64) -> Vec<String> {
    words.sort_by_cached_key(|word| lot(round, word.as_bytes()));
    words.truncate(wanted);
    words
}

/// What a thing draws in a round; the smallest lots win.
pub fn lot(round: i64, thing: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(round.to_be_bytes()).chain_update(thing).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_change_with_the_round_only() {
        let words = || (0..50).map(|n| format!("word {n}")).collect::<Vec<_>>();
        assert_eq!(at_random(words(), 10, 1), at_random(words(), 10, 1));
        assert_ne!(at_random(words(), 10, 1), at_random(words(), 10, 2));
        assert_eq!(at_random(words(), 10, 1).len(), 10);
    }
}
